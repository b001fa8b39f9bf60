"""From a command and the state it meets to the event that it becomes, or to a refusal that says why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatch
from typing import Any

from scoring.classes import BurracoClass
from scoring.datafile import DataError
from scoring.sides import Adjustment, SideCounts
from scoring.store.events import (
    Event,
    EventKind,
    Payload,
    adjustments_to_json,
    card_to_json,
    counts_to_json,
    held_to_json,
)
from scoring.store.fold import in_the_way, last_confirmation, last_deletion, redo_target, undo_target
from scoring.store.state import Closed, DraftCard, MatchState
from ui import commands as c
from ui.checks import (
    MAX_MELD,
    check_players,
    check_points,
    check_room,
    check_side,
    checked_names,
    find_card,
    find_meld,
    find_meld_of,
    meld_text,
    on_side,
    refuse,
)
from ui.drafting import regolamento_of

Compiled = tuple[EventKind, Payload]
NewId = Callable[[], str]

MAX_ADJUSTMENTS = 10
MAX_REASON = 120
MAX_VALUES = 12


def compile_history(
    command: c.Undo | c.Redo | c.UndoConfirmation | c.UndoDeletion, events: Sequence[Event], device: str
) -> Compiled:
    """The event of an undo or a redo; refused where there is nothing, or where another device has gone on."""
    if isinstance(command, c.UndoDeletion):
        target, kind, nothing = last_deletion(events), EventKind.UNDONE, "refused.not_deleted"
    elif isinstance(command, c.UndoConfirmation):
        target, kind, nothing = last_confirmation(events), EventKind.UNDONE, "refused.no_confirmation"
    elif isinstance(command, c.Undo):
        target, kind, nothing = undo_target(events, device), EventKind.UNDONE, "refused.nothing_to_undo"
    else:
        target, kind, nothing = redo_target(events, device), EventKind.REDONE, "refused.nothing_to_redo"
    if target is None:
        raise refuse(nothing)
    if target.is_edit and in_the_way(events, target) is not None:
        raise refuse("refused.touched_by_another")
    return kind, {"target": target.seq}


@singledispatch
def compile_command(command: Any, state: MatchState, new_id: NewId) -> Compiled:
    """The event that a command becomes; raises Refused. `new_id` gives ids for new cards and melds."""
    raise TypeError(f"no command: {command!r}")


@compile_command.register
def _(command: c.ChangeCard, state: MatchState, new_id: NewId) -> Compiled:
    side, card = find_card(state, command.card_id)
    return EventKind.CARD_CHANGED, on_side(state, side, card_id=card.id, to=str(command.card), was=str(card.card))


@compile_command.register
def _(command: c.AddCard, state: MatchState, new_id: NewId) -> Compiled:
    check_side(state, command.side)
    check_room(state, command.side, command.meld_id, 1)
    quad, photo = command.quad, command.photo
    if (
        quad is None
        or len(quad) != 4
        or photo not in {known.sha256 for known in state.current.sides[command.side].photos}
    ):
        quad = photo = None
    card = card_to_json(DraftCard(new_id(), command.card, quad=quad, photo=photo))
    return EventKind.CARD_ADDED, on_side(state, command.side, card=card, meld_id=command.meld_id, at=command.at)


@compile_command.register
def _(command: c.AddCards, state: MatchState, new_id: NewId) -> Compiled:
    check_side(state, command.side)
    if not command.cards:
        raise refuse("refused.empty_meld")
    check_room(state, command.side, command.meld_id, len(command.cards))
    cards = [card_to_json(DraftCard(new_id(), card)) for card in command.cards]
    return EventKind.CARDS_ADDED, on_side(state, command.side, cards=cards, meld_id=command.meld_id)


@compile_command.register
def _(command: c.RemoveCard, state: MatchState, new_id: NewId) -> Compiled:
    side, card = find_card(state, command.card_id)
    return EventKind.CARD_REMOVED, on_side(state, side, card_id=card.id, was=str(card.card))


@compile_command.register
def _(command: c.MoveCard, state: MatchState, new_id: NewId) -> Compiled:
    side, card = find_card(state, command.card_id)
    if command.meld_id is not None:
        find_meld_of(state, side, command.meld_id)
    return EventKind.CARD_MOVED, on_side(state, side, card_id=card.id, meld_id=command.meld_id, at=command.at)


@compile_command.register
def _(command: c.ReorderMeld, state: MatchState, new_id: NewId) -> Compiled:
    side, meld = find_meld(state, command.meld_id)
    if sorted(command.card_ids) != sorted(card.id for card in meld.cards):
        raise refuse("refused.other_cards")
    return EventKind.MELD_REORDERED, on_side(state, side, meld_id=meld.id, card_ids=list(command.card_ids))


@compile_command.register
def _(command: c.SplitMeld, state: MatchState, new_id: NewId) -> Compiled:
    side, meld = find_meld(state, command.meld_id)
    if not 0 < command.at < len(meld.cards):
        raise refuse("refused.split_place")
    ids = [card.id for card in meld.cards]
    return EventKind.MELD_SPLIT, on_side(state, side, meld_id=meld.id, at=command.at, new_id=new_id(), card_ids=ids)


@compile_command.register
def _(command: c.JoinMelds, state: MatchState, new_id: NewId) -> Compiled:
    side, meld = find_meld(state, command.meld_id)
    other = find_meld_of(state, side, command.other_id)
    if meld.id == other.id:
        raise refuse("refused.same_meld")
    ids = [card.id for card in meld.cards + other.cards]
    return EventKind.MELDS_JOINED, on_side(state, side, meld_id=meld.id, other_id=other.id, card_ids=ids)


@compile_command.register
def _(command: c.AddMeld, state: MatchState, new_id: NewId) -> Compiled:
    check_side(state, command.side)
    if not command.cards and not command.card_ids:
        raise refuse("refused.empty_meld")
    if len(command.cards) + len(command.card_ids) > MAX_MELD:
        raise refuse("refused.meld_too_long", limit=MAX_MELD)
    for card_id in command.card_ids:
        if find_card(state, card_id)[0] != command.side:
            raise refuse("refused.other_side")
    cards = [card_to_json(DraftCard(new_id(), card)) for card in command.cards]
    meld_id = new_id()
    payload = on_side(state, command.side, new_id=meld_id, card_ids=list(command.card_ids), cards=cards)
    return EventKind.MELD_ADDED, payload


@compile_command.register
def _(command: c.RemoveMeld, state: MatchState, new_id: NewId) -> Compiled:
    side, meld = find_meld(state, command.meld_id)
    ids = [card.id for card in meld.cards]
    return EventKind.MELD_REMOVED, on_side(state, side, meld_id=meld.id, card_ids=ids, was=meld_text(meld))


@compile_command.register
def _(command: c.KeepTwin, state: MatchState, new_id: NewId) -> Compiled:
    side, meld = find_meld(state, command.meld_id)
    return EventKind.TWIN_KEPT, on_side(state, side, meld_id=meld.id)


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
    if max(len(command.cards_by_value), len(command.burrachi)) > MAX_VALUES:
        raise refuse("refused.values_count", limit=MAX_VALUES)
    for number in [number for row in command.cards_by_value for number in row] + [n for _, n in command.burrachi]:
        check_points(number)
    cards = tuple((value, number) for value, number in command.cards_by_value if number)
    classes = tuple((BurracoClass(key), number) for key, number in command.burrachi if number)
    return EventKind.COUNTS_ENTERED, on_side(state, command.side, **counts_to_json(SideCounts(cards, classes)))


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
    return EventKind.PENALISED_ANSWERED, on_side(state, command.side, held=held)


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
    payload = on_side(state, command.side, pozzetto=command.pozzetto.value, held=held)
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
    payload = on_side(state, command.side, hands=[held_to_json(held) for held in command.hands])
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
