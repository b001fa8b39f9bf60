"""The cards a game is played with, and which cards lie there too often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from scoring.cards import FACES, Card
from scoring.options import Whole


@dataclass(frozen=True, slots=True)
class Deck:
    """Packs shuffled together, each 52 cards and some jolly.

    >>> Deck().size, Deck(packs=3).size
    (108, 162)
    """

    packs: Annotated[int, Whole(2, 6)] = 2
    jollies_per_pack: Annotated[int, Whole(0, 4)] = 2

    @property
    def size(self) -> int:
        """Number of cards."""
        return sum(self.copies(card) for card in FACES)

    def copies(self, card: Card) -> int:
        """How many of this face there are."""
        return self.packs * self.jollies_per_pack if card.is_jolly else self.packs

    def faults(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """The faces that lie there more often than the deck holds them, in the order of the faces.

        >>> from scoring.cards import parse_cards
        >>> [str(card) for card in Deck().faults(parse_cards("7H 7H 7H JK JK JK JK"))]
        ['7♥']
        """
        counts = Counter(cards)
        too_often = [card for card, count in counts.items() if count > self.copies(card)]
        return tuple(sorted(too_often, key=lambda card: card.index))
