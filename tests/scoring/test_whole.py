"""Files that are there whole or not at all, on a disk that is full and after a program was killed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from scoring.store.backup import save_backup
from scoring.store.cleaning import GRACE_S, clean
from scoring.store.database import Database
from scoring.store.events import EventKind
from scoring.store.migrating import copy_database
from scoring.store.trouble import StoreTrouble, Trouble, told_apart
from scoring.store.whole import LEFT_AFTER_S, sweep, whole

LARGE = os.urandom(300_000)
CREATED = {"names": ["Noi", "Loro"], "regolamento": "fibur", "target": 2005}


@contextmanager
def no_file_beyond(size_bytes: int) -> Iterator[None]:
    """What a full disk does to whoever writes: no file may grow beyond a size."""
    resource = pytest.importorskip("resource", reason="limits of POSIX")
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "x"
    with whole(target) as part:
        part.write_bytes(b"new")
        assert not target.exists()
    assert (target.read_bytes(), names(tmp_path)) == (b"new", ["x"])
    with pytest.raises(ZeroDivisionError), whole(target) as part:
        part.write_bytes(b"half")
        raise ZeroDivisionError
    assert (target.read_bytes(), names(tmp_path)) == (b"new", ["x"])


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    made = Database(tmp_path / "data")
    made.append("m", 0, command_id="c", device="d", kind=EventKind.MATCH_CREATED, payload=CREATED)
    yield made
    made.close()


def _copy(db: Database) -> None:
    assert db.file is not None
    with told_apart():
        copy_database(db.file, db.folder / "copy.sqlite3")


@pytest.mark.parametrize(
    "write",
    [
        lambda db: db.add_photo(LARGE, b"small"),
        lambda db: db.add_photo(b"small", LARGE),
        lambda db: save_backup(db, db.folder / "backup.zip"),
        _copy,
    ],
)
def test_a_full_disk_leaves_nothing_half_done(db: Database, write: Callable[[Database], object]) -> None:
    kept = db.add_photo(os.urandom(200_000), b"preview")
    before = {path.name for path in db.folder.rglob("*")}
    with no_file_beyond(20_000), pytest.raises(StoreTrouble) as trouble:
        write(db)
    assert trouble.value.kind in (Trouble.FULL, Trouble.DISK)
    now = {path.name for path in db.folder.rglob("*")}
    assert [name for name in now if name.endswith(".part")] == []
    assert now - before <= {"".join(db.photos.hashes()).replace(kept, "")}  # one of two files of a photo, whole
    write(db)


def test_what_a_killed_program_left_goes_after_an_hour(tmp_path: Path) -> None:
    old, young, other = tmp_path / "a.0.part", tmp_path / "b.0.part", tmp_path / "c"
    for path in (old, young, other):
        path.write_bytes(b"x")
    build = tmp_path / "restore-7"
    build.mkdir()
    (build / "burraco.sqlite3").write_bytes(b"x")
    long_ago = time.time() - LEFT_AFTER_S - 60
    for path in (old, other, build):
        os.utime(path, (long_ago, long_ago))
    sweep(tmp_path)
    sweep(tmp_path, "restore-*")
    assert names(tmp_path) == ["b.0.part", "c"]


def test_a_photo_kept_by_a_program_that_was_killed_then_goes_another_time(db: Database) -> None:
    db.photos.keep("0" * 64, b"of nobody", b"preview")  # and killed before it was written down
    assert clean(db, keep_bytes=0).photos == 0
    later = datetime.now(UTC) + timedelta(seconds=GRACE_S + 60)
    assert clean(db, keep_bytes=0, now=later).photos == 1
    assert list(db.photos.hashes()) == []
