"""Every class of every preset, with the reason a player reads; what is unclear in a rule is asked."""

from __future__ import annotations

import pytest

from scoring.cards import parse_cards
from scoring.classes import BurracoClass
from scoring.meld import Meld, MeldFault, MeldQuestion, read_meld
from scoring.regolamento import changed
from tests.scoring.rulesets import ruleset

TO_KING = "A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠ Q♠ K♠"
TO_ACE = "2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠ Q♠ K♠ A♠"
FROM_KING = "K♠ Q♠ J♠ 10♠ 9♠ 8♠ 7♠ 6♠ 5♠ 4♠ 3♠ 2♠ A♠"
BOTH = f"{TO_KING} A♠"
EIGHT = "7♥ 7♥ 7♠ 7♠ 7♦ 7♦ 7♣ 7♣"
EIGHT_IN_ROW = "3♦ 4♦ 5♦ 6♦ 7♦ 8♦ 9♦ 10♦"
WIKIPEDIA = "wikipedia, classes.super = set_or_run, classes.reale = ace_to_king"


def meld(text: str, rules: str) -> Meld:
    return read_meld(parse_cards(text), ruleset(rules))


@pytest.mark.parametrize(
    ("cards", "rules", "classe", "bonus", "why", "name"),
    [
        (TO_KING, "fibur", "pulito", 200, "no_wild", "pulito"),
        (TO_KING, "fitab", "reale", 300, "ace_to_king", "reale"),
        (TO_ACE, "fitab", "reale", 300, "two_to_ace", "reale"),
        (TO_KING, "feburit", "reale", 300, "ace_to_king", "over the top"),
        (TO_ACE, "feburit", "reale", 300, "two_to_ace", "over the top"),
        (TO_KING, "reale", "reale", 500, "ace_to_king", "nobile"),
        (TO_ACE, "reale", "pulito", 200, "no_wild", "pulito"),
        (BOTH, "reale", "aa", 1000, "ace_to_ace", "reale"),
        (TO_KING, "buraco-aberto", "reale", 500, "ace_to_king", "meia real"),
        (BOTH, "buraco-fechado", "aa", 1000, "ace_to_ace", "real"),
        (TO_KING, "revolution", "reale", 300, "ace_to_king", "reale"),
        (TO_ACE, "revolution", "pulito", 200, "no_wild", "pulito"),
        (TO_KING, WIKIPEDIA, "reale", 300, "ace_to_king", "reale"),
        (BOTH, "buraco-fechado, classes.aa = false", "reale", 500, "ace_to_king", "meia real"),
        (TO_KING.replace("5♠", "JK"), "buraco-fechado", "sporco", 100, "no_semipulito", "suja"),
        (BOTH.replace("5♠", "JK"), "buraco-fechado", "sporco", 100, "no_semipulito", "suja"),
        (TO_KING.replace("5♠", "JK"), "fitab", "reale_sporco", 250, "thirteen_with_wild", "reale sporco"),
        (TO_KING.replace("2♠", "JK"), "fitab", "reale_sporco", 250, "thirteen_with_wild", "reale sporco"),
        (TO_ACE.replace("5♠", "2♥"), "fitab", "reale_sporco", 250, "thirteen_with_wild", "reale sporco"),
        (f"{TO_KING} JK", "fitab", "reale_sporco", 250, "thirteen_with_wild", "reale sporco"),
        (f"{TO_KING} JK", "feburit", "semipulito", 150, "naturals_before_wild", "semipulito"),
        (EIGHT, "fibur", "pulito", 200, "no_wild", "pulito"),
        (EIGHT, "feburit", "super", 250, "super_set", "superpulito"),
        (EIGHT, "fitab", "super", 250, "super_set", "super"),
        (f"{EIGHT} JK", "fitab", "super_sporco", 200, "super_set_with_wild", "super sporco"),
        (f"{EIGHT} JK", "feburit", "semipulito", 150, "set_with_wild", "semipulito"),
        (EIGHT_IN_ROW, WIKIPEDIA, "super", 250, "super_run", "super"),
        (EIGHT, WIKIPEDIA, "super", 250, "super_set", "super"),
        (EIGHT_IN_ROW, "fitab", "pulito", 200, "no_wild", "pulito"),
        (f"{EIGHT} 7♥", "fibur, deck.packs = 3", "pulito", 200, "no_wild", "pulito"),
        (f"{EIGHT} 7♥ 7♠ 7♦ 7♣ JK", "cinque", "semipulito", 150, "set_with_wild", "semipulito"),
        ("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥", "burako", "pulito", 200, "no_wild", "pura"),
        ("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ JK", "burako", "sporco", 100, "no_semipulito", "impura"),
    ],
)
def test_each_class(cards: str, rules: str, classe: str, bonus: int, why: str, name: str) -> None:
    reading = meld(cards, rules).reading
    assert reading
    assert (reading.classe.value, reading.bonus, reading.why.value) == (classe, bonus, why)
    assert ruleset(rules).names.of(reading.classe) == name


