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
from vision.reader import NONE_ANSWER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.detector import Detections
    from vision.layout import Group
    from vision.reader import Readings

    Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class UnreadTuning:
    """From which score on an index is one, and up to which certainty of the reader that it is none; how far from the
    next index of the meld (index sizes), how much larger or smaller (log), how askew to it (degrees, quarters aside)
    and how far out of line (card widths or heights) it may lie; nearer than `same` to a read index it is that one."""

    min_score: float = 0.3
    max_none: float = 0.98
    reach: float = 3.5
    unlike: float = 0.35
    askew_deg: float = 25.0
    aside: float = 0.1
    same: float = 0.4


def with_unread(
    groups: Sequence[Group], indices: Detections, readings: Readings, tuning: UnreadTuning | None = None
) -> list[Group]:
    """The groups, each meld with the faces (rows of `FACES`) that the unread indices in line with it look most like.

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
    faces = readings.log_probs[:, :NONE_ANSWER].argmax(axis=1)
    return [
        replace(group, unread=tuple(faces[line].tolist())) if len(line) else group
        for group, line in zip(groups, lines, strict=True)
    ]


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
