"""The pages without a browser: what they show, what they ask, what they send."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scoring.cards import Card, parse_cards
from scoring.match import Turni
from scoring.sections import Rounding
from scoring.smazzata import Adjustment, Held, Pozzetto
from scoring.store.state import Closed, DraftCard
from tests.ui.game import Table
from tests.ui.pictures import CROSSWISE, DOUBT, NO_CARDS, picture
from ui import commands as c
from ui.components.table import LOOSE_GROUP, NEW_GROUP, Edit, EditKind, parse_edit
from ui.services import Services
from ui.settings import Settings
from ui.spot import spot
from ui.viewmodels import NewMatch
from ui.views import held, questions, session
from ui.views.boxes import hand_box, side_box
from ui.views.edits import command_of
from ui.views.faces import spoken
from ui.views.ledger import Account, Line, account_html

AppTest = pytest.importorskip("streamlit.testing.v1").AppTest
MAIN = Path(__file__).resolve().parents[2] / "ui" / "main.py"


@pytest.fixture
def page(services: Services, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The dashboard on these services, Italian, no page open yet."""
    monkeypatch.setattr(session, "get_services", lambda: services)
    monkeypatch.setattr(session, "get_settings", Settings)
    at = AppTest.from_file(str(MAIN), default_timeout=120)
    at.session_state["language"] = "it"
    return at


def opened(page: Any, match_id: str) -> Any:
    page.session_state["match_id"] = match_id
    page.run()
    assert not page.exception
    return page


def texts(page: Any) -> str:
    elements = [*page.markdown, *page.header, *page.subheader, *page.info, *page.warning, *page.error, *page.success]
    return "\n".join(str(element.value) for element in elements) + "\n".join(
        str(html.proto.body) for html in page.get("html")
    )


def test_first_run_opens_the_demo(page: Any, services: Services) -> None:
    page.run()
    assert not page.exception
    assert services.match(page.session_state["match_id"]).demo
    assert "Partita di prova" in texts(page)
    assert "AGPL-3.0" in texts(page) and "/api/source" in texts(page)


def test_last_match_opens_when_there_is_one(page: Any, services: Services, table: Table) -> None:
    page.run()
    assert page.session_state["match_id"] == table.view.id


def test_table_asks_and_confirms(page: Any, table: Table, services: Services) -> None:
    table.photo(0)
    table.do(c.NothingLaid(1))
    at = opened(page, table.view.id)
    assert at.button(key="confirm").disabled
    assert "Chi ha chiuso?" in texts(at)
    at.button_group(key="closed").set_value("0").run()
    assert services.match(table.view.id).table.closed is Closed.SIDE_0
    at.button_group(key="pozzetto_1").set_value(Pozzetto.NOT_TAKEN.value).run()
    at.button(key="zero_hands_0").click().run()
    at.number_input(key="sum_hands_1").set_value(35).run()
    side = services.match(table.view.id).table.sides[1].draft
    assert (side.pozzetto, side.hands) == (Pozzetto.NOT_TAKEN, (Held(points=35),))
    assert not at.exception
    assert not at.button(key="confirm").disabled, [str(m) for m in services.match(table.view.id).table.missing]
    at.button(key="confirm").click().run()
    assert "Smazzata 1 confermata" in texts(at) or any("confermata" in s.proto.title for s in at.success)
    assert services.match(table.view.id).totals == (395, -135)
    at.button(key="undo_confirmation").click().run()
    assert services.match(table.view.id).totals == (0, 0)


def test_the_dearest_doubt_takes_one_tap(page: Any, table: Table, services: Services) -> None:
    table.photo(0, DOUBT)
    at = opened(page, table.view.id)
    assert "Cambia 10 punti" in texts(at)
    next(b for b in at.button if b.label == "JK jolly").click().run()
    assert services.match(table.view.id).table.sides[0].doubts == ()
    assert "Cambia 10 punti" not in texts(at)


def test_renaming_the_sides(page: Any, table: Table, services: Services) -> None:
    opened(page, table.view.id).switch_page("views/partita.py").run()
    page.text_input(key=f"rename_{table.view.id}_0").set_value("Anna e Bruno")
    next(b for b in page.button if b.label == "Salva i nomi").click().run()
    assert not page.exception
    assert services.match(table.view.id).names == ("Anna e Bruno", "Loro")


