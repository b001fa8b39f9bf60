"""Looks whether everything kept is whole: the file, every event, every photo. It changes nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from scoring.store.cleaning import attached, photos_in_use
from scoring.store.database import Database
from scoring.store.events import SCHEMA, Event
from scoring.store.fold import fold
from scoring.store.photos import sha256_of
from scoring.store.state import MatchState


class FindingCode(StrEnum):
    """What a check may find; `CLOCK`, `UNUSED` and `FORGOTTEN` are no faults."""

    FILE = "file"
    GAP = "gap"
    SCHEMA = "schema"
    FOLD = "fold"
    PHOTO_MISSING = "photo_missing"
    PHOTO_CHANGED = "photo_changed"
    PREVIEW_MISSING = "preview_missing"
    CLOCK = "clock"
    UNUSED = "unused"
    FORGOTTEN = "forgotten"


_NOTES = frozenset({FindingCode.CLOCK, FindingCode.UNUSED, FindingCode.FORGOTTEN})


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found: in which match, at which event, and what was seen."""

    code: FindingCode
    match_id: str = ""
    seq: int = 0
    seen: str = ""

    @property
    def fault(self) -> bool:
        """Whether something is wrong, and not only worth knowing."""
        return self.code not in _NOTES


@dataclass(frozen=True, slots=True)
class Checked:
    """What was looked at and what was found; `states` are the matches that fold."""

    matches: int
    events: int
    photos: int
    findings: tuple[Finding, ...]
    states: tuple[MatchState, ...] = field(default=(), repr=False)


def check_file(file: Path) -> tuple[Finding, ...]:
    """SQLite's own check of its file, without writing to it and before anything else opens it."""
    if not file.is_file():
        return ()
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            said = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(10)")]
            lost = [f"{row[0]} → {row[2]}" for row in connection.execute("PRAGMA foreign_key_check")]
    except sqlite3.DatabaseError as error:
        said, lost = [str(error)], []
    return tuple(Finding(FindingCode.FILE, seen=text) for text in said + lost if text != "ok")


def check(db: Database) -> Checked:
    """Every event of every match, and every photo they name."""
    matches: dict[str, list[Event]] = {}
    for event in db.all_events():
        matches.setdefault(event.match_id, []).append(event)
    findings: list[Finding] = []
    states: list[MatchState] = []
    used: set[str] = set()
    for events in matches.values():
        found = tuple(_events_wrong(events))
        findings += found
        if not any(finding.fault for finding in found):
            try:
                states.append(fold(events))
                used |= photos_in_use(events, states[-1])
            except Exception as error:  # whatever a spoilt payload raises is the finding
                findings.append(Finding(FindingCode.FOLD, events[0].match_id, seen=repr(error)[:200]))
    named = {sha256: event for events in matches.values() for event in events for sha256 in attached((event,))}
    findings += _photos_wrong(db, named, used)
    return Checked(len(matches), sum(map(len, matches.values())), len(named), tuple(findings), tuple(states))


def _events_wrong(events: Sequence[Event]) -> Iterator[Finding]:
    latest = events[0]
    for place, event in enumerate(sorted(events, key=lambda e: e.seq), start=1):
        if event.seq != place:
            yield Finding(FindingCode.GAP, event.match_id, place, str(event.seq))
            return
        if event.schema > SCHEMA:
            yield Finding(FindingCode.SCHEMA, event.match_id, event.seq, str(event.schema))
        if event.at < latest.at:
            yield Finding(FindingCode.CLOCK, event.match_id, event.seq, f"{latest.at} → {event.at}")
        latest = event


def _photos_wrong(db: Database, named: Mapping[str, Event], used: Collection[str]) -> Iterator[Finding]:
    for sha256, event in named.items():
        at = (event.match_id, event.seq, sha256)
        try:
            if sha256_of(db.photo(sha256)) != sha256:
                yield Finding(FindingCode.PHOTO_CHANGED, *at)
        except LookupError:
            yield Finding(FindingCode.PHOTO_MISSING if sha256 in used else FindingCode.FORGOTTEN, *at)
            continue
        try:
            db.preview(sha256)
        except LookupError:
            yield Finding(FindingCode.PREVIEW_MISSING, *at)
    unused = set(db.photos.hashes()) - set(named)
    if unused:
        yield Finding(FindingCode.UNUSED, seen=str(len(unused)))
