"""A table seen by a camera while people play: frames in, the laid melds and what changed out."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.detector import index_sizes
from vision.laid import Change, LaidMelds
from vision.layout import group_cards
from vision.line import cards_of
from vision.quality import BLURRED_BELOW, LONG_SIDE_PX, NEEDED_PX, TOO_DARK_BELOW, PhotoTrouble, light, sharpness
from vision.table import TableReading, quad_of
from vision.tiling import INDEX_HEIGHT_SHARE, TilingTuning
from vision.tracking import Tracker
from vision.veiling import in_sight

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoring.regolamento import Regolamento
    from vision.detector import Detections
    from vision.following import Pose
    from vision.laid import LaidMeld
    from vision.layout import Group
    from vision.line import TableReader
    from vision.reader import Readings
    from vision.table import Quad

    Image = NDArray[np.uint8]

QUIET_WH: Final = (96, 54)
QUIET_LEVELS: Final = 7.0
"""Grey levels that a cell of the shrunk frame must change by before it is read again: noise stays far below."""
SCALE_STEP: Final = 1.12
CALM_FRAMES: Final = 30
"""Frames of an unchanged picture that are read at most: a table that is cleared at once is believed after some twenty,
and what these leave in doubt, further ones do not tell either."""


@dataclass(frozen=True, slots=True)
class LiveState:
    """The table after a frame: melds in pixels of that frame, what changed, what is wrong with the picture.

    `shown` are the laid cards that nothing covers, `others` what else lies or is held there: see `vision.veiling`.
    """

    melds: tuple[LaidMeld, ...]
    reading: TableReading
    changes: tuple[Change, ...] = ()
    trouble: PhotoTrouble | None = None
    shown: tuple[Quad, ...] = ()
    others: tuple[Quad, ...] = ()
    read: bool = True
    seconds: float = 0.0


class LiveTable:
    """Reads one frame after the other; a frame that shows nothing new costs almost nothing."""

    def __init__(self, reader: TableReader, regolamento: Regolamento) -> None:
        self._reader = reader
        self.begin(regolamento)

    def begin(self, regolamento: Regolamento) -> None:
        """Forget the table: another smazzata begins, by these rules."""
        self._tracker, self._laid = Tracker(), LaidMelds(regolamento)
        self._tiling: TilingTuning | None = None
        self._quiet: NDArray[np.float32] | None = None
        self._look = self._calm = 0
        self._groups: tuple[object, list[Group]] = (None, [])
        self._trouble: PhotoTrouble | None = None

    def see(self, image_rgb: Image) -> LiveState:
        """Take in the newest frame, (H, W, 3) uint8 RGB."""
        started = time.perf_counter()
        shrunk = cv2.resize(cv2.cvtColor(image_rgb, cv2.COLOR_RGB2GRAY), QUIET_WH, interpolation=cv2.INTER_AREA)
        small = shrunk.astype(np.float32)
        changed = self._quiet is None or float(np.abs(small - self._quiet).max()) > QUIET_LEVELS
        self._calm = 0 if changed else self._calm + 1
        if not changed and (self._calm > CALM_FRAMES or not self._busy):
            return self._state(image_rgb, (), read=False, seconds=time.perf_counter() - started)
        self._quiet = small
        self._trouble = _trouble(image_rgb)
        changes: tuple[Change, ...] = ()
        if self._trouble is None:
            changes = self._read(image_rgb)
        return self._state(image_rgb, changes, read=True, seconds=time.perf_counter() - started)

    @property
    def _busy(self) -> bool:
        """Whether more frames of the same would tell more."""
        unsure = any(track.looks < 3 for track in self._tracker.kept)
        tracker = self._tracker
        return unsure or tracker.unsettled or tracker.covered or tracker.lost or self._laid.waiting

    def _read(self, image_rgb: Image) -> tuple[Change, ...]:
        found = self._reader.find(image_rgb, self._tiling)
        self._look += 1

        def name(indices: Detections) -> Readings:
            return self._reader.name(image_rgb, indices, self._look)

        self._tracker.see(image_rgb, found, name)
        if self._tracker.lost:
            return ()
        if self._tracker.upset:  # another table perhaps
            self._tiling = None
            self._laid.doubt()
        indices, readings = self._tracker.indices()
        self._retune(indices, max(image_rgb.shape[:2]))
        if len(indices) and self._height(indices) < NEEDED_PX:
            self._trouble = PhotoTrouble.TOO_FAR
        key = [(track.number, track.hits // 10, int(track.log_probs.argmax())) for track in self._tracker.kept]
        if self._groups[0] != key:
            self._groups = (key, group_cards(cards_of(indices, readings)))
        covered = [row for row, track in enumerate(self._tracker.kept) if track.covered]
        return self._laid.see(self._groups[1], self._border(image_rgb), self._tracker.unsettled, covered)

    def _height(self, indices: Detections) -> float:
        """Height of the usual index in the frame, pixels."""
        return float(np.median(index_sizes(indices))) * INDEX_HEIGHT_SHARE / self._tracker.pose.scale

    def _retune(self, indices: Detections, long_side_px: int) -> None:
        """One look at the right scale, once the size of the cards is known; the search for it costs three."""
        if not len(indices):
            self._tiling = None
            return
        usual = TilingTuning()
        side = long_side_px * min(usual.ideal_height_px / self._height(indices), usual.largest_zoom)
        now = self._tiling.coarse_sides_px[0] if self._tiling else 0
        if not now or not 1 / SCALE_STEP < side / now < SCALE_STEP:
            whole = side * side * 9 / 16 <= usual.whole_pixels
            self._tiling = replace(usual, coarse_sides_px=(round(side),)) if whole else None

    def _border(self, image_rgb: Image) -> NDArray[np.float64]:
        """The corners of the frame on the table (4, 2)."""
        height, width = image_rgb.shape[:2]
        return self._tracker.pose.to_table(np.array([[0, 0], [width, 0], [width, height], [0, height]], float))

    def _state(self, image_rgb: Image, changes: tuple[Change, ...], read: bool, seconds: float) -> LiveState:
        melds = tuple(_in_frame(meld, self._tracker.pose) for meld in self._laid.melds)
        size_wh = (int(image_rgb.shape[1]), int(image_rgb.shape[0]))
        reading = TableReading(tuple(meld.seen for meld in melds), size_wh=size_wh)
        shown: tuple[Quad, ...] = ()
        others: tuple[Quad, ...] = ()
        if self._trouble in (None, PhotoTrouble.TOO_FAR) and not self._tracker.lost:
            shown, others = in_sight(self._laid.melds, self._tracker.tracks, self._tracker.pose)
        return LiveState(melds, reading, changes, self._trouble, shown, others, read, seconds)


def _in_frame(meld: LaidMeld, pose: Pose) -> LaidMeld:
    cards = tuple(replace(card, quad=quad_of(pose.to_frame(np.array(card.quad)))) for card in meld.seen.cards)
    return replace(meld, seen=replace(meld.seen, cards=cards))


def _trouble(image_rgb: Image) -> PhotoTrouble | None:
    """What makes a frame not worth reading."""
    grey = cv2.cvtColor(image_rgb, cv2.COLOR_RGB2GRAY)
    factor = LONG_SIDE_PX / max(grey.shape)
    if factor < 1:
        grey = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    values = grey.astype(np.float32)
    if light(values) < TOO_DARK_BELOW:
        return PhotoTrouble.TOO_DARK
    return PhotoTrouble.BLURRED if sharpness(values) < BLURRED_BELOW else None
