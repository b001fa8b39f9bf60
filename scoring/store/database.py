"""The ledger: a database of events and the photos they name. With its neighbours in this folder, the only SQL."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scoring.store.engine import BUSY_TIMEOUT_MS, WRITES, insert_once, server_engine, sqlite_engine
from scoring.store.events import SCHEMA, Event, EventKind, Payload
from scoring.store.migrating import copy_database, copy_path, migrate
from scoring.store.photos import DatabasePhotos, FolderPhotos, PhotoStore, sha256_of
from scoring.store.recent import Recent
from scoring.store.tables import EventRow, MatchRow, PhotoRow
from scoring.store.trouble import told_apart

FILE_NAME = "burraco.sqlite3"


class StaleSeq(Exception):
    """The writer had not seen the latest event; `events` are all there are now."""

    def __init__(self, events: tuple[Event, ...]) -> None:
        super().__init__(f"the match is at {len(events)}")
        self.events = events


class UnknownMatch(LookupError):
    """No match has this id."""


class MatchExists(Exception):
    """A match of this id is there already, and it is another one."""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Database:
    """Matches as events; safe between threads, and between processes on one database.

    Without `url` it is a file in `folder`, made if need be, with the photos in a folder beside it. A `url` names a
    PostgreSQL database; photos then lie in it, or in the folder `photos` that all servers share. Opening brings the
    tables to the newest revision (`migration` says whether it did). Raises StoreTrouble, here and everywhere.
    """

    def __init__(
        self,
        folder: Path,
        clock: Callable[[], str] = _now,
        url: str = "",
        photos: Path | None = None,
        busy_timeout_ms: int = BUSY_TIMEOUT_MS,
    ) -> None:
        self._clock = clock
        self._recent: Recent[tuple[Event, ...]] = Recent()
        self.folder = folder
        self.file = None if url else folder / FILE_NAME
        with told_apart():
            folder.mkdir(parents=True, exist_ok=True)
            self._engine = (
                server_engine(url, busy_timeout_ms) if url else sqlite_engine(folder / FILE_NAME, busy_timeout_ms)
            )
            self._writer = self._engine.execution_options(**{WRITES: True})
            self.photos: PhotoStore = (
                DatabasePhotos(self._engine, self._writer)
                if url and photos is None
                else FolderPhotos(photos or folder / "photos")
            )
            self.migration = migrate(self._writer, self._copy)

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    def _copy(self, why: str) -> Path:
        """All there is, in `backups`: the SQLite file as it is, or what `burraco backup` makes of a server's."""
        if self.file is not None:
            target = copy_path(self.folder, why, ".sqlite3")
            copy_database(self.file, target)
            return target
        from scoring.store.backup import save_backup  # which reads a Database

        target = copy_path(self.folder, why, ".zip")
        save_backup(self, target)
        return target

    def append(
        self, match_id: str, seen_seq: int, *, command_id: str, device: str, kind: EventKind, payload: Payload
    ) -> tuple[Event, ...]:
        """Write one event after `seen_seq` and return all events of the match.

        The same `command_id` again writes nothing and is no error. Raises StaleSeq where somebody else wrote first,
        UnknownMatch where there is no such match (`MATCH_CREATED` with `seen_seq` 0 makes one).
        """
        event = Event(match_id, seen_seq + 1, command_id, device[:64], self._clock(), kind, payload, SCHEMA)
        with told_apart():
            try:
                match_id = self._append(event)
            except IntegrityError:  # another server wrote the same command, or the same place, a moment ago
                match_id = self._append(event)
        return self.events(match_id)

    def _append(self, event: Event) -> str:
        with Session(self._writer) as session, session.begin():
            known = session.scalar(select(EventRow.match_id).where(EventRow.command_id == event.command_id))
            if known is not None:
                return known
            match = session.get(MatchRow, event.match_id, with_for_update=True)
            if match is None:
                if event.kind is not EventKind.MATCH_CREATED:
                    raise UnknownMatch(event.match_id)
                session.add(MatchRow(id=event.match_id, created_at=event.at))
                session.flush()
            last = session.scalar(select(func.max(EventRow.seq)).where(EventRow.match_id == event.match_id)) or 0
            if last != event.seq - 1:
                raise StaleSeq(_read_events(session, event.match_id, 0))
            session.add(_row(event))
        return event.match_id

    def add_match(self, events: Sequence[Event]) -> bool:
        """Write a whole match that comes from elsewhere, all of it or nothing; False where it is there already.

        Raises MatchExists where a match of this id, or a command of it, is there but not the same.
        """
        match_id = events[0].match_id
        try:
            with told_apart(), Session(self._writer) as session, session.begin():
                there = _read_events(session, match_id, 0)
                if there:
                    if there != tuple(events):
                        raise MatchExists(match_id)
                    return False
                session.add(MatchRow(id=match_id, created_at=events[0].at))
                session.flush()
                session.add_all(map(_row, events))
        except IntegrityError as error:
            raise MatchExists(match_id) from error
        return True

    def add_events(self, events: Sequence[Event]) -> None:
        """Write the events of a backup into an empty database, in their order, all or nothing."""
        begun = [event for event in events if event.seq == 1]
        with told_apart(), Session(self._writer) as session, session.begin():
            session.add_all(MatchRow(id=event.match_id, created_at=event.at) for event in begun)
            session.flush()
            session.add_all(map(_row, events))

    def events(self, match_id: str) -> tuple[Event, ...]:
        """All events of a match in order; raises UnknownMatch. Events never change, so only new ones are read."""
        cached = self._recent.get(match_id) or ()
        with told_apart(), Session(self._engine) as session, session.begin():
            fresh = _read_events(session, match_id, len(cached))
        if not cached and not fresh:
            raise UnknownMatch(match_id)
        events = cached + fresh
        self._recent.put(match_id, events)
        return events

    def all_events(self) -> Iterator[Event]:
        """Every event of every match in the order it was written, as at one moment."""
        with told_apart(), Session(self._engine) as session, session.begin():
            for row in session.scalars(select(EventRow).order_by(EventRow.id).execution_options(yield_per=500)):
                yield _event(row)

    def match_of_command(self, command_id: str) -> str | None:
        """The match that this command was already written to."""
        with told_apart(), Session(self._engine) as session, session.begin():
            return session.scalar(select(EventRow.match_id).where(EventRow.command_id == command_id))

    def latest_time(self) -> str | None:
        """The time of the event written last; None where there is none."""
        with told_apart(), Session(self._engine) as session, session.begin():
            return session.scalar(select(EventRow.at).order_by(EventRow.id.desc()).limit(1))

    def match_ids(self) -> tuple[str, ...]:
        """All matches, the newest first: by the order they were begun in, whatever the clock said then."""
        return tuple(self.last_seqs())

    def last_seqs(self) -> dict[str, int]:
        """How far each match has come, in the order of `match_ids`."""
        begun, last = func.min(EventRow.id), func.max(EventRow.seq)
        query = select(EventRow.match_id, last).group_by(EventRow.match_id).order_by(begun.desc())
        with told_apart(), Session(self._engine) as session, session.begin():
            return {row.match_id: row[1] for row in session.execute(query)}

    def add_photo(self, data: bytes, preview_jpeg: bytes) -> str:
        """Keep a photo and its preview under the photo's SHA-256 and return that; the same bytes are kept once."""
        sha256 = sha256_of(data)
        with told_apart():
            self.photos.keep(sha256, data, preview_jpeg)
        self.note_photo(sha256, len(data))
        return sha256

    def note_photo(self, sha256: str, size_bytes: int) -> None:
        """Write down that a photo is kept, as of now."""
        row = {"sha256": sha256, "size_bytes": size_bytes, "at": self._clock()}
        with told_apart(), Session(self._writer) as session, session.begin():
            session.execute(insert_once(self._engine, PhotoRow, row))

    def photo(self, sha256: str) -> bytes:
        """The bytes of a photo; raises LookupError where there is none of this hash."""
        with told_apart():
            return self.photos.photo(sha256)

    def preview(self, sha256: str) -> bytes:
        """A photo as an upright JPEG of bearable size; raises LookupError where there is none of this hash."""
        with told_apart():
            return self.photos.preview(sha256)

    def photo_rows(self) -> dict[str, tuple[int, str]]:
        """Size in bytes and time of every photo that was ever kept."""
        with told_apart(), Session(self._engine) as session, session.begin():
            return {row.sha256: (row.size_bytes, row.at) for row in session.scalars(select(PhotoRow))}


def _row(event: Event) -> EventRow:
    return EventRow(
        match_id=event.match_id,
        seq=event.seq,
        command_id=event.command_id,
        device=event.device,
        at=event.at,
        kind=event.kind.value,
        payload_json=json.dumps(event.payload, ensure_ascii=False, separators=(",", ":")),
        schema=event.schema,
    )


def _event(r: EventRow) -> Event:
    payload = json.loads(r.payload_json)
    return Event(r.match_id, r.seq, r.command_id, r.device, r.at, EventKind(r.kind), payload, r.schema)


def _read_events(session: Session, match_id: str, after: int) -> tuple[Event, ...]:
    rows: Sequence[EventRow] = session.scalars(
        select(EventRow).where(EventRow.match_id == match_id, EventRow.seq > after).order_by(EventRow.seq)
    ).all()
    return tuple(map(_event, rows))