def test_names_and_points_of_no_class() -> None:
    rules = ruleset("fitab")
    assert (rules.names.of(BurracoClass.NONE), rules.bonus.of(BurracoClass.NONE)) == ("", 0)
    assert rules.marks.of(BurracoClass.NONE) == ()
    best_first = ["reale", "super", "reale_sporco", "pulito", "super_sporco", "semipulito", "sporco"]
    assert [classe.value for classe in rules.class_keys] == best_first
    assert [classe.value for classe in BurracoClass if classe.has_no_wild] == ["pulito", "reale", "aa", "super"]


def test_a_jolly_of_burako_counts_fifty() -> None:
    assert (meld("3♥ 4♥ JK", "burako").card_points, meld("3♥ 4♥ 2♠", "burako").card_points) == (60, 30)


@pytest.mark.parametrize(
    ("cards", "rules", "faults"),
    [
        (BOTH, "fibur", MeldFault.ACE_AT_BOTH_ENDS),
        (BOTH, "fitab", MeldFault.ACE_AT_BOTH_ENDS),
        (f"{BOTH} A♠", "reale", MeldFault.RUN_TOO_LONG | MeldFault.REPEATED_RANK | MeldFault.TOO_MANY_COPIES),
        ("A♠ 2♠ 3♠ 4♠ A♠", "reale", MeldFault.GAP),
        ("9♥ 10♥ JK 2♣ K♥", "reale", MeldFault.TOO_MANY_WILDS | MeldFault.NO_JOLLY_IN_DECK),
        ("A♠ A♠ JK", "buraco-aberto", MeldFault.RANK_NOT_ALLOWED),
        (EIGHT, "internazionale", MeldFault.RANK_NOT_ALLOWED),
        (f"{EIGHT} 7♥", "fibur", MeldFault.SET_TOO_LARGE | MeldFault.TOO_MANY_COPIES),
        ("7♥ 7♥ 7♥ 7♥", "sei", MeldFault.TOO_MANY_COPIES),
    ],
)
def test_what_a_preset_does_not_allow(cards: str, rules: str, faults: MeldFault) -> None:
    assert meld(cards, rules).faults == faults


@pytest.mark.parametrize(
    ("cards", "answer", "unclear"),
    [
        (f"{TO_KING} JK", ("reale_sporco", 250), ("semipulito", 150, "naturals_before_wild")),
        (f"JK {FROM_KING}", ("reale_sporco", 250), ("semipulito", 150, "naturals_after_wild")),
        (f"JK {TO_ACE[3:]}", ("semipulito", 150), ("reale_sporco", 250, "thirteen_with_wild")),
        (TO_KING.replace("5♠", "JK"), ("reale_sporco", 250), None),
        (EIGHT_IN_ROW.replace("6♦", "JK"), ("sporco", 100), None),
        (f"{EIGHT} JK", ("super_sporco", 200), None),
    ],
)
def test_what_the_words_of_fitab_leave_open_is_a_question(
    cards: str, answer: tuple[str, int], unclear: tuple[str, int, str] | None
) -> None:
    read = meld(cards, "fitab")
    assert (read.classe.value, read.bonus) == answer
    assert (MeldQuestion.UNCLEAR_RULE in read.questions) == (unclear is not None)
    if unclear:
        assert read.unclear
        assert (read.unclear.classe.value, read.unclear.bonus, read.unclear.why.value) == unclear
        assert read.unclear.cards == read.cards


def test_nothing_is_unclear_where_no_burraco_is_that_long() -> None:
    rules = changed(ruleset("fitab"), ["burraco_cards=14"])
    read = read_meld(parse_cards(f"JK {TO_ACE[3:]}"), rules)
    assert (read.classe, read.unclear) == (BurracoClass.NONE, None)
