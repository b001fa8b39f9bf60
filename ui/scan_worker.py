"""The scan process: holds the networks and reads one photo after another (`python -m ui.scan_worker`).

It takes frames on standard input and answers on standard output; whatever a library prints goes to standard error.
It ends when the server does, because its input then ends.
"""

from __future__ import annotations

import io
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Protocol

from PIL import Image

from scoring.regolamento import Regolamento, parse_regolamento
from ui.child import named, started
from ui.frames import read_frame, write_frame
from vision.photo import Photo, PhotoError, load_photo
from vision.quality import advice
from vision.table import TableReading

PREVIEW_PX = 1600


class Reader(Protocol):
    """Reads the cards of a photo under a regolamento; `vision.line.TableReader` is one, tests have a fake."""

    def read(self, photo: Photo, regolamento: Regolamento, rules: bool = True) -> TableReading:
        """The whole line from photo to reading."""


def table_reader(models_dir: Path) -> Reader:
    """The real line with the networks in `models_dir`; raises FileNotFoundError where they cannot be used."""
    from vision.detector import DetectorError
    from vision.line import TableReader

    try:
        return TableReader(models_dir)
    except DetectorError as error:
        raise FileNotFoundError(str(error)) from error


def make_reader(name: str, models_dir: Path) -> Reader:
    """Make the reader that `module:function` names."""
    maker: Callable[[Path], Reader] = named(name)
    return maker(models_dir)


def preview_jpeg(photo: Photo) -> bytes:
    """The upright photo as a JPEG that a page can show, its long side at most `PREVIEW_PX`."""
    preview = Image.fromarray(photo.image_rgb)
    preview.thumbnail((PREVIEW_PX, PREVIEW_PX))
    buffer = io.BytesIO()
    preview.save(buffer, "JPEG", quality=85)
    return buffer.getvalue()


class Worker:
    """Answers one request at a time; a reader that cannot be made is tried again with each photo."""

    def __init__(self, name: str, models_dir: Path) -> None:
        self._name, self._models_dir = name, models_dir
        self._reader: Reader | None = None

    def warm_up(self) -> None:
        """Make the reader before the first photo comes."""
        self._reader = make_reader(self._name, self._models_dir)

    def answer(self, header: dict[str, Any], body: bytes) -> tuple[dict[str, Any], bytes]:
        """Read one photo; every fault becomes a code, only the process's own death is silent."""
        started = time.perf_counter()
        try:
            photo = load_photo(body)
        except PhotoError as error:
            return {"ok": False, "key": f"photo.{error.code.value}", "params": error.params}, b""
        except Exception:
            traceback.print_exc()
            return {"ok": False, "key": "photo.not_a_picture", "params": {}}, b""
        decoded = time.perf_counter() - started
        try:
            if self._reader is None:
                self.warm_up()
            assert self._reader is not None
            read = self._reader.read(photo, parse_regolamento(header["regolamento"], "match"))
            reading = read.to_json()
            found = advice(photo, read)
        except FileNotFoundError as error:
            print(error, file=sys.stderr)
            return {"ok": False, "key": "scan.no_models", "params": {}}, b""
        except Exception:
            traceback.print_exc()
            return {"ok": False, "key": "scan.failed", "params": {}}, b""
        seconds = time.perf_counter() - started
        body = reading.encode()
        stages = {"decode": decoded, **dict(read.seconds)}
        done = {
            "ok": True,
            "size_wh": photo.size_wh,
            "seconds": seconds,
            "stages": stages,
            "reading_bytes": len(body),
        }
        if found is not None:
            done |= {"key": f"scan.{found.trouble.value}", "params": found.numbers}
        return done, body + preview_jpeg(photo)


def serve(worker: Worker, requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer until the requests end."""
    while (request := read_frame(requests)) is not None:
        header, body = worker.answer(*request)
        write_frame(answers, header, body)


def main(argv: list[str] | None = None) -> int:
    """Start the process that the server talks to."""
    child = started("ui.scan_worker", argv)
    worker = Worker(child.reader, child.models_dir)
    try:
        worker.warm_up()
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
    except Exception:
        traceback.print_exc()
    serve(worker, sys.stdin.buffer, child.answers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