def test_faults_need_a_knowing_confirmation(page: Any, table: Table, services: Services) -> None:
    table.do(c.AddMeld(0, parse_cards("7♥ 7♥ 7♥ 7♠")), c.NothingLaid(1))
    table.answer()
    at = opened(page, table.view.id)
    assert "7♥" in texts(at)
    assert at.button(key="confirm").disabled
    at.checkbox[0].check().run()
    assert not at.button(key="confirm").disabled
    at.button(key="confirm").click().run()
    assert len(services.match(table.view.id).confirmed) == 1


def test_somebody_else_was_faster(page: Any, table: Table, services: Services) -> None:
    table.do(c.NothingLaid(0))
    at = opened(page, table.view.id)
    services.apply(table.view.id, c.AnswerClosed(Closed.NOBODY), seq=table.view.seq, device="other")
    at.button_group(key="closed").set_value("0").run()
    assert "altro dispositivo" in texts(at)
    assert at.button_group(key="closed").value in ("nobody", ["nobody"]), "the page shows what the other did"


def test_an_answer_survives_what_somebody_else_answered(page: Any, table: Table, services: Services) -> None:
    table.do(c.NothingLaid(0), c.AnswerClosed(Closed.SIDE_1))
    at = opened(page, table.view.id)
    services.apply(table.view.id, c.NothingLaid(1), seq=table.view.seq, device="other")
    at.button(key="zero_hands_0").click().run()
    assert "altro dispositivo" not in texts(at)
    assert services.match(table.view.id).table.sides[0].draft.hands == (Held(points=0),)


def test_sums_without_a_photo(page: Any, table: Table, services: Services) -> None:
    at = opened(page, table.view.id)
    at.number_input(key="count_pulito_0").set_value(1)
    at.number_input(key="count_sporco_0").set_value(1)
    at.button(key="count_use_0").click().run()
    assert "anche se sono zero" in texts(at)
    at.number_input(key="count_sum_0").set_value(180)
    at.button(key="count_use_0").click().run()
    assert not at.exception
    assert services.match(table.view.id).table.sides[0].score.total == 480
    at.button(key="change_0").click().run()
    assert not services.match(table.view.id).table.sides[0].draft.entered


def test_cards_counted_in_heaps_and_by_value(page: Any, table: Table, services: Services) -> None:
    at = opened(page, table.view.id)
    at.button_group(key="count_way_0").set_value("heaps").run()
    at.number_input(key="count_pulito_0").set_value(1)
    at.number_input(key="count_100_0").set_value(2)
    at.number_input(key="count_rest_0").set_value(35)
    at.button(key="count_use_0").click().run()
    assert services.match(table.view.id).table.sides[0].score.carte == 235
    assert not services.match(table.view.id).table.faults
    assert "2 × 100 + 35" in texts(at)
    at.button_group(key="count_way_1").set_value("values").run()
    at.number_input(key="count_of_30_1").set_value(1)
    at.number_input(key="count_of_10_1").set_value(4)
    at.button(key="count_use_1").click().run()
    assert not at.exception
    assert services.match(table.view.id).table.sides[1].score.carte == 70


def test_a_question_about_a_meld_has_a_button_for_every_answer(page: Any, table: Table, services: Services) -> None:
    table.do(c.AddMeld(0, parse_cards("Q♥ K♥ A♥ 2♥")), c.AddMeld(1, parse_cards("4♥ 5♥ 6♥ 9♠")))
    meld = table.view.table.sides[0].melds[0]
    assert "la parte regolare varrebbe 15" in side_box(table.view, 1, "it", 0).groups[0].faults[-2]
    at = opened(page, table.view.id)
    assert "Il 2 non può seguire l'asso" in texts(at)
    assert [b.label for b in at.button if b.key.startswith("lettura_")] == ["Metti in quest'ordine: 2♥ Q♥ K♥ A♥"]
    at.button(key=f"come_sta_{meld.id}").click().run()
    assert not at.exception
    assert "Il 2 non può seguire l'asso" not in texts(at)
    kept = table.view = services.match(table.view.id)
    assert kept.table.sides[0].melds[0].settled and kept.table.sides[0].score.total == 55
    order = tuple(card.id for card in (meld.cards[3], *meld.cards[:3]))
    assert not table.do(c.ReorderMeld(meld.id, order)).table.sides[0].melds[0].settled


