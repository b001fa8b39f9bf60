"""What a command may name: sides, cards, melds, points, names; else a refusal that says why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoring.formato import Formato
from scoring.smazzata_text import clean_name
from scoring.store import edits
from scoring.store.state import DraftCard, DraftMeld, DraftUnread, MatchState
from ui.errors import Refused
from ui.viewmodels import Message

MAX_NAME = 60
MAX_POINTS = 100_000
MAX_MELD = 30


def refuse(key: str, **params: str | int | Message) -> Refused:
    """A refusal with its message."""
    return Refused(Message(key, params))


def checked_names(names: Sequence[str], formato: Formato) -> tuple[str, ...]:
    """Different, non-empty names of bearable length, as many as the formato counts; raises Refused."""
    if len(names) != formato.parties:
        raise refuse("refused.names_count", count=len(names), wanted=formato.parties)
    checked = tuple(map(checked_name, names))
    if not all(checked):
        raise refuse("refused.empty_name")
    for place, name in enumerate(checked):
        if name.casefold() in {other.casefold() for other in checked[:place]}:
            raise refuse("refused.equal_names", name=name)
    return checked


def checked_name(name: str) -> str:
    """A name as it is kept; raises Refused where it holds what cannot be seen."""
    try:
        return clean_name(name, MAX_NAME)
    except ValueError as error:
        raise refuse("refused.hidden_name", name=str(error)) from error


def on_side(state: MatchState, side: int, **payload: Any) -> dict[str, Any]:
    """A payload about one side of the open smazzata."""
    return {"smazzata": state.current.number, "side": side, **payload}


def check_side(state: MatchState, side: int) -> None:
    """Refuse a side that does not sit at the table."""
    most = len(state.current.sides) - 1
    if not 0 <= side <= most:
        raise refuse("refused.no_such_side", side=side, most=most)


def check_players(state: MatchState, side: int, players: Sequence[int]) -> None:
    """Refuse a player who does not sit on this side."""
    seated = state.formato.players_at(state.current.seating, side)
    if not all(0 <= player < seated for player in players):
        raise refuse("refused.no_such_player")


def check_points(points: int) -> None:
    """Refuse points nobody can have."""
    if not 0 <= points <= MAX_POINTS:
        raise refuse("refused.points", points=points, limit=MAX_POINTS)


def find_card(state: MatchState, card_id: str) -> tuple[int, DraftCard]:
    """A card of the open smazzata and its side; raises Refused."""
    for place, side in enumerate(state.current.sides):
        card = edits.find_card(side, card_id)
        if card is not None:
            return place, card
    raise refuse("refused.no_such_card")


def find_unread(state: MatchState, unread_id: str) -> tuple[int, DraftMeld, DraftUnread]:
    """Something that could not be read, with its meld and side; raises Refused."""
    for place, side in enumerate(state.current.sides):
        for meld in side.melds:
            for unread in meld.unread:
                if unread.id == unread_id:
                    return place, meld, unread
    raise refuse("refused.no_such_card")


def find_meld(state: MatchState, meld_id: str) -> tuple[int, DraftMeld]:
    """A meld of the open smazzata and its side; raises Refused."""
    for place, side in enumerate(state.current.sides):
        meld = edits.find_meld(side, meld_id)
        if meld is not None:
            return place, meld
    raise refuse("refused.no_such_meld")


def find_meld_of(state: MatchState, side: int, meld_id: str) -> DraftMeld:
    """A meld of this very side; raises Refused."""
    place, meld = find_meld(state, meld_id)
    if place != side:
        raise refuse("refused.other_side")
    return meld


def check_room(state: MatchState, side: int, meld_id: str | None, more: int) -> None:
    """Refuse cards for a meld that is not there or would grow beyond all measure."""
    there = len(find_meld_of(state, side, meld_id).cards) if meld_id is not None else 0
    if there + more > MAX_MELD:
        raise refuse("refused.meld_too_long", limit=MAX_MELD)


def meld_text(meld: DraftMeld) -> str:
    """The cards of a meld as text."""
    return " ".join(str(card.card) for card in meld.cards)
