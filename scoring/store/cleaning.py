"""Frees the room of photos that no smazzata shows any more; one of a confirmed or open smazzata is never touched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from scoring.store.database import Database
from scoring.store.events import Event
from scoring.store.fold import fold
from scoring.store.state import MatchState
from scoring.store.trouble import told_apart

GRACE_S = 3600.0
"""A photo so young may belong to an event that is still being written."""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """How many photos went, how many bytes that freed, and how many bytes the photos that stay have."""

    photos: int
    freed_bytes: int
    left_bytes: int


def photos_in_use(events: Sequence[Event], state: MatchState) -> frozenset[str]:
    """Photos of a match that must stay: those its smazzate show, and all of the open one, whose edits can be undone."""
    shown = {photo.sha256 for smazzata in state.smazzate for side in smazzata.sides for photo in side.all_photos}
    laid = {
        card.photo
        for smazzata in state.smazzate
        for side in smazzata.sides
        for card in (*side.loose, *(card for meld in side.melds for card in meld.cards))
        if card.photo
    }
    return frozenset(shown | laid | set(attached(e for e in events if e.smazzata == state.current.number)))


def attached(events: Iterable[Event]) -> tuple[str, ...]:
    """The photos that events bring, of a side or of cards held, in their order, each once."""
    found = (str(e.payload["photo"]) for e in events if "photo" in e.payload)
    return tuple(dict.fromkeys(found))


def clean(db: Database, keep_bytes: int, now: datetime | None = None) -> Cleaned:
    """Forget photos that no smazzata shows, the oldest first, until at most `keep_bytes` are left of all photos.

    One that was being kept when a program was killed is only written down, and goes another time.
    """
    now = now or datetime.now(UTC)
    used: set[str] = set()
    for match_id in db.match_ids():
        events = db.events(match_id)
        used |= photos_in_use(events, fold(events))
    with told_apart():
        kept = set(db.photos.hashes())
    for sha256 in kept - db.photo_rows().keys():
        db.note_photo(sha256, len(db.photo(sha256)))
    rows = {sha256: row for sha256, row in db.photo_rows().items() if sha256 in kept}
    left = sum(size for size, _ in rows.values())
    gone = freed = 0
    with told_apart():
        for sha256, (size, at) in sorted(rows.items(), key=lambda item: item[1][1]):
            if left <= keep_bytes:
                break
            if sha256 in used or (now - datetime.fromisoformat(at)).total_seconds() < GRACE_S:
                continue
            freed += db.photos.forget(sha256)
            left -= size
            gone += 1
    return Cleaned(gone, freed, left)
