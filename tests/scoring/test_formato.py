"""Formati: who sits with whom, how many packs, and how a pair's total is halved."""

from __future__ import annotations

import pytest

from scoring.datafile import DataError
from scoring.formato import (
    Misfit,
    Points,
    Seating,
    dump_formato,
    formato_for,
    formato_from,
    formato_names,
    formato_under,
    load_formato,
    parse_formato,
    shares,
)
from scoring.regolamento import load_regolamento, parse_regolamento, regolamento_names
from scoring.sections import Rounding

ONE_AND_PAIR: Seating = ((0,), (1, 2))


@pytest.mark.parametrize(
    ("players", "name", "packs", "sides", "parties", "pozzetti"),
    [
        (2, "due", 2, (1, 1), 2, (11, 11)),
        (3, "tre", 2, (1, 2), 3, (18, 11)),
        (4, "quattro", 2, (2, 2), 2, (11, 11)),
        (5, "cinque", 3, (1, 2, 2), 5, (18, 11, 11)),
        (6, "sei", 3, (2, 2, 2), 3, (11, 11, 11)),
    ],
)
def test_what_ships(
    players: int, name: str, packs: int, sides: tuple[int, ...], parties: int, pozzetti: tuple[int, ...]
) -> None:
    formato = formato_for(players)
    assert (formato.name, formato.packs, formato.sides) == (name, packs, sides)
    assert (formato.parties, formato.pozzetti) == (parties, pozzetti)
    assert formato_from(dump_formato(formato)) == formato


def test_names_by_number_of_players() -> None:
    assert formato_names() == ("due", "tre", "quattro", "cinque", "sei")


@pytest.mark.parametrize("name", regolamento_names())
@pytest.mark.parametrize("formato", ["due", "tre", "quattro", "cinque", "sei"])
def test_any_formato_goes_on_any_preset(name: str, formato: str) -> None:
    regolamento, made = load_regolamento(name), load_formato(formato)
    assert made.misfits(regolamento) == ()
    assert made.applied(regolamento).deck.packs == made.packs


@pytest.mark.parametrize(
    ("preset", "formato", "size"), [("fibur", "quattro", 108), ("fibur", "cinque", 162), ("fibur", "sei", 162)]
)
def test_the_deck(preset: str, formato: str, size: int) -> None:
    assert load_formato(formato).applied(load_regolamento(preset)).deck.size == size


def test_too_few_cards() -> None:
    text = 'name = "x"\ntitle = "x"\nsource = "x"\nplayers = 6\npacks = 1\ndealt = 11\nsides = [2, 2, 2]\n'
    small = parse_formato(text + "pozzetti = [11]\nalone_from = 0\nalone_pozzetti = []\ntargets = []\n")
    assert small.misfits(load_regolamento("fibur")) == (Misfit.TOO_FEW_CARDS,)


@pytest.mark.parametrize(
    ("totals", "rounding", "points"),
    [
        ((500, 305), Rounding.UP, (500, 153, 153)),
        ((500, -305), Rounding.UP, (500, -152, -152)),
        ((500, 305), Rounding.DOWN, (500, 152, 152)),
        ((500, -305), Rounding.DOWN, (500, -153, -153)),
        ((500, 305), Rounding.KEEP, (500, 152.5, 152.5)),
        ((500, -305), Rounding.KEEP, (500, -152.5, -152.5)),
        ((0, 300), Rounding.KEEP, (0, 150, 150)),
    ],
)
def test_the_one_alone_takes_all_and_the_pair_halves(
    totals: tuple[int, int], rounding: Rounding, points: tuple[Points, ...]
) -> None:
    assert shares(totals, ONE_AND_PAIR, 3, rounding) == points


def test_shares_in_five() -> None:
    seating = load_formato("cinque").seating([[4], [0, 2], [1, 3]])
    assert shares([700, 305, -305], seating, 5, Rounding.UP) == (153, -152, 153, -152, 700)


@pytest.mark.parametrize(
    ("totals", "seating"),
    [
        ((0, 0, 0), None),
        ((999, 995, -20), None),
        ((1000, 0, 0), ((0,), (1,), (2,))),
        ((152.5, 1002.5, 0), ((0,), (1,), (2,))),
    ],
)
def test_from_a_thousand_on_everyone_is_alone(totals: tuple[Points, ...], seating: Seating | None) -> None:
    tre = load_formato("tre")
    assert tre.fixed_seating(totals) == seating
    assert tre.pozzetti_of(seating or ONE_AND_PAIR) == ((11, 11, 11) if seating else (18, 11))


@pytest.mark.parametrize(
    ("formato", "regolamento", "targets"),
    [
        ("tre", "fibur", (1505, 1500, 2005)),
        ("tre", "tre", (1505, 1500, 2005)),
        ("cinque", "fibur", (1505, 2005)),
        ("cinque", "cinque", (1505, 2005)),
        ("quattro", "fibur", (2005, 505, 1005)),
        ("due", "burako", (3000,)),
        ("quattro", "tre", (1505, 1500, 2005)),
        ("sei", "gamelake", (2005, 1005)),
    ],
)
def test_the_totals_to_play_to_have_one_owner(formato: str, regolamento: str, targets: tuple[int, ...]) -> None:
    assert load_formato(formato).targets_under(load_regolamento(regolamento)) == targets


