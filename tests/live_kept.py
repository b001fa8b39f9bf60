"""Frames and what the networks said of them, kept in a folder: a game is drawn and read once, then followed in seconds.

What is kept is what a frame gives whatever came before it, so that changes of the following see the same frames. Other
weights or another recipe of games want another folder.
"""

from __future__ import annotations

import pickle
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.games import Game
from vision.crops import VIEWS
from vision.detector import Detections
from vision.line import TableReader
from vision.reader import ANSWERS, Readings
from vision.tiling import TilingTuning

Image = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class KeptFrames:
    """The frames of a game, as JPEG files of a folder."""

    game: Game
    folder: Path

    def frame(self, now_s: float) -> Image:
        """What `Game.frame` draws."""
        path = self.folder / f"{round(now_s * 1000):07d}.jpg"
        if not path.is_file():
            self.folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.game.packed(now_s))
        return np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR_RGB), np.uint8)


class KeptReader(TableReader):
    """A reader that remembers its answers; `save` writes them."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._said: dict[Any, Any] = pickle.loads(path.read_bytes()) if path.is_file() else {}
        self._before = len(self._said)

    def find(self, image_rgb: Image, tiling: TilingTuning | None = None) -> Detections:
        """As the networks do."""
        key = (zlib.crc32(image_rgb), tiling.coarse_sides_px if tiling else None)
        if key not in self._said:
            self._said[key] = super().find(image_rgb, tiling)
        found = self._said[key]
        assert isinstance(found, Detections)
        return found

    def name(self, image_rgb: Image, indices: Detections, look: int = 0) -> Readings:
        """As the networks do, each index on its own."""
        frame = (zlib.crc32(image_rgb), look % len(VIEWS))
        keys = [(*frame, box.tobytes()) for box in indices.boxes_xyxy]
        new = np.array([row for row, key in enumerate(keys) if key not in self._said], np.int64)
        if len(new):
            said = super().name(image_rgb, indices[new], look).log_probs
            self._said.update({keys[row]: one for row, one in zip(new.tolist(), said, strict=True)})
        log_probs = np.array([self._said[key] for key in keys], np.float32).reshape(len(keys), ANSWERS)
        return Readings(log_probs, np.zeros((len(keys), 0), np.float32))

    def save(self) -> None:
        """Write what has been learnt since the last time."""
        if len(self._said) > self._before:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_bytes(pickle.dumps(self._said))
            self._before = len(self._said)
