"""Training pictures rendered as they are needed, so that no picture is seen twice and none waits on the disk."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import torch
from torch.utils.data import Dataset, get_worker_info

from datasets.decks import make_deck
from datasets.scene import Scene, Studio, random_scene
from datasets.synth import DECKS_PER_BLOCK, Recipe
from datasets.yolo import label_lines

BLOCK = 40  # pictures drawn before the studio gets new decks


class Renderer:
    """An endless seeded source of scenes that changes its decks every `BLOCK` pictures."""

    def __init__(self, recipe: Recipe, lane: int, generation: int) -> None:
        self.recipe = recipe
        self.rng = np.random.default_rng([recipe.seed, lane, generation])
        self.count = 0
        self.studio: Studio | None = None

    def scene(self) -> Scene:
        """The next picture."""
        if self.studio is None or self.count % BLOCK == 0:
            decks = [make_deck(int(self.rng.integers(2**31)), self.recipe.split) for _ in range(DECKS_PER_BLOCK)]
            self.studio = Studio.make(self.rng, decks, self.recipe.split, tops=4)
        self.count += 1
        return random_scene(self.rng, self.studio, self.recipe.size_px, self.recipe.index_px)


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
