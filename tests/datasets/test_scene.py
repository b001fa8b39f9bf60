"""The renderer's promises: the same seed, the same picture; labels only where a rank shows."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from datasets.camera import homography, project
from datasets.decks import BACK, make_deck
from datasets.fonts import rank_fonts
from datasets.scene import Studio, random_scene, render
from datasets.synth import Recipe, block_scenes
from datasets.tables import JOLLY, Lay, quad_mm
from datasets.two_packs import _meld_list
from datasets.yolo import label_lines, table_entry
from scoring.cards import FACES, Card


@pytest.fixture(scope="module")
def studio() -> Studio:
    rng = np.random.default_rng(1)
    return Studio.make(rng, [make_deck(4, four_indices=False), make_deck(5, four_indices=True)], "train", tops=2)


def straight_down(px_per_mm: float) -> np.ndarray:
    return np.array([[px_per_mm, 0, 200], [0, px_per_mm, 200], [0, 0, 1]])


def test_same_seed_same_picture() -> None:
    recipe = Recipe(3, "train", 160, (11, 30))
    first, again = (next(block_scenes(recipe, 0, 1)) for _ in range(2))
    assert np.array_equal(first.image, again.image)
    assert label_lines(first) == label_lines(again)


def test_a_deck_has_two_or_four_indices(studio: Studio) -> None:
    assert [len(d.spots[0]) for d in studio.decks] == [2, 4]
    for deck in studio.decks:
        for spot in deck.spots[FACES.index(Card.parse("10♦"))]:
            assert spot.box_xyxy[2] > spot.box_xyxy[0] and spot.rank_xyxy[3] <= spot.box_xyxy[3]


def test_validation_fonts_are_never_trained_on() -> None:
    assert not set(rank_fonts("train")) & set(rank_fonts("val"))


def test_one_card_alone_shows_all_its_indices(studio: Studio) -> None:
    scene = render(
        np.random.default_rng(0),
        studio,
        studio.decks[:1],
        [Lay(7, 0, 0, 0.0, 0)],
        straight_down(2),
        (400, 400),
        things=0,
    )
    assert [i.face for i in scene.indices] == [7, 7]
    upright, turned = scene.indices
    np.testing.assert_allclose(upright.quad, np.roll(turned.quad, 2, 0))
    assert upright.box_xyxy[0] < 200 < turned.box_xyxy[0]


def test_a_covered_index_has_no_label(studio: Studio) -> None:
    deck = studio.decks[0]
    below = Lay(7, 0, 0, 0.0, 0)
    above = replace(below, face=20, y=deck.free_index_mm + 0.5)
    scene = render(np.random.default_rng(0), studio, [deck], [below, above], straight_down(2), (400, 400), things=0)
    assert Counter(i.face for i in scene.indices) == {7: 1, 20: 2}


def test_a_half_covered_rank_is_not_rendered(studio: Studio) -> None:
    deck = studio.decks[0]
    below = Lay(7, 0, 0, 0.0, 0)
    rank = deck.spots[7][0].rank_xyxy
    above = replace(below, face=20, y=(rank[1] + rank[3]) / 2 / deck.px_per_mm)
    scene = render(np.random.default_rng(0), studio, [deck], [below, above], straight_down(2), (400, 400), things=0)
    assert {lay.face for lay in scene.lays} == {20}


def test_a_back_is_labelled_as_a_back_only(studio: Studio) -> None:
    scene = render(
        np.random.default_rng(0),
        studio,
        studio.decks[:1],
        [Lay(BACK, 0, 0, 0.3, 0)],
        straight_down(2),
        (400, 400),
        things=0,
    )
    assert scene.backs == (0,) and not scene.indices
    assert [line.split()[0] for line in label_lines(scene)] == ["1"]


def test_labels_stay_inside_the_picture(studio: Studio) -> None:
    rng = np.random.default_rng(8)
    rows = [line.split() for _ in range(15) for line in label_lines(random_scene(rng, studio, 200, (11, 40)))]
    values = np.array(rows, float)
    assert len(values) > 20
    assert ((values[:, 1:] >= 0) & ((values[:, 1:] <= 1) | (values[:, 1:] == 2))).all()


def test_the_entry_names_each_card_once(studio: Studio) -> None:
    lays = [Lay(face, 0, i * studio.decks[1].free_index_mm, 0.0, 0, meld=True) for i, face in enumerate([2, 3, 4])]
    scene = render(np.random.default_rng(0), studio, studio.decks[1:], lays, straight_down(1.2), (400, 400), things=0)
    entry = table_entry(scene)
    assert entry["melds"] == ["3♥ 4♥ 5♥"]
    assert [c["card"] for c in entry["cards"]] == ["3♥", "4♥", "5♥"]


def test_the_camera_keeps_the_scale_in_the_middle() -> None:
    matrix = homography(np.random.default_rng(3), (400, 300), 2.0, tilt_deg=0.0)
    a, b = project(matrix, np.array([[0.0, 0.0], [10.0, 0.0]]))
    np.testing.assert_allclose(a, [200, 150])
    assert np.linalg.norm(b - a) == pytest.approx(20)
    deck = make_deck(4)
    assert np.linalg.norm(np.diff(quad_mm(Lay(0, 5, 5, 1.0, 0), deck)[:2], axis=0)) == pytest.approx(deck.width_mm)


@pytest.mark.parametrize("seed", range(5))
def test_two_pack_tables_hold_equal_pairs(seed: int) -> None:
    melds = _meld_list(np.random.default_rng(seed))
    counts = Counter(f for m in melds for f in m)
    assert 2 <= counts.pop(JOLLY) <= 4
    pairs = sum(n == 2 for n in counts.values())
    assert pairs >= 6 and max(counts.values()) == 2
    assert 2 * sum(a == b for m in melds for a, b in pairwise(m)) >= pairs
