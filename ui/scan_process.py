"""The server's side of the scan process: starts it, talks to it, starts it again when it dies."""

from __future__ import annotations

import logging
import subprocess
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ui.child import end_child, start_child
from ui.frames import read_frame, write_frame

log = logging.getLogger("burraco.scan")


@dataclass(frozen=True, slots=True)
class ScanAnswer:
    """What the scan process said: a reading as JSON and an upright preview, or a fault's key and parameters.

    A reading may have a key too: what would make the next photo better. `stages` are the seconds of each stage:
    decoding, and those of the reading.
    """

    ok: bool
    reading_json: str = ""
    preview_jpeg: bytes = b""
    size_wh: tuple[int, int] = (0, 0)
    seconds: float = 0.0
    stages: Mapping[str, float] = field(default_factory=dict)
    key: str = ""
    params: Mapping[str, str | int] = field(default_factory=dict)


class ScanDied(Exception):
    """The process ended in the middle of a photo; `timed_out` where we ended it because it took too long."""

    def __init__(self, timed_out: bool) -> None:
        super().__init__("timed out" if timed_out else "died")
        self.timed_out = timed_out


class ScanProcess:
    """One child process that reads photos; used by one thread at a time."""

    def __init__(self, reader: str, models_dir: Path, timeout_s: float) -> None:
        self._reader, self._models_dir, self._timeout_s = reader, models_dir, timeout_s
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def ensure_running(self) -> None:
        """Start the process where it does not run."""
        if self.pid is not None:
            return
        if self._process is not None:
            log.warning("the scan process ended with %s; starting it again", self._process.poll())
            self.close()
        self._process = start_child("ui.scan_worker", self._reader, self._models_dir)

    def read(self, data: bytes, regolamento: str) -> ScanAnswer:
        """Have one photo read under a regolamento given as TOML; raises ScanDied."""
        self.ensure_running()
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        timed_out = threading.Event()

        def end() -> None:
            timed_out.set()
            process.kill()

        timer = threading.Timer(self._timeout_s, end)
        timer.start()
        try:
            write_frame(process.stdin, {"regolamento": regolamento}, data)
            answer = read_frame(process.stdout)
        except OSError:
            answer = None
        finally:
            timer.cancel()
        if answer is None:
            process.kill()
            process.wait()
            raise ScanDied(timed_out.is_set())
        return _answer(*answer)

    def close(self) -> None:
        """End the process at once; it keeps nothing that could be lost."""
        process, self._process = self._process, None
        if process is not None:
            end_child(process)


def _answer(header: Mapping[str, Any], body: bytes) -> ScanAnswer:
    if not header["ok"]:
        return ScanAnswer(ok=False, key=header["key"], params=header["params"])
    width, height = header["size_wh"]
    cut = int(header["reading_bytes"])
    return ScanAnswer(
        ok=True,
        reading_json=body[:cut].decode(),
        preview_jpeg=body[cut:],
        size_wh=(int(width), int(height)),
        seconds=float(header["seconds"]),
        key=header.get("key", ""),
        params=header.get("params", {}),
        stages={str(stage): float(seconds) for stage, seconds in header["stages"].items()},
    )
