"""Directions corrected by the shape of the boxes."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.cards import FACES
from tests.vision.tabletop import Laid, Noise, look
from vision.crops import index_angles
from vision.detector import Detections
from vision.straighten import STRAIGHT_DOWN, StraightenTuning, View, box_shape, fitted_view, straightened


def test_nothing_stays_nothing():
    assert len(straightened(Detections.empty())) == 0


@pytest.mark.parametrize(("angle_deg", "shape"), [(0, 0.4), (90, 2.5), (45, 1.0), (180, 0.4)])
def test_box_shape_follows_the_angle(angle_deg, shape):
    assert np.exp(box_shape(np.radians(angle_deg), 0.4)) == pytest.approx(shape, rel=0.01)


def test_wrong_directions_come_nearer_to_the_truth():
    rng = np.random.default_rng(0)
    laid = [Laid(FACES[i], 100.0 * (i % 5), 130.0 * (i // 5), float(rng.normal(0, 3))) for i in range(15)]
    noise = Noise(angle_deg=20, scale=0.05, corner=0.02, missed=0, size=0.03)
    found = look(laid, rng, tilt=5, noise=noise).detections
    truth = look(laid, np.random.default_rng(0), tilt=5, noise=Noise(0, 0, 0, 0, 0, 0)).detections

    def off(detections: Detections) -> float:
        turn = np.degrees(index_angles(detections.corners) - index_angles(truth.corners))
        return float(np.abs((turn + 180) % 360 - 180).mean())

    assert off(straightened(found)) < 0.6 * off(found)


def seen_aslant(view: View, rng: np.random.Generator) -> Detections:
    """Indices of cards that face two neighbouring chairs, whose corners were found as if one looked straight down."""
    turns = np.radians(rng.normal(0, 3, 40) + 90 * (np.arange(40) % 2))
    across, along = view.axes(turns)
    places = rng.uniform(0, 2000, (40, 2))
    half = (0.45 * np.abs(across) + np.abs(along)) * 15
    boxes = np.concatenate([places - half, places + half], axis=1)
    own, down = STRAIGHT_DOWN.axes(turns)
    corners = np.stack([places + x * 90 * own + y * 135 * down for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))], axis=1)
    return Detections(
        boxes.astype(np.float32), np.full(40, 0.9, np.float32), np.zeros(40, np.int64), corners.astype(np.float32)
    )


@pytest.mark.parametrize("shrunk", [1.0, 0.8, 0.7])
def test_outlines_are_foreshortened_as_the_boxes_are(shrunk):
    view = View(shrunk, 90.0)
    corners = straightened(seen_aslant(view, np.random.default_rng(1))).corners.astype(np.float64)
    wide, tall = (np.linalg.norm(corners[:, k] - corners[:, 0], axis=1) for k in (1, 3))
    upright = np.arange(40) % 2 == 0
    assert np.median((tall / wide)[upright]) == pytest.approx(1.5 * shrunk, rel=0.05)
    assert np.median((tall / wide)[~upright]) == pytest.approx(1.5 / shrunk, rel=0.05)


def test_a_slant_cannot_be_told_where_all_cards_lie_alike():
    angles = np.zeros(30)
    seen = np.full(30, float(box_shape(0.0, 0.45, View(0.7, 90.0))))
    assert fitted_view(seen, angles, StraightenTuning()) == STRAIGHT_DOWN
