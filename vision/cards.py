"""One card, one card: the indices of a physical card become one SeenCard, equal cards of two packs stay two.

Names alone never merge. Each index predicts where its card lies; the photo's own deck is the ruler (size of the card to
size of the index, and place of the index on the card, are the same for all its cards), which takes most of the noise
out of a single prediction. Two indices are one card where the cards they predict agree better than chance and physics
allow for two cards, the readings of both weighed in.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from vision.detector import Detections, Kind, axes_of, index_sizes
from vision.reader import ANSWERS, NONE_ANSWER, Readings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Doubles = NDArray[np.float64]
    Ints = NDArray[np.int64]


class Slot(IntEnum):
    """The corner of the card, as its first index reads, at which an index sits."""

    TOP_LEFT = 0
    TOP_RIGHT = 1
    BOTTOM_RIGHT = 2
    BOTTOM_LEFT = 3


@dataclass(frozen=True, slots=True, eq=False)
class SeenCard:
    """One physical card on the photo.

    `quad` (4, 2): its corners as its first index reads; `log_probs` (54,): of all its indices together; `indices`: rows
    of the detections, the best first; `slots` and `places_xy` (K, 2): where on the card and on the photo these sit.
    """

    quad: Floats
    log_probs: Floats
    indices: tuple[int, ...]
    score: float
    slots: tuple[Slot, ...] = ()
    places_xy: tuple[tuple[float, float], ...] = ()

    @property
    def best(self) -> int:
        """Position in `scoring.cards.FACES` of the most probable face."""
        return int(self.log_probs[:NONE_ANSWER].argmax())


@dataclass(frozen=True, slots=True)
class MergeTuning:
    """The numbers of merging. Lengths in card widths, angles in degrees, evidence in nats."""

    max_none: float = 0.5
    min_worth: float = 0.12
    ruled_size: float = 0.7
    anchored: float = 0.8
    four_share: float = 0.2
    sigma: float = 0.12
    sigma_range: tuple[float, float] = (0.05, 0.16)
    sigma_angle_deg: float = 9.0
    max_angle_deg: float = 35.0
    neighbours: float = 1.2
    apart: float = 0.35
    never_apart: float = 0.04
    reading_range: tuple[float, float] = (-5.0, 3.0)
    duplicate_heights: float = 0.55
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
class Cards:
    """The card that each index predicts, as parallel arrays: index place, predicted centre, axes, slot."""

    places: Doubles
    centres: Doubles
    u: Doubles
    v: Doubles
    slots: Ints

    @property
    def widths(self) -> Doubles:
        """Width of each predicted card, pixels."""
        return np.asarray(np.linalg.norm(self.u, axis=1))


def merge_indices(detections: Detections, readings: Readings, tuning: MergeTuning | None = None) -> list[SeenCard]:
    """The physical cards behind the detections; backs and indices read as *none* make no card.

    `readings` has one row a detection. Cards come out in the order of their best index's row.
    """
    tuning = tuning or MergeTuning()
    if len(readings) != len(detections):
        raise ValueError(f"{len(readings)} readings for {len(detections)} detections")
    rows = usable_rows(detections, readings, tuning)
    if not len(rows):
        return []
    indices, log_probs = detections[rows], readings.log_probs[rows].astype(np.float64)
    ruler = find_ruler(indices, log_probs, tuning)
    predicted = predict(indices, ruler, tuning)
    groups = grouped(evidence(predicted, log_probs, ruler, tuning), predicted, ruler, tuning)
    return [_seen_card(group, rows, indices, predicted, log_probs, ruler) for group in groups]


def usable_rows(detections: Detections, readings: Readings, tuning: MergeTuning) -> Ints:
    """Rows of the indices that show a card, doubles of one index dropped, in reading order of their worth."""
    probs = np.exp(readings.log_probs.astype(np.float64))
    worth = detections.scores * (1 - probs[:, NONE_ANSWER])
    usable = (detections.classes == Kind.INDEX) & (probs[:, NONE_ANSWER] < tuning.max_none)
    usable &= probs.argmax(axis=1) != NONE_ANSWER
    rows = np.flatnonzero(usable & (worth >= tuning.min_worth))
    rows = rows[np.argsort(-worth[rows], kind="stable")]
    boxes = detections.boxes_xyxy[rows].astype(np.float64)
    places, sizes = (boxes[:, :2] + boxes[:, 2:]) / 2, index_sizes(detections[rows]) * 0.7
    kept: list[int] = []
    for i in range(len(rows)):
        near = np.linalg.norm(places[kept] - places[i], axis=1) if kept else np.zeros(0)
        if not (near < tuning.duplicate_heights * np.minimum(sizes[kept], sizes[i])).any():
            kept.append(i)
    return np.sort(rows[kept])


def _local(vectors: Doubles, u: Doubles, v: Doubles) -> Doubles:
    """Vectors (N, 2) in the frames of card axes: components in card widths and heights."""
    det = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    det = np.where(np.abs(det) < 1e-6, 1e-6, det)
    x = (vectors[:, 0] * v[:, 1] - vectors[:, 1] * v[:, 0]) / det
    y = (u[:, 0] * vectors[:, 1] - u[:, 1] * vectors[:, 0]) / det
    return np.stack([x, y], axis=1)


def predict(indices: Detections, ruler: Ruler | None, tuning: MergeTuning) -> Cards:
    """The card each index predicts, corrected by the photo's ruler where one is given."""
    boxes = indices.boxes_xyxy.astype(np.float64)
    places = (boxes[:, :2] + boxes[:, 2:]) / 2
    centres, u, v = (axis.astype(np.float64) for axis in axes_of(indices.corners))
    local = _local(places - centres, u, v)
    right = local[:, 0] > 0
    if ruler is None:
        return Cards(places, centres, u, v, right.astype(np.int64))
    if not ruler.four:
        right = np.zeros(len(places), dtype=bool)
    extent = np.maximum(np.linalg.norm(u, axis=1) + np.linalg.norm(v, axis=1), 1e-6)
    factor = (ruler.scale * index_sizes(indices).astype(np.float64) / extent) ** tuning.ruled_size
    u, v = u * factor[:, None], v * factor[:, None]
    across = np.where(right, -1.0, 1.0) * ruler.place_xy[0]
    anchored = places - u * across[:, None] - v * ruler.place_xy[1]
    centres = tuning.anchored * anchored + (1 - tuning.anchored) * centres
    return Cards(places, centres, u, v, right.astype(np.int64))


