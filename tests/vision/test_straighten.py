"""Directions corrected by the shape of the boxes."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.cards import FACES
from tests.vision.tabletop import Laid, Noise, look
from vision.crops import index_angles
from vision.detector import Detections
from vision.straighten import box_shape, straightened


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
