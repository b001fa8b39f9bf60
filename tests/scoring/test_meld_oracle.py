"""The engine against the naive oracle, under every preset that counts melds in a way of its own."""

from __future__ import annotations

import random
from itertools import product

import pytest

from scoring.cards import cards_text, parse_cards
from tests.scoring.compare import difference
from tests.scoring.draws import random_meld
from tests.scoring.oracle import read_any_order
from tests.scoring.rulesets import FIBUR, MELD_RULESETS, ruleset

SMALL_DECK = parse_cards("A♥ 2♥ 3♥ 4♥ K♥ 2♠ JK")
SMALLER_DECK = parse_cards("A♥ 2♥ 3♥ K♥ JK")


@pytest.mark.parametrize("size", range(5))
def test_every_small_meld_in_every_order(size: int) -> None:
    for cards in product(SMALL_DECK, repeat=size):
        assert difference(cards, FIBUR, full=True) is None, cards_text(cards)


@pytest.mark.parametrize("name", ["fibur", "reale"])
def test_every_meld_of_five_in_every_order(name: str) -> None:
    for cards in product(SMALLER_DECK, repeat=5):
        assert difference(cards, ruleset(name), full=True) is None, cards_text(cards)


@pytest.mark.parametrize("name", MELD_RULESETS)
def test_random_melds(name: str) -> None:
    rng = random.Random(name)
    for _ in range(400):
        cards = random_meld(rng)
        assert difference(cards, MELD_RULESETS[name]) is None, cards_text(cards)


@pytest.mark.parametrize("name", ["fibur", "reale"])
def test_sensible_orders_miss_nothing(name: str) -> None:
    rng, rules = random.Random(5), ruleset(name)
    for _ in range(60):
        cards = random_meld(rng)[:5]
        few, all_orders = (
            {(r.classe, r.card_points, r.bonus) for r, _ in read_any_order(cards, rules, full)}
            for full in (False, True)
        )
        assert few == all_orders, cards_text(cards)
