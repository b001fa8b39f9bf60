"""Marks a running program in the data folder, so that the next start knows whether the last one ended properly.

A mark is a file that its program keeps locked: the lock goes with the program however it ends, the file only if it
ends properly.
"""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

_FOLDER = "running"


def _lock(file: IO[bytes]) -> bool:
    """Lock a file for this program; False where another has it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _marks(data_dir: Path) -> Iterator[tuple[Path, bool]]:
    """The marks of a folder, each with whether its program still runs."""
    folder = data_dir / _FOLDER
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        with path.open("rb") as file:
            alive = not _lock(file)
        yield path, alive


def in_use(data_dir: Path) -> bool:
    """Whether a program of ours has this folder open now."""
    return any(alive for _, alive in _marks(data_dir))


@contextmanager
def running(data_dir: Path) -> Iterator[tuple[str, ...]]:
    """Mark this program as running; gives the starting times of programs that did not end properly."""
    stopped = []
    for path, alive in _marks(data_dir):
        if not alive:
            stopped.append(path.name.partition("_")[0])
            path.unlink(missing_ok=True)
    folder = data_dir / _FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    mark = folder / f"{now}_{os.getpid()}_{uuid.uuid4().hex[:6]}"
    with mark.open("wb") as file:
        _lock(file)
        try:
            yield tuple(stopped)
        finally:
            if sys.platform != "win32":  # Windows lets nobody remove an open file; there it goes below
                mark.unlink(missing_ok=True)
    mark.unlink(missing_ok=True)
