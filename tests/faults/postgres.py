"""What can hurt a PostgreSQL, on this machine: its processes killed, its tables locked, an old revision cut short."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from alembic import command as alembic_command
from alembic.config import Config
from sqlalchemy import Connection, create_engine, text

from scoring.store.checking import check
from scoring.store.database import Database
from scoring.store.events import EventKind
from scoring.store.migrating import newest_revision
from tests.faults import cases
from tests.faults.server import ROOT, environment

MIGRATIONS = ROOT / "scoring/store/migrations"
CREATED = {"names": ["A", "B"], "regolamento": "fibur", "target": 2005}
MIGRATE = """
import sys
from pathlib import Path
from scoring.store.database import Database
print("go", flush=True)
Database(Path(sys.argv[1]), url=sys.argv[2])
"""


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    """One connection, which commits each statement."""
    engine = create_engine(url, isolation_level="AUTOCOMMIT", connect_args={"connect_timeout": 5})
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def kill_backend(url: str) -> None:
    """kill -9 one of PostgreSQL's own processes: it then puts all connections out, and recovers from its log."""
    with connected(url) as connection:
        query = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        pids = connection.execute(text(query)).scalars().all()
    if pids:
        os.kill(pids[0], signal.SIGKILL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            with connected(url):
                return
        except Exception:
            time.sleep(0.1)


@contextmanager
def lock(url: str) -> Iterator[None]:
    """Another program holds the table of events."""
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("LOCK TABLE event IN ACCESS EXCLUSIVE MODE"))
        yield
    engine.dispose()


def back_to_first(db: Database) -> None:
    """The database as the first revision had it."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    engine = create_engine(db._engine.url)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        alembic_command.downgrade(config, "0001")
    engine.dispose()


def migration(folder: Path, fresh: Callable[[], str], times: int, seed: int) -> cases.Result:
    """kill -9 while a database is brought from the first revision to the newest; `fresh` gives empty ones."""
    rng, killed, cut, bad, usual_s = random.Random(seed), 0, 0, 0, 0.0
    for number in range(times + 1):  # the first is left alone, to see how long it takes
        place, url = folder / str(number), fresh()
        db = Database(place, url=url)
        db.append("m", 0, command_id="c", device="d", kind=EventKind.MATCH_CREATED, payload=CREATED)
        back_to_first(db)
        db.close()
        command = [sys.executable, "-c", MIGRATE, str(place), url]
        child = subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None and child.stdout.readline() == "go\n"
        started = time.monotonic()
        if number:
            time.sleep(rng.uniform(0, 1.3 * usual_s))
            child.kill()
            killed += 1
        child.wait()
        usual_s = usual_s or time.monotonic() - started
        with connected(url) as connection:
            revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        cut += revision == "0001"
        db = Database(place, url=url)
        checked = check(db)
        bad += (checked.events, checked.findings) != (1, ()) or revision not in ("0001", newest_revision())
        db.close()
    return {"killed": killed, "before_it_was_done": cut, "not_whole_afterwards": bad, "good": bad == 0}


def locked(folder: Path, url: str) -> cases.Result:
    """As the case of that name."""
    return cases.locked(folder, url=url, lock=partial(lock, url))
