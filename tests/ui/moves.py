"""What a person does on the pages, as moves that several walks through them share."""

from __future__ import annotations

import re

from tests.ui.browser import Walk
from tests.ui.pictures import picture

SIZE = (800, 600)
PAIRS = ("Anna e Bruno", "Carla e Dario")


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
