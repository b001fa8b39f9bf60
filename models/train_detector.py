"""The detector's training: Ultralytics' YOLO pose trainer on streamed scenes, with a loss made for far corners."""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
import ultralytics.utils.loss as yolo_loss
from torch import Tensor, nn
from ultralytics.models.yolo.pose import PoseTrainer
from ultralytics.utils import SETTINGS

from datasets.synth import STREAM_BLOCK, Recipe, write_set
from datasets.yolo import data_yaml
from models.augment import other_light, quarter_turns
from models.plot import plot_run
from models.ring import Feed, Ring, ring_size
from models.stream import NOTHING, SceneStream

INDEX_PX = (11.0, 64.0)  # index heights that the detector learns; `vision.tiling` brings photos into this range
EPOCH_BATCHES = 150
USES = 1.5  # times that each picture is used, turned by quarters and in another light
SMALLEST = 0.65  # pictures are shown down to this share of their size
ARCHITECTURE = "yolo11n-pose.yaml"


class CornerLoss(nn.Module):
    """Distance of each predicted card corner in units of the index's size, through log(1 + 2d).

    The card's corners lie up to seven index sizes away. OKS has no slope that far out and hardly any near zero, so
    neither the first steps nor the last tenth of a card width would be learnt; this has both.
    """

    def __init__(self, sigmas: torch.Tensor) -> None:
        super().__init__()

    def forward(self, pred: torch.Tensor, truth: torch.Tensor, mask: torch.Tensor, area: torch.Tensor) -> torch.Tensor:
        """Mean over the visible corners of boxes (N, K, 2+) against (N, K, 2+), mask (N, K), area (N, 1)."""
        square = (pred[..., 0] - truth[..., 0]).pow(2) + (pred[..., 1] - truth[..., 1]).pow(2)
        share = (square / (area + 1e-9) + 1e-6).sqrt()
        return (torch.log1p(2 * share) * mask).sum() / mask.sum().clamp(min=1)


class RingLoader:
    """What Ultralytics' trainer takes for a data loader: batches out of a ring of rendered pictures."""

    drop_last = True

    def __init__(self, feed: Feed, batch_size: int, batches: int, num_workers: int) -> None:
        self.feed, self.batch_size, self.batches, self.num_workers = feed, batch_size, batches, num_workers
        self.dataset = self.sampler = range(batch_size * batches)  # asked for their length only

    def __len__(self) -> int:
        return self.batches

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        for _ in range(self.batches):
            yield as_batch(*quarter_turns(*self.feed.draw(self.batch_size)))

    def reset(self) -> None:
        """Nothing waits here."""

    def close(self) -> None:
        """Stop the renderers; Ultralytics calls this when the training ends."""
        self.feed.close()


def as_batch(images: Tensor, objects: Tensor) -> dict[str, Tensor]:
    """Pictures and padded objects as Ultralytics collates them."""
    picture, row = (objects[:, :, 0] > NOTHING).nonzero(as_tuple=True)
    found = objects[picture, row]
    return {
        "img": images,
        "cls": found[:, :1],
        "bboxes": found[:, 1:5],
        "keypoints": found[:, 5:].unflatten(1, (4, 3)),
        "batch_idx": picture.float(),
    }


