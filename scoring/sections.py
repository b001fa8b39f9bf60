"""A rule system as data: every number of the game, with where it comes from."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from scoring.cards import JOLLY_INDEX, Card, Rank
from scoring.classes import BurracoClass, Reale, Semipulito, Super
from scoring.deck import Deck
from scoring.options import Choice, Flag, Line, Marks, Ranks, Whole, Wholes

Points = Annotated[int, Whole(0, 10_000)]
RunCards = Annotated[int, Whole(3, 14)]
SetCards = Annotated[int, Whole(3, 24)]
YesNo = Annotated[bool, Flag()]
Name = Annotated[str, Line(40)]
CardMarks = Annotated[tuple[int, ...], Marks(4)]


class Aces(StrEnum):
    """Where natural aces may lie in one sequenza."""

    ONE_END = "one_end"
    BOTH_ENDS = "both_ends"


class BurracoNeed(StrEnum):
    """Which burraco a side must have before it may close; PULITO is any without a wild."""

    NONE = "none"
    ANY = "any"
    PULITO = "pulito"


class LastDiscard(StrEnum):
    """How the last card goes: discarded and no wild, discarded whatever it is, or laid as well as discarded."""

    NO_WILD = "no_wild"
    ANY = "any"
    OPTIONAL = "optional"

    @property
    def matters(self) -> bool:
        """Whether a closing hangs on how the last card went; not where it may as well be laid."""
        return self is not LastDiscard.OPTIONAL


class NotPlayed(StrEnum):
    """What a pozzetto taken and not played costs: the value of its cards, or as much as one not taken."""

    CARD_VALUES = "card_values"
    AS_NOT_TAKEN = "as_not_taken"


class Rounding(StrEnum):
    """What a pair that halves does with an odd half point."""

    UP = "up"
    DOWN = "down"
    KEEP = "keep"


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
    """Points of each class of burraco; those of classes that do not exist are never used."""

    pulito: Points
    semipulito: Points
    sporco: Points
    reale: Points = 300
    aa: Points = 300
    super: Points = 250
    reale_sporco: Points = 250
    super_sporco: Points = 200

    def of(self, classe: BurracoClass) -> int:
        """Points of a class, 0 for NONE."""
        return 0 if classe is BurracoClass.NONE else int(getattr(self, classe.value))


@dataclass(frozen=True, slots=True)
class ClassNames:
    """What players of this regolamento call each class."""

    pulito: Name = "pulito"
    semipulito: Name = "semipulito"
    sporco: Name = "sporco"
    reale: Name = "reale"
    aa: Name = "reale da asso ad asso"
    super: Name = "super"
    reale_sporco: Name = "reale sporco"
    super_sporco: Name = "super sporco"

    def of(self, classe: BurracoClass) -> str:
        """The name of a class; empty for NONE."""
        return "" if classe is BurracoClass.NONE else str(getattr(self, classe.value))


@dataclass(frozen=True, slots=True)
class ClassRules:
    """What makes a burraco, and each class beyond pulito and sporco; `super_cards` are its naturals."""

    burraco_cards: RunCards
    semipulito: Annotated[Semipulito, Choice(Semipulito)]
    semipulito_naturals: RunCards
    reale: Annotated[Reale, Choice(Reale)] = Reale.OFF
    reale_sporco: YesNo = False
    aa: YesNo = False
    super: Annotated[Super, Choice(Super)] = Super.OFF
    super_sporco: YesNo = False
    super_cards: SetCards = 8


@dataclass(frozen=True, slots=True)
class MarkRules:
    """Which cards lie crosswise to mark a class, counted from the end of the meld (1 the last); () where unmarked."""

    pulito: CardMarks = (1, 2)
    semipulito: CardMarks = (2,)
    sporco: CardMarks = (1,)
    reale: CardMarks = ()
    aa: CardMarks = ()
    super: CardMarks = ()
    reale_sporco: CardMarks = ()
    super_sporco: CardMarks = ()

    def of(self, classe: BurracoClass) -> tuple[int, ...]:
        """The cards of a class, none for NONE."""
        return () if classe is BurracoClass.NONE else tuple(getattr(self, classe.value))


@dataclass(frozen=True, slots=True)
class RunRules:
    """Limits of a sequenza."""

    min_cards: RunCards
    max_naturals: RunCards
    aces: Annotated[Aces, Choice(Aces)]


@dataclass(frozen=True, slots=True)
class SetRules:
    """Limits of a combinazione, beside the deck's; `ranks` are those it may be of, none where sets do not exist."""

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
    needs: Annotated[BurracoNeed, Choice(BurracoNeed)]
    needs_pozzetto: YesNo
    discard: Annotated[LastDiscard, Choice(LastDiscard)] = LastDiscard.NO_WILD


@dataclass(frozen=True, slots=True)
class PozzettoRules:
    """What a pozzetto costs or earns."""

    not_taken_penalty: Points
    penalty_when_nobody_took: YesNo
    not_played: Annotated[NotPlayed, Choice(NotPlayed)] = NotPlayed.CARD_VALUES
    taken_bonus: Points = 0


@dataclass(frozen=True, slots=True)
class MatchRules:
    """Totals a match may be played to and the usual one, whether it is one smazzata, a draw, and halves."""

    targets: Annotated[tuple[int, ...], Wholes(1, 100_000)]
    default_target: Annotated[int, Whole(1, 100_000)]
    one_smazzata: YesNo = False
    draw: YesNo = False
    half: Annotated[Rounding, Choice(Rounding)] = Rounding.UP


@dataclass(frozen=True, slots=True)
class Regolamento:
    """One rule system; two with the same figures are equal whatever their notes say.

    `formato` names its usual players and pozzetti; `own` are the fields that its own file gives or sources.
    """

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
    names: ClassNames
    marks: MarkRules
    formato: str
    notes: tuple[Note, ...] = field(compare=False, repr=False)
    own: tuple[str, ...] = field(compare=False, repr=False)

    @property
    def counts_as(self) -> str | None:
        """The base whose figures all count here because nothing of its own was found, else None."""
        return None if self.own else self.base

    def note(self, name: str) -> Note:
        """The note of one field, as `values.jolly`; KeyError where there is no such field."""
        for note in self.notes:
            if note.field == name:
                return note
        raise KeyError(name)

    @property
    def class_keys(self) -> tuple[BurracoClass, ...]:
        """The classes of burraco that exist here, best first.

        >>> from scoring.regolamento import load_regolamento
        >>> [key.value for key in load_regolamento("reale").class_keys]
        ['aa', 'reale', 'pulito', 'sporco']
        """
        rules = self.classes
        absent = {
            BurracoClass.NONE: True,
            BurracoClass.SEMIPULITO: rules.semipulito is Semipulito.OFF,
            BurracoClass.REALE: rules.reale is Reale.OFF,
            BurracoClass.AA: not rules.aa,
            BurracoClass.SUPER: rules.super is Super.OFF,
            BurracoClass.REALE_SPORCO: not rules.reale_sporco,
            BurracoClass.SUPER_SPORCO: not rules.super_sporco,
        }
        return tuple(sorted((c for c in BurracoClass if not absent.get(c)), key=self.bonus.of, reverse=True))
