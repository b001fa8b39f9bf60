"""One corner index that is followed over frames, and the numbers of following."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from vision.reader import normalised

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.detector import Detections
    from vision.reader import Readings

    Floats = NDArray[np.float32]
    Doubles = NDArray[np.float64]


class Namer(Protocol):
    """Reads indices of the present frame."""

    def __call__(self, indices: Detections) -> Readings:
        """One reading an index."""


@dataclass(frozen=True, slots=True)
class TrackingTuning:
    """The numbers of following. Lengths in index heights, angles in degrees, times in frames that were read."""

    near: float = 0.38
    askew_deg: float = 40.0
    confirmed: int = 2
    forget_new: int = 3
    clear_frames: float = 3.0
    skin_counts: float = 0.08
    brown_table: float = 0.3
    brown_counts: float = 0.5
    crowd_counts: float = 0.15
    crowd_share: float = 0.6
    alike: float = 0.6
    still: float = 0.75
    skin_share: float = 0.5
    looks: int = 5
    sure: float = 0.97
    weight: float = 1.5
    lost_share: float = 0.5
    lost_frames: int = 3
    agreed: int = 2
    least_pairs: int = 5
    reach_heights: float = 9.0
    reach_rad: float = 0.6
    nudge_share: float = 0.4
    largest_zoom: float = 1.25
    set_up_anew_share: float = 0.6
    set_up_anew_zoom: float = 2.0


@dataclass(slots=True, eq=False)
class Track:
    """One index: its mean box (4,) and card corners (4, 2) on the table, and what all looks at it said (54,)."""

    number: int
    box: Floats
    corners: Floats
    score: float
    log_probs: Doubles
    looks: int
    patch: Floats
    last: Floats
    hits: int = 1
    misses: float = 0.0
    age: int = 0
    seen: bool = True
    covered: bool = False

    @property
    def face(self) -> int:
        """Its most probable name; `vision.reader.NONE_ANSWER` for none."""
        return int(self.log_probs.argmax())

    def reading(self, weight: float) -> Doubles:
        """Its looks together, the more of them the surer, as far as `weight` independent ones would be."""
        return normalised(self.log_probs / self.looks * min(self.looks, weight))
