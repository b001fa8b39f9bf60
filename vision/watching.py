"""From a camera to what is told and shown: one step a frame, and nothing of what players hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import cv2
import numpy as np

from scoring.meld import read_meld
from vision.annotate import annotate
from vision.camera_source import CameraTrouble
from vision.doubts import find_doubts
from vision.reading import ReadingTuning
from vision.veiling import veiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoring.regolamento import Regolamento
    from vision.camera import Camera, Frame
    from vision.laid import Change
    from vision.live import LiveState
    from vision.table import TableReading

    Image = NDArray[np.uint8]


class Watcher(Protocol):
    """Takes one frame after the other; `vision.live.LiveTable` is one, tests have a fake."""

    def see(self, image_rgb: Image) -> LiveState:
        """The table after this frame."""

    def begin(self, regolamento: Regolamento) -> None:
        """Forget the table: another smazzata begins, by these rules."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """One step: the frame and the table after it, or why there is no frame."""

    frame: Frame | None
    image_rgb: Image | None
    state: LiveState | None
    camera: CameraTrouble | None


def watch(camera: Camera, table: Watcher, go_on: Callable[[], bool], patience_s: float = 1.0) -> Iterator[Seen]:
    """Always the newest frame, until a film has ended or `go_on` says no."""
    number = 0
    while go_on():
        frame = camera.newest(number, patience_s)
        if frame is None:
            yield Seen(None, None, None, camera.trouble)
            if camera.trouble in (CameraTrouble.ENDED, CameraTrouble.NO_FILE):
                return
            continue
        number = frame.number
        image_rgb = np.asarray(cv2.cvtColor(frame.image_bgr, cv2.COLOR_BGR2RGB), np.uint8)
        yield Seen(frame, image_rgb, table.see(image_rgb), None)


def shown_jpeg(image_rgb: Image, state: LiveState, longest_px: int = 1280, quality: int = 75) -> bytes:
    """What the page shows: the veiled picture with its melds outlined."""
    return jpeg(annotate(veiled(image_rgb, state.shown, state.others), state.reading, longest_px), quality)


def frozen(image_rgb: Image, state: LiveState, regolamento: Regolamento) -> tuple[bytes, TableReading]:
    """The veiled picture in full size as JPEG, and the reading with what is worth asking about it."""
    doubts = find_doubts(state.reading, (), (), regolamento, ReadingTuning().ask_above)
    return jpeg(veiled(image_rgb, state.shown, state.others), 92), replace(state.reading, doubts=doubts)


def jpeg(image_rgb: Image, quality: int) -> bytes:
    """The bytes of a JPEG file."""
    bgr = cv2.cvtColor(image_rgb, cv2.COLOR_RGB2BGR)
    return bytes(cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes())


def total_points(state: LiveState, regolamento: Regolamento) -> int:
    """What all laid melds count together, with their bonuses."""
    values = [read_meld(meld.faces, regolamento) for meld in state.melds]
    return sum(value.points for value in values)


def change_line(change: Change, state: LiveState, regolamento: Regolamento) -> dict[str, object]:
    """A change in plain JSON types: which meld, its cards and points now, and the total of all melds."""
    return {
        "change": change.kind.value,
        "meld": change.meld,
        "cards": " ".join(map(str, change.cards)),
        "points": read_meld(change.cards, regolamento).points,
        "total": total_points(state, regolamento),
    }
