"""From a command and the state it meets to the event that it becomes, or to a refusal that says why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatch
from typing import Any

from scoring.cards import Card
from scoring.store import edits
from scoring.store.events import Event, EventKind, Payload, card_to_json, held_to_json
from scoring.store.fold import in_the_way, last_confirmation, redo_target, undo_target
from scoring.store.state import Closed, DraftCard, DraftMeld, MatchState, SmazzataState
from ui import commands as c
from ui.errors import Refused
from ui.viewmodels import Message

Compiled = tuple[EventKind, Payload]
NewId = Callable[[], str]

MAX_NAME = 60
MAX_MELD = 30
MAX_POINTS = 100_000


def refuse(key: str, **params: str | int) -> Refused:
    """A refusal with its message."""
    return Refused(Message(key, params))


def compile_history(command: c.Undo | c.Redo | c.UndoConfirmation, events: Sequence[Event], device: str) -> Compiled:
    """The event of an undo or a redo; refused where there is nothing, or where another device has gone on."""
    if isinstance(command, c.UndoConfirmation):
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
    side, card = _card(state, command.card_id)
    return EventKind.CARD_CHANGED, _on(state, side, card_id=card.id, to=str(command.card), was=str(card.card))


@compile_command.register
def _(command: c.AddCard, state: MatchState, new_id: NewId) -> Compiled:
    _check_side(command.side)
    if command.meld_id is not None:
        meld = _meld_of(state, command.side, command.meld_id)
        if len(meld.cards) >= MAX_MELD:
            raise refuse("refused.meld_too_long", limit=MAX_MELD)
    card = card_to_json(DraftCard(new_id(), command.card))
    return EventKind.CARD_ADDED, _on(state, command.side, card=card, meld_id=command.meld_id, at=command.at)


@compile_command.register
def _(command: c.RemoveCard, state: MatchState, new_id: NewId) -> Compiled:
    side, card = _card(state, command.card_id)
    return EventKind.CARD_REMOVED, _on(state, side, card_id=card.id, was=str(card.card))


@compile_command.register
def _(command: c.MoveCard, state: MatchState, new_id: NewId) -> Compiled:
    side, card = _card(state, command.card_id)
    if command.meld_id is not None:
        _meld_of(state, side, command.meld_id)
    return EventKind.CARD_MOVED, _on(state, side, card_id=card.id, meld_id=command.meld_id, at=command.at)


@compile_command.register
def _(command: c.ReorderMeld, state: MatchState, new_id: NewId) -> Compiled:
    side, meld = _meld(state, command.meld_id)
    if sorted(command.card_ids) != sorted(card.id for card in meld.cards):
        raise refuse("refused.other_cards")
    return EventKind.MELD_REORDERED, _on(state, side, meld_id=meld.id, card_ids=list(command.card_ids))


@compile_command.register
def _(command: c.SplitMeld, state: MatchState, new_id: NewId) -> Compiled:
    side, meld = _meld(state, command.meld_id)
    if not 0 < command.at < len(meld.cards):
        raise refuse("refused.split_place")
    ids = [card.id for card in meld.cards]
    return EventKind.MELD_SPLIT, _on(state, side, meld_id=meld.id, at=command.at, new_id=new_id(), card_ids=ids)


@compile_command.register
def _(command: c.JoinMelds, state: MatchState, new_id: NewId) -> Compiled:
    side, meld = _meld(state, command.meld_id)
    other = _meld_of(state, side, command.other_id)
    if meld.id == other.id:
        raise refuse("refused.same_meld")
    ids = [card.id for card in meld.cards + other.cards]
    return EventKind.MELDS_JOINED, _on(state, side, meld_id=meld.id, other_id=other.id, card_ids=ids)


@compile_command.register
def _(command: c.AddMeld, state: MatchState, new_id: NewId) -> Compiled:
    _check_side(command.side)
    if not command.cards and not command.card_ids:
        raise refuse("refused.empty_meld")
    if len(command.cards) + len(command.card_ids) > MAX_MELD:
        raise refuse("refused.meld_too_long", limit=MAX_MELD)
    for card_id in command.card_ids:
        if _card(state, card_id)[0] != command.side:
            raise refuse("refused.other_side")
    cards = [card_to_json(DraftCard(new_id(), card)) for card in command.cards]
    meld_id = new_id()
    payload = _on(state, command.side, new_id=meld_id, card_ids=list(command.card_ids), cards=cards)
    return EventKind.MELD_ADDED, payload


@compile_command.register
def _(command: c.RemoveMeld, state: MatchState, new_id: NewId) -> Compiled:
    side, meld = _meld(state, command.meld_id)
    ids = [card.id for card in meld.cards]
    return EventKind.MELD_REMOVED, _on(state, side, meld_id=meld.id, card_ids=ids, was=_text(meld))


@compile_command.register
def _(command: c.KeepTwin, state: MatchState, new_id: NewId) -> Compiled:
    side, meld = _meld(state, command.meld_id)
    return EventKind.TWIN_KEPT, _on(state, side, meld_id=meld.id)


@compile_command.register
def _(command: c.EnterSums, state: MatchState, new_id: NewId) -> Compiled:
    _check_side(command.side)
    for points in (command.card_points, command.bonus_points):
        _check_points(points)
    sums = {"card_points": command.card_points, "bonus_points": command.bonus_points}
    return EventKind.SUMS_ENTERED, _on(state, command.side, **sums)


@compile_command.register
def _(command: c.NothingLaid, state: MatchState, new_id: NewId) -> Compiled:
    _check_side(command.side)
    return EventKind.NOTHING_LAID, _on(state, command.side)


@compile_command.register
def _(command: c.ClearSide, state: MatchState, new_id: NewId) -> Compiled:
    _check_side(command.side)
    return EventKind.SIDE_CLEARED, _on(state, command.side)


@compile_command.register
def _(command: c.AnswerClosed, state: MatchState, new_id: NewId) -> Compiled:
    return EventKind.CLOSED_ANSWERED, {"smazzata": state.current.number, "closed": Closed(command.closed).value}


@compile_command.register
def _(command: c.AnswerPozzetto, state: MatchState, new_id: NewId) -> Compiled:
    _check_side(command.side)
    if command.held is not None and command.held.points is not None:
        _check_points(command.held.points)
    held = held_to_json(command.held) if command.held is not None else None
    return EventKind.POZZETTO_ANSWERED, _on(state, command.side, pozzetto=command.pozzetto.value, held=held)


@compile_command.register
def _(command: c.AnswerHands, state: MatchState, new_id: NewId) -> Compiled:
    _check_side(command.side)
    if len(command.hands) > 3:
        raise refuse("refused.hands_count")
    for held in command.hands:
        if held.points is not None:
            _check_points(held.points)
    return EventKind.HANDS_ANSWERED, _on(state, command.side, hands=[held_to_json(held) for held in command.hands])


@compile_command.register
def _(command: c.Rename, state: MatchState, new_id: NewId) -> Compiled:
    return EventKind.RENAMED, {"names": list(checked_names(command.names)), "was": list(state.names)}


@compile_command.register
def _(command: c.DeleteMatch, state: MatchState, new_id: NewId) -> Compiled:
    return EventKind.MATCH_DELETED, {"names": list(state.names)}


def checked_names(names: Sequence[str]) -> tuple[str, str]:
    """Two different, non-empty names of bearable length; raises Refused."""
    first, second = (" ".join(name.split())[:MAX_NAME] for name in names)
    if not first or not second:
        raise refuse("refused.empty_name")
    if first.casefold() == second.casefold():
        raise refuse("refused.equal_names", name=first)
    return first, second


def _on(state: MatchState, side: int, **payload: Any) -> dict[str, Any]:
    return {"smazzata": state.current.number, "side": side, **payload}


def _check_side(side: int) -> None:
    if side not in (0, 1):
        raise refuse("refused.no_such_side", side=side)


def _check_points(points: int) -> None:
    if not 0 <= points <= MAX_POINTS:
        raise refuse("refused.points", points=points, limit=MAX_POINTS)


def _sides(smazzata: SmazzataState) -> tuple[tuple[int, Any], ...]:
    return tuple(enumerate(smazzata.sides))


def _card(state: MatchState, card_id: str) -> tuple[int, DraftCard]:
    for place, side in _sides(state.current):
        card = edits.find_card(side, card_id)
        if card is not None:
            return place, card
    raise refuse("refused.no_such_card")


def _meld(state: MatchState, meld_id: str) -> tuple[int, DraftMeld]:
    for place, side in _sides(state.current):
        meld = edits.find_meld(side, meld_id)
        if meld is not None:
            return place, meld
    raise refuse("refused.no_such_meld")


def _meld_of(state: MatchState, side: int, meld_id: str) -> DraftMeld:
    place, meld = _meld(state, meld_id)
    if place != side:
        raise refuse("refused.other_side")
    return meld


def _text(meld: DraftMeld) -> str:
    return " ".join(str(card.card) for card in meld.cards)


def parse_card(text: str) -> Card:
    """A card from text; raises Refused instead of CardError."""
    try:
        return Card.parse(text)
    except ValueError as error:
        raise refuse("refused.no_card", text=text[:20]) from error
