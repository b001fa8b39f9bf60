"""Crops for the reader: cut from scenes with a detector's kind of errors, or where a detector really found them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from datasets.scene import Scene
from scoring.cards import FACES
from vision.crops import CROP_WH, index_crops, index_spans
from vision.detector import Detections

NONE = len(FACES)
JOLLY = len(FACES) - 1
NO_SUIT = 100  # added to a face whose suit is covered


@dataclass(frozen=True, slots=True)
class Crops:
    """Crops (N, 72, 48, 3) uint8 and faces (N,): a row of `FACES`, plus `NO_SUIT` with the suit covered, or `NONE`."""

    pixels: NDArray[np.uint8]
    faces: NDArray[np.int64]

    def joined(self, other: Crops) -> Crops:
        return Crops(np.concatenate([self.pixels, other.pixels]), np.concatenate([self.faces, other.faces]))

    def some(self, rng: np.random.Generator, most: int) -> Crops:
        """At most so many of them, at random."""
        rows = rng.permutation(len(self.faces))[:most]
        return Crops(self.pixels[rows], self.faces[rows])


def _jitter(
    rng: np.random.Generator, boxes: NDArray[np.float64], quads: NDArray[np.float64], strength: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Move, scale and turn each index: heavy-tailed, since a detector is mostly right and sometimes far off."""
    count = len(boxes)
    spread = strength * rng.gamma(2.0, 0.5, (count, 1))
    spans = ((boxes[:, 2:] - boxes[:, :2]).sum(1) / 1.2)[:, None]
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2 + rng.normal(0, 0.035, (count, 2)) * spread * spans
    halves = (boxes[:, 2:] - boxes[:, :2]) / 2 * np.exp(rng.normal(0, 0.09, (count, 2)) * spread)
    return np.hstack([centres - halves, centres + halves]), _turned(quads, rng.normal(0, 0.07, count) * spread[:, 0])


def _turned(quads: NDArray[np.float64], angles: NDArray[np.float64]) -> NDArray[np.float64]:
    middle = quads.mean(1, keepdims=True)
    cos, sin = np.cos(angles), np.sin(angles)
    turn = np.stack([np.stack([cos, sin], 1), np.stack([-sin, cos], 1)], 1)
    return np.asarray((quads - middle) @ turn + middle)


def scene_crops(rng: np.random.Generator, scene: Scene, copies: int = 2) -> Crops:
    """All readable indices of a scene, each cut `copies` times, and about a fifth as many crops of no index."""
    boxes = np.array([i.box_xyxy for i in scene.indices]).reshape(-1, 4)
    quads = np.array([i.quad for i in scene.indices]).reshape(-1, 4, 2)
    faces = np.array([i.face + (0 if i.suit_shows else NO_SUIT) for i in scene.indices], np.int64)
    pixels, labels = [], []
    for _ in range(copies if len(boxes) else 0):
        b, q = _jitter(rng, boxes, quads, 1.0)
        pixels.append(index_crops(scene.image, b, q))
        labels.append(faces)
    b, q = _elsewhere(rng, scene, boxes, quads, faces)
    if len(b):
        pixels.append(index_crops(scene.image, b, q))
        labels.append(np.full(len(b), NONE, np.int64))
    if not pixels:
        return Crops(np.zeros((0, CROP_WH[1], CROP_WH[0], 3), np.uint8), np.zeros(0, np.int64))
    return Crops(np.concatenate(pixels), np.concatenate(labels))


