"""What places of the table look like: small grey patches to compare, and whether a hand's colour is there."""

from __future__ import annotations

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


def skin_share(image_rgb: Image) -> float:
    """How much of a picture has the colour of a hand; a wooden table has it too."""
    _, red, blue = cv2.split(cv2.cvtColor(image_rgb, cv2.COLOR_RGB2YCrCb))
    return float(((red > 138) & (red < 180) & (blue > 77) & (blue < 127)).mean())


def shows_skin(image_rgb: Image, box_xyxy: Doubles, share: float) -> bool:
    """Whether more than a share of a box has the colour of a hand."""
    low, high = box_xyxy.reshape(2, 2).round().astype(int)
    part = image_rgb[max(low[1], 0) : max(high[1], 0), max(low[0], 0) : max(high[0], 0)]
    return bool(part.size) and skin_share(part) > share
