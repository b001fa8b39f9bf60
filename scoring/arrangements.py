"""All legal ways a set of cards can lie as one meld, whatever the order they were laid in.

Works on face indices (`Card.index`), since the reading of photos asks this question thousands of times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from scoring.cards import JOLLY_INDEX, Rank
from scoring.classes import BurracoClass, class_of_run, class_of_set
from scoring.sections import Aces, Regolamento

RANKS = tuple(Rank)
SUIT_CARDS = len(RANKS)
LOW_ACE, HIGH_ACE = 1, SUIT_CARDS + 1


class MeldKind(StrEnum):
    """Sequenza: one suit, rising. Combinazione: one rank."""

    SEQUENZA = "sequenza"
    COMBINAZIONE = "combinazione"


class Arrangement(NamedTuple):
    """One legal way: faces from the lowest place up, the wild's place among them (-1 without), the points.

    `low` is the first place's number, ace 1 or 14; 0 in a combinazione, whose faces keep the laid order.
    """

    kind: MeldKind
    faces: tuple[int, ...]
    wild_at: int
    low: int
    classe: BurracoClass
    card_points: int
    bonus: int

    @property
    def total(self) -> int:
        return self.card_points + self.bonus


class Parts(NamedTuple):
    """Cards of a meld by what they can be; a 2 may be natural or wild."""

    jollies: int
    twos: list[int]
    others: list[int]


def parts_of(faces: Sequence[int]) -> Parts:
    """Split faces into jolly, 2s and the cards that are never wild."""
    twos = [face for face in faces if face % SUIT_CARDS == 1]
    others = [face for face in faces if face % SUIT_CARDS != 1 and face != JOLLY_INDEX]
    return Parts(len(faces) - len(twos) - len(others), twos, others)


def arrangements(faces: Sequence[int], regolamento: Regolamento) -> Iterator[Arrangement]:
    """Every legal arrangement, each once; none where the cards are no meld in any order.

    >>> from scoring.cards import FACES, parse_cards
    >>> from scoring.regolamento import load_regolamento
    >>> def orders(text: str, name: str = "fibur") -> list[str]:
    ...     found = arrangements([card.index for card in parse_cards(text)], load_regolamento(name))
    ...     return [" ".join(str(FACES[face]) for face in arrangement.faces) for arrangement in found]
    >>> orders("8♠ JK 9♠"), orders("3♥ 2♥ 4♥")
    (['JK 8♠ 9♠', '8♠ 9♠ JK'], ['3♥ 4♥ 2♥', '2♥ 3♥ 4♥'])
    >>> orders("Q♥ K♥ A♥"), orders("K♥ A♥ 3♥"), orders("K♠ K♥ K♦", "reale")
    (['Q♥ K♥ A♥'], [], [])
    """
    parts = parts_of(faces)
    if not parts.others or (parts.jollies and not regolamento.deck.jollies_per_pack):
        return
    first = parts.others[0]
    if all(face % SUIT_CARDS == first % SUIT_CARDS for face in parts.others):
        yield from _sets(faces, parts, regolamento)
    suit = first // SUIT_CARDS
    if all(face // SUIT_CARDS == suit for face in parts.others):
        yield from _runs(faces, parts, suit, regolamento)


def _sets(faces: Sequence[int], parts: Parts, regolamento: Regolamento) -> Iterator[Arrangement]:
    rules, packs = regolamento.sets, regolamento.deck.packs
    wilds, naturals = parts.jollies + len(parts.twos), len(parts.others)
    if wilds > regolamento.wilds.per_meld or naturals > rules.max_naturals or len(faces) < rules.min_cards:
        return
    if RANKS[parts.others[0] % SUIT_CARDS] not in rules.ranks:
        return
    if naturals > packs and any(parts.others.count(face) > packs for face in set(parts.others)):
        return
    classe, _ = class_of_set(len(faces), wilds, regolamento)
    values = regolamento.values.by_face
    wild_at = next((i for i, face in enumerate(faces) if face == JOLLY_INDEX or face % SUIT_CARDS == 1), -1)
    points = sum(values[face] for face in faces)
    yield Arrangement(MeldKind.COMBINAZIONE, tuple(faces), wild_at, 0, classe, points, regolamento.bonus.of(classe))


def _runs(faces: Sequence[int], parts: Parts, suit: int, regolamento: Regolamento) -> Iterator[Arrangement]:
    if len(faces) < regolamento.runs.min_cards or len(faces) > HIGH_ACE:
        return
    for two, wild in _wild_choices(parts, suit * SUIT_CARDS + 1, regolamento):
        naturals = len(faces) - (wild is not None)
        if naturals > regolamento.runs.max_naturals:
            continue
        points = sum(regolamento.values.by_face[face] for face in faces)
        if two:
            points += regolamento.values.natural_two - regolamento.values.pinella
        numbers = {face % SUIT_CARDS + 1 for face in parts.others}
        if two:
            numbers.add(2)
        for places in _aces(numbers, naturals, parts.others.count(suit * SUIT_CARDS), regolamento):
            for low, wild_at in _fills(places, wild is not None):
                if wild == suit * SUIT_CARDS + 1 and low + wild_at == 2:
                    continue
                yield _run(suit, low, len(faces), wild_at, wild, points, regolamento)


def _run(
    suit: int, low: int, size: int, wild_at: int, wild: int | None, points: int, regolamento: Regolamento
) -> Arrangement:
    faces = [suit * SUIT_CARDS + (number - 1) % SUIT_CARDS for number in range(low, low + size)]
    if wild is not None:
        faces[wild_at] = wild
    classe, _ = class_of_run(low, size, wild_at, regolamento)
    return Arrangement(MeldKind.SEQUENZA, tuple(faces), wild_at, low, classe, points, regolamento.bonus.of(classe))


def _wild_choices(parts: Parts, own_two: int, regolamento: Regolamento) -> Iterator[tuple[bool, int | None]]:
    """Whether a 2 of the suit lies natural, and which face is the wild."""
    off_suit = [face for face in parts.twos if face != own_two]
    own, hard = len(parts.twos) - len(off_suit), parts.jollies + len(off_suit)
    for natural in (0, 1):
        wilds = hard + own - natural
        if own >= natural and wilds <= regolamento.wilds.per_meld:
            wild = None if not wilds else own_two if not hard else off_suit[0] if off_suit else JOLLY_INDEX
            yield bool(natural), wild


def _aces(numbers: set[int], naturals: int, aces: int, regolamento: Regolamento) -> Iterator[set[int]]:
    """Places of the naturals, the ace low or high; nothing where two naturals want one place."""
    if naturals == len(numbers):
        yield numbers
        if aces:
            yield numbers - {LOW_ACE} | {HIGH_ACE}
    elif aces == 2 and naturals == len(numbers) + 1 and regolamento.runs.aces is Aces.BOTH_ENDS:
        yield numbers | {HIGH_ACE}


def _fills(places: set[int], wild: bool) -> Iterator[tuple[int, int]]:
    """First place of the run and the wild's distance from it (-1 without), lowest first."""
    low, high = min(places), max(places)
    missing = high - low + 1 - len(places)
    if not wild:
        if not missing:
            yield low, -1
    elif missing == 1:
        yield low, next(number for number in range(low, high) if number not in places) - low
    elif not missing:
        if low > LOW_ACE:
            yield low - 1, 0
        if high < HIGH_ACE:
            yield low, high + 1 - low
