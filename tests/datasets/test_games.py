"""Rendered games: what lies is legal, seeded, and changes as a table does."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from datasets.game_pieces import SIZE_WH, meld_plan
from datasets.games import Game, GameRecipe, make_game
from scoring.cards import FACES
from scoring.meld import read_meld
from scoring.regolamento import load_regolamento

FIBUR = load_regolamento("fibur")


@pytest.fixture(scope="module")
def game() -> Game:
    return make_game(3, GameRecipe(cards=14, turn_s=5.0, least_s=0))


@pytest.mark.parametrize("seed", range(12))
def test_the_melds_are_legal_and_of_two_packs(seed):
    plan = meld_plan(np.random.default_rng(seed), 40)
    assert sum(map(len, plan)) >= 40
    assert len(plan[0]) >= 7
    assert all(read_meld([FACES[face] for face in meld], FIBUR).legal for meld in plan)
    counts = Counter(face for meld in plan for face in meld)
    assert all(count <= (4 if face == 52 else 2) for face, count in counts.items())


def test_a_game_has_all_that_a_camera_must_bear(game):
    what = Counter(state.what for state in game.states)
    assert what["meld"] >= 3
    assert what["squared"] == 1
    assert what["nudge"] == 2
    assert what["discard"] >= 5
    assert 20 <= game.index_px <= 35
    assert len(game.states[-1].melds[0]) >= 7


def test_a_nudge_moves_the_picture_by_one_to_five_centimetres(game):
    for before, after in zip(game.states, game.states[1:], strict=False):
        if after.what == "nudge":
            moved = np.linalg.inv(before.matrix) @ after.matrix
            assert 9 < float(np.hypot(*(moved / moved[2, 2])[:2, 2])) < 51


def test_frames_are_the_same_for_the_same_seed_and_show_hands(game):
    again = make_game(3, GameRecipe(cards=14, turn_s=5.0, least_s=0))
    reach = game.reaches[0]
    first = game.frame(reach.at_s)
    assert first.shape == (SIZE_WH[1], SIZE_WH[0], 3)
    assert (first == again.frame(reach.at_s)).all()
    quiet = game.frame(game.length_s).astype(int)
    assert (np.abs(first.astype(int) - quiet).max(axis=2) > 40).mean() > 0.02


def test_a_game_of_the_benchmark_is_long_enough():
    long = make_game(1)
    assert long.length_s > 240
    assert sum(map(len, long.states[-1].melds)) >= 40
