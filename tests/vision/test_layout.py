"""Geometry of melds: chains, order, crosswise cards, neighbours that do not belong."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.cards import FACES, parse_cards
from tests.vision.tabletop import Laid, Noise, lay_meld, look, spread_table
from vision.cards import merge_indices
from vision.layout import Role, Shape, group_cards

CLEAN = Noise(angle_deg=1, scale=0.01, corner=0.01, missed=0, misread=0)
GOOD = Noise(angle_deg=3, scale=0.05, corner=0.06, missed=0.01, misread=0)


def groups_of(laid, noise=CLEAN, four=False, seed=0, tilt=20.0):
    view = look(laid, np.random.default_rng(seed), four=four, noise=noise, tilt=tilt)
    groups = group_cards(merge_indices(view.detections, view.readings))
    return groups, [[view.owners[card.indices[0]] for card in group.cards] for group in groups]


def names(group) -> str:
    return " ".join(str(FACES[card.best]) for card in group.cards)


def test_no_cards_no_groups():
    assert group_cards([]) == []


def test_cards_apart_stay_loose():
    laid = [Laid(card, 100.0 * i, 0, 10.0 * i) for i, card in enumerate(parse_cards("K♥ 2♠ 9♦ 9♦"))]
    groups, _ = groups_of(laid)
    assert [group.role for group in groups] == [Role.LOOSE] * 4


@pytest.mark.parametrize("angle", [0, 90, 180, 270, 35])
@pytest.mark.parametrize(("step", "shape"), [((0.0, 22.0), Shape.COLUMN), ((16.0, 0.0), Shape.ROW)])
def test_melds_read_in_laid_order_from_every_chair(angle, step, shape):
    groups, _ = groups_of(lay_meld(parse_cards("3♥ 4♥ 5♥ 6♥ 7♥"), 0, 0, angle=angle, step=step))
    assert len(groups) == 1
    assert groups[0].shape is shape
    assert groups[0].role is Role.MELD
    assert names(groups[0]) in ("3♥ 4♥ 5♥ 6♥ 7♥", "7♥ 6♥ 5♥ 4♥ 3♥")


def test_upright_melds_read_down_and_right():
    (down,), _ = groups_of(lay_meld(parse_cards("3♥ 4♥ 5♥"), 0, 0))
    (right,), _ = groups_of(lay_meld(parse_cards("K♣ Q♣ J♣"), 0, 0, step=(18.0, 0.0)))
    assert (names(down), names(right)) == ("3♥ 4♥ 5♥", "K♣ Q♣ J♣")


def test_columns_side_by_side_stay_apart():
    laid = []
    for i, meld in enumerate(("3♥ 4♥ 5♥ 6♥", "9♠ 9♦ 9♣", "J♦ Q♦ K♦ A♦")):
        laid += lay_meld(parse_cards(meld), 54.0 * i, 0, step=(0, 24))
    groups, _ = groups_of(laid)
    assert sorted(names(group) for group in groups) == ["3♥ 4♥ 5♥ 6♥", "9♠ 9♦ 9♣", "J♦ Q♦ K♦ A♦"]


@pytest.mark.parametrize(("turned", "marks"), [((6,), 1), ((5,), 1), ((5, 6), 2)])
@pytest.mark.parametrize("step", [(0.0, 26.0), (20.0, 0.0)])
def test_crosswise_cards_belong_to_their_burraco(turned, marks, step):
    laid = lay_meld(parse_cards("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥"), 0, 0, step=step)
    for i in turned:
        laid[i].angle += 90
    groups, members = groups_of(laid, four=True)
    assert set(members[0]) >= {0, 1, 2, 3}
    assert len(groups[0].crosswise) == marks
    assert all(members[0][at] in turned for at in groups[0].crosswise)


def test_a_fan_is_one_group_in_order():
    cards = parse_cards("2♥ 9♠ K♦ 4♣ 4♠ J♥ 7♦")
    angles = np.linspace(-30, 30, len(cards))
    laid = [
        Laid(card, 150 * np.sin(np.radians(a)), -150 * np.cos(np.radians(a)), a)
        for card, a in zip(cards, angles, strict=True)
    ]
    groups, members = groups_of(laid)
    assert members == [list(range(7))]
    assert groups[0].shape is Shape.FAN


@pytest.mark.parametrize("four", [False, True])
def test_tables_of_melds_come_apart_as_they_were_laid(four):
    right = total = 0
    for seed in range(10):
        laid, truth = spread_table(np.random.default_rng(seed))
        _, members = groups_of(laid, noise=GOOD, four=four, seed=seed, tilt=30)
        visible = {owner for group in members for owner in group}
        for meld in truth:
            shown = [owner for owner in meld if owner in visible]
            total += 1
            right += any(group in (shown, shown[::-1]) for group in members)
    assert right >= 0.93 * total