def _elsewhere(
    rng: np.random.Generator,
    scene: Scene,
    boxes: NDArray[np.float64],
    quads: NDArray[np.float64],
    faces: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Places that a detector may take for an index: upside down on one, beside it, pips, figures, backs, anywhere."""
    out_boxes, out_quads = [], []
    ranked = np.flatnonzero(faces % NO_SUIT != JOLLY)
    if len(ranked):
        wrong = rng.choice(ranked, max(1, len(ranked) // 6))
        turn = rng.choice([np.pi / 2, np.pi, np.pi, -np.pi / 2], len(wrong))
        out_boxes.append(boxes[wrong])
        out_quads.append(_turned(quads[wrong], turn))
    if len(scene.quads):
        pick = rng.integers(len(scene.quads), size=max(3, len(scene.quads) // 3))
        q = scene.quads[pick]
        u, v = rng.uniform(0, 1, (2, len(pick), 1))
        centre = (1 - u) * (1 - v) * q[:, 0] + u * (1 - v) * q[:, 1] + u * v * q[:, 2] + (1 - u) * v * q[:, 3]
        out_boxes.append(_boxes_at(rng, centre, np.linalg.norm(q[:, 1] - q[:, 0], axis=1)))
        out_quads.append(q)
    anywhere = rng.uniform(0, 1, (3, 2)) * [scene.image.shape[1], scene.image.shape[0]]
    square = np.array([[-1, -1.5], [1, -1.5], [1, 1.5], [-1, 1.5]]) * 40
    out_boxes.append(_boxes_at(rng, anywhere, rng.uniform(30, 160, 3)))
    out_quads.append(_turned(anywhere[:, None] + square, rng.uniform(0, 7, 3)))
    b, q = np.concatenate(out_boxes), np.concatenate(out_quads)
    keep = (
        _far(b, q, boxes, quads) & (b[:, :2] > -5).all(1) & (b[:, 2:] < np.array(scene.image.shape[1::-1]) + 5).all(1)
    )
    return b[keep], q[keep]


def _boxes_at(
    rng: np.random.Generator, centres: NDArray[np.float64], card_widths: NDArray[np.float64]
) -> NDArray[np.float64]:
    size = card_widths[:, None] * rng.uniform(0.14, 0.3, (len(centres), 1)) * [0.5, 1.0]
    return np.hstack([centres - size, centres + size])


def _far(
    boxes: NDArray[np.float64],
    quads: NDArray[np.float64],
    true_boxes: NDArray[np.float64],
    true_quads: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """True where a box does not show a true index about upright near its middle."""
    if not len(true_boxes):
        return np.ones(len(boxes), bool)
    apart = np.linalg.norm(
        ((boxes[:, :2] + boxes[:, 2:]) / 2)[:, None] - (true_boxes[:, :2] + true_boxes[:, 2:]) / 2, axis=2
    )
    span = index_spans(true_boxes, np.zeros(len(true_boxes)))
    up = quads[:, 0] - quads[:, 3]
    true_up = true_quads[:, 0] - true_quads[:, 3]
    cosine = (up @ true_up.T) / (np.linalg.norm(up, axis=1)[:, None] * np.linalg.norm(true_up, axis=1) + 1e-9)
    return np.asarray(~((apart < 0.45 * span) & (cosine > 0.5)).any(1))


def detected_crops(scene: Scene, found: Detections) -> Crops:
    """Crops where a detector found indices, named by the label they lie on, or none."""
    found = found[found.classes == 0]
    crops = index_crops(scene.image, found.boxes_xyxy, found.corners)
    faces = np.full(len(crops), NONE, np.int64)
    if len(scene.indices) and len(crops):
        true = np.array([i.box_xyxy for i in scene.indices])
        overlap = _iou(found.boxes_xyxy.astype(np.float64), true)
        best = overlap.argmax(1)
        labels = np.array([i.face + (0 if i.suit_shows else NO_SUIT) for i in scene.indices], np.int64)
        true_quads = np.array([i.quad for i in scene.indices])
        up = found.corners[:, 0] - found.corners[:, 3]
        true_up = (true_quads[:, 0] - true_quads[:, 3])[best]
        upright = (up * true_up).sum(1) > 0.7 * np.linalg.norm(up, axis=1) * np.linalg.norm(true_up, axis=1)
        hit = overlap[np.arange(len(crops)), best] > 0.4
        faces = np.where(hit & upright, labels[best], NONE)
    return Crops(crops, faces)


def _iou(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    shared = (high - low).clip(0).prod(2)
    area_a, area_b = (a[:, 2:] - a[:, :2]).prod(1), (b[:, 2:] - b[:, :2]).prod(1)
    return np.asarray(shared / (area_a[:, None] + area_b - shared + 1e-9))
