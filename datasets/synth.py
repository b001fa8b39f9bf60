"""`burraco synth`: renders a seeded set of labelled pictures, the same for the same seed and fonts."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks import Deck, make_deck
from datasets.fonts import Split
from datasets.free_decks import load_pack, vary
from datasets.scene import Scene, Studio, random_scene
from datasets.two_packs import two_pack_scene
from datasets.whole_tables import agenda, whole_table
from datasets.yolo import contact_sheet, data_yaml, label_lines, shrunk, table_entry

BLOCK = 96  # pictures that share a studio: few decks at a time keep memory small, many blocks make many decks
STREAM_BLOCK = 32  # in training, where a picture costs more to learn than to draw: three times the decks
DECKS_PER_BLOCK, TOPS_PER_BLOCK = 3, 6
SHEET, SHEET_PX = 16, 2000  # larger pictures are shown smaller there
FREE_SHARE = 0.35  # of the decks where a pack of free ones is given


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that fixes a set: seed, split, picture size (px) and bounds of the index height (px)."""

    seed: int
    split: Split
    size_px: int
    index_px: tuple[float, float]
    kind: str = "tiles"
    pack: Path | None = None
    """Free decks that `datasets.free_decks` wrote, drawn with beside our own."""
    block: int = BLOCK


def scenes(recipe: Recipe, *lane: int) -> Iterator[Scene]:
    """Scenes without end, the same for the same recipe and lane: sets are written and networks trained from these.

    Every `recipe.block` of them have their own decks and table tops.
    """
    rng = np.random.default_rng([recipe.seed, 0 if recipe.split == "train" else 1, *lane])
    whole = recipe.kind != "tiles"  # such a table makes its own deck
    free = load_pack(recipe.pack) if recipe.pack else ()
    while True:
        decks = [] if whole else [_some_deck(rng, recipe.split, free) for _ in range(DECKS_PER_BLOCK)]
        studio = Studio.make(rng, decks, recipe.split, TOPS_PER_BLOCK)
        if recipe.kind == "tables":
            for wanted in agenda(rng, recipe.block, recipe.index_px):
                yield whole_table(rng, studio, wanted, free, recipe.size_px)
            continue
        for number in range(recipe.block):
            if whole:
                yield two_pack_scene(rng, studio, recipe.split, recipe.size_px, four_indices=number % 2 == 1)
            else:
                yield random_scene(rng, studio, recipe.size_px, recipe.index_px)


def _some_deck(rng: np.random.Generator, split: Split, free: Sequence[Deck]) -> Deck:
    if free and rng.random() < FREE_SHARE:
        return vary(free[int(rng.integers(len(free)))], rng)
    return make_deck(int(rng.integers(2**31)), split)


def block_scenes(recipe: Recipe, block: int, count: int) -> Iterator[Scene]:
    """The scenes of one block; each has a lane of its own, so that blocks can be rendered side by side."""
    return islice(scenes(recipe, block), count)


def _write_block(recipe: Recipe, block: int, count: int, out: Path, keep_tables: bool) -> dict[str, Any]:
    cv2.setNumThreads(1)
    tables: dict[str, Any] = {}
    sheet: list[Scene] = []
    for i, scene in enumerate(block_scenes(recipe, block, count)):
        name = f"{block * BLOCK + i:06d}"
        _write_scene(out / "images" / f"{name}.jpg", scene)
        (out / "labels" / f"{name}.txt").write_text("\n".join(label_lines(scene)) + "\n")
        if keep_tables:
            tables[f"images/{name}.jpg"] = table_entry(scene)
        if block == 0 and i < SHEET:
            sheet.append(shrunk(scene, SHEET_PX))
    if sheet:
        _write_picture(out / "contact.jpg", contact_sheet(sheet), quality=95)
    return tables


def _write_scene(path: Path, scene: Scene) -> None:
    """A camera's own JPEG is the picture already: packing it again would cost time and quality."""
    if scene.jpeg is None:
        _write_picture(path, scene.image, quality=92)
    else:
        path.write_bytes(scene.jpeg.tobytes())


def _write_picture(path: Path, image: NDArray[np.uint8], quality: int) -> None:
    cv2.imwrite(str(path), cv2.cvtColor(image, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, quality])


def write_set(recipe: Recipe, count: int, out: Path, workers: int, keep_tables: bool) -> None:
    """Render `count` pictures below `out` (images/, labels/, data.yaml, contact.jpg, and labels.json when asked)."""
    for folder in ("images", "labels"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    (out / "data.yaml").write_text(data_yaml(out.resolve()))
    jobs = [(b, min(BLOCK, count - b * BLOCK)) for b in range(-(-count // BLOCK))]
    tables: dict[str, Any] = {}
    started, done = time.perf_counter(), 0
    # A forked child would wait for ever on the threads that OpenCV started in its parent.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(_write_block, recipe, b, n, out, keep_tables) for b, n in jobs]
        for (_, n), future in zip(jobs, futures, strict=True):
            tables |= future.result()
            done += n
            rate = done / (time.perf_counter() - started)
            bar = "#" * (30 * done // count)
            print(f"\r[{bar:<30}] {done}/{count}  {rate:.1f}/s", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    if keep_tables:
        (out / "labels.json").write_text(json.dumps(tables, ensure_ascii=False))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `burraco synth`."""
    parser.add_argument("--out", type=Path, required=True, help="folder for images/, labels/, data.yaml, contact.jpg")
    parser.add_argument("--count", type=int, default=1000, help="number of pictures")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--split", choices=("train", "val"), default="train", help="val uses fonts and decks kept from training"
    )
    parser.add_argument("--size", type=int, default=640, help="side of the square pictures, pixels")
    parser.add_argument(
        "--index-px", type=float, nargs=2, default=(14.0, 60.0), help="bounds of the index height, pixels"
    )
    parser.add_argument(
        "--kind", choices=("tiles", "two-packs", "tables"), default="tiles",
        help="two-packs: whole tables, 4:3, --size wide; tables: those as a phone sees them, half of them of --pack",
    )  # fmt: skip
    parser.add_argument("--pack", type=Path, help="free decks to draw with too (from `python -m datasets.free_decks`)")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--tables", action="store_true", help="also write labels.json as `burraco eval` reads it")


def run(args: argparse.Namespace) -> int:
    """Render the set that the options describe; returns the exit code."""
    recipe = Recipe(args.seed, args.split, args.size, (args.index_px[0], args.index_px[1]), args.kind, args.pack)
    write_set(recipe, args.count, args.out, args.workers, args.tables)
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    sys.exit(run(parser.parse_args()))
