"""Whole tables are what they promise: legal, two packs, wholly in the picture, hidden cards told."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from datasets.dealing import deal_melds
from datasets.decks import make_deck
from datasets.four_corners import four_corners
from datasets.scene import Scene, Studio
from datasets.tables import JOLLY
from datasets.whole_tables import Wanted, agenda, whole_table
from datasets.yolo import shrunk, table_entry
from scoring.cards import FACES, parse_cards
from scoring.meld import legal
from scoring.regolamento import load_regolamento

FIBUR = load_regolamento("fibur")
CASES = [(0, 5, 25, False), (1, 12, 70, True), (2, 8, 44, True)]
PLAIN = Wanted(8.0, 20.0, 30, False, False, False, False, False, False, False, False)


@pytest.fixture(scope="module")
def studio() -> Studio:
    return Studio.make(np.random.default_rng(1), [], "val", tops=1)


def rendered(studio: Studio, wanted: Wanted, seed: int = 5) -> Scene:
    return whole_table(np.random.default_rng(seed), studio, wanted, (), 640)


@pytest.mark.parametrize(("seed", "melds", "cards", "burraco"), CASES)
def test_melds_are_dealt_from_two_packs(seed: int, melds: int, cards: int, burraco: bool) -> None:
    dealt = deal_melds(np.random.default_rng(seed), melds, cards, burraco)
    counts = Counter(face for meld in dealt for face in meld)
    assert len(dealt) == melds and counts.total() == cards
    assert counts.pop(JOLLY, 0) <= 4 and max(counts.values()) <= 2
    assert all(legal([FACES[face] for face in meld], FIBUR) for meld in dealt)
    assert any(a == b for a, b in pairwise(dealt[0]))
    assert not burraco or len(dealt[-1]) >= 7


def test_an_agenda_meets_every_share() -> None:
    tables = list(agenda(np.random.default_rng(0), 60, (14, 60)))
    shares = {
        name: sum(getattr(t, name) for t in tables)
        for name in ("four", "free", "marred", "covered", "pile", "things", "stock", "discards")
    }
    assert shares == {
        "four": 30, "free": 30, "marred": 30, "covered": 20, "pile": 9, "things": 24, "stock": 30, "discards": 15
    }  # fmt: skip
    assert sum(t.four and t.free for t in tables) == 15
    heights = np.log([t.index_px for t in tables])
    assert np.log(14) < heights.min() < np.log(15) and np.log(56) < heights.max() < np.log(60)
    assert {min(t.cards for t in tables), max(t.cards for t in tables)} == {25, 70}


def test_a_plain_table_shows_every_card_within_the_picture(studio: Studio) -> None:
    scene = rendered(studio, PLAIN)
    entry = table_entry(scene)
    assert len(entry["cards"]) == 30 and not entry["hidden"] and not entry["piles"]
    assert entry["whole"] == entry["melds"] and sorted(set(entry["sides"])) == [0, 1]
    assert (scene.quads >= 0).all() and (scene.quads <= [640, 480]).all()
    assert all(legal(parse_cards(meld), FIBUR) for meld in entry["melds"])


def test_a_covered_card_is_told_but_not_among_those_that_show(studio: Studio) -> None:
    entry = table_entry(rendered(studio, replace(PLAIN, covered=True)))
    assert len(entry["hidden"]) == 1 and len(entry["cards"]) == 29
    (at,) = [i for i, (seen, whole) in enumerate(zip(entry["melds"], entry["whole"], strict=True)) if seen != whole]
    left = Counter(entry["whole"][at].split()) - Counter(entry["melds"][at].split())
    assert list(left) == entry["hidden"]


def test_of_a_squared_pile_one_card_shows(studio: Studio) -> None:
    entry = table_entry(rendered(studio, replace(PLAIN, pile=True)))
    (pile,) = entry["piles"]
    assert len(pile["cards"].split()) >= 7 and pile["side"] in (0, 1)
    assert len(entry["hidden"]) == len(pile["cards"].split()) - 1
    assert pile["quad"] in [card["quad"] for card in entry["cards"]]


def test_things_hide_no_card_and_the_middle_is_no_meld(studio: Studio) -> None:
    entry = table_entry(rendered(studio, replace(PLAIN, things=True, stock=True, discards=True)))
    laid = sum(len(meld.split()) for meld in entry["melds"])
    assert laid == 30 and 3 <= len(entry["cards"]) - laid <= 8 and not entry["hidden"]
    assert entry["backs"]


def test_the_same_seed_draws_the_same_table(studio: Studio) -> None:
    one, other = (rendered(studio, PLAIN, seed=9) for _ in range(2))
    assert np.array_equal(one.image, other.image)


def test_a_deck_printed_at_four_corners_shows_each_index_four_times() -> None:
    deck = make_deck(4, four_indices=False)
    four = four_corners(deck)
    ace, width = four.spots[0], four.faces.shape[2]
    assert [s.turned for s in ace] == [False, False, True, True]
    left, right = (tuple(round(v) for v in s.box_xyxy) for s in ace[:2])
    old = deck.faces[0][left[1] : left[3], left[0] : left[2], :3]
    for face in (four.faces[0], four.faces[0][::-1, ::-1]):
        assert np.array_equal(face[right[1] : right[3], right[0] : right[2], :3], old)
    assert left[0] + right[2] == width


def test_a_shrunk_scene_keeps_its_labels_in_place(studio: Studio) -> None:
    scene = rendered(studio, PLAIN)
    half = shrunk(scene, 320)
    assert half.image.shape == (240, 320, 3)
    np.testing.assert_allclose(half.indices[0].box_xyxy, np.array(scene.indices[0].box_xyxy) / 2)
    assert shrunk(scene, 640) is scene
