"""The engine against the naive oracle."""

from __future__ import annotations

import random
from itertools import product

import pytest

from scoring.cards import Card, cards_text, parse_cards
from scoring.meld import legal, read_meld
from scoring.regolamento import Regolamento
from tests.scoring.draws import random_meld
from tests.scoring.oracle import alternatives, answer, read_any_order
from tests.scoring.rulesets import FIBUR, RULESETS

SMALL_DECK = parse_cards("A♥ 2♥ 3♥ 4♥ K♥ 2♠ JK")


def assert_same(cards: tuple[Card, ...], rules: Regolamento, full: bool = False) -> None:
    meld, expected = read_meld(cards, rules), answer(cards, rules)
    got = (meld.classe.value, meld.card_points, meld.bonus) if meld.legal else None
    assert got == (expected[:3] if expected else None), cards_text(cards)
    others = {(reading.classe.value, reading.points) for reading in meld.alternatives}
    assert others == alternatives(cards, rules, full), cards_text(cards)
    assert len(others) == len(meld.alternatives)
    assert legal(cards, rules) == bool(read_any_order(cards, rules, full)), cards_text(cards)
    assert meld.legal == (not meld.faults), cards_text(cards)


@pytest.mark.parametrize("size", range(5))
def test_every_small_meld_in_every_order(size: int) -> None:
    for cards in product(SMALL_DECK, repeat=size):
        assert_same(cards, FIBUR, full=True)


@pytest.mark.parametrize("name", RULESETS)
def test_random_melds(name: str) -> None:
    rng = random.Random(name)
    for _ in range(1000):
        assert_same(random_meld(rng), RULESETS[name])


def test_sensible_orders_miss_nothing() -> None:
    rng = random.Random(5)
    for _ in range(60):
        cards = random_meld(rng)[:5]
        few, all_orders = (
            {(r.classe, r.card_points, r.bonus) for r, _ in read_any_order(cards, FIBUR, full)}
            for full in (False, True)
        )
        assert few == all_orders, cards_text(cards)
