"""A few pictures, one step, export, and the exported file read by the run time (needs the train extra)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.train_smoke


def command(module: str, *args: str | Path) -> None:
    done = subprocess.run([sys.executable, "-m", module, *map(str, args)], capture_output=True, text=True, timeout=540)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]


def test_detector_trains_exports_and_is_read(tmp_path: Path) -> None:
    pytest.importorskip("ultralytics")
    from vision.detector import OnnxDetector, UltralyticsDetector

    trial = ("--out", tmp_path, "--steps", "1", "--size", "160", "--batch", "2", "--workers", "0")
    command("models.train", "detector", *trial)
    command("models.export", "detector", tmp_path / "detector/weights/last.pt", "--out", tmp_path / "made")
    picture = np.random.default_rng(0).integers(0, 255, (200, 330, 3), np.uint8)
    by_onnx = OnnxDetector(tmp_path / "made/index.onnx", min_score=0.0).detect(picture)
    by_torch = UltralyticsDetector(tmp_path / "made/index.pt", min_score=1e-6).detect(picture)
    assert len(by_onnx) > 0 and len(by_torch) > 0
    best = by_onnx.scores.argmax()
    assert abs(by_onnx.scores[best] - by_torch.scores.max()) < 0.02


def test_reader_trains_exports_and_is_read(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from vision.crops import CROP_WH
    from vision.reader import OnnxReader

    command("models.train", "reader", "--out", tmp_path, "--steps", "1", "--batch", "16")
    command("models.export", "reader", tmp_path / "reader/reader.pt", "--out", tmp_path / "made")
    read = OnnxReader(tmp_path / "made/reader.onnx").read(np.zeros((3, CROP_WH[1], CROP_WH[0], 3), np.uint8))
    assert read.log_probs.shape == (3, 54) and read.embeddings.shape == (3, 64)
    np.testing.assert_allclose(np.exp(read.log_probs).sum(1), 1, atol=1e-4)
    np.testing.assert_allclose(np.linalg.norm(read.embeddings, axis=1), 1, atol=1e-4)
