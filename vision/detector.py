"""WHERE: corner indices found by a YOLO pose network, behind one protocol."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import cv2
import numpy as np

from vision.crops import index_angles, index_spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Mask = NDArray[np.bool_] | NDArray[np.int64]

STRIDE: Final = 32
PAD_GREY: Final = 114
KEYPOINTS: Final = 4


class Kind(IntEnum):
    """The detector's classes."""

    INDEX = 0
    BACK = 1


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """Indices (and backs) in one picture, as parallel arrays checked on construction.

    `boxes_xyxy` (N, 4), `scores` (N,), `classes` (N,) of `Kind`, `corners` (N, 4, 2): the card's corners in the
    index's own frame (top-left, top-right, bottom-right, bottom-left as this index reads). Pixels of the picture.
    """

    boxes_xyxy: Floats
    scores: Floats
    classes: NDArray[np.int64]
    corners: Floats

    def __post_init__(self) -> None:
        count = len(self.boxes_xyxy)
        expected = ((count, 4), (count,), (count,), (count, 4, 2))
        seen = (self.boxes_xyxy.shape, self.scores.shape, self.classes.shape, self.corners.shape)
        if seen != expected:
            raise ValueError(f"detections of unequal shapes: expected {expected}, got {seen}")

    def __len__(self) -> int:
        return len(self.scores)

    def __getitem__(self, mask: Mask) -> Detections:
        """The detections that a boolean mask or an array of rows picks."""
        return Detections(self.boxes_xyxy[mask], self.scores[mask], self.classes[mask], self.corners[mask])

    def moved(self, scale: float, offset_xy: tuple[float, float] = (0.0, 0.0)) -> Detections:
        """The same detections in a frame where x' = x * scale + offset."""
        shift = np.asarray(offset_xy, dtype=np.float32)
        boxes = self.boxes_xyxy * np.float32(scale) + np.tile(shift, 2)
        corners = self.corners * np.float32(scale) + shift
        return Detections(boxes.astype(np.float32), self.scores, self.classes, corners.astype(np.float32))

    @classmethod
    def empty(cls) -> Detections:
        """No detection at all."""
        f32 = np.float32
        return cls(np.zeros((0, 4), f32), np.zeros(0, f32), np.zeros(0, np.int64), np.zeros((0, 4, 2), f32))

    @classmethod
    def joined(cls, parts: Sequence[Detections]) -> Detections:
        """Several sets of detections as one."""
        if not parts:
            return cls.empty()
        return cls(
            np.concatenate([part.boxes_xyxy for part in parts]),
            np.concatenate([part.scores for part in parts]),
            np.concatenate([part.classes for part in parts]),
            np.concatenate([part.corners for part in parts]),
        )


class Detector(Protocol):
    """Finds indices in a picture of any size."""

    def detect(self, image_rgb: NDArray[np.uint8]) -> Detections:
        """All detections in one picture, in its pixels."""
        ...


class DetectorError(RuntimeError):
    """The weights cannot be used: says which file and what was expected."""


def index_sizes(detections: Detections) -> Floats:
    """Width plus height of each index in its own frame, pixels: the box undone by the card's direction."""
    spans = index_spans(detections.boxes_xyxy, index_angles(detections.corners))
    return np.asarray(spans, np.float32)


def suppress(
    detections: Detections, priority: Floats | None = None, max_iou: float = 0.5, max_contained: float = 0.62
) -> Detections:
    """Keep the best of every bundle of overlapping boxes, across classes.

    `priority` replaces the scores as the order of preference. A box is dropped where it overlaps a better one by
    `max_iou`, or where the smaller of the two lies inside the other by `max_contained`.
    """
    order = np.argsort(-(detections.scores if priority is None else priority), kind="stable")
    boxes = detections.boxes_xyxy[order]
    area = np.maximum(boxes[:, 2] - boxes[:, 0], 0) * np.maximum(boxes[:, 3] - boxes[:, 1], 0)
    alive = np.ones(len(order), dtype=bool)
    for i in range(len(order)):
        if not alive[i]:
            continue
        low, high = np.maximum(boxes[i, :2], boxes[i + 1 :, :2]), np.minimum(boxes[i, 2:], boxes[i + 1 :, 2:])
        shared = np.prod(np.maximum(high - low, 0), axis=1)
        union = area[i] + area[i + 1 :] - shared
        smaller = np.minimum(area[i], area[i + 1 :])
        alive[i + 1 :] &= (shared <= max_iou * union) & (shared <= max_contained * smaller)
    return detections[np.sort(order[alive])]


