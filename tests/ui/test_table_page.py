"""The table page in one hand: folded melds, roles, dragging, piles, players by name, the photo of a fan."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.ui.browser import DESKTOP, PHONE, Server, Walk, browsing, chromium, phones
from tests.ui.moves import SIZE, read, start_match, total
from tests.ui.pictures import DOUBT, TABLE, UNREAD, picture

pytest.importorskip("playwright.sync_api", reason="no browser tests: playwright is not installed")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(chromium() is None, reason="no browser tests: no Chromium found (apt-get install chromium)"),
]
MOST_SCREENS = 6


def begin(walk: Walk) -> None:
    """A match whose four players have names."""
    walk.go("/partita", "Nuova partita")
    walk.page.get_by_text("Nomi dei giocatori").click()
    labels = walk.page.locator("[class*='st-key-player_quattro_'] label").all_inner_texts()
    assert labels == ["Giocatore 1", "Giocatore 2", "Giocatore 3", "Giocatore 4"], "in the order in which they sit"
    for place, name in enumerate(("Anna", "Carla", "Bruno", "Dario")):  # round the table, clockwise
        walk.page.locator(f".st-key-player_quattro_{place} input").fill(name)
    walk.tap(walk.page.get_by_role("button", name="Comincia la partita"))
    walk.page.get_by_text("Il tavolo di").first.wait_for()
    walk.settle()


def test_what_is_sure_is_one_line_and_the_question_comes_first(server: Server, tmp_path: Path, shots: Path) -> None:
    with browsing(server, tmp_path / "phone", PHONE) as walk:
        start_match(walk)
        read(walk, 0, DOUBT)
        read(walk, 1, TABLE)
        assert [box.get_attribute("aria-expanded") for box in walk.side(0).locator(".fold").all()] == [
            "false",
            "true",
            "false",
        ], "only the meld with the doubt is open"
        first, table = (walk.page.locator(where).bounding_box() for where in (".st-key-domande", ".st-key-lato_0"))
        assert first["y"] < table["y"], "the question stands before what was read"
        line = walk.melds(0).first.locator(".fold")
        assert "245 punti" in line.inner_text() and line.bounding_box()["height"] >= 48
        height = walk.page.locator('[data-testid="stMain"]').evaluate("main => main.scrollHeight")
        walk.screenshot(shots, "phone-table-short")
        assert height <= MOST_SCREENS * PHONE[1]
        line.focus()
        walk.page.keyboard.press("Enter")
        assert walk.melds(0).first.locator(".tile[data-face]").first.is_visible(), "by keyboard too"


def test_what_cannot_be_read_is_asked_where_it_lies(server: Server, tmp_path: Path, shots: Path) -> None:
    with browsing(server, tmp_path / "phone", PHONE) as walk:
        start_match(walk)
        read(walk, 0, UNREAD)
        hearts = "3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥"
        assert walk.side(0).locator("polygon.line.unread").count() == 1
        assert walk.side(0).locator(".badges .badge.square").inner_text() == "?", (
            "told by its shape, not only by colour"
        )
        walk.screenshot(shots, "phone-unread")
        frame = walk.side(0).locator(".canvas").bounding_box()
        walk.side(0).locator(".canvas").click(position={"x": frame["width"] * 0.86, "y": frame["height"] * 0.1})
        assert "Qui c'è una carta che non si legge" in walk.sheet().inner_text()
        walk.page.screenshot(path=shots / "phone-unread-keypad.png")
        walk.tap(walk.sheet().locator("[data-act='not-a-card']"))
        walk.until(lambda: walk.side(0).locator(".tile.unread").count(), 0)
        walk.tap(walk.side(0).get_by_role("button", name="Annulla"))
        walk.side(0).locator(".tile.unread").click()
        walk.tap(walk.sheet().locator(".likely[data-face='10♥']"))
        walk.until(lambda: walk.cards(0)[0], f"{hearts} 10♥")
        walk.tap(walk.side(0).get_by_role("button", name="Annulla"))
        question = walk.page.locator(".st-key-dubbio")
        question.get_by_text("qui c'è una carta che non si legge").wait_for()
        walk.tap(question.get_by_role("button", name="10♥"))
        walk.until(lambda: walk.cards(0)[0], f"{hearts} 10♥")
        assert question.count() == 0


def test_roles_piles_and_dragging(server: Server, tmp_path: Path, shots: Path) -> None:
    with browsing(server, tmp_path / "desktop", DESKTOP) as walk:
        start_match(walk)
        read(walk, 0, TABLE)
        walk.tile(0, 2, 0).hover()
        walk.page.mouse.down()
        goal = walk.melds(0).nth(0).bounding_box()
        walk.page.mouse.move(goal["x"] + 60, goal["y"] + 20, steps=6)
        assert walk.melds(0).nth(0).evaluate("box => box.classList.contains('target')")
        walk.page.mouse.up()
        walk.settle()
        walk.until(lambda: walk.cards(0), ["3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 5♣", "K♠ K♦ 2♣ K♥"])
        assert walk.sheet().count() == 0, "the click that ends a drag opens nothing"
        walk.tap(walk.side(0).get_by_role("button", name="Annulla"))
        walk.until(lambda: walk.cards(0)[1:], ["K♠ K♦ 2♣ K♥", "5♣"])

        walk.unfold(0, 1).locator(".key.role").click()
        walk.screenshot(shots, "desktop-roles")
        walk.tap(walk.sheet().locator("[data-role='hand-1']"))
        walk.until(lambda: total(walk, 0), 245)
        assert "in mano a Carla e Dario" in walk.melds(0).nth(1).locator(".fold").inner_text()
        walk.unfold(0, 1).locator(".key.role").click()
        walk.tap(walk.sheet().locator("[data-role='laid-0']"))
        walk.until(lambda: total(walk, 0), 295)

        walk.unfold(0, 1).locator(".tile.more").click()
        walk.tap(walk.sheet().locator("[data-act='mark-pile']"))
        walk.melds(0).nth(1).locator("[data-act='write-covered']").click()
        for suit in "♣♦♥":
            walk.sheet().locator(f"[data-suit='{suit}']").click()
            walk.sheet().locator(f".keypad [data-face='K{suit}']").click()
        walk.tap(walk.sheet().locator("[data-act='add-these']"))
        walk.until(lambda: walk.cards(0)[1], "K♠ K♦ 2♣ K♥ K♣ K♦ K♥")
        assert walk.melds(0).nth(1).locator("[data-act='write-covered']").count() == 0, "seven cards: nothing is asked"


def middle(target: Any) -> tuple[float, float]:
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_with_fingers(server: Server, tmp_path: Path) -> None:
    with browsing(server, tmp_path / "phone", PHONE) as walk:
        start_match(walk)
        read(walk, 0, TABLE)
        goal = walk.melds(0).nth(1)
        card = walk.tile(0, 2, 0)
        start = middle(card)
        end = (start[0], goal.bounding_box()["y"] + 24)
        walk.touch("Start", start)
        walk.page.wait_for_timeout(600)  # a short hold takes the card up; without it a finger scrolls the page
        for step in range(1, 9):
            walk.touch("Move", tuple(a + (b - a) * step / 8 for a, b in zip(start, end, strict=True)))
        assert goal.evaluate("box => box.classList.contains('target')")
        walk.touch("End")
        walk.until(lambda: walk.cards(0), ["3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥", "K♠ K♦ 2♣ K♥ 5♣"])
        assert walk.sheet().count() == 0, "the finger that drops a card opens nothing"

        width = lambda: round(walk.side(0).locator(".canvas").bounding_box()["width"])  # noqa: E731
        before = width()
        x, y = middle(walk.side(0).locator(".scroller"))
        walk.touch("Start", (x - 20, y), (x + 20, y))
        for apart in (30, 40, 50):
            walk.touch("Move", (x - apart, y), (x + apart, y))
        walk.touch("End")
        walk.until(width, round(2.5 * before))
        assert walk.page.evaluate("visualViewport.scale") == 1, "the photo comes closer, not the page"
        nearer = walk.side(0).locator("[data-focus='zoom-in']")
        nearer.click()
        assert nearer.is_disabled() and width() == round(3.4 * before), "a key does it too"


def test_two_people_at_one_card(server: Server) -> None:
    with phones(server, server.url) as phone:
        one, two = phone(), phone()
        start_match(one)
        read(one, 0, TABLE)
        two.page.goto(one.page.url)
        two.melds(0).first.wait_for()
        two.settle()
        two.tile(0, 0, 0).click()
        one.tile(0, 0, 0).click()
        one.tap(one.sheet().locator(".keypad [data-face='A♥']"))
        two.sheet().get_by_text("Un altro dispositivo ha appena cambiato questa carta").wait_for()
        assert "asso di cuori" in two.sheet().inner_text()
        one.tile(0, 0, 0).click()
        one.tap(one.sheet().locator("[data-act='remove']"))
        two.page.get_by_text("Un altro dispositivo ha appena tolto quella carta").wait_for()
        assert two.sheet().count() == 0


def test_players_by_name_and_the_photo_of_a_fan(server: Server, tmp_path: Path, shots: Path) -> None:
    with browsing(server, tmp_path / "phone", PHONE) as walk:
        begin(walk)
        for side in (0, 1):
            read(walk, side, TABLE)
        walk.answer("closed", "Anna")
        assert walk.page.get_by_text("Carte rimaste in mano a Bruno").is_visible()
        walk.answer("pozzetto_1", "preso e non giocato")
        walk.answer("pozzetto_by_1", "Dario")
        box = walk.page.locator(".st-key-sum_held_1 input")
        box.fill("95")
        box.press("Enter")
        walk.settle()
        question = walk.page.locator(".st-key-aperta_hands_1")
        assert "Carte rimaste in mano a Carla" in question.inner_text()
        walk.tap(walk.page.locator(".st-key-way_hands_1").get_by_text("Foto"))
        walk.page.locator(".st-key-uploader_hand_hands_1 input[type=file]").set_input_files(
            {"name": "mano.jpg", "mimeType": "image/jpeg", "buffer": picture(TABLE, SIZE)}
        )
        walk.page.locator(".st-key-hand_hands_1 .tile[data-face]").first.wait_for()
        walk.settle()
        assert walk.page.locator(".st-key-hand_hands_1 .tile[data-face]").count() == 12
        walk.screenshot(shots, "phone-hands")
        walk.tap(walk.page.locator(".st-key-zero_hands_0 button"))
        walk.page.get_by_text("Prima di confermare manca").wait_for(state="detached")
