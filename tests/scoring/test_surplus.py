"""What of an irregular meld still counts, and what a referee may count negative."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.cards import FACES, Card, cards_text, parse_cards
from scoring.marks import MarkVerdict, check_marks
from scoring.meld import legal, read_meld
from scoring.regolamento import Regolamento
from scoring.surplus import legal_part
from tests.scoring.draws import random_meld
from tests.scoring.rulesets import FIBUR, MELD_RULESETS, ruleset

TO_KING = "A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠ Q♠ K♠"
any_cards = st.one_of(
    st.integers(0, 2**32).map(lambda seed: random_meld(random.Random(seed))),
    st.lists(st.sampled_from(FACES), max_size=12).map(tuple),
)


@pytest.mark.parametrize(
    ("cards", "rules", "countable", "surplus"),
    [
        ("", "fibur", 0, ""),
        ("7♥ 7♠", "fibur", 0, "7♥ 7♠"),
        ("JK JK JK", "fibur", 0, "JK JK JK"),
        ("4♥ 5♥ 6♥ 9♠", "fibur", 15, "9♠"),
        ("9♥ 10♥ JK 2♣ K♥", "fibur", 50, "2♣ K♥"),
        ("K♥ K♠ JK 2♦", "fibur", 50, "2♦"),
        ("K♥ A♥ 2♥ 3♥", "fibur", 40, "K♥"),
        ("2♥ 3♥ 4♥ 6♥", "fibur", 30, "6♥"),
        ("2♥ 3♥ 4♥ 6♥", "onmadesoft", 15, "6♥"),
        ("3♥ 5♥ 4♥", "fibur", 15, ""),
        ("5♥ 5♥ 6♥ 7♥", "fibur", 15, "5♥"),
        ("5♥ 6♥ 7♥ 5♥", "fibur", 15, "5♥"),
        ("7♥ 7♥ 7♥ 7♠", "fibur", 15, "7♥"),
        (f"{TO_KING} A♠ JK", "fibur", 150, "A♠"),
        (f"{TO_KING} A♠ JK", "reale", 125, "JK"),
        ("3♥ 4♥ 5♥ JK", "reale", 15, "JK"),
        ("K♣ K♣ K♦ K♥", "internazionale", 0, "K♣ K♣ K♦ K♥"),
        ("3♥ 4♥ JK", "fibur, wilds.per_meld = 0", 0, "3♥ 4♥ JK"),
        ("3♥ 4♥ 5♥ JK", "fibur, wilds.per_meld = 0", 15, "JK"),
        (TO_KING, "fibur, runs.max_naturals = 12", 110, "K♠"),
    ],
)
def test_the_legal_part(cards: str, rules: str, countable: int, surplus: str) -> None:
    part = legal_part(parse_cards(cards), ruleset(rules))
    assert (part.countable, cards_text(part.surplus)) == (countable, surplus)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(any_cards, st.sampled_from(list(MELD_RULESETS.values())))
def test_the_rest_is_a_meld_and_nothing_is_lost(cards: tuple[Card, ...], regolamento: Regolamento) -> None:
    part, read = legal_part(cards, regolamento), read_meld(cards, regolamento)
    rest = list(cards)
    for card in part.surplus:
        rest.remove(card)
    assert legal(rest, regolamento) or (not rest and not part.countable)
    if read.legal:
        assert (part.countable, part.surplus) == (read.card_points, ())
    one_less = (cards[:at] + cards[at + 1 :] for at in range(len(cards)))
    if len(part.surplus) > 1:
        assert not any(read_meld(fewer, regolamento).legal for fewer in one_less)


SEVEN = "3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥"


@pytest.mark.parametrize(
    ("cards", "crosswise", "rules", "verdict", "stated"),
    [
        (SEVEN, [], "fibur", MarkVerdict.NO_MARKS, ""),
        (SEVEN, [5, 6], "fibur", MarkVerdict.AGREE, "pulito"),
        (SEVEN, [0, 1], "fibur", MarkVerdict.AGREE, "pulito"),
        (SEVEN, [6], "fibur", MarkVerdict.DISAGREE, "sporco"),
        (SEVEN, [2, 4], "fibur", MarkVerdict.UNKNOWN, ""),
        (f"{SEVEN} JK", [6], "fibur", MarkVerdict.AGREE, "semipulito"),
        (f"{SEVEN} JK", [6], "fedibur", MarkVerdict.UNKNOWN, ""),
        (f"{SEVEN} JK", [7], "fedibur", MarkVerdict.AGREE, "sporco"),
        ("3♥ 4♥ 5♥", [2], "fibur", MarkVerdict.DISAGREE, "sporco"),
        ("3♥ 4♥ 9♥", [2], "fibur", MarkVerdict.DISAGREE, "sporco"),
        (TO_KING, [10, 11, 12], "feburit", MarkVerdict.AGREE, "reale super"),
        (SEVEN, [4, 5, 6], "feburit", MarkVerdict.DISAGREE, "reale super"),
        (TO_KING, [11, 12], "fitab", MarkVerdict.UNKNOWN, "pulito"),
    ],
)
def test_marks(cards: str, crosswise: list[int], rules: str, verdict: MarkVerdict, stated: str) -> None:
    regolamento = ruleset(rules)
    check = check_marks(read_meld(parse_cards(cards), regolamento), crosswise, regolamento)
    assert (check.verdict, " ".join(classe.value for classe in check.stated)) == (verdict, stated)


def test_forty_cards_have_a_legal_part() -> None:
    part = legal_part(FACES[:40], FIBUR)
    assert (part.countable, len(part.surplus)) == (140, 26)
