"""One smazzata under every preset."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.cards import cards_text, parse_cards
from scoring.classes import BurracoClass
from scoring.formato import load_formato
from scoring.ledger import FaultCode, Reason, Voce
from scoring.regolamento import load_regolamento, regolamento_names
from scoring.sections import BurracoNeed, Regolamento
from scoring.smazzata import End, Held, Laid, Pozzetto, Side, SideCounts, SideMelds, SideSums
from scoring.whatif import Differing, Playable, Unplayable, what_if
from tests.scoring.rulesets import FIBUR, RULESETS

NO_JOLLY = replace(FIBUR, name="no-jolly", deck=replace(FIBUR.deck, jollies_per_pack=0))
NO_SETS = replace(FIBUR, name="no-sets", sets=replace(FIBUR.sets, ranks=()))
CLEAN_CLOSING = replace(FIBUR, name="clean", closing=replace(FIBUR.closing, needs=BurracoNeed.PULITO))
THREE_PACKS = replace(FIBUR, name="three", deck=replace(FIBUR.deck, packs=3))
SPORCO = "3♥ 4♥ 5♥ JK 7♥ 8♥ 9♥"


def side(*texts: str, **more: object) -> Side:
    return Side(SideMelds(tuple(parse_cards(text) for text in texts)), **more)  # type: ignore[arg-type]


EMPTY = side()


def test_under_its_own_rules_nothing_differs() -> None:
    sides = (side(SPORCO, closed=True), EMPTY)
    [same] = what_if(sides, FIBUR, [FIBUR])
    assert (same.playable, same.differing, same.refused) == (Playable.YES, ((), ()), ())
    assert same.punteggio is not None and same.punteggio.totals == (270, 0)


def test_what_differs_is_named() -> None:
    sides = (side("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ JK", pozzetto=Pozzetto.NOT_TAKEN), side(pozzetto=Pozzetto.NOT_TAKEN))
    [there] = what_if(sides, FIBUR, [RULESETS["fedibur"]])
    penalty = Differing(Voce(Reason.POZZETTO_NOT_TAKEN, -100), 0)
    assert there.differing == ((Differing(Voce(Reason.BURRACHI, 100), 150), penalty), (penalty,))
    [back] = what_if(sides, RULESETS["fedibur"], [FIBUR])
    assert back.differing[1] == (Differing(Voce(Reason.POZZETTO_NOT_TAKEN, 0), -100),)


def test_a_jolly_where_there_is_none() -> None:
    sides = (side("3♥ 4♥ 5♥", SPORCO), side(hands=(Held(parse_cards("JK")),)))
    [there] = what_if(sides, FIBUR, [NO_JOLLY])
    assert (there.playable, there.punteggio) == (Playable.NO, None)
    assert there.melds == (Unplayable(0, 1, parse_cards(SPORCO)),)
    assert cards_text(there.cards) == "JK"
    [there] = what_if((EMPTY, sides[1]), FIBUR, [NO_JOLLY])
    assert there.playable is Playable.NO and there.melds == ()


def test_a_set_where_there_are_none() -> None:
    [there] = what_if((EMPTY, side("7♥ 7♠ 7♦")), FIBUR, [NO_SETS])
    assert there.melds == (Unplayable(1, 0, parse_cards("7♥ 7♠ 7♦")),)


@pytest.mark.parametrize(
    ("own", "laid", "held", "melds", "cards"),
    [
        ("reale", SPORCO, "", 1, "JK"),
        ("reale", "3♥ 4♥ 5♥", "JK", 0, "JK"),
        ("internazionale", "7♥ 7♠ 7♦", "", 1, ""),
    ],
)
def test_what_cannot_exist_at_home_either(own: str, laid: str, held: str, melds: int, cards: str) -> None:
    sides = (side(laid), side(hands=(Held(parse_cards(held)),)))
    home, there = what_if(sides, RULESETS[own], [RULESETS[own], FIBUR])
    assert (home.playable, home.punteggio, len(home.melds), cards_text(home.cards)) == (Playable.NO, None, melds, cards)
    assert there.playable is Playable.YES


def test_three_equal_cards_where_there_are_two_packs() -> None:
    sides = (side("7♥ 7♥ 7♠", "7♥ 8♥ 9♥"), EMPTY)
    [there] = what_if(sides, THREE_PACKS, [FIBUR])
    assert (there.playable, there.melds, cards_text(there.cards)) == (Playable.NO, (), "7♥")


@pytest.mark.parametrize(("own", "other"), [(THREE_PACKS, FIBUR), (FIBUR, THREE_PACKS)])
def test_other_packs_are_another_game(own: Regolamento, other: Regolamento) -> None:
    [there] = what_if((side(SPORCO, closed=True), EMPTY), own, [other])
    assert (there.playable, there.punteggio) == (Playable.NO, None)
    assert (there.packs, there.melds, there.cards) == ((own.deck.packs, other.deck.packs), (), ())


def test_the_formato_goes_on_every_regolamento_it_fits() -> None:
    cinque = load_formato("cinque")
    own = cinque.applied(FIBUR)
    sides = (side(SPORCO, "7♥ 7♥ 7♥"), EMPTY, EMPTY)
    answers = what_if(sides, own, [FIBUR, *map(load_regolamento, ("fitab", "quattro", "cinque"))], formato=cinque)
    assert [(w.playable, w.packs) for w in answers] == [(Playable.YES, None)] * 4
    tight = replace(cinque, packs=2, dealt=15)
    [there] = what_if(sides, own, [FIBUR], formato=tight)
    assert (there.playable, there.packs) == (Playable.NO, (3, 2)), "too few cards for it: the packs stay its own"


def test_a_sum_in_hand_means_the_same_where_only_the_natural_two_differs() -> None:
    hands = (Held(points=60),)
    [there] = what_if((side(SPORCO, hands=hands), EMPTY), FIBUR, [RULESETS["onmadesoft"]])
    assert there.punteggio is not None
    [reason] = [voce for voce in there.punteggio.sides[0].voci if voce.reason is Reason.CARDS_IN_HAND]
    assert reason.points == -60


def test_an_open_question_scores_nothing_anywhere() -> None:
    [there] = what_if((side("3♥ 4♥ 5♥", pozzetto=None), EMPTY), FIBUR, [RULESETS["burako"]])
    assert there.punteggio is not None and there.punteggio.totals == (15, 100)


def test_a_fault_at_home_makes_nothing_unplayable() -> None:
    [there] = what_if((side("7♥ 9♠ K♦", "4♣ 4♣ 4♣"), EMPTY), FIBUR, [RULESETS["fedibur"]])
    assert there.playable is Playable.YES


def test_a_closing_that_is_not_allowed_there() -> None:
    sides = (side(SPORCO, closed=True), EMPTY)
    [there] = what_if(sides, FIBUR, [CLEAN_CLOSING], End.CLOSED)
    assert there.refused == ((0, FaultCode.CLOSED_WITHOUT_PULITO),)
    assert there.punteggio is not None and there.punteggio.totals == (170, 0)
    assert there.differing[0] == (Differing(Voce(Reason.CHIUSURA, 0), 100),)
    [home] = what_if(sides, CLEAN_CLOSING, [CLEAN_CLOSING], End.CLOSED)
    assert home.refused == there.refused and home.punteggio is not None and home.punteggio.totals == (170, 0)


def test_the_smazzatas_own_rules_may_forbid_its_closing_too() -> None:
    laid = "3♥ 4♥ 5♥ 6♥ 7♥ 8♥ JK"
    presets = [RULESETS[name] for name in ("internazionale", "buraco-aberto", "fibur")]
    sides = (side(laid, closed=True), side(hands=(Held(parse_cards("9♣")),)))
    answers = what_if(sides, presets[0], presets)
    assert [w.punteggio.sides[0].total for w in answers if w.punteggio] == [165, 165, 265]
    assert [bool(w.refused) for w in answers] == [True, True, False]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"last_discard": parse_cards("2♣")[0]}, FaultCode.DISCARDED_WILD),
        ({"laid_last": True}, FaultCode.CLOSED_WITHOUT_DISCARD),
    ],
)
def test_a_last_card_that_no_side_may_close_with_gives_no_bonus(more: dict[str, object], code: FaultCode) -> None:
    [home] = what_if((side(SPORCO, closed=True, **more), EMPTY), FIBUR, [FIBUR])
    assert home.refused == ((0, code),)
    assert home.punteggio is not None and home.punteggio.totals == (170, 0)


OTHER_BONUS = replace(FIBUR, bonus=replace(FIBUR.bonus, pulito=300))
OTHER_VALUES = replace(FIBUR, values=replace(FIBUR.values, jolly=50))


@pytest.mark.parametrize(
    ("laid", "hands", "other", "playable"),
    [
        (SideSums(100, 200), (), FIBUR, Playable.YES),
        (SideSums(100, 200), (), CLEAN_CLOSING, Playable.YES),
        (SideSums(100, 200), (), OTHER_BONUS, Playable.UNKNOWN),
        (SideSums(), (), OTHER_BONUS, Playable.YES),
        (SideCounts.of({10: 3}, {BurracoClass.PULITO: 1}), (), OTHER_BONUS, Playable.UNKNOWN),
        (SideCounts(), (), OTHER_BONUS, Playable.YES),
        (SideMelds(), (Held(points=30),), OTHER_BONUS, Playable.YES),
        (SideMelds(), (Held(points=30),), OTHER_VALUES, Playable.UNKNOWN),
        (SideMelds(), (Held(points=0), Held(parse_cards("JK"))), OTHER_VALUES, Playable.YES),
    ],
)
def test_sums_say_nothing_under_other_figures(
    laid: Laid, hands: tuple[Held, ...], other: object, playable: Playable
) -> None:
    [there] = what_if((Side(laid, hands=hands), EMPTY), FIBUR, [other])  # type: ignore[list-item]
    assert there.playable is playable
    assert (there.punteggio is None) == (playable is Playable.UNKNOWN)


def test_every_preset_answers() -> None:
    presets = [load_regolamento(name) for name in regolamento_names()]
    sides = (side(SPORCO, "A♠ A♥ A♦", closed=True), side("Q♠ K♠ A♠", pozzetto=Pozzetto.NOT_TAKEN))
    answers = what_if(sides, FIBUR, presets)
    assert [answer.regolamento for answer in answers] == presets
    assert all((answer.punteggio is not None) == (answer.playable is Playable.YES) for answer in answers)
