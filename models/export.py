"""`burraco export`: turns trained weights into the ONNX files that the run time reads, each with its description."""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
from pathlib import Path
from typing import Any

MODELS_DIR = Path(__file__).parent
OPSET = 17
LICENCE = "AGPL-3.0-only"
PLACES = frozenset({"data", "project", "save_dir", "model", "name", "pretrained", "resume"})


def sha256_of(path: Path) -> str:
    """Checksum of a file as hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def export_detector(weights: Path, out: Path, recipe: str) -> Path:
    """Write `index.onnx` (any height and width in multiples of 32), `index.pt` and `index.json` below `out`."""
    from models.train import quiet_environment

    quiet_environment()
    from ultralytics import YOLO

    from models.train_detector import INDEX_PX

    out.mkdir(parents=True, exist_ok=True)
    checkpoint = out / "index.pt"
    if weights.resolve() != checkpoint.resolve():
        shutil.copyfile(weights, checkpoint)
    model = YOLO(str(checkpoint), task="pose")
    written = Path(model.export(format="onnx", dynamic=True, imgsz=640, opset=OPSET, simplify=True, nms=False))
    target = out / "index.onnx"
    if written.resolve() != target.resolve():
        written.replace(target)
    _forget_places(checkpoint, target)
    facts = {
        "task": "where: corner indices and backs, with the card's corners in the index's own frame",
        "classes": ["index", "back"],
        "keypoints": ["top-left", "top-right", "bottom-right", "bottom-left"],
        "output": "(1, 4 + classes + 4 * 3, anchors): cx cy w h, scores 0..1, x y visibility a corner, input pixels",
        "input": "images (1, 3, H, W) float32 0..1 RGB, H and W multiples of 32",
        "index_height_px": list(INDEX_PX),
    }
    _describe(target, facts, recipe)
    return target


def _forget_places(checkpoint: Path, onnx_file: Path) -> None:
    """Take out of both files where on which machine they were made; Ultralytics writes it into them."""
    import onnx
    import torch

    kept = torch.load(checkpoint, map_location="cpu", weights_only=False)
    model = kept["model"]
    model.args = {k: v for k, v in dict(model.args).items() if k not in PLACES}
    for name in ("pt_path", "yaml_file"):
        if hasattr(model, name):
            delattr(model, name)
    kept["train_args"] = {k: v for k, v in kept.get("train_args", {}).items() if k not in PLACES}
    kept["git"] = None
    torch.save(kept, checkpoint)
    graph = onnx.load(str(onnx_file))
    facts = [p for p in graph.metadata_props if p.key in ("names", "stride", "task", "kpt_shape", "imgsz", "version")]
    del graph.metadata_props[:]
    graph.metadata_props.extend(facts)
    graph.doc_string = ""
    onnx.save(graph, str(onnx_file))


def export_reader(weights: Path, out: Path, recipe: str) -> Path:
    """Write `reader.onnx` (any number of crops), `reader.pt` and `reader.json` below `out`."""
    import torch

    from models.reader_net import EMBEDDING, ReaderNet
    from scoring.cards import FACES
    from vision.crops import CROP_WH

    out.mkdir(parents=True, exist_ok=True)
    net = ReaderNet()
    net.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True))
    net.eval()
    checkpoint, target = out / "reader.pt", out / "reader.onnx"
    if weights.resolve() != checkpoint.resolve():
        shutil.copyfile(weights, checkpoint)
    torch.onnx.export(
        net, (torch.rand(2, 3, CROP_WH[1], CROP_WH[0]),), str(target), opset_version=OPSET, dynamo=False,
        input_names=["crops"], output_names=["log_probs", "embedding"],
        dynamic_axes={name: {0: "crops"} for name in ("crops", "log_probs", "embedding")},
    )  # fmt: skip
    facts = {
        "task": "what: the card that an upright index crop shows",
        "answers": [str(face) for face in FACES] + ["none"],
        "input": f"crops (N, 3, {CROP_WH[1]}, {CROP_WH[0]}) float32 0..1 RGB, cut by vision.crops",
        "output": f"log_probs (N, {len(FACES) + 1}), embedding (N, {EMBEDDING}) of length 1",
    }
    _describe(target, facts, recipe)
    return target


def _describe(onnx: Path, facts: dict[str, Any], recipe: str) -> None:
    card = {**facts, "data": recipe, "sha256": sha256_of(onnx), "licence": LICENCE}
    onnx.with_suffix(".json").write_text(json.dumps(card, indent=1, ensure_ascii=False) + "\n")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `burraco export`."""
    parser.add_argument("what", choices=("detector", "reader"))
    parser.add_argument("weights", type=Path, help="the .pt file that training wrote")
    parser.add_argument("--out", type=Path, default=MODELS_DIR, help="folder for .onnx, .json and .pt")
    parser.add_argument("--recipe", default="", help="one line for the description: data, passes, time")


def run(args: argparse.Namespace) -> int:
    """Export what was asked for; returns the exit code."""
    export = export_detector if args.what == "detector" else export_reader
    print(export(args.weights, args.out, args.recipe))
    return 0


if __name__ == "__main__":
    own = argparse.ArgumentParser(description=__doc__)
    add_arguments(own)
    sys.exit(run(own.parse_args()))
