"""A server to be hurt: the API on a port, in a process of its own, that can be killed and started again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[2]
START_S = 120.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def limited(file_bytes: int) -> Callable[[], None]:
    """What a child does first so that no file of it grows beyond a size, as on a full disk."""

    def limit() -> None:
        import resource  # POSIX only

        resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))

    return limit


def environment() -> dict[str, str]:
    """The environment of a child that runs this very source."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path}


class Server:
    """`burraco serve` (whole) or its API alone, which starts faster and keeps things by the same code."""

    def __init__(self, data: Path, whole: bool = False, db: str = "") -> None:
        self.data, self.port = data, free_port()
        self._whole, self._db = whole, db
        self._process: subprocess.Popen[str] | None = None
        self.said: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/api"

    def start(self, first: Callable[[], None] | None = None) -> None:
        module = ["ui.cli", "serve", "--reader", "tests.ui.fake_reader:make"] if self._whole else ["tests.faults.api"]
        command = [sys.executable, "-m", *module, "--data", str(self.data), "--port", str(self.port)]
        if self._db:
            command += ["--db", self._db]
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            preexec_fn=first,
            start_new_session=True,
        )
        threading.Thread(target=self._listen, args=(self._process,), daemon=True).start()
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            try:
                if httpx.get(f"{self.url}/health", timeout=5).status_code == 200:
                    return
            except httpx.HTTPError:
                if self._process.poll() is not None:
                    break
                time.sleep(0.05)
        raise RuntimeError(f"the server did not start: {self.said}")

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        self.said.extend(line.strip() for line in process.stdout)

    def kill(self) -> None:
        """kill -9 the server and whatever it has started."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        """End it in order."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait(30)
