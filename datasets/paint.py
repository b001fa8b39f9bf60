"""Puts an antialiased shape on a picture by byte operations over its box, which beat picking out its rim."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


def lay_over(region: Image, paint: Image, alpha: Image, shadow: Image | None = None, depth: float = 0.0) -> None:
    """Paint on `region` in place where `alpha` covers it.

    `region`, `paint` (H, W, 3) and `alpha` (H, W) uint8; `shadow` (H, W) uint8 covers `alpha` and reaches beyond it:
    there the ground is darkened by the share `depth` of it.
    """
    ground = cv2.bitwise_not(alpha)
    if shadow is not None:
        ground = cv2.multiply(ground, cv2.convertScaleAbs(shadow, alpha=-depth, beta=255), scale=1 / 255)
    shown = cv2.multiply(paint, cv2.cvtColor(alpha, cv2.COLOR_GRAY2RGB), scale=1 / 255)
    left = cv2.multiply(region, cv2.cvtColor(ground, cv2.COLOR_GRAY2RGB), scale=1 / 255)
    cv2.add(left, shown, region)
