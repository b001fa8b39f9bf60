"""The faults, each as a function that hurts a server, starts it again, and says what was found."""

from __future__ import annotations

import json
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from scoring.store.checking import check, check_file
from scoring.store.database import FILE_NAME, Database
from tests.faults.club import Ledger, Table, compare
from tests.faults.server import ROOT, Server, environment, limited

Result = dict[str, Any]


def _opened(folder: Path, url: str = "") -> Database:
    assert url or check_file(folder / FILE_NAME) == ()
    db = Database(folder, url=url)
    assert not [finding for finding in check(db).findings if finding.fault]
    return db


def kill(
    folder: Path,
    confirmations: int,
    kills: int,
    tables: int,
    seed: int,
    whole: bool = False,
    url: str = "",
    hurt: Callable[[], object] | None = None,
) -> Result:
    """kill -9 at random moments while tables confirm; every command is sent again until it is acknowledged.

    With `url` on PostgreSQL. `hurt` strikes something else than our server, which then has nothing to say of it.
    """
    rng, server, ledger = random.Random(seed), Server(folder, whole, url), Ledger()
    server.start()
    each = [confirmations // tables + (number < confirmations % tables) for number in range(tables)]
    failed: list[BaseException] = []

    def play(number: int) -> None:
        try:
            Table(server.url, ledger, number).play(each[number])
        except BaseException as error:  # told at the end, in the thread that can say it
            failed.append(error)

    threads = [threading.Thread(target=play, args=(number,)) for number in range(tables)]
    started = time.monotonic()
    for thread in threads:
        thread.start()
    done = 0
    goals = sorted(rng.uniform(0.02, 0.97) * confirmations for _ in range(kills))
    for goal in goals:
        while ledger.confirmed < goal and any(thread.is_alive() for thread in threads):
            time.sleep(0.002)
        time.sleep(rng.uniform(0, 0.05))  # anywhere within a command
        if any(thread.is_alive() for thread in threads):
            if hurt is not None:
                hurt()
            else:
                server.kill()
                server.start()
            done += 1
    for thread in threads:
        thread.join()
    seconds = time.monotonic() - started
    server.kill()
    if failed:
        raise failed[0]
    db = _opened(folder, url)
    verdict = compare(db, ledger)
    db.close()
    told = sum("di colpo" in line for line in server.said)
    return {
        "kills": done,
        "requests_cut": ledger.sent_again,
        **asdict(verdict),
        "restarts_that_said_so": told,
        "seconds": round(seconds, 1),
        "refused_with": dict(ledger.refused),
        "good": verdict.good and verdict.confirmed == confirmations and told == (0 if hurt else done),
    }


def full_disk(folder: Path, file_bytes: int = 400_000, enlarge: Callable[[], object] = lambda: None) -> Result:
    """No file may grow beyond a size: writing stops with 503, what was acknowledged is there, and it goes on later."""
    server, ledger = Server(folder), Ledger()
    server.start(limited(file_bytes) if file_bytes else None)
    stop = threading.Event()
    thread = threading.Thread(target=_play_until, args=(server.url, ledger, stop), daemon=True)
    thread.start()
    deadline = time.monotonic() + 120
    while not ledger.refused and time.monotonic() < deadline:
        time.sleep(0.05)
    refused = dict(ledger.refused)
    before = sum(map(len, ledger.acknowledged.values()))
    server.kill()
    enlarge()
    server.start()
    while sum(map(len, ledger.acknowledged.values())) < before + 20 and time.monotonic() < deadline + 120:
        time.sleep(0.05)
    stop.set()
    thread.join(60)
    server.stop()
    db = _opened(folder)
    verdict = compare(db, ledger, finished=False)
    db.close()
    good = verdict.good and set(refused) <= {"store.full", "store.disk"} and bool(refused)
    return {
        "refused_with": refused,
        **asdict(verdict),
        "went_on_afterwards": verdict.acknowledged - before,
        "good": good,
    }


def full_tmpfs(folder: Path, size: str = "1m") -> Result:
    """A disk that is really full: a small file system in memory, which only root can make; then a larger one."""
    folder.mkdir(parents=True)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "burraco", str(folder)], check=False).returncode:
        return {"skipped": "no permission to mount", "good": True}
    try:
        return full_disk(
            folder, 0, lambda: subprocess.run(["mount", "-o", "remount,size=64m", str(folder)], check=True)
        )
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def _play_until(url: str, ledger: Ledger, stop: threading.Event) -> None:
    table = Table(url, ledger, 0)
    while not stop.is_set():
        table.play(1)


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    with closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def locked(
    folder: Path, seconds: float = 7.0, url: str = "", lock: Callable[[], AbstractContextManager[None]] | None = None
) -> Result:
    """Another program keeps the database locked: 503 with Retry-After, and the same command is taken afterwards."""
    server, ledger = Server(folder, db=url), Ledger()
    server.start()
    table = Table(server.url, ledger, 0)
    table.play(1)
    with lock() if lock else _lock(folder):
        thread = threading.Thread(target=table.play, args=(1,))
        thread.start()
        time.sleep(seconds)
    thread.join(60)
    server.stop()
    db = _opened(folder, url)
    verdict = compare(db, ledger, finished=False)
    db.close()
    good = verdict.good and set(ledger.refused) == {"store.locked"} and verdict.confirmed == 2
    return {"refused_with": dict(ledger.refused), **asdict(verdict), "good": good}


