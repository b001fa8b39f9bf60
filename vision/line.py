"""The whole line in one call: photo in, table reading out, timed by stage."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.cards import SeenCard, is_print, merge_indices
from vision.corners import with_free_corners
from vision.covered import towards_cover
from vision.crops import VIEWS, index_crops, viewed
from vision.detector import Detections, Detector, Kind, OnnxDetector, UltralyticsDetector
from vision.layout import Group, Role, group_cards
from vision.reader import OnnxReader, Reader, Readings, together
from vision.reading import TableReading, read_table
from vision.straighten import straightened
from vision.table import quad_of
from vision.tiling import TilingTuning, detect_photo
from vision.unread import with_unread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from scoring.regolamento import Regolamento
    from vision.photo import Photo

    Cropper = Callable[[NDArray[Any], NDArray[Any], NDArray[Any]], NDArray[np.uint8]]

MODELS_DIR = Path(__file__).resolve().parent.parent / "models"
SURE = 0.97  # share of the best answer from which one look at an index is enough


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What the networks and the geometry say of one photo, before any rule: in pixels of its decoded image."""

    detections: Detections
    readings: Readings
    groups: tuple[Group, ...]
    seconds: tuple[tuple[str, float], ...]

    @property
    def cards(self) -> tuple[SeenCard, ...]:
        """All cards of the groups, as they lie there."""
        return tuple(card for group in self.groups for card in group.cards)


class TableReader:
    """Holds the networks; reads photos one after the other. Not for several threads at once."""

    def __init__(
        self,
        models_dir: Path = MODELS_DIR,
        *,
        detector: Detector | None = None,
        reader: Reader | None = None,
        cropper: Cropper | None = None,
        tiling: TilingTuning | None = None,
    ) -> None:
        """Load `index.onnx` and `reader.onnx` from `models_dir`, except what is given. Raises DetectorError."""
        self._detector = detector or OnnxDetector(models_dir / "index.onnx")
        self._reader = reader or OnnxReader(models_dir / "reader.onnx")
        self._cropper = cropper or index_crops
        self._views = VIEWS if cropper is None else VIEWS[:1]
        self._tiling = tiling

    @classmethod
    def with_ultralytics(cls, weights: Path, models_dir: Path = MODELS_DIR) -> TableReader:
        """The same line with the `.pt` checkpoint as detector (train extra)."""
        return cls(models_dir, detector=UltralyticsDetector(weights))

    def read(self, photo: Photo, regolamento: Regolamento, rules: bool = True) -> TableReading:
        """The table on a photo; positions in pixels of the original. `rules=False`: every card's best answer."""
        return self.interpret(self.see(photo), photo, regolamento, rules)

    def see(self, photo: Photo) -> Sight:
        """Everything up to the rules."""
        clock = _Clock()
        with clock.stage("detect"):
            detections = self.find(photo.image_rgb)
        with clock.stage("read"):
            indices = detections[np.flatnonzero(detections.classes == Kind.INDEX)]
            readings = self._readings(photo.image_rgb, indices)
        with clock.stage("cards"):
            cards = cards_of(indices, readings, photo.image_rgb)
        with clock.stage("layout"):
            groups = [group for group in group_cards(cards) if group.role is Role.MELD or not is_print(group.cards[0])]
            groups = with_unread(groups, indices, readings)
        return Sight(detections, readings, tuple(groups), tuple(clock.seconds))

    def find(self, image_rgb: NDArray[np.uint8], tiling: TilingTuning | None = None) -> Detections:
        """Where the indices and backs of an RGB picture are; `tiling` for one picture only."""
        return straightened(detect_photo(self._detector, image_rgb, tiling or self._tiling))

    def name(self, image_rgb: NDArray[np.uint8], indices: Detections, look: int = 0) -> Readings:
        """One look at each index: frames of a film take another each (`look`), and are read together afterwards."""
        boxes, corners = viewed(indices.boxes_xyxy, indices.corners, self._views[look % len(self._views)])
        return self._reader.read(self._cropper(image_rgb, boxes, corners))

    def _readings(self, image_rgb: NDArray[np.uint8], indices: Detections) -> Readings:
        """Every index read once, and those of which that leaves a doubt from the other views too."""
        first = self.name(image_rgb, indices)
        doubtful = np.flatnonzero(first.log_probs.max(axis=1) < np.log(SURE))
        others = range(1, len(self._views)) if len(doubtful) else ()
        looks = [self.name(image_rgb, indices[doubtful], look) for look in others]
        return first.replaced(doubtful, together([first[doubtful], *looks])) if looks else first

    def interpret(self, sight: Sight, photo: Photo, regolamento: Regolamento, rules: bool = True) -> TableReading:
        """The reading of what was seen, under the rules."""
        clock = _Clock()
        with clock.stage("rules"):
            reading = read_table(sight.groups, regolamento, rules=rules)
        backs = sight.detections.corners[sight.detections.classes == Kind.BACK]
        reading = replace(reading, backs=tuple(quad_of(corners) for corners in backs))
        reading = _in_original(reading, 1 / photo.scale)
        return replace(reading, size_wh=photo.size_wh, seconds=(*sight.seconds, *clock.seconds))


def cards_of(indices: Detections, readings: Readings, image_rgb: NDArray[np.uint8] | None = None) -> list[SeenCard]:
    """The physical cards behind the indices of one table, each laid as its neighbours and the picture tell.

    `image_rgb` is None where the indices do not lie in one picture, as those kept over many frames.
    """
    return towards_cover(with_free_corners(merge_indices(indices, readings)), image_rgb)


class _Clock:
    def __init__(self) -> None:
        self.seconds: list[tuple[str, float]] = []

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.seconds.append((name, time.perf_counter() - start))


def _in_original(reading: TableReading, factor: float) -> TableReading:
    """The reading with all quads multiplied, for photos decoded at a smaller scale."""
    if abs(factor - 1) < 1e-6:
        return reading

    def grown(quad: Any) -> Any:
        return quad_of([(x * factor, y * factor) for x, y in quad])

    melds = tuple(
        replace(meld, cards=tuple(replace(card, quad=grown(card.quad)) for card in meld.cards))
        for meld in reading.melds
    )
    loose = tuple(replace(card, quad=grown(card.quad)) for card in reading.loose)
    doubts = tuple(replace(doubt, quad=grown(doubt.quad)) if doubt.quad else doubt for doubt in reading.doubts)
    backs = tuple(grown(quad) for quad in reading.backs)
    return replace(reading, melds=melds, loose=loose, doubts=doubts, backs=backs)
