"""A rule system as data: every number of the game, with where it comes from."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from scoring.cards import JOLLY_INDEX, Card, Rank
from scoring.classes import BurracoClass, Semipulito
from scoring.deck import Deck
from scoring.options import Choice, Flag, Ranks, Whole, Wholes, option

_POINTS = Whole(0, 10_000)


class Aces(StrEnum):
    """Where natural aces may lie in one sequenza."""

    ONE_END = "one_end"
    BOTH_ENDS = "both_ends"


class Basis(StrEnum):
    """Whether a figure was found in the rule system's own sources or taken from elsewhere."""

    SOURCED = "sourced"
    ASSUMED = "assumed"


@dataclass(frozen=True, slots=True)
class Note:
    """Where the figure of one field (`section.field`) comes from."""

    field: str
    basis: Basis
    text: str


@dataclass(frozen=True, slots=True)
class CardValues:
    """Points of each card; a 2 counts as pinella wherever it is not on its own place in a sequenza."""

    jolly: int = option(_POINTS)
    pinella: int = option(_POINTS)
    natural_two: int = option(_POINTS)
    ace: int = option(_POINTS)
    king: int = option(_POINTS)
    queen: int = option(_POINTS)
    jack: int = option(_POINTS)
    ten: int = option(_POINTS)
    nine: int = option(_POINTS)
    eight: int = option(_POINTS)
    seven: int = option(_POINTS)
    six: int = option(_POINTS)
    five: int = option(_POINTS)
    four: int = option(_POINTS)
    three: int = option(_POINTS)
    by_face: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ranks = [self.pinella if rank is Rank.TWO else int(getattr(self, rank.name.lower())) for rank in Rank]
        by_face = (*(ranks[index % len(ranks)] for index in range(JOLLY_INDEX)), self.jolly)
        object.__setattr__(self, "by_face", by_face)

    def of(self, card: Card) -> int:
        """Points of a card out of any meld: in a hand, in a pozzetto; a 2 is a pinella."""
        return self.by_face[card.index]

    @property
    def distinct(self) -> tuple[int, ...]:
        """The different values a card can have, highest first."""
        return tuple(sorted({*self.by_face, self.natural_two}, reverse=True))


@dataclass(frozen=True, slots=True)
class Bonuses:
    """Points of each class of burraco."""

    pulito: int = option(_POINTS)
    semipulito: int = option(_POINTS)
    sporco: int = option(_POINTS)

    def of(self, classe: BurracoClass) -> int:
        """Points of a class, 0 for NONE."""
        return 0 if classe is BurracoClass.NONE else int(getattr(self, classe.value))


@dataclass(frozen=True, slots=True)
class ClassRules:
    """What makes a burraco, and a semipulito."""

    burraco_cards: int = option(Whole(3, 14))
    semipulito: Semipulito = option(Choice(Semipulito))
    semipulito_naturals: int = option(Whole(3, 14))


@dataclass(frozen=True, slots=True)
class RunRules:
    """Limits of a sequenza."""

    min_cards: int = option(Whole(3, 14))
    max_naturals: int = option(Whole(3, 14))
    aces: Aces = option(Choice(Aces))


@dataclass(frozen=True, slots=True)
class SetRules:
    """Limits of a combinazione; `ranks` are those it may be of, none where sets do not exist."""

    min_cards: int = option(Whole(3, 24))
    max_naturals: int = option(Whole(3, 24))
    ranks: tuple[Rank, ...] = option(Ranks())


@dataclass(frozen=True, slots=True)
class WildRules:
    """How many wilds (jolly, pinella out of its place) one meld may hold."""

    per_meld: int = option(Whole(0, 1))


@dataclass(frozen=True, slots=True)
class ClosingRules:
    """What closing earns and needs."""

    bonus: int = option(_POINTS)
    needs_burraco: bool = option(Flag())
    needs_pozzetto: bool = option(Flag())


@dataclass(frozen=True, slots=True)
class PozzettoRules:
    """What a pozzetto not taken costs; one taken and not played costs the value of its cards."""

    not_taken_penalty: int = option(_POINTS)
    penalty_when_nobody_took: bool = option(Flag())


@dataclass(frozen=True, slots=True)
class MatchRules:
    """Totals a match may be played to, and the usual one."""

    targets: tuple[int, ...] = option(Wholes(1, 100_000))
    default_target: int = option(Whole(1, 100_000))


@dataclass(frozen=True, slots=True)
class Regolamento:
    """One rule system; two with the same figures are equal whatever their notes say."""

    name: str
    title: str
    base: str | None = field(compare=False)
    source: str = field(compare=False)
    date: str = field(compare=False)
    deck: Deck
    values: CardValues
    bonus: Bonuses
    classes: ClassRules
    runs: RunRules
    sets: SetRules
    wilds: WildRules
    closing: ClosingRules
    pozzetto: PozzettoRules
    match: MatchRules
    notes: tuple[Note, ...] = field(compare=False, repr=False)

    def note(self, name: str) -> Note:
        """The note of one field, as `values.jolly`; KeyError where there is no such field."""
        for note in self.notes:
            if note.field == name:
                return note
        raise KeyError(name)

    @property
    def class_keys(self) -> tuple[BurracoClass, ...]:
        """The classes of burraco that exist here, best first."""
        off = self.classes.semipulito is Semipulito.OFF
        classes = [c for c in BurracoClass if c is not BurracoClass.NONE and not (off and c is BurracoClass.SEMIPULITO)]
        return tuple(sorted(classes, key=self.bonus.of, reverse=True))
