"""How many taps lie between the photos and the confirmed smazzata, counted by the browser itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.browser import PHONE, Server, Walk, browsing, chromium
from tests.ui.moves import PAIRS, read, start_match
from tests.ui.pictures import TABLE

pytest.importorskip("playwright.sync_api", reason="no browser tests: playwright is not installed")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(chromium() is None, reason="no browser tests: no Chromium found (apt-get install chromium)"),
]

COUNT_TAPS = """
window.taps = 0;
addEventListener("pointerdown", (event) => { if (event.isTrusted) window.taps += 1; }, true);
"""


def both_photos(walk: Walk) -> None:
    walk.page.add_init_script(COUNT_TAPS)
    start_match(walk)
    for side in (0, 1):
        read(walk, side, TABLE)
    walk.page.evaluate("window.taps = 0")
    assert walk.page.locator("[role=radio][aria-checked=true]").count() == 1, "only the language is chosen already"


def write_sum(walk: Walk, side: int, points: str) -> None:
    walk.page.locator(f".st-key-sum_hands_{side} input").click()
    walk.page.keyboard.type(points)
    walk.page.keyboard.press("Enter")
    walk.settle()


def confirm(walk: Walk) -> int:
    walk.tap(walk.page.locator(".st-key-confirm button"))
    walk.page.get_by_text("Smazzata 1 confermata").wait_for()
    return int(walk.page.evaluate("window.taps"))


def test_one_side_closed(server: Server, tmp_path: Path) -> None:
    with browsing(server, tmp_path / "phone", PHONE) as walk:
        both_photos(walk)
        button = walk.page.locator(".st-key-confirm button")
        assert button.is_disabled() and walk.page.get_by_text("Prima di confermare manca").is_visible()
        walk.answer("closed", PAIRS[0])
        assert walk.page.locator(".st-key-pozzetto_0").count() == 0, "who closed is not asked for its pozzetto"
        walk.tap(walk.page.locator(".st-key-zero_hands_0 button"))
        walk.answer("pozzetto_1", "preso e giocato")
        bar = walk.page.locator(".st-key-barra")
        walk.until(lambda: "quante carte restano" in bar.inner_text() and button.is_disabled(), True)
        write_sum(walk, 1, "45")
        assert walk.page.locator(".st-key-barra b").all_inner_texts() == ["395", "250"]
        assert confirm(walk) <= 6


def test_nobody_closed(server: Server, tmp_path: Path) -> None:
    with browsing(server, tmp_path / "phone", PHONE) as walk:
        both_photos(walk)
        walk.answer("closed", "Nessuno, tallone finito")
        for side, pozzetto in ((0, "preso e giocato"), (1, "non preso (−100)")):
            walk.answer(f"pozzetto_{side}", pozzetto)
            write_sum(walk, side, "30")
        assert confirm(walk) <= 8


def test_undo_after_the_page_was_loaded_again(server: Server, tmp_path: Path) -> None:
    with browsing(server, tmp_path / "phone", PHONE) as walk:
        start_match(walk)
        read(walk, 0, TABLE)
        walk.tile(0, 0, 6).click()
        walk.tap(walk.sheet().locator("[data-act='remove']"))
        assert walk.cards(0)[0] == "3♥ 4♥ 5♥ 6♥ 7♥ 8♥"
        walk.page.reload()
        walk.melds(0).first.wait_for()
        walk.settle()
        walk.tap(walk.side(0).get_by_role("button", name="Annulla"))
        walk.until(lambda: walk.cards(0)[0], "3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥")
        walk.page.reload()
        walk.melds(0).first.wait_for()
        walk.settle()
        walk.tap(walk.side(0).get_by_role("button", name="Ripeti"))
        assert walk.cards(0)[0] == "3♥ 4♥ 5♥ 6♥ 7♥ 8♥"
