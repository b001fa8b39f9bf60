"""The server's side of the live process: starts it, keeps its newest state and picture, starts it again if it dies."""

from __future__ import annotations

import logging
import subprocess
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from scoring.cards import Card
from ui.child import end_child, start_child
from ui.frames import read_frame, write_frame
from ui.viewmodels import Message

log = logging.getLogger("burraco.live")

AGAIN_S = 2.0
FREEZE_S = 20.0


@dataclass(frozen=True, slots=True)
class LiveMeld:
    """A laid meld as it is shown; `squared`: a burraco that lies as one pile."""

    number: int
    cards: tuple[Card, ...]
    squared: bool
    points: int


@dataclass(frozen=True, slots=True)
class LiveView:
    """What the camera shows now: `number` grows with each; `messages` say what is wrong with camera or picture."""

    source: str
    number: int = 0
    melds: tuple[LiveMeld, ...] = ()
    total: int = 0
    messages: tuple[Message, ...] = ()
    jpeg: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class Frozen:
    """A moment taken out: the picture as JPEG, nothing of any hand in it, and its reading as JSON."""

    photo: bytes
    reading_json: str


class LiveProcess:
    """One camera in one child process; safe to share between threads."""

    def __init__(
        self,
        reader: str,
        models_dir: Path,
        source: str,
        shown_source: str,
        regolamento: str,
        told: Callable[[Mapping[str, Any]], None] = lambda line: None,
    ) -> None:
        self._reader, self._models_dir = reader, models_dir
        self._first = {"source": source, "regolamento": regolamento}
        self._told = told
        self._changed = threading.Condition()
        self._view = LiveView(shown_source, messages=(Message("live.opening"),))
        self._frozen: Frozen | None = None
        self._freezing, self._sending = threading.Lock(), threading.Lock()
        self._closing = False
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, name="live", daemon=True)
        self._thread.start()

    @property
    def view(self) -> LiveView:
        """What the camera shows now."""
        return self._view

    def freeze(self) -> Frozen | None:
        """The table of this moment; None where the camera has shown nothing yet or does not answer."""
        with self._freezing:
            self._frozen = None
            if not self._send({"do": "freeze"}):
                return None
            with self._changed:
                self._changed.wait_for(self._answered, FREEZE_S)
            return self._answer()

    def begin(self, regolamento: str) -> None:
        """Forget the table: another smazzata begins, by the rules in this text."""
        with self._sending:
            self._first["regolamento"] = regolamento
        self._send({"do": "begin", "regolamento": regolamento})
        self._show(replace(self._view, melds=(), total=0, jpeg=b""))

    def _send(self, request: Mapping[str, Any]) -> bool:
        """Ask the process; False where it has died (it is started again with the rules of now)."""
        with self._sending:
            if self._process is None or self._process.stdin is None:
                return False
            try:
                write_frame(self._process.stdin, request)
            except (OSError, ValueError):
                return False
            return True

    def _answer(self) -> Frozen | None:
        return self._frozen if self._frozen is not None and self._frozen.photo else None

    def _answered(self) -> bool:
        return self._frozen is not None or self._closing

    def close(self) -> None:
        """Let the camera go and end the process."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
            process = self._process
        if process is not None:
            process.kill()
        self._thread.join(timeout=10)

    def _run(self) -> None:
        while not self._closing:
            try:
                self._watch()
            except OSError:
                log.exception("the live process could not be reached")
            if self._closing or any(m.key == "scan.no_models" for m in self._view.messages):
                return
            log.warning("the live process ended; starting it again")
            self._show(replace(self._view, messages=(Message("live.died"),)))
            with self._changed:
                self._changed.wait_for(lambda: self._closing, AGAIN_S)

    def _watch(self) -> None:
        process = start_child("ui.live_worker", self._reader, self._models_dir)
        assert process.stdin is not None and process.stdout is not None
        try:
            with self._sending:
                self._process = process
                write_frame(process.stdin, self._first)
            if self._closing:
                return
            while (answer := read_frame(process.stdout)) is not None:
                self._take(*answer)
        finally:
            with self._sending:
                self._process = None
            end_child(process)

    def _take(self, header: Mapping[str, Any], body: bytes) -> None:
        if header["kind"] == "frozen":
            cut = int(header["reading_bytes"])
            with self._changed:
                self._frozen = Frozen(body[cut:], body[:cut].decode())
                self._changed.notify_all()
            return
        if header["kind"] == "failed":
            self._show(replace(self._view, messages=(Message(header["key"]),)))
            return
        wrong = [("live.camera_", header["camera"]), ("live.picture_", header["picture"])]
        messages = tuple(Message(start + what) for start, what in wrong if what)
        view = replace(self._view, messages=messages)
        if body:
            melds = tuple(
                LiveMeld(m["number"], tuple(map(Card.parse, m["cards"])), m["squared"], m["points"])
                for m in header["melds"]
            )
            view = replace(view, melds=melds, total=header["total"], jpeg=body)
        self._show(view)
        for line in header.get("changes", ()):
            self._told(line)

    def _show(self, view: LiveView) -> None:
        with self._changed:
            self._view = replace(view, number=self._view.number + 1)
            self._changed.notify_all()
