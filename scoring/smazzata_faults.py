"""What cannot be so in a smazzata: every fault at once, none of which stops the arithmetic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from scoring.cards import FACES, Card
from scoring.classes import BurracoClass
from scoring.figure_faults import figure_faults, together_faults
from scoring.formato import Formato, load_formato
from scoring.ledger import FaultCode, SmazzataFault
from scoring.meld import Meld
from scoring.sections import BurracoNeed, LastDiscard, Regolamento
from scoring.sides import End, Pozzetto, Side, SideCounts, SideSums


def smazzata_faults(
    sides: Sequence[Side],
    melds: Sequence[Sequence[Meld]],
    regolamento: Regolamento,
    end: End | None,
    formato: Formato | None = None,
) -> tuple[SmazzataFault, ...]:
    """All faults: of the smazzata's end, then side by side, then of the cards together.

    >>> from scoring.cards import parse_cards
    >>> from scoring.regolamento import load_regolamento
    >>> from scoring.sides import Held, SideMelds
    >>> us = Side(SideMelds(), closed=True, pozzetto=Pozzetto.NOT_TAKEN, last_discard=Card.parse("JK"))
    >>> them = Side(SideMelds(), hands=(Held(parse_cards("7♥ 7♥ 7♥")),))
    >>> found = smazzata_faults((us, them), ((), ()), load_regolamento("fibur"), End.STOCK)
    >>> [fault.code.value for fault in found[:2]], [fault.code.value for fault in found[2:]]
    (['closed_in_spite', 'closed_without_burraco'], ['closed_without_pozzetto', 'discarded_wild', 'too_many_equal'])
    """
    formato = formato or load_formato(regolamento.formato)
    largest = max((*formato.pozzetti, *formato.alone_pozzetti))
    return tuple(_faults(sides, melds, regolamento, end, largest))


def deck_faults(cards: Iterable[Card], regolamento: Regolamento) -> Iterator[SmazzataFault]:
    """Faces that lie there more often than the packs hold them; a jolly where the packs have none is said as such.

    >>> from scoring.cards import parse_cards
    >>> from scoring.regolamento import load_regolamento
    >>> [fault.code.value for fault in deck_faults(parse_cards("JK 7♥ 7♥ 7♥"), load_regolamento("reale"))]
    ['no_jolly_in_deck', 'too_many_equal']
    """
    too_many = regolamento.deck.faults(cards)
    absent = tuple(card for card in too_many if not regolamento.deck.copies(card))
    if absent:
        yield SmazzataFault(FaultCode.NO_JOLLY_IN_DECK, cards=absent)
    if len(too_many) > len(absent):
        yield SmazzataFault(FaultCode.TOO_MANY_EQUAL, cards=tuple(card for card in too_many if card not in absent))


def _faults(
    sides: Sequence[Side],
    melds: Sequence[Sequence[Meld]],
    regolamento: Regolamento,
    end: End | None,
    largest_pozzetto: int,
) -> Iterator[SmazzataFault]:
    yield from _end_faults(sides, end)
    for number, (side, read) in enumerate(zip(sides, melds, strict=True)):
        if side.closed:
            yield from _closing_faults(number, side, read, regolamento)
        elif side.last_discard or side.laid_last:
            yield SmazzataFault(FaultCode.DISCARD_NOT_EXPECTED, number, cards=_last_cards(side))
        yield from _pozzetto_faults(number, side, largest_pozzetto)
        for at, meld in enumerate(read):
            if not meld.legal:
                yield SmazzataFault(FaultCode.ILLEGAL_MELD, number, at, meld.cards)
        yield from _entry_faults(number, side, regolamento)
    yield from deck_faults(chain.from_iterable(side.all_cards() for side in sides), regolamento)
    yield from _value_faults(sides, regolamento)
    yield from together_faults(sides, regolamento)


def _end_faults(sides: Sequence[Side], end: End | None) -> Iterator[SmazzataFault]:
    closed = tuple(number for number, side in enumerate(sides) if side.closed)
    if len(closed) > 1:
        yield SmazzataFault(FaultCode.BOTH_CLOSED, sides=closed)
    if end is None:
        return
    if end.closes and not closed:
        yield SmazzataFault(FaultCode.NOBODY_CLOSED)
    if closed and not end.closes:
        yield SmazzataFault(FaultCode.CLOSED_IN_SPITE, sides=closed, seen=end.value)


def _closing_faults(
    number: int, side: Side, melds: Sequence[Meld], regolamento: Regolamento
) -> Iterator[SmazzataFault]:
    rules = regolamento.closing
    missing = _missing_burraco(side, melds, regolamento)
    if missing:
        yield SmazzataFault(missing, number)
    if rules.needs_pozzetto and side.pozzetto not in (None, Pozzetto.PLAYED):
        yield SmazzataFault(FaultCode.CLOSED_WITHOUT_POZZETTO, number)
    if sum(bool(held.cards or held.points) for held in side.hands) >= side.players:
        yield SmazzataFault(FaultCode.CLOSED_WITH_CARDS, number)
    if side.laid_last and rules.discard is not LastDiscard.OPTIONAL:
        yield SmazzataFault(FaultCode.CLOSED_WITHOUT_DISCARD, number)
    last = side.last_discard
    if last and (last.is_jolly or last.is_two) and rules.discard is not LastDiscard.ANY:
        yield SmazzataFault(FaultCode.DISCARDED_WILD, number, cards=(last,))


def _missing_burraco(side: Side, melds: Sequence[Meld], regolamento: Regolamento) -> FaultCode | None:
    """Which burraco the side would have needed; sums tell no classes, so theirs must only be large enough."""
    need = regolamento.closing.needs
    if need is BurracoNeed.NONE:
        return None
    clean = [regolamento.bonus.of(key) for key in regolamento.class_keys if key.has_no_wild]
    if isinstance(side.laid, SideSums):
        any_burraco, any_clean = side.laid.bonus_points > 0, side.laid.bonus_points >= min(clean, default=0)
    else:
        classes = _classes(side, melds) & set(regolamento.class_keys)
        any_burraco, any_clean = bool(classes), any(classe.has_no_wild for classe in classes)
    if not any_burraco:
        return FaultCode.CLOSED_WITHOUT_BURRACO
    return FaultCode.CLOSED_WITHOUT_PULITO if need is BurracoNeed.PULITO and not any_clean else None


def _classes(side: Side, melds: Sequence[Meld]) -> set[BurracoClass]:
    if isinstance(side.laid, SideCounts):
        return {classe for classe, count in side.laid.burrachi if count}
    return {meld.classe for meld in melds} - {BurracoClass.NONE}


def _last_cards(side: Side) -> tuple[Card, ...]:
    return (side.last_discard,) if side.last_discard else ()


def _pozzetto_faults(number: int, side: Side, largest: int) -> Iterator[SmazzataFault]:
    """Fewer cards than a pozzetto has may be all that was noted; more cannot be."""
    not_played = side.pozzetto is Pozzetto.NOT_PLAYED
    if not_played and not side.pozzetto_held:
        yield SmazzataFault(FaultCode.POZZETTO_UNKNOWN, number)
    if side.pozzetto_held and not not_played:
        yield SmazzataFault(FaultCode.POZZETTO_NOT_EXPECTED, number, cards=side.pozzetto_held.cards)
    elif side.pozzetto_held and len(side.pozzetto_held.cards) > largest:
        seen = str(len(side.pozzetto_held.cards))
        yield SmazzataFault(FaultCode.POZZETTO_TOO_LARGE, number, seen=seen, limit=largest)


def _entry_faults(number: int, side: Side, regolamento: Regolamento) -> Iterator[SmazzataFault]:
    """Figures typed in that no cards of this regolamento can make, and entries one too many."""
    if len(side.hands) > side.players:
        yield SmazzataFault(FaultCode.TOO_MANY_HANDS, number, seen=str(len(side.hands)))
    if isinstance(side.laid, SideCounts):
        for value, count in side.laid.parted(regolamento)[0]:
            if count and value not in regolamento.values.distinct:
                yield SmazzataFault(FaultCode.UNKNOWN_VALUE, number, seen=str(value))
        for classe, count in side.laid.burrachi:
            if count and classe not in regolamento.class_keys:
                yield SmazzataFault(FaultCode.UNKNOWN_CLASS, number, seen=classe.value)
    yield from figure_faults(number, side, regolamento)
    if any(not adjustment.reason.strip() for adjustment in side.adjustments):
        yield SmazzataFault(FaultCode.ADJUSTMENT_WITHOUT_REASON, number)


def _value_faults(sides: Sequence[Side], regolamento: Regolamento) -> Iterator[SmazzataFault]:
    """Counted cards of one value that all packs together do not hold."""
    counted: Counter[int] = Counter()
    for side in sides:
        if isinstance(side.laid, SideCounts):
            counted.update(dict(side.laid.parted(regolamento)[0]))
    if not counted:
        return
    values = regolamento.values
    held: Counter[int] = Counter()
    for card in FACES:
        for value in {values.of(card), values.natural_two} if card.is_two else {values.of(card)}:
            held[value] += regolamento.deck.copies(card)
    for value, count in counted.items():
        if held[value] and count > held[value]:
            yield SmazzataFault(FaultCode.TOO_MANY_OF_VALUE, seen=f"{count} × {value}")
