"""`burraco doctor`: looks at everything the program needs, and says of each fault what to do."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from scoring.store.health import StoreState, look_at, look_at_server
from ui.doors.doors import KEY_FILE
from ui.doors.visit import lan_address
from ui.errors import ServiceError
from ui.i18n import say, t
from ui.settings import Settings
from ui.stores import addressed
from ui.viewmodels import Message

LEAST_FREE_MB = 500
NETWORKS = ("index", "reader")
_STORE_FAULTS = (StoreState.DAMAGED, StoreState.UNREADABLE, StoreState.NEWER)


class State(Enum):
    """How a part is: working, worth knowing, or broken; the value is its sign in the list."""

    GOOD = "✓"
    NOTE = "·"
    FAULT = "✗"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one part, and what to do about it where something is wrong."""

    part: str
    state: State
    what: Message
    advice: Message | None = None


def findings(settings: Settings, dev: Path = Path("/dev")) -> Iterator[Finding]:
    """Look at everything, one part after the other; nothing is changed."""
    yield from _versions()
    for name in NETWORKS:
        yield _network(settings.models_dir, name)
    yield _folder(settings.data_dir)
    yield _disk(settings.data_dir)
    yield _database(settings)
    yield _key(settings.data_dir / KEY_FILE)
    yield _camera(dev)
    yield _lan()


def _versions() -> Iterator[Finding]:
    missing, found = [], []
    for name in _needed():
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    what = Message("doctor.versions", {"python": platform.python_version(), "packages": ", ".join(found)})
    yield Finding("versions", State.GOOD, what)
    if missing:
        names = ", ".join(missing)
        yield Finding(
            "versions", State.FAULT, Message("doctor.missing", {"names": names}), Message("doctor.missing_do")
        )


def _needed() -> list[str]:
    try:
        lines = requires("burraco") or []
    except PackageNotFoundError:
        return []
    return [re.split(r"[<>=!~\[; ]", line, maxsplit=1)[0] for line in lines if "extra ==" not in line]


def _network(folder: Path, name: str) -> Finding:
    path, described = folder / f"{name}.onnx", folder / f"{name}.json"
    shown = {"name": path.name, "folder": str(folder)}
    try:
        wanted = json.loads(described.read_text("utf-8"))["sha256"]
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except (OSError, ValueError, KeyError, TypeError):
        return Finding("model", State.FAULT, Message("doctor.no_model", shown), Message("doctor.model_do"))
    if digest != wanted:
        return Finding("model", State.FAULT, Message("doctor.other_model", shown), Message("doctor.model_do"))
    return Finding("model", State.GOOD, Message("doctor.model", {"name": path.name, "hash": digest[:12]}))


def _folder(folder: Path) -> Finding:
    shown = {"path": str(folder)}
    there = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        tempfile.TemporaryFile(dir=there).close()
    except OSError:
        return Finding("folder", State.FAULT, Message("doctor.folder_shut", shown), Message("doctor.folder_do"))
    return Finding("folder", State.GOOD, Message("doctor.folder", shown))


def _disk(folder: Path) -> Finding:
    there = next(path for path in (folder, *folder.parents) if path.exists())
    free_mb = shutil.disk_usage(there).free // 2**20
    what = Message("doctor.disk", {"free": f"{free_mb / 1024:.1f}"})
    if free_mb < LEAST_FREE_MB:
        return Finding("disk", State.FAULT, what, Message("doctor.disk_do", {"least": LEAST_FREE_MB}))
    return Finding("disk", State.GOOD, what)


def _database(settings: Settings) -> Finding:
    if settings.database_url:
        return _server(settings.database_url)
    health = look_at(settings.data_dir, settings.photos_dir)
    what = Message(f"doctor.db_{health.state}", {"matches": health.matches, "revision": health.revision})
    if health.state in _STORE_FAULTS:
        return Finding("database", State.FAULT, what, Message(f"doctor.db_{health.state}_do"))
    if health.photos_missing:
        missing = Message("doctor.photos_missing", {"count": health.photos_missing})
        return Finding("database", State.FAULT, missing, Message("doctor.photos_missing_do"))
    return Finding("database", State.GOOD, what)


def _server(url: str) -> Finding:
    try:
        with addressed():
            health = look_at_server(url)
    except ServiceError as error:
        return Finding("database", State.FAULT, error.message, Message("doctor.db_away_do"))
    if health.state is StoreState.NEWER:
        what = Message("doctor.db_newer", {"revision": health.revision})
        return Finding("database", State.FAULT, what, Message("doctor.db_newer_do"))
    what = Message("doctor.db_server", {"matches": health.matches})
    return Finding("database", State.GOOD, what, Message("doctor.db_server_do"))


def _key(path: Path) -> Finding:
    if not path.exists():
        return Finding("pairing", State.GOOD, Message("doctor.no_key"))
    if os.name != "nt" and path.stat().st_mode & 0o077:
        return Finding(
            "pairing", State.FAULT, Message("doctor.key_open"), Message("doctor.key_do", {"path": str(path)})
        )
    return Finding("pairing", State.GOOD, Message("doctor.key"))


def _camera(dev: Path, opens: Callable[[int], bool] | None = None) -> Finding:
    """A camera is never needed for photos by phone, so that none is worth a note only."""
    devices = sorted(dev.glob("video[0-9]*"))
    if sys.platform == "linux" and not devices:
        return Finding("camera", State.NOTE, Message("doctor.no_camera"), Message("doctor.no_camera_do"))
    shut = [path.name for path in devices if not os.access(path, os.R_OK | os.W_OK)]
    if shut:
        what = Message("doctor.camera_shut", {"names": ", ".join(shut)})
        return Finding("camera", State.FAULT, what, Message("doctor.camera_shut_do"))
    if not (opens or _camera_opens)(0):
        return Finding("camera", State.NOTE, Message("doctor.camera_busy"), Message("doctor.camera_busy_do"))
    return Finding("camera", State.GOOD, Message("doctor.camera"))


def _camera_opens(index: int) -> bool:
    import cv2

    capture = cv2.VideoCapture(index)
    try:
        return bool(capture.isOpened())
    finally:
        capture.release()


def _lan() -> Finding:
    address = lan_address("0.0.0.0")
    if address is None:
        return Finding("network", State.NOTE, Message("doctor.no_lan"), Message("doctor.no_lan_do"))
    return Finding("network", State.GOOD, Message("doctor.lan", {"address": address}))


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print what was found; 1 where something is broken."""
    found = list(findings(settings))
    if args.json:
        rows = [
            {
                "part": finding.part,
                "state": finding.state.name.lower(),
                "what": say(finding.what, args.lang),
                "advice": say(finding.advice, args.lang) if finding.advice else None,
            }
            for finding in found
        ]
        print(json.dumps(rows, ensure_ascii=False, indent=1))
    else:
        for finding in found:
            print(
                f"{finding.state.value} {t(f'doctor.part_{finding.part}', args.lang)}: {say(finding.what, args.lang)}"
            )
            if finding.advice:
                print(f"  → {say(finding.advice, args.lang)}")
    return 1 if any(finding.state is State.FAULT for finding in found) else 0
