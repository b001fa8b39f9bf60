"""Which camera is meant: by number, by name, by network address, or a video file; and how OpenCV opens it."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol
from urllib.parse import urlsplit

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

NAMES_DIR: Final = Path("/sys/class/video4linux")
WANTED_WH: Final = (1920, 1080)
ADDRESS_TIMEOUT_MS: Final = 8000
SCHEMES: Final = ("rtsp", "rtsps", "http", "https")


class CameraTrouble(StrEnum):
    """Why there is no picture; `ui.i18n` has the sentences."""

    ABSENT = "absent"
    BUSY = "busy"
    WRONG_ADDRESS = "wrong_address"
    NO_FILE = "no_file"
    UNPLUGGED = "unplugged"
    ENDED = "ended"


class CameraError(Exception):
    """A source that gives no picture now; `trouble` says why."""

    def __init__(self, trouble: CameraTrouble) -> None:
        super().__init__(trouble.value)
        self.trouble = trouble


class SourceKind(StrEnum):
    """What a source is."""

    DEVICE = "device"
    ADDRESS = "address"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Source:
    """One source as OpenCV takes it: a device's number, an address, or a file's path."""

    kind: SourceKind
    where: str

    def __str__(self) -> str:
        """As it may be shown and logged: an address without the name and password in it."""
        if self.kind is not SourceKind.ADDRESS:
            return self.where
        parts = urlsplit(self.where)
        return f"{parts.scheme}://{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}{parts.path}"


class Feed(Protocol):
    """An open source: `fps` is 0 where pictures come in their own time, else a file's frames a second."""

    fps: float

    def read(self) -> NDArray[np.uint8] | None:
        """The next picture (H, W, 3) uint8 BGR; None where there is none any more."""

    def skip(self) -> bool:
        """Pass over the next picture; False where there is none."""

    def close(self) -> None:
        """Let the source go."""


def parse_source(text: str) -> Source:
    """The source that a person typed; raises CameraError (WRONG_ADDRESS, ABSENT) where it can be none.

    >>> parse_source("0").kind.value, parse_source("rtsp://me:secret@cam:554/a").kind.value
    ('device', 'address')
    >>> str(parse_source("rtsp://me:secret@cam:554/a"))
    'rtsp://cam:554/a'
    """
    text = text.strip()
    if re.fullmatch(r"\d{1,3}", text):
        return Source(SourceKind.DEVICE, str(int(text)))
    if device := re.fullmatch(r"/dev/video(\d{1,3})", text):
        return Source(SourceKind.DEVICE, device[1])
    if "://" in text:
        return Source(SourceKind.ADDRESS, _checked_address(text))
    named = next((number for number, name in cameras() if name.casefold() == text.casefold()), None)
    if named is not None:
        return Source(SourceKind.DEVICE, str(named))
    if not text:
        raise CameraError(CameraTrouble.ABSENT)
    return Source(SourceKind.FILE, text)


def _checked_address(text: str) -> str:
    try:
        parts = urlsplit(text)
        usable = parts.scheme.lower() in SCHEMES and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
    if not usable:
        raise CameraError(CameraTrouble.WRONG_ADDRESS)
    return text


def cameras(folder: Path = NAMES_DIR) -> list[tuple[int, str]]:
    """The cameras that Linux knows: number and name; empty elsewhere."""
    found = []
    for entry in sorted(folder.glob("video*")) if folder.is_dir() else ():
        number = entry.name.removeprefix("video")
        try:
            name = (entry / "name").read_text("utf-8", errors="replace").strip()
        except OSError:
            continue
        if number.isdigit():
            found.append((int(number), name))
    return sorted(found)


def open_source(source: Source) -> Feed:
    """Open a source; raises CameraError."""
    if source.kind is SourceKind.FILE and not Path(source.where).is_file():
        raise CameraError(CameraTrouble.NO_FILE)
    capture = _capture(source)
    if not capture.isOpened():
        capture.release()
        raise CameraError(_why(source))
    return _OpenCvFeed(capture, source.kind)


def _capture(source: Source) -> cv2.VideoCapture:
    if source.kind is SourceKind.ADDRESS:
        limits = [
            cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
            ADDRESS_TIMEOUT_MS,
            cv2.CAP_PROP_READ_TIMEOUT_MSEC,
            ADDRESS_TIMEOUT_MS,
        ]
        return cv2.VideoCapture(source.where, cv2.CAP_FFMPEG, limits)
    if source.kind is SourceKind.FILE:
        return cv2.VideoCapture(source.where)
    capture = cv2.VideoCapture(int(source.where))
    # Over USB only compressed pictures come at this size in full speed.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, WANTED_WH[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, WANTED_WH[1])
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


def _why(source: Source) -> CameraTrouble:
    if source.kind is SourceKind.ADDRESS:
        return CameraTrouble.WRONG_ADDRESS
    if source.kind is SourceKind.FILE:
        return CameraTrouble.NO_FILE
    device = Path(f"/dev/video{source.where}")
    if os.name == "posix" and NAMES_DIR.parent.is_dir():
        return CameraTrouble.BUSY if device.exists() and stat.S_ISCHR(device.stat().st_mode) else CameraTrouble.ABSENT
    return CameraTrouble.ABSENT


class _OpenCvFeed:
    """A source that OpenCV has opened."""

    def __init__(self, capture: cv2.VideoCapture, kind: SourceKind) -> None:
        self._capture = capture
        self.fps = float(capture.get(cv2.CAP_PROP_FPS) or 10.0) if kind is SourceKind.FILE else 0.0

    def read(self) -> NDArray[np.uint8] | None:
        good, image = self._capture.read()
        return np.asarray(image, np.uint8) if good and image is not None else None

    def skip(self) -> bool:
        return bool(self._capture.grab())

    def close(self) -> None:
        self._capture.release()
