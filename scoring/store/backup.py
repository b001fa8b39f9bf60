"""Everything a store keeps in one file, and back: the same file for SQLite and PostgreSQL, for this revision and later.

A zip with `manifest.json`, `events.jsonl` (one event a line, in the order they were written) and `photos/`.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scoring.store.database import FILE_NAME, Database
from scoring.store.events import SCHEMA, Event, EventKind
from scoring.store.migrating import copy_database, copy_path
from scoring.store.photos import sha256_of
from scoring.store.trouble import told_apart
from scoring.store.whole import sweep, whole

FORMAT, VERSION = "burraco-backup", 1
_SQLITE_MAGIC = b"SQLite format 3\0"


class BackupFault(ValueError):
    """A file that is no backup of ours, or a damaged one; the text says what was found."""


class NotEmpty(Exception):
    """The store that a backup should go into holds matches already."""


@dataclass(frozen=True, slots=True)
class Contents:
    """How much a backup holds; `missing` are photos that events name and nobody has."""

    matches: int
    events: int
    photos: int
    missing: int = 0


def save_backup(db: Database, target: Path) -> Contents:
    """Write everything into one file, which appears only once it is whole; others may go on writing meanwhile."""
    with told_apart(), whole(target) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        return _fill(archive, db)


def _fill(archive: zipfile.ZipFile, db: Database) -> Contents:
    matches, count, digest = set(), 0, hashlib.sha256()
    with archive.open("events.jsonl", "w", force_zip64=True) as lines:
        for event in db.all_events():
            line = json.dumps(asdict(event), ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            lines.write(line)
            digest.update(line)
            matches.add(event.match_id)
            count += 1
    rows = db.photo_rows()  # after the events: a photo is always kept before the event that names it
    missing = [sha256 for sha256 in sorted(rows) if not _put_photo(archive, db, sha256)]
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "matches": len(matches),
        "events": count,
        "events_sha256": digest.hexdigest(),
        "photos": {sha256: list(row) for sha256, row in sorted(rows.items()) if sha256 not in missing},
    }
    archive.writestr("manifest.json", json.dumps(manifest, indent=1))
    return Contents(len(matches), count, len(rows) - len(missing), len(missing))


def _put_photo(archive: zipfile.ZipFile, db: Database, sha256: str) -> bool:
    try:
        data, preview = db.photo(sha256), db.preview(sha256)
    except LookupError:
        return False
    archive.writestr(f"photos/{sha256}", data, zipfile.ZIP_STORED)
    archive.writestr(f"photos/{sha256}.jpg", preview, zipfile.ZIP_STORED)
    return True


def is_sqlite(path: Path) -> bool:
    """Whether a file is an SQLite database, such as the copy made before a migration."""
    with path.open("rb") as file:
        return file.read(len(_SQLITE_MAGIC)) == _SQLITE_MAGIC


def load_backup(path: Path, db: Database) -> Contents:
    """Put what a backup holds into an empty store: photos first, then all events at once.

    Raises BackupFault, before anything is written, where the file is damaged; NotEmpty; StoreTrouble.
    """
    if db.match_ids():
        raise NotEmpty(str(db.folder))
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = _manifest(archive)
            events = tuple(_events(archive, manifest))
            for sha256 in manifest["photos"]:
                if sha256_of(archive.read(f"photos/{sha256}")) != sha256:
                    raise BackupFault(f"photos/{sha256}")
            for sha256 in manifest["photos"]:
                db.add_photo(archive.read(f"photos/{sha256}"), archive.read(f"photos/{sha256}.jpg"))
            db.add_events(events)
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError) as error:
        raise error if isinstance(error, BackupFault) else BackupFault(str(error)[:200]) from error
    return Contents(len({event.match_id for event in events}), len(events), len(manifest["photos"]))


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads(archive.read("manifest.json"))
    if manifest["format"] != FORMAT or manifest["version"] > VERSION:
        raise BackupFault(f"{manifest['format']} {manifest['version']}")
    return manifest


def _events(archive: zipfile.ZipFile, manifest: dict[str, Any]) -> Iterator[Event]:
    data = archive.read("events.jsonl")
    if hashlib.sha256(data).hexdigest() != manifest["events_sha256"]:
        raise BackupFault("events.jsonl")
    for line in data.splitlines():
        fields = json.loads(line)
        if fields["schema"] > SCHEMA:
            raise BackupFault(f"schema {fields['schema']}")
        yield Event(**{**fields, "kind": EventKind(fields["kind"])})


def restore(path: Path, folder: Path) -> tuple[Contents, Path | None]:
    """Make a backup the database of `folder`; what was there goes into `backups`, and its new path is returned.

    `path` is a file of `save_backup`, or an SQLite file. The new database is built beside, so that a backup that turns
    out to be damaged changes nothing. No program may have the old one open. Raises BackupFault, StoreTrouble.
    """
    with told_apart():
        folder.mkdir(parents=True, exist_ok=True)
        sweep(folder, "restore-*")
        build = folder / f"restore-{os.getpid()}"
        build.mkdir()
        try:
            if is_sqlite(path):
                copy_database(path, build / FILE_NAME)
            made = Database(build, photos=folder / "photos")
            try:
                contents = _count(made) if is_sqlite(path) else load_backup(path, made)
            finally:
                made.close()
            moved = _move_away(folder)
            (build / FILE_NAME).replace(folder / FILE_NAME)
        finally:
            shutil.rmtree(build)
    return contents, moved


def _count(db: Database) -> Contents:
    return Contents(len(db.match_ids()), sum(1 for _ in db.all_events()), len(db.photo_rows()))


def _move_away(folder: Path) -> Path | None:
    """Move the database with its log; the log goes last, since without its database it is void."""
    file = folder / FILE_NAME
    if not file.exists():
        return None
    target = copy_path(folder, "replaced", ".sqlite3")
    file.rename(target)
    for suffix in ("-wal", "-shm"):
        beside = file.with_name(file.name + suffix)
        if beside.exists():
            beside.rename(target.with_name(target.name + suffix))
    return target