def test_a_new_match_of_three_says_how_to_halve_and_to_what_it_is_played(page: Any, services: Services) -> None:
    page.run()
    at = page.switch_page("views/partita.py").run()
    assert [box.label for box in at.checkbox] == ["Ogni smazzata la confermano tutte e due le coppie"]
    at.button_group(key="players").set_value(3).run()
    assert [box.label for box in at.checkbox] == ["Ogni smazzata la confermano tutti"]
    at.button_group(key="rounding_tre_fibur").set_value("down")
    at.number_input(key="other_target").set_value(1234)
    at.text_area(key="settings").set_value("bonus.pulito=210\n")
    at.button[[button.label for button in at.button].index("Comincia la partita")].click().run()
    assert not at.exception
    match = services.match(at.session_state["match_id"])
    assert (match.rounding.value, match.target, match.rules.bonus.pulito) == ("down", 1234, 210)


def test_a_pair_of_three_reads_how_its_half_was_made(page: Any, services: Services) -> None:
    table = Table(services, new=NewMatch(("Anna", "Bruno", "Carla"), "fibur", formato="tre", rounding=Rounding.UP))
    table.do(c.AnswerSeating(((0,), (1, 2))), c.NothingLaid(0), c.NothingLaid(1))
    table.do(c.AnswerPozzetto(0, Pozzetto.PLAYED), c.AnswerPozzetto(1, Pozzetto.NOT_TAKEN))
    table.do(c.AnswerHands(1, (Held(points=105), Held(points=100))), c.AnswerHands(0, (Held(points=0),)))
    table.do(c.AnswerClosed(Closed.NOBODY), c.Confirm(anyway=True))
    opened(page, table.view.id)
    at = page.switch_page("views/partita.py").run()
    assert "−152 a ciascuno (metà di −305, arrotondata per eccesso)" in texts(at)


def test_the_other_side_confirms_too(page: Any, services: Services) -> None:
    table = Table(services, new=NewMatch(("Noi", "Loro"), "fibur", 1005, both_confirm=True))
    table.do(c.EnterSums(0, 100, 200), c.EnterSums(1, 40, 0))
    table.answer()
    at = opened(page, table.view.id)
    at.button(key="confirm_0").click().run()
    assert "in attesa di: Loro" in texts(at) and services.match(table.view.id).confirmed == ()
    at.switch_page("views/partita.py").run()
    assert "in attesa della conferma di: Loro" in texts(at)
    at.switch_page("views/tavolo.py").run()
    at.button(key="confirm_1").click().run()
    assert not at.exception
    assert len(services.match(table.view.id).confirmed) == 1


def test_the_match_room(page: Any, table: Table, services: Services) -> None:
    other = Table(services, new=NewMatch(("Gino", "Pina"), "fibur", 1005))
    table.do(c.EnterSums(0, 100, 0), c.EnterSums(1, 40, 0))
    table.answer()
    table.do(c.Confirm(anyway=True))
    at = opened(page, table.view.id)
    at.switch_page("views/partita.py").run()
    assert "Noi è in vantaggio di 170 punti" in texts(at)
    at.button_group(key="dealer").set_value(1).run()
    assert services.match(table.view.id).dealer == 1
    at.text_input(key="history_search").set_value("pina gi").run()
    assert not at.exception
    keys = [button.key for button in at.button]
    assert f"open_{other.view.id}" in keys and f"open_{table.view.id}" not in keys


@pytest.mark.parametrize("lang", ["it", "en"])
@pytest.mark.parametrize("name", ["tavolo", "dal_vivo", "partita", "informazioni"])
def test_every_page_in_both_languages(page: Any, table: Table, name: str, lang: str) -> None:
    table.photo(0, DOUBT)
    table.do(c.NothingLaid(1))
    table.answer()
    page.session_state["language"] = lang
    at = opened(page, table.view.id)
    at.switch_page(f"views/{name}.py").run()
    assert not at.exception
    assert "/api/source" in texts(at)


