"""Smazzate as files: what they may say, and every way they can be wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.cards import FACES, Card, parse_cards
from scoring.classes import BurracoClass
from scoring.smazzata import Adjustment, End, Held, Pozzetto, Side, SideCounts, SideMelds, SideSums
from scoring.smazzata_examples import EXAMPLE_TEXT, EXAMPLE_TOML, OTHER_KEYS, OTHER_LINES
from scoring.smazzata_file import SmazzataFile, SmazzataFileError, parse_smazzata
from scoring.smazzata_text import WORDS, FileCode

NOI = Side(
    SideMelds((parse_cards("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥"), parse_cards("K♠ K♥ K♦ JK"))),
    closed=True,
    last_discard=Card.parse("9♣"),
    hands=(Held(points=35),),
)
LORO = Side(
    SideMelds(),
    pozzetto=Pozzetto.NOT_PLAYED,
    pozzetto_held=Held(parse_cards("A♥ 4♣")),
    hands=(Held(parse_cards("K♥")), Held(points=5)),
    penalised=Held(parse_cards("K♦")),
    adjustments=(Adjustment(-50, "arrivo in ritardo"), Adjustment(10, "premio")),
)
WHOLE = SmazzataFile(("Noi", "Loro"), (NOI, LORO), End.CLOSED, "fibur", 4, said=(None, None))
TEXT = """
# la prima
regolamento: fibur
giocatori: 4
fine: chiusura

[Noi]
3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥    # pulito
gioco: K♠ K♥ K♦ JK
chiusura
scarto: 9♣
pozzetto: preso e giocato
mano: 35

