"""The photo's own deck as a ruler: size of the card to size of the index, and place of the index on the card, are the
same for all cards of a photo, which takes most of the noise out of where a single index says its card lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.crops import index_angles
from vision.detector import Detections, index_sizes
from vision.neighbours import index_heights, like_neighbours, steadied_axes
from vision.outline import axes_of, local_shares
from vision.reader import NONE_ANSWER

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Mask = NDArray[np.bool_]


USUAL_ACROSS: Final = 0.39
USUAL_ALONG: Final = 0.355
"""How far from the middle of the card an index usually sits, in card widths and heights."""


@dataclass(frozen=True, slots=True)
class MergeTuning:
    """The numbers of merging. Lengths in card widths, angles in degrees, evidence in nats."""

    max_none: float = 0.5
    min_worth: float = 0.12
    min_score: float = 0.25
    sure_jolly: float = 0.6
    min_card: float = 0.3
    min_inside: float = 0.45
    min_jolly: float = 0.12
    min_lone: float = 0.5
    min_lone_jolly: float = 0.6
    ruled_size: float = 0.85
    anchored: float = 0.6
    four_across: float = 0.2
    unsure_across: float = 0.22
    least_across: float = 0.25
    least_votes: int = 3
    vote_spread: float = 0.2
    measured_sigma: float = 0.18
    measured_share: float = 0.8
    measured_reading_range: tuple[float, float] = (-9.0, 3.0)
    sigma: float = 0.12
    sigma_range: tuple[float, float] = (0.05, 0.24)
    sigma_angle_deg: float = 12.0
    sigma_size: float = 0.2
    max_angle_deg: float = 35.0
    neighbours: float = 1.2
    alone: float = 0.1
    per_neighbour: float = 0.3
    crowd_reach: float = 1.2
    apart: float = 0.2
    never_apart: float = 0.04
    reading_range: tuple[float, float] = (-5.0, 3.0)
    duplicate_heights: float = 0.25
    steady_reach: float = 0.9
    steady_deg: float = 20.0
    steady_weight: float = 0.5
    neighbour_count: int = 3
    neighbour_reach: float = 1.1
    neighbour_deg: float = 30.0
    min_evidence: float = 0.0
    support: float = 2.0
    lone_turned_deg: float = 130.0
    lone_off_deg: float = 40.0
    lone_lengths: tuple[float, float] = (0.55, 1.5)


@dataclass(frozen=True, slots=True)
class Ruler:
    """What all cards of a photo share: `scale` = card's width + height over an index's width + height; `place_xy` =
    where an index sits, in card widths and heights from the centre (left one); `sigma` = how far the centres that the
    two indices of one card predict lie apart, in card widths; `four` = the pack has an index in every corner;
    `sides` = width and height of the card over an index's width + height where measured between indices, not taken from
    the network's corners; `bias` = how far all directions must then be turned, radians."""

    scale: float
    place_xy: tuple[float, float]
    sigma: float
    four: bool
    sides: tuple[float, float] | None = None
    bias: float = 0.0


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


def shares_of(indices: Detections) -> Doubles:
    """Where each index sits on the card it predicts: (N, 2) in card widths and heights from the centre."""
    boxes = indices.boxes_xyxy.astype(np.float64)
    centres, u, v = axes_of(indices.corners)
    return local_shares((boxes[:, :2] + boxes[:, 2:]) / 2 - centres, u, v)


def hypotheses(indices: Detections, ruler: Ruler, tuning: MergeTuning) -> tuple[Ints, Mask, Mask]:
    """Which corner each index may sit at: rows of the indices, whether at the right, whether that is unsure.

    In packs of four an index may look as if it sat in the middle of its card's edge, for nothing in a covered card
    tells left from right; it then has two rows. The first N rows are the likelier ones, in order.
    """
    across = shares_of(indices)[:, 0]
    rows = np.arange(len(across))
    never: Mask = np.zeros(len(rows), dtype=bool)
    if not ruler.four:
        return rows, never, never
    unsure: Mask = np.abs(across) < tuning.unsure_across if ruler.sides is None else ~never
    both = np.concatenate([rows, rows[unsure]])
    right = np.concatenate([across > 0, across[unsure] <= 0])
    return both, right, unsure[both]


