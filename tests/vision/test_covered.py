"""Half-covered cards of four-index packs lie towards the cards that cover them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from scoring.cards import parse_cards
from tests.vision.tabletop import CARD_W, Laid, Noise, lay_meld, look, random_table
from vision.cards import merge_indices
from vision.covered import _mirrored, _one_edge_shows, towards_cover

CLEAN = Noise(angle_deg=1, scale=0.01, corner=0.01, missed=0, misread=0)
RUN = parse_cards("4♠ 5♠ 6♠ 7♠ 8♠")


def off_widths(view, card) -> float:
    """How far a card is read from where it lies, in card widths."""
    quad = view.quads[view.owners[card.indices[0]]]
    return float(np.linalg.norm(card.quad.mean(0) - quad.mean(0)) / np.linalg.norm(quad[1] - quad[0]))


def seen(laid: list[Laid], rng: np.random.Generator, tilt: float = 20.0):
    view = look(laid, rng, four=True, tilt=tilt, noise=CLEAN)
    return view, merge_indices(view.detections, view.readings)


@pytest.mark.parametrize("step", [14.0, 30.0, -14.0, -30.0])
@pytest.mark.parametrize("angle", [0.0, 90.0, 200.0])
def test_a_row_taken_for_its_mirror_image_is_turned_over(step, angle):
    laid = lay_meld(RUN, 0, 0, step=(step, 0), angle=angle)
    view, cards = seen(laid, np.random.default_rng(0))
    wrong = [_mirrored(card) if _one_edge_shows(card) else card for card in cards]
    assert sum(off_widths(view, card) > 0.5 for card in wrong) == 4
    assert max(off_widths(view, card) for card in towards_cover(wrong)) < 0.1


def test_what_is_right_stays_as_it_is():
    for step in ((20.0, 0.0), (0.0, 25.0)):
        _, cards = seen(lay_meld(RUN, 0, 0, step=step), np.random.default_rng(0))
        assert [card.quad.tolist() for card in towards_cover(cards)] == [card.quad.tolist() for card in cards]


def test_a_row_beside_the_whole_end_of_another_follows_its_own():
    beside = lay_meld(parse_cards("9♥ 9♣ 9♦ 9♠"), 80 + CARD_W + 16, 0, step=(20, 0))
    laid = lay_meld(RUN, 0, 0, step=(20, 0)) + beside
    view, cards = seen(laid, np.random.default_rng(0))
    wrong = [_mirrored(card) if _one_edge_shows(card) else card for card in cards]
    assert max(off_widths(view, card) for card in towards_cover(wrong)) < 0.1


def test_tables_of_rows_and_columns_come_out_right_whichever_side_was_guessed():
    right = total = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        view, cards = seen(random_table(rng), rng, float(rng.uniform(0, 40)))
        guessed = [_mirrored(c) if _one_edge_shows(c) and rng.random() < 0.5 else c for c in cards]
        total += len(cards)
        right += sum(off_widths(view, card) < 0.25 for card in towards_cover(guessed))
    assert right >= 0.97 * total


@pytest.mark.parametrize("step", [18.0, 40.0, -18.0, -40.0])
@pytest.mark.parametrize("guess", ["as it is", "mirrored"])
def test_the_picture_shows_where_the_whole_card_lies_that_was_not_read(step, guess):
    view, cards = seen(lay_meld(RUN, 0, 0, step=(step, 0), angle=30.0), np.random.default_rng(0))
    rng = np.random.default_rng(1)
    low = view.quads.reshape(-1, 2).min(0) - 60
    size = view.quads.reshape(-1, 2).max(0) + 60 - low
    picture = rng.integers(60, 90, (int(size[1]), int(size[0]), 3)).astype(np.uint8)
    for quad in view.quads:
        cv2.fillConvexPoly(picture, np.round(quad - low).astype(np.int32), (236, 230, 220))
        cv2.circle(picture, np.round(quad.mean(0) - low).astype(int).tolist(), 9, (30, 30, 30), -1)  # a pip
    strips = [moved(card, -low) for card in cards if _one_edge_shows(card)]
    guessed = [_mirrored(card) if guess == "mirrored" else card for card in strips]
    view.quads -= low
    assert len(strips) == 4 and max(off_widths(view, card) for card in towards_cover(guessed, picture)) < 0.1


def moved(card, by):
    """The card elsewhere in the picture."""
    places = tuple((x + by[0], y + by[1]) for x, y in card.places_xy)
    return replace(card, quad=(card.quad + by).astype(np.float32), places_xy=places)


def test_nothing_is_nothing():
    assert towards_cover([]) == []
