"""Indices that were left apart at free corners of a card of their own name belong to it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring.cards import FACES, parse_cards
from tests.vision.tabletop import Laid, Noise, lay_meld, look
from vision.cards import SeenCard, Slot, merge_indices
from vision.corners import with_free_corners

CLEAN = Noise(angle_deg=1, scale=0.01, corner=0.01, missed=0, misread=0)
TURNED = {Slot.TOP_LEFT: Slot.BOTTOM_RIGHT, Slot.BOTTOM_LEFT: Slot.TOP_RIGHT}
TURNED |= {b: a for a, b in TURNED.items()}


def whole_card(angle: float = 30.0) -> SeenCard:
    view = look([Laid(*parse_cards("K♥"), 0, 0, angle)], np.random.default_rng(0), four=True, noise=CLEAN)
    (card,) = merge_indices(view.detections, view.readings)
    assert len(card.indices) == 4
    return card


TL, TR, BR, BL = Slot


def only(card: SeenCard, corners: tuple[Slot, ...], turned: bool = False) -> SeenCard:
    """The same card as some of its indices alone would show it, read upright or upside down."""
    at = [card.slots.index(slot) for slot in corners]
    slots = tuple(TURNED[card.slots[k]] if turned else card.slots[k] for k in at)
    return replace(
        card,
        quad=np.roll(card.quad, 2, axis=0) if turned else card.quad,
        indices=tuple(card.indices[k] for k in at),
        slots=slots,
        places_xy=tuple(card.places_xy[k] for k in at),
    )


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("parts", [((TL, TR), (BR,), (BL,)), ((TL, BR), (TR, BL)), ((TL, TR, BR), (BL,))])
def test_a_card_in_parts_is_one_card(parts, turned):
    card = whole_card()
    first, *others = parts
    (joined,) = with_free_corners([only(card, first), *(only(card, part, turned) for part in others)])
    assert sorted(joined.indices) == sorted(card.indices)
    assert dict(zip(joined.indices, joined.slots, strict=True)) == dict(zip(card.indices, card.slots, strict=True))
    assert FACES[joined.best] == parse_cards("K♥")[0]


def test_another_name_or_another_place_stays_apart():
    card = whole_card()
    two, lone = only(card, (TL, TR)), only(card, (BR,))
    far = replace(lone, places_xy=((lone.places_xy[0][0] + 40, lone.places_xy[0][1]),))
    misread = replace(lone, log_probs=np.roll(lone.log_probs, 1))
    assert len(with_free_corners([two, far])) == 2
    assert len(with_free_corners([two, misread])) == 2
    assert len(with_free_corners([two, only(card, (TL,))])) == 2


def test_a_neighbour_laid_on_by_the_width_between_two_indices_stays_a_card():
    card = whole_card()
    assert len(with_free_corners([only(card, (TL, BL)), only(card, (TR, BR))])) == 2


@pytest.mark.parametrize("step", [(17.0, 0.0), (30.0, 0.0), (44.0, 0.0), (0.0, 22.0), (0.0, 60.0)])
@pytest.mark.parametrize("four", [False, True])
def test_equal_neighbours_stay_two(step, four):
    rng = np.random.default_rng(1)
    view = look(lay_meld(parse_cards("7♠ 7♠ 7♦ 7♦"), 0, 0, step=step, rng=rng), rng, four=four, noise=CLEAN)
    cards = merge_indices(view.detections, view.readings)
    assert len(with_free_corners(cards)) == len(cards)
