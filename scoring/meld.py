"""One meld: its reading, its class and points, the readings that are a question, or all its faults."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from scoring.arrangements import HIGH_ACE, SUIT_CARDS, Arrangement, MeldKind, arrangements
from scoring.cards import JOLLY_INDEX, Card
from scoring.classes import BurracoClass, ClassReason
from scoring.faults import MeldFault, faults_of
from scoring.readings import MeldReading, Place, reading_of, unclear_reading
from scoring.sections import Regolamento

__all__ = [
    "BurracoClass",
    "ClassReason",
    "Meld",
    "MeldFault",
    "MeldKind",
    "MeldQuestion",
    "MeldReading",
    "Place",
    "legal",
    "read_meld",
]


class MeldQuestion(StrEnum):
    """Why a person should look: another reading counts differently, a 2 lies past the ace, the rule is unclear."""

    OTHER_READING = "other_reading"
    PAST_THE_ACE = "past_the_ace"
    UNCLEAR_RULE = "unclear_rule"


@dataclass(frozen=True, slots=True)
class Meld:
    """Cards as laid and what they are: a reading, or faults; other readings only where they count differently.

    `unclear` is the reading's own order in the class that another understanding of the rule would give it.
    """

    cards: tuple[Card, ...]
    reading: MeldReading | None
    alternatives: tuple[MeldReading, ...]
    faults: MeldFault
    questions: tuple[MeldQuestion, ...] = ()
    unclear: MeldReading | None = None

    @property
    def legal(self) -> bool:
        """Whether the meld counts."""
        return self.reading is not None

    @property
    def card_points(self) -> int:
        """Points of the cards, 0 where illegal."""
        return self.reading.card_points if self.reading else 0

    @property
    def bonus(self) -> int:
        """Points of the burraco, 0 where illegal or none."""
        return self.reading.bonus if self.reading else 0

    @property
    def points(self) -> int:
        """Card points and bonus, 0 where illegal."""
        return self.card_points + self.bonus

    @property
    def classe(self) -> BurracoClass:
        """Class of the burraco; NONE where illegal or none."""
        return self.reading.classe if self.reading else BurracoClass.NONE


class _Fit(NamedTuple):
    arrangement: Arrangement
    moved: bool
    falling: bool


def legal(cards: Sequence[Card], regolamento: Regolamento) -> bool:
    """Whether the cards are a meld in some order, with the wild in any place.

    >>> from scoring.cards import parse_cards
    >>> from scoring.regolamento import load_regolamento
    >>> fibur = load_regolamento("fibur")
    >>> legal(parse_cards("8♠ JK 9♠"), fibur), legal(parse_cards("K♥ A♥ 3♥"), fibur)
    (True, False)
    """
    return any(True for _ in arrangements([card.index for card in cards], regolamento))


def read_meld(cards: Sequence[Card], regolamento: Regolamento) -> Meld:
    """Read a meld by the order of choice: as laid, else with only the wild moved, else illegal (RULES 10).

    Never raises. A legal reading in another order with another class or total is an alternative, best first.

    >>> from scoring.cards import parse_cards
    >>> from scoring.regolamento import load_regolamento
    >>> fibur = load_regolamento("fibur")
    >>> meld = read_meld(parse_cards("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 2♥"), fibur)
    >>> meld.classe.value, meld.points, [r.classe.value for r in meld.alternatives]
    ('semipulito', 215, ['pulito'])
    >>> read_meld(parse_cards("K♥ K♠ JK 2♦"), fibur).faults
    <MeldFault.TOO_MANY_WILDS: 2>
    """
    cards = tuple(cards)
    laid = tuple([card.index for card in cards])
    found = list(arrangements(laid, regolamento))
    if not found:
        return Meld(cards, None, (), faults_of(laid, regolamento))
    pinned = _two_is_pinned(laid)
    fit = _best_fit(found, laid, pinned)
    if fit is None:
        others = _distinct(found, None)
        fault = MeldFault.GAP if pinned and _best_fit(found, laid, pinned=False) else MeldFault.OUT_OF_ORDER
    else:
        rest = [a for a in found if not (pinned and _own_two_is_wild(a))]
        others, fault = _distinct(rest, fit.arrangement), MeldFault.VALID
    reading = reading_of(fit.arrangement, fit.falling, regolamento) if fit else None
    alternatives = tuple(reading_of(a, _lies_falling(a, laid), regolamento) for a in others)
    questions = [MeldQuestion.OTHER_READING] if alternatives else []
    if fit and fit.moved and _two_past_high_ace(fit.arrangement, laid):
        questions.append(MeldQuestion.PAST_THE_ACE)
    unclear = unclear_reading(fit.arrangement, reading, regolamento) if fit and reading else None
    if unclear:
        questions.append(MeldQuestion.UNCLEAR_RULE)
    return Meld(cards, reading, alternatives, fault, tuple(questions), unclear)


def _best_fit(found: list[Arrangement], laid: tuple[int, ...], pinned: bool) -> _Fit | None:
    fits = [fit for fit in (_fit(a, laid) for a in found) if fit]
    fits = [fit for fit in fits if not (pinned and fit.moved and _own_two_is_wild(fit.arrangement))]
    return min(fits, key=lambda fit: (fit.moved, -fit.arrangement.total, fit.arrangement.low), default=None)


def _fit(arrangement: Arrangement, laid: tuple[int, ...]) -> _Fit | None:
    """How the laid order meets an arrangement: as laid, or after one wild has moved."""
    if arrangement.faces == laid:
        return _Fit(arrangement, moved=False, falling=False)
    if arrangement.faces == laid[::-1]:
        return _Fit(arrangement, moved=False, falling=True)
    mover_at = arrangement.wild_at
    if mover_at < 0:
        mover_at = next((i for i, face in enumerate(arrangement.faces) if face % SUIT_CARDS == 1), -1)
        if mover_at < 0:
            return None
    mover = arrangement.faces[mover_at]
    naturals = arrangement.faces[:mover_at] + arrangement.faces[mover_at + 1 :]
    for at, face in enumerate(laid):
        if face == mover:
            rest = laid[:at] + laid[at + 1 :]
            if rest in (naturals, naturals[::-1]):
                return _Fit(arrangement, moved=True, falling=rest != naturals)
    return None


def _own_two_is_wild(arrangement: Arrangement) -> bool:
    """Whether the only 2 of a sequenza's own suit serves as its wild."""
    if arrangement.kind is not MeldKind.SEQUENZA or arrangement.wild_at < 0:
        return False
    wild, beside = arrangement.faces[arrangement.wild_at], arrangement.faces[arrangement.wild_at - 1]
    own = wild % SUIT_CARDS == 1 and wild // SUIT_CARDS == beside // SUIT_CARDS
    return own and arrangement.faces.count(wild) == 1


