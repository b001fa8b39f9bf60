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

from vision.detector import Detections, Kind, index_sizes
from vision.reader import ANSWERS, JOLLY_ANSWER, NONE_ANSWER, Readings
from vision.ruler import MergeTuning, Predicted, Ruler, angle_between, centre_distances, find_ruler, predict

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Doubles = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Mask = NDArray[np.bool_]


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
    like_others = log_probs[:, :NONE_ANSWER].argmax(axis=1) != JOLLY_ANSWER
    ruler = find_ruler(indices, log_probs, like_others, tuning)
    predicted = predict(indices, ruler, like_others, tuning)
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


def evidence(cards: Predicted, log_probs: Doubles, ruler: Ruler, tuning: MergeTuning) -> Doubles:
    """Log odds (N, N) that two indices belong to one card rather than to two; -inf where that is impossible."""
    gap, angle = centre_distances(cards), angle_between(cards)
    turned = angle > 90
    askew = np.where(turned, 180 - angle, angle)
    same_slot = cards.slots[:, None] == cards.slots[None]
    allowed = (turned | ~same_slot) & (askew < tuning.max_angle_deg)
    if not ruler.four:
        allowed &= turned
    sigma2 = (cards.sigmas[:, None] ** 2 + cards.sigmas[None] ** 2) / 2
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


def grouped(odds: Doubles, cards: Predicted, ruler: Ruler, tuning: MergeTuning) -> list[list[int]]:
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
    group: list[int], rows: Ints, indices: Detections, cards: Predicted, log_probs: Doubles, ruler: Ruler
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
