"""A real server and a real Chromium for tests, and the few moves that a walk through the dashboard needs."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE, DESKTOP = (360, 640), (1280, 800)
# Counts the runs of the page's script, so that a click whose run has not even begun is not taken for one that is done.
COUNT_RUNS = """
window.scriptRuns = 0;
new MutationObserver((changes) => {
  if (changes.some((c) => c.target.dataset?.testScriptState === "running")) window.scriptRuns += 1;
}).observe(document, { subtree: true, attributes: true, attributeFilter: ["data-test-script-state"] });
"""
BEGINS_MS = 1500  # within this a run begins, or what was done needs none
START_S = 120.0
STEP_MS = 60_000


def chromium() -> str | None:
    """Where a Chromium is, None where there is none; BURRACO_CHROMIUM names another one."""
    wanted = os.environ.get("BURRACO_CHROMIUM")
    return wanted or next((path for name in NAMES if (path := shutil.which(name))), None)


def free_port() -> int:
    """A port nobody uses at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """`burraco serve` on a folder of its own, with the reader that tests use; can be stopped and started again."""

    def __init__(
        self,
        data_dir: Path,
        reader: str = "tests.ui.fake_reader:make",
        options: tuple[str, ...] = (),
        core: int | None = None,
    ) -> None:
        self.data_dir, self.reader, self.options, self.port = data_dir, reader, options, free_port()
        self._prefix = ["taskset", "-c", str(core)] if core is not None else []
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address of the dashboard."""
        return f"{'https' if self.secure else 'http'}://127.0.0.1:{self.port}"

    @property
    def secure(self) -> bool:
        """Whether it speaks HTTPS."""
        return "--https" in self.options

    @property
    def pid(self) -> int | None:
        """The process's id while it runs."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start it and wait until it answers."""
        command = [
            *self._prefix,
            sys.executable,
            "-m",
            "ui.cli",
            "serve",
            "--port",
            str(self.port),
            "--reader",
            self.reader,
        ]
        command += self.options
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        env = os.environ | {"BURRACO_DATA": str(self.data_dir), "PYTHONPATH": path}
        with (self.data_dir / "server.log").open("ab") as log:
            self._process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log)
        until = time.monotonic() + START_S
        unchecked = ssl._create_unverified_context() if self.secure else None  # whom to trust, tests find out later
        while time.monotonic() < until and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=10, context=unchecked):
                    return
            except OSError:
                time.sleep(0.2)
        self.stop()
        raise AssertionError(f"no answer from {self.url}: {self.log()[-2000:]}")

    def stop(self) -> None:
        """Stop it as a person would with Ctrl-C."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=20)
            self._process = None

    def log(self) -> str:
        """What it printed so far."""
        return (self.data_dir / "server.log").read_text("utf-8", errors="replace")


class Walk:
    """One page of one browser; `errors` are what its console complained of, `outside` calls to elsewhere."""

    def __init__(self, page: Any, server: Server, url: str | None = None) -> None:
        self.page, self.server, self.url = page, server, url or server.url
        self.errors: list[str] = []
        self.outside: list[str] = []
        self.missing: list[str] = []
        self._runs = 0
        self._devtools: Any = None
        page.add_init_script(COUNT_RUNS)
        page.set_default_timeout(STEP_MS)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)
        page.on("response", lambda answer: self.missing.append(answer.url) if answer.status == 404 else None)
        page.on("request", lambda request: self._asked(request.url))

    def _asked(self, url: str) -> None:
        if not url.startswith((self.url, self.url.replace("http", "ws"), "data:", "blob:")):
            self.outside.append(url)

    @property
    def runs(self) -> int:
        """How often the page's script has run since it was opened, fragments of it too."""
        return int(self.page.evaluate("window.scriptRuns"))

    def go(self, path: str = "/", text: str = "Smazzata") -> None:
        """Open a page and wait for a text on it."""
        self.page.goto(self.url + path)
        self.page.get_by_text(text).first.wait_for()
        self.settle()

    def settle(self) -> None:
        """Wait until the server has answered all that was done."""
        for _ in range(BEGINS_MS // 50):
            if self.page.evaluate("window.scriptRuns") != self._runs:
                break
            self.page.wait_for_timeout(50)
        runs = -1
        while runs != self.runs:  # one tap may have several parts of the page drawn, one run after the other
            runs = self.runs
            self.page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')
            self.page.wait_for_selector(".table-root[aria-busy]", state="detached")  # what was tapped there is answered
            self.page.wait_for_timeout(250)
        self._runs = runs

    def menu(self, name: str, text: str) -> None:
        """Go to another page by the menu."""
        self.page.locator(".st-key-menu").get_by_role("link", name=name).click()
        self.page.get_by_text(text).first.wait_for()
        self.settle()

    def photo(self, side: int, data: bytes, name: str = "foto.jpg", mode: str = "replace") -> None:
        """Give a side a photo, as the phone's camera does."""
        box = self.page.locator(f".st-key-uploader_{mode}_{side} input[type=file]").first
        box.set_input_files({"name": name, "mimeType": "image/jpeg", "buffer": data})

    def side(self, side: int) -> Any:
        """One side's section."""
        return self.page.locator(f".st-key-lato_{side}")

    def melds(self, side: int) -> Any:
        """The melds of a side as rows of cards."""
        return self.side(side).locator("section.group")

    def cards(self, side: int) -> list[str]:
        """The cards of each group of a side, as text: its melds, then the loose ones."""
        return [
            " ".join(group.locator(".tile[data-face]").evaluate_all("tiles => tiles.map((tile) => tile.dataset.face)"))
            for group in self.melds(side).all()
        ]

    def tile(self, side: int, group: int, place: int) -> Any:
        """A card of a side by its group and place, both from 0."""
        return self.unfold(side, group).locator(".tile[data-face]").nth(place)

    def unfold(self, side: int, group: int) -> Any:
        """A group of a side with all its cards in sight: one that is sure is folded to a line."""
        box = self.melds(side).nth(group)
        line = box.locator(".fold")
        if line.get_attribute("aria-expanded") == "false":
            line.click()
        return box

    def sheet(self) -> Any:
        """The sheet that is open over the page."""
        return self.page.locator("dialog[open]")

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        """One touch event of the real kind (start, move, end), with a finger at each point."""
        self._devtools = self._devtools or self.page.context.new_cdp_session(self.page)
        touches = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]
        self._devtools.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": touches})

    def tap(self, target: Any) -> None:
        """Tap something and wait for the answer."""
        target.click()
        self.settle()

    def until(self, see: Callable[[], object], wanted: object) -> None:
        """Wait until something on the page is as wanted, also on a machine with much other work."""
        deadline = time.monotonic() + STEP_MS / 1000
        while (seen := see()) != wanted:
            assert time.monotonic() < deadline, f"{seen!r} is not {wanted!r}"
            self.page.wait_for_timeout(100)

    def answer(self, question: str, text: str) -> None:
        """Choose an answer of a question by its words."""
        self.tap(self.page.locator(f".st-key-{question}").get_by_role("radio", name=text, exact=True))

    def screenshot(self, folder: Path, name: str) -> None:
        """The whole page as a picture."""
        width = self.page.viewport_size["width"]
        before = dict(self.page.viewport_size)
        height = self.page.locator('[data-testid="stMain"]').evaluate("main => main.scrollHeight")
        self.page.set_viewport_size({"width": width, "height": min(height + 10, 9000)})
        self.page.wait_for_timeout(500)
        self.page.screenshot(path=folder / f"{name}.png")
        self.page.set_viewport_size(before)


@contextmanager
def browsing(
    server: Server,
    folder: Path,
    size: tuple[int, int] = PHONE,
    locale: str = "it-IT",
    scheme: str = "light",
    flags: tuple[str, ...] = (),
) -> Iterator[Walk]:
    """A fresh Chromium on the dashboard."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        context = play.chromium.launch_persistent_context(
            folder,
            executable_path=chromium(),
            headless=True,
            args=[*FLAGS, *flags],
            viewport={"width": size[0], "height": size[1]},
            has_touch=size == PHONE,
            locale=locale,
            color_scheme=scheme,
        )
        try:
            yield Walk(context.pages[0], server)
        finally:
            context.close()


@contextmanager
def phones(server: Server, url: str) -> Iterator[Callable[[], Walk]]:
    """Makes phones in one Chromium, each with cookies of its own, that come by `url`."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), headless=True, args=FLAGS)

        def phone() -> Walk:
            size = {"width": PHONE[0], "height": PHONE[1]}
            context = browser.new_context(viewport=size, has_touch=True, locale="it-IT")
            return Walk(context.new_page(), server, url)

        try:
            yield phone
        finally:
            browser.close()
