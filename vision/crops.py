"""Cuts each corner index out of the photo and turns it upright, alike for training and for reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

CROP_WH = (48, 72)
CROP_SPAN = 1.12  # crop height in units of the index's width plus height, so that the index fills about two thirds
MIN_SPAN_PX = 4.0

Floats = NDArray[Any]


def index_angles(corners: Floats) -> NDArray[np.float64]:
    """Direction in which each index reads, radians clockwise from the picture's x axis: corners (N, 4, 2) → (N,).

    Both pairs of opposite card edges are averaged as vectors, so that one poor corner does not turn the crop.
    """
    c = np.asarray(corners, np.float64).reshape(-1, 4, 2)
    along = (c[:, 1] - c[:, 0]) + (c[:, 2] - c[:, 3])
    down = (c[:, 3] - c[:, 0]) + (c[:, 2] - c[:, 1])
    along /= np.linalg.norm(along, axis=1, keepdims=True) + 1e-9
    down /= np.linalg.norm(down, axis=1, keepdims=True) + 1e-9
    x, y = along[:, 0] + down[:, 1], along[:, 1] - down[:, 0]
    return np.arctan2(y, x)


def index_spans(boxes_xyxy: Floats, angles: Floats) -> NDArray[np.float64]:
    """Width plus height of each index in its own frame, pixels: exact for a rectangle turned by any angle."""
    b = np.asarray(boxes_xyxy, np.float64).reshape(-1, 4)
    sides = (b[:, 2] - b[:, 0]) + (b[:, 3] - b[:, 1])
    spans: NDArray[np.float64] = np.maximum(sides / (np.abs(np.cos(angles)) + np.abs(np.sin(angles))), MIN_SPAN_PX)
    return spans


def index_crops(image_rgb: NDArray[np.uint8], boxes_xyxy: Floats, corners: Floats) -> NDArray[np.uint8]:
    """Upright crops (N, 72, 48, 3) uint8 of N indices: boxes (N, 4) and card corners (N, 4, 2) in image pixels."""
    boxes = np.asarray(boxes_xyxy, np.float64).reshape(-1, 4)
    angles = index_angles(corners)
    scales = CROP_WH[1] / (CROP_SPAN * index_spans(boxes, angles))
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2
    levels = [image_rgb]
    crops = np.empty((len(boxes), CROP_WH[1], CROP_WH[0], 3), np.uint8)
    for i, (angle, scale, centre) in enumerate(zip(angles, scales, centres, strict=True)):
        # Halve first where the crop shrinks the photo by more than two, or thin strokes would fall between samples.
        level = int(max(0.0, np.floor(-np.log2(scale))))
        while len(levels) <= level and min(levels[-1].shape[:2]) > 1:
            levels.append(np.asarray(cv2.pyrDown(levels[-1]), np.uint8))
        level = min(level, len(levels) - 1)
        source, k = levels[level], 2.0**level
        cos, sin = np.cos(angle) * scale * k, np.sin(angle) * scale * k
        cx, cy = centre / k
        matrix = np.array(
            [
                [cos, sin, CROP_WH[0] / 2 - cos * cx - sin * cy],
                [-sin, cos, CROP_WH[1] / 2 + sin * cx - cos * cy],
            ]
        )
        crops[i] = cv2.warpAffine(source, matrix, CROP_WH, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return crops


@dataclass(frozen=True, slots=True)
class View:
    """A slightly other look at an index: crop `zoom` times as large, turned by `turn_rad`."""

    zoom: float = 1.0
    turn_rad: float = 0.0


VIEWS = (View(), View(0.92), View(1.09), View(turn_rad=0.08), View(turn_rad=-0.08))
"""Read together, since the detector's errors of size and angle cost a single look more cards than the reader's own."""


def viewed(boxes_xyxy: Floats, corners: Floats, view: View) -> tuple[Floats, Floats]:
    """Boxes (N, 4) and corners (N, 4, 2) as a detector would have found them for this view."""
    boxes, quads = np.asarray(boxes_xyxy, np.float64), np.asarray(corners, np.float64)
    centres, halves = (boxes[:, :2] + boxes[:, 2:]) / 2, (boxes[:, 2:] - boxes[:, :2]) / 2 * view.zoom
    cos, sin = np.cos(view.turn_rad), np.sin(view.turn_rad)
    middles = quads.mean(axis=1, keepdims=True)
    turned = (quads - middles) @ np.array([[cos, sin], [-sin, cos]]) + middles
    return np.hstack([centres - halves, centres + halves]), turned
