"""Puts an antialiased shape on a picture at the cost of its rim: inside it is copied, only its edge is mixed."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


def lay_over(region: Image, paint: Image, alpha: Image, shadow: Image | None = None, depth: float = 0.0) -> None:
    """Paint on `region` in place where `alpha` covers it, as nearly every card and thing is opaque but for its edge.

    `region`, `paint` (H, W, 3) and `alpha` (H, W) uint8; `shadow` (H, W) uint8 covers `alpha` and reaches beyond it:
    there the ground is darkened by the share `depth` of it.
    """
    opaque = cv2.compare(alpha, 255, cv2.CMP_EQ)
    reached = cv2.compare(alpha if shadow is None else shadow, 0, cv2.CMP_GT)
    rim = np.flatnonzero(cv2.subtract(reached, opaque).view(bool))
    share = alpha.ravel()[rim][:, None] * np.float32(1 / 255)
    ground = 1 - share
    if shadow is not None:
        ground *= 1 - shadow.ravel()[rim][:, None] * np.float32(depth / 255)
    at = np.divmod(rim, alpha.shape[1])
    edge = region[at] * ground + paint.reshape(-1, 3)[rim] * share
    cv2.copyTo(paint, opaque, region)
    region[at] = edge