def padded_chw(image_rgb: NDArray[np.uint8]) -> Floats:
    """The network's input (1, 3, H, W) 0..1, right and bottom filled with grey up to a multiple of the stride."""
    height, width = image_rgb.shape[:2]
    tall, wide = -(-height // STRIDE) * STRIDE, -(-width // STRIDE) * STRIDE
    canvas = np.full((tall, wide, 3), PAD_GREY, dtype=np.uint8)
    canvas[:height, :width] = image_rgb
    blob: Floats = cv2.dnn.blobFromImage(canvas, 1 / 255)
    return blob


def decode(raw: Floats, min_score: float) -> Detections:
    """Rows of a pose head (4 + classes + 4 * 3, anchors) as detections, before suppression."""
    class_count = raw.shape[0] - 4 - 3 * KEYPOINTS
    if raw.ndim != 2 or class_count < 1:
        raise DetectorError(f"expected 4 + classes + {3 * KEYPOINTS} rows, got {raw.shape}")
    class_scores = raw[4 : 4 + class_count]
    best = class_scores.max(axis=0)
    keep = np.flatnonzero(best >= min_score)
    rows = raw[:, keep]
    centre, half = rows[:2].T, rows[2:4].T / 2
    corners = rows[4 + class_count :].T.reshape(-1, KEYPOINTS, 3)[:, :, :2]
    classes = class_scores[:, keep].argmax(axis=0).astype(np.int64)
    boxes = np.concatenate([centre - half, centre + half], axis=1).astype(np.float32)
    return Detections(boxes, best[keep].astype(np.float32), classes, np.ascontiguousarray(corners, dtype=np.float32))


class OnnxDetector:
    """The exported network in ONNX Runtime: any picture size, at most two threads, no waiting loop."""

    def __init__(self, path: Path, min_score: float = 0.08) -> None:
        self._session = onnx_session(path)
        self._input = self._session.get_inputs()[0].name
        self._min_score = min_score
        card = path.with_suffix(".json")
        self.description: dict[str, Any] = json.loads(card.read_text("utf-8")) if card.is_file() else {}

    def detect(self, image_rgb: NDArray[np.uint8]) -> Detections:
        """Indices and backs in one picture, overlaps suppressed."""
        raw = self._session.run(None, {self._input: padded_chw(image_rgb)})[0]
        return suppress(decode(np.asarray(raw)[0], self._min_score))


class UltralyticsDetector:
    """The `.pt` checkpoint through Ultralytics (train extra), on a GPU where there is one."""

    def __init__(self, path: Path, min_score: float = 0.08) -> None:
        try:
            from ultralytics import YOLO
        except ImportError as error:
            raise DetectorError("ultralytics is not installed: pip install -e '.[train]'") from error
        self._model = YOLO(str(path), task="pose")
        self._min_score = min_score

    def detect(self, image_rgb: NDArray[np.uint8]) -> Detections:
        """Indices and backs in one picture, overlaps suppressed."""
        height, width = (-(-side // STRIDE) * STRIDE for side in image_rgb.shape[:2])
        bgr = cv2.copyMakeBorder(
            image_rgb[:, :, ::-1],
            *(0, height - image_rgb.shape[0], 0, width - image_rgb.shape[1]),
            cv2.BORDER_CONSTANT,
            value=(PAD_GREY,) * 3,
        )
        result = self._model.predict(
            bgr, imgsz=(height, width), conf=self._min_score, iou=0.5, agnostic_nms=True, max_det=1000, verbose=False
        )[0]
        if result.boxes is None or not len(result.boxes):
            return Detections.empty()
        found = Detections(
            result.boxes.xyxy.cpu().numpy().astype(np.float32),
            result.boxes.conf.cpu().numpy().astype(np.float32),
            result.boxes.cls.cpu().numpy().astype(np.int64),
            result.keypoints.data.cpu().numpy()[:, :, :2].astype(np.float32),
        )
        return suppress(found)


class FakeDetector:
    """Answers every picture with the detections it was given, for tests and dry runs.

    With `width_px`, they belong to a photo that wide and scale with the picture that is shown.
    """

    def __init__(self, detections: Detections | None = None, width_px: int | None = None) -> None:
        self._detections = Detections.empty() if detections is None else detections
        self._width_px = width_px

    def detect(self, image_rgb: NDArray[np.uint8]) -> Detections:
        """The given detections, whatever the picture shows."""
        return self._detections.moved(image_rgb.shape[1] / self._width_px) if self._width_px else self._detections


def _cores() -> int:
    """The cores this process may use: fewer than the machine has where it was pinned to some."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def onnx_session(path: Path) -> Any:
    """An ONNX Runtime session on at most two CPU threads that do not spin while idle: one where there is one core.

    Raises DetectorError where the file is missing or unreadable.
    """
    import onnxruntime

    if not path.is_file():
        raise DetectorError(f"no weights at {path}")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = min(2, _cores())
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise DetectorError(f"{path} is no usable ONNX file: {error}") from error
