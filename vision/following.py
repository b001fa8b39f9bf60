"""Where the table is in a frame after the camera was nudged: one similarity, from indices that were there before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """Places of a frame in the pixels of the first one: `matrix` (2, 3) turns, scales and shifts."""

    matrix: Doubles

    @classmethod
    def still(cls) -> Pose:
        """The camera stands as it stood."""
        return cls(np.array([[1.0, 0, 0], [0, 1.0, 0]]))

    @property
    def scale(self) -> float:
        """How much longer things are on the table's picture than in the frame."""
        return float(np.hypot(self.matrix[0, 0], self.matrix[1, 0]))

    def to_table(self, points: NDArray[np.floating]) -> Doubles:
        """Points (..., 2) of the frame on the table."""
        return np.asarray(points @ self.matrix[:, :2].T + self.matrix[:, 2])

    def to_frame(self, points: NDArray[np.floating]) -> Doubles:
        """Points (..., 2) of the table in the frame."""
        return np.asarray((points - self.matrix[:, 2]) @ np.linalg.inv(self.matrix[:, :2]).T)


def pose_of(seen_xy: Doubles, known_xy: Doubles, within_px: float, least: int, largest_zoom: float) -> Pose | None:
    """The pose that most pairs (N, 2) agree on to `within_px`; None where fewer than `least` do, or it is no nudge."""
    if len(seen_xy) < least:
        return None
    matrix, inliers = cv2.estimateAffinePartial2D(
        seen_xy.astype(np.float64), known_xy.astype(np.float64), method=cv2.RANSAC, ransacReprojThreshold=within_px
    )
    if matrix is None or int(inliers.sum()) < least:
        return None
    pose = Pose(np.asarray(matrix, dtype=np.float64))
    return pose if 1 / largest_zoom < pose.scale < largest_zoom else None
