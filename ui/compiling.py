"""From a command and the state it meets to the event that it becomes, or to a refusal that says why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatch
from typing import Any

from scoring.store.events import (
    Event,
    EventKind,
    Payload,
    card_to_json,
)
from scoring.store.fold import in_the_way, last_confirmation, last_deletion, redo_target, undo_target
from scoring.store.state import DraftCard, MatchState
from ui import commands as c
from ui.checks import (
    MAX_MELD,
    check_room,
    check_side,
    find_card,
    find_meld,
    find_meld_of,
    find_unread,
    meld_text,
    on_side,
    refuse,
)
from ui.spot import centre, spot

Compiled = tuple[EventKind, Payload]
NewId = Callable[[], str]


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
def _(command: c.NameUnread, state: MatchState, new_id: NewId) -> Compiled:
    side, meld, unread = find_unread(state, command.unread_id)
    check_room(state, side, meld.id, 1)
    at, _ = spot(meld.cards, unread.photo, centre(unread.quad))
    card = card_to_json(DraftCard(new_id(), command.card, quad=unread.quad, photo=unread.photo))
    return EventKind.CARD_ADDED, on_side(state, side, card=card, meld_id=meld.id, at=at, unread_id=unread.id)


@compile_command.register
def _(command: c.DismissUnread, state: MatchState, new_id: NewId) -> Compiled:
    side, _, unread = find_unread(state, command.unread_id)
    return EventKind.UNREAD_DISMISSED, on_side(state, side, unread_id=unread.id)


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
    return EventKind.MELD_ADDED, payload | ({"pile": True} if command.pile else {})


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
def _(command: c.KeepReading, state: MatchState, new_id: NewId) -> Compiled:
    side, meld = find_meld(state, command.meld_id)
    ids = [card.id for card in meld.cards]
    return EventKind.READING_KEPT, on_side(state, side, meld_id=meld.id, card_ids=ids, laid=meld_text(meld))


@compile_command.register
def _(command: c.AssignGroup, state: MatchState, new_id: NewId) -> Compiled:
    check_side(state, command.side)
    if command.owner is not None:
        check_side(state, command.owner)
    if command.meld_id is None:
        meld_id, cards = new_id(), state.current.sides[command.side].loose
        if not cards:
            raise refuse("refused.empty_meld")
    else:
        meld = find_meld_of(state, command.side, command.meld_id)
        meld_id, cards = meld.id, meld.cards
    owner = command.owner if command.role.owned and command.owner != command.side else None
    ids = [card.id for card in cards]
    payload = on_side(state, command.side, meld_id=meld_id, card_ids=ids, role=command.role.value, owner=owner)
    return EventKind.GROUP_ASSIGNED, payload


@compile_command.register
def _(command: c.MarkPile, state: MatchState, new_id: NewId) -> Compiled:
    side, meld = find_meld(state, command.meld_id)
    ids = [card.id for card in meld.cards]
    return EventKind.PILE_MARKED, on_side(state, side, meld_id=meld.id, card_ids=ids, pile=command.pile)
