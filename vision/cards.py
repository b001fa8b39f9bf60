"""One card, one card: the indices of a physical card become one SeenCard, equal cards of two packs stay two.

Names alone never merge. Each index predicts where its card lies; the photo's own deck is the ruler (size of the card to
size of the index, and place of the index on the card, are the same for all its cards), which takes most of the noise
out of a single prediction. Two indices are one card where the cards they predict agree better than chance and physics
allow for two cards, the readings of both weighed in.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from scoring.cards import Suit
from vision.detector import Detections, Kind, index_sizes
from vision.outline import Outline
from vision.reader import JOLLY_ANSWER, NONE_ANSWER, Readings, normalised
from vision.ruler import (
    MergeTuning,
    Predicted,
    Ruler,
    angle_between,
    centre_distances,
    find_ruler,
    hypotheses,
    measured_ruler,
    predict,
)

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
    def outline(self) -> Outline:
        """Its quad as a middle and two sides."""
        return Outline.of(self.quad)

    @property
    def best(self) -> int:
        """Position in `scoring.cards.FACES` of the most probable face."""
        return int(self.log_probs[:NONE_ANSWER].argmax())

    @property
    def rank_probability(self) -> float:
        """Of the best rank (or the jolly), whatever the suit: where that is covered nobody can tell it."""
        probs = np.exp(self.log_probs.astype(np.float64))
        by_rank = probs[:JOLLY_ANSWER].reshape(len(Suit), -1).sum(axis=0)
        return float(max(by_rank.max(), probs[JOLLY_ANSWER]))

    @property
    def worth(self) -> float:
        """How sure it is that this card is there: found and read well."""
        return self.score * self.rank_probability


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
    cards = _cards_by(ruler, rows, indices, log_probs, like_others, tuning)
    measured = measured_ruler(indices, log_probs, like_others, tuning)
    if measured is None:
        return believable(cards, tuning)
    strict = replace(tuning, reading_range=tuning.measured_reading_range)
    others = _cards_by(measured, rows, indices, log_probs, like_others, strict)
    clearly = _agreement(others, log_probs, rows) * tuning.measured_share > _agreement(cards, log_probs, rows)
    return believable(others if clearly else cards, tuning)


def believable(cards: list[SeenCard], tuning: MergeTuning) -> list[SeenCard]:
    """The cards sure enough to be there: found and read well together; better still inside the outline of a card whose
    own indices agree, where pips and courts look like indices."""
    agreed = [card for card in cards if len(card.indices) > 1]
    kept = []
    for card in cards:
        inside = len(card.indices) == 1 and any(
            np.abs(other.outline.shares(card.places_xy[0])).max() < 0.5 for other in agreed
        )
        least = tuning.min_jolly if card.best == JOLLY_ANSWER else tuning.min_card
        if card.worth >= max(least, tuning.min_inside if inside else 0.0):
            kept.append(card)
    return kept


def is_print(card: SeenCard, tuning: MergeTuning | None = None) -> bool:
    """Whether a card that lies with no others is more likely print on some other thing: one index alone is no sure sign
    of a card, and a word or a star still less of a jolly."""
    tuning = tuning or MergeTuning()
    least = tuning.min_lone_jolly if card.best == JOLLY_ANSWER else tuning.min_lone
    return len(card.indices) == 1 and card.worth < least


def _cards_by(
    ruler: Ruler, rows: Ints, indices: Detections, log_probs: Doubles, like_others: Mask, tuning: MergeTuning
) -> list[SeenCard]:
    """The cards as one ruler groups the indices."""
    source, right, unsure = hypotheses(indices, ruler, tuning)
    rows, indices, log_probs = rows[source], indices[source], log_probs[source]
    predicted = predict(indices, ruler, like_others[source], tuning, right, unsure)
    certain = indices.scores * np.exp(log_probs.max(axis=1))
    groups = grouped(predicted, log_probs, source, ruler, tuning)
    groups = [sorted(group, key=lambda i: -certain[i]) for group in groups]
    return [_seen_card(group, rows, indices, predicted, log_probs, ruler) for group in groups]


def _agreement(cards: list[SeenCard], log_probs: Doubles, rows: Ints) -> int:
    """How many indices were joined to another that is read alike, less those joined to one that is read otherwise."""
    names = dict(zip(rows.tolist(), log_probs[:, :NONE_ANSWER].argmax(axis=1).tolist(), strict=True))
    joined = [(card, row) for card in cards for row in card.indices[1:]]
    return sum(1 if names[row] == names[card.indices[0]] else -1 for card, row in joined)


def usable_rows(detections: Detections, readings: Readings, tuning: MergeTuning) -> Ints:
    """Rows of the indices that show a card, doubles of one index dropped, in reading order of their worth."""
    probs = np.exp(readings.log_probs.astype(np.float64))
    worth = detections.scores * (1 - probs[:, NONE_ANSWER])
    usable = (detections.classes == Kind.INDEX) & (probs[:, NONE_ANSWER] < tuning.max_none)
    usable &= probs.argmax(axis=1) != NONE_ANSWER
    usable &= (detections.scores >= tuning.min_score) | (probs[:, JOLLY_ANSWER] >= tuning.sure_jolly)
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


def evidence(cards: Predicted, log_probs: Doubles, tuning: MergeTuning) -> Doubles:
    """Log odds (N, N) that two outlines belong to one card rather than to two; -inf on the diagonal."""
    gap, angle = centre_distances(cards), angle_between(cards)
    askew = np.minimum(angle, 180 - angle)
    sigma2 = (cards.sigmas[:, None] ** 2 + cards.sigmas[None] ** 2) / 2
    as_one = -(gap**2) / (2 * sigma2) - np.log(2 * np.pi * sigma2)
    as_two = np.log(crowding(gap, tuning) * np.minimum((gap / tuning.apart) ** 2 + tuning.never_apart, 1.0))
    sizes = np.log(np.maximum(cards.widths, 1e-6))
    unlike = (askew / tuning.sigma_angle_deg) ** 2 + ((sizes[:, None] - sizes[None]) / tuning.sigma_size) ** 2
    odds = as_one - as_two - np.minimum(unlike, 40) / 4 + reading_evidence(log_probs, tuning)
    return np.asarray(np.where(np.isfinite(gap), odds, -np.inf))


def clashes(cards: Predicted, ruler: Ruler) -> Mask:
    """Whether two indices (N, N) cannot be of one card: at the same corner, or in packs of two not turned."""
    turned = angle_between(cards) > 90
    same_slot = cards.slots[:, None] == cards.slots[None]
    return np.asarray(~turned & same_slot if ruler.four else ~turned)


def crowding(gap: Doubles, tuning: MergeTuning) -> Doubles:
    """Cards per square card width (N, N) expected where two indices lie, by how many others lie near either."""
    near = gap < tuning.crowd_reach
    others = near.sum(axis=1)[:, None] - near
    crowd = np.maximum(others, others.T)
    return np.asarray(np.minimum(tuning.alone + tuning.per_neighbour * crowd, tuning.neighbours))


def reading_evidence(log_probs: Doubles, tuning: MergeTuning) -> Doubles:
    """Log odds (N, N) that two readings are of one card: agreement counts for, contradiction against, both limited."""
    probs = np.exp(log_probs[:, :NONE_ANSWER])
    probs /= np.maximum(probs.sum(axis=1, keepdims=True), 1e-12)
    alike = np.log(np.maximum(probs @ probs.T * NONE_ANSWER, 1e-9))
    return np.asarray(np.clip(alike, *tuning.reading_range))


def grouped(cards: Predicted, log_probs: Doubles, source: Ints, ruler: Ruler, tuning: MergeTuning) -> list[list[int]]:
    """Indices into cards, the strongest evidence first: a card has at most one index a corner, and two in packs of two.

    Rounds of pairs: what two indices agree on is surer than what one says, and is compared anew with the rest.
    `source` (N,): the index each row is a hypothesis about; one row of each ends up in a group.
    """
    clash = clashes(cards, ruler) | (source[:, None] == source[None])
    most = 4 if ruler.four else 2
    groups = [[i] for i in range(len(log_probs))]
    for _ in range(most):
        outlines = _outlines(groups, cards, ruler)
        odds = evidence(outlines, np.stack([together(log_probs[group]) for group in groups]), tuning)
        taken: set[int] = set()
        for a, b in _pairs(odds, _between(groups, clash), tuning):
            fits = len(groups[a]) + len(groups[b]) <= most
            union = {int(source[i]) for i in groups[a] + groups[b]}
            if fits and not taken & union:
                taken |= union
                groups[a], groups[b] = groups[a] + groups[b], []
        if not taken:
            break
        groups = _settled([group for group in groups if group], source)
    return sorted(_lone_pairs(_settled(groups, source, last=True), cards, log_probs, tuning), key=min)


def _lone_pairs(groups: list[list[int]], cards: Predicted, log_probs: Doubles, tuning: MergeTuning) -> list[list[int]]:
    """Also joins two indices left alone that are the only ones with their name, turned to each other and about as far
    apart as two corners of a card: a steep view bends the outlines more than the ruler allows."""
    names = log_probs[:, :NONE_ANSWER].argmax(axis=1)
    alone: dict[int, list[list[int]]] = {}
    for group in groups:
        alone.setdefault(int(names[group[0]]), []).append(group)
    angle = angle_between(cards)
    for name, same in alone.items():
        if len(same) == 2 and len(same[0]) == len(same[1]) == 1 and name != JOLLY_ANSWER:
            a, b = same[0][0], same[1][0]
            facing = min(_facing(a, b, cards, tuning), _facing(b, a, cards, tuning))
            if angle[a, b] > tuning.lone_turned_deg and facing > np.cos(np.radians(tuning.lone_off_deg)):
                groups = [group for group in groups if group not in same] + [[a, b]]
    return groups


def _facing(one: int, other: int, cards: Predicted, tuning: MergeTuning) -> float:
    """Cosine between where an index expects its opposite and where the other is; -1 where that is too near or far."""
    expected = 2 * (cards.centres[one] - cards.places[one])
    seen = cards.places[other] - cards.places[one]
    far, length = float(np.linalg.norm(expected)), float(np.linalg.norm(seen))
    least, most = tuning.lone_lengths
    if far < 1e-6 or not least < length / far < most:
        return -1.0
    return float(expected @ seen) / (far * length)


def _between(groups: list[list[int]], clash: Mask) -> Mask:
    """Whether any member of one group clashes with any of another, (G, G)."""
    held = np.zeros((len(groups), len(clash)), dtype=np.float32)
    for number, group in enumerate(groups):
        held[number, group] = 1
    return np.asarray(held @ clash.astype(np.float32) @ held.T > 0)


def _pairs(odds: Doubles, clashing: Mask, tuning: MergeTuning) -> list[tuple[int, int]]:
    """Pairs that may be one card, the surest first; what several others support as well goes before."""
    possible = (odds > tuning.min_evidence) & ~clashing
    support = possible.sum(axis=1)
    rank = odds + tuning.support * np.minimum(support[:, None], support[None])
    first, second = np.nonzero(np.triu(possible, 1))
    order = np.argsort(-rank[first, second], kind="stable")
    return [(int(first[k]), int(second[k])) for k in order]


def _settled(groups: list[list[int]], source: Ints, *, last: bool = False) -> list[list[int]]:
    """Without the single rows about an index that a larger group holds, at the `last` also without second guesses."""
    held = {int(source[i]) for group in groups if len(group) > 1 for i in group}
    kept = []
    for group in sorted(groups, key=min):
        about = int(source[group[0]])
        if len(group) > 1 or about not in held:
            kept.append(group)
            if last:
                held.add(about)
    return kept


def _outlines(groups: list[list[int]], cards: Predicted, ruler: Ruler) -> Predicted:
    """The outline each group agrees on, where several agree less uncertain."""
    frames = [_frame(group, cards, ruler) for group in groups]
    leads = [group[0] for group in groups]
    sure = np.array([1.0 if len(group) == 1 else 0.6 for group in groups])
    centres, u, v = (np.stack([frame[axis] for frame in frames]) for axis in range(3))
    return Predicted(cards.places[leads], centres, u, v, cards.slots[leads], cards.sigmas[leads] * sure)


def _slots(group: list[int], cards: Predicted) -> list[Slot]:
    """The corner of each index of a group, as the first one reads."""
    turned = (cards.v[group] @ cards.v[group[0]] < 0).astype(int)
    return [Slot(int(slot) % 4) for slot in cards.slots[group] + 2 * turned]


def _frame(group: list[int], cards: Predicted, ruler: Ruler) -> tuple[Doubles, Doubles, Doubles]:
    """Centre and axes of a group's card, as its first index reads: axes averaged, centre from where the indices are."""
    signs = np.where(cards.v[group] @ cards.v[group[0]] < 0, -1.0, 1.0)[:, None]
    u, v = (cards.u[group] * signs).mean(axis=0), (cards.v[group] * signs).mean(axis=0)
    if len(group) == 1:
        return cards.centres[group[0]], u, v
    slots = _slots(group, cards)
    across = np.array([1.0 if slot in (Slot.TOP_LEFT, Slot.BOTTOM_LEFT) else -1.0 for slot in slots])
    along = np.array([1.0 if slot in (Slot.TOP_LEFT, Slot.TOP_RIGHT) else -1.0 for slot in slots])
    anchored = cards.places[group] - np.outer(across * ruler.place_xy[0], u) - np.outer(along * ruler.place_xy[1], v)
    return anchored.mean(axis=0), u, v


def together(log_probs: Doubles) -> Doubles:
    """Scores of several readings of one card multiplied and made to sum to one."""
    return normalised(log_probs.sum(axis=0))


def _seen_card(
    group: list[int], rows: Ints, indices: Detections, cards: Predicted, log_probs: Doubles, ruler: Ruler
) -> SeenCard:
    """The card of one group, its surest index first."""
    centre, u, v = _frame(group, cards, ruler)
    quad = np.stack([centre - u / 2 - v / 2, centre + u / 2 - v / 2, centre + u / 2 + v / 2, centre - u / 2 + v / 2])
    return SeenCard(
        quad.astype(np.float32),
        together(log_probs[group]).astype(np.float32),
        tuple(int(rows[i]) for i in group),
        float(1 - np.prod(1 - indices.scores[group])),
        tuple(_slots(group, cards)),
        tuple((float(x), float(y)) for x, y in cards.places[group]),
    )
