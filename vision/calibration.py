"""Whether the line's own certainty can be believed: reliability of card scores, and what *sure* is worth."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from vision.answers import wilson
from vision.matching import at_their_places, nearest_places, points_exact
from vision.reader import NONE_ANSWER, normalised
from vision.reading import ReadingTuning, read_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from scoring.regolamento import Regolamento
    from vision.cards import SeenCard
    from vision.labels import LabelledPhoto
    from vision.line import Sight
    from vision.table import TableReading

BINS: Final = 10
ASK_ABOVE: Final = (0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01, 0.005, 0.002)
TEMPERATURES: Final = tuple(round(0.5 * 1.05**n, 3) for n in range(40))


class Score(NamedTuple):
    """How sure the line was of a card, 0 to 1, and whether it was right."""

    probability: float
    right: bool


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """What one photo tells: a score a card read; of cards matched by place the scores (54,) before the rules and the
    true face; and for each threshold of `ASK_ABOVE` whether anything is asked. `exact`: whether the points are."""

    scores: tuple[Score, ...]
    named: tuple[tuple[NDArray[np.float32], int], ...] = ()
    asks: tuple[bool, ...] = ()
    exact: bool = False


def calibrate(photo: LabelledPhoto, sight: Sight, reading: TableReading, regolamento: Regolamento) -> Calibration:
    """Compare one photo's certainty with its labels, by place where these have places and else by names.

    Where not every card is labelled nothing is told of those that match none.
    """
    named = _named(photo, sight.cards) if photo.has_places else ()
    if photo.melds is None:
        return Calibration(_scores(photo, reading), named)
    asks = []
    for above in ASK_ABOVE:
        tuning = replace(ReadingTuning(), ask_above=above)
        asks.append(bool(read_table(sight.groups, regolamento, tuning=tuning).doubts))
    return Calibration(_scores(photo, reading), named, tuple(asks), points_exact(photo, reading, regolamento))


def _scores(photo: LabelledPhoto, reading: TableReading) -> tuple[Score, ...]:
    cards = sorted(reading.cards, key=lambda card: -card.probability)
    if photo.has_places:
        right = set(at_their_places(photo.cards, cards).values())
        pairs = [Score(card.probability, n in right) for n, card in enumerate(cards)]
    else:
        left = Counter(range(len(photo.cards)))
        pairs = []
        for card in cards:
            hit = next((n for n in left if left[n] and photo.cards[n].fits(card.card)), None)
            if hit is not None:
                left[hit] -= 1
            pairs.append(Score(card.probability, hit is not None))
    return tuple(pair for pair in pairs if pair.right or photo.complete)


def _named(photo: LabelledPhoto, seen: Sequence[SeenCard]) -> tuple[tuple[NDArray[np.float32], int], ...]:
    """The scores of every seen card beside the face that lies at its place."""
    out = []
    for true, other in nearest_places(photo.cards, [card.quad for card in seen]).items():
        card = photo.cards[true].card
        if card is not None:
            out.append((seen[other].log_probs, card.index))
    return tuple(out)


@dataclass(frozen=True, slots=True)
class Bin:
    """Cards of like certainty: how many, their mean certainty, and the share that was right."""

    cards: int
    certainty: float
    right: float


def reliability(scores: Iterable[Score]) -> list[Bin]:
    """Ten bins of equal width, from the least certain; an empty one has zeros."""
    pairs = np.array([(s.probability, s.right) for s in scores], float).reshape(-1, 2)
    which = np.minimum((pairs[:, 0] * BINS).astype(int), BINS - 1)
    rows = [pairs[which == n] for n in range(BINS)]
    return [Bin(len(r), *map(float, r.mean(0))) if len(r) else Bin(0, 0.0, 0.0) for r in rows]


def calibration_error(bins: Sequence[Bin]) -> float:
    """The expected calibration error: mean distance of certainty and share right, weighted by cards."""
    total = sum(b.cards for b in bins)
    return sum(b.cards * abs(b.certainty - b.right) for b in bins) / max(total, 1)


def softened(log_probs: NDArray[np.float64], temperature: float) -> NDArray[np.float64]:
    """Log probabilities (N, F) at another temperature, each row summing to one again; above 1 less certain."""
    return normalised(log_probs / temperature)


def fitted_temperature(named: Sequence[tuple[NDArray[np.float32], int]]) -> tuple[float, float, float]:
    """The temperature with the least loss over cards of known faces, that loss, and the loss at 1 (nats a card)."""
    rows = np.array([log_probs[:NONE_ANSWER] for log_probs, _ in named], np.float64).reshape(-1, NONE_ANSWER)
    faces = np.array([face for _, face in named], int)
    at = np.arange(len(rows))

    def loss(temperature: float) -> float:
        return -float(softened(rows, temperature)[at, faces].mean()) if len(rows) else 0.0

    best = min(TEMPERATURES, key=loss)
    return best, loss(best), loss(1.0)


def calibration_lines(title: str, results: Sequence[Calibration]) -> list[str]:
    """Reliability and its error, then, where melds are labelled, how *sure* depends on the threshold."""
    scores = [score for result in results for score in result.scores]
    bins = reliability(scores)
    lines = [f"-- calibration, {title}: {len(scores)} cards, expected error {calibration_error(bins):.4f}"]
    lines.append(f"   {'certainty':>12}{'cards':>8}{'mean':>9}{'right':>9}")
    for n, row in enumerate(bins):
        if row.cards:
            span = f"{n / BINS:.1f}-{(n + 1) / BINS:.1f}"
            lines.append(f"   {span:>12}{row.cards:8}{row.certainty:9.3f}{row.right:9.3f}")
    named = [pair for result in results for pair in result.named]
    if named:
        best, loss, before = fitted_temperature(named)
        lines.append(f"   temperature {best:g} fits {len(named)} cards: loss {loss:.4f}, at 1 {before:.4f}")
    tables = [result for result in results if result.asks]
    for n, above in enumerate(ASK_ABOVE if tables else ()):
        sure = [result for result in tables if not result.asks[n]]
        right = sum(result.exact for result in sure)
        low, high = wilson(right, len(sure))
        lines.append(
            f"   asked from {above:5.1%} on: sure {len(sure)}/{len(tables)} ({len(sure) / len(tables):.1%}), "
            f"of those exact {right} ({right / max(len(sure), 1):.1%}) [{low:.1%} to {high:.1%}]"
        )
    return lines
