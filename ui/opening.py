"""What there is to say when the score sheet is opened: a migration, a run that was cut short, a clock set back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from scoring.store.checking import Checked, check, check_file
from scoring.store.database import FILE_NAME, Database
from ui.runs import running
from ui.settings import Settings
from ui.stores import kept, open_database
from ui.viewmodels import Message

_CLOCK_TOLERANCE = timedelta(minutes=5)


@contextmanager
def opened(settings: Settings) -> Iterator[tuple[Message, ...]]:
    """Mark the program as running and give what its user should know first; raises Unavailable."""
    with kept(), running(settings.data_dir) as stopped:
        database = open_database(settings)
        try:
            messages = (*_migrated(database), *_stopped(database, stopped), *_clock(database))
        finally:
            database.close()
        yield messages


def _migrated(database: Database) -> Iterator[Message]:
    moved = database.migration
    if moved is not None:
        yield Message("open.migrated", {"was": moved.was, "now": moved.now})
        yield Message("open.migrated_copy", {"path": str(moved.backup)})


def _stopped(database: Database, stopped: Sequence[str]) -> Iterator[Message]:
    if not stopped:
        return
    checked = check_all(database)
    when = datetime.strptime(stopped[-1], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC).astimezone()
    key = "open.stopped_faults" if any(finding.fault for finding in checked.findings) else "open.stopped"
    yield Message(key, {"when": when.strftime("%d/%m/%Y %H:%M"), "matches": checked.matches, "events": checked.events})


def _clock(database: Database) -> Iterator[Message]:
    latest = database.latest_time()
    if latest and datetime.fromisoformat(latest) > datetime.now(UTC) + _CLOCK_TOLERANCE:
        when = datetime.fromisoformat(latest).astimezone()
        yield Message("open.clock", {"when": when.strftime("%d/%m/%Y %H:%M")})


def check_all(database: Database) -> Checked:
    """The file, then every event and photo in it."""
    wrong = check_file(Path(database.folder / FILE_NAME)) if database.file else ()
    if wrong:
        return Checked(0, 0, 0, wrong)
    return check(database)