def find_ruler(indices: Detections, log_probs: Doubles, tuning: MergeTuning) -> Ruler:
    """The photo's ruler: medians over all predictions, then tightened on pairs that clearly are one card."""
    raw = predict(indices, None, tuning)
    extent = np.linalg.norm(raw.u, axis=1) + np.linalg.norm(raw.v, axis=1)
    scale = float(np.median(extent / np.maximum(index_sizes(indices), 1e-6)))
    local = _local(raw.places - raw.centres, raw.u, raw.v)
    across = float(-np.median(np.abs(local[:, 0])))
    four = bool((local[:, 0] > 0.15).mean() > tuning.four_share)
    ruler = Ruler(scale, (across, float(np.median(local[:, 1]))), tuning.sigma, four)
    for _ in range(2):
        ruler = _tightened(indices, log_probs, ruler, tuning)
    return ruler


def _tightened(indices: Detections, log_probs: Doubles, ruler: Ruler, tuning: MergeTuning) -> Ruler:
    """The ruler measured on opposite indices that choose each other and are read alike."""
    cards = predict(indices, ruler, tuning)
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
    local = _local(half, (cards.u[first] - cards.u[second]) / 2, (cards.v[first] - cards.v[second]) / 2)
    across, along = float(-np.median(np.abs(local[:, 0]))), float(np.median(local[:, 1]))
    sigma = float(np.median(cost[first, second])) / 1.18 * 1.2
    return Ruler(ruler.scale, (across, along), float(np.clip(sigma, *tuning.sigma_range)), ruler.four)


def centre_distances(cards: Cards) -> Doubles:
    """How far the predicted centres of any two indices lie apart, in card widths; infinity on the diagonal."""
    width = (cards.widths[:, None] + cards.widths[None]) / 2
    gap = np.linalg.norm(cards.centres[:, None] - cards.centres[None], axis=2) / np.maximum(width, 1e-6)
    np.fill_diagonal(gap, np.inf)
    return np.asarray(gap)


def angle_between(cards: Cards) -> Doubles:
    """Angle between the reading directions of any two indices, 0..180 degrees."""
    angle = np.degrees(np.arctan2(cards.v[:, 1], cards.v[:, 0]))
    return np.asarray(np.abs((angle[:, None] - angle[None] + 180) % 360 - 180))


