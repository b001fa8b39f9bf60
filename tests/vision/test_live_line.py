"""The real networks over a few rendered frames of a game: the melds that lie there, and nothing of the fan."""

from __future__ import annotations

import pytest

from datasets.games import GameRecipe, make_game
from scoring.cards import cards_text
from scoring.regolamento import load_regolamento
from vision.line import MODELS_DIR, TableReader
from vision.live import LiveTable


@pytest.mark.skipif(not (MODELS_DIR / "index.onnx").is_file(), reason="no networks here")
def test_a_meld_that_is_laid_is_read_and_the_fan_is_not():
    game = make_game(1, GameRecipe(cards=18, turn_s=5.0, least_s=0))
    at_s = game.states[1].at_s + 2.5
    table = LiveTable(TableReader(), load_regolamento("fibur"))
    states = [table.see(game.frame(at_s + step / 10)) for step in range(5)]
    shown = [cards_text(meld.faces) for meld in states[-1].melds]
    assert shown == [cards_text(meld) for meld in game.states[1].melds]
