"""Detections as values, suppression, and decoding of the raw output."""

from __future__ import annotations

import numpy as np
import pytest

from vision.detector import Detections, FakeDetector, decode, index_sizes, padded_chw, suppress


def detections(boxes, scores=None, classes=None) -> Detections:
    boxes = np.array(boxes, np.float32).reshape(-1, 4)
    x0, y0, x1, y1 = boxes.T
    corners = np.stack([np.stack(p, 1) for p in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))], 1)
    count = len(boxes)
    scores = np.linspace(0.9, 0.5, count) if scores is None else scores
    classes = np.zeros(count) if classes is None else classes
    return Detections(boxes, np.array(scores, np.float32), np.array(classes, np.int64), corners)


def test_empty_has_no_rows_and_joins():
    assert len(Detections.empty()) == 0
    assert len(Detections.joined([])) == 0
    assert len(suppress(Detections.empty())) == 0
    assert len(index_sizes(Detections.empty())) == 0


def test_unequal_arrays_are_refused():
    with pytest.raises(ValueError, match="unequal shapes"):
        Detections(np.zeros((2, 4), np.float32), np.zeros(1, np.float32), np.zeros(2, np.int64), np.zeros((2, 4, 2)))


def test_moved_maps_boxes_and_corners():
    moved = detections([[0, 0, 10, 20]]).moved(2, (5, 7))
    assert moved.boxes_xyxy.tolist() == [[5, 7, 25, 47]]
    assert moved.corners[0, 2].tolist() == [25, 47]


@pytest.mark.parametrize(
    ("boxes", "classes", "kept"),
    [
        ([[0, 0, 10, 20], [1, 0, 11, 20]], [0, 0], 1),
        ([[0, 0, 10, 20], [1, 0, 11, 20]], [0, 1], 1),
        ([[0, 0, 10, 20], [9, 0, 19, 20]], [0, 0], 2),
        ([[0, 0, 10, 20], [2, 2, 7, 9]], [0, 0], 1),
    ],
)
def test_suppression_is_across_classes(boxes, classes, kept):
    assert len(suppress(detections(boxes, classes=classes))) == kept


@pytest.mark.parametrize("angle_deg", [0, 20, 45, 90, 200])
def test_index_size_is_the_same_whatever_the_direction(angle_deg):
    a = np.radians(angle_deg)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    index = np.array([[-4, -10], [4, -10], [4, 10], [-4, 10]]) @ turn.T
    card = (np.array([[-28, -43], [28, -43], [28, 43], [-28, 43]]) @ turn.T).astype(np.float32)
    box = np.concatenate([index.min(0), index.max(0)]).astype(np.float32)
    one = Detections(box[None], np.ones(1, np.float32), np.zeros(1, np.int64), card[None])
    assert index_sizes(one)[0] == pytest.approx(28, rel=1e-3)


def test_decode_reads_boxes_classes_and_corners_and_drops_weak_anchors():
    raw = np.zeros((4 + 2 + 12, 3), np.float32)
    raw[:4, 0] = [50, 60, 10, 20]
    raw[4:6, 0] = [0.2, 0.8]
    raw[6:, 0] = np.arange(12)
    raw[4, 1] = 0.05
    found = decode(raw, 0.1)
    assert len(found) == 1
    assert found.boxes_xyxy.tolist() == [[45, 50, 55, 70]]
    assert found.classes.tolist() == [1]
    assert found.corners[0].tolist() == [[0, 1], [3, 4], [6, 7], [9, 10]]


def test_input_is_padded_with_grey_to_the_stride():
    chw = padded_chw(np.zeros((33, 64, 3), np.uint8))
    assert chw.shape == (1, 3, 64, 64)
    assert chw[0, 0, 40, 10] == pytest.approx(114 / 255)
    assert chw[0, :, 20, 20].tolist() == [0, 0, 0]


def test_fake_answers_what_it_was_given():
    assert len(FakeDetector().detect(np.zeros((8, 8, 3), np.uint8))) == 0
