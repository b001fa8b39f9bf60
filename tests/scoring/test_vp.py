"""Victory Points and standings, against the published tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.classifica import MpCount, TableResult, classifica
from scoring.datafile import DataCode, DataError, file_text
from scoring.formato import Formato, parse_formato
from scoring.regolamento import load_regolamento, regolamento_names
from scoring.sides import points_step
from scoring.vp import (
    VpTable,
    dump_vp_table,
    load_vp_table,
    parse_vp_table,
    vp_table_for,
    vp_table_from,
    vp_table_names,
)

THREE = [50, 150, 250, 350, 500, 650, 800, 1000, 1250, 1500]
VP_3 = file_text("vp-3", "vp_tables")
TRE = file_text("tre", "formati")
FOUR = [100, 300, 500, 700, 900, 1100, 1300, 1500, 1700, 2000]


@pytest.mark.parametrize(("smazzate", "ends"), [(3, THREE), (4, FOUR)])
def test_every_band_of_the_published_tables(smazzate: int, ends: list[int]) -> None:
    table = vp_table_for(smazzate)
    starts = [0, *(end + 5 for end in ends)]
    for more, (start, end) in enumerate(zip(starts, [*ends, 9000], strict=True)):
        won = (10 + more, 10 - more)
        assert table.of(start, 0) == table.of(end, 0) == won
        assert table.of(0, start) == table.of(0, end) == won[::-1] or more == 0


@pytest.mark.parametrize(
    ("smazzate", "difference", "vp"),
    [(3, 825, (17, 3)), (4, 500, (12, 8)), (4, 505, (13, 7)), (3, 1500, (19, 1)), (3, 1505, (20, 0))],
)
def test_the_published_cases(smazzate: int, difference: int, vp: tuple[int, int]) -> None:
    assert vp_table_for(smazzate).of(1000 + difference, 1000) == vp


def test_no_table_for_two_smazzate_was_found() -> None:
    with pytest.raises(DataError, match="3, 4"):
        vp_table_for(2)


def test_a_club_has_its_own_table(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text(
        'name = "club"\ntitle = "Club"\nsource = "delibera"\nsmazzate = 2\nsum = 12\ndifferences = [0, 200]\n'
        "vp = [6, 9]\n",
        encoding="utf-8",
    )
    table = load_vp_table(str(path))
    assert (table.of(150, 0), table.of(0, 200)) == ((6, 6), (3, 9))
    assert vp_table_from(dump_vp_table(table)) == table


@pytest.mark.parametrize(
    ("differences", "vp", "says"),
    [
        ("[0, 50]", "[10]", [("vp", DataCode.NOT_ONE_EACH, "2")]),
        ("[5, 50]", "[10, 11]", [("differences", DataCode.NOT_FROM_ZERO, "0, …")]),
        ("[0, 50, 50]", "[10, 11, 12]", [("differences", DataCode.NOT_FROM_ZERO, "0, …")]),
        ("[0, 50]", "[11, 10]", [("vp", DataCode.NOT_FROM_HALF, "20")]),
        ("[0, 50]", "[10, 21]", [("vp", DataCode.NOT_FROM_HALF, "20")]),
        (
            "[1]",
            "[9, 12]",
            [
                ("vp", DataCode.NOT_ONE_EACH, "1"),
                ("differences", DataCode.NOT_FROM_ZERO, "0, …"),
                ("vp", DataCode.NOT_FROM_HALF, "20"),
            ],
        ),
        (
            "[]",
            "[]",
            [
                ("differences", DataCode.WRONG_VALUE, "[0..100000, …]"),
                ("vp", DataCode.WRONG_VALUE, "[0..1000, …]"),
            ],
        ),
        ("[0, true]", "[10, 12]", [("differences", DataCode.WRONG_VALUE, "[0..100000, …]")]),
        (
            "[0]",
            "[10]\nfun = 1",
            [("fun", DataCode.UNKNOWN_KEY, "name, title, source, smazzate, sum, differences, vp")],
        ),
        ("[0]", "?", [("vp", DataCode.NOT_TOML, "TOML")]),
    ],
)
def test_a_table_that_cannot_be(differences: str, vp: str, says: list[tuple[str, DataCode, str]]) -> None:
    text = f'name = "x"\ntitle = "x"\nsource = "x"\nsmazzate = 3\nsum = 20\ndifferences = {differences}\nvp = {vp}\n'
    with pytest.raises(DataError) as error:
        parse_vp_table(text)
    assert [(fault.key, fault.code, fault.allowed) for fault in error.value.faults] == says


@pytest.mark.parametrize(("name", "code"), [("vp-2", DataCode.UNKNOWN_NAME), ("no/such.toml", DataCode.UNREADABLE)])
def test_a_table_that_is_not_there(name: str, code: DataCode) -> None:
    with pytest.raises(DataError) as error:
        load_vp_table(name)
    assert [fault.code for fault in error.value.faults] == [code]


VALUES = st.one_of(
    st.integers(-5, 30).map(str),
    st.lists(st.integers(-5, 300), max_size=4).map(str),
    st.sampled_from(['"x"', '""', "true", "2.5", "[", "[[1]]", "1979-05-27", "?"]),
)
KEYS = st.sampled_from([*VpTable.__dataclass_fields__, *Formato.__dataclass_fields__, "fun"])


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.dictionaries(KEYS, VALUES, max_size=5), st.text(max_size=10), st.sampled_from([VP_3, TRE]))
def test_any_file_is_read_or_all_its_faults_are_named(changes: dict[str, str], noise: str, whole: str) -> None:
    kept = [line for line in whole.splitlines() if line.partition(" ")[0] not in changes]
    text = "\n".join([*kept, *(f"{key} = {value}" for key, value in changes.items()), noise])
    for parse in (parse_vp_table, parse_formato):
        try:
            parse(text)
        except DataError as error:
            assert all(fault.allowed for fault in error.faults)


def test_what_ships_names_its_source() -> None:
    assert vp_table_names() == ("vp-3", "vp-4")
    assert all(load_vp_table(name).source for name in vp_table_names())


TURN = [TableResult(("A", "B"), (2000, 1000)), TableResult(("C", "D"), (1700, 1650))]
NEXT = [TableResult(("C", "A"), (1500, 1500)), TableResult(("D", "B"), (800, 1800))]


def ranks(results: list[TableResult], count: MpCount = MpCount.OWN) -> list[tuple[int, str, int, float]]:
    return [(s.place, s.name, s.vp, s.mp) for s in classifica(results, vp_table_for(3), count)]


def test_nobody_has_played_yet() -> None:
    assert ranks([]) == []


def test_standings_of_one_turn_and_of_two() -> None:
    assert ranks(TURN) == [(1, "A", 17, 2000), (2, "C", 10, 1700), (3, "D", 10, 1650), (4, "B", 3, 1000)]
    assert ranks(TURN + NEXT) == [(1, "A", 27, 3500), (2, "C", 20, 3200), (3, "B", 20, 2800), (4, "D", 13, 2450)]


def test_the_difference_may_break_the_tie() -> None:
    assert ranks(TURN, MpCount.DIFFERENCE)[1:3] == [(2, "C", 10, 50), (3, "D", 10, -50)]


def test_equal_pairs_share_a_place() -> None:
    turn = [TableResult(("B", "A"), (500, 500)), TableResult(("C", "D"), (400, 400))]
    assert ranks(turn) == [(1, "A", 10, 500), (1, "B", 10, 500), (3, "C", 10, 400), (3, "D", 10, 400)]


def test_a_pair_that_rests() -> None:
    standing = classifica([TableResult(("E", ""), (0, 0))], vp_table_for(3), bye=12)
    assert [(s.name, s.vp, s.mp, s.turni) for s in standing] == [("E", 12, 0, 1)]


@pytest.mark.parametrize("name", regolamento_names())
def test_every_preset_goes_by_fives(name: str) -> None:
    regolamento = load_regolamento(name)
    assert points_step(regolamento) == 5
    assert all(regolamento.bonus.of(classe) % 5 == 0 for classe in regolamento.class_keys)