Loro:
pozzetto: preso e non giocato A♥ 4♣
mano: K♥
mano: 5
penalizzate: K♦
rettifica: -50 arrivo in ritardo
rettifica: 10 premio
"""
TOML = """
regolamento = "fibur"
players = 4
end = "closed"
[[sides]]
name = "Noi"
melds = ["3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥", ["K♠", "K♥", "K♦", "JK"]]
closed = true
last_discard = "9♣"
hands = [{ points = 35 }]
[[sides]]
name = "Loro"
pozzetto = "not_played"
pozzetto_held = { cards = "A♥ 4♣" }
hands = ["K♥", 5]
penalised = "K♦"
adjustments = [{ points = -50, reason = "arrivo in ritardo" }, "10 premio"]
"""


def test_a_fault_shows_what_stood_there_as_json() -> None:
    with pytest.raises(SmazzataFileError) as caught:
        parse_smazzata('{"sides": [{"hands": [{"points": "a"}]}, {}]}', "json")
    assert [fault.seen for fault in caught.value.faults] == ['{"points": "a"}']


@pytest.mark.parametrize(("text", "kind"), [(TEXT, "text"), (TOML, "toml")])
def test_one_smazzata_in_two_ways(text: str, kind: str) -> None:
    assert parse_smazzata(text, kind) == WHOLE


def test_every_card_that_is_none_is_a_fault_of_its_own() -> None:
    with pytest.raises(SmazzataFileError) as error:
        parse_smazzata("[A]\nSQ KA 3♥\n[B]\nscarto: 9 X")
    assert [(fault.where, fault.seen) for fault in error.value.faults] == [(2, "SQ"), (2, "KA"), (4, "9 X")]


def test_a_name_that_cannot_be_seen_is_shown_where_it_stands() -> None:
    with pytest.raises(SmazzataFileError) as error:
        parse_smazzata("[No\u202ei]\n[B]")
    assert [(fault.code, fault.seen) for fault in error.value.faults] == [(FileCode.NOT_TEXT, "No\ufffdi")]


def test_the_other_lines_and_keys_that_the_help_names_are_read() -> None:
    lines = [line for line in OTHER_LINES.splitlines() if not line.startswith("punti")]
    laid = parse_smazzata("\n".join(["[A]", *lines, "[B]", OTHER_LINES.splitlines()[1]]))
    assert (len(laid.sides[0].laid.melds), laid.sides[0].laid_last, laid.sides[1].laid) == (1, True, SideSums(180, 300))
    sums, counts, *others = OTHER_KEYS.splitlines()
    first, second = "\n".join(["[[sides]]", sums, *others]), "\n".join(["[[sides]]", counts])
    file = parse_smazzata(f"{first}\n{second}", "toml")
    assert (file.sides[0].laid, file.sides[0].laid_last, file.said) == (SideSums(180, 300), True, (2, None))
    assert file.sides[1].laid == SideCounts.of({10: 7}, {BurracoClass.PULITO: 1}, {100: 2})


def test_the_examples_say_the_same() -> None:
    example = parse_smazzata(EXAMPLE_TEXT)
    assert example == parse_smazzata(EXAMPLE_TOML, "toml")
    assert (example.names, example.sides[0].closed, len(example.sides[1].hands)) == (("Noi", "Loro"), True, 2)
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert EXAMPLE_TEXT in readme and EXAMPLE_TOML in readme


def test_json_and_names_apart() -> None:
    data = {
        "names": ["Noi"],
        "regolamento": None,
        "sides": [
            {"sums": {"card_points": 180, "bonus_points": 300}},
            {
                "counts": {"cards_by_value": {"10": 3}, "burrachi": {"pulito": 1}, "heaps": {"100": 2}},
                "laid_last": True,
            },
            {},
        ],
    }
    file = parse_smazzata(json.dumps(data), "json")
    assert file.names == ("Noi", "B", "C")
    assert file.sides[0].laid == SideSums(180, 300)
    assert file.sides[1] == Side(SideCounts.of({10: 3}, {BurracoClass.PULITO: 1}, {100: 2}), laid_last=True)
    assert (file.regolamento, file.players, file.end) == (None, None, None)


@pytest.mark.parametrize(
    ("line", "side"),
    [
        ("punti: 180 + 300", Side(SideSums(180, 300))),
        ("punti: 180 300", Side(SideSums(180, 300))),
        ("senza scarto", Side(SideMelds(), laid_last=True)),
        ("chiusura: no", Side(SideMelds())),
        ("pozzetto: not_played 95", Side(SideMelds(), pozzetto=Pozzetto.NOT_PLAYED, pozzetto_held=Held(points=95))),
        ("pozzetto: Non  preso", Side(SideMelds(), pozzetto=Pozzetto.NOT_TAKEN)),
        ("giocatori: 1", Side(SideMelds(), players=1)),
        ("rettifica: −50", Side(SideMelds(), adjustments=(Adjustment(-50, ""),))),
        ("3h 4h 5h", Side(SideMelds((parse_cards("3♥ 4♥ 5♥"),)))),
    ],
)
def test_lines(line: str, side: Side) -> None:
    assert parse_smazzata(f"[A]\n{line}\n[B]").sides[0] == side


def test_a_later_end_and_other_words() -> None:
    assert parse_smazzata("[A]\n[B]\nfine: tallone").end is End.STOCK
    assert parse_smazzata("end: closed_without_bonus\n[A]\n[B]").end is End.CLOSED_WITHOUT_BONUS


def faults(text: str, kind: str = "text") -> list[tuple[FileCode, int | str, str]]:
    with pytest.raises(SmazzataFileError) as error:
        parse_smazzata(text, kind)
    assert str(error.value)
    return [(fault.code, fault.where, fault.seen) for fault in error.value.faults]


def test_all_faults_at_once() -> None:
    text = (
        "mano: 5\n[A]\n3♥ zz\ncolore: rosso\nchiusura\nchiusura\npozzetto: forse\n[B]\nmano: tre\npunti: 1\nscarto: 9"
    )
    assert faults(text) == [
        (FileCode.NO_SIDE_YET, 1, "mano: 5"),
        (FileCode.NOT_CARDS, 3, "zz"),
        (FileCode.UNKNOWN_WORD, 4, "colore"),
        (FileCode.TWICE, 6, "chiusura"),
        (FileCode.NOT_POZZETTO, 7, "forse"),
        (FileCode.NOT_HELD, 9, "tre"),
        (FileCode.NOT_SUMS, 10, "1"),
        (FileCode.NOT_A_CARD, 11, "9"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [(FileCode.SIDES_COUNT, "", "0")]),
        ("[A]", [(FileCode.SIDES_COUNT, "", "1")]),
        ("[A]\n[B]\n[C]\n[D]\n[E]\n[F]", [(FileCode.SIDES_COUNT, "", "6")]),
        ("[A]\n[B]\nfine: mai", [(FileCode.NOT_AN_END, 3, "mai")]),
        ("giocatori: 9\n[A]\n[B]", [(FileCode.NOT_A_NUMBER, 1, "9")]),
        ("regolamento:\n[A]\n[B]", [(FileCode.NOT_TEXT, 1, "")]),
        ("[]\n[B]", [(FileCode.NOT_TEXT, 1, "")]),
        ("[A]\nchiusura: forse\n[B]", [(FileCode.NOT_YES_OR_NO, 2, "forse")]),
        ("[A]\n[B]\nrettifica: meno dieci", [(FileCode.NOT_AN_ADJUSTMENT, 3, "meno dieci")]),
        ("[A]\n3♥ 4♥ 5♥\npunti: 15 0\n[B]", [(FileCode.TWO_WAYS, 3, "punti")]),
        ("[A]\ngioco: ,\n[B]", [(FileCode.NOT_CARDS, 2, ",")]),
        ("[A]\n3♥ 4♥ 5♥\n[B]\n[A]", [(FileCode.SAME_NAME, 4, "A")]),
        ("[Anna]\n[ANNA ]", [(FileCode.SAME_NAME, 2, "ANNA")]),
    ],
)
def test_plain_text_that_cannot_be(text: str, expected: list[tuple[FileCode, int | str, str]]) -> None:
    assert faults(text) == expected


def test_what_could_be_read_in_spite_of_a_fault() -> None:
    with pytest.raises(SmazzataFileError) as error:
        parse_smazzata("[A]\n3♥ zz\nchiusura\n[B]\nchiusura\ngiocatori: 1")
    partial = error.value.partial
    assert partial and [side.closed for side in partial.sides] == [True, True]
    assert partial.said == (None, 1)
    with pytest.raises(SmazzataFileError) as error:
        parse_smazzata("[A]\nchiusura")
    assert error.value.partial is None


def test_faults_name_what_was_written() -> None:
    with pytest.raises(SmazzataFileError) as error:
        parse_smazzata("[A]\n3♥ 4♥ 5♥\npunti: 15 0\nscarto: 9♣\nscarto: 8♣\n[B]")
    assert [(f.seen, f.other) for f in error.value.faults] == [("punti", "3♥ 4♥ 5♥"), ("scarto", "4")]
    with pytest.raises(SmazzataFileError) as error:
        parse_smazzata("fun = 1\n[[sides]]\n[[sides]]\nfun = 2", "toml")
    allowed = [fault.other.split(", ") for fault in error.value.faults]
    assert "sides" in allowed[0] and "melds" in allowed[1] and "sides" not in allowed[1]


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("{", FileCode.NOT_JSON, 1),
        ('{"sides": [\n{},\n?]}', FileCode.NOT_JSON, 3),
        ("9" * 5000, FileCode.NOT_JSON, ""),
        ("[]", FileCode.NOT_A_TABLE, ""),
        ("[" * 100_000, FileCode.NOT_JSON, ""),
        ('{"sides": {}}', FileCode.NOT_A_LIST, "sides"),
        ('{"sides": [1, {}]}', FileCode.NOT_A_TABLE, "sides.0"),
        ('{"sides": [{}, {}], "names": ["Noi", "noi"]}', FileCode.SAME_NAME, "sides.1"),
        ('{"sides": [{"name": "B"}, {}]}', FileCode.SAME_NAME, "sides.1"),
        ('{"sides": [{"name": "A"}, {"name": "A"}]}', FileCode.SAME_NAME, "sides.1.name"),
        ('{"sides": [{}, {"melds": "3♥ 4♥"}]}', FileCode.NOT_A_LIST, "sides.1.melds"),
        ('{"sides": [{}, {"melds": [3]}]}', FileCode.NOT_CARDS, "sides.1.melds.0"),
        ('{"sides": [{}, {"fun": 1}]}', FileCode.UNKNOWN_KEY, "sides.1.fun"),
        ('{"sides": [{}, {}], "fun": 1}', FileCode.UNKNOWN_KEY, "fun"),
        ('{"sides": [{}, {}], "names": "A"}', FileCode.NOT_A_LIST, "names"),
        ('{"sides": [{}, {"hands": [{"cards": "K♥", "points": 5}]}]}', FileCode.NOT_HELD, "sides.1.hands.0"),
        ('{"sides": [{}, {"hands": [{"fun": 5}]}]}', FileCode.NOT_HELD, "sides.1.hands.0"),
        ('{"sides": [{}, {"sums": {"fun": 5}}]}', FileCode.NOT_SUMS, "sides.1.sums"),
        ('{"sides": [{}, {"counts": {"fun": {}}}]}', FileCode.NOT_COUNTS, "sides.1.counts"),
        ('{"sides": [{}, {"counts": {"burrachi": {"fun": 1}}}]}', FileCode.NOT_COUNTS, "sides.1.counts"),
        ('{"sides": [{}, {"counts": {"cards_by_value": {"10": -1}}}]}', FileCode.NOT_COUNTS, "sides.1.counts"),
        ('{"sides": [{}, {"counts": {"cards_by_value": 3}}]}', FileCode.NOT_COUNTS, "sides.1.counts"),
        ('{"sides": [{}, {"adjustments": [{}]}]}', FileCode.NOT_AN_ADJUSTMENT, "sides.1.adjustments.0"),
        ('{"sides": [{}, {"players": true}]}', FileCode.NOT_A_NUMBER, "sides.1.players"),
        ('{"sides": [{}, {"closed": "yes"}]}', FileCode.NOT_A_FLAG, "sides.1.closed"),
        ('{"sides": [{}, {"closed": ""}]}', FileCode.NOT_A_FLAG, "sides.1.closed"),
        ('{"sides": [{}, {"laid_last": 1}]}', FileCode.NOT_A_FLAG, "sides.1.laid_last"),
    ],
)
def test_data_that_cannot_be(text: str, code: FileCode, where: int | str) -> None:
    assert [fault[:2] for fault in faults(text, "json")] == [(code, where)]


def test_toml_that_is_none() -> None:
    assert faults("a =", "toml") == [(FileCode.NOT_TOML, 1, "")]
    assert faults('regolamento = "fibur"\n\n[[sides]\n', "toml") == [(FileCode.NOT_TOML, 3, "")]
    assert faults(f"a = {'9' * 5000}", "toml") == [(FileCode.NOT_TOML, "", "")]


LINES = st.one_of(
    st.text(max_size=40),
    st.tuples(st.sampled_from(sorted(WORDS)), st.text(max_size=20)).map(": ".join),
    st.lists(st.sampled_from([str(card) for card in FACES]), min_size=1, max_size=14).map(" ".join),
    st.text(max_size=10).map(lambda name: f"[{name}]"),
)


def _parses_or_says_why(text: str, kind: str) -> None:
    try:
        file = parse_smazzata(text, kind)
    except SmazzataFileError as error:
        assert error.faults
    else:
        assert 2 <= len(file.sides) == len(file.names)


@settings(max_examples=150, deadline=None)
@given(st.lists(LINES, max_size=12).map("\n".join))
def test_fuzzed_text(text: str) -> None:
    _parses_or_says_why(text, "text")


_KEYS = st.sampled_from(
    [
        "sides",
        "names",
        "name",
        "melds",
        "sums",
        "counts",
        "closed",
        "pozzetto",
        "pozzetto_held",
        "hands",
        "penalised",
        "adjustments",
        "cards",
        "points",
        "reason",
        "card_points",
        "bonus_points",
        "cards_by_value",
        "burrachi",
        "end",
        "players",
        "regolamento",
        "last_discard",
        "laid_last",
        "fun",
    ]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12)
JSON = st.recursive(
    SCALARS, lambda deeper: st.lists(deeper, max_size=3) | st.dictionaries(_KEYS, deeper, max_size=3), max_leaves=6
)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.dictionaries(_KEYS, JSON, max_size=5), max_size=4), st.dictionaries(_KEYS, JSON, max_size=3))
def test_fuzzed_data(sides: list[object], top: dict[str, object]) -> None:
    _parses_or_says_why(json.dumps({**top, "sides": sides}), "json")