def evidence(cards: Cards, log_probs: Doubles, ruler: Ruler, tuning: MergeTuning) -> Doubles:
    """Log odds (N, N) that two indices belong to one card rather than to two; -inf where that is impossible."""
    gap, angle = centre_distances(cards), angle_between(cards)
    turned = angle > 90
    askew = np.where(turned, 180 - angle, angle)
    same_slot = cards.slots[:, None] == cards.slots[None]
    allowed = (turned | ~same_slot) & (askew < tuning.max_angle_deg)
    if not ruler.four:
        allowed &= turned
    sigma2 = ruler.sigma**2
    as_one = -(gap**2) / (2 * sigma2) - np.log(2 * np.pi * sigma2)
    as_two = np.log(tuning.neighbours * np.minimum((gap / tuning.apart) ** 2 + tuning.never_apart, 1.0))
    sizes = np.log(np.maximum(cards.widths, 1e-6))
    unlike = np.minimum((askew / tuning.sigma_angle_deg) ** 2, 20) + np.minimum(
        ((sizes[:, None] - sizes[None]) / 0.2) ** 2, 20
    )
    total = as_one - as_two - unlike / 4 + reading_evidence(log_probs, tuning)
    return np.where(allowed, total, -np.inf)


def reading_evidence(log_probs: Doubles, tuning: MergeTuning) -> Doubles:
    """Log odds (N, N) that two readings are of one card: agreement counts for, contradiction against, both limited."""
    probs = np.exp(log_probs[:, :NONE_ANSWER])
    probs /= np.maximum(probs.sum(axis=1, keepdims=True), 1e-12)
    alike = np.log(np.maximum(probs @ probs.T * NONE_ANSWER, 1e-9))
    return np.asarray(np.clip(alike, *tuning.reading_range))


def grouped(odds: Doubles, cards: Cards, ruler: Ruler, tuning: MergeTuning) -> list[list[int]]:
    """Indices into cards, the strongest evidence first: a card has at most one index a corner, and two corners in
    packs of two indices; groups join only while all evidence between them adds up in favour."""
    owner = list(range(len(odds)))
    members = {i: [i] for i in owner}
    first, second = np.nonzero(np.triu(odds, 1) > tuning.min_evidence)
    strength = odds[first, second]
    for k in np.argsort(-strength, kind="stable").tolist():
        a, b = owner[int(first[k])], owner[int(second[k])]
        if a == b:
            continue
        union = members[a] + members[b]
        between = odds[np.ix_(members[a], members[b])]
        if len(union) > (4 if ruler.four else 2) or not np.isfinite(between).all() or between.sum() <= 0:
            continue
        members[a] = union
        for i in members.pop(b):
            owner[i] = a
    return sorted((sorted(group) for group in members.values()), key=lambda group: group[0])


def _seen_card(
    group: list[int], rows: Ints, indices: Detections, cards: Cards, log_probs: Doubles, ruler: Ruler
) -> SeenCard:
    """The card of one group: quad from all its indices, scores multiplied and made to sum to one."""
    certain = indices.scores[group] * np.exp(log_probs[group].max(axis=1))
    order = [group[i] for i in np.argsort(-certain, kind="stable")]
    lead = order[0]
    turned = [float(cards.v[i] @ cards.v[lead]) < 0 for i in order]
    signs = np.where(turned, -1.0, 1.0)[:, None]
    u, v = (cards.u[order] * signs).mean(axis=0), (cards.v[order] * signs).mean(axis=0)
    slots = [Slot((int(cards.slots[i]) + 2 * turn) % 4) for i, turn in zip(order, turned, strict=True)]
    across = np.array([1.0 if slot in (Slot.TOP_LEFT, Slot.BOTTOM_LEFT) else -1.0 for slot in slots])
    along = np.array([1.0 if slot in (Slot.TOP_LEFT, Slot.TOP_RIGHT) else -1.0 for slot in slots])
    anchored = cards.places[order] - np.outer(across * ruler.place_xy[0], u) - np.outer(along * ruler.place_xy[1], v)
    centre = anchored.mean(axis=0) if len(order) > 1 else cards.centres[lead]
    quad = np.stack([centre - u / 2 - v / 2, centre + u / 2 - v / 2, centre + u / 2 + v / 2, centre - u / 2 + v / 2])
    together = log_probs[order].sum(axis=0)
    together -= together.max() + np.log(np.exp(together - together.max()).sum())
    places = tuple((float(x), float(y)) for x, y in cards.places[order])
    assert together.shape == (ANSWERS,)
    return SeenCard(
        quad.astype(np.float32),
        together.astype(np.float32),
        tuple(int(rows[i]) for i in order),
        float(indices.scores[order].max()),
        tuple(slots),
        places,
    )
