"""Where photos lie: by content hash, in a folder beside the database (or shared by several), or in the database."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from sqlalchemy import Engine, delete, select
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.orm import Session

from scoring.store.engine import insert_once
from scoring.store.tables import PhotoContentRow
from scoring.store.whole import sweep, whole

_SHA256 = re.compile(r"[0-9a-f]{64}")


class PhotoStore(Protocol):
    """Keeps a photo and its preview under the photo's SHA-256; reading raises LookupError where there is none."""

    def keep(self, sha256: str, data: bytes, preview_jpeg: bytes) -> None:
        """Keep both; what is there already stays as it is."""

    def photo(self, sha256: str) -> bytes:
        """The photo as it came."""

    def preview(self, sha256: str) -> bytes:
        """The photo upright and of bearable size, as JPEG."""

    def hashes(self) -> Iterator[str]:
        """All that is kept."""

    def forget(self, sha256: str) -> int:
        """Remove a photo and its preview; returns how many bytes that freed."""


class FolderPhotos:
    """Photos as files named by their hash, each there whole or not at all."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        sweep(folder)
        self._folder = folder

    def keep(self, sha256: str, data: bytes, preview_jpeg: bytes) -> None:
        """Write both files durably; content that does not match its name is written anew."""
        for path, content in ((self._folder / sha256, data), (self._preview(sha256), preview_jpeg)):
            if not path.is_file() or path.stat().st_size != len(content):
                with whole(path) as part:
                    part.touch(mode=0o600)  # for nobody else on this machine
                    part.write_bytes(content)

    def photo(self, sha256: str) -> bytes:
        """The photo as it came."""
        return _read(sha256, self._folder / sha256)

    def preview(self, sha256: str) -> bytes:
        """Its preview."""
        return _read(sha256, self._preview(sha256))

    def hashes(self) -> Iterator[str]:
        """The photos of the folder."""
        yield from sorted(path.name for path in self._folder.iterdir() if _SHA256.fullmatch(path.name))

    def forget(self, sha256: str) -> int:
        """Unlink both files."""
        freed = 0
        for path in (self._folder / sha256, self._preview(sha256)):
            if path.is_file():
                freed += path.stat().st_size
                path.unlink()
        return freed

    def _preview(self, sha256: str) -> Path:
        return self._folder / f"{sha256}.jpg"


class DatabasePhotos:
    """Photos as rows, for several servers on one database that share no folder."""

    def __init__(self, reader: Engine, writer: Engine) -> None:
        self._reader, self._writer = reader, writer

    def keep(self, sha256: str, data: bytes, preview_jpeg: bytes) -> None:
        """Insert the row unless it is there."""
        row = {"sha256": sha256, "data": data, "preview_jpeg": preview_jpeg}
        with Session(self._writer) as session, session.begin():
            session.execute(insert_once(self._writer, PhotoContentRow, row))

    def photo(self, sha256: str) -> bytes:
        """The photo as it came."""
        return self._row(sha256).data

    def preview(self, sha256: str) -> bytes:
        """Its preview."""
        return self._row(sha256).preview_jpeg

    def hashes(self) -> Iterator[str]:
        """The photos of the table."""
        with Session(self._reader) as session:
            yield from session.scalars(select(PhotoContentRow.sha256).order_by(PhotoContentRow.sha256)).all()

    def forget(self, sha256: str) -> int:
        """Delete the row."""
        with Session(self._writer) as session, session.begin():
            row = session.get(PhotoContentRow, sha256)
            freed = len(row.data) + len(row.preview_jpeg) if row else 0
            session.execute(delete(PhotoContentRow).where(PhotoContentRow.sha256 == sha256))
        return freed

    def _row(self, sha256: str) -> PhotoContentRow:
        try:
            with Session(self._reader) as session:
                row = session.get(PhotoContentRow, sha256)
        except ProgrammingError as error:  # no such table: a copy is being made of a database that never had one
            raise LookupError(sha256) from error
        if row is None:
            raise LookupError(sha256)
        return row


def sha256_of(data: bytes) -> str:
    """The name of a photo."""
    return hashlib.sha256(data).hexdigest()


def _read(sha256: str, path: Path) -> bytes:
    if not _SHA256.fullmatch(sha256) or not path.is_file():
        raise LookupError(sha256)
    return path.read_bytes()
