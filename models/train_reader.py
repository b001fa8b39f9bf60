"""The reader's training: crops streamed from rendered scenes, cross-entropy on rank and suit."""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from datasets.synth import Recipe
from models.plot import plot_run
from models.reader_crops import NO_SUIT, Crops, detected_crops, scene_crops
from models.reader_net import ReaderNet, targets
from models.stream import Renderer

INDEX_PX = (9.0, 80.0)
SCENES_A_CHUNK = 6
POOL = 60_000  # crops kept in memory; each is used about `REUSE` times before a new one takes its place
REUSE = 3.0


class CropStream(IterableDataset[tuple[Tensor, Tensor]]):
    """Endless chunks of crops with their faces, rendered in worker processes; some cut by the detector when given."""

    def __init__(self, recipe: Recipe, generation: int, detector: Path | None) -> None:
        self.recipe, self.generation, self.detector = recipe, generation, detector

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        cv2.setNumThreads(1)
        torch.set_num_threads(1)
        worker = get_worker_info()
        lane = worker.id if worker else 0
        renderer = Renderer(self.recipe, 1000 + lane, self.generation)
        rng = np.random.default_rng([self.recipe.seed, lane, self.generation, 7])
        find = None
        if self.detector is not None:
            from vision.detector import OnnxDetector

            find = OnnxDetector(self.detector)
        while True:
            parts: list[Crops] = []
            for _ in range(SCENES_A_CHUNK):
                scene = renderer.scene()
                parts.append(scene_crops(rng, scene))
                if find is not None and rng.random() < 0.5:
                    parts.append(detected_crops(scene, find.detect(scene.image)))
            pixels = np.concatenate([p.pixels for p in parts])
            yield torch.from_numpy(pixels), torch.from_numpy(np.concatenate([p.faces for p in parts]))


@dataclass(slots=True)
class Pool:
    """A ring of recent crops to draw batches from."""

    pixels: Tensor
    faces: Tensor
    size: int = 0
    at: int = 0

    def put(self, pixels: Tensor, faces: Tensor) -> None:
        rows = (self.at + torch.arange(len(faces))) % len(self.faces)
        self.pixels[rows], self.faces[rows] = pixels, faces
        self.at = int((self.at + len(faces)) % len(self.faces))
        self.size = min(self.size + len(faces), len(self.faces))

    def draw(self, count: int) -> tuple[Tensor, Tensor]:
        rows = torch.randint(self.size, (count,))
        return self.pixels[rows], self.faces[rows]


def augment(crops: Tensor) -> Tensor:
    """Light, contrast, colour, a little blur or noise: (N, 48, 32, 3) uint8 → (N, 3, 48, 32) floats 0..1."""
    x = crops.permute(0, 3, 1, 2).float() / 255
    n = len(x)
    x = x * torch.empty(n, 3, 1, 1).normal_(1, 0.06) * torch.empty(n, 1, 1, 1).uniform_(0.75, 1.2)
    middle = x.mean((1, 2, 3), keepdim=True)
    x = (x - middle) * torch.empty(n, 1, 1, 1).uniform_(0.6, 1.4) + middle
    soft = F.avg_pool2d(F.pad(x, (1, 1, 1, 1), mode="replicate"), 3, 1)
    x = torch.where(torch.rand(n, 1, 1, 1) < 0.15, soft, x)
    x = x + torch.randn_like(x) * torch.empty(n, 1, 1, 1).uniform_(0, 0.04)
    return x.clamp(0, 1)


def loss_of(net: ReaderNet, crops: Tensor, faces: Tensor) -> Tensor:
    """Cross-entropy of rank and suit; a covered suit is answered best by a flat one."""
    covered = faces >= NO_SUIT
    rank, suit = targets(faces % NO_SUIT)
    rank_logits, suit_logits, _ = net.heads(crops)
    loss = F.cross_entropy(rank_logits, rank, label_smoothing=0.02)
    wanted = torch.where(
        covered[:, None], torch.full((len(suit), 4), 0.25), F.one_hot(suit.clamp(min=0), 4).float() * 0.98 + 0.005
    )
    per_crop = -(wanted * suit_logits.log_softmax(1)).sum(1) * (suit >= 0)
    return loss + per_crop.mean()


