"""Roles: every use case says who may use it, and nobody gets further."""

from __future__ import annotations

import inspect
import typing

import pytest

from scoring.cards import Card
from scoring.sides import Adjustment
from tests.ui.conftest import settings_for
from tests.ui.game import Table
from ui import commands as c
from ui.errors import NotFound
from ui.roles import NEEDS, REFEREE_ONLY, ROLE_HEADER, Forbidden, Role, for_role, may, role_of
from ui.services import Services
from ui.viewmodels import NewMatch


def test_every_use_case_says_who_may_use_it() -> None:
    public = {name for name, _ in inspect.getmembers(Services) if not name.startswith("_")}
    assert public - set(NEEDS) == set(), "say in ui.roles.NEEDS who may use these"
    assert set(NEEDS) - public == set()


@pytest.mark.parametrize("role", Role)
def test_a_role_may_give_its_commands(role: Role) -> None:
    given = {command for command in typing.get_args(c.Command) if may(role, command)}
    everything = set(typing.get_args(c.Command))
    expected = {
        Role.VIEWER: set(),
        Role.TABLE: everything - set(REFEREE_ONLY),
        Role.REFEREE: everything,
        Role.HOST: everything,
    }
    assert given == expected[role]


def test_a_viewer_changes_nothing(table: Table) -> None:
    viewer = for_role(table.services, Role.VIEWER)
    before = table.view.seq
    assert viewer.match(table.view.id).seq == viewer.seq(table.view.id) == before
    with pytest.raises(Forbidden):
        viewer.apply(table.view.id, c.NothingLaid(0), seq=before, device="v")
    with pytest.raises(Forbidden):
        viewer.read_photo(b"x", match_id=table.view.id, side=0)
    with pytest.raises(Forbidden):
        viewer.import_match(table.services.export_json(table.view.id), copy=True)
    with pytest.raises(Forbidden):
        viewer.import_totals("A;B\n505;1\n", NewMatch((), ""), "it")
    with pytest.raises(Forbidden):
        viewer.close()
    assert len(table.services.matches()) == 1
    assert table.services.seq(table.view.id) == before


def test_only_the_referee_decides_and_deletes(table: Table) -> None:
    commands = (c.Adjust(0, (Adjustment(-50, "ritardo"),)), c.AnswerPenalised(0, None), c.DeleteMatch())
    for command in commands:
        with pytest.raises(Forbidden):
            for_role(table.services, Role.TABLE).apply(table.view.id, command, seq=table.view.seq, device="t")
    for command in commands:
        seen = table.services.seq(table.view.id)
        for_role(table.services, Role.REFEREE).apply(table.view.id, command, seq=seen, device="r")
    assert table.services.seq(table.view.id) == table.view.seq + len(commands)
    undo = c.UndoDeletion(), {"seq": table.view.seq + len(commands), "device": "r"}
    with pytest.raises(Forbidden):
        for_role(table.services, Role.TABLE).apply(table.view.id, undo[0], **undo[1])
    for_role(table.services, Role.REFEREE).apply(table.view.id, undo[0], **undo[1])


def test_a_file_of_a_match_is_taken_from_a_referee_and_totals_from_a_table(table: Table) -> None:
    own, file = for_role(table.services, Role.TABLE), table.services.export_json(table.view.id)
    with pytest.raises(Forbidden):
        own.import_match(file, copy=True)
    assert own.import_totals("A;B\n505;1\n", NewMatch((), ""), "it").totals == (505, 1)
    assert for_role(table.services, Role.REFEREE).import_match(file, copy=True).id != table.view.id


def test_a_deleted_match_is_there_for_the_referee_only(table: Table) -> None:
    match_id = table.view.id
    table.do(c.DeleteMatch())
    for role in (Role.VIEWER, Role.TABLE):
        own = for_role(table.services, role)
        assert own.matches() == ()
        with pytest.raises(Forbidden):
            own.matches(deleted=True)
        for look in (own.match, own.seq, own.history, own.export_json, own.jobs):
            with pytest.raises(NotFound):
                look(match_id)
    referee = for_role(table.services, Role.REFEREE)
    assert [match.id for match in referee.matches(deleted=True)] == [match_id] == [referee.match(match_id).id]


def test_a_table_let_in_for_one_match_touches_and_sees_no_other(table: Table) -> None:
    other = Table(table.services, device="b").view
    own = for_role(table.services, Role.TABLE, table.view.id)
    assert own.apply(table.view.id, c.NothingLaid(0), seq=1, device="t").seq == 2
    assert [match.id for match in own.matches()] == [table.view.id]
    refused = (
        lambda: own.apply(other.id, c.NothingLaid(0), seq=1, device="t"),
        lambda: own.match(other.id),
        lambda: own.export_pdf(other.id, "it"),
        lambda: own.read_photo(b"x", match_id=other.id, side=0),
        lambda: own.read_hand(b"x", match_id=other.id),
        lambda: own.live_freeze(other.id, {0: "all"}, device="t"),
        lambda: own.create_match(NewMatch(("A", "B"), "fibur"), device="t"),
        lambda: own.import_totals("A;B\n505;1\n", NewMatch((), ""), "it"),
    )
    for act in refused:
        with pytest.raises(Forbidden) as error:
            act()
        assert error.value.message.key == "door.needs_match"
    assert table.services.seq(other.id) == 1
    assert own.match(table.services.demo_match()).demo


def test_every_use_case_about_a_match_names_it_so() -> None:
    """What a visitor may see is decided by the parameter of this name."""
    first = {
        name: next(iter(list(inspect.signature(getattr(Services, name)).parameters)[1:]), "")
        for name in NEEDS
        if callable(getattr(Services, name))
    }
    about_a_match = {name for name, parameter in first.items() if parameter == "match_id"}
    assert {"match", "apply", "history", "compare", "jobs", "export_json", "live_view"} <= about_a_match
    assert not {name for name, parameter in first.items() if "match" in parameter and parameter != "match_id"}


def test_a_table_plays(table: Table) -> None:
    own = for_role(table.services, Role.TABLE)
    view = own.apply(table.view.id, c.AddMeld(0, tuple(map(Card.parse, ("3♥", "4♥", "5♥")))), seq=1, device="t")
    assert view.seq == 2


def test_without_a_word_of_the_guard_the_least_role_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("x")
    for host, role in (("127.0.0.1", Role.HOST), ("0.0.0.0", Role.VIEWER)):
        monkeypatch.setattr("ui.roles.get_settings", lambda host=host: settings_for(folder, host=host))
        assert role_of({}) is role
        assert role_of({ROLE_HEADER: "ROOT"}) is role
        assert role_of({ROLE_HEADER: "TABLE"}) is Role.TABLE
