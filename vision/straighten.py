"""Directions corrected by the shape of the box: an upright index has a tall box, one turned by 45° a square one.

The network's boxes are much surer than its far card corners, and the crop stands or falls with the direction.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from vision.crops import index_angles
from vision.detector import Detections, Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class StraightenTuning:
    """How far box and corners are trusted: spread of the log of a box's shape, of a predicted direction (degrees), the
    possible shapes of an upright index (width over height) and the largest correction (degrees)."""

    sigma_shape: float = 0.14
    sigma_angle_deg: float = 18.0
    shapes: tuple[float, float] = (0.34, 0.70)
    max_turn_deg: int = 45


def straightened(detections: Detections, tuning: StraightenTuning | None = None) -> Detections:
    """The detections with each index's card corners turned about the index to the direction its box asks for.

    One shape of upright index is fitted to the whole photo. Backs stay as they are.
    """
    tuning = tuning or StraightenTuning()
    rows = np.flatnonzero(detections.classes == Kind.INDEX)
    if not len(rows):
        return detections
    boxes = detections.boxes_xyxy[rows].astype(np.float64)
    sides = np.maximum(boxes[:, 2:] - boxes[:, :2], 1.0)
    seen = np.log(sides[:, 0] / sides[:, 1])
    offsets = np.radians(np.arange(-tuning.max_turn_deg, tuning.max_turn_deg + 1, 1.5))
    angles = index_angles(detections.corners[rows])
    prior = (np.degrees(offsets) / tuning.sigma_angle_deg) ** 2
    best_cost, best = np.inf, np.zeros(len(rows), dtype=np.int64)
    for shape in np.linspace(*tuning.shapes, 13):
        off = (box_shape(angles[:, None] + offsets[None], shape) - seen[:, None]) / tuning.sigma_shape
        cost = np.minimum(off**2, 16) + prior[None]
        total = float(cost.min(axis=1).sum())
        if total < best_cost:
            best_cost, best = total, cost.argmin(axis=1)
    corners = detections.corners.copy()
    corners[rows] = _turned(detections.corners[rows], (boxes[:, :2] + boxes[:, 2:]) / 2, offsets[best])
    return replace(detections, corners=corners)


def box_shape(angles: Doubles, shape: float) -> Doubles:
    """Log of width over height of the upright box round an index of width `shape` and height 1, turned by angles."""
    cos, sin = np.abs(np.cos(angles)), np.abs(np.sin(angles))
    return np.asarray(np.log((shape * cos + sin) / (shape * sin + cos)))


def _turned(corners: NDArray[np.float32], about_xy: Doubles, by: Doubles) -> NDArray[np.float32]:
    cos, sin = np.cos(by)[:, None], np.sin(by)[:, None]
    away = corners - about_xy[:, None]
    x, y = away[..., 0], away[..., 1]
    turned = np.stack([x * cos - y * sin, x * sin + y * cos], axis=-1) + about_xy[:, None]
    return np.asarray(turned, dtype=np.float32)
