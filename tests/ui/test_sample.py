"""The sample that ships is a legal table, and the networks that ship read it."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import pytest

from scoring.cards import parse_cards
from scoring.meld import read_meld
from scoring.regolamento import load_regolamento
from ui.demo import DEMO_MATCH, sample_photos
from ui.sample.render import SIDES
from ui.settings import ROOT

MODELS = ROOT / "models"
FIBUR = load_regolamento(DEMO_MATCH.regolamento)


def test_the_sample_is_a_legal_table() -> None:
    melds = [parse_cards(text) for text in chain(*SIDES)]
    assert all(read_meld(cards, FIBUR).legal for cards in melds)
    assert FIBUR.deck.faults(chain(*melds)) == ()


@pytest.mark.skipif(not (MODELS / "index.onnx").is_file(), reason="the networks are not there")
@pytest.mark.parametrize(("side", "data"), sample_photos())
def test_the_line_reads_the_sample(side: int, data: bytes) -> None:
    from vision.line import TableReader
    from vision.photo import load_photo

    reading = TableReader(MODELS).read(load_photo(data), FIBUR)
    true = Counter(chain(*map(parse_cards, SIDES[side])))
    seen = Counter(card.card for card in reading.cards)
    assert (true & seen).total() >= 0.94 * true.total(), f"missed {true - seen}, invented {seen - true}"
