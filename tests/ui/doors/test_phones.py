"""Phones in a real Chromium: pairing, two at one match, a viewer, a referee.

A phone here is a browser that comes by 127.0.0.2, which is this machine too, but not by a name that needs no code.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import cv2
import numpy as np
import pytest

from tests.ui.browser import PHONE, Server, Walk, browsing, chromium, phones
from tests.ui.moves import SIZE, start_match, total
from tests.ui.pictures import TABLE, picture
from ui.components.frame import DEVICE_COOKIE
from ui.doors.doors import KEY_FILE
from ui.doors.pairing import Pairing
from ui.roles import Role

pytest.importorskip(
    "playwright.sync_api", reason="no browser tests: playwright is not installed (pip install -e '.[dev]')"
)
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(chromium() is None, reason="no browser tests: no Chromium found (apt-get install chromium)"),
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux answers on all of 127.0.0.0/8"),
]
WITHIN_S = 2.0
TRY_TO_WRITE = """fetch("/api/matches", {
  method: "POST", headers: { "Content-Type": "application/json" }, body: "{}",
}).then((answer) => answer.status)"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("lan"), options=("--lan",))
    running.start()
    yield running
    running.stop()


def address(server: Server) -> str:
    return f"http://127.0.0.2:{server.port}"


def pair(walk: Walk, role: Role, match_id: str = "") -> None:
    """Open the link of the role's code, as a phone's camera does."""
    code = Pairing(walk.server.data_dir / KEY_FILE).code(role, match_id)
    walk.page.goto(f"{address(walk.server)}/entra#{code}", wait_until="commit")
    walk.page.wait_for_url(f"{address(walk.server)}/", wait_until="commit")
    walk.page.locator(".st-key-menu").wait_for()
    walk.settle()


def scanned(png: bytes) -> str:
    """What a camera reads in a picture of a QR code."""
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_GRAYSCALE)
    for nearer in (1, 2, 1.5, 3):  # as one moves a camera until it reads; OpenCV misses a code now and then
        seen = cv2.resize(image, None, fx=nearer, fy=nearer, interpolation=cv2.INTER_CUBIC)
        if text := str(cv2.QRCodeDetector().detectAndDecode(seen)[0]):
            return text
    return ""


def test_a_phone_pairs_and_its_address_bar_is_clean(server: Server, tmp_path: Path, shots: Path) -> None:
    with browsing(server, tmp_path / "phone", PHONE) as walk:
        walk.page.goto(address(server))
        walk.page.get_by_role("heading", name="Entra al tavolo").wait_for()
        walk.page.screenshot(path=shots / "doors_pairing.png")
        walk.page.get_by_label("Codice").fill("sbagliato")
        walk.page.get_by_role("button", name="Entra").click()
        walk.page.get_by_role("alert").wait_for()
        walk.page.screenshot(path=shots / "doors_wrong_code.png")
        pair(walk, Role.TABLE)
        assert "#" not in walk.page.url and "/entra" not in walk.page.url
        walk.page.wait_for_function("name => document.cookie.includes(name)", arg=DEVICE_COOKIE)  # a script writes it
        seen = walk.page.evaluate("document.cookie")
        assert DEVICE_COOKIE in seen, "the browser's own name lies beside the session"
        assert f"burraco_{server.port}" not in seen, "scripts cannot read the session"
        walk.page.go_back()
        assert "#" not in walk.page.url
        walk.page.goto(address(server))
        walk.page.locator(".st-key-menu").wait_for()
        icon = walk.page.locator('link[rel="apple-touch-icon"]').get_attribute("href")
        manifest = walk.page.evaluate("fetch(document.querySelector('link[rel=manifest]').href).then(r => r.json())")
        assert (icon, manifest["start_url"]) == ("/icone/180.png", "/")


