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
    POZZETTO_NOT_TAKEN = "pozzetto_not_taken"
    POZZETTO_NOBODY = "pozzetto_nobody"
    CARDS_LAID = "cards_laid"
    POZZETTO_NOT_PLAYED = "pozzetto_not_played"
    CARDS_IN_HAND = "cards_in_hand"

    @property
    def in_base(self) -> bool:
        """Whether it belongs to base (burrachi, chiusura, pozzetto) and not to carte."""
        return self in _BASE


_BASE = (Reason.BURRACHI, Reason.CHIUSURA, Reason.POZZETTO_NOT_TAKEN, Reason.POZZETTO_NOBODY)


@dataclass(frozen=True, slots=True)
class Detail:
    """A part of a voce: `key` is a class of burraco or a card value as text."""

    key: str
    count: int
    points: int


@dataclass(frozen=True, slots=True)
class Voce:
    """One line of the ledger; cards and detail explain it and take no part in equality."""

    reason: Reason
    points: int
    cards: tuple[Card, ...] = field(default=(), compare=False)
    detail: tuple[Detail, ...] = field(default=(), compare=False)


class FaultCode(StrEnum):
    """What cannot be so in a smazzata."""

    BOTH_CLOSED = "both_closed"
    CLOSED_WITHOUT_BURRACO = "closed_without_burraco"
    CLOSED_WITHOUT_POZZETTO = "closed_without_pozzetto"
    CLOSED_WITH_CARDS = "closed_with_cards"
    POZZETTO_UNKNOWN = "pozzetto_unknown"
    POZZETTO_NOT_EXPECTED = "pozzetto_not_expected"
    ILLEGAL_MELD = "illegal_meld"
    TOO_MANY_EQUAL = "too_many_equal"
    UNKNOWN_VALUE = "unknown_value"
    UNKNOWN_CLASS = "unknown_class"
    ODD_POINTS = "odd_points"


@dataclass(frozen=True, slots=True)
class SmazzataFault:
    """One fault: whose side (None: both), which meld of that side, which cards, which key or figure."""

    code: FaultCode
    side: int | None = None
    meld: int | None = None
    cards: tuple[Card, ...] = ()
    seen: str = ""


@dataclass(frozen=True, slots=True)
class SideScore:
    """The ledger of one side, and its melds as read where they were given."""

    voci: tuple[Voce, ...]
    melds: tuple[Meld, ...]

    @property
    def base(self) -> int:
        """Burrachi, chiusura and pozzetto not taken."""
        return sum(voce.points for voce in self.voci if voce.reason.in_base)

    @property
    def carte(self) -> int:
        """Cards laid, less those of the pozzetto not played and those in hand."""
        return sum(voce.points for voce in self.voci if not voce.reason.in_base)

    @property
    def total(self) -> int:
        """Base and carte."""
        return self.base + self.carte


@dataclass(frozen=True, slots=True)
class Punteggio:
    """Both sides' ledgers and all faults together; faults never change the figures."""

    sides: tuple[SideScore, SideScore]
    faults: tuple[SmazzataFault, ...]

    @property
    def totals(self) -> tuple[int, int]:
        """Total of each side."""
        return self.sides[0].total, self.sides[1].total
