"""The dashboard as a person uses it: a real server, a real Chromium, a phone's and a desktop's window."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.ui.browser import DESKTOP, PHONE, Server, Walk, browsing, chromium
from tests.ui.pictures import DOUBT, NO_CARDS, TABLE, picture

pytest.importorskip(
    "playwright.sync_api", reason="no browser tests: playwright is not installed (pip install -e '.[dev]')"
)
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(chromium() is None, reason="no browser tests: no Chromium found (apt-get install chromium)"),
]

SIZE = (800, 600)
LEAST_TEXT_PX, LEAST_TARGET_PX, LEAST_TOTAL_PX = 18, 48, 32


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path)
    running.start()
    yield running
    running.stop()


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    """Where pictures of pages go: BURRACO_SHOTS keeps them after the run."""
    import os

    folder = Path(os.environ.get("BURRACO_SHOTS", tmp_path / "shots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def start_match(walk: Walk) -> None:
    walk.go("/partita", "Nuova partita")
    walk.page.get_by_label("Prima coppia").fill("Anna e Bruno")
    walk.page.get_by_label("Seconda coppia").fill("Carla e Dario")
    walk.tap(walk.page.get_by_role("button", name="Comincia la partita"))
    walk.page.get_by_text("Il tavolo di Anna e Bruno").wait_for()
    walk.settle()


def read(walk: Walk, side: int, colour: tuple[int, int, int]) -> None:
    walk.photo(side, picture(colour, SIZE))
    walk.melds(side).first.wait_for()
    walk.settle()


def answer_all(walk: Walk) -> None:
    walk.answer("closed", "Anna e Bruno")
    walk.answer("pozzetto_1", "preso e giocato")
    for side in (0, 1):
        walk.tap(walk.page.locator(f".st-key-zero_hands_{side} button"))


def number(text: str) -> int:
    found = re.search(r"[−-]?\d+", text)
    assert found, text
    return int(found.group().replace("−", "-"))


def total(walk: Walk, side: int) -> int:
    return number(walk.side(side).get_by_test_id("stMetricValue").inner_text())


def test_walk_from_photo_to_total_and_through_a_restart(server: Server, tmp_path: Path, shots: Path) -> None:
    with browsing(server, tmp_path / "phone", PHONE) as walk:
        start_match(walk)
        read(walk, 0, DOUBT)
        read(walk, 1, TABLE)
        assert total(walk, 0) == 295, "seven hearts 45 + 200, three kings and a pinella 50"
        image = walk.side(0).locator("img").first
        assert image.evaluate("image => image.naturalWidth") == SIZE[0], "the photo itself is shown"

        walk.tap(walk.side(0).locator(".tile.doubtful"))
        walk.tap(walk.sheet().locator(".likely[data-face='JK']"))
        assert walk.side(0).locator(".tile.doubtful").count() == 0
        assert total(walk, 0) == 305, "the jolly counts 10 more than the pinella"

        assert walk.page.locator(".st-key-confirm button").is_disabled()
        assert walk.page.get_by_text("Chi ha chiuso?").count() == 2, "asked, and named as missing"
        answer_all(walk)
        walk.screenshot(shots, "walk-before-confirming")
        confirm = walk.page.locator(".st-key-confirm button")
        if confirm.is_disabled():
            walk.tap(walk.page.get_by_text("Conferma lo stesso"))
        walk.tap(confirm)
        walk.page.get_by_text("Smazzata 1 confermata").wait_for()
        walk.page.get_by_text("Smazzata 2", exact=True).wait_for()

        walk.menu("Partita", "Nuova partita")
        values = walk.page.get_by_test_id("stMetricValue").all_inner_texts()
        assert [number(value) for value in values] == [405, 295]
        walk.screenshot(shots, "walk-match")

        server.stop()
        server.start()
        walk.go("/partita", "Nuova partita")
        values = walk.page.get_by_test_id("stMetricValue").all_inner_texts()
        assert [number(value) for value in values] == [405, 295], "a restart loses nothing"
        assert "Anna e Bruno" in walk.page.locator("h2").first.inner_text()
        assert walk.outside == [], "no call to anywhere else"
