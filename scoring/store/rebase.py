"""Whether a change made on an older state of a match still means the same on a newer one."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.store.events import WHOLE_SIDE, Event, EventKind, Payload, touched

ANSWERS = frozenset(
    {
        EventKind.CLOSED_ANSWERED,
        EventKind.POZZETTO_ANSWERED,
        EventKind.HANDS_ANSWERED,
        EventKind.DISCARD_ANSWERED,
        EventKind.PENALISED_ANSWERED,
        EventKind.ADJUSTED,
    }
)


def independent(kind: EventKind, payload: Payload, later: Sequence[Event]) -> bool:
    """Tell whether a change is untouched by what others did since: only edits of the same smazzata, of other things.

    An agreement is to the account as it was seen, so it is never independent.

    A photo or a sum that replaces a side leaves the answers about that side alone, never its cards; nothing else
    (a confirmation, an undo, another seating) may have happened.
    """
    mine = Event("", 0, "", "", "", kind, payload)
    if not mine.is_edit or kind is EventKind.SIDE_AGREED:
        return False
    return all(_beside(mine, other) for other in later)


def _beside(mine: Event, other: Event) -> bool:
    if not other.is_edit or other.smazzata != mine.smazzata or other.kind is EventKind.SEATING_ANSWERED:
        return False
    if touched(mine) & touched(other):
        return False
    pair = (mine, other) if other.kind in WHOLE_SIDE else (other, mine)
    cards, whole = pair
    same_side = cards.payload.get("side") == whole.payload.get("side")
    return not (whole.kind in WHOLE_SIDE and same_side and cards.kind not in ANSWERS)
