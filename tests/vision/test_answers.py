"""Questions answered from the labels, and whether certainty can be believed."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from scoring.cards import FACES, parse_cards
from scoring.regolamento import load_regolamento
from vision.answers import ask, asked_lines, questions, wilson
from vision.calibration import (
    Calibration,
    Score,
    calibration_error,
    calibration_lines,
    fitted_temperature,
    reliability,
    softened,
)
from vision.doubts import find_doubts
from vision.labels import LabelledPhoto, TrueCard, load_labels
from vision.matching import points_exact
from vision.table import Alternative, MeldSeen, ReadCard, TableReading, quad_of

FIBUR = load_regolamento("fibur")


def quad(x: float, y: float):
    return quad_of([(x, y), (x + 57, y), (x + 57, y + 87), (x, y + 87)])


def table(melds: str, pile: str = "") -> LabelledPhoto:
    """Melds parted by `/`, each on a line of its own."""
    rows = [tuple(parse_cards(meld)) for meld in melds.split("/")]
    cards = tuple(
        TrueCard(str(card), card, None, quad(20.0 * at, 200.0 * n), n)
        for n, row in enumerate(rows)
        for at, card in enumerate(row)
    )
    piles = (tuple(parse_cards(pile)),) if pile else ()
    return LabelledPhoto("a", "table", True, cards, "", tuple(rows), (), piles)


def read(melds: str, *, unsure: str = "") -> TableReading:
    """The same table read as these melds; `unsure` as `1:2 4♦`, another likely face of meld 1's third card."""
    rows = [
        [ReadCard(card, quad(20.0 * at, 200.0 * n), 0.9) for at, card in enumerate(parse_cards(meld))]
        for n, meld in enumerate(melds.split("/"))
    ]
    if unsure:
        place, face = unsure.split()
        n, at = map(int, place.split(":"))
        card = rows[n][at]
        rows[n][at] = ReadCard(card.card, card.quad, 0.6, card.source, (Alternative(parse_cards(face)[0], 0.4),))
    reading = TableReading(tuple(MeldSeen(tuple(row)) for row in rows))
    return TableReading(reading.melds, (), find_doubts(reading, (), (), FIBUR, 0.02))


@pytest.mark.parametrize(
    ("true", "seen", "unsure", "most", "exact", "after", "sure"),
    [
        ("3♥ 4♥ 5♥", "3♥ 4♥ 5♥", "", 2, True, True, True),
        ("8♥ 9♥ 10♥", "8♥ 9♥ 4♠", "", 2, False, True, False),  # no meld: it is asked which cards these are
        ("8♥ 9♥ 10♥", "8♥ 9♥ 4♠", "", 0, False, False, False),
        ("7♥ 8♥ JK", "7♥ 8♥ 9♥", "0:2 JK", 1, False, True, False),  # that card is asked
        ("7♥ 8♥ 9♥", "7♥ 8♥ 9♥", "0:2 JK", 1, True, True, False),
        ("7♥ 7♠ JK/Q♥ Q♠ JK", "7♥ 7♠ 2♦/Q♥ Q♠ 2♦", "1:2 JK", 1, False, False, False),  # the other is never asked
        ("7♥ 7♠ JK", "7♥ 7♠ 7♦", "", 2, False, False, True),  # sure and wrong
    ],
)
def test_answers_mend_what_is_asked(true, seen, unsure, most, exact, after, sure):
    asked = ask(table(true), read(seen, unsure=unsure), FIBUR, most)
    assert (asked.exact, asked.exact_after, asked.sure) == (exact, after, sure)
    assert asked.sure_exact == (sure and exact) and asked.answers <= most


def test_the_dearest_question_comes_first_and_none_twice():
    reading = read("8♥ 9♥ 2♥/K♠ K♥ 3♦", unsure="0:1 JK")
    (first, *_) = questions(reading, 1)
    assert first.points_at_stake == max(doubt.points_at_stake for doubt in reading.doubts)
    places = [(doubt.meld, doubt.card) for doubt in questions(reading, 99)]
    assert len(places) == len(set(places))


