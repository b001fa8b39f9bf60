"""A live reader for tests: the brightness of the frame says what it "sees", so that no network is needed.

Above 150: a run of four lies there; 90 to 150: the same as a squared burraco of seven; below 40: too dark.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from scoring.cards import parse_cards
from scoring.regolamento import Regolamento
from vision.laid import Change, ChangeKind, LaidMeld
from vision.live import LiveState
from vision.quality import PhotoTrouble
from vision.table import MeldSeen, ReadCard, TableReading, quad_of

FOUR, SEVEN = "3♥ 4♥ 5♥ 6♥", "3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥"


class FakeLive:
    """Stands in for `vision.live.LiveTable`."""

    def __init__(self) -> None:
        self._last: tuple[LaidMeld, ...] = ()
        self._number = 1

    def begin(self, regolamento: Regolamento) -> None:
        """Numbers its melds by how often it began, so that a test sees that it did."""
        self._last, self._number = (), self._number + 1

    def see(self, image_rgb: np.ndarray) -> LiveState:
        mean = float(image_rgb.mean())
        size_wh = (image_rgb.shape[1], image_rgb.shape[0])
        if mean < 40:
            return LiveState(self._last, self._reading(size_wh), trouble=PhotoTrouble.TOO_DARK)
        melds = (_meld(SEVEN, True, self._number),) if mean < 150 else (_meld(FOUR, False, self._number),)
        kind = ChangeKind.SQUARED if mean < 150 else ChangeKind.LAID
        changes = (Change(kind, self._number, melds[0].faces),) if melds != self._last else ()
        self._last = melds
        return LiveState(melds, self._reading(size_wh), changes)

    def _reading(self, size_wh: tuple[int, int]) -> TableReading:
        return TableReading(tuple(meld.seen for meld in self._last), size_wh=size_wh)


def _meld(text: str, squared: bool, number: int) -> LaidMeld:
    cards = []
    for place, card in enumerate(parse_cards(text)):
        left, top = 40 + (0 if squared else place * 60), 250
        quad = quad_of([(left, top), (left + 50, top), (left + 50, top + 70), (left, top + 70)])
        cards.append(ReadCard(card, quad, 0.98))
    return LaidMeld(number, MeldSeen(tuple(cards)), squared)


def make(models_dir: Path, regolamento: Regolamento) -> FakeLive:
    """What BURRACO_LIVE_READER=tests.ui.fake_live:make names."""
    return FakeLive()


def make_broken(models_dir: Path, regolamento: Regolamento) -> FakeLive:
    """A reader whose networks are missing."""
    raise FileNotFoundError(models_dir / "index.onnx")


def film(path: Path, levels: tuple[int, ...] = (200,), seconds: float = 60.0, fps: int = 10) -> Path:
    """A video of plain grey frames, each level for an equal part of its time."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (640, 360))
    for level in levels:
        for _ in range(int(seconds * fps / len(levels))):
            writer.write(np.full((360, 640, 3), level, np.uint8))
    writer.release()
    return path
