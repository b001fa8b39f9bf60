"""The players' own deck: cards they confirmed help to name the cards of later photos, without any training.

What the reader got wrong on confirmed indices is predicted for new ones from their embeddings (ridge regression, for
rank and suit apart, so that few corrections serve a whole deck), and added to its scores. Whether a photo shows that
deck at all is told by how alike its indices are to confirmed ones of the same name; on another deck nothing changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from scoring.cards import FACES
from vision.reader import JOLLY_ANSWER, NONE_ANSWER, Reader, Readings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]

RANKS: Final = 13
RANK_OF: Final = np.array([RANKS if face == JOLLY_ANSWER else face % RANKS for face in range(len(FACES))])
SUIT_OF: Final = np.array([face // RANKS for face in range(len(FACES))])
PARTS: Final = np.concatenate([np.eye(RANKS + 1)[RANK_OF], np.eye(int(SUIT_OF.max()) + 1)[SUIT_OF]], axis=1)
"""Which rank and which suit each face has: (53, 19), the jolly one of its own in both."""


@dataclass(frozen=True, slots=True)
class ReferenceTuning:
    """`weight`: nats added for an error of one; `ridge`: how much references are distrusted; `alike`: median cosine to
    confirmed indices of the same name from which a photo may, and does, show their deck; `least`: indices that takes;
    `most`: references kept."""

    weight: float = 6.0
    ridge: float = 0.1
    alike: tuple[float, float] = (0.93, 0.95)
    least: int = 3
    most: int = 400


@dataclass(frozen=True, slots=True, eq=False)
class References:
    """Confirmed indices of one deck: `embeddings` (K, D) of length one, `faces` (K,) rows of `FACES`, `errors` (K, 19)
    of the reader's ranks and suits, true less read."""

    embeddings: NDArray[np.float32]
    faces: NDArray[np.int64]
    errors: NDArray[np.float32]

    def __post_init__(self) -> None:
        if not len(self.embeddings) == len(self.faces) == len(self.errors):
            raise ValueError(f"{len(self.embeddings)} embeddings, {len(self.faces)} faces, {len(self.errors)} errors")

    def __len__(self) -> int:
        return len(self.faces)

    @classmethod
    def none(cls) -> References:
        """No reference yet."""
        return cls(np.zeros((0, 0), np.float32), np.zeros(0, np.int64), np.zeros((0, PARTS.shape[1]), np.float32))

    def confirmed(
        self, readings: Readings, named: Sequence[tuple[int, int]], tuning: ReferenceTuning | None = None
    ) -> References:
        """These and those of one more table: (row of `readings`, row of `FACES`) for the indices of every card that the
        players confirmed, the right ones as well. The oldest go where they become too many."""
        most = (tuning or ReferenceTuning()).most
        if not named:
            return self
        rows, faces = np.array(named, np.int64).T
        chosen = readings[rows]
        new = References(chosen.embeddings, faces, (PARTS[faces] - _parts(chosen)).astype(np.float32))
        if len(self):
            new = References(
                np.concatenate([self.embeddings, new.embeddings]),
                np.concatenate([self.faces, new.faces]),
                np.concatenate([self.errors, new.errors]),
            )
        return References(new.embeddings[-most:], new.faces[-most:], new.errors[-most:])

    def applied(self, readings: Readings, tuning: ReferenceTuning | None = None) -> Readings:
        """The readings of one photo, all its indices together, with what the deck taught weighed in.

        How probable *none* is stays as it was.
        """
        tuning = tuning or ReferenceTuning()
        trust = self.likeness(readings, tuning) if len(self) else 0.0
        if trust == 0.0:
            return readings
        known = self.embeddings.astype(np.float64)
        ridge = tuning.ridge * np.eye(len(known))
        taught = np.linalg.solve(known @ known.T + ridge, self.errors.astype(np.float64))
        expected = readings.embeddings @ known.T @ taught
        scores = readings.log_probs[:, :NONE_ANSWER].astype(np.float64)
        moved = scores + tuning.weight * trust * expected @ PARTS.T
        moved += _total(scores) - _total(moved)
        log_probs = np.concatenate([moved, readings.log_probs[:, NONE_ANSWER:]], axis=1)
        return Readings(log_probs.astype(np.float32), readings.embeddings)

    def likeness(self, readings: Readings, tuning: ReferenceTuning) -> float:
        """How surely a photo shows the deck of these references, 0 to 1."""
        if not len(readings):
            return 0.0
        best = readings.log_probs[:, :NONE_ANSWER].argmax(axis=1)
        same = best[:, None] == self.faces[None]
        nearest = np.where(same, readings.embeddings @ self.embeddings.T, -1.0).max(axis=1)[same.any(axis=1)]
        if len(nearest) < tuning.least:
            return 0.0
        low, high = tuning.alike
        return float(np.clip((np.median(nearest) - low) / (high - low), 0.0, 1.0))


def _parts(readings: Readings) -> Doubles:
    """How probable each rank and each suit is read to be: (N, 19)."""
    scores = readings.log_probs[:, :NONE_ANSWER].astype(np.float64)
    return np.asarray(np.exp(scores - _total(scores)) @ PARTS)


def _total(scores: Doubles) -> Doubles:
    top = scores.max(axis=1, keepdims=True)
    return np.asarray(top + np.log(np.exp(scores - top).sum(axis=1, keepdims=True)))


class ReferencedReader:
    """A reader that knows the players' deck; give it all indices of a photo at once."""

    def __init__(self, reader: Reader, references: References) -> None:
        self._reader, self._references = reader, references

    def read(self, crops: NDArray[np.uint8]) -> Readings:
        """Scores of (N, 72, 48, 3) uint8 RGB crops."""
        return self._references.applied(self._reader.read(crops))
