"""A smazzata's ledger: published totals, three ways of entry, exceptions and faults."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.cards import FACES, Card, cards_text, parse_cards
from scoring.classes import BurracoClass
from scoring.formato import load_formato
from scoring.meld import read_meld
from scoring.sections import BurracoNeed, LastDiscard, NotPlayed, Regolamento
from scoring.smazzata import (
    Adjustment,
    End,
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


def _not_played(cards: str) -> Side:
    return Side(SideMelds(), pozzetto=Pozzetto.NOT_PLAYED, pozzetto_held=Held(parse_cards(cards)))


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


# --- how it ended, what was taken, what a referee decided ------------------------------------------------------------

PULITO = "3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥"
SPORCO = "K♠ K♥ K♦ K♣ K♠ JK K♥"


def end_codes(sides: tuple[Side, ...], end: End | None, name: str = "fibur") -> list[FaultCode]:
    return [fault.code for fault in score_smazzata(sides, RULESETS[name], end).faults]


@pytest.mark.parametrize(
    ("closed", "end", "voci", "faults"),
    [
        (True, None, [(Reason.BURRACHI, 200), (Reason.CHIUSURA, 100)], []),
        (True, End.CLOSED, [(Reason.BURRACHI, 200), (Reason.CHIUSURA, 100)], []),
        (True, End.CLOSED_WITHOUT_BONUS, [(Reason.BURRACHI, 200), (Reason.CHIUSURA_WITHOUT_BONUS, 0)], []),
        (False, End.STOCK, [(Reason.BURRACHI, 200)], []),
        (False, End.TIME, [(Reason.BURRACHI, 200)], []),
        (False, None, [(Reason.BURRACHI, 200)], []),
        (False, End.CLOSED, [(Reason.BURRACHI, 200)], [FaultCode.NOBODY_CLOSED]),
        (True, End.STOCK, [(Reason.BURRACHI, 200), (Reason.CHIUSURA, 100)], [FaultCode.CLOSED_IN_SPITE]),
        (True, End.TIME, [(Reason.BURRACHI, 200), (Reason.CHIUSURA, 100)], [FaultCode.CLOSED_IN_SPITE]),
    ],
)
def test_ends(closed: bool, end: End | None, voci: list[tuple[Reason, int]], faults: list[FaultCode]) -> None:
    sides = (Side(melds(PULITO), closed=closed), OTHERS)
    score = score_smazzata(sides, FIBUR, end)
    assert [(v.reason, v.points) for v in score.sides[0].voci if v.reason is not Reason.CARDS_LAID] == voci
    assert [fault.code for fault in score.faults] == faults


NEEDS = {need: replace(FIBUR, closing=replace(FIBUR.closing, needs=need)) for need in BurracoNeed}
C = FaultCode


@pytest.mark.parametrize(
    ("laid", "missing"),
    [
        (melds(), [None, C.CLOSED_WITHOUT_BURRACO, C.CLOSED_WITHOUT_BURRACO]),
        (melds("3♥ 4♥ 5♥"), [None, C.CLOSED_WITHOUT_BURRACO, C.CLOSED_WITHOUT_BURRACO]),
        (melds(SPORCO), [None, None, C.CLOSED_WITHOUT_PULITO]),
        (melds(SPORCO, PULITO), [None, None, None]),
        (SideCounts.of({}, {BurracoClass.SPORCO: 1}), [None, None, C.CLOSED_WITHOUT_PULITO]),
        (SideCounts.of({}, {BurracoClass.PULITO: 1, BurracoClass.SPORCO: 0}), [None, None, None]),
        (SideCounts.of({}, {BurracoClass.PULITO: 0}), [None, C.CLOSED_WITHOUT_BURRACO, C.CLOSED_WITHOUT_BURRACO]),
        (SideSums(30, 0), [None, C.CLOSED_WITHOUT_BURRACO, C.CLOSED_WITHOUT_BURRACO]),
        (SideSums(30, 150), [None, None, C.CLOSED_WITHOUT_PULITO]),
        (SideSums(30, 200), [None, None, None]),
    ],
)
def test_who_may_close(laid: Laid, missing: list[FaultCode | None]) -> None:
    for need, code in zip((BurracoNeed.NONE, BurracoNeed.ANY, BurracoNeed.PULITO), missing, strict=True):
        score = score_smazzata((Side(laid, closed=True), OTHERS), NEEDS[need])
        assert [fault.code for fault in score.faults] == ([code] if code else [])
        assert Voce(Reason.CHIUSURA, 100) in score.sides[0].voci, "a fault does not stop the arithmetic"


@pytest.mark.parametrize(
    ("rule", "card", "laid_last", "code"),
    [
        (LastDiscard.NO_WILD, "K♥", False, None),
        (LastDiscard.NO_WILD, "JK", False, C.DISCARDED_WILD),
        (LastDiscard.NO_WILD, "2♣", False, C.DISCARDED_WILD),
        (LastDiscard.NO_WILD, "", True, C.CLOSED_WITHOUT_DISCARD),
        (LastDiscard.ANY, "JK", False, None),
        (LastDiscard.ANY, "", True, C.CLOSED_WITHOUT_DISCARD),
        (LastDiscard.OPTIONAL, "", True, None),
        (LastDiscard.OPTIONAL, "JK", False, C.DISCARDED_WILD),
    ],
)
def test_the_last_discard(rule: LastDiscard, card: str, laid_last: bool, code: FaultCode | None) -> None:
    rules = replace(FIBUR, closing=replace(FIBUR.closing, discard=rule))
    last = Card.parse(card) if card else None
    side = Side(melds(PULITO), closed=True, last_discard=last, laid_last=laid_last)
    assert [fault.code for fault in score_smazzata((side, OTHERS), rules).faults] == ([code] if code else [])


@pytest.mark.parametrize(
    ("rule", "asked"), [(LastDiscard.NO_WILD, True), (LastDiscard.ANY, True), (LastDiscard.OPTIONAL, False)]
)
def test_where_the_last_discard_matters(rule: LastDiscard, asked: bool) -> None:
    assert rule.matters is asked


NOT_TAKEN, PLAYED, OPEN = Pozzetto.NOT_TAKEN, Pozzetto.PLAYED, None
ANYHOW = replace(FIBUR, pozzetto=replace(FIBUR.pozzetto, penalty_when_nobody_took=True, taken_bonus=100))
FREE = replace(ANYHOW, pozzetto=replace(ANYHOW.pozzetto, not_taken_penalty=0, taken_bonus=0))


@pytest.mark.parametrize(
    ("rules", "states", "totals"),
    [
        (FIBUR, (OPEN, OPEN), (0, 0)),
        (FIBUR, (PLAYED, NOT_TAKEN), (0, -100)),
        (FIBUR, (NOT_TAKEN, NOT_TAKEN), (0, 0)),
        (FIBUR, (OPEN, NOT_TAKEN), (0, 0)),
        (FIBUR, (OPEN, NOT_TAKEN, PLAYED), (0, -100, 0)),
        (ANYHOW, (OPEN, NOT_TAKEN), (0, -100)),
        (ANYHOW, (OPEN, PLAYED), (0, 100)),
        (ANYHOW, (NOT_TAKEN, NOT_TAKEN), (-100, -100)),
        (FREE, (PLAYED, NOT_TAKEN), (0, 0)),
    ],
)
def test_an_open_question_about_the_pozzetto_scores_nothing(
    rules: Regolamento, states: tuple[Pozzetto | None, ...], totals: tuple[int, ...]
) -> None:
    score = score_smazzata([Side(SideMelds(), pozzetto=state) for state in states], rules)
    assert (score.totals, score.faults) == (totals, ())


def test_who_closes_with_the_pozzetto_unanswered_breaks_no_rule_yet() -> None:
    assert score_smazzata((Side(melds(PULITO), closed=True, pozzetto=None), OTHERS), FIBUR).faults == ()


@pytest.mark.parametrize("other", [Side(SideSums(), last_discard=Card.parse("K♥")), Side(SideSums(), laid_last=True)])
def test_only_who_closes_has_a_last_discard(other: Side) -> None:
    assert end_codes((OTHERS, other), None) == [C.DISCARD_NOT_EXPECTED]


def test_the_last_discard_is_a_card_of_the_table() -> None:
    side = Side(melds("7♥ 7♥ 7♠", PULITO), closed=True, last_discard=Card.parse("7♥"))
    assert C.TOO_MANY_EQUAL in end_codes((side, OTHERS), None)


def test_penalised_cards_and_a_referee() -> None:
    side = Side(
        melds(SPORCO),
        pozzetto=Pozzetto.NOT_TAKEN,
        penalised=Held(parse_cards("K♣ 4♦")),
        adjustments=(Adjustment(-50, "ritardo"), Adjustment(0, "ammonizione")),
    )
    score = score_smazzata((side, OTHERS), FIBUR).sides[0]
    assert [(voce.reason, voce.points) for voce in score.voci] == [
        (Reason.BURRACHI, 100),
        (Reason.POZZETTO_NOT_TAKEN, -100),
        (Reason.ADJUSTMENT, -50),
        (Reason.CARDS_LAID, 90),
        (Reason.PENALISED, -15),
    ]
    assert score.voci[2].text == "ritardo"
    assert (score.base, score.carte, score.total) == (-50, 75, 25)


def test_an_adjustment_needs_a_reason() -> None:
    assert end_codes((Side(SideSums(), adjustments=(Adjustment(5, " "),)), OTHERS), None) == [
        C.ADJUSTMENT_WITHOUT_REASON
    ]


def test_a_pozzetto_in_hand_may_cost_as_much_as_one_not_taken() -> None:
    rules = replace(FIBUR, pozzetto=replace(FIBUR.pozzetto, not_played=NotPlayed.AS_NOT_TAKEN))
    free = replace(rules, pozzetto=replace(rules.pozzetto, not_taken_penalty=0))
    for held in (Held(parse_cards(POZZETTO)), None):
        side = Side(SideMelds(), pozzetto=Pozzetto.NOT_PLAYED, pozzetto_held=held)
        assert score_smazzata((side, OTHERS), rules).sides[0].voci == (Voce(Reason.POZZETTO_NOT_PLAYED, -100),)
        assert score_smazzata((side, OTHERS), free).totals == (0, 0)


def test_a_pozzetto_may_earn_something() -> None:
    rules = replace(FIBUR, pozzetto=replace(FIBUR.pozzetto, taken_bonus=100, not_taken_penalty=0))
    sides = [Side(SideSums(), pozzetto=state) for state in (Pozzetto.PLAYED, Pozzetto.NOT_TAKEN)]
    score = score_smazzata(sides, rules)
    assert [side.voci for side in score.sides] == [(Voce(Reason.POZZETTO_TAKEN, 100),), ()]


def test_a_closing_that_earns_nothing() -> None:
    rules = replace(FIBUR, closing=replace(FIBUR.closing, bonus=0))
    assert score_smazzata((Side(SideSums(0, 200), closed=True), OTHERS), rules).totals == (200, 0)


@pytest.mark.parametrize(("players", "codes_"), [(1, [C.CLOSED_WITH_CARDS]), (2, [])])
def test_who_plays_alone_closes_without_cards(players: int, codes_: list[FaultCode]) -> None:
    side = Side(melds(PULITO), closed=True, hands=(Held(points=10),), players=players)
    assert end_codes((side, OTHERS), None) == codes_


def test_a_hand_too_many() -> None:
    side = Side(SideSums(), hands=(Held(), Held(), Held(points=5)))
    assert end_codes((side, OTHERS), None) == [C.TOO_MANY_HANDS]


@pytest.mark.parametrize(("count", "found"), [(4, []), (5, [C.TOO_MANY_OF_VALUE])])
def test_more_cards_of_a_value_than_the_packs_hold(count: int, found: list[FaultCode]) -> None:
    side = Side(SideCounts.of({30: count, 10: 3}, {}))
    assert end_codes((side, OTHERS), None) == found
    assert end_codes((side, side), None) == [C.TOO_MANY_OF_VALUE]


@pytest.mark.parametrize("sides", [2, 3, 5])
def test_two_to_five_sides(sides: int) -> None:
    table = tuple(Side(SideSums(5 * at, 0), pozzetto=Pozzetto.NOT_TAKEN) for at in range(sides))
    assert score_smazzata(table, FIBUR).totals == tuple(5 * at for at in range(sides))
    one = (Side(SideSums(0, 200), closed=True), *table[1:])
    assert score_smazzata(one, FIBUR).totals == (300, *(5 * at - 100 for at in range(1, sides)))


def test_all_who_closed_are_named() -> None:
    side = Side(SideSums(0, 200), closed=True)
    score = score_smazzata((side, OTHERS, side), FIBUR)
    assert [(fault.code, fault.sides) for fault in score.faults] == [(C.BOTH_CLOSED, (0, 2))]


# --- whatever is laid ------------------------------------------------------------------------------------------------

FACE = st.sampled_from(FACES)
HELD = st.one_of(
    st.lists(FACE, max_size=11).map(lambda cards: Held(tuple(cards))),
    st.integers(0, 60).map(lambda fives: Held(points=5 * fives)),
)


@st.composite
def any_sides(draw: st.DrawFn) -> tuple[Side, ...]:
    sides = []
    for _ in range(draw(st.integers(2, 3))):
        rng = random.Random(draw(st.integers(0, 2**32)))
        laid = SideMelds(tuple(random_meld(rng) for _ in range(draw(st.integers(0, 4)))))
        sides.append(
            Side(
                laid,
                closed=draw(st.booleans()),
                pozzetto=draw(st.sampled_from(Pozzetto)),
                pozzetto_held=draw(st.none() | HELD),
                hands=tuple(draw(st.lists(HELD, max_size=2))),
                penalised=draw(st.none() | HELD),
                adjustments=tuple(Adjustment(points, "x") for points in draw(st.lists(st.integers(-500, 500)))),
            )
        )
    return tuple(sides)


@settings(max_examples=60, deadline=None)
@given(any_sides(), st.none() | st.sampled_from(End), st.sampled_from(sorted(RULESETS)), st.randoms())
def test_invariants(sides: tuple[Side, ...], end: End | None, name: str, rng: random.Random) -> None:
    score = score_smazzata(sides, RULESETS[name], end)
    for side in score.sides:
        assert sum(voce.points for voce in side.voci) == side.total == side.base + side.carte
        in_base = [voce.reason.in_base for voce in side.voci]
        assert in_base == sorted(in_base, reverse=True), "base first, as at the table"
    shuffled = []
    for side in sides:
        assert isinstance(side.laid, SideMelds)
        turned, hands = list(side.laid.melds), list(side.hands)
        rng.shuffle(turned)
        rng.shuffle(hands)
        shuffled.append(replace(side, laid=SideMelds(tuple(turned)), hands=tuple(hands)))
    again = score_smazzata(shuffled, RULESETS[name], end)
    assert again.totals == score.totals, "the order of melds and of hands does not matter"
    back = score_smazzata(sides[::-1], RULESETS[name], end)
    assert back.totals == score.totals[::-1], "nor does the order of sides"


@pytest.mark.parametrize(
    ("side", "name", "faults"),
    [
        (Side(SideMelds(), hands=(Held(points=5000),)), "fibur", [(C.TOO_MANY_POINTS, "5000", 1080)]),
        (Side(SideSums(30_000, 13)), "fibur", [(C.TOO_MANY_POINTS, "30000", 1080), (C.NO_SUM_OF_BURRACHI, "13", 0)]),
        (Side(SideSums(100, 75)), "fibur", [(C.NO_SUM_OF_BURRACHI, "75", 0)]),
        (Side(SideSums(100, 50)), "fibur", [(C.NO_SUM_OF_BURRACHI, "50", 0)]),
        (Side(SideSums(100, 100_000)), "fibur", [(C.NO_SUM_OF_BURRACHI, "100000", 0)]),
        (Side(SideSums(100, 450)), "fibur", []),
        (Side(SideSums(700, 0), hands=(Held(points=700),)), "fibur", [(C.TOO_MANY_POINTS_TOGETHER, "1400", 1080)]),
        (
            Side(SideCounts.of({10: 6}, {BurracoClass.PULITO: 1, BurracoClass.SEMIPULITO: 1})),
            "fibur",
            [(C.TOO_FEW_FOR_BURRACHI, "6", 15)],
        ),
        (Side(SideCounts.of({10: 7}, {BurracoClass.PULITO: 1})), "fibur", []),
        (Side(SideCounts.of({}, {BurracoClass.PULITO: 1}, {100: 1, 0: 1})), "fibur", []),
        (Side(SideCounts.of({}, {BurracoClass.PULITO: 1}, {20: 1})), "fibur", []),
        (Side(SideCounts.of({100: 1, 45: 1}, {BurracoClass.PULITO: 1})), "fibur", []),
        (Side(SideCounts.of({25: 1}, {})), "fibur", [(C.UNKNOWN_VALUE, "25", 0)]),
        (Side(SideCounts.of({}, {}, {100: 2, 3: 1})), "fibur", [(C.ODD_POINTS, "203", 0)]),
        (Side(SideCounts.of({}, {}, {100: 11})), "fibur", [(C.TOO_MANY_POINTS, "1100", 1080)]),
        (Side(SideMelds(), hands=(Held(parse_cards("JK")),)), "reale", [(C.NO_JOLLY_IN_DECK, "", 0)]),
        (Side(SideMelds(), closed=False, last_discard=None, penalised=Held(parse_cards("JK"))), "fibur", []),
        (_not_played("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥ J♥ Q♥ K♥"), "fibur", []),
        (_not_played("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥ J♥ Q♥ K♥ A♥"), "fibur", [(C.POZZETTO_TOO_LARGE, "12", 11)]),
        (_not_played("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥ J♥ Q♥ K♥ A♥"), "tre", []),
        (_not_played("A♥ 4♣"), "fibur", []),
    ],
)
def test_figures_that_no_packs_can_make(side: Side, name: str, faults: list[tuple[FaultCode, str, int]]) -> None:
    found = score_smazzata((side, OTHERS), RULESETS[name]).faults
    assert [(fault.code, fault.seen, fault.limit) for fault in found] == faults


def test_the_formato_played_says_how_large_a_pozzetto_is() -> None:
    side = _not_played("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥ J♥ Q♥ K♥ A♥")
    assert score_smazzata((side, OTHERS, OTHERS), FIBUR, formato=load_formato("cinque")).faults == ()
