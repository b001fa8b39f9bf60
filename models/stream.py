"""Training pictures rendered as they are needed, so that no picture is seen twice and none waits on the disk."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import torch
from torch.utils.data import Dataset, get_worker_info

from datasets.scene import Scene
from datasets.synth import Recipe, scenes
from datasets.yolo import label_lines


class Renderer:
    """The scenes of one rendering process, one at a time; `generation` differs from run to run."""

    def __init__(self, recipe: Recipe, lane: int, generation: int) -> None:
        self._scenes = scenes(recipe, lane, generation)

    def scene(self) -> Scene:
        """The next picture."""
        return next(self._scenes)


class SceneStream(Dataset[dict[str, Any]]):
    """A data set of Ultralytics samples; the number asked for is ignored, each call renders a new picture.

    `generation` differs from run to run, so that a resumed training sees new pictures.
    """

    def __init__(self, recipe: Recipe, length: int, generation: int) -> None:
        self.recipe, self.length, self.generation = recipe, length, generation
        self.renderer: Renderer | None = None

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> dict[str, Any]:
        if self.renderer is None:
            cv2.setNumThreads(1)
            torch.set_num_threads(1)
            worker = get_worker_info()
            self.renderer = Renderer(self.recipe, worker.id if worker else 0, self.generation)
        return sample(self.renderer.scene())


def sample(scene: Scene) -> dict[str, Any]:
    """A scene as Ultralytics wants it: (3, H, W) uint8, boxes (N, 4) xywh 0..1, keypoints (N, 4, 3), classes (N, 1)."""
    rows = np.array([line.split() for line in label_lines(scene)], np.float32).reshape(-1, 17)
    size = (scene.image.shape[0], scene.image.shape[1])
    return {
        "im_file": "",
        "ori_shape": size,
        "resized_shape": size,
        "ratio_pad": ((1.0, 1.0), (0.0, 0.0)),
        "img": torch.from_numpy(np.ascontiguousarray(scene.image.transpose(2, 0, 1))),
        "cls": torch.from_numpy(rows[:, :1].copy()),
        "bboxes": torch.from_numpy(rows[:, 1:5].copy()),
        "keypoints": torch.from_numpy(rows[:, 5:].reshape(-1, 4, 3).copy()),
        "batch_idx": torch.zeros(len(rows)),
    }
