"""Groups of cards on the photos: whose they are, what they are, and what that means for the score."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.cards import Card, cards_text
from scoring.ledger import Punteggio
from scoring.marks import check_marks
from scoring.meld import Meld, read_meld
from scoring.regolamento import Regolamento
from scoring.sides import Held
from scoring.store.state import DraftMeld, GroupRole, SmazzataState
from ui.viewmodels import MeldView


def faces(group: DraftMeld) -> tuple[Card, ...]:
    """The cards of a group by name."""
    return tuple(card.card for card in group.cards)


def shown_hands(smazzata: SmazzataState, place: int) -> tuple[Held, ...]:
    """The hands of a side that photos show."""
    return tuple(Held(faces(group)) for group in smazzata.groups(place, GroupRole.HAND))


def hands_of(smazzata: SmazzataState, place: int, players: int) -> tuple[Held, ...]:
    """What a side holds: one answer for all, or those of the players who may still hold cards; and what photos show."""
    draft = smazzata.sides[place]
    shown = shown_hands(smazzata, place)
    if not draft.hands_of:
        return (*(draft.hands or ()), *shown)
    holders = smazzata.holders(place, players)
    told = zip(draft.hands or (), draft.hands_of, strict=False)
    return (*(held for held, player in told if player in holders), *shown)


def pozzetto_held(smazzata: SmazzataState, regolamento: Regolamento, place: int) -> Held | None:
    """The cards of a pozzetto not played: as answered, with those that photos show."""
    told = smazzata.sides[place].pozzetto_held
    shown = tuple(card for group in smazzata.groups(place, GroupRole.POZZETTO) for card in faces(group))
    if told is None or not shown:
        return Held(shown) if shown else told
    if told.points is None:
        return Held(told.cards + shown)
    return Held(points=told.points + Held(shown).value(regolamento))


def read_groups(smazzata: SmazzataState, punteggio: Punteggio) -> dict[str, tuple[int, Meld]]:
    """Every scored meld by its id, with its number among those of its side."""
    return {
        group.id: (number, meld)
        for place, score in enumerate(punteggio.sides)
        for number, (group, meld) in enumerate(
            zip(smazzata.groups(place, GroupRole.LAID), score.melds, strict=False), start=1
        )
    }


def meld_view(group: DraftMeld, home: int, read: Mapping[str, tuple[int, Meld]], rules: Regolamento) -> MeldView:
    """A group of the side `home` as pages and API show it."""
    number, meld = read.get(group.id) or (0, read_meld(faces(group), rules))
    return MeldView(
        group.id,
        group.cards,
        meld,
        group.twin_of,
        check_marks(meld, _crosswise(group), rules),
        role=group.role,
        owner=home if group.owner is None else group.owner,
        number=number,
        pile=group.pile,
        covered=is_covered(group, rules),
        unread=group.unread,
        settled=bool(group.kept) and group.kept == cards_text(faces(group)),
    )


def is_covered(group: DraftMeld, rules: Regolamento) -> bool:
    """Tell whether a squared pile shows too few cards: only burrachi are squared, so some lie covered."""
    return group.pile and group.role is GroupRole.LAID and len(group.cards) < rules.classes.burraco_cards


def _crosswise(meld: DraftMeld) -> list[int]:
    """Places, from 0, of the cards that lie crosswise."""
    return [place for place, card in enumerate(meld.cards) if card.crosswise]