def test_a_regolamento_made_for_three_says_its_own_totals() -> None:
    mine = parse_regolamento('base = "tre"\n[match]\ntargets = [2500]\ndefault_target = 2500', "mine")
    assert load_formato("tre").targets_under(mine) == (2500,)


def test_pairs_do_not_change_in_four() -> None:
    quattro = load_formato("quattro")
    assert quattro.fixed_seating((5000, 0)) == ((0,), (1,))
    assert (quattro.players_of((1,)), load_formato("tre").players_of((1, 2))) == (2, 2)


@pytest.mark.parametrize("sides", [[[0, 1], [2]], [[0], [1]], [[0], [1, 1]], [[0], [1, 3]], [], [[0], [1], [2]]])
def test_a_wrong_seating_says_what_is_right(sides: list[list[int]]) -> None:
    with pytest.raises(DataError, match=r"1 \+ 2"):
        load_formato("tre").seating(sides)


def test_pairs_of_four_are_not_seated_anew() -> None:
    with pytest.raises(DataError):
        load_formato("quattro").seating([[0, 1], [2, 3]])


@pytest.mark.parametrize("players", [1, 7, 0, -2])
def test_no_such_number_of_players(players: int) -> None:
    with pytest.raises(DataError, match=r"2\.\.6"):
        formato_for(players)


def test_all_faults_of_a_file_at_once() -> None:
    with pytest.raises(DataError) as error:
        parse_formato('name = ""\nplayers = 9\npacks = "two"\nsides = [2, 2]\npozzetti = [99]\nfun = 1')
    keys = [fault.key for fault in error.value.faults]
    assert {"fun", "name", "players", "packs", "title", "pozzetti"} <= set(keys)
    with pytest.raises(DataError, match="allowed: 4"):
        parse_formato(
            'name = "x"\ntitle = "x"\nsource = "x"\nplayers = 4\npacks = 2\ndealt = 11\nsides = [2, 3]\n'
            "pozzetti = [11]\nalone_from = 0\nalone_pozzetti = []\ntargets = []\n"
        )


@pytest.mark.parametrize("name", ["sette", "missing.toml", ""])
def test_an_unknown_formato(name: str) -> None:
    with pytest.raises(DataError):
        load_formato(name)


def test_a_file_that_is_no_toml() -> None:
    with pytest.raises(DataError, match="TOML"):
        parse_formato("name =")


def test_stored_values_must_be_a_table() -> None:
    with pytest.raises(DataError):
        formato_from("quattro")


@pytest.mark.parametrize(
    ("formato", "said", "seats"),
    [
        ("quattro", [None, None], (2, 2)),
        ("quattro", [None] * 3, None),
        ("quattro", [1, None], None),
        ("due", [1, 1], (1, 1)),
        ("tre", [None, None], (1, 2)),
        ("tre", [2, None], (2, 1)),
        ("tre", [None, 1], (2, 1)),
        ("tre", [2, 2], None),
        ("tre", [None] * 3, (1, 1, 1)),
        ("cinque", [None, 1, None], (2, 1, 2)),
        ("cinque", [None] * 5, (1,) * 5),
        ("sei", [None] * 3, (2, 2, 2)),
    ],
)
def test_who_sits_where(formato: str, said: list[int | None], seats: tuple[int, ...] | None) -> None:
    assert load_formato(formato).seats(said) == seats


def test_what_each_player_gets() -> None:
    three = load_formato("tre")
    assert three.each([500, -305], (1, 2), Rounding.UP) == (500, -152)
    assert three.each([-305, 500], (2, 1), Rounding.DOWN) == (-153, 500)
    assert three.each([100, 305, 5], (1, 1, 1), Rounding.UP) == (100, 305, 5)
    assert load_formato("quattro").each([500, 305], (2, 2), Rounding.UP) is None


@pytest.mark.parametrize(
    ("players", "said", "name"),
    [
        (None, (), "quattro"),
        (3, (2, 2), "tre"),
        (None, (2, 1), "tre"),
        (None, (2, None), "quattro"),
        (None, (3, 3, 3), "quattro"),
        (None, (1, 1), "due"),
    ],
)
def test_the_formato_of_a_smazzata(players: int | None, said: tuple[int | None, ...], name: str) -> None:
    assert formato_under(load_regolamento("fibur"), players, said).name == name


def test_rules_made_for_a_formato_keep_their_packs() -> None:
    own = parse_regolamento('base = "fibur"\n[deck]\npacks = 3\n', "casa")
    assert load_formato("quattro").applied(own).deck.packs == 3
    assert load_formato("due").applied(own).deck.packs == 2


def test_how_many_sit_at_a_place_before_and_after_it_is_said_who_is_alone() -> None:
    tre = load_formato("tre")
    assert [tre.players_at(None, place) for place in (0, 1)] == [tre.sides[0], tre.sides[1]] == [1, 2]
    assert [tre.players_at(((0, 2), (1,)), place) for place in (0, 1)] == [2, 1]
    assert load_formato("quattro").players_at(None, 1) == 2