def test_new_match(page: Any, services: Services) -> None:
    page.run()
    page.switch_page("views/partita.py").run()
    page.text_input(key="name_0").set_value("Anna")
    page.text_input(key="name_1").set_value("Anna")
    start = next(b for b in page.button if b.label == "Comincia la partita")
    start.click().run()
    assert "Anna" in page.error[0].value and services.matches() == ()
    page.text_input(key="name_1").set_value("Carla")
    next(b for b in page.button if b.label == "Comincia la partita").click().run()
    (made,) = services.matches()
    assert (made.names, made.regolamento, made.target) == (("Anna", "Carla"), "fibur", 2005)


def test_a_new_match_of_three(page: Any, services: Services) -> None:
    page.run()
    page.switch_page("views/partita.py").run()
    page.button_group(key="players").set_value(3).run()
    assert "In tre: 2 mazzi, due pozzetti: uno di 18 carte e uno di 11." in texts(page)
    for at, name in enumerate(("Anna", "Bruno", "Carla")):
        page.text_input(key=f"name_tre_{at}").set_value(name)
    next(b for b in page.button if b.label == "Comincia la partita").click().run()
    assert not page.exception
    (made,) = services.matches()
    assert (made.names, made.formato, made.target) == (("Anna", "Bruno", "Carla"), "tre", 1505)
    page.session_state["match_id"] = made.id
    page.switch_page("views/tavolo.py").run()
    assert "Il tavolo di chi gioca da solo \\(da decidere\\)" in texts(page)
    page.button_group(key="alone").set_value(1).run()
    assert not page.exception
    assert services.match(made.id).table.names == ("Bruno", "Anna + Carla")
    assert "Il tavolo di Anna \\+ Carla" in texts(page)


def start(page: Any) -> None:
    next(b for b in page.button if b.label == "Comincia la partita").click().run()
    assert not page.exception


def test_two_players_are_no_pairs(page: Any, services: Services) -> None:
    page.run()
    page.switch_page("views/partita.py").run()
    page.button_group(key="players").set_value(2).run()
    start(page)
    assert services.matches()[0].names == ("Giocatore 1", "Giocatore 2")


def test_what_decides_follows_the_rules_and_how_many_play(page: Any, services: Services) -> None:
    page.run()
    page.switch_page("views/partita.py").run()
    assert page.button_group(key="target_quattro_fibur").value == 2005
    page.selectbox(key="rules").set_value("burako").run()
    assert page.button_group(key="target_quattro_burako").value == 3000
    page.button_group(key="players").set_value(5).run()
    assert page.button_group(key="target_cinque_burako").value == 3000
    page.selectbox(key="rules").set_value("giochi-del-re").run()
    assert page.button_group(key="decides_2_one_hand").value == "one_hand"
    start(page)
    (made,) = services.matches()
    assert (made.regolamento, made.target) == ("giochi-del-re", None)


OWN = b"""name = "club"
title = "Club"
source = "delibera"
smazzate = 2
sum = 12
differences = [0, 200]
vp = [6, 9]
"""


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (OWN, ""),
        (OWN.replace(b"[6, 9]", b"[5, 9]"), "La chiave vp non può valere [5, 9]; si comincia dalla metà di 12 (sum)"),
        (OWN.replace(b"sum = 12", b"sum = 0"), "La chiave sum non può valere 0; ammessi: 1..1000."),
        (OWN + b"x = 1", "La chiave x (valore 1) non esiste; ammesse: name, title"),
        (b"name", "club.toml non è TOML valido: guarda alla riga 1."),
        (b"\xff", "Il file club.toml c'è, ma non è scritto in UTF-8"),
    ],
)
def test_a_club_plays_by_its_own_table(page: Any, services: Services, data: bytes, says: str) -> None:
    page.run()
    page.switch_page("views/partita.py").run()
    page.button_group(key="decides_3_to_target").set_value("turni").run()
    page.file_uploader(key="own_vp_table").upload("club.toml", data, "application/toml")
    start(page)
    if says:
        assert says in page.error[0].value and services.matches() == ()
        return
    goal = services.match(services.matches()[0].id).goal
    assert isinstance(goal, Turni) and (goal.turni, goal.table.of(200, 0)) == (4, (9, 3))


