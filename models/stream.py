"""Training pictures rendered as they are needed, so that none waits on the disk."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import torch
from torch.utils.data import IterableDataset, get_worker_info

from datasets.scene import Scene
from datasets.synth import Recipe, scenes
from datasets.yolo import label_rows
from models.ring import Samples

MOST_OBJECTS, OBJECT_VALUES = 200, 17
NOTHING = -1.0  # class of the rows that fill up a picture's objects


def lane_of_worker() -> int:
    """Number of this rendering process, after telling it to keep to one thread (0 where there is but one)."""
    worker = get_worker_info()
    if worker is None:
        return 0
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    return int(worker.id)


class SceneStream(IterableDataset[Samples]):
    """Endless pictures (1, 3, S, S) uint8 with their objects (1, 200, 17): class, box xywh 0..1, four corners x y v.

    `generation` differs from run to run, so that a resumed training sees new pictures.
    """

    def __init__(self, recipe: Recipe, generation: int) -> None:
        self.recipe, self.generation = recipe, generation

    def __iter__(self) -> Iterator[Samples]:
        for scene in scenes(self.recipe, lane_of_worker(), self.generation):
            picture = torch.from_numpy(np.ascontiguousarray(scene.image.transpose(2, 0, 1)))
            yield picture[None], torch.from_numpy(objects_of(scene))[None]


def objects_of(scene: Scene) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """A scene's labels as rows of 17 numbers, filled up with `NOTHING`."""
    rows = label_rows(scene)[:MOST_OBJECTS]
    filled = np.full((MOST_OBJECTS, OBJECT_VALUES), NOTHING, np.float32)
    filled[: len(rows)] = rows
    return filled
