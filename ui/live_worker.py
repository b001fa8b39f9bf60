"""The live process: holds the camera and the networks, so that neither runs beside the websockets.

`python -m ui.live_worker`: a first frame on standard input says which source and rules, later ones ask for the table
to be frozen or to begin anew; answers go to standard output. It ends when its input does.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

from scoring.meld import read_meld
from scoring.regolamento import Regolamento, parse_regolamento
from ui.child import named, started
from ui.frames import read_frame, write_frame
from vision.camera import Camera
from vision.camera_source import CameraError, CameraTrouble, parse_source
from vision.quality import PhotoTrouble
from vision.watching import Seen, Watcher, change_line, frozen, shown_jpeg, total_points, watch

SHOW_EVERY_S = 0.15
Maker = Callable[[Path, Regolamento], Watcher]


def live_table(models_dir: Path, regolamento: Regolamento) -> Watcher:
    """The real line with the networks in `models_dir`; raises FileNotFoundError where they cannot be used."""
    from vision.detector import DetectorError
    from vision.line import TableReader
    from vision.live import LiveTable

    try:
        return LiveTable(TableReader(models_dir), regolamento)
    except DetectorError as error:
        raise FileNotFoundError(str(error)) from error


class Worker:
    """Watches one table and tells what it sees."""

    def __init__(self, answers: IO[bytes], table: Watcher, regolamento: Regolamento) -> None:
        self._answers, self._table, self._regolamento = answers, table, regolamento
        self._shown_s = 0.0
        self._told: tuple[CameraTrouble | None, PhotoTrouble | None] = (None, None)
        self._last: Seen | None = None

    def tell(self, seen: Seen) -> None:
        """Send a step on, where there is anything new to show or say."""
        now = time.monotonic()
        state = seen.state
        wrong = (seen.camera, state.trouble if state else None)
        changes = state.changes if state else ()
        if state is not None:
            self._last = seen
        if wrong == self._told and not changes and (state is None or now - self._shown_s < SHOW_EVERY_S):
            return
        self._told = wrong
        header: dict[str, Any] = {"kind": "state", "camera": wrong[0], "picture": wrong[1]}
        body = b""
        if state is not None and seen.image_rgb is not None:
            self._shown_s = now
            header |= {
                "melds": [
                    {
                        "number": meld.number,
                        "cards": [str(card) for card in meld.faces],
                        "squared": meld.squared,
                        "points": read_meld(meld.faces, self._regolamento).points,
                    }
                    for meld in state.melds
                ],
                "total": total_points(state, self._regolamento),
                "changes": [change_line(change, state, self._regolamento) for change in changes],
            }
            body = shown_jpeg(seen.image_rgb, state)
        write_frame(self._answers, header, body)

    def answer(self, wanted: SimpleQueue[dict[str, Any]]) -> None:
        """Do what was asked for meanwhile."""
        while not wanted.empty():
            request = wanted.get()
            if request["do"] == "freeze":
                self.freeze()
            elif request["do"] == "begin":
                self._regolamento = parse_regolamento(request["regolamento"], "match")
                self._table.begin(self._regolamento)
                self._last, self._shown_s = None, 0.0

    def freeze(self) -> None:
        """Send the last picture, veiled, and its reading."""
        seen = self._last
        if seen is None or seen.image_rgb is None or seen.state is None:
            write_frame(self._answers, {"kind": "frozen", "reading_bytes": 0})
            return
        photo, reading = frozen(seen.image_rgb, seen.state, self._regolamento)
        text = reading.to_json().encode()
        write_frame(self._answers, {"kind": "frozen", "reading_bytes": len(text)}, text + photo)


def run(maker: Maker, models_dir: Path, requests: IO[bytes], answers: IO[bytes]) -> None:
    """Watch what the first request names, until the requests end."""
    first = read_frame(requests)
    if first is None:
        return
    regolamento = parse_regolamento(first[0]["regolamento"], "match")
    wanted: SimpleQueue[dict[str, Any]] = SimpleQueue()
    ended = threading.Event()

    def listen() -> None:
        while (request := read_frame(requests)) is not None:
            wanted.put(request[0])
        ended.set()
        time.sleep(5)  # a camera that hangs in its driver must not keep the process
        os._exit(0)

    threading.Thread(target=listen, name="requests", daemon=True).start()
    try:
        table = maker(models_dir, regolamento)
        source = parse_source(first[0]["source"])
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        write_frame(answers, {"kind": "failed", "key": "scan.no_models"})
        return
    except CameraError as error:
        write_frame(answers, {"kind": "failed", "key": f"live.camera_{error.trouble.value}"})
        return
    worker, camera = Worker(answers, table, regolamento), Camera(source)
    try:
        for seen in watch(camera, table, lambda: not ended.is_set(), patience_s=0.5):
            worker.tell(seen)
            worker.answer(wanted)
        while not ended.is_set():  # a film is over; its last state can still be frozen
            worker.answer(wanted)
            time.sleep(0.1)
    finally:
        camera.close()


def main(argv: list[str] | None = None) -> int:
    """Start the process that the server talks to."""
    child = started("ui.live_worker", argv)
    try:
        run(named(child.reader), child.models_dir, sys.stdin.buffer, child.answers)
    except OSError:
        return 0
    except Exception:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
