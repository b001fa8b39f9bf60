"""Brings a database to the newest revision: whole or not at all, and never without a copy of what was there."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from alembic import command as alembic_command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, text

from scoring.store.trouble import StoreTrouble, Trouble
from scoring.store.whole import sweep, whole

_ADVISORY_LOCK = 0x62757272  # any number that other programs on the same server are unlikely to take


@dataclass(frozen=True, slots=True)
class Migration:
    """That a database was brought from one revision to another; `backup` is the copy made before."""

    was: str
    now: str
    backup: Path


def newest_revision() -> str:
    """The revision this program writes."""
    return str(_scripts().get_current_head())


def is_known(revision: str) -> bool:
    """Whether this program knows a revision; one it does not know is a newer program's."""
    return revision in {known.revision for known in _scripts().walk_revisions()}


def revision_of(engine: Engine) -> str | None:
    """The revision a database is at; None for an empty one."""
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def migrate(engine: Engine, copy: Callable[[str], Path]) -> Migration | None:
    """Bring the database to the newest revision in one transaction; None where there was nothing to move.

    `copy` is told why, and copies all that is there first: where it fails nothing is moved. Raises StoreTrouble (NEWER)
    where a newer program has written the database.
    """
    config, was, newest = _config(), revision_of(engine), newest_revision()
    if was == newest:
        return None
    if was is not None and not is_known(was):
        raise StoreTrouble(Trouble.NEWER, f"revision {was}; this program knows {newest}")
    backup = copy(f"before-{newest}") if was is not None else None
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_LOCK})
        config.attributes["connection"] = connection
        alembic_command.upgrade(config, "head")
    return Migration(was, newest, backup) if was is not None and backup is not None else None


def copy_path(folder: Path, why: str, suffix: str) -> Path:
    """A new name in the folder `backups`, which is made if need be."""
    backups = folder / "backups"
    backups.mkdir(exist_ok=True)
    sweep(backups)
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    return backups / f"burraco-{why}-{stamp}{suffix}"


def copy_database(file: Path, target: Path) -> None:
    """Copy an SQLite database with all that is committed; the target appears only once it is whole and on the disk."""
    with (
        whole(target) as part,
        closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(part)) as copy,
    ):
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    return config
