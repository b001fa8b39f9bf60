"""What of an irregular meld still counts, and which cards a referee may count negative (RULES 5, R12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from scoring.arrangements import HIGH_ACE, LOW_ACE, RANKS, SUIT_CARDS
from scoring.cards import JOLLY, JOLLY_INDEX, Card, Suit
from scoring.meld import MeldFault, read_meld
from scoring.sections import Aces, Regolamento


@dataclass(frozen=True, slots=True)
class LegalPart:
    """The points of the cards that make a meld, and the cards left over; nothing is negative until a person says so."""

    countable: int
    surplus: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """Positions kept and their points; the better of two lies more nearly as it counts, then counts more."""

    kept: frozenset[int]
    rank: tuple[bool, bool, bool, int]


def legal_part(cards: Sequence[Card], regolamento: Regolamento) -> LegalPart:
    """The largest legal part: as it lies rather than put in order, then with the most points; the rest is surplus.

    >>> from scoring.cards import parse_cards
    >>> from scoring.regolamento import load_regolamento
    >>> part = legal_part(parse_cards("4♥ 5♥ 6♥ 9♠"), load_regolamento("fibur"))
    >>> part.countable, [str(card) for card in part.surplus]
    (15, ['9♠'])
    """
    cards = tuple(cards)
    choices = sorted(_choices(Counter(card.index for card in cards), regolamento), key=len, reverse=True)
    for _, equally_long in groupby(choices, key=len):
        parts = [part for faces in equally_long for part in _parts(cards, faces, regolamento)]
        if parts:
            best = max(parts, key=lambda part: part.rank)
            return LegalPart(best.rank[-1], tuple(card for at, card in enumerate(cards) if at not in best.kept))
    return LegalPart(0, cards)


def _parts(cards: tuple[Card, ...], faces: list[int], regolamento: Regolamento) -> Iterator[_Part]:
    """Where these faces lie as a meld among the cards; of equal cards the first, or the last."""
    for order in (range(len(cards)), range(len(cards) - 1, -1, -1)):
        wanted, kept = Counter(faces), []
        for at in order:
            if wanted[cards[at].index]:
                wanted[cards[at].index] -= 1
                kept.append(at)
        laid = tuple(cards[at] for at in sorted(kept))
        meld = read_meld(laid, regolamento)
        if meld.reading:
            unmoved = meld.reading.cards in (laid, laid[::-1])
            yield _Part(frozenset(kept), (True, unmoved, not meld.questions, meld.card_points))
        elif meld.faults is MeldFault.OUT_OF_ORDER:
            yield _Part(frozenset(kept), (False, False, False, meld.alternatives[0].card_points))


def _choices(counts: Counter[int], regolamento: Regolamento) -> Iterator[list[int]]:
    """Faces that could make a meld, for each rank and each stretch of a suit: as many as there are."""
    wilds = sorted(
        (face for face in (JOLLY_INDEX, *range(1, JOLLY_INDEX, SUIT_CARDS)) if counts[face]),
        key=lambda face: -regolamento.values.by_face[face],
    )
    if not regolamento.deck.copies(JOLLY) and JOLLY_INDEX in wilds:
        wilds.remove(JOLLY_INDEX)
    if not regolamento.wilds.per_meld:
        wilds = []
    yield from _set_choices(counts, wilds, regolamento)
    for suit in range(len(Suit)):
        yield from _run_choices(counts, wilds, suit * SUIT_CARDS, regolamento)


def _set_choices(counts: Counter[int], wilds: list[int], regolamento: Regolamento) -> Iterator[list[int]]:
    for rank in regolamento.sets.ranks:
        faces = range(RANKS.index(rank), JOLLY_INDEX, SUIT_CARDS)
        naturals = [face for face in faces for _ in range(min(counts[face], regolamento.deck.packs))]
        naturals = naturals[: regolamento.sets.max_naturals]
        if naturals:
            yield naturals + wilds[:1]


def _run_choices(counts: Counter[int], wilds: list[int], first: int, regolamento: Regolamento) -> Iterator[list[int]]:
    rules = regolamento.runs
    two_aces = rules.aces is Aces.BOTH_ENDS and counts[first] > 1
    held = [number for number in range(LOW_ACE, HIGH_ACE + 1) if counts[first + (number - 1) % SUIT_CARDS]]
    for low in range(LOW_ACE, HIGH_ACE + 1):
        for high in range(low + rules.min_cards - 1, HIGH_ACE + 1):
            numbers = [number for number in held if low <= number <= high]
            if not two_aces and LOW_ACE in numbers and HIGH_ACE in numbers:
                numbers.remove(HIGH_ACE)
            missing = high - low + 1 - len(numbers)
            if missing > 1 or len(numbers) > rules.max_naturals:
                continue
            faces = [first + (number - 1) % SUIT_CARDS for number in numbers]
            spare = [face for face in wilds if counts[face] > (face in faces)] if missing else []
            if missing == len(spare[:1]):
                yield faces + spare[:1]
