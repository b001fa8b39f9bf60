"""Indices that lie in line with a meld's and made no card: most likely a card of that meld that could not be read.

Nothing is guessed from them; that something is there is worth a question.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from vision.crops import index_angles
from vision.detector import index_sizes
from vision.layout import Role
from vision.outline import Outline, axes_of
from vision.reader import NONE_ANSWER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.detector import Detections
    from vision.layout import Group
    from vision.reader import Readings

    Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Unread:
    """Where a card lies that could not be read (corners (4, 2), pixels), and the faces (rows of `FACES`) that its
    index looks most like, the most likely first."""

    quad: NDArray[np.float32]
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class UnreadTuning:
    """From which score on an index is one, and up to which certainty of the reader that it is none; how far from the
    next index of the meld (index sizes), how much larger or smaller (log), how askew to it (degrees, quarters aside)
    and how far out of line (card widths or heights) it may lie; nearer than `same` to a read index it is that one, and
    two whose cards lie within `same_card` card widths are of one card. At most `faces` answers are kept, none less
    probable than the first by more than `unlikely` (log)."""

    min_score: float = 0.3
    max_none: float = 0.98
    reach: float = 3.5
    unlike: float = 0.35
    askew_deg: float = 25.0
    aside: float = 0.1
    same: float = 0.4
    same_card: float = 0.3
    faces: int = 4
    unlikely: float = 3.0


def with_unread(
    groups: Sequence[Group], indices: Detections, readings: Readings, tuning: UnreadTuning | None = None
) -> list[Group]:
    """The groups, each meld with the cards behind the unread indices in line with it.

    `indices` and `readings` are those from which the cards of the groups were made, by row.
    """
    tuning = tuning or UnreadTuning()
    used = [row for group in groups for card in group.cards for row in card.indices]
    none = np.exp(readings.log_probs[:, NONE_ANSWER])
    spare = (indices.scores >= tuning.min_score) & (none <= tuning.max_none)
    spare[used] = False
    rows = np.flatnonzero(spare & ~_doubles(indices, used, tuning))
    lines = [
        _in_line(group, indices, rows, tuning) if group.role is Role.MELD else np.zeros(0, np.int64) for group in groups
    ]
    return [
        replace(group, unread=tuple(_unread(row, indices, readings, tuning) for row in line)) if line else group
        for group, line in zip(groups, (_one_a_card(line, indices, tuning) for line in lines), strict=True)
    ]


def _unread(row: int, indices: Detections, readings: Readings, tuning: UnreadTuning) -> Unread:
    scores = readings.log_probs[row, :NONE_ANSWER]
    order = np.argsort(-scores, kind="stable")[: tuning.faces]
    return Unread(indices.corners[row], tuple(order[scores[order] >= scores.max() - tuning.unlikely].tolist()))


def _one_a_card(rows: NDArray[np.int64], indices: Detections, tuning: UnreadTuning) -> list[int]:
    """The surest index of each card."""
    kept: list[int] = []
    centres, _, _ = axes_of(indices.corners)
    for row in sorted(rows.tolist(), key=lambda row: -indices.scores[row]):
        outlines = [Outline.of(indices.corners[other]) for other in kept]
        if all(
            np.linalg.norm(centres[row] - other.centre) > tuning.same_card * np.linalg.norm(other.u)
            for other in outlines
        ):
            kept.append(row)
    return sorted(kept)


def _places(indices: Detections) -> Doubles:
    return (indices.boxes_xyxy[:, :2] + indices.boxes_xyxy[:, 2:]).astype(np.float64) / 2


def _doubles(indices: Detections, used: list[int], tuning: UnreadTuning) -> NDArray[np.bool_]:
    """Whether each index (N,) is one of the used ones, found twice."""
    places, sizes = _places(indices), index_sizes(indices)
    apart = np.linalg.norm(places[:, None] - places[used], axis=2)
    return np.asarray((apart < tuning.same * sizes[used]).any(axis=1))


def _in_line(group: Group, indices: Detections, rows: NDArray[np.int64], tuning: UnreadTuning) -> NDArray[np.int64]:
    """Those of the rows that go on where the group's own indices lie: as large, turned as they are, level with one."""
    places, sizes, angles = _places(indices), index_sizes(indices), index_angles(indices.corners)
    own = [(card.outline, row) for card in group.cards for row in card.indices]
    members = np.array([row for _, row in own])
    found = []
    for row in rows.tolist():
        apart = np.linalg.norm(places[members] - places[row], axis=1)
        outline, near = own[int(apart.argmin())]
        turn = np.degrees(angles[row] - angles[near])
        away = np.abs(outline.shares(places[row]) - outline.shares(places[near]))
        if (
            apart.min() < tuning.reach * sizes[near]
            and abs(np.log(sizes[row] / sizes[near])) < tuning.unlike
            and abs((turn + 90) % 180 - 90) < tuning.askew_deg
            and away.min() < tuning.aside
        ):
            found.append(row)
    return np.array(found, np.int64)
