"""The rules of the doors: which role a visitor has, and what is refused to whom."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from ui.doors.pairing import Pairing
from ui.doors.rates import Buckets, Rate
from ui.doors.visit import SAFE_METHODS, Visit, own_names
from ui.roles import Role
from ui.settings import SOURCE_URL, Settings
from ui.viewmodels import MatchSummary, Message

ENTRANCE: Final = "/entra"
PHONES: Final = "/telefoni"
ICONS: Final = "/icone/"
MANIFEST: Final = "/burraco.webmanifest"
OPEN_PATHS: Final = frozenset({ENTRANCE, "/api/health", SOURCE_URL, MANIFEST})
"""All that answers without a session, besides the icons: the pairing page, health, the source (AGPL-3.0, art. 13)."""
KEY_FILE: Final = "pairing.key"
AGENT: Final = "/_stcore/agent/"

MOST_SOCKETS: Final = 300
MOST_SOCKETS_EACH: Final = 20
STRANGERS: Final = Rate(60, 1.0)
LOOKING: Final = Rate(600, 40.0)
CHANGING: Final = Rate(60, 5.0)
FAILED_CODES: Final = Rate(5, 1 / 12)


@dataclass(frozen=True, slots=True)
class Who:
    """A visitor: the role (None: a stranger), the name their rate is counted by, and the one match they are for."""

    role: Role | None
    key: str
    match_id: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer at the door; `pairing` where the pairing page is the answer."""

    status: int
    message: Message
    retry_after_s: int = 0
    pairing: bool = False


class Doors:
    """One server's doors; `pairing` is None where it is reached from this machine only.

    `matches` lists those for which there may be a code of their own.
    """

    def __init__(
        self,
        settings: Settings,
        pairing: Pairing | None = None,
        clock: Callable[[], float] = time.monotonic,
        matches: Callable[[], Iterable[MatchSummary]] = tuple,
    ) -> None:
        self.settings, self.matches = settings, matches
        self.pairing = pairing or (Pairing(settings.data_dir / KEY_FILE) if settings.lan else None)
        self.cookie = f"burraco_{settings.port}"
        self.failed_codes = Buckets(FAILED_CODES, clock)
        self._sockets: Counter[str] = Counter()
        self._names = own_names(settings.host, settings.names)
        self._strangers, self._looking, self._changing = (
            Buckets(rate, clock) for rate in (STRANGERS, LOOKING, CHANGING)
        )

    def who(self, visit: Visit) -> Who:
        """Who is asking."""
        if visit.local:
            return Who(Role.HOST, "host")
        session = self.pairing.session(visit.cookie(self.cookie)) if self.pairing else None
        if session is None:
            return Who(None, visit.client)
        return Who(session.role, session.nonce, session.match_id)

    def refusal(self, visit: Visit, who: Who) -> Refusal | None:
        """Why a request goes no further; None where it may."""
        if not visit.known(self._names):
            return Refusal(421, Message("door.unknown_host"))
        wait_s = self._wait_s(visit, who)
        if wait_s:
            return Refusal(429, Message("door.too_many", {"seconds": wait_s}), wait_s)
        if visit.changes and not visit.same_origin:
            return Refusal(403, Message("door.other_site"))
        if visit.path.startswith(AGENT):
            return Refusal(404, Message("not_found.route"))
        return self._beyond_role(visit, who)

    def _beyond_role(self, visit: Visit, who: Who) -> Refusal | None:
        role = who.role
        if visit.path == ENTRANCE and self.pairing is not None and not visit.socket:
            return None
        if role is None:
            if _open(visit):
                return None
            if self.pairing is None:
                return Refusal(403, Message("door.this_machine_only"))
            return Refusal(401, Message("door.no_session"), pairing=True)
        if visit.path == PHONES and (role is not Role.HOST or self.pairing is None):
            return Refusal(404, Message("not_found.route"))
        if role is Role.VIEWER and visit.method not in SAFE_METHODS:
            return Refusal(403, Message("door.needs_table"))
        if visit.socket and self._full(who):
            return Refusal(503, Message("door.full", {"seconds": 10}), 10)
        return None

    def _wait_s(self, visit: Visit, who: Who) -> int:
        if who.role is Role.HOST:
            return 0
        if who.role is None:
            return self._strangers.take(who.key)
        return (self._changing if visit.changes else self._looking).take(who.key)

    @property
    def sockets(self) -> int:
        """Websockets that are open."""
        return self._sockets.total()

    def _full(self, who: Who) -> bool:
        own = self._sockets[who.key] if who.role is not Role.HOST else 0
        return self.sockets >= MOST_SOCKETS or own >= MOST_SOCKETS_EACH

    @contextmanager
    def counted_socket(self, who: Who) -> Iterator[None]:
        """Count a websocket while it is open."""
        self._sockets[who.key] += 1
        try:
            yield
        finally:
            self._sockets[who.key] -= 1
            if not self._sockets[who.key]:
                del self._sockets[who.key]


def _open(visit: Visit) -> bool:
    path_open = visit.path in OPEN_PATHS or visit.path.startswith(ICONS)
    return path_open and visit.method in SAFE_METHODS and not visit.socket
