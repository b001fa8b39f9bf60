"""Figures typed in that no cards and no burrachi can make: sums, counts, points in hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd

from scoring.arrangements import HIGH_ACE, SUIT_CARDS
from scoring.cards import FACES
from scoring.classes import BurracoClass
from scoring.ledger import FaultCode, SmazzataFault
from scoring.sections import Regolamento
from scoring.sides import Side, SideCounts, SideMelds, SideSums, points_step


def figure_faults(number: int, side: Side, regolamento: Regolamento) -> Iterator[SmazzataFault]:
    """What is wrong with the figures of one side.

    >>> from scoring.regolamento import load_regolamento
    >>> found = figure_faults(0, Side(SideSums(30_000, 75)), load_regolamento("fibur"))
    >>> [(fault.code.value, fault.seen, fault.limit) for fault in found]
    [('too_many_points', '30000', 1080), ('no_sum_of_burrachi', '75', 0)]
    """
    step, most = points_step(regolamento), _points_of_deck(regolamento)
    for points in _typed(side, regolamento):
        if points > most:
            yield SmazzataFault(FaultCode.TOO_MANY_POINTS, number, seen=str(points), limit=most)
        elif points % step:
            yield SmazzataFault(FaultCode.ODD_POINTS, number, seen=str(points))
    if isinstance(side.laid, SideSums) and not _is_sum_of_burrachi(side.laid.bonus_points, regolamento):
        yield SmazzataFault(FaultCode.NO_SUM_OF_BURRACHI, number, seen=str(side.laid.bonus_points))
    if isinstance(side.laid, SideCounts):
        cards, heaps = side.laid.parted(regolamento)
        counted = 0 if heaps else sum(count for _, count in cards)
        known = regolamento.class_keys
        needed = sum(_fewest(classe, regolamento) * count for classe, count in side.laid.burrachi if classe in known)
        if 0 < counted < needed:
            yield SmazzataFault(FaultCode.TOO_FEW_FOR_BURRACHI, number, seen=str(counted), limit=needed)


def together_faults(sides: Sequence[Side], regolamento: Regolamento) -> Iterator[SmazzataFault]:
    """Sums of which each could be, but not all together: the packs hold no so many points."""
    most = _points_of_deck(regolamento)
    typed = [points for side in sides for points in _typed(side, regolamento)]
    total = sum(typed) + sum(_known(side, regolamento) for side in sides)
    if typed and max(typed) <= most < total:
        yield SmazzataFault(FaultCode.TOO_MANY_POINTS_TOGETHER, seen=str(total), limit=most)


def _typed(side: Side, regolamento: Regolamento) -> list[int]:
    """Points of cards that were typed in as sums, or counted in heaps."""
    laid = [side.laid.card_points] if isinstance(side.laid, SideSums) else []
    if isinstance(side.laid, SideCounts):
        laid = [sum(points * count for points, count in side.laid.parted(regolamento)[1])]
    return laid + [held.points for held in side.holdings if held.points is not None]


def _known(side: Side, regolamento: Regolamento) -> int:
    """The least that the cards given one by one, or counted, can be worth."""
    values = regolamento.values
    counts = side.laid.parted(regolamento)[0] if isinstance(side.laid, SideCounts) else ()
    laid = [card for meld in side.laid.melds for card in meld] if isinstance(side.laid, SideMelds) else []
    twos = sum(card.is_two for card in laid) * max(values.pinella - values.natural_two, 0)
    held = [card for one in side.holdings for card in one.cards]
    return sum(values.of(card) for card in (*laid, *held)) - twos + sum(value * count for value, count in counts)


def _points_of_deck(regolamento: Regolamento) -> int:
    values, deck = regolamento.values, regolamento.deck
    worth = ((max(values.of(card), values.natural_two) if card.is_two else values.of(card), card) for card in FACES)
    return sum(points * deck.copies(card) for points, card in worth)


def _is_sum_of_burrachi(points: int, regolamento: Regolamento) -> bool:
    """Whether burrachi of the classes that exist can make so many points, with no more cards than the packs hold."""
    bonuses = {regolamento.bonus.of(classe) for classe in regolamento.class_keys} - {0}
    step = gcd(*bonuses)
    most = regolamento.deck.size // regolamento.classes.burraco_cards
    if not points or not step or points % step or points > most * max(bonuses):
        return not points
    sums = {0}
    for _ in range(most):
        sums |= {made + bonus for made in sums for bonus in bonuses if made + bonus <= points}
        if points in sums:
            return True
    return False


def _fewest(classe: BurracoClass, regolamento: Regolamento) -> int:
    """The fewest cards that make a burraco of this class."""
    rules = regolamento.classes
    fewest = {
        BurracoClass.SEMIPULITO: rules.semipulito_naturals + 1,
        BurracoClass.REALE: SUIT_CARDS,
        BurracoClass.REALE_SPORCO: SUIT_CARDS,
        BurracoClass.AA: HIGH_ACE,
        BurracoClass.SUPER: rules.super_cards,
        BurracoClass.SUPER_SPORCO: rules.super_cards + 1,
    }
    return max(fewest.get(classe, 0), rules.burraco_cards)
