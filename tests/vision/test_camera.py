"""The capture thread with sources that need no camera."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera import Camera
from vision.camera_source import (
    CameraError,
    CameraTrouble,
    Source,
    SourceKind,
    cameras,
    open_source,
    parse_source,
)

DEVICE = Source(SourceKind.DEVICE, "0")
FILM = Source(SourceKind.FILE, "game.avi")
QUICK = (0.01, 0.02)
PATIENCE_S = 30.0


class FakeFeed:
    """Gives so many pictures, the n-th of brightness n, waiting for `go` before each; then nothing more."""

    def __init__(self, pictures: int, fps: float = 0.0) -> None:
        self.fps, self.left, self.given, self.closed = fps, pictures, 0, False
        self.skipped = 0

    def read(self) -> np.ndarray | None:
        if not self.left:
            return None
        self.left, self.given = self.left - 1, self.given + 1
        if self.given > 5:
            time.sleep(0.002)  # a camera takes its time too
        return np.full((4, 6, 3), self.given % 256, np.uint8)

    def skip(self) -> bool:
        self.skipped += 1
        return self.read() is not None

    def close(self) -> None:
        self.closed = True


def wait_for(what: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < until
        time.sleep(0.005)


@pytest.mark.parametrize(
    ("text", "kind", "where"),
    [
        ("0", SourceKind.DEVICE, "0"),
        (" 2 ", SourceKind.DEVICE, "2"),
        ("/dev/video1", SourceKind.DEVICE, "1"),
        ("rtsp://10.0.0.5:554/live", SourceKind.ADDRESS, "rtsp://10.0.0.5:554/live"),
        ("http://phone:8080/video", SourceKind.ADDRESS, "http://phone:8080/video"),
        ("game.avi", SourceKind.FILE, "game.avi"),
    ],
)
def test_sources_as_people_type_them(text, kind, where):
    assert parse_source(text) == Source(kind, where)


@pytest.mark.parametrize("text", ["ftp://cam/", "rtsp://", "rtsp://cam:99999/", "file:///etc/passwd", "http://[::1"])
def test_an_address_that_is_none_is_refused(text):
    with pytest.raises(CameraError) as refused:
        parse_source(text)
    assert refused.value.trouble is CameraTrouble.WRONG_ADDRESS


def test_nothing_typed_is_no_camera():
    with pytest.raises(CameraError) as refused:
        parse_source("  ")
    assert refused.value.trouble is CameraTrouble.ABSENT


def test_a_password_is_not_shown():
    assert str(parse_source("rtsp://me:secret@cam:554/a?token=1")) == "rtsp://cam:554/a"


def test_the_names_of_cameras_come_from_the_system(tmp_path):
    for number, name in ((2, "HD Webcam\n"), (0, "Document camera\n")):
        (tmp_path / f"video{number}").mkdir()
        (tmp_path / f"video{number}" / "name").write_text(name)
    (tmp_path / "video7").mkdir()
    assert cameras(tmp_path) == [(0, "Document camera"), (2, "HD Webcam")]
    assert cameras(tmp_path / "none") == []


def test_the_newest_frame_is_given_and_none_twice():
    feed = FakeFeed(3)
    hold = threading.Event()

    def opener(source):
        if hold.is_set():
            raise CameraError(CameraTrouble.ABSENT)
        hold.set()
        return feed

    camera = Camera(DEVICE, opener, QUICK)
    try:
        wait_for(lambda: feed.closed)
        frame = camera.newest()
        assert frame is not None
        assert (frame.number, int(frame.image_bgr[0, 0, 0])) == (3, 3)
        assert camera.newest(frame.number, timeout_s=0.02) is None
    finally:
        camera.close()


@pytest.mark.parametrize("trouble", [CameraTrouble.ABSENT, CameraTrouble.BUSY, CameraTrouble.WRONG_ADDRESS])
def test_a_camera_that_does_not_open_says_why_and_is_tried_again(trouble):
    tries = []

    def opener(source):
        tries.append(source)
        if len(tries) < 4:
            raise CameraError(trouble)
        return FakeFeed(10**9)

    camera = Camera(DEVICE, opener, (0.02,))
    try:
        wait_for(lambda: camera.trouble is trouble or len(tries) >= 4)
        frame = camera.newest(timeout_s=PATIENCE_S)
        assert frame is not None
        assert len(tries) == 4
        assert camera.trouble is None
    finally:
        camera.close()


def test_a_cable_that_is_pulled_is_said_and_the_camera_comes_back():
    feeds = [FakeFeed(5), FakeFeed(10**9)]
    plugged = threading.Event()

    def opener(source):
        if len(feeds) == 1 and not plugged.is_set():
            raise CameraError(CameraTrouble.ABSENT)
        return feeds.pop(0)

    camera = Camera(DEVICE, opener, QUICK)
    try:
        wait_for(lambda: camera.trouble is CameraTrouble.UNPLUGGED)
        seen = camera.newest()
        assert seen is not None
        plugged.set()
        again = camera.newest(seen.number, timeout_s=PATIENCE_S)
        assert again is not None
        assert again.number > 5
        assert camera.trouble is None
    finally:
        camera.close()


def test_a_film_ends_and_is_not_begun_again():
    opened = []

    def opener(source):
        opened.append(source)
        return FakeFeed(4, fps=500.0)

    camera = Camera(FILM, opener, QUICK)
    try:
        wait_for(lambda: camera.trouble is CameraTrouble.ENDED)
        assert camera.newest(10**6, timeout_s=PATIENCE_S) is None
        assert len(opened) == 1
    finally:
        camera.close()


def test_a_file_that_is_none_is_said(tmp_path):
    with pytest.raises(CameraError) as refused:
        open_source(Source(SourceKind.FILE, str(tmp_path / "none.avi")))
    assert refused.value.trouble is CameraTrouble.NO_FILE
    text = tmp_path / "text.avi"
    text.write_text("no film")
    with pytest.raises(CameraError) as refused:
        open_source(Source(SourceKind.FILE, str(text)))
    assert refused.value.trouble is CameraTrouble.NO_FILE


def test_a_video_file_is_played(tmp_path: Path):
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 50, (64, 48))
    for level in (20, 120, 220):
        writer.write(np.full((48, 64, 3), level, np.uint8))
    writer.release()
    camera = Camera(parse_source(str(path)), back_off_s=QUICK)
    try:
        wait_for(lambda: camera.trouble is CameraTrouble.ENDED)
        assert camera._newest is not None
        assert camera._newest.image_bgr.shape == (48, 64, 3)
    finally:
        camera.close()
