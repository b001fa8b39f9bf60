"""What one smazzata would score under other rules, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from scoring.cards import Card
from scoring.formato import DEFAULT_FORMATO, Formato
from scoring.ledger import CLOSING_FAULTS, FaultCode, Punteggio, Reason, Voce
from scoring.meld import MeldFault, read_meld
from scoring.sections import Regolamento
from scoring.sides import End, Side, SideCounts, SideMelds, SideSums
from scoring.smazzata import score_smazzata

_FOREIGN = MeldFault.NO_JOLLY_IN_DECK | MeldFault.RANK_NOT_ALLOWED
"""Faults of the rules and not of who laid the cards: under such rules the meld cannot lie on the table at all."""


class Playable(StrEnum):
    """Whether a smazzata could exist under a regolamento; UNKNOWN where only sums say what was laid."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Unplayable:
    """A meld that could not exist: its side, its number on that side (0 first), its cards."""

    side: int
    meld: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Differing:
    """A voce (of no points where there is none there) and the points its reason has under the smazzata's own rules."""

    voce: Voce
    at_home: int


@dataclass(frozen=True, slots=True)
class WhatIf:
    """One smazzata under one regolamento.

    `punteggio` is None unless it is playable; `melds` and `cards` say what could not be there, `packs` how many packs
    were played with and how many are played with there, where that differs. `refused` names the sides that could not
    have closed there and why, under the smazzata's own rules too; they score without the closing bonus. `differing`
    holds, side by side, the voci whose points are not those under the smazzata's own rules.
    """

    regolamento: Regolamento
    playable: Playable
    punteggio: Punteggio | None = None
    melds: tuple[Unplayable, ...] = ()
    cards: tuple[Card, ...] = ()
    packs: tuple[int, int] | None = None
    refused: tuple[tuple[int, FaultCode], ...] = ()
    differing: tuple[tuple[Differing, ...], ...] = ()


def what_if(
    sides: Sequence[Side],
    own: Regolamento,
    others: Iterable[Regolamento],
    end: End | None = None,
    formato: Formato | None = None,
) -> tuple[WhatIf, ...]:
    """Score a smazzata that was played under `own` under each of the others, in their order.

    Each keeps its own packs. Where the `formato` played in is not that of the own rules, it goes on the others too that
    it fits; but rules made for yet another one keep theirs (nine kings of `cinque` lie in no game of two packs).

    >>> from scoring.cards import parse_cards
    >>> from scoring.regolamento import load_regolamento
    >>> sides = [Side(SideMelds((parse_cards("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ JK"),))), Side(SideMelds())]
    >>> fibur, fedibur = load_regolamento("fibur"), load_regolamento("fedibur")
    >>> [w.punteggio.totals for w in what_if(sides, fibur, [fibur, fedibur])]
    [(225, 0), (175, 0)]
    >>> [w.packs for w in what_if(sides, fibur, [fibur, load_regolamento("sei")])]
    [None, (2, 3)]
    >>> from scoring.formato import load_formato
    >>> cinque = load_formato("cinque")
    >>> of_five = cinque.applied(fibur)
    >>> [w.packs for w in what_if(sides, of_five, [fedibur, load_regolamento("due")], formato=cinque)]
    [None, (3, 2)]
    """
    reference = score_smazzata(sides, own, end)
    return tuple(_under(sides, own, _in_formato(other, own, formato), end, reference) for other in others)


def _in_formato(other: Regolamento, own: Regolamento, formato: Formato | None) -> Regolamento:
    """The others as this smazzata would be played by them."""
    if formato is None or formato.name == own.formato or other.formato not in (own.formato, DEFAULT_FORMATO):
        return other
    return other if formato.misfits(other) else formato.applied(other)


def _under(
    sides: Sequence[Side], own: Regolamento, other: Regolamento, end: End | None, reference: Punteggio
) -> WhatIf:
    melds = tuple(_unplayable(sides, own, other))
    cards = _missing_cards(sides, own, other)
    packs = None if own.deck.packs == other.deck.packs else (own.deck.packs, other.deck.packs)
    if melds or cards or packs:
        return WhatIf(other, Playable.NO, melds=melds, cards=cards, packs=packs)
    if not _same_figures(sides, own, other):
        return WhatIf(other, Playable.UNKNOWN)
    punteggio = score_smazzata(sides, other, end)
    refused = tuple(
        (fault.side, fault.code)
        for fault in punteggio.faults
        if fault.side is not None and fault.code in CLOSING_FAULTS
    )
    if refused:
        punteggio = score_smazzata(sides, other, End.CLOSED_WITHOUT_BONUS)
    pairs = zip(punteggio.sides, reference.sides, strict=True)
    differing = tuple(_differing(there.voci, here.voci) for there, here in pairs)
    return WhatIf(other, Playable.YES, punteggio, refused=refused, differing=differing)


def _differing(there: Sequence[Voce], here: Sequence[Voce]) -> tuple[Differing, ...]:
    """Voci whose points are others at home; one that only home has appears with no points."""
    points, at_home = (_points_by_reason(voci) for voci in (there, here))
    gone = [Voce(voce.reason, 0, text=voce.text) for voce in here if voce.reason not in points]
    found = (voce for voce in (*there, *gone) if points[voce.reason] != at_home[voce.reason])
    return tuple(Differing(voce, at_home[voce.reason]) for voce in found)


def _points_by_reason(voci: Sequence[Voce]) -> Counter[Reason]:
    points: Counter[Reason] = Counter()
    for voce in voci:
        points[voce.reason] += voce.points
    return points


def _unplayable(sides: Sequence[Side], own: Regolamento, other: Regolamento) -> Iterable[Unplayable]:
    """Melds that are legal at home and not there, or hold cards that no meld there may, at home or not."""
    for number, side in enumerate(sides):
        for at, cards in enumerate(side.laid.melds if isinstance(side.laid, SideMelds) else ()):
            there = read_meld(cards, other)
            if there.faults & _FOREIGN or (not there.legal and read_meld(cards, own).legal):
                yield Unplayable(number, at, cards)


def _missing_cards(sides: Sequence[Side], own: Regolamento, other: Regolamento) -> tuple[Card, ...]:
    """Faces that lie there more often than the other packs hold them, though the own packs do, or have none there."""
    cards = list(chain.from_iterable(side.all_cards() for side in sides))
    at_home = set(own.deck.faults(cards))
    return tuple(card for card in other.deck.faults(cards) if card not in at_home or not other.deck.copies(card))


def _same_figures(sides: Sequence[Side], own: Regolamento, other: Regolamento) -> bool:
    """Whether what was only counted or summed means the same there: a sum keeps its cards' values and classes."""
    if own.values == other.values and own.bonus == other.bonus and own.classes == other.classes:
        return True
    # a 2 in hand is a pinella everywhere: what a natural 2 counts is no matter there
    held_alike = own.values.by_face == other.values.by_face
    for side in sides:
        if isinstance(side.laid, SideCounts) and (side.laid.cards_by_value or side.laid.burrachi or side.laid.heaps):
            return False
        if isinstance(side.laid, SideSums) and (side.laid.card_points or side.laid.bonus_points):
            return False
        if not held_alike and any(held.points for held in side.holdings):
            return False
    return True
