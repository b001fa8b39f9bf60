"""One smazzata: all sides as they ended, scored into a list of reasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from scoring.cards import Card
from scoring.classes import BurracoClass
from scoring.formato import Formato
from scoring.ledger import Detail, FaultCode, Punteggio, Reason, SideScore, SmazzataFault, Voce
from scoring.meld import Meld, read_meld
from scoring.sections import NotPlayed, Regolamento
from scoring.sides import Adjustment, End, Held, Laid, Pozzetto, Side, SideCounts, SideMelds, SideSums
from scoring.smazzata_faults import smazzata_faults

__all__ = [
    "Adjustment",
    "Detail",
    "End",
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


@dataclass(frozen=True, slots=True)
class _Table:
    """What a side laid, in figures, whichever way it was entered."""

    card_points: int
    bonus: int
    cards: tuple[Card, ...] = ()
    card_detail: tuple[Detail, ...] = ()
    bonus_detail: tuple[Detail, ...] = ()
    melds: tuple[Meld, ...] = ()


def score_smazzata(
    sides: Sequence[Side], regolamento: Regolamento, end: End | None = None, formato: Formato | None = None
) -> Punteggio:
    """Score two to five sides; a voce of no points is left out, faults are listed and stop nothing.

    `end` says how the smazzata ended; None where nobody said, and then the side that closed has its bonus. Of the
    `formato` (None: the regolamento's own) only the size of the pozzetti matters.

    >>> from scoring.regolamento import load_regolamento
    >>> us = Side(SideSums(180, 300), closed=True, hands=(Held(), Held(points=5)))
    >>> them = Side(SideMelds(), pozzetto=Pozzetto.NOT_TAKEN, hands=(Held(points=20),))
    >>> score = score_smazzata((us, them), load_regolamento("fibur"))
    >>> score.totals, [(voce.reason.value, voce.points) for voce in score.sides[1].voci]
    ((575, -120), [('pozzetto_not_taken', -100), ('cards_in_hand', -20)])
    >>> open_question = Side(SideMelds(), pozzetto=None)
    >>> score_smazzata((open_question, them), load_regolamento("fibur")).totals, "the -100 waits for the answer"
    ((0, -20), 'the -100 waits for the answer')
    """
    tables = [_table(side.laid, regolamento) for side in sides]
    nobody = _nobody_took(sides)
    scores = tuple(
        SideScore(tuple(_voci(side, table, nobody, end, regolamento)), table.melds)
        for side, table in zip(sides, tables, strict=True)
    )
    return Punteggio(scores, smazzata_faults(sides, [table.melds for table in tables], regolamento, end, formato))


def _table(laid: Laid, regolamento: Regolamento) -> _Table:
    match laid:
        case SideSums(card_points, bonus_points):
            return _Table(card_points, bonus_points)
        case SideCounts(by_value, burrachi, heaps):
            rows = by_value + heaps
            cards = [Detail(str(value), count, value * count) for value, count in rows if value and count]
            classes = [Detail(c.value, count, _bonus(c, regolamento) * count) for c, count in burrachi if count]
            return _Table(_sum(cards), _sum(classes), card_detail=tuple(cards), bonus_detail=tuple(classes))
        case _:
            read = tuple(read_meld(cards, regolamento) for cards in laid.melds)
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


def _voci(side: Side, table: _Table, nobody: bool | None, end: End | None, regolamento: Regolamento) -> Iterator[Voce]:
    """Base first, then carte; without points only those that explain why there are none."""
    if table.bonus:
        yield Voce(Reason.BURRACHI, table.bonus, detail=table.bonus_detail)
    if side.closed:
        yield from _closing(end, regolamento)
    yield from _pozzetto(side, nobody, regolamento)
    for adjustment in side.adjustments:
        if adjustment.points:
            yield Voce(Reason.ADJUSTMENT, adjustment.points, text=adjustment.reason)
    if table.card_points:
        yield Voce(Reason.CARDS_LAID, table.card_points, table.cards, table.card_detail)
    if side.pozzetto is Pozzetto.NOT_PLAYED:
        yield from _not_played(side, regolamento)
    yield from _against(Reason.CARDS_IN_HAND, side.hands, regolamento)
    yield from _against(Reason.PENALISED, [side.penalised] if side.penalised else [], regolamento)


def _closing(end: End | None, regolamento: Regolamento) -> Iterator[Voce]:
    if end is End.CLOSED_WITHOUT_BONUS:
        yield Voce(Reason.CHIUSURA_WITHOUT_BONUS, 0)
    elif regolamento.closing.bonus:
        yield Voce(Reason.CHIUSURA, regolamento.closing.bonus)


def _nobody_took(sides: Sequence[Side]) -> bool | None:
    """Whether no side took a pozzetto; None while that hangs on an open question."""
    states = {side.pozzetto for side in sides}
    if states <= {Pozzetto.NOT_TAKEN}:
        return True
    return None if states <= {Pozzetto.NOT_TAKEN, None} else False


def _pozzetto(side: Side, nobody: bool | None, regolamento: Regolamento) -> Iterator[Voce]:
    """What the pozzetto itself gives or costs; an open question neither."""
    rules = regolamento.pozzetto
    if side.pozzetto is None:
        return
    if side.pozzetto is not Pozzetto.NOT_TAKEN:
        if rules.taken_bonus:
            yield Voce(Reason.POZZETTO_TAKEN, rules.taken_bonus)
    elif nobody is False or rules.penalty_when_nobody_took:
        if rules.not_taken_penalty:
            yield Voce(Reason.POZZETTO_NOT_TAKEN, -rules.not_taken_penalty)
    elif nobody:
        yield Voce(Reason.POZZETTO_NOBODY, 0)


def _not_played(side: Side, regolamento: Regolamento) -> Iterator[Voce]:
    """A pozzetto in hand costs its cards, or as much as one not taken."""
    rules, held = regolamento.pozzetto, side.pozzetto_held
    if rules.not_played is NotPlayed.AS_NOT_TAKEN:
        if rules.not_taken_penalty:
            yield Voce(Reason.POZZETTO_NOT_PLAYED, -rules.not_taken_penalty, held.cards if held else ())
    elif held:
        yield from _against(Reason.POZZETTO_NOT_PLAYED, [held], regolamento)


def _against(reason: Reason, held: Sequence[Held], regolamento: Regolamento) -> Iterator[Voce]:
    """Cards that count against a side, in one voce."""
    points = sum(one.value(regolamento) for one in held)
    if points:
        yield Voce(reason, -points, tuple(chain.from_iterable(one.cards for one in held)))