class StreamTrainer(PoseTrainer):
    """The pose trainer, fed by the renderer instead of a folder."""

    recipe: Recipe
    epoch_pictures: int
    workers: int

    def get_dataloader(self, dataset_path: str, batch_size: int = 16, rank: int = 0, mode: str = "train") -> Any:
        """The ring, with the renderers behind it."""
        if mode != "train":
            return super().get_dataloader(dataset_path, batch_size, rank, mode)
        ring = Ring(ring_size(self.device, 3 * self.recipe.size_px**2, 8 * batch_size), USES, self.device)
        feed = Feed(SceneStream(self.recipe, int(time.time())), ring, self.workers)
        return RingLoader(feed, batch_size, max(1, self.epoch_pictures // batch_size), self.workers)

    def preprocess_batch(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Floats in another light, half of the batches smaller; channels last is a tenth faster on a CPU."""
        images = batch["img"].float() / 255
        if random.random() < 0.5:
            full = images.shape[-1] // 32
            side = 32 * random.randint(round(SMALLEST * full), full)
            images = F.interpolate(images, (side, side), mode="bilinear", antialias=True)
        batch["img"] = other_light(images, 0.03, 0.15, 0.15, 0.02).to(memory_format=torch.channels_last)
        return batch

    def read_results_csv(self) -> dict[str, Any]:
        """The checkpoint keeps no history: `results.csv` has it."""
        return {}

    def plot_training_labels(self) -> None:
        """There is no fixed label set to plot."""

    def plot_training_samples(self, batch: Any, ni: int) -> None:
        """`burraco synth` writes a contact sheet; the stream keeps no files to name."""

    def auto_batch(self, max_num_obj: int = 0) -> int:
        """The batch is given."""
        return int(self.args.batch)


def _prepare(trainer: Any) -> None:
    # Ultralytics sets OMP_NUM_THREADS to 1 when it is imported.
    torch.set_num_threads(os.cpu_count() or 1)
    trainer.model.to(memory_format=torch.channels_last)


def train(args: argparse.Namespace) -> int:
    """Train the detector for the time given; writes `last.pt` and `results.csv` below `args.out / "detector"`."""
    yolo_loss.KeypointLoss = CornerLoss  # type: ignore[misc,assignment]
    root = args.out.resolve()
    root.mkdir(parents=True, exist_ok=True)
    SETTINGS.update({"datasets_dir": str(root), "runs_dir": str(root)})
    batch = args.batch or (64 if torch.cuda.is_available() else 8)
    StreamTrainer.workers = args.workers
    StreamTrainer.recipe = Recipe(args.seed, "train", args.size, INDEX_PX, pack=args.pack, block=STREAM_BLOCK)
    StreamTrainer.epoch_pictures = batch * (args.steps or EPOCH_BATCHES)
    overrides = {
        "model": str(args.resume or ARCHITECTURE),
        "data": str(_validation_set(root, args)),
        "imgsz": args.size, "batch": batch, "nbs": batch, "workers": args.workers,
        "epochs": 1 if args.steps else 1000, "time": None if args.steps else args.minutes / 60,
        "optimizer": "AdamW", "lr0": args.lr or 1.5e-3, "lrf": 0.03, "cos_lr": True, "weight_decay": 5e-4,
        "warmup_epochs": 0.5 if args.resume else 1.0, "warmup_bias_lr": 0.0,
        "pose": 3.0, "kobj": 0.5, "box": 7.5, "cls": 0.7,
        "val": False, "plots": False, "cache": False, "save_period": -1,
        "amp": "bf16" if torch.cuda.is_available() else False,  # True would fetch a weight file to check itself
        "project": str(root), "name": "detector", "exist_ok": True, "seed": args.seed, "deterministic": False,
        "mosaic": 0.0, "degrees": 0.0, "fliplr": 0.0, "erasing": 0.0, "auto_augment": None,
    }  # fmt: skip
    trainer = StreamTrainer(overrides=overrides)
    trainer.add_callback("on_train_start", _prepare)
    trainer.train()
    losses = ("train/box_loss", "train/pose_loss", "train/cls_loss", "train/dfl_loss")
    plot_run(root / "detector/results.csv", "epoch", losses, root / "detector/run.png")
    return 0


def _validation_set(root: Path, args: argparse.Namespace) -> Path:
    """A small set of files, since Ultralytics asks for one even where it does not validate."""
    folder = root / "val"
    if not (folder / "data.yaml").exists():
        write_set(Recipe(1, "val", args.size, INDEX_PX), 8 if args.steps else 64, folder, 1, keep_tables=False)
    file = folder / "data.yaml"
    file.write_text(data_yaml(folder))  # anew, since it names the folder, which may have moved
    return file
