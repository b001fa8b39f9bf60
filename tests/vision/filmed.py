"""Frames without networks: cards as geometry, each index drawn as its text, hands as skin-coloured boxes."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from scoring.cards import FACES
from tests.vision.tabletop import Laid, Noise, look
from vision.detector import Detections
from vision.reader import Readings

SIZE_WH = (1280, 720)
CALM = Noise(angle_deg=1.0, scale=0.01, corner=0.01, place=0.004, size=0.01, missed=0.0, misread=0.0)
SKIN = (205, 150, 125)


@dataclass
class Filmed:
    """One frame: the picture, what a detector finds in it, and the reading of each finding."""

    image_rgb: np.ndarray
    found: Detections
    readings: Readings

    def name(self, indices: Detections) -> Readings:
        """What a reader says of some of the findings."""
        rows = [int(np.abs(self.found.boxes_xyxy - box).sum(axis=1).argmin()) for box in indices.boxes_xyxy]
        return self.readings[np.array(rows, dtype=np.int64)]


def film(
    laid: list[Laid],
    rng: np.random.Generator,
    *,
    hand: tuple[int, int, int, int] | None = None,
    skin: tuple[int, int, int] = SKIN,
    moved: tuple[float, float, float] = (0.0, 0.0, 0.0),
    light: float = 1.0,
    table: tuple[int, int, int] = (40, 90, 60),
    noise: Noise = CALM,
) -> Filmed:
    """A frame of a table; `hand` (x0, y0, x1, y1) covers, `moved` shifts (px) and turns (degrees) the camera."""
    seen = look(laid, rng, tilt=0.0, scale=1.6, noise=noise)
    turn = np.radians(moved[2])
    cos, sin = np.cos(turn), np.sin(turn)

    def placed(points: np.ndarray) -> np.ndarray:
        return points @ np.array([[cos, sin], [-sin, cos]]) + np.array(SIZE_WH) / 2 + np.array(moved[:2])

    boxes, corners = seen.detections.boxes_xyxy, placed(seen.detections.corners)
    middles, halves = placed((boxes[:, :2] + boxes[:, 2:]) / 2), (boxes[:, 2:] - boxes[:, :2]) / 2
    boxes = np.concatenate([middles - halves, middles + halves], axis=1)
    image = np.full((SIZE_WH[1], SIZE_WH[0], 3), table, np.uint8)
    for card in laid:
        quad = placed(card.quad * 1.6)
        cv2.fillConvexPoly(image, quad.round().astype(np.int32), (235, 235, 230))
        cv2.polylines(image, [quad.round().astype(np.int32)], True, (90, 90, 90), 1)
    for box, owner in zip(boxes, seen.owners, strict=True):
        x, y = int(box[0]), int(box[3]) - 8
        colour = (20, 20, 20) if FACES.index(laid[owner].card) % 26 > 12 else (170, 20, 30)
        text = str(laid[owner].card).translate(str.maketrans("♥♦♣♠", "HDCS"))
        cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.55, colour, 2)
    keep = np.ones(len(boxes), bool)
    if hand is not None:
        cv2.rectangle(image, hand[:2], hand[2:], skin, -1)
        keep = ~((boxes[:, 2] > hand[0]) & (boxes[:, 0] < hand[2]) & (boxes[:, 3] > hand[1]) & (boxes[:, 1] < hand[3]))
    image = (image * light).clip(0, 255).astype(np.uint8)
    found = Detections(
        boxes.astype(np.float32)[keep],
        seen.detections.scores[keep],
        seen.detections.classes[keep],
        corners.astype(np.float32)[keep],
    )
    return Filmed(image, found, seen.readings[np.flatnonzero(keep)])
