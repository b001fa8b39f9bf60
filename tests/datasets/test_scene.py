"""The renderer's promises: the same seed, the same picture; labels only where a rank shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import islice, pairwise

import numpy as np
import pytest

from datasets.camera import NoiseBank, homography, project
from datasets.decks import BACK, Deck, make_deck
from datasets.fonts import rank_fonts
from datasets.paint import lay_over
from datasets.scene import Studio, random_scene, render
from datasets.synth import Recipe, block_scenes, scenes
from datasets.tables import JOLLY, Lay, column, face_id, fan, place, quad_mm, row, scattered
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


@pytest.mark.parametrize(("shape", "is_meld"), [(column, True), (row, True), (fan, False), (scattered, False)])
def test_only_melds_are_listed_as_melds(
    studio: Studio, shape: Callable[[np.random.Generator, Deck], list[Lay]], is_meld: bool
) -> None:
    deck = studio.decks[0]
    laid = next(lays for seed in range(20) if len(lays := shape(np.random.default_rng(seed), deck)) >= 4)
    table = place(laid, (0.0, 0.0), 0.0, 3, 0)
    scene = render(np.random.default_rng(0), studio, [deck], table, straight_down(0.5), (400, 400), things=0)
    entry = table_entry(scene)
    shown = dict.fromkeys(index.lay for index in scene.indices)
    assert len(shown) >= 3
    assert [m.split() for m in entry["melds"]] == ([[str(FACES[scene.lays[n].face]) for n in shown]] if is_meld else [])


def test_a_card_whose_suit_is_covered_is_known_by_its_rank_alone(studio: Studio) -> None:
    deck = next(d for d in studio.decks if d.free_index_mm > d.free_rank_mm + 2)
    faces = [face_id(0, 9), face_id(1, 9)]
    for step, cards in ((deck.free_rank_mm, ["T?", "10♦"]), (deck.free_index_mm + 1, ["10♥", "10♦"])):
        table = [Lay(face, 0.0, at * step, 0.0, 0, meld=True) for at, face in enumerate(faces)]
        scene = render(np.random.default_rng(0), studio, [deck], table, straight_down(1.5), (400, 400), things=0)
        assert [c["card"] for c in table_entry(scene)["cards"]] == cards


def test_a_card_under_another_does_not_show(studio: Studio) -> None:
    above = Lay(20, 0, 0, 0.0, 0)
    under = [replace(above, face=BACK), above]
    kwargs = {"matrix": straight_down(2), "size_wh": (400, 400), "things": 0}
    alone, both = (render(np.random.default_rng(0), studio, studio.decks[:1], t, **kwargs) for t in ([above], under))
    assert [i.face for i in both.indices] == [i.face for i in alone.indices] == [20, 20]
    assert not both.backs


def test_a_shape_is_opaque_inside_mixed_at_its_rim_and_nowhere_else() -> None:
    ground, paint = np.full((9, 9, 3), 200, np.uint8), np.full((9, 9, 3), 40, np.uint8)
    alpha = np.zeros((9, 9), np.uint8)
    alpha[3:6, 3:6], alpha[4, 6] = 255, 128
    shadow = np.zeros((9, 9), np.uint8)
    shadow[2:7, 2:8] = 255
    canvas = np.full((20, 20, 3), 200, np.uint8)
    lay_over(canvas[5:14, 5:14], paint, alpha, shadow, depth=0.5)
    picture = canvas[5:14, 5:14, 0]
    assert (picture[3:6, 3:6] == 40).all()
    assert picture[2, 2] == 100 and abs(int(picture[4, 6]) - (40 * 128 + 100 * 127) // 255) <= 1
    assert (picture[[0, 8]] == 200).all() and (canvas[:5] == ground[0, 0]).all()


def test_noise_has_the_strength_asked_for() -> None:
    bank = NoiseBank.make(np.random.default_rng(0), 256)
    noisy = bank.over(np.random.default_rng(1), np.full((300, 200, 3), 120, np.uint8), 8.0)
    assert noisy.shape == (300, 200, 3)
    assert noisy.mean() == pytest.approx(120, abs=0.3) and noisy.std() == pytest.approx(8, abs=0.3)


def test_lanes_differ_and_each_goes_on_past_its_first_decks() -> None:
    recipe = Recipe(3, "train", 96, (11, 30), block=2)
    first, other = (list(islice(scenes(recipe, lane), 3)) for lane in (0, 1))
    assert len(first) == 3 and not np.array_equal(first[0].image, other[0].image)


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


def test_decks_with_different_numbers_of_faces_lie_on_one_table() -> None:
    """A free deck has one jolly, our own have several, each with its own mark."""
    ours, free = make_deck(4, four_indices=False, joker="star"), make_deck(5, four_indices=False, joker="star")
    free = replace(
        free, faces=free.faces[:55], small_faces=tuple(f[:55] for f in free.small_faces), spots=free.spots[:55]
    )
    assert len(ours.jolly) == 4 and free.jolly == (52,)
    lays = [Lay(row, i * 80.0, 0, 0, 0) for i, row in enumerate(ours.jolly)]
    lays += [Lay(row, i * 80.0, 120, 0, 1, deck=1) for i, row in enumerate((52, 7))]
    rng = np.random.default_rng(0)
    studio = Studio.make(rng, [ours, free], "train", tops=1)
    matrix = np.array([[3.0, 0, 150], [0, 3.0, 180], [0, 0, 1]])
    scene = render(rng, studio, [ours, free], lays, matrix, (1000, 800), things=0)
    assert Counter(i.face for i in scene.indices) == {52: 10, 7: 2}
