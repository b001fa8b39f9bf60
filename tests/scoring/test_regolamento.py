"""Presets: what ships, what a file of one's own may say, and every way it can be wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scoring.cards import FACES, Rank, parse_cards
from scoring.classes import BurracoClass, Semipulito
from scoring.regolamento import (
    DEFAULT_REGOLAMENTO,
    Basis,
    PresetFault,
    RegolamentoError,
    dump_regolamento,
    load_regolamento,
    parse_regolamento,
    regolamento_names,
)


def test_what_ships() -> None:
    assert {"fedibur", "fibur", "giochi-del-re"} <= set(regolamento_names())
    assert load_regolamento() == load_regolamento(DEFAULT_REGOLAMENTO) == load_regolamento("fibur")


@pytest.mark.parametrize("name", regolamento_names())
def test_each_preset_says_where_every_figure_comes_from(name: str) -> None:
    regolamento = load_regolamento(name)
    assert regolamento.name == name
    assert regolamento.title and regolamento.source and regolamento.date
    assert all(note.text for note in regolamento.notes)
    sourced = any(note.basis is Basis.SOURCED for note in regolamento.notes)
    assert sourced == (regolamento.counts_as is None and name not in ("due", "quattro"))


@pytest.mark.parametrize("name", regolamento_names())
def test_a_preset_survives_as_text(name: str) -> None:
    regolamento = load_regolamento(name)
    again = parse_regolamento(dump_regolamento(regolamento), "other")
    assert again == regolamento and hash(again) == hash(regolamento)
    assert again.notes == regolamento.notes


def test_fibur_values() -> None:
    values = load_regolamento("fibur").values
    assert [values.of(card) for card in FACES[:13]] == [15, 20, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10]
    assert values.of(parse_cards("JK")[0]) == 30
    assert values.distinct == (30, 20, 15, 10, 5)


def test_presets_differ_where_their_sources_do() -> None:
    fibur, fedibur, re = map(load_regolamento, ("fibur", "fedibur", "giochi-del-re"))
    assert fibur.class_keys == (BurracoClass.PULITO, BurracoClass.SEMIPULITO, BurracoClass.SPORCO)
    assert fedibur.class_keys == re.class_keys == (BurracoClass.PULITO, BurracoClass.SPORCO)
    assert not fibur.pozzetto.penalty_when_nobody_took
    assert fedibur.pozzetto.penalty_when_nobody_took and re.pozzetto.penalty_when_nobody_took
    assert (fibur.base, fedibur.base) == (None, "fibur")
    assert re.note("bonus.pulito").basis is Basis.SOURCED
    assert re.note("values.jolly").basis is Basis.ASSUMED
    assert re.note("runs.max_naturals").text == "fibur"
    with pytest.raises(KeyError):
        re.note("bonus.nothing")


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "casa.toml"
    path.write_text('base = "fibur"\n[values]\nnatural_two = 5\n[sets]\nranks = ["A", "3"]\n', encoding="utf-8")
    mine = load_regolamento(path)
    assert mine == load_regolamento(str(path))
    assert (mine.name, mine.values.natural_two, mine.values.pinella) == ("casa", 5, 20)
    assert mine.sets.ranks == (Rank.ACE, Rank.THREE)
    assert replace(mine, name="fibur").bonus == load_regolamento("fibur").bonus


def test_every_choice_of_semipulito_loads() -> None:
    for choice in Semipulito:
        text = f'base = "fibur"\n[classes]\nsemipulito = "{choice.value}"'
        assert parse_regolamento(text, "x").classes.semipulito is choice


@pytest.mark.parametrize(
    ("text", "code", "key", "seen", "allowed"),
    [
        ('base = "fibur"\ncolour = 1', PresetFault.UNKNOWN_KEY, "colour", 1, "values"),
        ('base = "fibur"\n[values]\njoker = 3', PresetFault.UNKNOWN_KEY, "values.joker", 3, "jolly"),
        ('base = "fibur"\n[values]\nby_face = 3', PresetFault.UNKNOWN_KEY, "values.by_face", 3, "jolly"),
        ('base = "fibur"\n[bonus]\npulito = -200', PresetFault.WRONG_VALUE, "bonus.pulito", -200, "0..10000"),
        ('base = "fibur"\n[bonus]\npulito = 2.5', PresetFault.WRONG_VALUE, "bonus.pulito", 2.5, "0..10000"),
        ('base = "fibur"\n[bonus]\npulito = true', PresetFault.WRONG_VALUE, "bonus.pulito", True, "0..10000"),
        ('base = "fibur"\n[classes]\nsemipulito = "si"', PresetFault.WRONG_VALUE, "classes.semipulito", "si", "off"),
        ('base = "fibur"\n[runs]\naces = 1', PresetFault.WRONG_VALUE, "runs.aces", 1, "one_end, both_ends"),
        ('base = "fibur"\n[sets]\nranks = ["2"]', PresetFault.WRONG_VALUE, "sets.ranks", ["2"], '"A"'),
        ('base = "fibur"\n[sets]\nranks = "A"', PresetFault.WRONG_VALUE, "sets.ranks", "A", '"A"'),
        ('base = "fibur"\n[sets]\nranks = [["A"]]', PresetFault.WRONG_VALUE, "sets.ranks", [["A"]], '"A"'),
        ('base = "fibur"\n[wilds]\nper_meld = 2', PresetFault.WRONG_VALUE, "wilds.per_meld", 2, "0..1"),
        ('base = "fibur"\n[closing]\nneeds = 1', PresetFault.WRONG_VALUE, "closing.needs", 1, "none, any, pulito"),
        ('base = "fibur"\n[match]\ntargets = []', PresetFault.WRONG_VALUE, "match.targets", [], "1..100000"),
        ('base = "fibur"\n[match]\ntargets = [5, 5]', PresetFault.WRONG_VALUE, "match.targets", [5, 5], "1..100000"),
        ('base = "fibur"\n[match]\ntargets = [5]', PresetFault.WRONG_VALUE, "match.default_target", 2005, "5"),
        ('base = "fibur"\nvalues = 3', PresetFault.WRONG_VALUE, "values", 3, "[values]"),
        ("base = 3", PresetFault.WRONG_VALUE, "base", 3, '"…"'),
        ('base = "nessuno"', PresetFault.UNKNOWN_NAME, "base", "nessuno", "fibur"),
        ('name = "x"', PresetFault.MISSING_KEY, "values.jolly", None, "0..10000"),
        ('base = "fibur"\n[sourced]\nx = "y"', PresetFault.UNKNOWN_KEY, "sourced.x", "y", "values.jolly"),
        ('base = "fibur"\n[sourced]\nvalues = 1', PresetFault.WRONG_VALUE, "sourced.values", 1, '"…"'),
        ("= 3", PresetFault.UNREADABLE, "casa", None, "TOML"),
    ],
)
def test_what_is_wrong_is_named(text: str, code: PresetFault, key: str, seen: object, allowed: str) -> None:
    with pytest.raises(RegolamentoError) as error:
        parse_regolamento(text, "casa")
    found = error.value
    assert (found.code, found.key) == (code, key)
    assert allowed in found.allowed
    assert code is PresetFault.UNREADABLE or found.value == seen


def test_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(RegolamentoError) as error:
        load_regolamento("scopa")
    assert (error.value.key, error.value.value) == ("regolamento", "scopa")
    assert all(name in error.value.allowed for name in regolamento_names())


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_file_that_cannot_be_read(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "x.toml"
    if content:
        path.write_bytes(content)
    with pytest.raises(RegolamentoError) as error:
        load_regolamento(path)
    assert error.value.code is PresetFault.UNREADABLE


def test_presets_may_not_build_on_each_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, base in (("uno", "due"), ("due", "uno")):
        (tmp_path / f"{name}.toml").write_text(f'base = "{base}"', encoding="utf-8")
    monkeypatch.setattr("scoring.regolamento._folder", lambda: tmp_path)
    with pytest.raises(RegolamentoError) as error:
        parse_regolamento('base = "uno"', "x")
    assert error.value.code is PresetFault.BASE_CIRCLE


def test_a_preset_is_one_more_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shipped = Path(__file__).parents[2] / "scoring" / "regolamenti"
    (tmp_path / "fibur.toml").write_text((shipped / "fibur.toml").read_text("utf-8"), encoding="utf-8")
    (tmp_path / "club.toml").write_text('base = "fibur"\n[bonus]\nsporco = 50', encoding="utf-8")
    monkeypatch.setattr("scoring.regolamento._folder", lambda: tmp_path)
    assert regolamento_names() == ("club", "fibur")
    assert load_regolamento("club").bonus.sporco == 50
