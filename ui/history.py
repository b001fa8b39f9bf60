"""A match's events as people look them up: what happened, when, by whom, and whether it still counts."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.store.events import Event
from scoring.store.fold import active_events
from ui.viewmodels import HistoryEntry

_LONG = frozenset(
    {"reading", "melds", "loose", "doubts", "regolamento_text", "formato", "ledgers", "smazzata", "target"}
)


def history_of(events: Sequence[Event]) -> tuple[HistoryEntry, ...]:
    """Every event, the latest last; what is long (a reading, a regolamento's text) is left to the match itself."""
    counting = {event.seq for event in active_events(events)}
    return tuple(
        HistoryEntry(
            seq=event.seq,
            at=event.at,
            device=event.device,
            kind=event.kind.value,
            smazzata=event.smazzata,
            counts=event.seq in counting,
            target=_target(event),
            about={key: value for key, value in event.payload.items() if key not in _LONG},
        )
        for event in events
    )


def _target(event: Event) -> int | None:
    """An undo's or a redo's target; a match's payload has one too, and that is a number of points."""
    return int(event.payload["target"]) if set(event.payload) == {"target"} else None
