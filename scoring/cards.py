"""Playing cards as values with a text form that reads back."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from itertools import chain

JOLLY_INDEX = 52
NO_CARD_INDEX = 53


class CardError(ValueError):
    """Text or parts that name no card; `.text` is what was seen, several words with blanks between them."""

    def __init__(self, text: str) -> None:
        super().__init__(f"no card: {text!r}; expected a rank A 2..10 J Q K and a suit ♥♦♣♠ or H D C S, or JK")
        self.text = text


class Suit(Enum):
    """The four suits, in the order of the faces.

    >>> Suit.HEARTS.value, Suit.HEARTS.letter
    ('♥', 'H')
    """

    HEARTS = "♥"
    DIAMONDS = "♦"
    CLUBS = "♣"
    SPADES = "♠"

    @property
    def letter(self) -> str:
        """The suit in ASCII: H D C S."""
        return self.name[0]


class Rank(Enum):
    """The thirteen ranks, ace first.

    >>> Rank.QUEEN.value, Rank.QUEEN.number
    ('Q', 12)
    """

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "10"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"

    @property
    def number(self) -> int:
        """1 for the ace up to 13 for the king."""
        return _NUMBERS[self]


_RANKS = tuple(Rank)
_SUITS = tuple(Suit)
_NUMBERS = {rank: number for number, rank in enumerate(_RANKS, start=1)}
_RANK_OF = {rank.value: rank for rank in _RANKS} | {"T": Rank.TEN, "F": Rank.JACK, "D": Rank.QUEEN, "R": Rank.KING}
_SUIT_OF = {
    sign: suit for suit, outline in zip(_SUITS, "♡♢♧♤", strict=True) for sign in (suit.value, suit.letter, outline)
} | {"❤": Suit.HEARTS}
_VARIATIONS = str.maketrans("", "", "\ufe0e\ufe0f")
_RUN_TOGETHER = re.compile(r"(?:(?:JK|(?:10|[A2-9TJQKFDR])[♥♦♣♠♡♢♧♤❤HDCS])){2,}")
_ONE_OF_SEVERAL = re.compile(r"JK|(?:10|[A2-9TJQKFDR])[♥♦♣♠♡♢♧♤❤HDCS]")


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """One card face; rank and suit both None is the jolly.

    `index` is the face's place in `FACES`, 0..52: the order in which the reader scores faces.

    >>> str(Card.parse("10h")), Card.parse("K♥").index, Card.parse("JK").is_jolly
    ('10♥', 12, True)
    """

    rank: Rank | None
    suit: Suit | None
    index: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.rank is None and self.suit is None:
            index = JOLLY_INDEX
        elif self.rank is None or self.suit is None:
            raise CardError(f"{self.rank} {self.suit}")
        else:
            index = _SUITS.index(self.suit) * len(_RANKS) + self.rank.number - 1
        object.__setattr__(self, "index", index)

    def __eq__(self, other: object) -> bool:
        return self.index == other.index if isinstance(other, Card) else NotImplemented

    def __hash__(self) -> int:
        return self.index

    def __str__(self) -> str:
        return "JK" if self.rank is None or self.suit is None else self.rank.value + self.suit.value

    @property
    def is_jolly(self) -> bool:
        """Whether this is the jolly."""
        return self.index == JOLLY_INDEX

    @property
    def is_two(self) -> bool:
        """Whether this is a 2 of any suit, which may be a pinella."""
        return self.rank is Rank.TWO

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read one card from `K♥`, `KH`, `10H`, `TH`, `JK`, in either case; CardError on anything else.

        F, D, R (fante, donna, re) are J, Q, K; after the rank a D is diamonds and a C clubs.

        >>> [str(Card.parse(text)) for text in ("fh", "D♠", "RD", "3c", "K\u2764\ufe0f", "K♥\ufe0e")]
        ['J♥', 'Q♠', 'K♦', '3♣', 'K♥', 'K♥']
        """
        name = text.strip().translate(_VARIATIONS).upper()
        if name in ("JK", "JOLLY"):
            return JOLLY
        rank, suit = _RANK_OF.get(name[:-1]), _SUIT_OF.get(name[-1:])
        if rank is None or suit is None:
            raise CardError(text)
        return FACES[_SUITS.index(suit) * len(_RANKS) + rank.number - 1]


JOLLY = Card(None, None)
FACES: tuple[Card, ...] = (*(Card(rank, suit) for suit in _SUITS for rank in _RANKS), JOLLY)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by spaces or commas, or run together, in order; CardError names every word that is none.

    >>> [str(card) for card in parse_cards("3♥ 4H, jk")], [str(card) for card in parse_cards("9♥10♥JKqh")]
    (['3♥', '4♥', 'JK'], ['9♥', '10♥', 'JK', 'Q♥'])
    >>> parse_cards("3♥ 11H 4X")
    Traceback (most recent call last):
    scoring.cards.CardError: no card: '11H 4X'; expected a rank A 2..10 J Q K and a suit ♥♦♣♠ or H D C S, or JK
    """
    cards, wrong = [], []
    for word in chain.from_iterable(map(_apart, filter(None, re.split(r"[\s,;]+", text)))):
        try:
            cards.append(Card.parse(word))
        except CardError:
            wrong.append(word)
    if wrong:
        raise CardError(" ".join(wrong))
    return tuple(cards)


def _apart(word: str) -> list[str]:
    """The cards of a word in which several run together; a word that is anything else stays whole."""
    name = word.translate(_VARIATIONS).upper()
    return _ONE_OF_SEVERAL.findall(name) if _RUN_TOGETHER.fullmatch(name) else [word]


def cards_text(cards: tuple[Card, ...] | list[Card]) -> str:
    """Write cards so that `parse_cards` reads them back.

    >>> cards_text(parse_cards("3H JK"))
    '3♥ JK'
    """
    return " ".join(map(str, cards))
