"""Pure edits of one side; whatever names a card or meld that is not there changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from scoring.cards import Card
from scoring.store.state import CardSource, DraftCard, DraftMeld, GroupRole, SideDraft


def find_card(side: SideDraft, card_id: str) -> DraftCard | None:
    """The card with this id, in a meld or loose."""
    for card in all_cards(side):
        if card.id == card_id:
            return card
    return None


def find_meld(side: SideDraft, meld_id: str) -> DraftMeld | None:
    """The meld with this id."""
    return next((meld for meld in side.melds if meld.id == meld_id), None)


def all_cards(side: SideDraft) -> tuple[DraftCard, ...]:
    """Every card of the side, melds first."""
    return tuple(card for meld in side.melds for card in meld.cards) + side.loose


def _map_cards(side: SideDraft, change: Callable[[Sequence[DraftCard]], Sequence[DraftCard]]) -> SideDraft:
    """Change the card list of every meld and of the loose cards; a meld left empty goes."""
    melds = tuple(replace(meld, cards=tuple(change(meld.cards))) for meld in side.melds)
    return replace(side, melds=tuple(m for m in melds if m.cards), loose=tuple(change(side.loose)))


def clear(side: SideDraft) -> SideDraft:
    """Forget what was laid; what was answered stays."""
    return SideDraft(
        pozzetto=side.pozzetto,
        pozzetto_held=side.pozzetto_held,
        pozzetto_by=side.pozzetto_by,
        hands=side.hands,
        hands_of=side.hands_of,
        penalised=side.penalised,
        adjustments=side.adjustments,
    )


def change_card(side: SideDraft, card_id: str, card: Card) -> SideDraft:
    """Put another name on a card; a person's word has probability one and settles the doubt about it."""

    def rename(cards: Sequence[DraftCard]) -> Sequence[DraftCard]:
        return [replace(c, card=card, source=CardSource.USER, probability=1.0) if c.id == card_id else c for c in cards]

    return settle(_map_cards(side, rename), card_id)


def settle(side: SideDraft, card_id: str) -> SideDraft:
    """Drop the doubts about a card."""
    return replace(side, doubts=tuple(d for d in side.doubts if d.card_id != card_id))


def take(side: SideDraft, card_ids: Sequence[str]) -> tuple[SideDraft, tuple[DraftCard, ...]]:
    """Take cards out of the side, in the order asked for."""
    wanted = {card.id: card for card in all_cards(side) if card.id in set(card_ids)}
    rest = _map_cards(side, lambda cards: [c for c in cards if c.id not in wanted])
    return rest, tuple(wanted[i] for i in dict.fromkeys(card_ids) if i in wanted)


def remove_card(side: SideDraft, card_id: str) -> SideDraft:
    """Take a card off the table."""
    return settle(take(side, (card_id,))[0], card_id)


def insert(side: SideDraft, card: DraftCard, meld_id: str | None, at: int | None) -> SideDraft:
    """Lay a card into a meld before place `at` (None: at the end), or among the loose cards."""
    if meld_id is None:
        return replace(side, loose=_inserted(side.loose, card, at))
    if find_meld(side, meld_id) is None:
        return side
    melds = tuple(replace(m, cards=_inserted(m.cards, card, at)) if m.id == meld_id else m for m in side.melds)
    return replace(side, melds=melds)


def _inserted(cards: tuple[DraftCard, ...], card: DraftCard, at: int | None) -> tuple[DraftCard, ...]:
    place = len(cards) if at is None else max(0, min(at, len(cards)))
    return (*cards[:place], card, *cards[place:])


def move_card(side: SideDraft, card_id: str, meld_id: str | None, at: int | None) -> SideDraft:
    """Move a card to a meld of the side, within its own meld, or among the loose cards."""
    card = find_card(side, card_id)
    if card is None or (meld_id is not None and find_meld(side, meld_id) is None):
        return side
    own = find_meld(side, meld_id) if meld_id else None
    if own is not None and own.cards == (card,):
        return side
    return insert(take(side, (card_id,))[0], card, meld_id, at)