def predict(
    indices: Detections, ruler: Ruler, ruled: Mask, tuning: MergeTuning, right: Mask, unsure: Mask
) -> Predicted:
    """The card each index predicts if it sits at the left or `right` corner, corrected by the photo's ruler.

    `ruled` (N,): the rows the ruler holds for; a jolly's mark has its own size, and its card is like the others.
    """
    boxes = indices.boxes_xyxy.astype(np.float64)
    places = (boxes[:, :2] + boxes[:, 2:]) / 2
    centres, u, v = axes_of(indices.corners)
    if ruler.sides is not None:
        u, v = (_turned(axis, ruler.bias) for axis in _measured_axes(indices, u, v, ruler.sides))
        unsure = np.ones(len(unsure), dtype=bool)
    extent = np.maximum(np.linalg.norm(u, axis=1) + np.linalg.norm(v, axis=1), 1e-6)
    factor = (ruler.scale * index_sizes(indices).astype(np.float64) / extent) ** np.where(ruled, tuning.ruled_size, 0.0)
    u, v = u * factor[:, None], v * factor[:, None]
    along = np.full(len(places), ruler.place_xy[1])
    known = ruled
    if ruled.any() and not ruled.all():
        u, v = like_neighbours(places, u, v, ruled, tuning)
        tall = index_heights(indices) / np.maximum(np.linalg.norm(v, axis=1), 1e-6)
        along += np.where(ruled, 0.0, (tall - np.median(tall[ruled])) / 2)  # all marks begin at one height
        known = np.ones(len(places), dtype=bool)
    u, v = steadied_axes(places, u, v, tuning)
    across = np.where(right, -1.0, 1.0) * ruler.place_xy[0]
    anchored = places - u * across[:, None] - v * along[:, None]
    weight = np.where(known, np.where(unsure | ~ruled, 1.0, tuning.anchored), 0.0)[:, None]
    centres = weight * anchored + (1 - weight) * centres
    sigmas = np.where(ruled, ruler.sigma, max(tuning.sigma, ruler.sigma))
    return Predicted(places, centres, u, v, right.astype(np.int64), sigmas)


def _measured_axes(indices: Detections, u: Doubles, v: Doubles, sides: tuple[float, float]) -> tuple[Doubles, Doubles]:
    """Axes of the measured length along the directions the network gives."""
    sizes = index_sizes(indices).astype(np.float64)[:, None]
    along_u, along_v = (axis / np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-6) for axis in (u, v))
    return along_u * sizes * sides[0], along_v * sizes * sides[1]


def _turned(vectors: Doubles, by: float) -> Doubles:
    cos, sin = np.cos(by), np.sin(by)
    x, y = vectors[:, 0], vectors[:, 1]
    return np.stack([x * cos - y * sin, x * sin + y * cos], axis=1)


def measured_ruler(indices: Detections, log_probs: Doubles, ruled: Mask, tuning: MergeTuning) -> Ruler | None:
    """The ruler that pairs of equal, opposite indices vote for, whatever the network says of far corners.

    None where too few agree.
    """
    rows = np.flatnonzero(ruled)
    boxes = indices.boxes_xyxy[rows].astype(np.float64)
    places, sizes = (boxes[:, :2] + boxes[:, 2:]) / 2, index_sizes(indices[rows]).astype(np.float64)
    direction = index_angles(indices.corners[rows])
    names = log_probs[rows, :NONE_ANSWER].argmax(axis=1)
    turn = np.degrees(direction[:, None] - direction[None]) % 360
    opposite = (np.abs(turn - 180) < tuning.max_angle_deg) & (names[:, None] == names[None])
    first, second = np.nonzero(np.triu(opposite, 1))
    if len(first) < tuning.least_votes:
        return None
    mean = (direction[first] + direction[second] + np.pi) / 2
    mean += np.where(np.cos(mean - direction[first]) < 0, np.pi, 0.0)
    away = (places[second] - places[first]) / ((sizes[first] + sizes[second]) / 2)[:, None]
    best_votes, best = 0.0, None
    for bias in np.radians(np.arange(-20.0, 21.0, 4.0)):
        votes, ruler = _vote(away, mean + bias, float(bias), tuning)
        if votes > best_votes:
            best_votes, best = votes, ruler
    return best


