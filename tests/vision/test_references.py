"""Confirmed cards teach the deck they are from, and no other."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.cards import FACES, Card
from vision.reader import NONE_ANSWER, FakeReader, Readings
from vision.references import ReferencedReader, References, ReferenceTuning

CLUBS, SPADES = (range(FACES.index(Card.parse(f"A{suit}")), FACES.index(Card.parse(f"K{suit}")) + 1) for suit in "♣♠")


def deck(seed: int, faces: list[int], *, clubs_as_spades: bool = False, share: float = 0.6) -> Readings:
    """Indices of a made-up deck whose embedding has a part each for rank, suit and the deck itself."""
    rng = np.random.default_rng(seed)
    style = rng.normal(size=64) * 2
    parts = np.random.default_rng(99).normal(size=(18, 64))
    vectors, rows = [], []
    for face in faces:
        vector = style + parts[face % 13] + parts[13 + face // 13] + rng.normal(0, 0.05, 64)
        vectors.append(vector / np.linalg.norm(vector))
        probs = np.full(54, 1e-4)
        probs[face] = 1.0
        if clubs_as_spades and face in CLUBS:
            probs[face], probs[SPADES[face - CLUBS[0]]] = 1 - share, share
        probs[NONE_ANSWER] = 0.1
        rows.append(np.log(probs / probs.sum()))
    return Readings(np.array(rows, np.float32), np.array(vectors, np.float32))


def best(readings: Readings) -> list[int]:
    return readings.log_probs[:, :NONE_ANSWER].argmax(axis=1).tolist()


FIRST = [*CLUBS[:5], *SPADES[:8], *range(8)]
LATER = [*CLUBS[2:], *SPADES[3:], *range(4, 13)]


def learnt() -> References:
    readings = deck(1, FIRST, clubs_as_spades=True)
    return References.none().confirmed(readings, list(enumerate(FIRST)))


def test_five_corrections_serve_the_whole_suit():
    later = deck(1, LATER, clubs_as_spades=True)
    assert best(later) != LATER
    assert best(learnt().applied(later)) == LATER


def test_another_deck_stays_as_it_was_read():
    other = deck(2, LATER, clubs_as_spades=True)
    assert learnt().applied(other) is other


def test_none_stays_as_probable_and_all_sums_to_one():
    later = deck(1, LATER, clubs_as_spades=True)
    after = learnt().applied(later)
    np.testing.assert_allclose(after.log_probs[:, NONE_ANSWER], later.log_probs[:, NONE_ANSWER])
    np.testing.assert_allclose(np.exp(after.log_probs).sum(axis=1), 1, rtol=1e-4)


@pytest.mark.parametrize("faces", [[], LATER[:2]])
def test_too_few_indices_tell_no_deck(faces: list[int]):
    readings = deck(1, faces or LATER[:1])[np.arange(len(faces))]
    assert learnt().applied(readings) is readings


def test_without_references_nothing_changes():
    readings = deck(1, LATER)
    assert References.none().applied(readings) is readings
    assert References.none().confirmed(readings, []).faces.size == 0


def test_the_oldest_references_go():
    readings = deck(1, LATER)
    once = References.none().confirmed(readings, list(enumerate(LATER)))
    tuning = ReferenceTuning(most=len(LATER) + 1)
    twice = once.confirmed(readings, [(0, 7), (1, 8)], tuning)
    assert len(twice) == len(LATER) + 1 and twice.faces[-2:].tolist() == [7, 8]


def test_unequal_arrays_are_refused():
    with pytest.raises(ValueError, match="1 embeddings, 2 faces"):
        References(np.zeros((1, 4), np.float32), np.zeros(2, np.int64), np.zeros((1, 19), np.float32))


def test_a_reader_that_knows_the_deck():
    later = deck(1, LATER, clubs_as_spades=True)
    reader = ReferencedReader(FakeReader(later), learnt())
    assert best(reader.read(np.zeros((len(LATER), 72, 48, 3), np.uint8))) == LATER