def test_the_machine_itself_shows_the_codes(server: Server, tmp_path: Path, shots: Path) -> None:
    with browsing(server, tmp_path / "host", (1280, 800)) as walk:
        walk.page.goto(f"http://localhost:{server.port}/")
        with walk.page.context.expect_page() as opened:
            walk.page.get_by_role("link", name="Collega un telefono").click()
        opened.value.get_by_role("heading", name="Collega i telefoni").wait_for()
        opened.value.screenshot(path=shots / "doors_phones.png", full_page=True)
        codes, links = opened.value.locator("section svg"), opened.value.locator(".link").all_inner_texts()
        for width in (1280, 390):
            opened.value.set_viewport_size({"width": width, "height": 844})
            assert [scanned(codes.nth(place).screenshot()) for place in range(len(links))] == links
        assert walk.errors == []


def test_two_phones_and_a_viewer_see_one_match(server: Server, shots: Path) -> None:
    with phones(server, address(server)) as phone:
        one, two, viewer = phone(), phone(), phone()
        pair(one, Role.TABLE)
        start_match(one)
        pair(two, Role.TABLE)
        two.page.get_by_text("Il tavolo di Anna e Bruno").wait_for()
        pair(viewer, Role.VIEWER)
        viewer.page.get_by_role("heading", name="Anna e Bruno – Carla e Dario").wait_for()

        one.photo(0, picture(TABLE, SIZE))
        one.melds(0).first.wait_for()
        started = time.monotonic()
        two.melds(0).first.wait_for()
        viewer.page.locator("li").first.wait_for()
        assert time.monotonic() - started < WITHIN_S
        two.settle()
        assert total(two, 0) == total(one, 0) > 0

        viewer.screenshot(shots, "doors_viewer")
        assert viewer.page.locator("input[type=file], .st-key-confirm, .st-key-domande").count() == 0
        assert viewer.page.evaluate(TRY_TO_WRITE) == 403
        assert one.page.evaluate(TRY_TO_WRITE) == 422
        assert [walk.outside for walk in (one, two, viewer)] == [[], [], []]


def test_only_the_referee_gives_and_takes_points(server: Server, shots: Path) -> None:
    with phones(server, address(server)) as phone:
        table, referee = phone(), phone()
        for walk, role in ((table, Role.TABLE), (referee, Role.REFEREE)):
            pair(walk, role)
            start_match(walk)
            walk.photo(0, picture(TABLE, SIZE))
            walk.melds(0).first.wait_for()
            walk.settle()
        assert table.page.locator('[class*="st-key-adjust_save_"]').count() == 0
        assert referee.page.locator('[class*="st-key-adjust_save_"]').count() == 2


def test_a_phone_of_a_single_match_sees_that_one_only(server: Server) -> None:
    with phones(server, address(server)) as phone:
        host, bound = phone(), phone()
        pair(host, Role.TABLE)
        start_match(host)
        match_id = parse_qs(urlparse(host.page.url).query)["partita"][0]
        start_match(host)
        other_id = parse_qs(urlparse(host.page.url).query)["partita"][0]
        assert other_id != match_id
        pair(bound, Role.TABLE, match_id)
        bound.page.wait_for_url(f"**/?partita={match_id}")
        bound.page.goto(f"{address(server)}/?partita={other_id}")
        bound.page.get_by_role("alert").get_by_text("per una partita sola").wait_for()
        bound.page.wait_for_url(f"**/?partita={match_id}")


def test_a_page_that_is_open_when_the_codes_are_changed_says_so_by_itself(server: Server) -> None:
    with phones(server, address(server)) as phone:
        walk = phone()
        pair(walk, Role.TABLE)
        request = walk.page.context.request
        answer = request.post(f"http://localhost:{server.port}/telefoni", max_redirects=0)
        assert answer.status == 303
        walk.page.get_by_role("heading", name="Entra al tavolo").wait_for()
        walk.page.get_by_role("alert").get_by_text("Inquadra di nuovo").wait_for()
