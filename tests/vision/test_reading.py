"""The rules choose the most probable legal reading, mark what they changed, and ask only what counts."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.cards import FACES, Card, parse_cards
from scoring.regolamento import load_regolamento
from vision.cards import SeenCard
from vision.layout import Group, Role, Shape
from vision.reading import DoubtKind, ReadingFormatError, Source, TableReading, read_table

FIBUR = load_regolamento("fibur")


def seen(text: str, at: int = 0) -> SeenCard:
    """`6♥` sure; `6♥/8♥:0.3` means 8♥ is 0.3 as probable."""
    names, _, ratio = text.partition(":")
    faces = [FACES.index(Card.parse(name)) for name in names.split("/")]
    probs = np.full(54, 1e-6)
    probs[faces[0]] = 1.0
    for face in faces[1:]:
        probs[face] = float(ratio or 0.5)
    x = at * 20
    quad = np.array([[x, 0], [x + 57, 0], [x + 57, 87], [x, 87]], np.float32)
    return SeenCard(quad, np.log(probs / probs.sum()).astype(np.float32), (at,), 0.9)


def meld(text: str, crosswise=()) -> Group:
    cards = tuple(seen(card, at) for at, card in enumerate(text.split()))
    return Group(cards, crosswise, Role.MELD, Shape.COLUMN)


def loose(text: str) -> list[Group]:
    return [Group((seen(card, 90 + at),)) for at, card in enumerate(text.split())]


def text_of(reading: TableReading) -> list[str]:
    return [
        " ".join(str(card.card) + "?" * (card.source is Source.INFERRED) for card in m.cards) for m in reading.melds
    ]


def test_no_groups_no_reading():
    assert read_table([], FIBUR) == TableReading()


@pytest.mark.parametrize(
    ("laid", "read"),
    [
        ("3♥ 4♥ 5♥", "3♥ 4♥ 5♥"),
        ("3♥ 4♦/4♥:0.3 5♥", "3♥ 4♥? 5♥"),
        ("3♥ 4♦/4♥:0.01 5♥", "3♥ 4♦ 5♥"),
        ("6♠/9♠:0.5 10♠ J♠", "9♠? 10♠ J♠"),
        ("8♠ JK 9♠", "8♠ JK 9♠"),
        ("K♥ 3♠ 9♦ 4♣", "K♥ 3♠ 9♦ 4♣"),
        ("3♥ 5♥ 4♥ 6♥", "3♥ 4♥ 5♥ 6♥"),
    ],
)
def test_rules_change_only_to_likely_alternatives_that_make_a_meld(laid, read):
    assert text_of(read_table([meld(laid)], FIBUR)) == [read]


def test_without_rules_nothing_changes():
    reading = read_table([meld("3♥ 4♦/4♥:0.5 5♥")], FIBUR, rules=False)
    assert text_of(reading) == ["3♥ 4♦ 5♥"]
    assert reading.doubts == ()


def test_loose_cards_are_never_changed():
    reading = read_table(loose("7♥/7♦:0.9 7♥ 7♥"), FIBUR)
    assert [str(card.card) for card in reading.loose] == ["7♥", "7♥", "7♥"]


def test_the_third_equal_card_gives_way_in_a_meld():
    reading = read_table([meld("7♥/7♦:0.6 7♠ 7♣"), *loose("7♥ 7♥")], FIBUR)
    assert text_of(reading) == ["7♦? 7♠ 7♣"]


def test_three_equal_cards_without_a_way_out_are_asked():
    reading = read_table([meld("7♥ 7♠ 7♣"), *loose("7♥ 7♥")], FIBUR)
    assert [doubt.kind for doubt in reading.doubts] == [DoubtKind.TOO_MANY]


def test_an_end_card_that_does_not_fit_stays_loose():
    reading = read_table([meld("3♥ 4♥ 5♥ 6♥ K♠")], FIBUR)
    assert text_of(reading) == ["3♥ 4♥ 5♥ 6♥"]
    assert [str(card.card) for card in reading.loose] == ["K♠"]
    assert [doubt.kind for doubt in reading.doubts] == [DoubtKind.LEFT_OUT]


def test_an_illegal_meld_is_kept_as_read_and_asked():
    reading = read_table([meld("3♥ 9♠ 5♥ K♦ 6♥")], FIBUR)
    assert text_of(reading) == ["3♥ 9♠ 5♥ K♦ 6♥"]
    assert [doubt.kind for doubt in reading.doubts] == [DoubtKind.NOT_LEGAL]


@pytest.mark.parametrize(
    ("laid", "kinds"),
    [
        ("5♠/5♣:0.8 5♥ 5♦", []),
        ("3♥ 4♥ 5♥", []),
        ("JK/2♥:0.5 4♥ 5♥", [DoubtKind.CARD]),
        ("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 2♥", [DoubtKind.READING]),
    ],
)
def test_only_what_changes_points_is_asked(laid, kinds):
    doubts = read_table([meld(laid)], FIBUR).doubts
    assert [doubt.kind for doubt in doubts] == kinds
    assert all(doubt.points_at_stake > 0 for doubt in doubts)


def test_doubts_come_with_most_at_stake_first():
    doubts = read_table([meld("JK/2♥:0.5 4♥ 5♥"), meld("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 2♥")], FIBUR).doubts
    assert [doubt.points_at_stake for doubt in doubts] == sorted((d.points_at_stake for d in doubts), reverse=True)


def test_crosswise_positions_follow_the_cards():
    reading = read_table([meld("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥", crosswise=(6,))], FIBUR)
    assert reading.melds[0].crosswise == (6,)


def test_json_goes_both_ways():
    reading = read_table([meld("3♥ 4♦/4♥:0.3 5♥"), meld("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 2♥"), *loose("K♠")], FIBUR)
    again = TableReading.from_json(reading.to_json())
    assert again.to_json() == reading.to_json()
    assert again.melds[0].faces == parse_cards("3♥ 4♥ 5♥")
    assert again.doubts[0].answers == reading.doubts[0].answers


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 99}', '{"version": 1}', '{"version": 1, "melds": 3}'])
def test_other_text_is_refused(text):
    with pytest.raises(ReadingFormatError):
        TableReading.from_json(text)
