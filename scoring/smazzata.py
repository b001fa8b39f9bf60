"""One smazzata: two sides as they ended, scored into a list of reasons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from math import gcd

from scoring.cards import Card
from scoring.classes import BurracoClass
from scoring.ledger import Detail, FaultCode, Punteggio, Reason, SideScore, SmazzataFault, Voce
from scoring.meld import Meld, read_meld
from scoring.sections import BurracoNeed, Regolamento

__all__ = [
    "Detail",
    "FaultCode",
    "Held",
    "Laid",
    "Pozzetto",
    "Punteggio",
    "Reason",
    "Side",
    "SideCounts",
    "SideMelds",
    "SideScore",
    "SideSums",
    "SmazzataFault",
    "Voce",
    "score_smazzata",
]


class Pozzetto(StrEnum):
    """What became of a side's pozzetto."""

    NOT_TAKEN = "not_taken"
    PLAYED = "played"
    NOT_PLAYED = "not_played"


@dataclass(frozen=True, slots=True)
class SideMelds:
    """What a side laid, card by card, in the order it lies."""

    melds: tuple[tuple[Card, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class SideCounts:
    """What a side laid, counted: (card value, how many) and (class of burraco, how many)."""

    cards_by_value: tuple[tuple[int, int], ...] = ()
    burrachi: tuple[tuple[BurracoClass, int], ...] = ()

    def __post_init__(self) -> None:
        for key, count in chain[tuple[object, int]](self.cards_by_value, self.burrachi):
            if count < 0:
                raise ValueError(f"{key}: {count} is no count; expected 0 or more")

    @classmethod
    def of(cls, cards_by_value: Mapping[int, int], burrachi: Mapping[BurracoClass, int]) -> SideCounts:
        """The same from two mappings."""
        return cls(tuple(cards_by_value.items()), tuple(burrachi.items()))


@dataclass(frozen=True, slots=True)
class SideSums:
    """What a side laid, as two sums."""

    card_points: int = 0
    bonus_points: int = 0


Laid = SideMelds | SideCounts | SideSums


@dataclass(frozen=True, slots=True)
class Held:
    """Cards somebody still holds, card by card or as a sum of their values: one of the two."""

    cards: tuple[Card, ...] = ()
    points: int | None = None

    def __post_init__(self) -> None:
        if self.points is not None and (self.cards or self.points < 0):
            raise ValueError(f"held: {self.points} and {len(self.cards)} cards; expected cards or a sum of 0 or more")

    def value(self, regolamento: Regolamento) -> int:
        """Points of the cards, a 2 as pinella."""
        return sum(map(regolamento.values.of, self.cards)) if self.points is None else self.points


@dataclass(frozen=True, slots=True)
class Side:
    """One side at the end of a smazzata; `hands` holds one entry a player, or one for both."""

    laid: Laid
    closed: bool = False
    pozzetto: Pozzetto = Pozzetto.PLAYED
    pozzetto_held: Held | None = None
    hands: tuple[Held, ...] = ()


@dataclass(frozen=True, slots=True)
class _Table:
    """What a side laid, in figures, whichever way it was entered."""

    card_points: int
    bonus: int
    cards: tuple[Card, ...] = ()
    card_detail: tuple[Detail, ...] = ()
    bonus_detail: tuple[Detail, ...] = ()
    melds: tuple[Meld, ...] = ()


def score_smazzata(sides: tuple[Side, Side], regolamento: Regolamento) -> Punteggio:
    """Score both sides; a voce of no points is left out, faults are listed and stop nothing.

    >>> from scoring.regolamento import load_regolamento
    >>> us = Side(SideSums(180, 300), closed=True, hands=(Held(), Held(points=5)))
    >>> them = Side(SideMelds(), pozzetto=Pozzetto.NOT_TAKEN, hands=(Held(points=20),))
    >>> score = score_smazzata((us, them), load_regolamento("fibur"))
    >>> score.totals, [(voce.reason.value, voce.points) for voce in score.sides[1].voci]
    ((575, -120), [('pozzetto_not_taken', -100), ('cards_in_hand', -20)])
    """
    tables = (_table(sides[0].laid, regolamento), _table(sides[1].laid, regolamento))
    nobody = all(side.pozzetto is Pozzetto.NOT_TAKEN for side in sides)
    scores = (
        SideScore(_voci(sides[0], tables[0], nobody, regolamento), tables[0].melds),
        SideScore(_voci(sides[1], tables[1], nobody, regolamento), tables[1].melds),
    )
    return Punteggio(scores, tuple(_faults(sides, tables, regolamento)))


def _table(laid: Laid, regolamento: Regolamento) -> _Table:
    match laid:
        case SideSums(card_points, bonus_points):
            return _Table(card_points, bonus_points)
        case SideCounts(by_value, burrachi):
            cards = [Detail(str(value), count, value * count) for value, count in by_value if count]
            classes = [Detail(c.value, count, _bonus(c, regolamento) * count) for c, count in burrachi if count]
            return _Table(_sum(cards), _sum(classes), card_detail=tuple(cards), bonus_detail=tuple(classes))
        case SideMelds(melds):
            read = tuple(read_meld(cards, regolamento) for cards in melds)
            counted = tuple(chain.from_iterable(meld.cards for meld in read if meld.legal))
            classes = [_class_detail(c, read) for c in regolamento.class_keys]
            return _Table(
                card_points=sum(meld.card_points for meld in read),
                bonus=sum(meld.bonus for meld in read),
                cards=counted,
                bonus_detail=tuple(detail for detail in classes if detail.count),
                melds=read,
            )


def _sum(details: Iterable[Detail]) -> int:
    return sum(detail.points for detail in details)


def _bonus(classe: BurracoClass, regolamento: Regolamento) -> int:
    """Bonus of a class, 0 where the regolamento has none such."""
    return regolamento.bonus.of(classe) if classe in regolamento.class_keys else 0


def _class_detail(classe: BurracoClass, melds: tuple[Meld, ...]) -> Detail:
    of_class = [meld.bonus for meld in melds if meld.classe is classe]
    return Detail(classe.value, len(of_class), sum(of_class))


def _voci(side: Side, table: _Table, nobody: bool, regolamento: Regolamento) -> tuple[Voce, ...]:
    voci = [Voce(Reason.BURRACHI, table.bonus, detail=table.bonus_detail)]
    if side.closed:
        voci.append(Voce(Reason.CHIUSURA, regolamento.closing.bonus))
    excused = nobody and not regolamento.pozzetto.penalty_when_nobody_took
    if side.pozzetto is Pozzetto.NOT_TAKEN and not excused:
        voci.append(Voce(Reason.POZZETTO_NOT_TAKEN, -regolamento.pozzetto.not_taken_penalty))
    voci.append(Voce(Reason.CARDS_LAID, table.card_points, table.cards, table.card_detail))
    if side.pozzetto is Pozzetto.NOT_PLAYED and side.pozzetto_held:
        held = side.pozzetto_held
        voci.append(Voce(Reason.POZZETTO_NOT_PLAYED, -held.value(regolamento), held.cards))
    in_hand = sum(held.value(regolamento) for held in side.hands)
    voci.append(Voce(Reason.CARDS_IN_HAND, -in_hand, tuple(chain.from_iterable(h.cards for h in side.hands))))
    kept = [voce for voce in voci if voce.points]
    if side.pozzetto is Pozzetto.NOT_TAKEN and excused:
        at = sum(voce.reason.in_base for voce in kept)
        kept.insert(at, Voce(Reason.POZZETTO_NOBODY, 0))
    return tuple(kept)


def _faults(
    sides: tuple[Side, Side], tables: tuple[_Table, _Table], regolamento: Regolamento
) -> Iterable[SmazzataFault]:
    if sides[0].closed and sides[1].closed:
        yield SmazzataFault(FaultCode.BOTH_CLOSED)
    for number, (side, table) in enumerate(zip(sides, tables, strict=True)):
        if side.closed:
            yield from _closing_faults(number, side, table, regolamento)
        yield from _pozzetto_faults(number, side)
        for at, meld in enumerate(table.melds):
            if not meld.legal:
                yield SmazzataFault(FaultCode.ILLEGAL_MELD, number, at, meld.cards)
        yield from _entry_faults(number, side, regolamento)
    too_many = regolamento.deck.faults(chain.from_iterable(map(_all_cards, sides)))
    if too_many:
        yield SmazzataFault(FaultCode.TOO_MANY_EQUAL, cards=too_many)


def _closing_faults(number: int, side: Side, table: _Table, regolamento: Regolamento) -> Iterable[SmazzataFault]:
    rules = regolamento.closing
    if rules.needs is not BurracoNeed.NONE and not table.bonus:
        yield SmazzataFault(FaultCode.CLOSED_WITHOUT_BURRACO, number)
    if rules.needs_pozzetto and side.pozzetto is not Pozzetto.PLAYED:
        yield SmazzataFault(FaultCode.CLOSED_WITHOUT_POZZETTO, number)
    if len(side.hands) > 1 and all(held.cards or held.points for held in side.hands):
        yield SmazzataFault(FaultCode.CLOSED_WITH_CARDS, number)


def _pozzetto_faults(number: int, side: Side) -> Iterable[SmazzataFault]:
    not_played = side.pozzetto is Pozzetto.NOT_PLAYED
    if not_played and not side.pozzetto_held:
        yield SmazzataFault(FaultCode.POZZETTO_UNKNOWN, number)
    if side.pozzetto_held and not not_played:
        yield SmazzataFault(FaultCode.POZZETTO_NOT_EXPECTED, number, cards=side.pozzetto_held.cards)


def _entry_faults(number: int, side: Side, regolamento: Regolamento) -> Iterable[SmazzataFault]:
    """Figures typed in that no cards of this regolamento can make."""
    if isinstance(side.laid, SideCounts):
        for value, count in side.laid.cards_by_value:
            if count and value not in regolamento.values.distinct:
                yield SmazzataFault(FaultCode.UNKNOWN_VALUE, number, seen=str(value))
        for classe, count in side.laid.burrachi:
            if count and classe not in regolamento.class_keys:
                yield SmazzataFault(FaultCode.UNKNOWN_CLASS, number, seen=classe.value)
    step = gcd(*regolamento.values.distinct) or 1
    typed = [held.points for held in (*side.hands, *filter(None, [side.pozzetto_held])) if held.points is not None]
    if isinstance(side.laid, SideSums):
        typed += [side.laid.card_points, side.laid.bonus_points]
    for points in typed:
        if points % step:
            yield SmazzataFault(FaultCode.ODD_POINTS, number, seen=str(points))


def _all_cards(side: Side) -> Iterable[Card]:
    laid = side.laid.melds if isinstance(side.laid, SideMelds) else ()
    held = [*side.hands, *filter(None, [side.pozzetto_held])]
    return chain(*laid, *(one.cards for one in held))
