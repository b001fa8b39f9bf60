"""Cards over the border of a photo are told from cards that touch it."""

from __future__ import annotations

import pytest

from vision.border import cut_off, share_outside

SIZE = (1000, 800)


def card(x: float, y: float) -> list[tuple[float, float]]:
    return [(x, y), (x + 60, y), (x + 60, y + 90), (x, y + 90)]


@pytest.mark.parametrize(
    ("quad", "share"),
    [
        (card(100, 100), 0.0),
        (card(0, 0), 0.0),
        (card(940, 710), 0.0),
        (card(-30, 100), 0.5),
        (card(970, 100), 0.5),
        (card(100, -60), 2 / 3),
        (card(970, 755), 0.75),
        (card(2000, 100), 1.0),
        ([(500, -45), (545, 0), (500, 45), (455, 0)], 0.5),
    ],
)
def test_how_much_of_a_card_lies_outside(quad: list[tuple[float, float]], share: float) -> None:
    assert share_outside(quad, SIZE) == pytest.approx(share, abs=0.05)


def test_a_card_at_the_border_is_not_cut_by_it() -> None:
    assert not cut_off(card(-5, 100), SIZE), "as much as an outline may be wrong by"
    assert cut_off(card(-15, 100), SIZE)
