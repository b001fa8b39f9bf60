"""What comes out of a smazzata: each point with its reason, and what should not have been."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from scoring.cards import Card
from scoring.meld import Meld


class Reason(StrEnum):
    """Why points are given or taken, in the order of the ledger: base first, then carte."""

    BURRACHI = "burrachi"
    CHIUSURA = "chiusura"
    CHIUSURA_WITHOUT_BONUS = "chiusura_without_bonus"
    POZZETTO_TAKEN = "pozzetto_taken"
    POZZETTO_NOT_TAKEN = "pozzetto_not_taken"
    POZZETTO_NOBODY = "pozzetto_nobody"
    ADJUSTMENT = "adjustment"
    CARDS_LAID = "cards_laid"
    POZZETTO_NOT_PLAYED = "pozzetto_not_played"
    CARDS_IN_HAND = "cards_in_hand"
    PENALISED = "penalised"

    @property
    def in_base(self) -> bool:
        """Whether it belongs to base (burrachi, chiusura, pozzetto, what a referee decides) and not to carte."""
        return self not in _CARTE


_CARTE = frozenset({Reason.CARDS_LAID, Reason.POZZETTO_NOT_PLAYED, Reason.CARDS_IN_HAND, Reason.PENALISED})


@dataclass(frozen=True, slots=True)
class Detail:
    """A part of a voce: `key` is a class of burraco or a card value as text."""

    key: str
    count: int
    points: int


@dataclass(frozen=True, slots=True)
class Voce:
    """One line of the ledger; cards and detail explain it and take no part in equality.

    `text` is what a person wrote about it, such as the reason of an adjustment.
    """

    reason: Reason
    points: int
    cards: tuple[Card, ...] = field(default=(), compare=False)
    detail: tuple[Detail, ...] = field(default=(), compare=False)
    text: str = ""


class FaultCode(StrEnum):
    """What cannot be so in a smazzata."""

    BOTH_CLOSED = "both_closed"
    NOBODY_CLOSED = "nobody_closed"
    CLOSED_IN_SPITE = "closed_in_spite"
    CLOSED_WITHOUT_BURRACO = "closed_without_burraco"
    CLOSED_WITHOUT_PULITO = "closed_without_pulito"
    CLOSED_WITHOUT_POZZETTO = "closed_without_pozzetto"
    CLOSED_WITH_CARDS = "closed_with_cards"
    CLOSED_WITHOUT_DISCARD = "closed_without_discard"
    DISCARDED_WILD = "discarded_wild"
    DISCARD_NOT_EXPECTED = "discard_not_expected"
    POZZETTO_UNKNOWN = "pozzetto_unknown"
    POZZETTO_NOT_EXPECTED = "pozzetto_not_expected"
    ILLEGAL_MELD = "illegal_meld"
    TOO_MANY_EQUAL = "too_many_equal"
    NO_JOLLY_IN_DECK = "no_jolly_in_deck"
    TOO_MANY_OF_VALUE = "too_many_of_value"
    TOO_MANY_HANDS = "too_many_hands"
    UNKNOWN_VALUE = "unknown_value"
    UNKNOWN_CLASS = "unknown_class"
    ODD_POINTS = "odd_points"
    TOO_MANY_POINTS = "too_many_points"
    TOO_MANY_POINTS_TOGETHER = "too_many_points_together"
    NO_SUM_OF_BURRACHI = "no_sum_of_burrachi"
    TOO_FEW_FOR_BURRACHI = "too_few_for_burrachi"
    POZZETTO_TOO_LARGE = "pozzetto_too_large"
    ADJUSTMENT_WITHOUT_REASON = "adjustment_without_reason"


CLOSING_FAULTS = frozenset(
    {
        FaultCode.CLOSED_WITHOUT_BURRACO,
        FaultCode.CLOSED_WITHOUT_PULITO,
        FaultCode.CLOSED_WITHOUT_POZZETTO,
        FaultCode.CLOSED_WITHOUT_DISCARD,
        FaultCode.DISCARDED_WILD,
    }
)
"""Why a regolamento would not let a side close."""


WANTING_FAULTS = frozenset(
    {
        FaultCode.NOBODY_CLOSED,
        FaultCode.CLOSED_WITHOUT_BURRACO,
        FaultCode.CLOSED_WITHOUT_PULITO,
        FaultCode.DISCARD_NOT_EXPECTED,
        FaultCode.POZZETTO_UNKNOWN,
        FaultCode.POZZETTO_NOT_EXPECTED,
        FaultCode.TOO_MANY_HANDS,
    }
)
"""Faults that may only be there because something could not be read: they need all of a smazzata to be true."""


@dataclass(frozen=True, slots=True)
class SmazzataFault:
    """One fault: whose side (None: several, or all), which meld of that side, which cards, which key or figure.

    `limit` is the most there could be, or the fewest that are needed.
    """

    code: FaultCode
    side: int | None = None
    meld: int | None = None
    cards: tuple[Card, ...] = ()
    seen: str = ""
    sides: tuple[int, ...] = ()
    limit: int = 0


@dataclass(frozen=True, slots=True)
class SideScore:
    """The ledger of one side, and its melds as read where they were given."""

    voci: tuple[Voce, ...]
    melds: tuple[Meld, ...]

    @property
    def base(self) -> int:
        """Burrachi, chiusura, pozzetto taken or not, and what a referee decided; may be negative."""
        return sum(voce.points for voce in self.voci if voce.reason.in_base)

    @property
    def carte(self) -> int:
        """Cards laid, less those of the pozzetto not played, those in hand and those penalised."""
        return sum(voce.points for voce in self.voci if not voce.reason.in_base)

    @property
    def total(self) -> int:
        """Base and carte."""
        return self.base + self.carte


@dataclass(frozen=True, slots=True)
class Punteggio:
    """The ledgers of all sides and all faults together; faults never change the figures."""

    sides: tuple[SideScore, ...]
    faults: tuple[SmazzataFault, ...]

    @property
    def totals(self) -> tuple[int, ...]:
        """Total of each side."""
        return tuple(side.total for side in self.sides)
