"""What a side has at the end of a smazzata: laid, held, taken, and who closed how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from math import gcd

from scoring.cards import Card
from scoring.classes import BurracoClass
from scoring.sections import Regolamento


class Pozzetto(StrEnum):
    """What became of a side's pozzetto."""

    NOT_TAKEN = "not_taken"
    PLAYED = "played"
    NOT_PLAYED = "not_played"


class End(StrEnum):
    """How a smazzata ended: a side closed, with its bonus or without; or nobody did."""

    CLOSED = "closed"
    CLOSED_WITHOUT_BONUS = "closed_without_bonus"
    STOCK = "stock"
    TIME = "time"

    @property
    def closes(self) -> bool:
        """Whether a side must have closed."""
        return self in (End.CLOSED, End.CLOSED_WITHOUT_BONUS)


@dataclass(frozen=True, slots=True)
class SideMelds:
    """What a side laid, card by card, in the order it lies."""

    melds: tuple[tuple[Card, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class SideCounts:
    """What a side laid, counted: (card value, how many) and (class of burraco, how many).

    `heaps` are (points of several cards together, how many such heaps), such as the hundreds people pile up.
    """

    cards_by_value: tuple[tuple[int, int], ...] = ()
    burrachi: tuple[tuple[BurracoClass, int], ...] = ()
    heaps: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        for key, count in chain[tuple[object, int]](self.cards_by_value, self.burrachi, self.heaps):
            if count < 0:
                raise ValueError(f"{key}: {count} is no count; expected 0 or more")

    @classmethod
    def of(
        cls,
        cards_by_value: Mapping[int, int],
        burrachi: Mapping[BurracoClass, int],
        heaps: Mapping[int, int] | None = None,
    ) -> SideCounts:
        """The same from mappings."""
        return cls(tuple(cards_by_value.items()), tuple(burrachi.items()), tuple((heaps or {}).items()))

    def parted(self, regolamento: Regolamento) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
        """What was counted card by card, and what in heaps.

        A row worth more than any card is a heap as well, and what lies beside it is then the rest of one.

        >>> from scoring.regolamento import load_regolamento
        >>> fibur = load_regolamento("fibur")
        >>> SideCounts(((10, 7),)).parted(fibur), SideCounts(((100, 1), (20, 1))).parted(fibur)
        ((((10, 7),), ()), ((), ((100, 1), (20, 1))))
        """
        largest = max(regolamento.values.distinct)
        if any(count and value > largest for value, count in self.cards_by_value):
            return (), self.cards_by_value + self.heaps
        return self.cards_by_value, self.heaps


@dataclass(frozen=True, slots=True)
class SideSums:
    """What a side laid, as two sums."""

    card_points: int = 0
    bonus_points: int = 0


Laid = SideMelds | SideCounts | SideSums


def points_step(regolamento: Regolamento) -> int:
    """What every sum of cards is a multiple of.

    >>> from scoring.regolamento import load_regolamento
    >>> points_step(load_regolamento("fibur"))
    5
    """
    return gcd(*regolamento.values.distinct) or 1


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
class Adjustment:
    """Points a referee gives or takes, and why."""

    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Side:
    """One side at the end of a smazzata; `hands` holds one entry a player, or one for both.

    `last_discard` is the card the closing side put down, None where nobody said; `laid_last` says that it put down
    none and laid its last card. `penalised` are cards a referee counts against the side, and lie in no meld.
    A `pozzetto` of None is an open question and scores nothing.
    """

    laid: Laid
    closed: bool = False
    pozzetto: Pozzetto | None = Pozzetto.PLAYED
    pozzetto_held: Held | None = None
    hands: tuple[Held, ...] = ()
    penalised: Held | None = None
    adjustments: tuple[Adjustment, ...] = ()
    last_discard: Card | None = None
    laid_last: bool = False
    players: int = 2

    @property
    def holdings(self) -> tuple[Held, ...]:
        """Everything that counts against the side: hands, the pozzetto not played, what is penalised."""
        return (*self.hands, *filter(None, (self.pozzetto_held, self.penalised)))

    def all_cards(self) -> Iterator[Card]:
        """Every card known by its face, each once."""
        if isinstance(self.laid, SideMelds):
            yield from chain.from_iterable(self.laid.melds)
        for held in self.holdings:
            yield from held.cards
        if self.last_discard:
            yield self.last_discard
