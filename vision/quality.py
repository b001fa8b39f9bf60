"""Why a photo is hard to read, so that a person can be told what to do: too dark, out of focus, too far, cut off."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from statistics import median
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.border import cut_off

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.photo import Photo
    from vision.table import Quad, TableReading

LONG_SIDE_PX: Final = 1000
EDGES_PERCENTILE: Final = 98
TOO_DARK_BELOW: Final = 60.0
"""Light of the bright tenth of a photo, 0 to 255; on 39 photos of other people's tables it is 165 or more."""
BLURRED_BELOW: Final = 0.15
"""Sharpness; on the same photos 0.26 or more, and 0.10 or less once they are blurred by 3 px in 1000."""
INDEX_SHARE: Final = 0.2
"""Height of an index (rank and suit) as a part of the card's height: within a fifth of what the detector measures."""
NEEDED_PX: Final = 16


class PhotoTrouble(StrEnum):
    """What makes a photo hard to read; `ui.i18n` has the sentences."""

    TOO_DARK = "too_dark"
    BLURRED = "blurred"
    TOO_FAR = "too_far"
    NO_CARDS = "no_cards"
    CUT_OFF = "cut_off"


@dataclass(frozen=True, slots=True)
class Advice:
    """One trouble; for TOO_FAR how high the indices are and should be, in pixels of the original, for CUT_OFF how many
    cards the border cuts."""

    trouble: PhotoTrouble
    seen_px: int = 0
    needed_px: int = 0
    cut: int = 0

    @property
    def numbers(self) -> dict[str, int]:
        """What its sentence names."""
        if self.trouble is PhotoTrouble.TOO_FAR:
            return {"seen": self.seen_px, "needed": self.needed_px}
        return {"count": self.cut} if self.cut else {}


def advice(photo: Photo, reading: TableReading) -> Advice | None:
    """What to tell the person who took a photo; None where there is nothing to mend.

    Light and focus are only blamed where no card was read: a dark photo that was read is good enough.
    """
    if not reading.cards:
        grey = _grey(photo.image_rgb)
        if light(grey) < TOO_DARK_BELOW:
            return Advice(PhotoTrouble.TOO_DARK)
        return Advice(PhotoTrouble.BLURRED if sharpness(grey) < BLURRED_BELOW else PhotoTrouble.NO_CARDS)
    height_px = index_height_px(reading)
    if height_px < NEEDED_PX:
        return Advice(PhotoTrouble.TOO_FAR, round(height_px), NEEDED_PX)
    cut = sum(cut_off(card.quad, reading.size_wh) for card in reading.cards)
    return Advice(PhotoTrouble.CUT_OFF, cut=cut) if cut else None


def light(grey: NDArray[np.float32]) -> float:
    """How bright the bright tenth of a picture is, 0 to 255: white cards on a dark cloth are bright enough."""
    return float(np.percentile(grey, 90))


def sharpness(grey: NDArray[np.float32]) -> float:
    """Second derivative against first on the strongest edges: how abruptly they begin, whatever the contrast.

    1.0 where there is no edge at all: a bare table is not out of focus.
    """
    slope = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    strong = slope >= max(float(np.percentile(slope, EDGES_PERCENTILE)), 1.0)
    if not strong.any():
        return 1.0
    bend = np.abs(cv2.Laplacian(grey, cv2.CV_32F))
    return float(4 * bend[strong].mean() / slope[strong].mean())


def index_height_px(reading: TableReading) -> float:
    """How high the indices of a reading's cards are in the middle, in pixels of the original photo."""
    return INDEX_SHARE * median(_height_px(card.quad) for card in reading.cards)


def _height_px(quad: Quad) -> float:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    return (float(np.hypot(dx - ax, dy - ay)) + float(np.hypot(cx - bx, cy - by))) / 2


def _grey(image_rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    grey: NDArray[np.uint8] = cv2.cvtColor(image_rgb, cv2.COLOR_RGB2GRAY).astype(np.uint8)
    factor = LONG_SIDE_PX / max(grey.shape)
    if factor < 1:
        grey = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA).astype(np.uint8)
    return grey.astype(np.float32)
