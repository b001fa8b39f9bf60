"""The commands that answer a question or enter a side without a photo, as the events that they become."""

from __future__ import annotations

from scoring.classes import BurracoClass
from scoring.datafile import DataError
from scoring.sides import Adjustment, SideCounts
from scoring.store.events import EventKind, adjustments_to_json, counts_to_json, held_to_json, photo_to_json
from scoring.store.state import Closed, MatchState
from ui import commands as c
from ui.checks import check_players, check_points, check_side, checked_names, on_side, refuse
from ui.compiling import Compiled, NewId, compile_command
from ui.drafting import regolamento_of

__all__ = ["compile_command"]
"""With the answers of this module, and so with every command."""

MAX_ADJUSTMENTS = 10
MAX_REASON = 120
MAX_VALUES = 12


@compile_command.register
def _(command: c.EnterSums, state: MatchState, new_id: NewId) -> Compiled:
    check_side(state, command.side)
    for points in (command.card_points, command.bonus_points):
        check_points(points)
    sums = {"card_points": command.card_points, "bonus_points": command.bonus_points}
    return EventKind.SUMS_ENTERED, on_side(state, command.side, **sums)


@compile_command.register
def _(command: c.EnterCounts, state: MatchState, new_id: NewId) -> Compiled:
    check_side(state, command.side)
    known = {classe.value for classe in regolamento_of(state).class_keys}
    unknown = next((key for key, _ in command.burrachi if key not in known), None)
    if unknown is not None:
        raise refuse("refused.no_such_class", name=unknown[:40])
    if max(len(command.cards_by_value), len(command.burrachi), len(command.heaps)) > MAX_VALUES:
        raise refuse("refused.values_count", limit=MAX_VALUES)
    rows = command.cards_by_value + command.heaps
    for number in [number for row in rows for number in row] + [n for _, n in command.burrachi]:
        check_points(number)
    cards = tuple(row for row in command.cards_by_value if row[1])
    heaps = tuple(row for row in command.heaps if all(row))
    classes = tuple((BurracoClass(key), number) for key, number in command.burrachi if number)
    return EventKind.COUNTS_ENTERED, on_side(state, command.side, **counts_to_json(SideCounts(cards, classes, heaps)))


@compile_command.register
def _(command: c.NothingLaid, state: MatchState, new_id: NewId) -> Compiled:
    check_side(state, command.side)
    return EventKind.NOTHING_LAID, on_side(state, command.side)


@compile_command.register
def _(command: c.ClearSide, state: MatchState, new_id: NewId) -> Compiled:
    check_side(state, command.side)
    return EventKind.SIDE_CLEARED, on_side(state, command.side)


@compile_command.register
def _(command: c.AnswerClosed, state: MatchState, new_id: NewId) -> Compiled:
    closed = Closed(command.closed)
    if closed is not Closed.NOBODY:
        check_side(state, int(closed.value))
    if command.end is not None and command.end.closes is (closed is Closed.NOBODY):
        raise refuse("refused.end_and_closed")
    end = command.end.value if command.end else None
    payload = {"smazzata": state.current.number, "closed": closed.value, "end": end}
    if command.player is None:
        return EventKind.CLOSED_ANSWERED, payload
    if closed is Closed.NOBODY:
        raise refuse("refused.no_such_player")
    check_players(state, int(closed.value), (command.player,))
    return EventKind.CLOSED_ANSWERED, payload | {"player": command.player}


@compile_command.register
def _(command: c.AnswerDiscard, state: MatchState, new_id: NewId) -> Compiled:
    last = str(command.card) if command.card else None
    payload = {"smazzata": state.current.number, "last_discard": last, "laid_last": command.laid_last}
    return EventKind.DISCARD_ANSWERED, payload


@compile_command.register
def _(command: c.AnswerSeating, state: MatchState, new_id: NewId) -> Compiled:
    if state.formato.fixed_seating(state.totals):
        raise refuse("refused.seating_fixed")
    try:
        seating = state.formato.seating(command.seating)
    except DataError as error:
        raise refuse("refused.seating", sides=" + ".join(map(str, state.formato.sides))) from error
    return EventKind.SEATING_ANSWERED, {"smazzata": state.current.number, "seating": [list(side) for side in seating]}


@compile_command.register
def _(command: c.AnswerPenalised, state: MatchState, new_id: NewId) -> Compiled:
    check_side(state, command.side)
    if command.held is not None and command.held.points is not None:
        check_points(command.held.points)
    held = held_to_json(command.held) if command.held is not None else None
    return EventKind.PENALISED_ANSWERED, on_side(state, command.side, held=held, **photo_to_json(command.photo))


@compile_command.register
def _(command: c.Adjust, state: MatchState, new_id: NewId) -> Compiled:
    check_side(state, command.side)
    if len(command.adjustments) > MAX_ADJUSTMENTS:
        raise refuse("refused.adjustments_count", limit=MAX_ADJUSTMENTS)
    checked = []
    for adjustment in command.adjustments:
        check_points(abs(adjustment.points))
        reason = " ".join(adjustment.reason.split())[:MAX_REASON]
        if not reason:
            raise refuse("refused.adjustment_reason")
        checked.append(Adjustment(adjustment.points, reason))
    return EventKind.ADJUSTED, on_side(state, command.side, adjustments=adjustments_to_json(checked))


@compile_command.register
def _(command: c.AnswerPozzetto, state: MatchState, new_id: NewId) -> Compiled:
    check_side(state, command.side)
    if command.held is not None and command.held.points is not None:
        check_points(command.held.points)
    held = held_to_json(command.held) if command.held is not None else None
    payload = on_side(state, command.side, pozzetto=command.pozzetto.value, held=held, **photo_to_json(command.photo))
    if command.player is None:
        return EventKind.POZZETTO_ANSWERED, payload
    check_players(state, command.side, (command.player,))
    return EventKind.POZZETTO_ANSWERED, {**payload, "player": command.player}


@compile_command.register
def _(command: c.AnswerHands, state: MatchState, new_id: NewId) -> Compiled:
    check_side(state, command.side)
    if len(command.hands) > 3:
        raise refuse("refused.hands_count")
    for held in command.hands:
        if held.points is not None:
            check_points(held.points)
    hands = [held_to_json(held) for held in command.hands]
    payload = on_side(state, command.side, hands=hands, **photo_to_json(command.photo))
    if not command.players:
        return EventKind.HANDS_ANSWERED, payload
    if len(set(command.players)) != len(command.hands):
        raise refuse("refused.hands_count")
    check_players(state, command.side, command.players)
    return EventKind.HANDS_ANSWERED, {**payload, "players": list(command.players)}


@compile_command.register
def _(command: c.AnswerDealer, state: MatchState, new_id: NewId) -> Compiled:
    if not 0 <= command.dealer < len(state.table_order):
        raise refuse("refused.no_such_dealer", most=len(state.table_order) - 1)
    return EventKind.DEALER_ANSWERED, {"smazzata": state.current.number, "dealer": command.dealer}


@compile_command.register
def _(command: c.Rename, state: MatchState, new_id: NewId) -> Compiled:
    return EventKind.RENAMED, {"names": list(checked_names(command.names, state.formato)), "was": list(state.names)}


@compile_command.register
def _(command: c.DeleteMatch, state: MatchState, new_id: NewId) -> Compiled:
    return EventKind.MATCH_DELETED, {"names": list(state.names)}
