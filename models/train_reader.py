"""The reader's training: crops streamed from rendered scenes, cross-entropy on rank and suit."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.optim.swa_utils import AveragedModel
from torch.utils.data import IterableDataset

from datasets.synth import STREAM_BLOCK, Recipe, scenes
from models.augment import jolted, other_light, some_softened
from models.plot import plot_run
from models.reader_crops import NO_SUIT, NONE, Crops, detected_crops, scene_crops
from models.reader_net import ReaderNet, targets
from models.ring import Feed, Ring, Samples, ring_size
from models.stream import lane_of_worker
from vision.crops import CROP_WH

INDEX_PX = (12.0, 110.0)
LOG_STEPS = 250
USES = 4.0  # times that each crop is used, jolted and in another light
CROP_LANES = 1000  # the first lane, so that the detector trained beside sees other scenes
MOST_A_SCENE = 90  # crops of one scene, or the small indices of crowded pictures would be most of what is learnt


class CropStream(IterableDataset[Samples]):
    """Endless chunks of crops with their faces, rendered in worker processes; some cut by the detector when given."""

    def __init__(self, recipe: Recipe, generation: int, detector: Path | None) -> None:
        self.recipe, self.generation, self.detector = recipe, generation, detector

    def __iter__(self) -> Iterator[Samples]:
        lane = lane_of_worker()
        rng = np.random.default_rng([self.recipe.seed, lane, self.generation, 7])
        find = None
        if self.detector is not None:
            from vision.detector import OnnxDetector

            find = OnnxDetector(self.detector)
        for scene in scenes(self.recipe, CROP_LANES + lane, self.generation):
            crops = scene_crops(rng, scene)
            if find is not None and rng.random() < 0.5:
                crops = crops.joined(detected_crops(scene, find.detect(scene.image)))
            crops = crops.some(rng, MOST_A_SCENE)
            yield torch.from_numpy(crops.pixels), torch.from_numpy(crops.faces)


def seen(crops: Tensor) -> Tensor:
    """Crops (N, 72, 48, 3) uint8 as the network sees them in training: (N, 3, 72, 48) 0..1, in another light."""
    x = jolted(crops.permute(0, 3, 1, 2).float() / 255, 0.03, 0.03, 0.015)
    x = some_softened(other_light(x, 0.06, 0.22, 0.4, 0.04), 0.15)
    return x.contiguous(memory_format=torch.channels_last)


def loss_of(net: ReaderNet, crops: Tensor, faces: Tensor) -> Tensor:
    """Cross-entropy of rank and suit; a covered suit is answered best by a flat one."""
    covered = faces >= NO_SUIT
    rank, suit = targets(faces % NO_SUIT)
    rank_logits, suit_logits, _ = net.heads(crops)
    loss = F.cross_entropy(rank_logits, rank, label_smoothing=0.02)
    one_suit = F.one_hot(suit.clamp(min=0), 4).float() * 0.98 + 0.005
    wanted = torch.where(covered[:, None], torch.full_like(one_suit, 0.25), one_suit)
    per_crop = -(wanted * suit_logits.log_softmax(1)).sum(1) * (suit >= 0)
    return loss + per_crop.mean()


def accuracy(net: ReaderNet, crops: Crops, device: torch.device) -> tuple[float, float]:
    """Share of true indices named right (covered suits left out), and of none-crops called none."""
    net.eval()
    answers = []
    with torch.no_grad():
        for part in torch.from_numpy(crops.pixels).split(512):
            answers.append(net(part.to(device).permute(0, 3, 1, 2).float() / 255)[0].argmax(1).cpu())
    net.train()
    best = torch.cat(answers).numpy()
    true, none = crops.faces < NONE, crops.faces == NONE
    return float((best[true] == crops.faces[true]).mean()), float((best[none] == NONE).mean())


def validation_crops(seed: int, count: int) -> Crops:
    """Crops of decks whose fonts training never sees."""
    rng = np.random.default_rng(seed)
    parts = [scene_crops(rng, scene, 1) for scene in islice(scenes(Recipe(seed, "val", 416, INDEX_PX)), count)]
    return Crops(np.concatenate([p.pixels for p in parts]), np.concatenate([p.faces for p in parts]))


def train(args: argparse.Namespace) -> int:
    """Train the reader for the time given; writes `reader.pt` and `reader.csv` below `args.out / "reader"`."""
    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    folder = args.out / "reader"
    folder.mkdir(parents=True, exist_ok=True)
    net = ReaderNet()
    if args.resume:
        net.load_state_dict(torch.load(args.resume, map_location="cpu", weights_only=True))
    net.to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
    stream = CropStream(
        Recipe(args.seed, "train", 416, INDEX_PX, pack=args.pack, block=STREAM_BLOCK), int(time.time()), args.detector
    )
    least = 2_000 if args.steps else 60_000
    ring = Ring(ring_size(device, 3 * CROP_WH[0] * CROP_WH[1], least), USES, device)
    feed = Feed(stream, ring, 0 if args.steps else args.workers)
    _fit(args, net, feed, validation_crops(5, 20 if args.steps else 160), folder)
    feed.close()
    torch.save(net.state_dict(), folder / "reader.pt")
    plot_run(folder / "reader.csv", "crops", ("loss", "named", "none"), folder / "run.png")
    return 0


def _mean_of_late(old: Tensor, new: Tensor, count: Tensor | int) -> Tensor:
    """Running mean that forgets the first steps soon and then looks back over some 500."""
    count = float(count)
    return old + (new - old) * max(0.002, 9 / (10 + count)) if old.is_floating_point() else new


def _fit(args: argparse.Namespace, net: ReaderNet, feed: Feed, held_out: Crops, folder: Path) -> None:
    device = feed.ring.device
    batch = args.batch or (2048 if device.type == "cuda" else 256)
    top = args.lr or 2e-3
    optimizer = torch.optim.AdamW(net.parameters(), top, weight_decay=1e-2)
    average = AveragedModel(net, avg_fn=_mean_of_late, use_buffers=True)
    started, step, running = time.time(), 0, torch.zeros((), device=device)
    log = (folder / "reader.csv").open("w")
    log.write("steps,crops,fresh,minutes,loss,named,none\n")
    while True:
        share = step / args.steps if args.steps else (time.time() - started) / (args.minutes * 60)
        if share >= 1:
            break
        warm = min(1.0, (step + 1) / 200)
        for group in optimizer.param_groups:
            group["lr"] = warm * (1e-5 + (top - 1e-5) * 0.5 * (1 + math.cos(math.pi * share)))
        crops, faces = feed.draw(batch)
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            loss = loss_of(net, seen(crops), faces)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        average.update_parameters(net)
        step += 1
        running += (loss.detach() - running) * (1.0 if step == 1 else 0.02)
        if step % LOG_STEPS == 0:
            named, none = accuracy(average.module, held_out, device)
            minutes = (time.time() - started) / 60
            line = f"{step},{step * batch},{feed.ring.came},{minutes:.1f},{float(running):.4f},{named:.4f},{none:.4f}"
            print(line, flush=True)
            log.write(line + "\n")
            log.flush()
            torch.save(average.module.state_dict(), folder / "reader.pt")
    net.load_state_dict(average.module.state_dict())
    named, none = accuracy(net, held_out, device)
    print(f"end: {step} steps, loss {float(running):.4f}, unseen decks: named {named:.4f}, none {none:.4f}", flush=True)
    log.close()
