"""Files that are there whole or not at all: written beside, flushed to the disk, then renamed."""

from __future__ import annotations

import os
import shutil
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PART = ".part"
LEFT_AFTER_S = 3600.0
"""What is older than this belongs to a program that was killed while it wrote."""


@contextmanager
def whole(target: Path) -> Iterator[Path]:
    """Give a path to write to; what stands there at the end becomes `target`, and what fails leaves nothing behind."""
    part = target.with_name(f"{target.name}.{uuid.uuid4().hex[:8]}{PART}")
    try:
        yield part
        _flush(part, os.O_RDWR)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    if os.name != "nt":  # a folder cannot be flushed on Windows
        _flush(target.parent, os.O_RDONLY)


def sweep(folder: Path, pattern: str = f"*{PART}") -> None:
    """Remove what a killed program left in a folder; what cannot be removed stays."""
    for left in folder.glob(pattern):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > LEFT_AFTER_S:
                shutil.rmtree(left) if left.is_dir() else left.unlink()


def _flush(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
