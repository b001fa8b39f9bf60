"""Naive readings of a meld, written apart from the engine: every order is tried, place by place."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import permutations
from typing import NamedTuple

from scoring.cards import JOLLY, Card, Rank, Suit
from scoring.regolamento import Regolamento

RANKS = list(Rank)


class Naive(NamedTuple):
    classe: str
    card_points: int
    bonus: int
    low: int
    wilds: tuple[int, ...]  # places of the wilds in the given order


def can_be_wild(card: Card) -> bool:
    return card == JOLLY or card.rank is Rank.TWO


def value(card: Card, natural: bool, rules: Regolamento) -> int:
    if natural and card.rank is Rank.TWO:
        return rules.values.natural_two
    if card.rank is None:
        return rules.values.jolly
    if card.rank is Rank.TWO:
        return rules.values.pinella
    return int(getattr(rules.values, card.rank.name.lower()))


def class_of(kind: str, size: int, wilds: tuple[int, ...], rules: Regolamento) -> str:
    if size < 7:
        return "none"
    if not wilds:
        return "pulito"
    before, after = wilds[0], size - 1 - wilds[0]
    switch = rules.classes.semipulito.value
    if kind == "set":
        clean = size - 1 >= 7
    elif switch == "contiguous7":
        clean = before >= 7 or after >= 7
    else:
        clean = (before == 0 or after == 0) and size - 1 >= 7
    return "semipulito" if clean and switch != "off" else "sporco"


def result(kind: str, order: tuple[Card, ...], wilds: tuple[int, ...], low: int, rules: Regolamento) -> Naive:
    classe = class_of(kind, len(order), wilds, rules)
    points = sum(value(card, at not in wilds and kind == "run", rules) for at, card in enumerate(order))
    bonus = {"none": 0, "pulito": 200, "semipulito": 150, "sporco": 100}[classe]
    return Naive(classe, points, bonus, low, wilds)


@cache
def places(size: int) -> list[tuple[tuple[Card, ...], int]]:
    """Every row of neighbours of one suit, rising and falling, and the number of its lowest."""
    rows = []
    for suit in Suit:
        for low in range(1, 16 - size):
            row = tuple(Card.parse(RANKS[(number - 1) % 13].value + suit.value) for number in range(low, low + size))
            rows += [(row, low), (row[::-1], low)]
    return rows


def read_exactly(order: tuple[Card, ...], rules: Regolamento) -> list[Naive]:
    """Readings in which every card stays where it lies."""
    found: list[Naive] = []
    if len(order) < 3 or all(can_be_wild(card) for card in order):
        return found
    for rank in RANKS:
        wilds = tuple(at for at, card in enumerate(order) if can_be_wild(card))
        rest = [card for card in order if not can_be_wild(card)]
        fits = all(card.rank is rank for card in rest) and len(wilds) <= 1 and len(rest) <= 8
        if fits and all(rest.count(card) <= 2 for card in rest):
            found.append(result("set", order, wilds, 0, rules))
    for wanted, low in places(len(order)):
        if order[0] != wanted[0] and order[1] != wanted[1]:
            continue  # two wilds already
        wilds = tuple(at for at, card in enumerate(order) if card != wanted[at])
        if len(wilds) > 1 or len(order) - len(wilds) > 13 or not all(can_be_wild(order[at]) for at in wilds):
            continue
        if sum(card.rank is Rank.ACE for at, card in enumerate(order) if at not in wilds) < 2:
            found.append(result("run", order, wilds, low, rules))
    return found


def moves(order: tuple[Card, ...]) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Every order made by moving one jolly or 2, and where it went."""
    for at, card in enumerate(order):
        if can_be_wild(card):
            rest = order[:at] + order[at + 1 :]
            for to in range(len(order)):
                yield (*rest[:to], card, *rest[to:]), to


def sensible_orders(cards: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """Orders among which every legal one is found: naturals rising, the ace at either end, one card anywhere."""

    def low(card: Card) -> int:
        return card.rank.number if card.rank else 0

    def high(card: Card) -> int:
        return 14 if card.rank is Rank.ACE else low(card)

    for key in (low, high):
        ordered = tuple(sorted(cards, key=key))
        yield ordered
        for order, _ in moves(ordered):
            yield order


AnyOrder = list[tuple[Naive, tuple[Card, ...]]]


def read_any_order(cards: tuple[Card, ...], rules: Regolamento, full: bool = False) -> AnyOrder:
    """Readings of the cards in whatever order; `full` tries every permutation."""
    return _read_sorted(tuple(sorted(cards, key=lambda card: card.index)), rules, full)


@lru_cache(maxsize=1000)
def _read_sorted(cards: tuple[Card, ...], rules: Regolamento, full: bool) -> AnyOrder:
    orders = set(permutations(cards)) if full else set(sensible_orders(cards))
    return [(reading, order) for order in orders for reading in read_exactly(order, rules)]


def pinned_twos(order: tuple[Card, ...]) -> list[Card]:
    """2s beside their 3 with every higher card of the suit beyond the 3."""
    found = []
    for suit in Suit:
        two, three = Card(Rank.TWO, suit), Card(Rank.THREE, suit)
        above = [at for at, c in enumerate(order) if c.suit is suit and c.rank and c.rank.number > 3]
        for at in range(len(order) - 1):
            pair = order[at : at + 2]
            rising = pair == (two, three) and all(other > at + 1 for other in above)
            falling = pair == (three, two) and all(other < at for other in above)
            if above and (rising or falling):
                found.append(two)
    return found


def uses_pinned(reading: Naive, order: tuple[Card, ...], pinned: list[Card]) -> bool:
    return any(order[at] in pinned and order.count(order[at]) == 1 for at in reading.wilds)


def answer(order: tuple[Card, ...], rules: Regolamento) -> Naive | None:
    """The order of choice: as laid, else the best with one wild moved, else none."""
    exact = read_exactly(order, rules)
    if exact:
        assert len({reading[:3] for reading in exact}) == 1, exact
        return exact[0]
    pinned = pinned_twos(order)
    moved = [
        reading
        for new, to in moves(order)
        for reading in read_exactly(new, rules)
        if set(reading.wilds) <= {to} and not uses_pinned(reading, new, pinned)
    ]
    return min(moved, key=lambda r: (-r.card_points - r.bonus, r.low), default=None)


def alternatives(order: tuple[Card, ...], rules: Regolamento, full: bool = False) -> set[tuple[str, int]]:
    """(class, total) of every reading that differs from the answer's."""
    chosen, pinned = answer(order, rules), pinned_twos(order)
    found = {
        (reading.classe, reading.card_points + reading.bonus)
        for reading, new in read_any_order(order, rules, full)
        if chosen is None or not uses_pinned(reading, new, pinned)
    }
    return found - ({(chosen.classe, chosen.card_points + chosen.bonus)} if chosen else set())
