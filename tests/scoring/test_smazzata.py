"""A smazzata's ledger: published totals, three ways of entry, exceptions and faults."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from scoring.cards import cards_text, parse_cards
from scoring.classes import BurracoClass
from scoring.meld import read_meld
from scoring.smazzata import (
    FaultCode,
    Held,
    Laid,
    Pozzetto,
    Punteggio,
    Reason,
    Side,
    SideCounts,
    SideMelds,
    SideSums,
    Voce,
    score_smazzata,
)
from tests.scoring.draws import random_meld
from tests.scoring.rulesets import FIBUR, RULESETS

GOLDEN: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "golden" / "smazzate.json").read_text(encoding="utf-8")
)
OTHERS = Side(SideSums())
POZZETTO = "2♠ JK A♥ K♦ 9♣ 8♣ 7♥ 6♥ 5♦ 4♦ 3♠"


def melds(*texts: str) -> SideMelds:
    return SideMelds(tuple(parse_cards(text) for text in texts))


def codes(score: Punteggio) -> list[tuple[FaultCode, int | None]]:
    return [(fault.code, fault.side) for fault in score.faults]


def ours(side: Side, name: str = "fibur") -> list[tuple[Reason, int]]:
    return [(voce.reason, voce.points) for voce in score_smazzata((side, OTHERS), RULESETS[name]).sides[0].voci]


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["id"])
def test_published_totals(case: dict[str, Any]) -> None:
    side = Side(
        SideSums(case["card_points"], case["bonus_points"]),
        closed=case["closed"],
        pozzetto=Pozzetto.NOT_TAKEN if case["pozzetto_not_taken"] else Pozzetto.PLAYED,
        hands=(Held(points=case["hand"]),),
    )
    score = score_smazzata((side, OTHERS), FIBUR)
    assert score.totals == (case["total"], 0)
    assert score.faults == ()


def test_the_published_melds_make_the_published_sums() -> None:
    laid = melds("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠", "8♦ 8♦ 8♥ 8♣ 8♠ JK 8♥", "Q♥ Q♠ Q♣")
    side = Side(laid, closed=True, hands=(Held(), Held(points=5)))
    score = score_smazzata((side, OTHERS), FIBUR).sides[0]
    assert [(voce.reason, voce.points) for voce in score.voci] == [
        (Reason.BURRACHI, 300),
        (Reason.CHIUSURA, 100),
        (Reason.CARDS_LAID, 180),
        (Reason.CARDS_IN_HAND, -5),
    ]
    assert (score.base, score.carte, score.total) == (400, 175, 575)
    assert [meld.classe.value for meld in score.melds] == ["pulito", "sporco", "none"]
    assert [(d.key, d.count, d.points) for d in score.voci[0].detail] == [("pulito", 1, 200), ("sporco", 1, 100)]
    assert len(score.voci[2].cards) == 17


def three_ways(laid: SideMelds) -> tuple[Laid, Laid, Laid]:
    read = [read_meld(cards, FIBUR) for cards in laid.melds]
    counted = [card for meld in read if meld.legal for card in meld.cards]
    values = Counter(map(FIBUR.values.of, counted))
    classes = Counter(meld.classe for meld in read if meld.bonus)
    sums = SideSums(sum(meld.card_points for meld in read), sum(meld.bonus for meld in read))
    return laid, SideCounts.of(values, classes), sums


def test_three_ways_of_entry_give_one_list() -> None:
    rng = random.Random(11)
    for _ in range(60):
        laid = SideMelds(tuple(random_meld(rng) for _ in range(rng.randint(0, 5))))
        closed, pozzetto = rng.random() < 0.5, rng.choice(list(Pozzetto))
        held = Held(points=5 * rng.randint(0, 20))
        sides = [Side(way, closed, pozzetto, held, (held,)) for way in three_ways(laid)]
        lists = [score_smazzata((side, OTHERS), FIBUR).sides[0].voci for side in sides]
        assert lists[0] == lists[1] == lists[2]
        assert sum(voce.points for voce in lists[0]) == score_smazzata((sides[0], OTHERS), FIBUR).sides[0].total


def test_order_of_melds_changes_nothing() -> None:
    laid = [parse_cards(text) for text in ("3♥ 4♥ 5♥", "K♥ K♠ JK", "9♣ 8♣ 7♣ 6♣ 5♣ 4♣ 3♣")]
    there, back = SideMelds(tuple(laid)), SideMelds(tuple(laid[::-1]))
    assert ours(Side(there)) == ours(Side(back))


def test_nothing_at_all_is_an_empty_list() -> None:
    score = score_smazzata((OTHERS, OTHERS), FIBUR)
    assert score.sides[0].voci == () and score.totals == (0, 0) and score.faults == ()


def test_pozzetto_taken_and_not_played_costs_its_cards() -> None:
    by_card = Side(SideMelds(), pozzetto=Pozzetto.NOT_PLAYED, pozzetto_held=Held(parse_cards(POZZETTO)))
    by_sum = Side(SideMelds(), pozzetto=Pozzetto.NOT_PLAYED, pozzetto_held=Held(points=120))
    assert ours(by_card) == ours(by_sum) == [(Reason.POZZETTO_NOT_PLAYED, -120)]
    [voce] = score_smazzata((by_card, OTHERS), FIBUR).sides[0].voci
    assert cards_text(voce.cards) == POZZETTO
    assert voce == Voce(Reason.POZZETTO_NOT_PLAYED, -120)


@pytest.mark.parametrize(("name", "points"), [("fibur", 0), ("fedibur", -100), ("giochi-del-re", -100)])
def test_when_no_side_took_a_pozzetto(name: str, points: int) -> None:
    side = Side(SideSums(40, 0), pozzetto=Pozzetto.NOT_TAKEN)
    score = score_smazzata((side, side), RULESETS[name])
    assert score.totals == (40 + points, 40 + points)
    reason = Reason.POZZETTO_NOT_TAKEN if points else Reason.POZZETTO_NOBODY
    assert score.sides[0].voci == score.sides[1].voci == (Voce(reason, points), Voce(Reason.CARDS_LAID, 40))


def test_one_side_alone_without_pozzetto_pays() -> None:
    assert ours(Side(SideSums(), pozzetto=Pozzetto.NOT_TAKEN)) == [(Reason.POZZETTO_NOT_TAKEN, -100)]


def test_both_partners_pay_for_their_hands() -> None:
    side = Side(SideSums(100, 0), hands=(Held(parse_cards("K♥ 2♠")), Held(points=45)))
    assert ours(side) == [(Reason.CARDS_LAID, 100), (Reason.CARDS_IN_HAND, -75)]


def test_a_fault_does_not_stop_the_arithmetic() -> None:
    side = Side(
        melds("7♥ 7♥ 7♠", "3♥ 9♠ K♦"),
        closed=True,
        pozzetto=Pozzetto.NOT_TAKEN,
        hands=(Held(parse_cards("7♥")), Held(points=3)),
    )
    other = Side(
        SideCounts.of({7: 2, 10: 1, 4: 0}, {BurracoClass.SEMIPULITO: 1, BurracoClass.PULITO: 0}),
        closed=True,
        pozzetto=Pozzetto.NOT_PLAYED,
    )
    score = score_smazzata((side, other), RULESETS["fedibur"])
    assert score.totals == (100 - 100 + 15 - 8, 100 + 24)
    assert codes(score) == [
        (FaultCode.BOTH_CLOSED, None),
        (FaultCode.CLOSED_WITHOUT_BURRACO, 0),
        (FaultCode.CLOSED_WITHOUT_POZZETTO, 0),
        (FaultCode.CLOSED_WITH_CARDS, 0),
        (FaultCode.ILLEGAL_MELD, 0),
        (FaultCode.ODD_POINTS, 0),
        (FaultCode.CLOSED_WITHOUT_BURRACO, 1),
        (FaultCode.CLOSED_WITHOUT_POZZETTO, 1),
        (FaultCode.POZZETTO_UNKNOWN, 1),
        (FaultCode.UNKNOWN_VALUE, 1),
        (FaultCode.UNKNOWN_CLASS, 1),
        (FaultCode.TOO_MANY_EQUAL, None),
    ]
    by_code = {fault.code: fault for fault in score.faults}
    assert by_code[FaultCode.ILLEGAL_MELD].meld == 1
    assert cards_text(by_code[FaultCode.TOO_MANY_EQUAL].cards) == "7♥"
    assert [by_code[code].seen for code in (FaultCode.UNKNOWN_VALUE, FaultCode.UNKNOWN_CLASS)] == ["7", "semipulito"]


def test_cards_of_a_pozzetto_that_was_played_are_a_fault() -> None:
    side = Side(SideSums(7, 0), pozzetto_held=Held(parse_cards("K♥")))
    score = score_smazzata((side, OTHERS), FIBUR)
    assert score.totals[0] == 7
    assert codes(score) == [(FaultCode.POZZETTO_NOT_EXPECTED, 0), (FaultCode.ODD_POINTS, 0)]


@pytest.mark.parametrize("text", [["7♥ 7♠ 7♦", "7♥ 7♣ 7♠", "6♥ 7♥ 8♥"], ["JK 3♥ 4♥"] * 5])
def test_too_many_equal_cards_on_one_table(text: list[str]) -> None:
    score = score_smazzata((Side(melds(*text)), OTHERS), FIBUR)
    assert [fault.code for fault in score.faults] == [FaultCode.TOO_MANY_EQUAL]
    assert score.totals[0] > 0


def test_cards_are_counted_over_the_whole_table() -> None:
    seven = Held(parse_cards("7♥"))
    laid = Side(melds("7♥ 7♠ 7♦"), hands=(seven,))
    other = Side(SideMelds(), pozzetto=Pozzetto.NOT_PLAYED, pozzetto_held=seven)
    assert [f.code for f in score_smazzata((laid, other), FIBUR).faults] == [FaultCode.TOO_MANY_EQUAL]


@pytest.mark.parametrize("bad", [lambda: Held(parse_cards("K♥"), 10), lambda: Held(points=-5)])
def test_held_is_cards_or_a_sum(bad: Any) -> None:
    with pytest.raises(ValueError, match="held"):
        bad()


def test_counts_are_never_negative() -> None:
    with pytest.raises(ValueError, match="-1"):
        SideCounts(((10, -1),))
    with pytest.raises(ValueError, match="-2"):
        SideCounts(burrachi=((BurracoClass.PULITO, -2),))