def _vote(away: Doubles, frames: Doubles, bias: float, tuning: MergeTuning) -> tuple[float, Ruler | None]:
    """How many pairs agree on a card's sides when seen in frames of these angles, and the ruler they give.

    `away` (P, 2): from one index to its opposite, in index sizes.
    """
    cos, sin = np.cos(frames), np.sin(frames)
    x, y = away[:, 0] * cos + away[:, 1] * sin, away[:, 1] * cos - away[:, 0] * sin
    across = np.abs(x)
    like = (across > 0.8) & (across < 4.0) & (y > 1.05 * across) & (y < 1.8 * across)
    if like.sum() < tuning.least_votes:
        return 0.0, None
    logs = np.log(np.stack([across[like], y[like]], axis=1))
    off = np.abs(logs[:, None] - logs[None]).max(axis=2)
    best = (off < tuning.vote_spread)[(off < tuning.vote_spread).sum(axis=1).argmax()]
    if best.sum() < tuning.least_votes:
        return 0.0, None
    across_s, along_s = np.exp(np.median(logs[best], axis=0))
    fits_along = np.abs(np.log(np.maximum(y, 1e-3) / along_s)) < 2 * tuning.vote_spread
    mirrored = np.abs(np.log(np.maximum(-x, 1e-3) / across_s)) < 2 * tuning.vote_spread
    above = np.abs(x) < 0.3 * across_s
    four = bool((fits_along & (mirrored | above)).sum() > max(1.0, 0.1 * best.sum()))
    sides = (float(across_s) / (2 * USUAL_ACROSS), float(along_s) / (2 * USUAL_ALONG))
    votes = float(best.sum()) * (1 - abs(np.degrees(bias)) / 100) - float(np.median(off[best][:, best]))
    return votes, Ruler(sum(sides), (-USUAL_ACROSS, -USUAL_ALONG), tuning.measured_sigma, four, sides, bias)


def find_ruler(indices: Detections, log_probs: Doubles, ruled: Mask, tuning: MergeTuning) -> Ruler:
    """The photo's ruler: medians over the predictions it holds for, tightened on pairs that clearly are one card."""
    if ruled.any():
        indices, log_probs = indices[ruled], log_probs[ruled]
    _, u, v = axes_of(indices.corners)
    extent = np.linalg.norm(u, axis=1) + np.linalg.norm(v, axis=1)
    scale = float(np.median(extent / np.maximum(index_sizes(indices), 1e-6)))
    shares = shares_of(indices)
    clear = np.abs(shares[:, 0]) > tuning.unsure_across
    across = float(-np.median(np.abs(shares[clear, 0]))) if clear.any() else -USUAL_ACROSS
    four = bool((shares[:, 0] > tuning.four_across).sum() > max(1.0, 0.02 * len(shares)))
    ruler = Ruler(scale, (across, float(np.median(shares[:, 1]))), tuning.sigma, four)
    for _ in range(2):
        ruler = _tightened(indices, log_probs, ruler, tuning)
    return ruler


def _tightened(indices: Detections, log_probs: Doubles, ruler: Ruler, tuning: MergeTuning) -> Ruler:
    """The ruler measured on opposite indices that choose each other and are read alike."""
    count = len(indices)
    _, right, unsure = hypotheses(indices, ruler, tuning)
    cards = predict(indices, ruler, np.ones(count, dtype=bool), tuning, right[:count], unsure[:count])
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
    half = (cards.places[first] - cards.places[second]) / 2
    local = local_shares(half, (cards.u[first] - cards.u[second]) / 2, (cards.v[first] - cards.v[second]) / 2)
    opposite = np.abs(local[:, 0]) > tuning.least_across  # others sit on one edge, one of them taken for a left one
    if opposite.sum() < tuning.least_votes:
        return ruler
    local, first, second = local[opposite], first[opposite], second[opposite]
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
