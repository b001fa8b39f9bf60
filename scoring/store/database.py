"""The only SQL of the project: a database of events and a folder of photos."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

from alembic import command as alembic_command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event, func, select
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.orm import Session

from scoring.store.events import SCHEMA, Event, EventKind, Payload
from scoring.store.tables import EventRow, MatchRow, PhotoRow

_SHA256 = re.compile(r"[0-9a-f]{64}")
_BUSY_TIMEOUT_MS = 5000
_WRITES = "burraco_writes"


class StaleSeq(Exception):
    """The writer had not seen the latest event; `events` are all there are now."""

    def __init__(self, events: tuple[Event, ...]) -> None:
        super().__init__(f"the match is at {len(events)}")
        self.events = events


class UnknownMatch(LookupError):
    """No match has this id."""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Database:
    """Matches as events; safe between threads and between processes on one file.

    Opening creates the folder and brings the tables to the newest revision.
    """

    def __init__(self, folder: Path, clock: Callable[[], str] = _now) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._photos = folder / "photos"
        self._photos.mkdir(exist_ok=True)
        self._clock = clock
        self._engine = _engine(folder / "burraco.sqlite3")
        self._writer = self._engine.execution_options(**{_WRITES: True})
        self._cache: dict[str, tuple[Event, ...]] = {}
        self._cache_lock = Lock()
        migrate(self._writer)

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    def append(
        self, match_id: str, seen_seq: int, *, command_id: str, device: str, kind: EventKind, payload: Payload
    ) -> tuple[Event, ...]:
        """Write one event after `seen_seq` and return all events of the match.

        The same `command_id` again writes nothing and is no error. Raises StaleSeq where somebody else wrote first,
        UnknownMatch where there is no such match (`MATCH_CREATED` with `seen_seq` 0 makes one).
        """
        with Session(self._writer) as session, session.begin():
            known = session.scalar(select(EventRow).where(EventRow.command_id == command_id))
            if known is None:
                self._insert(session, match_id, seen_seq, command_id, device, kind, payload)
            else:
                match_id = known.match_id
        return self.events(match_id)

    def _insert(
        self,
        session: Session,
        match_id: str,
        seen_seq: int,
        command_id: str,
        device: str,
        kind: EventKind,
        payload: Payload,
    ) -> None:
        at = self._clock()
        if session.get(MatchRow, match_id) is None:
            if kind is not EventKind.MATCH_CREATED:
                raise UnknownMatch(match_id)
            session.add(MatchRow(id=match_id, created_at=at))
            session.flush()
        last = session.scalar(select(func.max(EventRow.seq)).where(EventRow.match_id == match_id)) or 0
        if last != seen_seq:
            raise StaleSeq(_read_events(session, match_id, 0))
        session.add(
            EventRow(
                match_id=match_id,
                seq=last + 1,
                command_id=command_id,
                device=device[:64],
                at=at,
                kind=kind.value,
                payload_json=json.dumps(payload, ensure_ascii=False, separators=(",", ":")),
                schema=SCHEMA,
            )
        )

    def events(self, match_id: str) -> tuple[Event, ...]:
        """All events of a match in order; raises UnknownMatch. Events never change, so only new ones are read."""
        with self._cache_lock:
            cached = self._cache.get(match_id, ())
        with Session(self._engine) as session, session.begin():
            fresh = _read_events(session, match_id, len(cached))
        if not cached and not fresh:
            raise UnknownMatch(match_id)
        events = cached + fresh
        with self._cache_lock:
            self._cache[match_id] = events
        return events

    def match_of_command(self, command_id: str) -> str | None:
        """The match that this command was already written to."""
        with Session(self._engine) as session, session.begin():
            return session.scalar(select(EventRow.match_id).where(EventRow.command_id == command_id))

    def match_ids(self) -> tuple[str, ...]:
        """All matches, the newest first."""
        with Session(self._engine) as session, session.begin():
            rows = session.scalars(select(MatchRow.id).order_by(MatchRow.created_at.desc(), MatchRow.id))
            return tuple(rows)

    def add_photo(self, data: bytes, preview_jpeg: bytes) -> str:
        """Keep a photo and its preview under the photo's SHA-256 and return that; the same bytes are kept once."""
        sha256 = hashlib.sha256(data).hexdigest()
        for path, content in ((self._photos / sha256, data), (self._preview(sha256), preview_jpeg)):
            if not path.exists():
                _write_durably(path, content)
        with Session(self._writer) as session, session.begin():
            row = {"sha256": sha256, "size_bytes": len(data), "at": self._clock()}
            session.execute(sqlite_insert(PhotoRow).values(row).on_conflict_do_nothing())
        return sha256

    def photo(self, sha256: str) -> bytes:
        """The bytes of a photo; raises LookupError where there is none of this hash."""
        return _read_kept(sha256, self._photos / sha256)

    def preview(self, sha256: str) -> bytes:
        """A photo as an upright JPEG of bearable size; raises LookupError where there is none of this hash."""
        return _read_kept(sha256, self._preview(sha256))

    def _preview(self, sha256: str) -> Path:
        return self._photos / f"{sha256}.jpg"


def _read_kept(sha256: str, path: Path) -> bytes:
    if not _SHA256.fullmatch(sha256) or not path.is_file():
        raise LookupError(sha256)
    return path.read_bytes()


def _write_durably(path: Path, data: bytes) -> None:
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    Path(file.name).replace(path)


def _read_events(session: Session, match_id: str, after: int) -> tuple[Event, ...]:
    rows: Sequence[EventRow] = session.scalars(
        select(EventRow).where(EventRow.match_id == match_id, EventRow.seq > after).order_by(EventRow.seq)
    ).all()
    return tuple(
        Event(r.match_id, r.seq, r.command_id, r.device, r.at, EventKind(r.kind), json.loads(r.payload_json), r.schema)
        for r in rows
    )


def _engine(path: Path) -> Engine:
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": _BUSY_TIMEOUT_MS / 1000})

    @event.listens_for(engine, "connect")
    def _pragmas(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # BEGIN is ours, below: writers queue at its start instead of failing later
        cursor = connection.cursor()
        for pragma in (
            f"busy_timeout={_BUSY_TIMEOUT_MS}",
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(_WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def migrate(engine: Engine) -> None:
    """Bring the database to the newest revision."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        alembic_command.upgrade(config, "head")