def test_totals_are_provisional_while_answers_are_open(page: Any, services: Services) -> None:
    table = Table(services, new=NewMatch(("Noi", "Loro"), "burako"))
    table.do(c.EnterSums(0, 100, 0), c.NothingLaid(1))
    at = opened(page, table.view.id)
    assert (at.metric[0].label, at.metric[0].value) == ("Noi, in questa smazzata (provvisorio)", "100")
    assert texts(at).count("Totale provvisorio") == 2 and at.button_group(key="closed").value is None
    table.answer()
    opened(page, table.view.id)
    assert page.metric[0].label == "Noi, in questa smazzata"
    assert "provvisorio" not in texts(page)


def test_the_last_discard_is_asked_of_who_closed(page: Any, table: Table, services: Services) -> None:
    table.do(c.EnterSums(0, 100, 200), c.NothingLaid(1))
    assert "ultimo scarto" not in texts(opened(page, table.view.id))
    page.button_group(key="closed").set_value("0").run()
    assert "L'ultimo scarto di Noi" in texts(page)
    page.button(key="laid_last").click().run()
    assert services.match(table.view.id).table.laid_last and "calando l'ultima carta" in texts(page)
    page.button(key="laid_last").click().run()
    assert not services.match(table.view.id).table.laid_last
    assert not page.exception


@pytest.mark.parametrize(
    ("edit", "command"),
    [
        (Edit("x", EditKind.ADD, face="9♣"), c.AnswerDiscard(Card.parse("9♣"))),
        (Edit("x", EditKind.CHANGE, card="0", face="9♣"), c.AnswerDiscard(Card.parse("9♣"))),
        (Edit("x", EditKind.REMOVE, card="0"), c.AnswerDiscard(None)),
    ],
)
def test_one_card_is_the_last_discard(monkeypatch: pytest.MonkeyPatch, edit: Edit, command: c.Command) -> None:
    sent: list[c.Command] = []
    monkeypatch.setattr(held, "edit_of", lambda key: edit)
    monkeypatch.setattr(held, "do", lambda command, command_id: sent.append(command))
    questions._discard_edited("discard", parse_cards("K♥"))
    assert sent == [command]


def test_crosswise_cards_that_say_another_class(table: Table) -> None:
    table.photo(0, CROSSWISE)
    says = "Le carte di traverso dicono burraco sporco, le carte dicono pulito."
    assert [group.marks for group in side_box(table.view, 0, "it", 0).groups] == [says, "", ""]
    run = table.view.table.sides[0].melds[0]
    table.do(c.SplitMeld(run.id, 4))
    assert side_box(table.view, 0, "it", 0).groups[1].marks.endswith("le carte dicono nessun burraco.")
    table.do(c.Undo(), c.ChangeCard(run.cards[2].id, Card.parse("JK")))
    assert side_box(table.view, 0, "it", 0).groups[0].marks == "", "they agree"


def test_the_referee_and_other_rules(page: Any, table: Table, services: Services) -> None:
    table.do(c.EnterSums(0, 100, 0), c.NothingLaid(1))
    at = opened(page, table.view.id)
    at.number_input(key="adjust_points_1").set_value(-50)
    at.text_input(key="adjust_reason_1").set_value("ritardo")
    at.button(key="adjust_save_1").click().run()
    assert not at.exception
    assert services.match(table.view.id).table.sides[1].draft.adjustments == (Adjustment(-50, "ritardo"),)
    at.button(key="compare").click().run()
    assert not at.exception
    assert "non confrontabile" in texts(at)


def test_another_reading_is_asked_with_its_points_and_taken_with_one_tap(
    page: Any, table: Table, services: Services
) -> None:
    laid = "3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 2♥"
    table.do(c.AddMeld(0, parse_cards(laid)), c.NothingLaid(1))
    at = opened(page, table.view.id)
    said = texts(at).replace("\\", "")
    assert "Noi, gioco 1: come sta vale 215 punti (semipulito: sette carte di fila prima della pinella)." in said
    assert "265 punti (pulito: otto carte e nessuna matta)" in said
    next(b for b in at.button if b.label.startswith("Metti in quest'ordine")).click().run()
    assert not at.exception
    [meld] = services.match(table.view.id).table.sides[0].melds
    assert (meld.meld.classe.value, meld.meld.points) == ("pulito", 265)
    assert "come sta vale" not in texts(at), "a 2 beside its 3 is natural: nothing is left to ask"


