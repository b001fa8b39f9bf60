"""A rule system as data: every number of the game, with where it comes from."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from scoring.cards import JOLLY_INDEX, Card, Rank
from scoring.classes import BurracoClass, Semipulito
from scoring.deck import Deck
from scoring.options import Choice, Flag, Ranks, Whole, Wholes

Points = Annotated[int, Whole(0, 10_000)]
RunCards = Annotated[int, Whole(3, 14)]
SetCards = Annotated[int, Whole(3, 24)]
YesNo = Annotated[bool, Flag()]


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

    jolly: Points
    pinella: Points
    natural_two: Points
    ace: Points
    king: Points
    queen: Points
    jack: Points
    ten: Points
    nine: Points
    eight: Points
    seven: Points
    six: Points
    five: Points
    four: Points
    three: Points
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

    pulito: Points
    semipulito: Points
    sporco: Points

    def of(self, classe: BurracoClass) -> int:
        """Points of a class, 0 for NONE."""
        return 0 if classe is BurracoClass.NONE else int(getattr(self, classe.value))


@dataclass(frozen=True, slots=True)
class ClassRules:
    """What makes a burraco, and a semipulito."""

    burraco_cards: RunCards
    semipulito: Annotated[Semipulito, Choice(Semipulito)]
    semipulito_naturals: RunCards


@dataclass(frozen=True, slots=True)
class RunRules:
    """Limits of a sequenza."""

    min_cards: RunCards
    max_naturals: RunCards
    aces: Annotated[Aces, Choice(Aces)]


@dataclass(frozen=True, slots=True)
class SetRules:
    """Limits of a combinazione; `ranks` are those it may be of, none where sets do not exist."""

    min_cards: SetCards
    max_naturals: SetCards
    ranks: Annotated[tuple[Rank, ...], Ranks()]


@dataclass(frozen=True, slots=True)
class WildRules:
    """How many wilds (jolly, pinella out of its place) one meld may hold."""

    per_meld: Annotated[int, Whole(0, 1)]


@dataclass(frozen=True, slots=True)
class ClosingRules:
    """What closing earns and needs."""

    bonus: Points
    needs_burraco: YesNo
    needs_pozzetto: YesNo


@dataclass(frozen=True, slots=True)
class PozzettoRules:
    """What a pozzetto not taken costs; one taken and not played costs the value of its cards."""

    not_taken_penalty: Points
    penalty_when_nobody_took: YesNo


@dataclass(frozen=True, slots=True)
class MatchRules:
    """Totals a match may be played to, and the usual one."""

    targets: Annotated[tuple[int, ...], Wholes(1, 100_000)]
    default_target: Annotated[int, Whole(1, 100_000)]


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
