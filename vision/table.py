"""What was read on a table: melds, loose cards and doubts, as values with a versioned JSON form."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from scoring.cards import Card, CardError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

VERSION: Final = 1

Quad = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]


class Source(StrEnum):
    """Where a card's name comes from."""

    SEEN = "seen"
    INFERRED = "inferred"
    USER = "user"


class DoubtKind(StrEnum):
    """What is asked: which card it is, which reading of a meld counts, a meld that is none, a card left out of one, a
    face that lies there more often than the deck holds it, something in line with a meld that was not read."""

    CARD = "card"
    READING = "reading"
    NOT_LEGAL = "not_legal"
    LEFT_OUT = "left_out"
    TOO_MANY = "too_many"
    UNREAD = "unread"


class ReadingFormatError(ValueError):
    """Text that is no table reading of a known version."""


class Alternative(NamedTuple):
    """Another face a card may be, and how probable that is."""

    card: Card
    probability: float


@dataclass(frozen=True, slots=True)
class ReadCard:
    """One card of the table: its name, how sure, and where it lies (corners as it reads, pixels of the original)."""

    card: Card
    quad: Quad
    probability: float
    source: Source = Source.SEEN
    alternatives: tuple[Alternative, ...] = ()


@dataclass(frozen=True, slots=True)
class MeldSeen:
    """Cards that lie as a meld, in laid order; `crosswise` are positions in `cards`."""

    cards: tuple[ReadCard, ...]
    crosswise: tuple[int, ...] = ()

    @property
    def faces(self) -> tuple[Card, ...]:
        """The names alone."""
        return tuple(card.card for card in self.cards)


@dataclass(frozen=True, slots=True)
class Answer:
    """One possible answer to a doubt: the cards the meld would then have (laid so), and the points it would count."""

    cards: tuple[Card, ...]
    points: int
    probability: float


@dataclass(frozen=True, slots=True)
class Doubt:
    """A question worth asking: which meld and card it is about (positions, None where neither), what may be answered
    (the first is what now stands), and by how much the answers differ; `quad` is where an unread card lies."""

    kind: DoubtKind
    meld: int | None
    card: int | None
    answers: tuple[Answer, ...]
    points_at_stake: int
    quad: Quad | None = None


@dataclass(frozen=True, slots=True)
class TableReading:
    """All that was read on one photo. Doubts come ordered by what is at stake, `seconds` by stage of the line."""

    melds: tuple[MeldSeen, ...] = ()
    loose: tuple[ReadCard, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    size_wh: tuple[int, int] = (0, 0)
    backs: tuple[Quad, ...] = ()
    seconds: tuple[tuple[str, float], ...] = ()

    @property
    def cards(self) -> tuple[ReadCard, ...]:
        """Every card on the table, melds first."""
        return tuple(card for meld in self.melds for card in meld.cards) + self.loose

    def to_json(self) -> str:
        """The reading as text that `from_json` reads back."""
        return json.dumps(reading_to_dict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> TableReading:
        """Read what `to_json` wrote; ReadingFormatError on anything else."""
        try:
            return reading_from_dict(json.loads(text))
        except json.JSONDecodeError as error:
            raise ReadingFormatError(f"no JSON: {error}") from error


def quad_of(corners: NDArray[Any] | Sequence[Sequence[float]]) -> Quad:
    """Four corners as plain floats, rounded to a tenth of a pixel."""
    a, b, c, d = ((round(float(x), 1), round(float(y), 1)) for x, y in corners)
    return a, b, c, d


def reading_to_dict(reading: TableReading) -> dict[str, Any]:
    """The reading in plain JSON types."""
    return {
        "version": VERSION,
        "size_wh": list(reading.size_wh),
        "melds": [
            {"cards": [_card_to_dict(card) for card in meld.cards], "crosswise": list(meld.crosswise)}
            for meld in reading.melds
        ],
        "loose": [_card_to_dict(card) for card in reading.loose],
        "doubts": [_doubt_to_dict(doubt) for doubt in reading.doubts],
        "backs": [[list(point) for point in quad] for quad in reading.backs],
        "seconds": {stage: round(seconds, 4) for stage, seconds in reading.seconds},
    }


def reading_from_dict(data: Any) -> TableReading:
    """The reading that `reading_to_dict` gave; ReadingFormatError where it is none."""
    if not isinstance(data, dict) or data.get("version") != VERSION:
        seen = data.get("version") if isinstance(data, dict) else type(data).__name__
        raise ReadingFormatError(f"expected a table reading of version {VERSION}, got {seen}")
    try:
        width, height = data["size_wh"]
        return TableReading(
            tuple(
                MeldSeen(tuple(map(_card_from_dict, meld["cards"])), tuple(map(int, meld["crosswise"])))
                for meld in data["melds"]
            ),
            tuple(map(_card_from_dict, data["loose"])),
            tuple(map(_doubt_from_dict, data["doubts"])),
            (int(width), int(height)),
            tuple(map(quad_of, data["backs"])),
            tuple((str(stage), float(seconds)) for stage, seconds in data["seconds"].items()),
        )
    except (KeyError, TypeError, ValueError, AttributeError, CardError) as error:
        raise ReadingFormatError(f"broken table reading: {error!r}") from error


def _card_to_dict(card: ReadCard) -> dict[str, Any]:
    return {
        "card": str(card.card),
        "quad": [list(point) for point in card.quad],
        "probability": round(card.probability, 4),
        "source": card.source.value,
        "alternatives": [[str(other.card), round(other.probability, 4)] for other in card.alternatives],
    }


def _card_from_dict(data: dict[str, Any]) -> ReadCard:
    return ReadCard(
        Card.parse(data["card"]),
        quad_of(data["quad"]),
        float(data["probability"]),
        Source(data["source"]),
        tuple(Alternative(Card.parse(card), float(probability)) for card, probability in data["alternatives"]),
    )


def _doubt_to_dict(doubt: Doubt) -> dict[str, Any]:
    answers = [
        {"cards": [str(card) for card in answer.cards], "points": answer.points, "probability": answer.probability}
        for answer in doubt.answers
    ]
    where = {"meld": doubt.meld, "card": doubt.card}
    place = {"quad": [list(point) for point in doubt.quad]} if doubt.quad else {}
    return {"kind": doubt.kind.value, **where, "answers": answers, "points_at_stake": doubt.points_at_stake} | place


def _doubt_from_dict(data: dict[str, Any]) -> Doubt:
    return Doubt(
        DoubtKind(data["kind"]),
        data["meld"],
        data["card"],
        tuple(
            Answer(tuple(map(Card.parse, answer["cards"])), int(answer["points"]), float(answer["probability"]))
            for answer in data["answers"]
        ),
        int(data["points_at_stake"]),
        quad_of(data["quad"]) if data.get("quad") else None,
    )
