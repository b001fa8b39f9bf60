"""An index in line with a meld that made no card is asked about; prints elsewhere are not."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.cards import FACES, Card, parse_cards
from scoring.regolamento import load_regolamento
from vision.cards import SeenCard
from vision.detector import Detections
from vision.layout import Group, Role, Shape
from vision.reader import NONE_ANSWER, Readings
from vision.reading import DoubtKind, read_table
from vision.unread import with_unread

WIDTH, HEIGHT, INDEX = 57.0, 87.0, (6.0, 14.0)


def corners(x: float, y: float) -> list[list[float]]:
    return [[x, y], [x + WIDTH, y], [x + WIDTH, y + HEIGHT], [x, y + HEIGHT]]


def scene(tops, cards: str, score: float = 0.9, none: float = 0.5, at=(3.0, 3.0), grown: float = 1.0):
    """A column of cards at those tops, the last index of which the reader takes for none."""
    faces = [FACES.index(card) for card in parse_cards(cards)]
    boxes, quads, log_probs = [], [], []
    for n, (top, face) in enumerate(zip(tops, faces, strict=True)):
        last = n == len(tops) - 1
        x, y = (at[0], top + at[1]) if last else (3.0, top + 3.0)
        size = np.array(INDEX) * (grown if last else 1.0)
        boxes.append([x, y, x + size[0], y + size[1]])
        quads.append(corners(x - 3.0, y - 3.0))
        probs = np.full(54, 1e-4)
        probs[face], probs[NONE_ANSWER] = (0.3, none) if last else (0.99, 1e-4)
        log_probs.append(np.log(probs / probs.sum()))
    count = len(tops)
    scores = np.array([0.9] * (count - 1) + [score], np.float32)
    indices = Detections(np.array(boxes, np.float32), scores, np.zeros(count, np.int64), np.array(quads, np.float32))
    readings = Readings(np.array(log_probs, np.float32), np.zeros((count, 0), np.float32))
    seen = tuple(SeenCard(indices.corners[n], readings.log_probs[n], (n,), 0.9) for n in range(count - 1))
    return [Group(seen, (), Role.MELD, Shape.COLUMN)], indices, readings


@pytest.mark.parametrize(
    ("changed", "unread"),
    [
        ({}, ["8♥"]),
        ({"score": 0.1}, []),
        ({"none": 50.0}, []),
        ({"at": (25.0, 3.0)}, []),
        ({"grown": 2.0}, []),
    ],
)
def test_what_lies_in_line_and_was_not_read(changed, unread):
    groups = with_unread(*scene((0, 20, 40, 60, 80), "4♥ 5♥ 6♥ 7♥ 8♥", **changed))
    assert [str(FACES[hidden.faces[0]]) for hidden in groups[0].unread] == unread


def test_an_index_found_twice_is_no_other():
    groups = with_unread(*scene((0, 20, 40, 41), "4♥ 5♥ 6♥ 6♥"))
    assert groups[0].unread == ()


def test_far_from_the_meld_it_is_none_of_its_cards():
    assert with_unread(*scene((0, 20, 40, 200), "4♥ 5♥ 6♥ 7♥"))[0].unread == ()


def test_nothing_lies_on_an_empty_table():
    empty = Readings(np.zeros((0, 54), np.float32), np.zeros((0, 0), np.float32))
    assert with_unread([], Detections.empty(), empty) == []


def test_it_is_asked_with_what_it_would_add():
    fibur = load_regolamento("fibur")
    groups = with_unread(*scene((0, 20, 40, 60), "4♥ 5♥ 6♥ 7♥"))
    (doubt,) = read_table(groups, fibur).doubts
    assert (doubt.kind, doubt.meld, doubt.card) == (DoubtKind.UNREAD, 0, None)
    assert doubt.answers[1].cards == (*parse_cards("4♥ 5♥ 6♥"), Card.parse("7♥"))
    assert doubt.points_at_stake == fibur.values.of(Card.parse("7♥"))
