"""The dashboard as a person uses it: a real server, a real Chromium, a phone's and a desktop's window."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path

import pytest

from tests.ui.browser import DESKTOP, PHONE, Server, Walk, browsing, chromium
from tests.ui.moves import SIZE, answer_all, number, read, start_match, total
from tests.ui.pictures import DOUBT, NO_CARDS, TABLE, picture

pytest.importorskip(
    "playwright.sync_api", reason="no browser tests: playwright is not installed (pip install -e '.[dev]')"
)
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(chromium() is None, reason="no browser tests: no Chromium found (apt-get install chromium)"),
]

LEAST_TOTAL_PX = 32
UPLOADS = "**/_stcore/upload_file/**"
MEASURE = Path(__file__).with_name("measure.js").read_text("utf-8").rstrip().rstrip(";")


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
        assert walk.page.get_by_text("Chi ha chiuso?").count() == 3, "asked, named as missing, and where the bar leads"
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


def test_every_correction_and_back(server: Server, tmp_path: Path) -> None:
    with browsing(server, tmp_path / "phone") as walk:
        start_match(walk)
        read(walk, 0, TABLE)
        hearts, kings, loose = "3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥", "K♠ K♦ 2♣ K♥", "5♣"
        assert walk.cards(0) == [hearts, kings, loose]

        walk.tile(0, 1, 0).click()
        walk.sheet().locator("[data-suit='♣']").click()
        walk.tap(walk.sheet().locator("[data-face='K♣']"))
        assert walk.cards(0)[1] == "K♣ K♦ 2♣ K♥"

        walk.unfold(0, 0).locator(".tile.add").click()
        walk.tap(walk.sheet().locator("[data-face='10♥']"))
        assert walk.cards(0)[0] == hearts + " 10♥"

        walk.tile(0, 0, 7).click()
        walk.tap(walk.sheet().locator("[data-act='remove']"))
        assert walk.cards(0)[0] == hearts

        walk.tile(0, 2, 0).click()
        walk.tap(walk.sheet().locator("[data-to='new']"))
        assert walk.cards(0) == [hearts, "K♣ K♦ 2♣ K♥", "5♣"]
        assert walk.melds(0).nth(2).get_by_text("Gioco da sistemare", exact=True).is_visible()

        walk.tile(0, 1, 0).click()
        walk.tap(walk.sheet().get_by_role("button", name="Dopo"))
        assert walk.cards(0)[1] == "K♦ K♣ 2♣ K♥"

        walk.tile(0, 2, 0).click()
        walk.tap(walk.sheet().locator(".key[data-to]").nth(0))
        assert walk.cards(0) == [hearts + " 5♣", "K♦ K♣ 2♣ K♥"]

        walk.unfold(0, 0).locator(".tile.more").click()
        walk.tap(walk.sheet().get_by_role("button", name="Dividi prima di 5 di fiori"))
        assert walk.cards(0)[:2] == [hearts, "5♣"]

        walk.unfold(0, 1).locator(".tile.more").click()
        walk.tap(walk.sheet().locator("[data-act='remove-meld']"))
        assert walk.cards(0) == [hearts, "K♦ K♣ 2♣ K♥"]

        walk.tap(walk.side(0).get_by_role("button", name="Annulla"))
        assert walk.cards(0) == [hearts, "5♣", "K♦ K♣ 2♣ K♥"]
        walk.tap(walk.side(0).get_by_role("button", name="Ripeti"))
        assert walk.cards(0) == [hearts, "K♦ K♣ 2♣ K♥"]
        assert total(walk, 0) == 295


def test_a_card_is_found_and_added_on_the_photo(server: Server, tmp_path: Path) -> None:
    with browsing(server, tmp_path / "desktop", DESKTOP) as walk:
        start_match(walk)
        read(walk, 0, TABLE)
        canvas = walk.side(0).locator(".canvas")
        canvas.scroll_into_view_if_needed()
        frame = canvas.bounding_box()
        canvas.click(position={"x": frame["width"] * 0.02, "y": frame["height"] * 0.1})
        assert "3 di cuori" in walk.sheet().inner_text()
        walk.sheet().get_by_role("button", name="Indietro").click()
        canvas.click(position={"x": frame["width"] * 0.9, "y": frame["height"] * 0.1})
        assert "In quale gioco?" in walk.sheet().inner_text()
        walk.tap(walk.sheet().locator("[data-face='10♥']"))
        assert walk.cards(0)[0].endswith("9♥ 10♥")
        assert walk.side(0).locator("polygon.line").count() == 13, "the added card is outlined too"

        walk.unfold(0, 0).locator(".tile.more").click()
        walk.sheet().locator("[data-act='pile']").click()
        for face in ("J♥", "A♥"):
            walk.sheet().locator(f".keypad [data-face='{face}']").click()
        walk.sheet().locator("[data-act='fill']").click()
        walk.tap(walk.sheet().locator("[data-act='add-these']"))
        assert walk.cards(0)[0].endswith("10♥ J♥ Q♥ K♥ A♥")


def test_by_hand_without_a_photo_and_by_keyboard(server: Server, tmp_path: Path) -> None:
    with browsing(server, tmp_path / "desktop", DESKTOP) as walk:
        start_match(walk)
        walk.tap(walk.page.locator(".st-key-start_by_hand_0 button"))
        walk.side(0).get_by_role("button", name="Nuovo gioco").focus()
        walk.page.keyboard.press("Enter")
        for face in ("7♥", "7♦", "7♠"):
            walk.sheet().locator(f"[data-suit='{face[-1]}']").focus()
            walk.page.keyboard.press("Space")
            walk.sheet().locator(f".keypad [data-face='{face}']").focus()
            walk.page.keyboard.press("Enter")
        walk.sheet().locator("[data-act='add-these']").focus()
        walk.page.keyboard.press("Enter")
        walk.settle()
        assert walk.cards(0) == ["7♥ 7♦ 7♠"] and total(walk, 0) == 15
        walk.tile(0, 0, 0).focus()
        walk.page.keyboard.press("Enter")
        walk.page.keyboard.press("Escape")
        assert walk.sheet().count() == 0 and walk.cards(0) == ["7♥ 7♦ 7♠"]

        walk.tap(walk.page.locator(".st-key-nothing_1 button"))
        walk.answer("closed", "Nessuno, tallone finito")
        walk.answer("pozzetto_0", "preso e giocato")
        walk.answer("pozzetto_1", "preso e non giocato")
        box = walk.page.locator(".st-key-sum_held_1 input")
        box.fill("95")
        box.press("Enter")
        walk.settle()
        walk.tap(walk.page.locator(".st-key-zero_hands_0 button"))
        walk.tap(walk.page.locator(".st-key-way_hands_1").get_by_text("Carta per carta"))
        walk.page.locator(".st-key-hand_hands_1 .tile.add").click()
        for face in ("K♥", "JK"):
            walk.sheet().locator(f".keypad [data-face='{face}']").click()
        walk.tap(walk.sheet().locator("[data-act='add-these']"))
        walk.tap(walk.page.locator(".st-key-confirm button"))
        walk.page.get_by_text("Smazzata 1 confermata").wait_for()
        assert "Carla e Dario −135" in walk.page.get_by_text("Finora").inner_text()


def test_bad_photos_say_what_is_wrong_and_lose_nothing(server: Server, tmp_path: Path) -> None:
    with browsing(server, tmp_path / "phone") as walk:
        start_match(walk)
        read(walk, 0, TABLE)
        whole = picture(TABLE, SIZE)
        for data, sentence in (
            (b"not a picture at all", "non è una foto"),
            (whole[: len(whole) // 2], "incompleta"),
            (picture(NO_CARDS, SIZE), "non vedo nessuna carta"),
        ):
            walk.photo(1, data)
            walk.side(1).get_by_text(sentence).first.wait_for()
            walk.settle()
            assert walk.cards(0)[0] == "3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥"
        read(walk, 1, TABLE)
        assert walk.side(1).get_by_text("non vedo").count() == 0


def test_a_photo_that_did_not_arrive_says_so_and_is_sent_again(server: Server, tmp_path: Path) -> None:
    said = """() => getComputedStyle(document.querySelector('[data-testid="stFileUploader"]'), "::after").content"""
    with browsing(server, tmp_path / "phone") as walk:
        start_match(walk)
        walk.page.route(UPLOADS, lambda route: route.abort("internetdisconnected"))
        walk.photo(0, picture(TABLE, SIZE))
        walk.until(lambda: "niente viene contato due volte" in walk.page.evaluate(said), True)
        walk.page.unroute(UPLOADS)
        read(walk, 0, TABLE)
        assert "due volte" not in walk.page.evaluate(said)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_large_enough_on_a_phone(server: Server, tmp_path: Path, shots: Path, scheme: str) -> None:
    with browsing(server, tmp_path / "phone", PHONE, scheme=scheme) as walk:
        start_match(walk)
        read(walk, 0, DOUBT)
        walk.tap(walk.page.locator(".st-key-nothing_1 button"))
        walk.answer("closed", "Nessuno, tallone finito")
        walk.answer("pozzetto_1", "preso e non giocato")
        walk.screenshot(shots, f"phone-{scheme}-tavolo")
        check(walk)
        walk.tile(0, 0, 0).click()
        walk.page.screenshot(path=shots / f"phone-{scheme}-keypad.png")
        check(walk)
        walk.sheet().get_by_role("button", name="Indietro").click()
        walk.unfold(0, 0).locator(".tile.more").click()
        check(walk)
        walk.sheet().get_by_role("button", name="Indietro").click()
        for name, text in (("Partita", "Nuova partita"), ("Aiuto", "Come fare una buona foto")):
            walk.menu(name, text)
            links = walk.page.locator(".st-key-menu").get_by_role("link").all()
            assert len({round(link.bounding_box()["y"]) for link in links}) == 1, "the menu is one line"
            walk.screenshot(shots, f"phone-{scheme}-{name.lower()}")
            check(walk)


def check(walk: Walk) -> None:
    found = walk.page.evaluate(MEASURE)
    assert found == {
        "small_text": [],
        "small_target": [],
        "faint": [],
        "unnamed": [],
        "overflowing": [],
        "wider": False,
    }
    for size in walk.page.get_by_test_id("stMetricValue").evaluate_all(
        "values => values.map((value) => parseFloat(getComputedStyle(value).fontSize))"
    ):
        assert size >= LEAST_TOTAL_PX


@pytest.mark.parametrize("locale", ["it-IT", "en-GB"])
def test_pages_with_nothing_on_them_yet(server: Server, tmp_path: Path, shots: Path, locale: str) -> None:
    body = json.dumps({"names": ["Noi", "Loro"]}).encode()
    asked = urllib.request.Request(f"{server.url}/api/matches", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked) as answer:
        match_id = json.load(answer)["id"]
    with browsing(server, tmp_path / "phone", PHONE, locale=locale) as walk:
        for page in ("", "partita", "informazioni"):
            walk.go(f"/{page}?partita={match_id}", "AGPL-3.0")
            walk.screenshot(shots, f"phone-{locale[:2]}-empty-{page or 'tavolo'}")
            check(walk)
        walk.go(f"/?partita={match_id}", "AGPL-3.0")
        walk.tap(walk.page.locator(".st-key-start_by_hand_0 button"))
        walk.side(0).locator("[data-focus='new']").click()
        walk.page.screenshot(path=shots / f"phone-{locale[:2]}-keypad.png")
        check(walk)


def test_english_by_the_browser_and_italian_by_a_tap(server: Server, tmp_path: Path, shots: Path) -> None:
    with browsing(server, tmp_path / "desktop", DESKTOP, locale="en-GB") as walk:
        walk.go("/partita", "New match")
        walk.menu("Table", "Smazzata 1")
        walk.tap(walk.page.get_by_role("radio", name="Italiano"))
        walk.page.locator(".st-key-menu").get_by_role("link", name="Tavolo").wait_for()
        walk.menu("Aiuto", "Come fare una buona foto")
        walk.screenshot(shots, "desktop-informazioni")
        assert walk.page.get_by_text("AGPL-3.0").count() >= 1
        source = walk.page.get_by_role("link", name="Codice sorgente").first.get_attribute("href")
        assert source == "/api/source"
