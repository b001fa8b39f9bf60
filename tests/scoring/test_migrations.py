"""A stored database of every revision opens, says the same as then, and is copied before anything is moved."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from alembic import command as alembic_command
from alembic.config import Config
from sqlalchemy import create_engine

from scoring.store.backup import restore
from scoring.store.checking import check, check_file
from scoring.store.database import Database
from scoring.store.events import EventKind
from scoring.store.fold import fold
from scoring.store.migrating import newest_revision, revision_of
from scoring.store.trouble import StoreTrouble, Trouble
from tests.scoring.places import Place, place

__all__ = ["place"]

ROOT = Path(__file__).resolve().parents[2]
STORED = sorted(path.parent for path in (ROOT / "tests/golden/db").glob("*/expected.json"))
VERSIONS = ROOT / "scoring/store/migrations/versions"


def stored(folder: Path, target: Path) -> dict[str, Any]:
    shutil.copytree(folder, target, dirs_exist_ok=True)
    expected: dict[str, Any] = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    return expected


def revision_in(folder: Path) -> str | None:
    engine = create_engine(f"sqlite:///{folder / 'burraco.sqlite3'}")
    try:
        return revision_of(engine)
    finally:
        engine.dispose()


def test_every_revision_has_a_stored_database() -> None:
    revisions = {path.name[1:5] for path in VERSIONS.glob("r*.py")}
    kept = {json.loads((folder / "expected.json").read_text(encoding="utf-8"))["revision"] for folder in STORED}
    assert kept == revisions
    assert newest_revision() == max(revisions)


@pytest.mark.parametrize("folder", STORED, ids=lambda path: path.name)
def test_a_stored_database_says_the_same_as_when_it_was_made(folder: Path, tmp_path: Path) -> None:
    expected = stored(folder, tmp_path)
    db = Database(tmp_path)
    state = fold(db.events(expected["id"]))
    assert (state.seq, list(state.names), list(state.totals)) == (
        expected["seq"],
        expected["names"],
        expected["totals"],
    )
    signed = [
        [[[e.reason, e.points, e.cards] for e in ledger] for ledger in s.confirmed.ledgers]
        for s in state.confirmed
        if s.confirmed
    ]
    assert signed == expected["ledgers"]
    laid = [[str(card.card) for meld in side.melds for card in meld.cards] for side in state.current.sides]
    assert laid == expected["open"]
    checked = check(db)
    assert (checked.events, checked.matches, checked.photos, checked.findings) == (expected["events"], 2, 2, ())
    db.close()
    assert check_file(tmp_path / "burraco.sqlite3") == ()
    assert revision_in(tmp_path) == newest_revision()


def test_a_copy_is_made_before_a_migration_and_only_then(tmp_path: Path) -> None:
    expected = stored(ROOT / "tests/golden/db/0001", tmp_path)
    db = Database(tmp_path)
    migration = db.migration
    db.close()
    assert migration is not None
    assert (migration.was, migration.now) == ("0001", newest_revision())
    assert migration.backup is not None and migration.backup.parent == tmp_path / "backups"
    copy = sqlite3.connect(migration.backup)
    assert copy.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)
    assert copy.execute("SELECT count(*) FROM event").fetchone() == (expected["events"],)
    copy.close()
    again = Database(tmp_path)
    assert again.migration is None
    again.close()
    assert len(list((tmp_path / "backups").iterdir())) == 1


def test_a_database_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    Database(tmp_path).close()
    file = sqlite3.connect(tmp_path / "burraco.sqlite3")
    file.execute("UPDATE alembic_version SET version_num = '9999'")
    file.commit()
    file.close()
    before = (tmp_path / "burraco.sqlite3").read_bytes()
    with pytest.raises(StoreTrouble) as trouble:
        Database(tmp_path)
    assert trouble.value.kind is Trouble.NEWER
    assert "9999" in trouble.value.detail
    assert (tmp_path / "burraco.sqlite3").read_bytes() == before


KILLED = """
import os, signal, sys
from pathlib import Path
from alembic.operations import Operations
from scoring.store.database import Database
drop_index = Operations.drop_index
def die(self, *args, **kwargs):
    if sys.argv[2] == "after":
        drop_index(self, *args, **kwargs)
    os.kill(os.getpid(), signal.SIGKILL)
Operations.drop_index = die
Database(Path(sys.argv[1]))
"""


@pytest.mark.skipif(os.name == "nt", reason="kill -9")
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_migration_killed_in_the_middle_has_not_happened(tmp_path: Path, when: str) -> None:
    expected = stored(ROOT / "tests/golden/db/0001", tmp_path)
    run = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path), when], cwd=ROOT, env={**os.environ, "PYTHONPATH": "."}, timeout=60
    )
    assert run.returncode == -signal.SIGKILL
    assert revision_in(tmp_path) == "0001"
    db = Database(tmp_path)
    assert db.migration is not None
    checked = check(db)
    assert (checked.events, checked.findings) == (expected["events"], ())
    db.close()


def back_to(revision: str, db: Database) -> None:
    config = Config()
    config.set_main_option("script_location", str(VERSIONS.parent))
    with db._writer.begin() as connection:
        config.attributes["connection"] = connection
        alembic_command.downgrade(config, revision)


def test_the_copy_before_a_migration_can_be_restored(place: Place, tmp_path: Path) -> None:
    db = place.open()
    created = {"names": ["A", "B"], "regolamento": "fibur", "target": 2005}
    db.append("m", 0, command_id="c", device="d", kind=EventKind.MATCH_CREATED, payload=created)
    events = db.events("m")
    db.add_photo(b"photo", b"preview")
    back_to("0001", db)
    db.close()
    moved = place.open()
    assert moved.migration is not None and moved.migration.backup.parent == place.folder / "backups"
    assert moved.events("m") == events
    moved.close()
    restore(moved.migration.backup, tmp_path / "elsewhere")
    elsewhere = Database(tmp_path / "elsewhere")
    assert elsewhere.events("m") == events
    elsewhere.close()


def test_nothing_is_moved_where_no_copy_can_be_made(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    db = place.open()
    back_to("0001", db)
    db.close()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no room")

    with monkeypatch.context() as patched:
        patched.setattr("scoring.store.database.copy_path", full)
        with pytest.raises(StoreTrouble) as trouble:
            place.open()
    assert trouble.value.kind is Trouble.FULL
    again = place.open()
    assert again.migration is not None and again.migration.was == "0001"
    again.close()