READ_ONLY = """
import os, sys
from pathlib import Path
from scoring.store.database import Database
from scoring.store.trouble import StoreTrouble
from ui.i18n import say
from ui.stores import trouble_message
if os.geteuid() == 0:
    os.seteuid(65534)
try:
    Database(Path(sys.argv[1]))
except StoreTrouble as trouble:
    print(trouble.kind.value, say(trouble_message(trouble)))
"""


def read_only(folder: Path) -> Result:
    """A folder that must not be written in: the program says so, and the file is as it was."""
    Database(folder).close()
    before = (folder / FILE_NAME).read_bytes()
    paths = [folder, *folder.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        said = _python(READ_ONLY, folder)
    finally:
        for path in paths:
            path.chmod(0o755 if path.is_dir() else 0o644)
    after = (folder / FILE_NAME).read_bytes()
    return {"said": said, "good": said.startswith("read_only ") and before == after}


def _python(code: str, *arguments: object) -> str:
    run = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return run.stdout.strip() or run.stderr.strip()[-300:]


MIGRATE = """
import sys
from pathlib import Path
from scoring.store.database import Database
print("go", flush=True)
Database(Path(sys.argv[1]))
print("done", flush=True)
"""


def migration(folder: Path, times: int, seed: int) -> Result:
    """kill -9 while an old database is brought to the newest revision, at random moments of the time that takes."""
    rng = random.Random(seed)
    stored = ROOT / "tests/golden/db/0001"
    expected = json.loads((stored / "expected.json").read_text(encoding="utf-8"))
    killed = cut = bad = 0
    shutil.copytree(stored, folder / "usual")
    started = time.monotonic()
    Database(folder / "usual").close()
    usual_s = 1.3 * (time.monotonic() - started)
    for number in range(times):
        place = folder / str(number)
        shutil.copytree(stored, place)
        child = subprocess.Popen(
            [sys.executable, "-c", MIGRATE, str(place)],
            cwd=ROOT,
            env=environment(),
            stdout=subprocess.PIPE,
            text=True,
        )
        assert child.stdout is not None and child.stdout.readline() == "go\n"
        time.sleep(rng.uniform(0, usual_s))
        child.send_signal(signal.SIGKILL)
        rest = child.communicate()[0]
        killed += 1
        with closing(sqlite3.connect(place / FILE_NAME)) as file:
            cut += "done" not in rest and file.execute("SELECT version_num FROM alembic_version").fetchone() == (
                "0001",
            )
        db = _opened(place)
        checked = check(db)
        db.close()
        bad += (checked.events, checked.findings) != (expected["events"], ())
    return {"killed": killed, "before_it_was_done": cut, "not_whole_afterwards": bad, "good": bad == 0}


def clock(folder: Path) -> Result:
    """The clock goes back a day between two events: the order stays, and the program says so."""
    from scoring.store.checking import FindingCode
    from scoring.store.events import EventKind

    times = iter(f"2026-11-{day}T12:00:00.000+00:00" for day in (28, 29, 27, 27))
    db = Database(folder, clock=lambda: next(times))
    created = {"names": ["A", "B"], "regolamento": "fibur", "target": 2005}
    db.append("m", 0, command_id="c1", device="a", kind=EventKind.MATCH_CREATED, payload=created)
    for seq, name in ((1, "X"), (2, "Y")):
        payload = {"names": [name, "B"]}
        db.append("m", seq, command_id=f"r{seq}", device="a", kind=EventKind.RENAMED, payload=payload)
    db.append("n", 0, command_id="c2", device="a", kind=EventKind.MATCH_CREATED, payload=created)
    findings = [finding for finding in check(db).findings if finding.code is FindingCode.CLOCK]
    from scoring.store.fold import fold

    good = fold(db.events("m")).names == ("Y", "B") and db.match_ids() == ("n", "m") and len(findings) == 1
    db.close()
    return {"said": [finding.seen for finding in findings], "good": good}
