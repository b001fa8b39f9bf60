"""The match room: every side confirms, the deal passes, a side is counted at the table."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from scoring.regolamento import load_regolamento, regolamento_names
from scoring.sides import Held
from tests.ui.game import Table
from ui import commands as c
from ui.errors import Refused
from ui.i18n import LANGUAGES
from ui.services import Services
from ui.viewmodels import GoalChoice, NewMatch
from ui.views.lay_pictures import PICTURES, picture, picture_html
from ui.views.rules_help import rules_lines


def test_every_side_confirms_the_same_account(services: Services) -> None:
    table = Table(
        services, new=NewMatch(("Noi", "Loro"), "fibur", goal=GoalChoice(turni=1, vp_table="vp-3"), both_confirm=True)
    )
    table.do(c.EnterSums(0, 180, 300), c.EnterSums(1, 90, 100))
    table.answer()
    with pytest.raises(Refused, match="confirm_for_whom"):
        table.do(c.Confirm())
    assert table.do(c.Confirm(side=0)).table.agreed == (0,)
    assert table.do(c.AnswerHands(1, (Held(points=20),))).table.agreed == (), "they agreed to another account"
    assert table.do(c.AnswerHands(1, (Held(points=10),))).table.agreed == (0,)
    assert table.do(c.Undo()).table.agreed == ()
    table.do(c.Redo(), c.Confirm(side=0))
    assert len(table.view.confirmed) == 0, "the same side twice is one side"
    assert len(table.do(c.Confirm(side=1)).confirmed) == 1


def test_the_deal_passes_clockwise(services: Services) -> None:
    players = (("Anna", "Bruno"), ("Carla", "Dario"))
    table = Table(services, new=NewMatch(("Noi", "Loro"), "fibur", 2005, players=players))
    assert table.view.dealer is None
    assert table.view.table_order == ("Anna", "Carla", "Bruno", "Dario")
    table.do(c.AnswerDealer(3), c.NothingLaid(0), c.NothingLaid(1))
    table.answer()
    table.do(c.Confirm(anyway=True))
    assert table.view.dealer == 0
    assert table.do(c.AnswerDealer(2)).dealer == 2
    with pytest.raises(Refused, match="no_such_dealer"):
        table.do(c.AnswerDealer(4))


def test_a_side_counted_at_the_table(table: Table) -> None:
    table.do(c.EnterCounts(0, (("pulito", 1), ("sporco", 2), ("semipulito", 0)), ((100, 2), (85, 1), (5, 0))))
    score = table.view.table.sides[0].score
    assert [(voce.reason.value, voce.points) for voce in score.voci] == [("burrachi", 400), ("cards_laid", 285)]
    assert [(detail.key, detail.count) for detail in score.voci[0].detail] == [("pulito", 1), ("sporco", 2)]
    assert table.do(c.NothingLaid(0)).table.sides[0].score.total == 0
    table.do(c.EnterCounts(0, (("pulito", 1),), heaps=((100, 1), (0, 1))), c.NothingLaid(1))
    assert table.view.table.sides[0].score.total == 300
    assert not table.view.table.faults
    for command, key in (
        (c.EnterCounts(0, (("reale", 1),)), "no_such_class"),
        (c.EnterCounts(0, (("pulito", -1),)), "points"),
        (c.EnterCounts(0, (), ((5, 1),) * 13), "values_count"),
    ):
        with pytest.raises(Refused, match=key):
            table.do(command)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", regolamento_names())
def test_the_rules_of_every_preset_in_words(name: str, lang: str) -> None:
    rules = load_regolamento(name)
    lines = list(rules_lines(rules, lang))
    assert all(str(rules.bonus.of(key)) in " ".join(lines) for key in rules.class_keys)
    assert str(rules.closing.bonus) in " ".join(lines) and len(lines) >= 7


@pytest.mark.parametrize("name", PICTURES)
def test_how_to_lay_cards_is_drawn(name: str) -> None:
    root = ElementTree.fromstring(picture(name))
    assert 'alt="Così &quot;no&quot;"' in picture_html(name, 'Così "no"')
    assert len(root.findall(".//{http://www.w3.org/2000/svg}text")) == 14, "three melds of cards"
