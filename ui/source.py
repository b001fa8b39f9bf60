"""The running source as a zip, which AGPL-3.0 section 13 promises to everyone who uses the program over a network."""

from __future__ import annotations

import io
import zipfile
from functools import cache
from pathlib import Path

from ui.settings import ROOT

_FOLDERS = ("scoring", "vision", "ui", "models", "datasets", "tests", ".ci")
_FILES = ("pyproject.toml", "Makefile", "README.md", "SECURITY.md", "LICENSE", ".gitignore")
_SUFFIXES = {
    ".py",
    ".toml",
    ".md",
    ".json",
    ".po",
    ".mo",
    ".mako",
    ".css",
    ".js",
    ".html",
    ".onnx",
    ".jpg",
    ".png",
    ".ttf",
    ".txt",
    ".sqlite3",
}
_SKIPPED = {"__pycache__", "runs", "data"}
_EPOCH = (1980, 1, 1, 0, 0, 0)


def source_files() -> tuple[Path, ...]:
    """What the zip holds, as paths below the root, in a fixed order."""
    files = [Path(name) for name in _FILES if (ROOT / name).is_file()]
    for folder in _FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            relative = path.relative_to(ROOT)
            wanted = path.suffix in _SUFFIXES or folder == ".ci"
            if path.is_file() and wanted and not _SKIPPED.intersection(relative.parts):
                files.append(relative)
    return tuple(files)


@cache
def source_zip() -> bytes:
    """The zip, made once; the same source gives the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for relative in source_files():
            info = zipfile.ZipInfo(f"burraco/{relative.as_posix()}", _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, (ROOT / relative).read_bytes())
    return buffer.getvalue()