def _two_is_pinned(laid: tuple[int, ...]) -> bool:
    """Whether a 2 lies beside the 3 of its suit, on the side away from the suit's higher cards."""
    for at, face in enumerate(laid):
        if face % SUIT_CARDS != 1 or face == JOLLY_INDEX:
            continue
        for step in (-1, 1):
            beside = at + step
            if 0 <= beside < len(laid) and laid[beside] == face + 1:
                higher = [i for i, other in enumerate(laid) if _is_above(other, face + 1)]
                if higher and all((i - beside) * step > 0 for i in higher):
                    return True
    return False


def _is_above(face: int, three: int) -> bool:
    return face != JOLLY_INDEX and face > three and face // SUIT_CARDS == three // SUIT_CARDS


def _two_past_high_ace(arrangement: Arrangement, laid: tuple[int, ...]) -> bool:
    """Whether a 2 of the suit was laid next to an ace that closes the run at the top, and so can only be its wild."""
    top = arrangement.faces[-1]
    if arrangement.low + len(arrangement.faces) - 1 != HIGH_ACE or top % SUIT_CARDS:
        return False
    if arrangement.wild_at < 0 or arrangement.faces[arrangement.wild_at] != top + 1:
        return False
    return any({left, right} == {top, top + 1} for left, right in pairwise(laid))


def _distinct(found: list[Arrangement], answer: Arrangement | None) -> list[Arrangement]:
    """One arrangement for each class and total that differs from the answer's, best first."""
    seen = {(answer.classe, answer.total)} if answer else set()
    kept = []
    for arrangement in sorted(found, key=lambda a: (-a.total, a.low)):
        if (arrangement.classe, arrangement.total) not in seen:
            seen.add((arrangement.classe, arrangement.total))
            kept.append(arrangement)
    return kept


def _lies_falling(arrangement: Arrangement, laid: tuple[int, ...]) -> bool:
    naturals = [face for i, face in enumerate(arrangement.faces) if i != arrangement.wild_at]
    return arrangement.kind is MeldKind.SEQUENZA and laid.index(naturals[0]) > laid.index(naturals[-1])
