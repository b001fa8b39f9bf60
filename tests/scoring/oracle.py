"""Naive readings of a meld, written apart from the engine: every order is tried, place by place."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import permutations
from typing import NamedTuple

from scoring.cards import Card, Rank, Suit
from scoring.regolamento import Regolamento

RANKS = list(Rank)


class Naive(NamedTuple):
    classe: str
    card_points: int
    bonus: int
    low: int
    wilds: tuple[int, ...]  # places of the wilds in the given order


def can_be_wild(card: Card) -> bool:
    return card.rank is Rank.TWO or card.rank is None


def value(card: Card, natural: bool, rules: Regolamento) -> int:
    if natural and card.rank is Rank.TWO:
        return rules.values.natural_two
    if card.rank is None:
        return rules.values.jolly
    if card.rank is Rank.TWO:
        return rules.values.pinella
    return int(getattr(rules.values, card.rank.name.lower()))


def class_of_set(naturals: int, wilds: int, rules: Regolamento) -> str:
    switches = rules.classes
    if naturals + wilds < switches.burraco_cards:
        return "none"
    if naturals >= switches.super_cards and switches.super.value != "off" and not wilds:
        return "super"
    if naturals >= switches.super_cards and switches.super_sporco and wilds:
        return "super_sporco"
    if not wilds:
        return "pulito"
    clean = switches.semipulito.value != "off" and naturals >= switches.semipulito_naturals
    return "semipulito" if clean else "sporco"


def class_of_run(numbers: tuple[int, ...], wilds: tuple[int, ...], rules: Regolamento) -> str:
    """`numbers` are the places as laid, ace 1 or 14, and `wilds` those of them that a wild fills."""
    switches, taken = rules.classes, set(numbers)
    if len(numbers) < switches.burraco_cards:
        return "none"
    ace_to_king, two_to_ace = set(range(1, 14)) <= taken, set(range(2, 15)) <= taken
    if not wilds:
        if ace_to_king and two_to_ace and switches.aa:
            return "aa"
        kinds = {"off": False, "ace_to_king": ace_to_king, "any_thirteen": ace_to_king or two_to_ace}
        if kinds[switches.reale.value]:
            return "reale"
        is_super = switches.super.value == "set_or_run" and len(numbers) >= switches.super_cards
        return "super" if is_super else "pulito"
    if switches.reale_sporco and (ace_to_king or (two_to_ace and 2 not in wilds)):
        return "reale_sporco"
    below = sum(number < wilds[0] for number in numbers)
    above = len(numbers) - 1 - below
    enough, switch = switches.semipulito_naturals, switches.semipulito.value
    clean = {
        "off": False,
        "contiguous7": below >= enough or above >= enough,
        "wild_at_end": max(below, above) >= enough and 0 in (below, above),
    }
    return "semipulito" if clean[switch] else "sporco"


def bonus_of(classe: str, rules: Regolamento) -> int:
    return 0 if classe == "none" else int(getattr(rules.bonus, classe))


Row = tuple[tuple[int, ...], tuple[int, ...]]


@cache
def rows(size: int) -> list[Row]:
    """Every row of neighbours of one suit (by index), rising and falling, with the number of each place."""
    found: list[Row] = []
    for suit in Suit:
        for low in range(1, 16 - size):
            numbers = tuple(range(low, low + size))
            row = tuple(Card.parse(RANKS[(number - 1) % 13].value + suit.value).index for number in numbers)
            found += [(row, numbers), (row[::-1], numbers[::-1])]
    return found


@cache
def rows_with(size: int, at: int, card: int) -> list[Row]:
    return [row for row in rows(size) if row[0][at] == card]


def read_exactly(order: tuple[Card, ...], rules: Regolamento) -> list[Naive]:
    """Readings in which every card stays where it lies."""
    if len(order) < 3 or all(can_be_wild(card) for card in order):
        return []
    if not rules.deck.jollies_per_pack and any(card.is_jolly for card in order):
        return []
    return [*sets_exactly(order, rules), *runs_exactly(order, rules)]


def sets_exactly(order: tuple[Card, ...], rules: Regolamento) -> Iterator[Naive]:
    wilds = tuple(at for at, card in enumerate(order) if can_be_wild(card))
    rest = [card for card in order if not can_be_wild(card)]
    rank, packs = rest[0].rank, rules.deck.packs
    if any(card.rank is not rank for card in rest) or rank not in rules.sets.ranks:
        return
    few = len(rest) <= min(rules.sets.max_naturals, 4 * packs) and all(rest.count(card) <= packs for card in rest)
    if few and len(wilds) <= rules.wilds.per_meld and len(order) >= rules.sets.min_cards:
        classe = class_of_set(len(rest), len(wilds), rules)
        points = sum(value(card, False, rules) for card in order)
        yield Naive(classe, points, bonus_of(classe, rules), 0, wilds)


def runs_exactly(order: tuple[Card, ...], rules: Regolamento) -> Iterator[Naive]:
    size, ends = len(order), 2 if rules.runs.aces.value == "both_ends" else 1
    if size < rules.runs.min_cards:
        return
    # with one wild at most, one of the first two cards lies where it belongs
    laid = [card.index for card in order]
    candidates = rows_with(size, 0, laid[0]) + [row for row in rows_with(size, 1, laid[1]) if row[0][0] != laid[0]]
    for wanted, numbers in candidates:
        wilds = tuple([at for at in range(size) if laid[at] != wanted[at]])
        if len(wilds) > rules.wilds.per_meld or not all(can_be_wild(order[at]) for at in wilds):
            continue
        aces = sum(card.rank is Rank.ACE for at, card in enumerate(order) if at not in wilds)
        if size - len(wilds) > rules.runs.max_naturals or aces > ends:
            continue
        classe = class_of_run(numbers, tuple(numbers[at] for at in wilds), rules)
        points = sum(value(card, at not in wilds, rules) for at, card in enumerate(order))
        yield Naive(classe, points, bonus_of(classe, rules), min(numbers), wilds)


def moves(order: tuple[Card, ...]) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Every order made by moving one jolly or 2, and where it went."""
    for at, card in enumerate(order):
        if can_be_wild(card):
            rest = order[:at] + order[at + 1 :]
            for to in range(len(order)):
                yield (*rest[:to], card, *rest[to:]), to


def sensible_orders(cards: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """Orders among which every legal one is found: naturals rising, the aces at either end, one card anywhere."""
    rising = sorted(cards, key=lambda card: card.rank.number if card.rank else 0)
    aces = sum(card.rank is Rank.ACE for card in cards)
    first = next((at for at, card in enumerate(rising) if card.rank), 0)
    for high in range(min(aces, 2) + 1):
        # the high aces go to the end, a jolly before them counts as the one card that may go anywhere
        ordered = tuple(rising[:first] + rising[first + high :] + rising[first : first + high])
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
    for at in range(len(order) - 1):
        two, three = sorted(order[at : at + 2], key=lambda card: card.index)
        if two.rank is not Rank.TWO or three.rank is not Rank.THREE or two.suit is not three.suit:
            continue
        above = [i for i, c in enumerate(order) if c.suit is two.suit and c.rank and c.rank.number > 3]
        rising = order[at] is two and all(i > at + 1 for i in above)
        falling = order[at] is three and all(i < at for i in above)
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
