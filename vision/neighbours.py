"""What near cards tell of each other: those of a meld share direction and size, and all cards of a photo are alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from vision.crops import index_angles
from vision.detector import Detections, index_sizes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.ruler import MergeTuning

    Doubles = NDArray[np.float64]
    Mask = NDArray[np.bool_]

USUAL_TALLER: Final = 0.3
"""Height less width of an index over both together."""


def index_heights(indices: Detections) -> Doubles:
    """Height of each index in its own frame, pixels; where it stands so askew that its box cannot tell, the usual."""
    boxes, angles = indices.boxes_xyxy.astype(np.float64), index_angles(indices.corners)
    spans = index_sizes(indices).astype(np.float64)
    lean = np.abs(np.cos(angles)) - np.abs(np.sin(angles))
    taller = (boxes[:, 3] - boxes[:, 1] - boxes[:, 2] + boxes[:, 0]) / np.where(np.abs(lean) < 0.25, np.inf, lean)
    share = np.where(np.abs(lean) < 0.25, USUAL_TALLER, np.clip(taller / spans, -0.7, 0.8))
    return np.asarray(spans * (1 + share) / 2)


def like_neighbours(
    places: Doubles, u: Doubles, v: Doubles, ruled: Mask, tuning: MergeTuning
) -> tuple[Doubles, Doubles]:
    """The axes with those of the rows that the ruler does not hold for as long as their nearest neighbours', and
    turned to lie square to these where they nearly do: a lone mark tells little of its card, all cards are alike."""
    u, v, rows = u.copy(), v.copy(), np.flatnonzero(ruled)
    wide, tall = np.linalg.norm(u[rows], axis=1), np.linalg.norm(v[rows], axis=1)
    for odd in np.flatnonzero(~ruled):
        gaps = np.linalg.norm(places[rows] - places[odd], axis=1)
        near = np.argsort(gaps, kind="stable")[: tuning.neighbour_count]
        width, height = float(np.median(wide[near])), float(np.median(tall[near]))
        angle = float(np.arctan2(v[odd, 1], v[odd, 0]))
        touching = near[gaps[near] < tuning.neighbour_reach * height]
        if len(touching):
            theirs = np.arctan2(v[rows[touching], 1], v[rows[touching], 0])
            off = (theirs - angle + np.pi / 4) % (np.pi / 2) - np.pi / 4
            turn = float(np.median(off))
            if abs(np.degrees(turn)) < tuning.neighbour_deg:
                angle += turn
        v[odd] = height * np.cos(angle), height * np.sin(angle)
        u[odd] = width * np.sin(angle), -width * np.cos(angle)
    return u, v


def steadied_axes(places: Doubles, u: Doubles, v: Doubles, tuning: MergeTuning) -> tuple[Doubles, Doubles]:
    """Axes averaged with those of near indices that lie alike: the cards of a meld share direction and size."""
    angle = np.degrees(np.arctan2(v[:, 1], v[:, 0]))
    turn = np.abs((angle[:, None] - angle[None] + 90) % 180 - 90)
    widths = np.maximum(np.linalg.norm(u, axis=1), 1e-6)
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2) / widths[:, None]
    weights = np.where((gaps < tuning.steady_reach) & (turn < tuning.steady_deg), np.exp(-1.5 * gaps), 0.0)
    weights *= tuning.steady_weight
    np.fill_diagonal(weights, 1.0)
    signed = weights * np.where(v @ v.T < 0, -1.0, 1.0) / weights.sum(axis=1, keepdims=True)
    return signed @ u, signed @ v
