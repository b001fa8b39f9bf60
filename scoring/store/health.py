"""How a store is, looked at without opening it for writing and without migrating it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from sqlalchemy import func, select

from scoring.store.cleaning import photos_in_use
from scoring.store.database import FILE_NAME
from scoring.store.engine import server_engine
from scoring.store.events import Event, EventKind
from scoring.store.fold import fold
from scoring.store.migrating import is_known, newest_revision, revision_of
from scoring.store.tables import MatchRow
from scoring.store.trouble import told_apart


class StoreState(StrEnum):
    """What became of looking at a store."""

    NONE = "none"
    SOUND = "sound"
    OLDER = "older"
    NEWER = "newer"
    DAMAGED = "damaged"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class StoreHealth:
    """A store as it is: its revision ("" where there is none), how many matches, how many photos are missing.

    A photo is missing where a smazzata shows it and it is not there; one that was let go is not.
    """

    state: StoreState
    revision: str = ""
    matches: int = 0
    photos_missing: int = 0


def look_at(folder: Path, photos: Path | None = None) -> StoreHealth:
    """Look at the store in a folder, its photos beside it or in `photos`; nothing in it is changed."""
    path = folder / FILE_NAME
    if not path.exists():
        return StoreHealth(StoreState.NONE)
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)) as connection:
            return _examined(connection, photos or folder / "photos")
    except sqlite3.OperationalError:
        return StoreHealth(StoreState.UNREADABLE)
    except sqlite3.DatabaseError:
        return StoreHealth(StoreState.DAMAGED)


def look_at_server(url: str) -> StoreHealth:
    """The same of a PostgreSQL, photos aside; raises StoreTrouble where none answers, ValueError for no address."""
    engine = server_engine(url)
    try:
        with told_apart():
            revision = revision_of(engine)
            if revision is None:
                return StoreHealth(StoreState.NONE)
            with engine.connect() as connection:
                matches = connection.scalar(select(func.count()).select_from(MatchRow))
    finally:
        engine.dispose()
    return StoreHealth(_age(revision), revision, matches or 0)


def _examined(connection: sqlite3.Connection, photos: Path) -> StoreHealth:
    if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        return StoreHealth(StoreState.DAMAGED)
    (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    (matches,) = connection.execute("SELECT count(*) FROM match").fetchone()
    state = _age(revision)
    if state is not StoreState.SOUND:
        return StoreHealth(state, revision, matches)
    try:
        missing = sum(not (photos / sha256).is_file() for sha256 in _photos_in_use(connection))
    except (ValueError, LookupError, TypeError):  # an event that no match can have
        return StoreHealth(StoreState.DAMAGED, revision, matches)
    return StoreHealth(state, revision, matches, missing)


def _photos_in_use(connection: sqlite3.Connection) -> frozenset[str]:
    matches: dict[str, list[Event]] = {}
    rows = connection.execute(
        "SELECT match_id, seq, command_id, device, at, kind, payload_json, schema FROM event ORDER BY match_id, seq"
    )
    for match_id, seq, command_id, device, at, kind, payload, schema in rows:
        event = Event(match_id, seq, command_id, device, at, EventKind(kind), json.loads(payload), schema)
        matches.setdefault(match_id, []).append(event)
    return frozenset().union(*(photos_in_use(events, fold(events)) for events in matches.values()))


def _age(revision: str) -> StoreState:
    if revision == newest_revision():
        return StoreState.SOUND
    return StoreState.OLDER if is_known(revision) else StoreState.NEWER