def test_an_account_says_why_and_what_each_of_a_pair_gets(page: Any, services: Services) -> None:
    table = Table(services, new=NewMatch(("Anna", "Bruno", "Carla"), "fibur", formato="tre"))
    table.do(c.AnswerSeating(((0,), (1, 2))), c.AddMeld(1, parse_cards("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥")), c.NothingLaid(0))
    table.do(c.AddMeld(1, parse_cards("K♠ K♥ K♦ JK")))
    at = opened(page, table.view.id)
    assert "I burrachi: gioco 1, pulito: sette carte e nessuna matta (200)." in texts(at)
    assert "Le carte calate valgono 105 punti: gioco 1, 45; gioco 2, 60." in texts(at)
    assert "153 a ciascuno (metà di 305, arrotondata per eccesso)" in texts(at)
    at.button(key="compare").click().run()
    assert "153 a ciascuno" in "".join(m.value for m in at.markdown if "Fe" in m.value)


def test_match_page_shows_ledgers_and_deletes(page: Any, table: Table, services: Services) -> None:
    table.photo(0)
    table.do(c.NothingLaid(1))
    table.answer()
    table.do(c.Confirm(anyway=True))
    at = opened(page, table.view.id)
    at.switch_page("views/partita.py").run()
    assert not at.exception
    assert "Burrachi" in texts(at) and "200" in texts(at)
    at.button(key=f"delete_{table.view.id}").click().run()
    assert not at.exception
    assert services.matches() == ()


def test_a_match_deleted_elsewhere(page: Any, table: Table, services: Services) -> None:
    other = Table(services)
    at = opened(page, table.view.id)
    table.do(c.DeleteMatch())
    at.run()
    assert not at.exception
    assert "Noi – Loro è stata cancellata" in texts(at)
    assert at.session_state["match_id"] == other.view.id, "nobody goes on writing into it"


# --- what the component is given, and what it sends ------------------------------------------------------------------


def test_boxes_of_a_side(table: Table) -> None:
    table.photo(0, DOUBT)
    box = side_box(table.view, 0, "it", 3)
    assert [(group.label, group.title, group.points) for group in box.groups] == [
        ("1", "Sequenza di cuori", "245 punti"),
        ("2", "Combinazione di re", "50 punti"),
        ("–", "Carte sciolte", ""),
    ]
    wild = box.groups[1].cards[2]
    assert (wild.card, wild.stands_for, wild.doubtful, wild.alternatives[0]) == ("2♣", "K♥", True, "JK")
    assert wild.quad is not None and wild.photo == box.photos[0].id
    assert box.photos[0].url.startswith("/api/photos/") and "7 carte" not in box.photos[0].alt
    assert box.revision == 3


def test_an_illegal_meld_says_why(table: Table) -> None:
    table.do(c.AddMeld(0, parse_cards("K♥ 5♠ 2♦")))
    group = side_box(table.view, 0, "it", 0).groups[0]
    assert group.title == "Gioco da sistemare" and group.faults and group.points == "0 punti"


def test_empty_hand() -> None:
    box = hand_box((), "In mano", "0", "en", 0)
    assert (box.groups[0].cards, box.melds, box.labels["suits"]["♣"]) == ((), False, "clubs")  # type: ignore[index]


