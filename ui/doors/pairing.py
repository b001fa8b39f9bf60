"""Pairing: codes that a phone brings in, and sessions that it gets for them. Both are signed and both end.

A code is `role+end.signature`, a session `role+end.nonce.signature`; the only thing kept is the key that signs them, in
a file that only its owner can read. A new key ends every code and session at once.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import os
import secrets
import time
from base64 import b32encode
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from threading import Lock
from typing import Final

from ui.roles import PAIRED, Role

log = logging.getLogger("burraco.doors")

LASTS_S: Final = 12 * 3600
COOKIE_LASTS_S: Final = LASTS_S + 24 * 3600
"""A browser sends its cookie a day longer than it opens anything, so that its user is told that the time is over."""
_KEY_BYTES: Final = 32
_SIGNATURE_CHARS: Final = 24  # 120 bits
_LETTERS: Final = {role.name[0].lower(): role for role in PAIRED}


class CodeFault(StrEnum):
    """Why a code opens nothing."""

    WRONG = "wrong"
    EXPIRED = "expired"


class BadCode(Exception):
    """A code that opens nothing; `fault` says why."""

    def __init__(self, fault: CodeFault) -> None:
        super().__init__(fault.value)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Session:
    """A paired device: its role, when that ends (seconds since 1970), and a name that means nothing to anybody.

    `match_id` is the only match it may touch or see; "" where it may all.
    """

    role: Role
    until: int
    nonce: str
    match_id: str = ""


class Pairing:
    """Makes and checks codes and sessions with the key in `path`."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._path, self._clock, self._lock = path, clock, Lock()
        self._key = _read_key(path) or self._new_key()

    def code(self, role: Role, match_id: str = "") -> str:
        """A code that lets devices in with this role, for one match or for all, for the next twelve hours."""
        return self._signed("code", _head(role, int(self._clock()) + LASTS_S, match_id))

    def enter(self, code: str) -> str:
        """The cookie of the session that a code gives; raises BadCode."""
        head = self._checked("code", code.strip().lower())
        if head is None:
            raise BadCode(CodeFault.WRONG)
        role, until, match_id = _read_head(head)
        if until <= self._clock():
            raise BadCode(CodeFault.EXPIRED)
        own = _head(role, int(self._clock()) + LASTS_S, match_id)
        return self._signed("session", f"{own}.{secrets.token_hex(8)}")

    def session(self, cookie: str) -> Session | None:
        """The session of a cookie, None where there is none or it has ended."""
        head = self._checked("session", cookie)
        if head is None:
            return None
        head, _, nonce = head.partition(".")
        role, until, match_id = _read_head(head)
        return Session(role, until, nonce, match_id) if until > self._clock() else None

    def forget_all(self) -> None:
        """End every code and every session."""
        self._key = self._new_key()

    def _new_key(self) -> bytes:
        key = secrets.token_bytes(_KEY_BYTES)
        with self._lock:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            fresh = self._path.with_suffix(".new")
            fresh.unlink(missing_ok=True)
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(key.hex())
            fresh.replace(self._path)
        return key

    def _signed(self, purpose: str, head: str) -> str:
        digest = hmac.new(self._key, f"{purpose}:{head}".encode(), hashlib.sha256).digest()
        return f"{head}.{b32encode(digest).decode().lower()[:_SIGNATURE_CHARS]}"

    def _checked(self, purpose: str, text: str) -> str | None:
        head, _, _ = text.rpartition(".")
        good = hmac.compare_digest(self._signed(purpose, head).encode(), text.encode())
        return head if head and good else None


def _head(role: Role, until: int, match_id: str) -> str:
    return f"{role.name[0].lower()}{until:x}" + (f"-{match_id}" if match_id else "")


def _read_head(head: str) -> tuple[Role, int, str]:
    until, _, match_id = head[1:].partition("-")
    return _LETTERS[head[0]], int(until, 16), match_id


def _read_key(path: Path) -> bytes | None:
    try:
        key = bytes.fromhex(path.read_text("ascii").strip())
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        log.warning("the pairing key could not be read: a new one is made, devices must pair again")
        return None
    return key if len(key) == _KEY_BYTES else None
