"""Presets: what ships, what a file of one's own may say, and every way it can be wrong."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.cards import FACES, Rank, parse_cards
from scoring.classes import BurracoClass, Semipulito
from scoring.regolamento import (
    DEFAULT_REGOLAMENTO,
    Basis,
    PresetFault,
    RegolamentoError,
    changed,
    dump_regolamento,
    load_regolamento,
    parse_regolamento,
    regolamento_names,
)
from scoring.schema import FIELDS, SECTIONS
from scoring.sections import BurracoNeed, LastDiscard

SHIPPED = [
    *("starcasino", "due", "tre", "quattro", "cinque", "sei"),
    *("reale", "internazionale", "gamelake", "onmadesoft", "giochi-del-re", "wikipedia"),
    *("fedibur", "fibur", "fgb", "burracoup", "figibur", "faib", "uisp", "feburit", "fitab", "revolution"),
    *("buraco-aberto", "buraco-fechado", "burako"),
]


def test_what_ships() -> None:
    assert sorted(SHIPPED) == list(regolamento_names())
    assert load_regolamento() == load_regolamento(DEFAULT_REGOLAMENTO) == load_regolamento("fibur")


@pytest.mark.parametrize("name", regolamento_names())
def test_each_preset_says_where_every_figure_comes_from(name: str) -> None:
    regolamento = load_regolamento(name)
    assert regolamento.name == name
    assert regolamento.title and regolamento.source and regolamento.date
    assert all(note.text for note in regolamento.notes)
    sourced = any(note.basis is Basis.SOURCED for note in regolamento.notes)
    assert sourced == (regolamento.counts_as is None)


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


@pytest.mark.parametrize("name", ["fgb", "burracoup", "figibur", "faib", "uisp"])
def test_a_preset_with_nothing_of_its_own_counts_as_its_base(name: str) -> None:
    regolamento = load_regolamento(name)
    text = (Path(__file__).parents[2] / "scoring" / "regolamenti" / f"{name}.toml").read_text("utf-8")
    assert set(tomllib.loads(text)) == {"name", "title", "base", "source", "date"}
    assert (regolamento.counts_as, regolamento.own) == ("fibur", ())
    assert replace(regolamento, name="fibur", title=load_regolamento().title) == load_regolamento()


def test_the_other_presets_have_something_of_their_own() -> None:
    assert [name for name in SHIPPED if load_regolamento(name).counts_as] == [
        "fgb",
        "burracoup",
        "figibur",
        "faib",
        "uisp",
    ]


@pytest.mark.parametrize(
    ("name", "key", "basis", "value"),
    [
        ("reale", "deck.jollies_per_pack", Basis.SOURCED, 0),
        ("reale", "values.pinella", Basis.SOURCED, 10),
        ("reale", "closing.needs", Basis.SOURCED, BurracoNeed.PULITO),
        ("internazionale", "sets.ranks", Basis.SOURCED, (Rank.ACE, Rank.THREE)),
        ("gamelake", "closing.discard", Basis.SOURCED, LastDiscard.OPTIONAL),
        ("gamelake", "bonus.pulito", Basis.ASSUMED, 200),
        ("onmadesoft", "values.natural_two", Basis.SOURCED, 5),
        ("fitab", "bonus.reale", Basis.ASSUMED, 300),
        ("fitab", "bonus.reale_sporco", Basis.SOURCED, 250),
        ("revolution", "bonus.reale", Basis.ASSUMED, 300),
        ("burako", "values.jolly", Basis.SOURCED, 50),
        ("burako", "pozzetto.taken_bonus", Basis.SOURCED, 100),
        ("buraco-aberto", "closing.needs", Basis.SOURCED, BurracoNeed.PULITO),
        ("buraco-fechado", "closing.needs", Basis.ASSUMED, BurracoNeed.ANY),
        ("buraco-fechado", "match.targets", Basis.SOURCED, (3000, 5000)),
        ("tre", "match.default_target", Basis.SOURCED, 1505),
        ("cinque", "deck.packs", Basis.SOURCED, 3),
        ("giochi-del-re", "match.draw", Basis.SOURCED, True),
    ],
)
def test_a_figure_and_where_it_comes_from(name: str, key: str, basis: Basis, value: object) -> None:
    regolamento = load_regolamento(name)
    section, _, field = key.partition(".")
    assert (getattr(getattr(regolamento, section), field), regolamento.note(key).basis) == (value, basis)


def test_the_deck_of_each_preset() -> None:
    assert {name: load_regolamento(name).deck.size for name in ("fibur", "reale", "cinque", "sei", "tre")} == {
        "fibur": 108,
        "reale": 104,
        "cinque": 162,
        "sei": 162,
        "tre": 108,
    }


@pytest.mark.parametrize("formato", ["sette", "../tre"])
def test_a_formato_that_does_not_exist_is_refused(formato: str) -> None:
    with pytest.raises(RegolamentoError) as caught:
        parse_regolamento(f'base = "fibur"\nformato = "{formato}"', "casa")
    [problem] = caught.value.problems
    assert (problem.code, problem.key, problem.value) == (PresetFault.WRONG_VALUE, "formato", formato)
    assert problem.allowed == "due, tre, quattro, cinque, sei"


def test_presets_of_a_table_name_their_formato() -> None:
    assert {n: load_regolamento(n).formato for n in SHIPPED if load_regolamento(n).base == "starcasino"} == {
        n: n for n in ("due", "tre", "quattro", "cinque", "sei")
    }
    assert load_regolamento("fibur").formato == "quattro"


def test_a_setting_changes_one_field() -> None:
    fibur = load_regolamento("fibur")
    mine = changed(fibur, ["semipulito=wild_at_end", "packs = 3", 'sets.ranks=["A"]', "names.pulito=limpio", "aa=true"])
    assert mine.classes.semipulito is Semipulito.WILD_AT_END
    assert (mine.deck.packs, mine.sets.ranks, mine.names.pulito) == (3, (Rank.ACE,), "limpio")
    assert mine.note("deck.packs").text != fibur.note("deck.packs").text
    assert mine.note("deck.jollies_per_pack") == fibur.note("deck.jollies_per_pack")
    assert mine.bonus == fibur.bonus
    assert changed(fibur, []) == fibur


@pytest.mark.parametrize(
    ("setting", "code", "key", "allowed"),
    [
        ("packs=9", PresetFault.WRONG_VALUE, "packs", "2..6"),
        ("semipulito=si", PresetFault.WRONG_VALUE, "semipulito", "0..10000 | off, contiguous7, wild_at_end"),
        ("min_cards=4", PresetFault.UNKNOWN_KEY, "min_cards", "runs.min_cards, sets.min_cards"),
        ("x=4", PresetFault.UNKNOWN_KEY, "x", "bonus.pulito"),
        ("names.pulito=3", PresetFault.WRONG_VALUE, "names.pulito", '"…" (1..40)'),
        ("marks.pulito=[2, 1]", PresetFault.WRONG_VALUE, "marks.pulito", "[1..4, …]"),
        ("marks.pulito=1", PresetFault.WRONG_VALUE, "marks.pulito", "[1..4, …]"),
        ("targets=[505]", PresetFault.WRONG_VALUE, "match.default_target", "505"),
        ("packs", PresetFault.NOT_A_SETTING, "", "key=value"),
        ("foo", PresetFault.NOT_A_SETTING, "", "key=value"),
        ("", PresetFault.NOT_A_SETTING, "", "key=value"),
    ],
)
def test_a_setting_that_cannot_be(setting: str, code: PresetFault, key: str, allowed: str) -> None:
    with pytest.raises(RegolamentoError) as error:
        changed(load_regolamento("fibur"), [setting])
    assert (error.value.code, error.value.key) == (code, key)
    assert allowed in error.value.allowed


def test_everything_wrong_is_said_at_once() -> None:
    text = 'base = "fibur"\ncolour = 1\n[bonus]\npulito = -200\n[values]\njoker = 3\nace = "x"\n[match]\ntargets = [5]'
    with pytest.raises(RegolamentoError) as error:
        parse_regolamento(text, "casa")
    keys = ["colour", "values.joker", "values.ace", "bonus.pulito", "match.default_target"]
    assert [problem.key for problem in error.value.problems] == keys
    assert str(error.value).count("\n") == 4


def test_a_text_kept_by_an_older_program_still_loads() -> None:
    new = dump_regolamento(load_regolamento("fibur"))
    dropped = ("needs", "discard", "not_played", "taken_bonus", "one_smazzata", "draw", "half", "reale", "aa", "super")
    kept = [line for line in new.splitlines() if not line.startswith(tuple(f"{key} " for key in dropped))]
    for answer, need in (("true", BurracoNeed.ANY), ("false", BurracoNeed.NONE)):
        old = "\n".join(kept).replace("[closing]", f"[closing]\nneeds_burraco = {answer}")
        old = old.replace('"closing.needs" =', '"closing.needs_burraco" =')
        assert parse_regolamento(old, "x").closing.needs is need
        assert parse_regolamento(old, "x").note("closing.needs").text == "FB26, EB16: +100; pozzetto e un burraco"


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
        (
            'base = "fibur"\n[closing]\nneeds_pozzetto = 1',
            PresetFault.WRONG_VALUE,
            "closing.needs_pozzetto",
            1,
            "true, false",
        ),
        ('base = "fibur"\n[match]\ntargets = []', PresetFault.WRONG_VALUE, "match.targets", [], "1..100000"),
        ('base = "fibur"\n[match]\ntargets = [5, 5]', PresetFault.WRONG_VALUE, "match.targets", [5, 5], "1..100000"),
        ('base = "fibur"\n[match]\ntargets = [5]', PresetFault.WRONG_VALUE, "match.default_target", 2005, "5"),
        ('base = "fibur"\nvalues = 3', PresetFault.WRONG_VALUE, "values", 3, "[values]"),
        ("base = 3", PresetFault.WRONG_VALUE, "base", 3, '"…"'),
        ('base = "nessuno"', PresetFault.UNKNOWN_NAME, "base", "nessuno", "fibur"),
        ("[deck]", PresetFault.MISSING_KEY, "values.jolly", None, "0..10000"),
        ("", PresetFault.EMPTY, "casa", "", "base"),
        ("# niente\n", PresetFault.EMPTY, "casa", "", "base"),
        ('name = "x"', PresetFault.EMPTY, "casa", "", "base"),
        ("[sourced]\ndeck = 'x'", PresetFault.EMPTY, "casa", "", "base"),
        ("x = 3", PresetFault.EMPTY, "casa", "", "base"),
        ('base = "fibur"\n[sourced]\nx = "y"', PresetFault.UNKNOWN_KEY, "sourced.x", "y", "values.jolly"),
        ('base = "fibur"\n[sourced]\nvalues = 1', PresetFault.WRONG_VALUE, "sourced.values", 1, '"…"'),
        ("= 3", PresetFault.NOT_TOML, "casa", 1, "TOML"),
        ('base = "fibur"\n[bonus]\npulito', PresetFault.NOT_TOML, "casa", 3, "TOML"),
    ],
)
def test_what_is_wrong_is_named(text: str, code: PresetFault, key: str, seen: object, allowed: str) -> None:
    with pytest.raises(RegolamentoError) as error:
        parse_regolamento(text, "casa")
    found = error.value
    assert (found.code, found.key) == (code, key)
    assert allowed in found.allowed
    assert found.value == seen


def test_an_empty_preset_is_one_sentence_and_what_else_is_wrong() -> None:
    with pytest.raises(RegolamentoError) as error:
        parse_regolamento("", "casa")
    assert len(error.value.problems) == 1
    with pytest.raises(RegolamentoError) as error:
        parse_regolamento("x = 3", "casa")
    assert [problem.code for problem in error.value.problems] == [PresetFault.EMPTY, PresetFault.UNKNOWN_KEY]


TOML_VALUES = st.one_of(
    st.integers(-10, 400).map(str),
    st.sampled_from(["true", '"off"', '"any"', '"A"', "[]", "[1, 2]", "2.5", "{}", '["A", "3"]', "1979-05-27", "x"]),
)


@settings(derandomize=True, deadline=None, max_examples=400)
@given(
    st.sampled_from([*FIELDS, *SECTIONS, "base", "x.y", "sourced.deck", "assumed.x"]), TOML_VALUES, st.text(max_size=20)
)
def test_any_preset_loads_or_says_what_is_wrong(key: str, value: str, noise: str) -> None:
    for text in (f'base = "fibur"\n{key} = {value}', f"{key} = {value}\nbase = 'fibur'\n{noise}", noise):
        try:
            regolamento = parse_regolamento(text, "casa")
        except RegolamentoError as error:
            assert all(problem.key and problem.allowed for problem in error.problems)
        else:
            assert parse_regolamento(dump_regolamento(regolamento), "casa") == regolamento


def test_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(RegolamentoError) as error:
        load_regolamento("scopa")
    assert (error.value.key, error.value.value) == ("regolamento", "scopa")
    assert all(name in error.value.allowed for name in regolamento_names())


@pytest.mark.parametrize(("content", "code"), [(None, PresetFault.UNREADABLE), (b"\xff\xfe", PresetFault.NOT_UTF8)])
def test_a_file_that_cannot_be_read(tmp_path: Path, content: bytes | None, code: PresetFault) -> None:
    path = tmp_path / "x.toml"
    if content:
        path.write_bytes(content)
    with pytest.raises(RegolamentoError) as error:
        load_regolamento(path)
    assert error.value.code is code


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