@pytest.mark.parametrize(
    ("edit", "command"),
    [
        (Edit("x", EditKind.CHANGE, card="a", face="K♥"), c.ChangeCard("a", Card.parse("K♥"))),
        (Edit("x", EditKind.ACCEPT, card="a", face="JK"), c.ChangeCard("a", Card.parse("JK"))),
        (Edit("x", EditKind.ADD, group="m", face="2♠"), c.AddCard(1, "m", Card.parse("2♠"))),
        (Edit("x", EditKind.ADD, group=LOOSE_GROUP, face="2♠"), c.AddCard(1, None, Card.parse("2♠"))),
        (Edit("x", EditKind.ADD, group=NEW_GROUP, face="2♠"), c.AddMeld(1, cards=(Card.parse("2♠"),))),
        (Edit("x", EditKind.ADD_MANY, group=NEW_GROUP, faces="7♥ JK"), c.AddMeld(1, cards=parse_cards("7♥ JK"))),
        (Edit("x", EditKind.ADD_MANY, group="m", faces="7♥ JK"), c.AddCards(1, "m", parse_cards("7♥ JK"))),
        (Edit("x", EditKind.REMOVE, card="a"), c.RemoveCard("a")),
        (Edit("x", EditKind.MOVE, card="a", group="m"), c.MoveCard("a", "m")),
        (Edit("x", EditKind.MOVE, card="a", group=LOOSE_GROUP), c.MoveCard("a", None)),
        (Edit("x", EditKind.MOVE, card="a", group=NEW_GROUP), c.AddMeld(1, card_ids=("a",))),
        (Edit("x", EditKind.JOIN, group="m", other="n"), c.JoinMelds("m", "n")),
        (Edit("x", EditKind.SPLIT, group="m", at=3), c.SplitMeld("m", 3)),
        (Edit("x", EditKind.REMOVE_MELD, group="m"), c.RemoveMeld("m")),
        (Edit("x", EditKind.KEEP_TWIN, group="m"), c.KeepTwin("m")),
        (Edit("x", EditKind.UNDO), c.Undo()),
        (Edit("x", EditKind.REDO), c.Redo()),
    ],
)
def test_edits_become_commands(edit: Edit, command: c.Command, table: Table) -> None:
    assert command_of(edit, 1, table.view.table.sides[1]) == command


def test_shifting_a_card(table: Table) -> None:
    table.do(c.AddMeld(0, parse_cards("3♥ 4♥ 5♥")))
    side = table.view.table.sides[0]
    ids = [card.id for card in side.melds[0].cards]
    moved = command_of(Edit("x", EditKind.SHIFT, card=ids[1], offset=1), 0, side)
    assert moved == c.ReorderMeld(side.melds[0].id, (ids[0], ids[2], ids[1]))
    with pytest.raises(ValueError, match="no meld"):
        command_of(Edit("x", EditKind.SHIFT, card="?", offset=1), 0, side)


@pytest.mark.parametrize(
    ("xy", "at", "left"),
    [((25, 5), 1, 20), ((0, 5), 0, -5), ((58, 5), None, 53), ((45, 10), 2, 40)],
)
def test_where_a_tapped_card_belongs(xy: tuple[int, int], at: int | None, left: int) -> None:
    cards = [
        DraftCard(str(x), Card.parse("7♥"), quad=((x, 0), (x + 10, 0), (x + 10, 10), (x, 10)), photo="p")
        for x in (10, 30, 50)
    ]
    place, quad = spot(cards, "p", xy)
    assert (place, quad and quad[0][0]) == (at, left)
    assert spot(cards, "another", xy) == (None, None)


@pytest.mark.parametrize(
    "raw", [{}, {"kind": "fly", "command_id": "x"}, {"kind": "undo"}, {"kind": "split", "command_id": "x", "at": []}]
)
def test_malformed_edits_are_refused(raw: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        parse_edit(raw)


@pytest.mark.parametrize(
    ("card", "lang", "words"),
    [
        ("Q♥", "it", "donna di cuori"),
        ("10♦", "en", "10 of diamonds"),
        ("JK", "it", "jolly"),
        ("A♠", "it", "asso di picche"),
    ],
)
def test_spoken(card: str, lang: str, words: str) -> None:
    assert spoken(Card.parse(card), lang) == words


def test_names_are_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.views.ledger.tr", lambda key, **params: key)
    html = account_html(Account("<b>x</b>", (Line("chiusura", -100),), 0, -100))
    assert "<b>" not in html and "−100" in html


def test_names_mean_nothing_to_markdown(page: Any, services: Services) -> None:
    table = Table(services, new=NewMatch(("*Noi*", "[Loro](x)"), "fibur", 1005))
    at = opened(page, table.view.id)
    assert r"\*Noi\*" in texts(at) and r"\[Loro\]\(x\)" in texts(at)


def test_a_photo_that_is_none_says_so(page: Any, table: Table, services: Services) -> None:
    for data in (picture(NO_CARDS), b"no picture"):
        job = services.read_photo(data, match_id=table.view.id, side=0, device="a")
        services.wait(job.id, 30)
        page.session_state["own_jobs"] = {job.id: 0}
        opened(page, table.view.id)
        assert page.error