def test_what_lies_hidden_counts_and_is_answered_where_its_meld_is_asked():
    shows = table("3♥ 4♥ 6♥")
    photo = replace(shows, whole=(tuple(parse_cards("3♥ 4♥ 5♥ 6♥")),))
    reading = read("3♥ 4♥ 6♥")
    assert photo.hides and not shows.hides
    assert not points_exact(photo, reading, FIBUR)
    assert ask(photo, reading, FIBUR, 1).exact_after == 1


def test_a_pile_that_nobody_asks_about_leaves_the_points_wrong():
    photo = table("3♥ 4♥ 5♥", pile="7♠ 8♠ 9♠ 10♠ J♠ Q♠ K♠")
    asked = ask(photo, read("3♥ 4♥ 5♥"), FIBUR, 9)
    assert photo.hides and (asked.exact, asked.exact_after, asked.sure) == (0, 0, 1)


def test_labels_tell_what_is_hidden_and_where_each_card_lies(tmp_path):
    entry = {
        "kind": "rendered", "complete": True, "cards": [{"card": "3♥", "meld": 0}, {"card": "K♠"}],
        "melds": ["3♥ 4♥ 5♥"], "whole": ["3♥ 4♥ 5♥ 6♥"], "piles": [{"cards": "K♠ K♥ K♦", "side": 1}],
    }  # fmt: skip
    (tmp_path / "labels.json").write_text(json.dumps({"a.jpg": entry}))
    (photo,) = load_labels(tmp_path)
    assert [card.meld for card in photo.cards] == [0, None]
    assert [len(meld) for meld in photo.laid] == [4, 3] and photo.hides


@pytest.mark.parametrize(
    ("right", "of", "low", "high"), [(0, 0, 0, 1), (0, 10, 0, 0.2775), (10, 10, 0.7225, 1), (98, 100, 0.9300, 0.9945)]
)
def test_wilsons_interval(right, of, low, high):
    assert wilson(right, of) == pytest.approx((low, high), abs=1e-4)


def test_reliability_and_its_error():
    scores = [Score(1.0, True)] * 6 + [Score(0.95, False)] * 2 + [Score(0.25, True), Score(0.25, False)]
    bins = reliability(scores)
    assert [row.cards for row in bins] == [0, 0, 2, 0, 0, 0, 0, 0, 0, 8]
    assert bins[9].right == 0.75 and bins[9].certainty == pytest.approx(0.9875)
    assert calibration_error(bins) == pytest.approx(0.8 * 0.2375 + 0.2 * 0.25)
    assert calibration_error(reliability([])) == 0


def test_the_temperature_of_an_overconfident_reader_is_found():
    rng = np.random.default_rng(0)
    honest = softened(rng.normal(0, 2.0, (4000, len(FACES))), 1.0)
    faces = [int(rng.choice(len(FACES), p=np.exp(row) / np.exp(row).sum())) for row in honest]
    padded = np.pad(softened(honest, 0.5), ((0, 0), (0, 1)), constant_values=-20.0).astype(np.float32)
    best, loss, before = fitted_temperature(list(zip(padded, faces, strict=True)))
    assert best == pytest.approx(2.0, rel=0.06) and loss < before


def test_lines_say_what_was_measured():
    asked = ask(table("3♥ 4♥ 5♥"), read("3♥ 4♥ 5♥"), FIBUR, 2)
    (line, other) = asked_lines(asked, type(asked)(), 2)
    assert "untouched 1 (100.0%)" in line and "sure 1 (100.0%)" in line and other.startswith("nothing hidden")
    lines = calibration_lines("look", [Calibration((Score(0.9, True),), (), (False,) * 8 + (True,), True)])
    assert "1 cards" in lines[0] and "sure 1/1" in lines[-2] and "sure 0/1" in lines[-1]
