"""Dal vivo in a real Chromium, on a film of plain frames and a reader that needs no networks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ui.browser import PHONE, Server, browsing, chromium
from tests.ui.fake_live import FOUR, SEVEN, film

pytest.importorskip(
    "playwright.sync_api", reason="no browser tests: playwright is not installed (pip install -e '.[dev]')"
)
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(chromium() is None, reason="no browser tests: no Chromium found (apt-get install chromium)"),
]


@pytest.fixture(scope="module")
def watching(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose live reader is the fake one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BURRACO_LIVE_READER", "tests.ui.fake_live:make")
        running = Server(tmp_path_factory.mktemp("server"))
        running.start()
        yield running
        running.stop()


def test_from_the_camera_to_the_correction_page(watching: Server, tmp_path: Path, shots: Path) -> None:
    source = film(tmp_path / "f.avi", levels=(200, 120, 120, 120), seconds=80)
    with browsing(watching, tmp_path / "chromium", PHONE) as walk:
        walk.go()
        walk.menu("Dal vivo", "carte in mano")
        walk.screenshot(shots, "live_off")
        if walk.page.get_by_label("Indirizzo o file").count() == 0:
            walk.page.locator(".st-key-live_camera").get_by_role("combobox").click()
            walk.tap(walk.page.get_by_role("option", name="Un'altra"))
        walk.page.get_by_label("Indirizzo o file").fill(str(source))
        walk.page.get_by_label("Indirizzo o file").press("Tab")
        walk.settle()
        walk.tap(walk.page.get_by_role("button", name="Accendi la telecamera"))
        for text in (FOUR, SEVEN):
            walk.page.get_by_text(text, exact=False).first.wait_for()
        picture = walk.page.locator('img[src^="/api/live/stream"]')
        assert picture.evaluate("image => image.naturalWidth") > 0
        walk.screenshot(shots, "live_on")
        walk.page.get_by_text("Tutti di").first.click()
        walk.settle()
        walk.tap(walk.page.get_by_role("button", name="Congela e correggi"))
        walk.page.get_by_text("Smazzata").first.wait_for()
        walk.settle()
        assert SEVEN in walk.cards(0)
        walk.screenshot(shots, "live_frozen")
        walk.menu("Dal vivo", "carte in mano")
        walk.tap(walk.page.get_by_role("button", name="Spegni la telecamera"))
        assert walk.outside == []
        assert [line for line in walk.errors if "ERR_" not in line] == []