def reorder(side: SideDraft, meld_id: str, card_ids: Sequence[str]) -> SideDraft:
    """Give a meld's cards a new order; cards not named keep their order at the end."""
    places = {card_id: i for i, card_id in enumerate(card_ids)}

    def ordered(meld: DraftMeld) -> DraftMeld:
        return replace(meld, cards=tuple(sorted(meld.cards, key=lambda c: places.get(c.id, len(places)))))

    return replace(side, melds=tuple(ordered(m) if m.id == meld_id else m for m in side.melds))


def split(side: SideDraft, meld_id: str, at: int, new_id: str) -> SideDraft:
    """Cut a meld before place `at`; the second half becomes a meld of its own right after it."""
    melds: list[DraftMeld] = []
    for meld in side.melds:
        if meld.id == meld_id and 0 < at < len(meld.cards):
            melds += [replace(meld, cards=meld.cards[:at]), DraftMeld(new_id, meld.cards[at:])]
        else:
            melds.append(meld)
    return replace(side, melds=tuple(melds))


def join(side: SideDraft, meld_id: str, other_id: str) -> SideDraft:
    """Append the other meld's cards to the first."""
    first, other = find_meld(side, meld_id), find_meld(side, other_id)
    if first is None or other is None or first is other:
        return side
    joined = replace(first, cards=first.cards + other.cards, unread=first.unread + other.unread)
    return replace(side, melds=tuple(joined if m is first else m for m in side.melds if m is not other))


def add_meld(side: SideDraft, meld_id: str, card_ids: Sequence[str], new: Sequence[DraftCard]) -> SideDraft:
    """Lay a new meld out of cards already on the side and of new ones."""
    rest, taken = take(side, card_ids)
    cards = (*taken, *new)
    return replace(rest, melds=(*rest.melds, DraftMeld(meld_id, cards)), nothing_laid=False) if cards else side


def remove_meld(side: SideDraft, meld_id: str) -> SideDraft:
    """Take a whole meld away, with the doubts about its cards."""
    meld = find_meld(side, meld_id)
    if meld is None:
        return side
    gone = {card.id for card in meld.cards}
    return replace(
        side,
        melds=tuple(m for m in side.melds if m is not meld),
        doubts=tuple(d for d in side.doubts if d.card_id not in gone),
    )


def assign(side: SideDraft, meld_id: str, card_ids: Sequence[str], role: GroupRole, owner: int | None) -> SideDraft:
    """Say what a group is and whose; cards that form none yet (loose ones) become the group of this id first."""
    if find_meld(side, meld_id) is None:
        side = add_meld(side, meld_id, card_ids, ())
    return _with_meld(side, meld_id, lambda meld: replace(meld, role=role, owner=owner))


def mark_pile(side: SideDraft, meld_id: str, pile: bool) -> SideDraft:
    """Mark a meld as a squared pile, or take the mark away."""
    return _with_meld(side, meld_id, lambda meld: replace(meld, pile=pile))


def dismiss(side: SideDraft, unread_id: str | None) -> SideDraft:
    """Ask no more about something that could not be read: it has a name now, or is no card."""
    return replace(
        side, melds=tuple(replace(m, unread=tuple(u for u in m.unread if u.id != unread_id)) for m in side.melds)
    )


def _with_meld(side: SideDraft, meld_id: str, change: Callable[[DraftMeld], DraftMeld]) -> SideDraft:
    return replace(side, melds=tuple(change(meld) if meld.id == meld_id else meld for meld in side.melds))


def keep_reading(side: SideDraft, meld_id: str, laid: str) -> SideDraft:
    """Keep that a meld counts as these cards lie, so that nobody is asked again while they lie so."""
    return _with_meld(side, meld_id, lambda meld: replace(meld, kept=laid))


def keep_twin(side: SideDraft, meld_id: str) -> SideDraft:
    """Take a meld for one of its own, not for another picture of its twin."""
    return _with_meld(side, meld_id, lambda meld: replace(meld, twin_of=None))
