"""WHAT: the card that an upright index crop shows."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from vision.detector import DetectorError, onnx_session

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

ANSWERS: Final = 54
JOLLY_ANSWER: Final = 52
NONE_ANSWER: Final = 53
BATCH: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class Readings:
    """What a reader says of N crops: `log_probs` (N, 54), faces in `scoring.cards.FACES` order and then *none*;
    `embeddings` (N, D)."""

    log_probs: NDArray[np.float32]
    embeddings: NDArray[np.float32]

    def __post_init__(self) -> None:
        if self.log_probs.ndim != 2 or self.log_probs.shape[1] != ANSWERS:
            raise ValueError(f"expected (N, {ANSWERS}) log probabilities, got {self.log_probs.shape}")
        if self.embeddings.ndim != 2 or len(self.embeddings) != len(self.log_probs):
            raise ValueError(f"expected {len(self.log_probs)} embeddings, got {self.embeddings.shape}")

    def __len__(self) -> int:
        return len(self.log_probs)

    def __getitem__(self, rows: NDArray[np.int64]) -> Readings:
        return Readings(self.log_probs[rows], self.embeddings[rows])

    def replaced(self, rows: NDArray[np.int64], others: Readings) -> Readings:
        """These readings with others in the given rows."""
        log_probs, embeddings = self.log_probs.copy(), self.embeddings.copy()
        log_probs[rows], embeddings[rows] = others.log_probs, others.embeddings
        return Readings(log_probs, embeddings)


def normalised(log_scores: NDArray[Any]) -> NDArray[np.float64]:
    """Log scores (..., 54) shifted so that each row's probabilities sum to one."""
    away = log_scores - log_scores.max(axis=-1, keepdims=True)
    return np.asarray(away - np.log(np.exp(away).sum(axis=-1, keepdims=True)), np.float64)


def together(looks: Sequence[Readings]) -> Readings:
    """Several looks at the same crops as one reading: the mean of the log probabilities, made to sum to one again."""
    if len(looks) == 1:
        return looks[0]
    mean = normalised(np.mean([look.log_probs for look in looks], axis=0))
    vectors = np.mean([look.embeddings for look in looks], axis=0)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)
    return Readings(mean.astype(np.float32), vectors.astype(np.float32))


class Reader(Protocol):
    """Reads upright crops."""

    def read(self, crops: NDArray[np.uint8]) -> Readings:
        """Scores of (N, 72, 48, 3) uint8 RGB crops."""
        ...


class OnnxReader:
    """The exported reader in ONNX Runtime."""

    def __init__(self, path: Path) -> None:
        self._session = onnx_session(path)
        self._input = self._session.get_inputs()[0].name
        outputs = [output.name for output in self._session.get_outputs()]
        if "log_probs" not in outputs:
            raise DetectorError(f"{path}: expected an output named log_probs, got {outputs}")
        self._outputs = ["log_probs", "embedding"] if "embedding" in outputs else ["log_probs"]
        card = path.with_suffix(".json")
        self.description: dict[str, Any] = json.loads(card.read_text("utf-8")) if card.is_file() else {}

    def read(self, crops: NDArray[np.uint8]) -> Readings:
        """Scores of (N, 72, 48, 3) uint8 RGB crops."""
        log_probs = [np.zeros((0, ANSWERS), np.float32)]
        embeddings: list[NDArray[np.float32]] = []
        for start in range(0, len(crops), BATCH):
            batch = crops[start : start + BATCH].transpose(0, 3, 1, 2).astype(np.float32) / np.float32(255)
            answers = self._session.run(self._outputs, {self._input: np.ascontiguousarray(batch)})
            log_probs.append(answers[0])
            if len(answers) > 1:
                embeddings.append(answers[1])
        joined = np.concatenate(log_probs).astype(np.float32)
        return Readings(joined, np.concatenate(embeddings) if embeddings else np.zeros((len(joined), 0), np.float32))


class FakeReader:
    """Answers with readings it was given, whatever the crops, for tests and dry runs."""

    def __init__(self, readings: Readings) -> None:
        self._readings = readings

    def read(self, crops: NDArray[np.uint8]) -> Readings:
        """The given readings, one a crop."""
        if len(crops) != len(self._readings):
            raise ValueError(f"{len(self._readings)} readings for {len(crops)} crops")
        return self._readings