def accuracy(net: ReaderNet, crops: Crops) -> tuple[float, float]:
    """Share of true indices named right (covered suits left out), and of none-crops called none."""
    net.eval()
    with torch.no_grad():
        best = np.concatenate(
            [
                net(torch.from_numpy(part).permute(0, 3, 1, 2).float() / 255)[0].argmax(1).numpy()
                for part in np.array_split(crops.pixels, max(1, len(crops.pixels) // 512))
            ]
        )
    net.train()
    true, none = crops.faces < 53, crops.faces == 53
    return float((best[true] == crops.faces[true]).mean()), float((best[none] == 53).mean())


def validation_crops(seed: int, scenes: int) -> Crops:
    """Crops of decks whose fonts training never sees."""
    renderer, rng = Renderer(Recipe(seed, "val", 416, INDEX_PX), 0, 0), np.random.default_rng(seed)
    parts = [scene_crops(rng, renderer.scene(), 1) for _ in range(scenes)]
    return Crops(np.concatenate([p.pixels for p in parts]), np.concatenate([p.faces for p in parts]))


def train(args: argparse.Namespace) -> int:
    """Train the reader for the time given; writes `reader.pt` and `reader.csv` below `args.out / "reader"`."""
    cv2.setNumThreads(0)  # or the forked renderers wait for ever on the threads that OpenCV started here
    torch.set_num_threads(os.cpu_count() or 1)
    torch.manual_seed(args.seed)
    folder = args.out / "reader"
    folder.mkdir(parents=True, exist_ok=True)
    net = ReaderNet()
    if args.resume:
        net.load_state_dict(torch.load(args.resume, map_location="cpu", weights_only=True))
    held_out = validation_crops(5, 20 if args.steps else 160)
    stream = CropStream(Recipe(args.seed, "train", 416, INDEX_PX), int(time.time()), args.detector)
    loader = iter(
        DataLoader(
            stream,
            batch_size=None,
            num_workers=0 if args.steps else args.workers,
            prefetch_factor=None if args.steps else 4,
        )
    )
    _fit(args, net, loader, held_out, folder)
    torch.save(net.state_dict(), folder / "reader.pt")
    plot_run(folder / "reader.csv", "crops", ("loss", "named", "none"), folder / "run.png")
    return 0


def _fit(
    args: argparse.Namespace, net: ReaderNet, loader: Iterator[tuple[Tensor, Tensor]], held_out: Crops, folder: Path
) -> None:
    batch, top = args.batch or 256, args.lr or 2e-3
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    optimizer = torch.optim.AdamW(net.parameters(), top, weight_decay=1e-2)
    size = 2_000 if args.steps else POOL
    pool = Pool(torch.zeros((size, 48, 32, 3), dtype=torch.uint8), torch.zeros(size, dtype=torch.int64))
    fresh, started, step, running = 0.0, time.time(), 0, 0.0
    log = (folder / "reader.csv").open("w")
    log.write("steps,crops,minutes,loss,named,none\n")
    while True:
        share = step / args.steps if args.steps else (time.time() - started) / (args.minutes * 60)
        if share >= 1:
            break
        while pool.size < min(size, 4 * batch) or fresh < step * batch / REUSE:
            pixels, faces = next(loader)
            pool.put(pixels, faces)
            fresh += len(faces)
        warm = min(1.0, (step + 1) / 200)
        for group in optimizer.param_groups:
            group["lr"] = warm * (1e-5 + (top - 1e-5) * 0.5 * (1 + math.cos(math.pi * share)))
        crops, faces = pool.draw(batch)
        loss = loss_of(net, augment(crops).to(memory_format=torch.channels_last), faces)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        running += (loss.item() - running) * (1.0 if step == 1 else 0.02)
        if step % 500 == 0:
            named, none = accuracy(net, held_out)
            line = f"{step},{step * batch},{(time.time() - started) / 60:.1f},{running:.4f},{named:.4f},{none:.4f}"
            print(line, flush=True)
            log.write(line + "\n")
            log.flush()
            torch.save(net.state_dict(), folder / "reader.pt")
    named, none = accuracy(net, held_out)
    print(f"end: {step} steps, loss {running:.4f}, unseen decks: named {named:.4f}, none {none:.4f}", flush=True)
    log.close()
