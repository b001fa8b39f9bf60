"""How a store is, looked at without opening it for writing and without migrating it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from alembic.config import Config
from alembic.script import ScriptDirectory

FILE_NAME = "burraco.sqlite3"


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
    """A store as it is: its revision ("" where there is none), how many matches, how many photos are missing."""

    state: StoreState
    revision: str = ""
    matches: int = 0
    photos_missing: int = 0


def look_at(folder: Path) -> StoreHealth:
    """Look at the store in a folder; nothing in it is changed."""
    path = folder / FILE_NAME
    if not path.exists():
        return StoreHealth(StoreState.NONE)
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)) as connection:
            return _examined(connection, folder)
    except sqlite3.OperationalError:
        return StoreHealth(StoreState.UNREADABLE)
    except sqlite3.DatabaseError:
        return StoreHealth(StoreState.DAMAGED)


def _examined(connection: sqlite3.Connection, folder: Path) -> StoreHealth:
    if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        return StoreHealth(StoreState.DAMAGED)
    (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    (matches,) = connection.execute("SELECT count(*) FROM match").fetchone()
    photos = connection.execute("SELECT sha256 FROM photo").fetchall()
    missing = sum(not (folder / "photos" / sha256).is_file() for (sha256,) in photos)
    return StoreHealth(_age(revision), revision, matches, missing)


def _age(revision: str) -> StoreState:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    script = ScriptDirectory.from_config(config)
    if revision == script.get_current_head():
        return StoreState.SOUND
    known = {known.revision for known in script.walk_revisions()}
    return StoreState.OLDER if revision in known else StoreState.NEWER
