"""Readings of a meld: the golden cases, questions, reasons, faults, and what always holds."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.cards import FACES, JOLLY, Card, Rank, cards_text, parse_cards
from scoring.deck import Deck
from scoring.meld import BurracoClass, ClassReason, Meld, MeldFault, MeldKind, MeldQuestion, legal, read_meld
from scoring.regolamento import Aces, Regolamento, changed
from tests.scoring.draws import WILDS, random_meld
from tests.scoring.rulesets import AT_END, CHEAP_TWO, FIBUR, MELD_RULESETS, RULESETS, ruleset

GOLDEN: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "golden" / "melds.json").read_text(encoding="utf-8")
)
CASES = [pytest.param(case, name, id=f"{case['id']}-{name}") for case in GOLDEN for name in case["expect"]]
FEDIBUR = RULESETS["fedibur"]
some_melds = st.integers(0, 2**32).map(lambda seed: random_meld(random.Random(seed)))
some_cards = st.lists(st.sampled_from(FACES), max_size=16).map(tuple)


def meld(text: str, regolamento: Regolamento = FIBUR) -> Meld:
    return read_meld(parse_cards(text), regolamento)


@pytest.mark.parametrize(("case", "name"), CASES)
def test_golden(case: dict[str, Any], name: str) -> None:
    read = meld(case["cards"], ruleset(name))
    got = {"class": read.classe.value if read.legal else None, "card_points": read.card_points, "bonus": read.bonus}
    assert got == case["expect"][name]
    assert bool(read.questions) == case["question"]


@pytest.mark.parametrize(
    ("text", "stands_for"),
    [
        ("8♠ JK 9♠", "7♠"),
        ("9♠ JK 8♠", "7♠"),
        ("Q♥ 2♠ K♥ A♥", "J♥"),
        ("A♥ 2♥ JK 3♥", "4♥"),
        ("3♥ 4♥ 6♥ JK", "5♥"),
        ("JK 3♥ 4♥ 6♥", "5♥"),
        ("JK 2♠ A♠", "3♠"),
        ("3♥ 4♥ 2♥ 6♥", "5♥"),
        ("7♠ 7♥ JK", "7♥"),
        ("2♦ 7♥ 7♥ 7♠", "7♦"),
    ],
)
def test_a_wild_in_any_laid_place_counts_in_its_own(text: str, stands_for: str) -> None:
    reading = meld(text).reading
    assert reading and reading.wild
    assert str(reading.wild.stands_for) == stands_for


def test_places_keep_the_direction_of_the_table() -> None:
    rising, falling = meld("4♥ JK 5♥").reading, meld("5♥ JK 4♥").reading
    assert rising and falling
    assert (cards_text(rising.cards), cards_text(falling.cards)) == ("JK 4♥ 5♥", "5♥ 4♥ JK")
    assert rising.kind is MeldKind.SEQUENZA


@pytest.mark.parametrize(
    ("text", "regolamento", "classe", "why", "before", "after"),
    [
        ("3♥ 4♥ 5♥", FIBUR, "none", ClassReason.SHORT, 3, 0),
        ("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥", FIBUR, "pulito", ClassReason.NO_WILD, 7, 0),
        ("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ JK", FIBUR, "sporco", ClassReason.WILD_BREAKS_RUN, 6, 0),
        ("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ JK", FIBUR, "semipulito", ClassReason.NATURALS_BEFORE_WILD, 7, 0),
        ("JK 9♥ 8♥ 7♥ 6♥ 5♥ 4♥ 3♥", FIBUR, "semipulito", ClassReason.NATURALS_AFTER_WILD, 0, 7),
        ("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ JK", AT_END, "semipulito", ClassReason.WILD_AT_END, 7, 0),
        ("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ JK J♥", AT_END, "sporco", ClassReason.WILD_INSIDE, 7, 1),
        ("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ JK", FEDIBUR, "sporco", ClassReason.NO_SEMIPULITO, 7, 0),
        ("Q♥ Q♥ Q♠ Q♠ Q♦ Q♦ Q♣", FIBUR, "pulito", ClassReason.NO_WILD, 7, 0),
        ("Q♥ Q♥ Q♠ Q♠ Q♦ Q♦ JK", FIBUR, "sporco", ClassReason.WILD_IN_SHORT_SET, 6, 0),
        ("Q♥ Q♥ Q♠ Q♠ Q♦ Q♦ Q♣ JK", FIBUR, "semipulito", ClassReason.SET_WITH_WILD, 7, 0),
        ("Q♥ Q♥ Q♠ Q♠ Q♦ Q♦ Q♣ JK", FEDIBUR, "sporco", ClassReason.NO_SEMIPULITO, 7, 0),
    ],
)
def test_the_class_has_its_reason(
    text: str, regolamento: Regolamento, classe: str, why: ClassReason, before: int, after: int
) -> None:
    reading = meld(text, regolamento).reading
    assert reading
    assert (reading.classe, reading.why) == (BurracoClass(classe), why)
    assert (reading.naturals_before_wild, reading.naturals_after_wild) == (before, after)


@pytest.mark.parametrize(
    ("text", "regolamento", "answer", "others"),
    [
        ("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 2♥", FIBUR, 215, ["pulito 265"]),
        ("2♥ 9♥ 8♥ 7♥ 6♥ 5♥ 4♥ 3♥", CHEAP_TWO, 215, ["pulito 250"]),
        ("3♥ 4♥ 2♥ 5♥ 6♥ 7♥ 8♥ 9♥", FIBUR, 265, ["semipulito 215"]),
        ("2♥ 3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥", FIBUR, 265, []),
        ("3♥ 4♥ 2♥", CHEAP_TWO, 30, ["none 15"]),
        ("2♥ 3♥ 4♥", CHEAP_TWO, 15, []),
        ("3♥ 4♥ 5♥ 2♥", FIBUR, 35, []),
        ("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ JK 8♠ 9♠ 10♠ J♠ Q♠ K♠", FIBUR, 245, ["semipulito 295"]),
        ("3♥ 5♥ 4♥", FIBUR, 0, ["none 15"]),
        ("2♥ 3♥ 4♥ 6♥", FIBUR, 0, ["none 35"]),
        ("A♥ Q♥ K♥", FIBUR, 0, ["none 35"]),
    ],
)
def test_another_reading_that_counts_differently_is_a_question(
    text: str, regolamento: Regolamento, answer: int, others: list[str]
) -> None:
    read = meld(text, regolamento)
    assert read.points == answer
    assert [f"{other.classe.value} {other.points}" for other in read.alternatives] == others
    assert (MeldQuestion.OTHER_READING in read.questions) == bool(others)


@pytest.mark.parametrize("text", ["Q♥ K♥ A♥ 2♥", "2♥ A♥ K♥ Q♥", "K♥ A♥ 2♥"])
def test_a_two_past_the_high_ace_is_a_question(text: str) -> None:
    read = meld(text)
    assert read.legal and read.questions == (MeldQuestion.PAST_THE_ACE,)


@pytest.mark.parametrize("name", ["fitab", "fibur", "onmadesoft", "reale"])
def test_a_two_past_the_ace_that_is_natural_is_asked_only_where_it_counts_otherwise(name: str) -> None:
    read = meld("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥ J♥ Q♥ K♥ A♥ 2♥", RULESETS[name])
    assert read.reading is not None and read.reading.wild is None
    assert read.questions == ((MeldQuestion.OTHER_READING,) if name == "reale" else ())


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", "TOO_FEW_CARDS"),
        ("7♥", "TOO_FEW_CARDS"),
        ("7♥ 7♠", "TOO_FEW_CARDS"),
        ("7♥ 9♥", "TOO_FEW_CARDS GAP"),
        ("JK JK", "ONLY_WILDS TOO_FEW_CARDS TOO_MANY_WILDS"),
        ("2♥ 2♠ 2♦", "ONLY_WILDS TOO_MANY_WILDS"),
        ("K♥ K♠ JK 2♦", "TOO_MANY_WILDS"),
        ("9♥ 10♥ JK 2♣ K♥", "TOO_MANY_WILDS"),
        ("2♥ 2♥ 2♥ 4♥", "TOO_MANY_WILDS TOO_MANY_COPIES"),
        ("5♥ 6♦ 7♥", "MIXED_CARDS"),
        ("5♥ 6♦ 9♥ JK JK", "MIXED_CARDS TOO_MANY_WILDS"),
        ("5♥ 5♥ 6♥", "REPEATED_RANK"),
        ("5♥ 6♥ 8♥", "GAP"),
        ("5♥ 6♥ JK 9♥", "GAP"),
        ("K♥ A♥ 3♥", "GAP"),
        ("K♥ A♥ JK 3♥", "TURNS_CORNER"),
        ("K♥ A♥ 2♥ 3♥", "TURNS_CORNER"),
        ("A♥ 2♥ 3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥ J♥ Q♥ K♥ A♥", "ACE_AT_BOTH_ENDS"),
        ("A♥ JK 3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥ J♥ Q♥ K♥ A♥", "ACE_AT_BOTH_ENDS"),
        ("A♥ 3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥ J♥ Q♥ K♥ A♥", "REPEATED_RANK"),
        ("A♥ 2♥ 3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥ J♥ Q♥ K♥ A♥ 3♥", "REPEATED_RANK RUN_TOO_LONG"),
        ("A♥ K♥ Q♥ A♥", "REPEATED_RANK"),
        ("7♥ 7♥ 7♠ 7♠ 7♦ 7♦ 7♣ 7♣ 7♥", "SET_TOO_LARGE TOO_MANY_COPIES"),
        ("7♥ 7♥ 7♥", "TOO_MANY_COPIES"),
        ("JK JK JK JK JK", "ONLY_WILDS TOO_MANY_WILDS TOO_MANY_COPIES"),
        ("3♥ 5♥ 4♥", "OUT_OF_ORDER"),
        ("2♥ 3♥ 4♥ 6♥", "GAP"),
        ("K♥ 2♥ 2♣", "GAP TOO_MANY_WILDS"),
        ("2♥ 2♠ K♥", "GAP TOO_MANY_WILDS"),
        ("2♥ 3♥ 5♥ JK 7♥", "GAP"),
    ],
)
def test_every_fault_at_once(text: str, faults: str) -> None:
    read = meld(text)
    expected = MeldFault.VALID
    for name in faults.split():
        expected |= MeldFault[name]
    assert read.faults == expected
    assert (read.legal, read.points, read.classe) == (False, 0, BurracoClass.NONE)


def test_no_illegal_meld_is_without_a_fault_whatever_the_limits() -> None:
    rng = random.Random(3)
    for _ in range(3000):
        limits = {
            "runs.aces": rng.choice(["one_end", "both_ends"]),
            "runs.max_naturals": rng.randint(3, 14),
            "runs.min_cards": rng.randint(3, 5),
            "sets.max_naturals": rng.randint(3, 9),
            "sets.min_cards": rng.randint(3, 5),
            "wilds.per_meld": rng.randint(0, 1),
        }
        rules = changed(FIBUR, [f"{key}={value}" for key, value in limits.items()])
        cards = random_meld(rng)
        read = read_meld(cards, rules)
        assert read.legal is not bool(read.faults), (cards_text(cards), limits)


def test_a_run_from_ace_to_ace_is_too_long_where_thirteen_naturals_are_the_most() -> None:
    run = "A♥ 2♥ 3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥ J♥ Q♥ K♥ A♥"
    both_ends = changed(FIBUR, ["runs.aces=both_ends"])
    assert meld(run, both_ends).faults == MeldFault.RUN_TOO_LONG
    assert meld(run, changed(both_ends, ["runs.max_naturals=14"])).legal


def test_other_rules_other_faults() -> None:
    no_jolly = replace(FIBUR, deck=Deck(jollies_per_pack=0))
    assert meld("3♥ 4♥ 5♥ JK", no_jolly).faults == MeldFault.NO_JOLLY_IN_DECK
    few_sets = replace(FIBUR, sets=replace(FIBUR.sets, ranks=(Rank.ACE, Rank.THREE)))
    assert meld("7♥ 7♠ 7♦", few_sets).faults == MeldFault.RANK_NOT_ALLOWED
    assert meld("3♥ 3♠ 3♦", few_sets).legal
    no_wilds = replace(FIBUR, wilds=replace(FIBUR.wilds, per_meld=0))
    assert meld("3♥ 4♥ JK", no_wilds).faults == MeldFault.TOO_MANY_WILDS
    assert meld("2♥ 3♥ 4♥", no_wilds).legal


def test_ace_to_ace_where_a_regolamento_has_it() -> None:
    runs = replace(FIBUR.runs, aces=Aces.BOTH_ENDS, max_naturals=14)
    both = replace(FIBUR, runs=runs)
    text = "A♥ 2♥ 3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥ J♥ Q♥ K♥ A♥"
    assert (meld(text, both).classe, meld(text, both).card_points) == (BurracoClass.PULITO, 135)
    assert meld(text.replace("5♥", "JK"), both).classe is BurracoClass.SEMIPULITO
    assert meld(text + " A♥", both).faults == (
        MeldFault.RUN_TOO_LONG | MeldFault.REPEATED_RANK | MeldFault.TOO_MANY_COPIES
    )


@settings(derandomize=True, deadline=None, max_examples=400)
@given(st.one_of(some_melds, some_cards), st.sampled_from(list(MELD_RULESETS.values())))
def test_what_always_holds(cards: tuple[Card, ...], regolamento: Regolamento) -> None:
    read = read_meld(cards, regolamento)
    assert read == read_meld(list(cards), regolamento)
    assert read.legal == (read.faults is MeldFault.VALID)
    assert legal(cards, regolamento) == bool(read.reading or read.alternatives)
    for reading in (*([read.reading] if read.reading else []), *read.alternatives):
        assert sorted(map(str, reading.cards)) == sorted(map(str, cards))
        assert reading.bonus == regolamento.bonus.of(reading.classe)
        assert all(place.wild or place.card == place.stands_for for place in reading.places)
        again = read_meld(reading.cards, regolamento)
        assert again.reading == reading


@settings(derandomize=True, deadline=None, max_examples=300)
@given(some_melds)
def test_laid_the_other_way_round_counts_the_same(cards: tuple[Card, ...]) -> None:
    there, back = read_meld(cards, FIBUR), read_meld(cards[::-1], FIBUR)
    assert (there.classe, there.points, there.faults) == (back.classe, back.points, back.faults)


NO_REALE_SPORCO = [rules for rules in MELD_RULESETS.values() if not rules.classes.reale_sporco]


@settings(derandomize=True, deadline=None, max_examples=500)
@given(some_melds, st.integers(0, 14), st.sampled_from(WILDS), st.sampled_from(NO_REALE_SPORCO))
def test_a_wild_never_makes_a_pulito_more(
    cards: tuple[Card, ...], at: int, wild: Card, regolamento: Regolamento
) -> None:
    read = read_meld(cards, regolamento)
    own_two = wild != JOLLY and any(card.suit is wild.suit for card in cards)
    if read.classe is BurracoClass.PULITO and not own_two:
        assert read_meld((*cards[:at], wild, *cards[at:]), regolamento).bonus <= read.bonus


@pytest.mark.parametrize(
    ("pulito", "wild"),
    [
        ("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠ Q♠", "JK"),
        ("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠ Q♠", "2♥"),
        ("2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠ Q♠ K♠", "JK"),
    ],
)
def test_under_fitab_a_wild_makes_a_pulito_of_twelve_a_reale_sporco(pulito: str, wild: str) -> None:
    fitab = ruleset("fitab")
    before, after = meld(pulito, fitab), meld(f"{pulito} {wild}", fitab)
    assert (before.classe, before.bonus) == (BurracoClass.PULITO, 200)
    assert (after.classe, after.bonus) == (BurracoClass.REALE_SPORCO, 250)


@settings(derandomize=True, deadline=None, max_examples=300)
@given(some_melds, st.randoms(use_true_random=False), st.sampled_from(list(MELD_RULESETS.values())))
def test_equal_cards_are_interchangeable(cards: tuple[Card, ...], rng: random.Random, regolamento: Regolamento) -> None:
    fresh = [Card(card.rank, card.suit) for card in cards]
    assert read_meld(fresh, regolamento) == read_meld(cards, regolamento)
    shuffled = rng.sample(fresh, len(fresh))
    assert legal(shuffled, regolamento) == legal(cards, regolamento)


@pytest.mark.parametrize("cards", [FACES[:40], (JOLLY,) * 40, (FACES[5],) * 40], ids=["many", "jolly", "equal"])
def test_forty_cards_are_only_faults(cards: tuple[Card, ...]) -> None:
    read = read_meld(cards, FIBUR)
    assert read.faults and not read.points
