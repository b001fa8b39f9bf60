"""One thread owns the camera: the newest frame is always at hand, and a camera that is gone is opened again."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2

from vision.camera_source import CameraError, CameraTrouble, Feed, Source, SourceKind, open_source

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

log = logging.getLogger("burraco.camera")

BACK_OFF_S: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Waits between tries to open a camera; the last one goes on."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture of the camera, (H, W, 3) uint8 BGR, its number since the start, and when it came (monotonic, s)."""

    image_bgr: NDArray[np.uint8]
    number: int
    at_s: float


class Camera:
    """Captures until it is closed. A file is played in its own time, its late frames dropped, and then it has ended."""

    def __init__(
        self,
        source: Source,
        opener: Callable[[Source], Feed] = open_source,
        back_off_s: tuple[float, ...] = BACK_OFF_S,
    ) -> None:
        self._source, self._opener, self._back_off_s = source, opener, back_off_s
        self._changed = threading.Condition()
        self._newest: Frame | None = None
        self._trouble: CameraTrouble | None = None
        self._closing = False
        self._number = 0
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    @property
    def trouble(self) -> CameraTrouble | None:
        """Why no picture comes at the moment; None while all is well (and before the first one)."""
        return self._trouble

    def newest(self, after: int = 0, timeout_s: float = 1.0) -> Frame | None:
        """The newest frame if its number is above `after`, waiting for one that long; None where none came."""
        until = time.monotonic() + timeout_s
        with self._changed:
            while self._newest is None or self._newest.number <= after:
                left = until - time.monotonic()
                if left <= 0 or self._closing or self._trouble is CameraTrouble.ENDED:
                    return None
                self._changed.wait(left)
            return self._newest

    def close(self) -> None:
        """Let the camera go."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(timeout=10)

    def _run(self) -> None:
        failures = 0
        while not self._closing:
            try:
                feed = self._opener(self._source)
            except CameraError as error:
                # A camera that has worked and does not open was pulled out; what it was before says more otherwise.
                gone = self._number > 0 and error.trouble is CameraTrouble.ABSENT
                self._say(CameraTrouble.UNPLUGGED if gone else error.trouble)
            else:
                before = self._number
                try:
                    self._capture(feed)
                except (cv2.error, OSError):
                    log.exception("the camera's driver failed")
                finally:
                    feed.close()
                if self._number > before:
                    failures = 0
                if self._source.kind is SourceKind.FILE:
                    self._say(CameraTrouble.ENDED if self._number > before else CameraTrouble.NO_FILE)
                    return
                self._say(CameraTrouble.UNPLUGGED if self._number else CameraTrouble.BUSY)
            self._wait(self._back_off_s[min(failures, len(self._back_off_s) - 1)])
            failures += 1

    def _capture(self, feed: Feed) -> None:
        started, played = time.monotonic(), 0
        while not self._closing:
            if feed.fps:
                due = int((time.monotonic() - started) * feed.fps)
                while played < due:
                    if not feed.skip():
                        return
                    played += 1
                self._wait(started + played / feed.fps - time.monotonic())
            image = feed.read()
            played += 1
            if image is None:
                return
            with self._changed:
                self._number += 1
                self._newest = Frame(image, self._number, time.monotonic())
                self._trouble = None
                self._changed.notify_all()

    def _say(self, trouble: CameraTrouble) -> None:
        with self._changed:
            self._trouble = trouble
            self._changed.notify_all()

    def _wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        with self._changed:
            while not self._closing and (left := until - time.monotonic()) > 0:
                self._changed.wait(left)
