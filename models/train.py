"""`burraco train detector|reader`: trains one of the two networks on pictures rendered as it goes."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path


def quiet_environment() -> None:
    """Keep Ultralytics from the network; must run before it is imported."""
    os.environ.setdefault("YOLO_OFFLINE", "true")
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")


ALLOCATOR = {"MALLOC_MMAP_THRESHOLD_": "4000000000", "MALLOC_TRIM_THRESHOLD_": "20000000000"}


def _restart() -> None:
    """Start the same command again with the allocator settings that glibc reads only at its start (+25 % on a CPU)."""
    if sys.platform == "linux" and any(os.environ.get(k) != v for k, v in ALLOCATOR.items()):
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], {**os.environ, **ALLOCATOR})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `burraco train`."""
    parser.add_argument("what", choices=("detector", "reader"))
    parser.add_argument("--out", type=Path, default=Path("runs"), help="folder for checkpoints, log and plot")
    parser.add_argument(
        "--minutes", type=float, default=60.0, help="how long to train; the learning rate falls to that end"
    )
    parser.add_argument("--resume", type=Path, help="checkpoint to go on from: same weights, new pictures")
    parser.add_argument("--size", type=int, default=416, help="side of the detector's pictures, pixels")
    parser.add_argument("--batch", type=int, help="pictures or crops a step")
    parser.add_argument("--steps", type=int, help="stop after so many steps (for a trial)")
    parser.add_argument("--lr", type=float, help="highest learning rate")
    parser.add_argument("--workers", type=int, default=1, help="processes that render")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pack", type=Path, help="free decks to draw with too (from `python -m datasets.free_decks`)")
    parser.add_argument(
        "--detector", type=Path, help="reader: weights of the detector whose own cuts it shall learn from"
    )


def run(args: argparse.Namespace) -> int:
    """Train what was asked for; returns the exit code."""
    quiet_environment()
    _restart()
    if args.what == "detector":
        from models.train_detector import train
    else:
        from models.train_reader import train
    return train(args)


if __name__ == "__main__":
    own = argparse.ArgumentParser(description=__doc__)
    add_arguments(own)
    sys.exit(run(own.parse_args()))
