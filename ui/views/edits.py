"""From a tap in the table component to a command of the services."""

from __future__ import annotations

from scoring.cards import Card, parse_cards
from scoring.store.state import GroupRole
from ui import commands as c
from ui.components.table import LOOSE_GROUP, NEW_GROUP, Edit, EditKind
from ui.spot import spot
from ui.viewmodels import SideView


def command_of(edit: Edit, side: int, view: SideView) -> c.Command:
    """The command that an edit asks for; CardError for a face that is no card, ValueError for an unknown id."""
    match edit.kind:
        case EditKind.ACCEPT | EditKind.CHANGE:
            return c.ChangeCard(edit.card, Card.parse(edit.face))
        case EditKind.ADD:
            return _added(edit, side, view)
        case EditKind.ADD_MANY:
            return _added_many(edit, side)
        case EditKind.REMOVE:
            return c.RemoveCard(edit.card)
        case EditKind.MOVE:
            return _moved(edit, side)
        case EditKind.SHIFT:
            return _shifted(edit, view)
        case EditKind.JOIN:
            return c.JoinMelds(edit.group, edit.other)
        case EditKind.SPLIT:
            return c.SplitMeld(edit.group, edit.at)
        case EditKind.REMOVE_MELD:
            return c.RemoveMeld(edit.group)
        case EditKind.KEEP_TWIN:
            return c.KeepTwin(edit.group)
        case EditKind.ASSIGN:
            meld_id = None if edit.group == LOOSE_GROUP else edit.group
            return c.AssignGroup(side, GroupRole(edit.other), meld_id, edit.at)
        case EditKind.PILE:
            if edit.card:
                return c.AddMeld(side, card_ids=(edit.card,), pile=True)
            return c.MarkPile(edit.group, edit.at == 1)
        case EditKind.NAME_UNREAD:
            return c.NameUnread(edit.card, Card.parse(edit.face))
        case EditKind.NOT_A_CARD:
            return c.DismissUnread(edit.card)
        case EditKind.UNDO:
            return c.Undo()
        case EditKind.REDO:
            return c.Redo()


def _added(edit: Edit, side: int, view: SideView) -> c.Command:
    card = Card.parse(edit.face)
    if edit.group == NEW_GROUP:
        return c.AddMeld(side, cards=(card,))
    meld_id = None if edit.group == LOOSE_GROUP else edit.group
    if not edit.photo:
        return c.AddCard(side, meld_id, card)
    group = view.loose if meld_id is None else next((meld.cards for meld in view.melds if meld.id == meld_id), ())
    at, quad = spot(group, edit.photo, (edit.x, edit.y))
    return c.AddCard(side, meld_id, card, at, edit.photo, quad)


def _added_many(edit: Edit, side: int) -> c.Command:
    cards = parse_cards(edit.faces)
    if edit.group == NEW_GROUP:
        return c.AddMeld(side, cards=cards)
    return c.AddCards(side, None if edit.group == LOOSE_GROUP else edit.group, cards)


def _moved(edit: Edit, side: int) -> c.Command:
    if edit.group == NEW_GROUP:
        return c.AddMeld(side, card_ids=(edit.card,))
    return c.MoveCard(edit.card, None if edit.group == LOOSE_GROUP else edit.group)


def _shifted(edit: Edit, view: SideView) -> c.Command:
    for meld in view.melds:
        order = [card.id for card in meld.cards]
        if edit.card in order:
            place = order.index(edit.card)
            order.insert(max(0, place + edit.offset), order.pop(place))
            return c.ReorderMeld(meld.id, tuple(order))
    raise ValueError(f"card {edit.card!r} lies in no meld of this side")
