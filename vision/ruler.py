"""The photo's own deck as a ruler: size of the card to size of the index, and place of the index on the card, are the
same for all cards of a photo, which takes most of the noise out of where a single index says its card lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.detector import Detections, axes_of, index_sizes
from vision.reader import NONE_ANSWER

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class MergeTuning:
    """The numbers of merging. Lengths in card widths, angles in degrees, evidence in nats."""

    max_none: float = 0.5
    min_worth: float = 0.12
    ruled_size: float = 0.85
    anchored: float = 0.6
    four_across: float = 0.2
    sigma: float = 0.12
    sigma_range: tuple[float, float] = (0.05, 0.24)
    sigma_angle_deg: float = 12.0
    sigma_size: float = 0.2
    max_angle_deg: float = 35.0
    neighbours: float = 1.2
    alone: float = 0.1
    per_neighbour: float = 0.3
    crowd_reach: float = 1.2
    apart: float = 0.35
    never_apart: float = 0.04
    reading_range: tuple[float, float] = (-5.0, 3.0)
    duplicate_heights: float = 0.25
    steady_reach: float = 0.9
    steady_deg: float = 20.0
    steady_weight: float = 0.5
    min_evidence: float = 0.0


@dataclass(frozen=True, slots=True)
class Ruler:
    """What all cards of a photo share: `scale` = card's width + height over an index's width + height; `place_xy` =
    where an index sits, in card widths and heights from the centre (left one); `sigma` = how far the centres that the
    two indices of one card predict lie apart, in card widths; `four` = the pack has an index in every corner."""

    scale: float
    place_xy: tuple[float, float]
    sigma: float
    four: bool


@dataclass(frozen=True, slots=True, eq=False)
class Predicted:
    """The card that each index predicts, as parallel arrays: index place, predicted centre, axes, slot, and how far the
    centre may be off (card widths)."""

    places: Doubles
    centres: Doubles
    u: Doubles
    v: Doubles
    slots: Ints
    sigmas: Doubles

    @property
    def widths(self) -> Doubles:
        """Width of each predicted card, pixels."""
        return np.asarray(np.linalg.norm(self.u, axis=1))


def local_shares(vectors: Doubles, u: Doubles, v: Doubles) -> Doubles:
    """Vectors (..., 2) in the frames of card axes u and v: components in card widths and heights."""
    det = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
    det = np.where(np.abs(det) < 1e-6, 1e-6, det)
    x = (vectors[..., 0] * v[..., 1] - vectors[..., 1] * v[..., 0]) / det
    y = (u[..., 0] * vectors[..., 1] - u[..., 1] * vectors[..., 0]) / det
    return np.stack([x, y], axis=-1)


def predict(indices: Detections, ruler: Ruler | None, ruled: Mask, tuning: MergeTuning) -> Predicted:
    """The card each index predicts, corrected by the photo's ruler where one is given.

    `ruled` (N,): the rows the ruler holds for; a jolly's mark has its own size and place.
    """
    boxes = indices.boxes_xyxy.astype(np.float64)
    places = (boxes[:, :2] + boxes[:, 2:]) / 2
    centres, u, v = (axis.astype(np.float64) for axis in axes_of(indices.corners))
    local = local_shares(places - centres, u, v)
    right = local[:, 0] > 0
    if ruler is None:
        return Predicted(places, centres, u, v, right.astype(np.int64), np.full(len(places), tuning.sigma))
    if not ruler.four:
        right = np.zeros(len(places), dtype=bool)
    extent = np.maximum(np.linalg.norm(u, axis=1) + np.linalg.norm(v, axis=1), 1e-6)
    factor = (ruler.scale * index_sizes(indices).astype(np.float64) / extent) ** np.where(ruled, tuning.ruled_size, 0.0)
    u, v = steadied_axes(places, u * factor[:, None], v * factor[:, None], tuning)
    across = np.where(right, -1.0, 1.0) * ruler.place_xy[0]
    anchored = places - u * across[:, None] - v * ruler.place_xy[1]
    weight = np.where(ruled, tuning.anchored, 0.0)[:, None]
    centres = weight * anchored + (1 - weight) * centres
    sigmas = np.where(ruled, ruler.sigma, max(tuning.sigma, ruler.sigma))
    return Predicted(places, centres, u, v, right.astype(np.int64), sigmas)


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


def find_ruler(indices: Detections, log_probs: Doubles, ruled: Mask, tuning: MergeTuning) -> Ruler:
    """The photo's ruler: medians over the predictions it holds for, tightened on pairs that clearly are one card."""
    if ruled.any():
        indices, log_probs = indices[ruled], log_probs[ruled]
    everywhere: Mask = np.ones(len(indices), dtype=bool)
    raw = predict(indices, None, everywhere, tuning)
    extent = np.linalg.norm(raw.u, axis=1) + np.linalg.norm(raw.v, axis=1)
    scale = float(np.median(extent / np.maximum(index_sizes(indices), 1e-6)))
    local = local_shares(raw.places - raw.centres, raw.u, raw.v)
    across = float(-np.median(np.abs(local[:, 0])))
    four = bool((local[:, 0] > tuning.four_across).sum() > max(1.0, 0.02 * len(local)))
    ruler = Ruler(scale, (across, float(np.median(local[:, 1]))), tuning.sigma, four)
    for _ in range(2):
        ruler = _tightened(indices, log_probs, ruler, tuning)
    return ruler


def _tightened(indices: Detections, log_probs: Doubles, ruler: Ruler, tuning: MergeTuning) -> Ruler:
    """The ruler measured on opposite indices that choose each other and are read alike."""
    cards = predict(indices, ruler, np.ones(len(indices), dtype=bool), tuning)
    distance = centre_distances(cards)
    turned = angle_between(cards) > 180 - tuning.max_angle_deg
    names = log_probs[:, :NONE_ANSWER].argmax(axis=1)
    possible = turned & (names[:, None] == names[None]) & (cards.slots[:, None] == cards.slots[None])
    cost = np.where(possible, distance, np.inf)
    if len(cost) < 2:
        return ruler
    partner = cost.argmin(axis=1)
    rows = np.arange(len(cost))
    mutual = (partner[partner] == rows) & (rows < partner) & (cost[rows, partner] < 0.5)
    first, second = rows[mutual], partner[mutual]
    if len(first) < 3:
        return ruler
    half = (cards.places[first] - cards.places[second]) / 2
    local = local_shares(half, (cards.u[first] - cards.u[second]) / 2, (cards.v[first] - cards.v[second]) / 2)
    across, along = float(-np.median(np.abs(local[:, 0]))), float(np.median(local[:, 1]))
    sigma = float(np.median(cost[first, second])) / 1.18 * 1.2
    return Ruler(ruler.scale, (across, along), float(np.clip(sigma, *tuning.sigma_range)), ruler.four)


def centre_distances(cards: Predicted) -> Doubles:
    """How far the predicted centres of any two indices lie apart, in card widths; infinity on the diagonal."""
    width = (cards.widths[:, None] + cards.widths[None]) / 2
    gap = np.linalg.norm(cards.centres[:, None] - cards.centres[None], axis=2) / np.maximum(width, 1e-6)
    np.fill_diagonal(gap, np.inf)
    return np.asarray(gap)


def angle_between(cards: Predicted) -> Doubles:
    """Angle between the reading directions of any two indices, 0..180 degrees."""
    angle = np.degrees(np.arctan2(cards.v[:, 1], cards.v[:, 0]))
    return np.asarray(np.abs((angle[:, None] - angle[None] + 180) % 360 - 180))
