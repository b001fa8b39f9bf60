"""What places of the table look like: small grey patches to compare, and whether a hand's colour is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.crops import index_crops

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Doubles = NDArray[np.float64]
    Image = NDArray[np.uint8]

PATCH_WH: Final = (12, 18)
FLAT_LEVELS: Final = 4.0
"""Grey levels of deviation below which a place has no print on it."""
SPREADS: Final = 4.0
"""How many median deviations of its own colour a table reaches: grain and shadow stay within."""
LEAST_REACH: Final = 10.0


def patches(image_rgb: Image, boxes_xyxy: Doubles, corners: Doubles) -> list[Floats]:
    """One patch an index, upright, without its brightness: boxes (N, 4) and card corners (N, 4, 2) in the picture."""
    out = []
    for crop in index_crops(image_rgb, boxes_xyxy, corners) if len(boxes_xyxy) else ():
        grey = cv2.resize(cv2.cvtColor(crop, cv2.COLOR_RGB2GRAY), PATCH_WH, interpolation=cv2.INTER_AREA)
        values = grey.astype(np.float32).ravel()
        out.append(np.asarray(values - values.mean(), np.float32))
    return out


def alike(one: Floats, other: Floats) -> float:
    """Correlation of two patches; flat ones are alike where both are."""
    norms = float(np.linalg.norm(one)), float(np.linalg.norm(other))
    flat = FLAT_LEVELS * len(one) ** 0.5
    if min(norms) < flat:
        return 1.0 if max(norms) < 2 * flat else 0.0
    return float(one @ other) / (norms[0] * norms[1])


@dataclass(frozen=True, slots=True, eq=False)
class Brown:
    """The colour of a table that might be taken for a hand's, and how far it reaches: both (3,) in YCrCb levels."""

    colour: Doubles
    reach: Doubles

    @classmethod
    def of(cls, image_rgb: Image, share: float) -> Brown | None:
        """The table's colour where more than a share of the picture has the colour of a hand; None elsewhere."""
        levels = cv2.cvtColor(np.ascontiguousarray(image_rgb), cv2.COLOR_RGB2YCrCb).reshape(-1, 3)
        skin = levels[_skin(levels)].astype(np.float64)
        if len(skin) <= share * len(levels):
            return None
        colour = np.median(skin, axis=0)
        return cls(colour, np.maximum(SPREADS * np.median(np.abs(skin - colour), axis=0), LEAST_REACH))


def skin_shares(image_rgb: Image, box_xyxy: Doubles, table: Brown | None) -> tuple[float, float]:
    """How much of a box has the colour of a hand, and how much of it has that and not a brown table's."""
    low, high = box_xyxy.reshape(2, 2).round().astype(int)
    part = image_rgb[max(low[1], 0) : max(high[1], 0), max(low[0], 0) : max(high[0], 0)]
    if not part.size:
        return 0.0, 0.0
    levels = cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_RGB2YCrCb).reshape(-1, 3)
    skin = _skin(levels)
    other = skin if table is None else skin & (np.abs(levels - table.colour) > table.reach).any(axis=1)
    return float(skin.mean()), float(other.mean())


def _skin(levels: NDArray[np.uint8]) -> NDArray[np.bool_]:
    red, blue = levels[:, 1], levels[:, 2]
    return np.asarray((red > 138) & (red < 180) & (blue > 77) & (blue < 127))
