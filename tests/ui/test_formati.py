"""Matches of two to six players, their goals, the referee, other rules: through services and API."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import ui.services
from scoring.cards import Card, parse_cards
from scoring.formato import formato_names, load_formato
from scoring.match import OneHand, ToTarget
from scoring.regolamento import load_regolamento
from scoring.sections import Rounding
from scoring.sides import Adjustment, End, Held, Pozzetto
from scoring.store.state import Closed
from scoring.whatif import Playable
from tests.ui.conftest import settings_for
from tests.ui.game import Table
from ui import commands as c
from ui.api import build_api
from ui.api.shown import match_out
from ui.errors import Refused, ServiceError
from ui.i18n import LANGUAGES, say, say_names
from ui.new_match import usual_goal
from ui.reasons import what_if_text
from ui.seats import seats_at
from ui.services import Services
from ui.viewmodels import GoalChoice, NewMatch
from ui.views.seating import pairings
from ui.words import said_title

TRE = NewMatch(("Anna", "Bruno", "Carla"), "fibur", 1505, formato="tre")
CINQUE = NewMatch(("A", "B", "C", "D", "E"), "fibur", 1505, formato="cinque")


def play(table: Table, *sums: tuple[int, int], closed: Closed = Closed.NOBODY) -> None:
    """Enter and confirm one smazzata as sums, one pair of them a side."""
    for side, (cards, bonus) in enumerate(sums):
        table.do(c.EnterSums(side, cards, bonus), c.AnswerPozzetto(side, Pozzetto.PLAYED))
        table.do(c.AnswerHands(side, (Held(points=0),)))
    table.do(c.AnswerClosed(closed), c.Confirm())


def test_three_players_from_one_against_two_to_everyone_alone(services: Services) -> None:
    table = Table(services, new=TRE)
    view = table.view.table
    assert (view.seating, view.pozzetti) == (None, (18, 11))
    assert say_names(view.names, "it") == ("chi gioca da solo (da decidere)", "chi gioca in coppia (da decidere)")
    missing = [say(message, "it") for message in view.missing]
    assert "chi gioca in coppia (da decidere): manca la foto, oppure scrivi che non ha calato niente." in missing
    assert "missing.seating" in table.keys()[0]
    table.do(c.AnswerSeating(((1,), (0, 2))))
    assert table.view.table.names == ("Bruno", "Anna + Carla")
    play(table, (605, 400), (205, 100))
    assert table.view.totals == (153, 1005, 153)
    [signed] = table.view.confirmed
    assert (signed.names, signed.confirmation.totals) == (("Bruno", "Anna + Carla"), (1005, 305))
    assert (signed.confirmation.points, signed.running) == ((153, 1005, 153), (153, 1005, 153))
    view = table.view.table
    assert (view.seating, view.names) == (((0,), (1,), (2,)), ("Anna", "Bruno", "Carla"))
    assert view.pozzetti == (11, 11, 11)
    with pytest.raises(Refused, match="seating_fixed"):
        table.do(c.AnswerSeating(((1,), (0, 2))))
    play(table, (0, 0), (300, 200), (100, 0), closed=Closed.SIDE_1)
    assert (table.view.totals, table.view.winner) == ((153, 1605, 253), 1)
    table.do(c.UndoConfirmation(), c.UndoConfirmation())
    assert (table.view.table.names, table.view.totals) == (("Bruno", "Anna + Carla"), (0, 0, 0))


@pytest.mark.parametrize(
    ("rounding", "half"), [(None, -152), (Rounding.UP, -152), (Rounding.DOWN, -153), (Rounding.KEEP, -152.5)]
)
def test_a_pair_is_summed_first_and_halved_last(services: Services, rounding: Rounding | None, half: float) -> None:
    new = NewMatch(TRE.names, "fibur", 1505, formato="tre", rounding=rounding)
    table = Table(services, new=new)
    table.do(c.AnswerSeating(((0,), (1, 2))), c.NothingLaid(0), c.NothingLaid(1))
    table.do(c.AnswerPozzetto(0, Pozzetto.PLAYED), c.AnswerHands(0, (Held(points=0),)), c.AnswerClosed(Closed.NOBODY))
    table.do(c.AnswerPozzetto(1, Pozzetto.NOT_TAKEN), c.AnswerHands(1, (Held(points=105), Held(points=100))))
    view = table.do(c.Confirm())
    assert view.totals == (0, half, half)


def test_five_players(services: Services) -> None:
    table = Table(services, new=CINQUE)
    assert say_names(table.view.table.names, "en") == (
        "who plays alone (to be decided)",
        "who plays in pair 1 (to be decided)",
        "who plays in pair 2 (to be decided)",
    )
    table.do(c.AnswerSeating(((4,), (0, 2), (1, 3))))
    play(table, (700, 0), (305, 0), (10, 0))
    assert table.view.totals == (153, 5, 153, 5, 700)


def test_pairings_of_four() -> None:
    assert pairings([0, 1, 2, 4]) == [((0, 1), (2, 4)), ((0, 2), (1, 4)), ((0, 4), (1, 2))]


def test_six_players_are_three_pairs(services: Services) -> None:
    table = Table(services, new=NewMatch(("A", "B", "C"), "fibur", 505, formato="sei"))
    play(table, (600, 0), (600, 0), (10, 0))
    assert (table.view.totals, table.view.finished) == ((600, 600, 10), False)
    table.do(c.AddMeld(2, parse_cards("7♥ 7♥ 7♥")))
    assert "fault.too_many_equal" not in table.keys()[1], "three packs"


@pytest.mark.parametrize(
    ("new", "key"),
    [
        (NewMatch(("A", "B"), "fibur", 1505, formato="tre"), "refused.names_count"),
        (NewMatch(("A", "B"), "fibur", 505, formato="sette"), "invalid.formato"),
        (NewMatch(("A", "B"), "fibur", 505, formato="../tre"), "invalid.formato"),
        (
            NewMatch(TRE.names, "fibur", formato="tre", goal=GoalChoice(turni=2, vp_table="vp-3")),
            "refused.vp_two_sides",
        ),
        (NewMatch(("A", "B"), "fibur", goal=GoalChoice(turni=0, vp_table="vp-3")), "refused.turni"),
        (NewMatch(("A", "B"), "fibur", goal=GoalChoice(turni=2, vp_table="vp-2")), "invalid.vp_table"),
        (NewMatch(("A", "B"), "fibur", goal=GoalChoice(turni=2, own_vp_table={"vp": [1]})), "invalid.own_vp_table"),
        (NewMatch(("A", "B"), "fibur", goal=GoalChoice(target=0)), "refused.target"),
        (NewMatch(("A", "B"), "fibur", target=0), "refused.target"),
        (NewMatch(("A", "B"), "fibur", goal=GoalChoice(vp_table="vp-3")), "refused.turni"),
    ],
)
def test_matches_that_cannot_be(services: Services, new: NewMatch, key: str) -> None:
    with pytest.raises(ServiceError) as error:
        services.create_match(new, device="a")
    assert error.value.message.key == key
    assert all("{" not in say(error.value.message, lang) for lang in LANGUAGES)


@pytest.mark.parametrize(
    ("regolamento", "formato", "target"),
    [
        ("fibur", None, 2005),
        ("fibur", "tre", 1505),
        ("fibur", "cinque", 1505),
        ("tre", None, 1505),
        ("cinque", None, 1505),
        ("burako", None, 3000),
        ("gamelake", "due", 2005),
        ("giochi-del-re", None, None),
    ],
)
def test_what_a_match_is_usually_played_to(
    services: Services, regolamento: str, formato: str | None, target: int | None
) -> None:
    wanted = load_formato(formato or load_regolamento(regolamento).formato)
    names = tuple("ABCDE"[: wanted.parties])
    for new in (
        NewMatch(names, regolamento, formato=formato),
        NewMatch(names, regolamento, goal=GoalChoice(), formato=formato),
    ):
        assert Table(services, new=new).view.goal == (ToTarget(target) if target else OneHand(draw=True))
    assert usual_goal(load_regolamento(regolamento), wanted) == GoalChoice(target, one_hand=not target)


def test_the_sample_is_played_to_what_is_usual(services: Services) -> None:
    assert services.match(services.demo_match()).target == 2005


def test_one_smazzata_may_end_in_a_draw(services: Services) -> None:
    for preset, finished in (("giochi-del-re", True), ("fibur", False)):
        table = Table(services, new=NewMatch(("A", "B"), preset, goal=GoalChoice(one_hand=True)))
        play(table, (100, 0), (100, 0))
        assert (table.view.finished, table.view.draw, table.view.winner) == (finished, finished, None)
        assert table.view.target is None


def test_turns_by_victory_points(services: Services) -> None:
    table = Table(services, new=NewMatch(("A", "B"), "fibur", goal=GoalChoice(turni=1, vp_table="vp-3")))
    for _ in range(3):
        play(table, (200, 0), (100, 0))
    assert [(turno.mp, turno.vp) for turno in table.view.turni] == [((600, 300), (13, 7))]
    assert (table.view.winner, services.matches()[0].target) == (0, None)


def test_what_no_photo_shows(table: Table) -> None:
    table.do(c.EnterSums(0, 100, 200), c.EnterSums(1, 50, 0), c.AnswerClosed(Closed.SIDE_0, End.CLOSED_WITHOUT_BONUS))
    assert table.view.table.sides[0].score.total == 300
    table.do(c.AnswerClosed(Closed.SIDE_0), c.AnswerDiscard(Card.parse("JK")))
    assert table.keys()[1] == {"fault.discarded_wild"}
    table.do(c.AnswerDiscard(None, laid_last=True))
    assert table.keys()[1] == {"fault.closed_without_discard"}
    table.do(c.AnswerDiscard(Card.parse("9♣")), c.AnswerPenalised(1, Held(parse_cards("K♣"))))
    table.do(c.Adjust(1, (Adjustment(-50, " arrivo  in ritardo "),)))
    assert (table.view.table.sides[1].score.base, table.view.table.sides[1].score.carte) == (-50, 40)
    for side in (0, 1):
        table.do(c.AnswerPozzetto(side, Pozzetto.PLAYED), c.AnswerHands(side, (Held(points=0),)))
    view = table.do(c.Confirm())
    entry = view.confirmed[0].confirmation.ledgers[1][0]
    assert (entry.reason, entry.points, entry.text) == ("adjustment", -50, "arrivo in ritardo")
    assert view.confirmed[0].end is None
    table.do(c.UndoConfirmation(), c.Adjust(1, ()), c.AnswerPenalised(1, None), c.Undo())
    assert table.view.table.sides[1].draft.penalised == Held(parse_cards("K♣"))


@pytest.mark.parametrize(
    ("command", "key"),
    [
        (c.AnswerClosed(Closed.SIDE_2), "refused.no_such_side"),
        (c.AnswerClosed(Closed.SIDE_0, End.STOCK), "refused.end_and_closed"),
        (c.AnswerClosed(Closed.NOBODY, End.CLOSED), "refused.end_and_closed"),
        (c.AnswerSeating(((0,), (1,))), "refused.seating_fixed"),
        (c.Adjust(0, (Adjustment(5, " "),)), "refused.adjustment_reason"),
        (c.Adjust(0, (Adjustment(10**6, "x"),)), "refused.points"),
        (c.Adjust(0, (Adjustment(5, "x"),) * 11), "refused.adjustments_count"),
        (c.Adjust(7, ()), "refused.no_such_side"),
        (c.AnswerPenalised(-1, None), "refused.no_such_side"),
        (c.AnswerPenalised(0, Held(points=10**6)), "refused.points"),
        (c.Rename(("A", "B", "C")), "refused.names_count"),
    ],
)
def test_answers_that_cannot_be(table: Table, command: c.Command, key: str) -> None:
    with pytest.raises(Refused) as refused:
        table.do(command)
    assert refused.value.message.key == key
    assert all("{" not in say(refused.value.message, lang) for lang in LANGUAGES)


def test_a_wrong_seating(services: Services) -> None:
    table = Table(services, new=TRE)
    with pytest.raises(Refused, match="seating"):
        table.do(c.AnswerSeating(((0, 1), (2,))))


def test_an_open_pozzetto_does_not_score_yet(services: Services) -> None:
    table = Table(services, new=NewMatch(("A", "B"), "burako"))
    table.do(c.EnterSums(0, 100, 200), c.NothingLaid(1))
    view = table.view.table
    assert [side.score.total for side in view.sides] == [300, 0]
    assert (view.ready, "missing.pozzetto" in table.keys()[0]) == (False, True)
    table.do(c.AnswerPozzetto(1, Pozzetto.NOT_TAKEN))
    assert [side.score.total for side in table.view.table.sides] == [300, -100]
    table.do(c.AnswerClosed(Closed.SIDE_0))
    assert table.view.table.sides[0].score.total == 500, "who closes has played the pozzetto"
    table.do(c.AnswerHands(0, (Held(points=0),)), c.AnswerHands(1, (Held(points=0),)))
    assert table.view.table.ready


def test_the_exception_for_nobody_waits_for_both_answers(table: Table) -> None:
    table.do(c.NothingLaid(0), c.NothingLaid(1), c.AnswerPozzetto(1, Pozzetto.NOT_TAKEN))
    assert table.view.table.sides[1].score.total == 0
    table.do(c.AnswerPozzetto(0, Pozzetto.PLAYED))
    assert table.view.table.sides[1].score.total == -100


def test_a_signed_ledger_still_names_its_burrachi(services: Services) -> None:
    table = Table(services, new=NewMatch(("A", "B"), "feburit"))
    table.do(c.AddMeld(0, parse_cards("7♥ 7♥ 7♠ 7♠ 7♦ 7♦ 7♣ 7♣")), c.EnterSums(1, 100, 200))
    open_side = match_out(table.view, "it").table.sides[0]
    assert open_side.score.voci[0].why == "I burrachi: gioco 1, superpulito: otto carte uguali e nessuna matta (250)."
    assert (open_side.melds[0].classe, open_side.melds[0].name) == ("super", "superpulito")
    [signed] = match_out(table.answer() and table.do(c.Confirm(anyway=True)), "it").confirmed
    assert [ledger[0].why for ledger in signed.ledgers] == [
        "I burrachi: 1 × superpulito.",
        "I punti dei burrachi, scritti come somma.",
    ]


@pytest.mark.parametrize(("preset", "asked"), [("fibur", True), ("gamelake", False), ("giochi-del-re", False)])
def test_the_last_discard_is_asked_where_it_matters(services: Services, preset: str, asked: bool) -> None:
    table = Table(services, new=NewMatch(("A", "B"), preset))
    table.do(c.EnterSums(0, 100, 200), c.NothingLaid(1))
    assert not table.view.table.asks_discard, "nobody has said who closed"
    table.do(c.AnswerClosed(Closed.NOBODY))
    assert not table.view.table.asks_discard
    table.do(c.AnswerClosed(Closed.SIDE_0))
    assert table.view.table.asks_discard is asked
    assert not any(key.startswith("missing.discard") for key in table.keys()[0])


def test_the_open_smazzata_under_every_preset(table: Table) -> None:
    table.do(c.AddMeld(0, parse_cards("3♥ 4♥ JK 6♥ 7♥ 8♥ 9♥")), c.NothingLaid(1))
    answers = {answer.regolamento.name: answer for answer in table.services.compare(table.view.id)}
    assert answers["fibur"].playable is Playable.YES
    assert answers["reale"].playable is Playable.NO
    assert (answers["sei"].playable, answers["sei"].packs) == (Playable.NO, (2, 3))


def test_a_match_of_three_packs_is_compared_in_its_own_formato(services: Services) -> None:
    table = Table(services, new=NewMatch(("A", "B", "C"), "fibur", formato="sei"))
    answers = {answer.regolamento.name: answer for answer in services.compare(table.view.id)}
    assert (answers["fitab"].playable, answers["fitab"].packs) == (Playable.YES, None)
    assert what_if_text(answers["fitab"], ("A", "B", "C"), "it") == "A 0 · B 0 · C 0"
    assert answers["sei"].playable is Playable.YES


def test_a_pair_halves_in_a_comparison_as_in_its_match(services: Services) -> None:
    table = Table(services, new=NewMatch(TRE.names, "fibur", 1505, formato="tre", rounding=Rounding.DOWN))
    table.do(c.AnswerSeating(((0,), (1, 2))), c.NothingLaid(0), c.NothingLaid(1))
    table.do(c.AnswerPozzetto(0, Pozzetto.PLAYED), c.AnswerPozzetto(1, Pozzetto.NOT_TAKEN))
    table.do(c.AnswerHands(1, (Held(points=105), Held(points=100))), c.AnswerHands(0, (Held(points=0),)))
    table.do(c.AnswerClosed(Closed.NOBODY))
    seats, names = seats_at(table.view), ("Anna", "Bruno + Carla")
    answers = {answer.regolamento.name: answer for answer in services.compare(table.view.id)}
    half = "−153 a ciascuno (metà di −305, arrotondata per difetto)"
    for preset in ("fibur", "feburit"):
        assert what_if_text(answers[preset], names, "it", seats) == f"Anna 0 · Bruno + Carla −305, {half}"
    [alone, pair] = match_out(table.view, "it").table.sides
    assert (alone.score.each, pair.score.each) == (0, -153)


# --- the API -------------------------------------------------------------------------------------------------------


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    settings = settings_for(tmp_path)
    made = Services(settings)
    monkeypatch.setattr(ui.services, "_services", made)
    with TestClient(build_api(settings), raise_server_exceptions=False) as api:
        yield api
    made.close()


def test_a_match_of_three_over_the_api(client: TestClient) -> None:
    body = {"names": ["A", "B", "C"], "formato": "tre", "target": 1505, "rounding": "keep"}
    match = client.post("/matches", json=body).json()
    assert (match["formato"], match["rounding"], match["table"]["seating"]) == ("tre", "keep", None)
    steps: list[dict[str, Any]] = [
        {"kind": "answer_seating", "seating": [[2], [0, 1]]},
        {"kind": "enter_sums", "side": 0, "card_points": 100, "bonus_points": 0},
        {"kind": "enter_sums", "side": 1, "card_points": 305, "bonus_points": 200},
        {"kind": "answer_closed", "closed": "1", "end": "closed_without_bonus"},
        {"kind": "answer_discard", "card": "9♣"},
        {"kind": "answer_penalised", "side": 0, "held": {"cards": "K♣"}},
        {"kind": "adjust", "side": 0, "adjustments": [{"points": -50, "reason": "ritardo"}]},
        *({"kind": "answer_hands", "side": side, "hands": [{"points": 0}]} for side in (0, 1)),
        *({"kind": "answer_pozzetto", "side": side, "pozzetto": "played"} for side in (0, 1)),
        {"kind": "confirm"},
    ]
    for step in steps:
        answer = client.post(f"/matches/{match['id']}/commands", json={"seq": match["seq"], "command": step})
        assert answer.status_code == 200, answer.text
        match = answer.json()
    [signed] = match["confirmed"]
    assert (signed["names"], signed["totals"], signed["points"]) == (["C", "A + B"], [40, 505], [252.5, 252.5, 40])
    assert signed["ledgers"][0][0]["why"] == "L'arbitro ha deciso: ritardo."
    assert match["totals"] == [252.5, 252.5, 40]
    answers = client.get(f"/matches/{match['id']}/compare").json()
    assert [answer["each"] for answer in answers if answer["regolamento"] == "fibur"] == [[0, 0]]


SIDES: list[dict[str, Any]] = [
    {"melds": ["3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ JK"], "closed": True, "last_discard": "9♣"},
    {"pozzetto": "not_taken", "penalised": {"cards": "K♣"}, "adjustments": [{"points": -50, "reason": "x"}]},
    {"sums": {"card_points": 5}},
]


def test_a_smazzata_of_three_sides(client: TestClient) -> None:
    out = client.post("/score", json={"sides": SIDES, "players": 6, "names": ["Noi"]}).json()
    assert [(side["base"], side["carte"], side["total"]) for side in out["sides"]] == [
        (250, 75, 325),
        (-150, -10, -160),
        (0, 5, 5),
    ]
    voce = out["sides"][0]["voci"][0]
    assert (voce["reason"], voce["in_base"]) == ("burrachi", True)
    assert "semipulito: sette carte di fila prima del jolly" in voce["why"]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"sides": SIDES[:1]}, "sides"),
        ({"sides": SIDES, "players": 7}, "players"),
        ({"sides": SIDES, "end": "never"}, "end"),
        ({"sides": [{"players": 9}, {}]}, "players"),
        ({"sides": SIDES}, "In 4 si gioca 2 + 2; qui i lati sono 3."),
        ({"sides": SIDES[:2], "players": 6}, "In 6 si gioca 2 + 2 + 2; qui i lati sono 2."),
        ({"sides": [{"players": 2}, {"players": 2}], "players": 3}, "si gioca 1 + 2 oppure 1 + 1 + 1; qui 2 + 2."),
        ({"sides": [{"closed": True, "sums": {"bonus_points": 200}}] * 2, "names": ["Noi", "Loro"]}, "Noi, Loro"),
    ],
)
def test_bad_smazzate(client: TestClient, body: dict[str, Any], says: str) -> None:
    response = client.post("/score", json=body)
    assert response.status_code == 422 and says in response.json()["message"]


@pytest.mark.parametrize(
    ("players", "regolamento", "sizes", "each"),
    [
        (3, "fibur", (None, None), [500, -152]),
        (None, "tre", (None, None), [500, -152]),
        (3, "fibur", (2, 1), [250, -305]),
        (None, "fibur", (2, 1), [250, -305]),
        (None, "fibur", (None, None), [None, None]),
    ],
)
def test_what_each_gets(
    client: TestClient,
    players: int | None,
    regolamento: str,
    sizes: tuple[int | None, ...],
    each: list[int | None],
) -> None:
    totals: list[dict[str, Any]] = [{"sums": {"card_points": 500}}, {"hands": [{"points": 305}]}]
    sides = [{**side, "players": size} for side, size in zip(totals, sizes, strict=True)]
    out = client.post("/score", json={"sides": sides, "players": players, "regolamento": regolamento}).json()
    assert [side["total"] for side in out["sides"]] == [500, -305]
    assert [side["each"] for side in out["sides"]] == each


@pytest.mark.parametrize("name", formato_names())
def test_a_formato_is_called_by_its_name_in_each_language(name: str) -> None:
    formato = load_formato(name)
    assert said_title(formato, "it") == formato.title
    assert said_title(formato, "en").endswith((" players", " players, in pairs"))
    assert said_title(replace(formato, name="casa", title="Da noi"), "en") == "Da noi"


def test_nine_kings_of_three_packs_lie_in_no_game_of_two(client: TestClient) -> None:
    sides: list[dict[str, Any]] = [{"melds": ["K♥ K♥ K♥ K♦ K♦ K♦ K♣ K♣ K♠"]}, {}, {}]
    body = {"sides": sides, "regolamento": "cinque", "under": ["fibur", "due", "sei"]}
    out = client.post("/compare", json=body).json()
    assert [(answer["playable"], answer["totals"]) for answer in out[:2]] == [("no", None)] * 2
    assert (out[2]["playable"], out[2]["totals"]) == ("yes", [290, 0, 0])
    assert [meld["cards"] for meld in out[0]["melds"]] == [sides[0]["melds"][0]]
    assert out[0]["text"].startswith("non giocabile: qui 3 mazzi") and "K♥" in out[0]["text"]


def test_compare(client: TestClient) -> None:
    body = {"sides": SIDES[:2], "under": ["fedibur", "reale", "fibur"]}
    out = client.post("/compare?lang=en", json=body).json()
    assert [(answer["playable"], answer["totals"]) for answer in out] == [
        ("yes", [275, -160]),
        ("no", None),
        ("yes", [325, -160]),
    ]
    assert "not playable" in out[1]["text"] and out[1]["melds"][0]["cards"].startswith("3♥")
    assert [out[0]["differing"][0][0][key] for key in ("points", "at_home")] == [100, 150]
    assert client.post("/compare", json={**body, "under": ["nope"]}).status_code == 400


@pytest.mark.parametrize("formato", ["due", "tre"])
def test_one_alone_who_closed_is_not_asked_for_a_hand(client: TestClient, formato: str) -> None:
    names = ["Anna", "Bruno", "Carla"][: 2 if formato == "due" else 3]
    match = client.post("/matches", json={"names": names, "formato": formato}).json()
    command = {"kind": "answer_closed", "closed": "0"}
    body = {"seq": match["seq"], "device": "test", "command": command}
    table = client.post(f"/matches/{match['id']}/commands", json=body).json()["table"]
    asked = [missing["message"] for missing in table["missing"] if missing["code"] == "missing.hands"]
    assert asked == [f"{table['names'][1]}: quante carte restano in mano?"]


def test_formati_tables_and_standings(client: TestClient) -> None:
    assert [formato["players"] for formato in client.get("/formati").json()] == [2, 3, 4, 5, 6]
    assert [table["smazzate"] for table in client.get("/vp-tables").json()] == [3, 4]
    results = [{"names": ["A", "B"], "mp": [2000, 1000]}]
    out = client.post("/classifica", json={"results": results}).json()
    assert [(s["place"], s["name"], s["vp"], s["mp"]) for s in out["standings"]] == [
        (1, "A", 17, 2000),
        (2, "B", 3, 1000),
    ]
    assert out["remarks"] == []
    odd = client.post("/classifica", json={"results": [{"names": ["A", "B"], "mp": [1003, 1000]}]}).json()
    assert "1003 non può essere un totale di Match Points" in odd["remarks"][0]["message"]
    own = {"name": "x", "title": "x", "source": "x", "smazzate": 3, "sum": 4, "differences": [0], "vp": [2]}
    out = client.post("/classifica", json={"results": results, "own_vp_table": own}).json()
    assert (out["vp_table"], out["standings"][0]["vp"]) == ("x", 2)
    bad = client.post("/classifica", json={"results": results, "own_vp_table": {**own, "vp": [3]}})
    assert (bad.status_code, bad.json()["code"]) == (400, "invalid.own_vp_table")
    assert "La chiave vp non può valere [3]; si comincia dalla metà di 4 (sum)" in bad.json()["message"]
    assert client.post("/classifica", json={"results": results, "vp_table": "vp-2"}).status_code == 400
    against_itself = client.post("/classifica", json={"results": [{"names": ["A", " a"], "mp": [1000, 900]}]})
    assert against_itself.status_code == 422 and "Due non possono chiamarsi" in against_itself.json()["message"]
    typed = client.post("/classifica", json={"results": [{"names": ["A", "B"], "mp": [True, 900]}]})
    assert typed.status_code == 422
    far = client.post("/classifica", json={"results": [{"names": ["A", "B"], "mp": [99_999_999_999, 1000]}]}).json()
    assert "99999999999" in far["remarks"][0]["message"]


def test_the_schema_has_examples_that_work(client: TestClient) -> None:
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    for name, route in (("ScoreBody", "/score"), ("CompareBody", "/compare"), ("StandingsBody", "/classifica")):
        for example in schemas[name]["examples"]:
            assert client.post(route, json=example).status_code == 200
    for example in schemas["NewMatchBody"]["examples"]:
        assert client.post("/matches", json=example).status_code == 201
