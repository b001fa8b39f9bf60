"""A match out of plain totals: each row becomes a confirmed smazzata whose one line says where it comes from."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.sides import Adjustment, Held, Pozzetto
from scoring.store.events import SCHEMA, Event, EventKind, Payload
from scoring.store.fold import fold
from scoring.store.state import Closed, MatchState
from ui import commands as c
from ui.checks import refuse
from ui.compiling_answers import compile_command
from ui.drafting import table_view
from ui.exchange.tables import Totals
from ui.new_match import new_match_payload
from ui.presenting import confirmation_payload
from ui.stores import new_id
from ui.viewmodels import NewMatch

DEVICE = "import"


def match_of_totals(
    totals: Totals, new: NewMatch, match_id: str, at: str, note: str, program: str
) -> tuple[Event, ...]:
    """The events of such a match; raises Refused where pairs change from smazzata to smazzata, or a name is wrong."""
    events = [_event(match_id, 1, at, EventKind.MATCH_CREATED, new_match_payload(new))]
    if fold(events).formato.halves:
        raise refuse("refused.import_seating")
    for row in totals.rows:
        for kind, payload in _played(fold(events), row, note):
            events.append(_event(match_id, len(events) + 1, at, kind, payload))
        state = fold(events)
        payload = confirmation_payload(state, table_view(state).faults, program)
        events.append(_event(match_id, len(events) + 1, at, EventKind.SMAZZATA_CONFIRMED, payload))
    return tuple(events)


def _played(state: MatchState, row: tuple[int, ...], note: str) -> Iterator[tuple[EventKind, Payload]]:
    """A smazzata of which only the points are known: nothing laid, nothing held, and the points with a note."""
    commands: list[c.Command] = [c.AnswerClosed(Closed.NOBODY)]
    for side, points in enumerate(row):
        commands += [
            c.NothingLaid(side),
            c.AnswerPozzetto(side, Pozzetto.PLAYED),
            c.AnswerHands(side, (Held(points=0),)),
        ]
        if points:
            commands.append(c.Adjust(side, (Adjustment(points, note),)))
    for command in commands:
        yield compile_command(command, state, new_id)


def _event(match_id: str, seq: int, at: str, kind: EventKind, payload: Payload) -> Event:
    return Event(match_id, seq, f"{match_id}-{seq}", DEVICE, at, kind, payload, SCHEMA)
