"""`burraco eval`: labels, matching by names, by place and by meld, the tables and the JSON."""

from __future__ import annotations

import argparse
import json

import numpy as np
import pytest
from PIL import Image

from scoring.cards import parse_cards
from scoring.regolamento import load_regolamento
from tests.vision.tabletop import Laid, Noise, View, lay_meld, look
from vision import evaluation
from vision.crops import CROP_WH
from vision.detector import FakeDetector
from vision.labels import Half, LabelledPhoto, LabelsCode, LabelsError, TrueCard, load_labels
from vision.line import TableReader
from vision.matching import match_photo
from vision.reader import FakeReader
from vision.table import MeldSeen, ReadCard, TableReading, quad_of
from vision.tiling import TilingTuning

FIBUR = load_regolamento("fibur")
CLEAN = Noise(angle_deg=0.5, scale=0.005, corner=0.005, missed=0, misread=0)


def quad(x=0.0, y=0.0):
    return quad_of([(x, y), (x + 57, y), (x + 57, y + 87), (x, y + 87)])


def reading(loose="", melds=()) -> TableReading:
    def cards(text):
        return tuple(ReadCard(card, quad(100.0 * at), 0.9) for at, card in enumerate(parse_cards(text)))

    return TableReading(tuple(MeldSeen(cards(meld)) for meld in melds), cards(loose))


def photo(codes="", complete=True, **more) -> LabelledPhoto:
    cards = tuple(TrueCard(code, None if "?" in code else parse_cards(code)[0]) for code in codes.split())
    return LabelledPhoto("a.jpg", "table", complete, cards, **more)


@pytest.mark.parametrize(
    ("true", "read", "complete", "found", "missed", "invented", "exact"),
    [
        ("", "", True, "", "", "", True),
        ("KH", "", True, "", "KH", "", False),
        ("", "KH", True, "", "", "KH", False),
        ("TS AH", "AH TS", True, "TS AH", "", "", True),
        ("6S", "9S", True, "", "6S", "9S", False),
        ("6S 6S", "6S", True, "6S", "6S", "", False),
        ("6S", "6S 6S", True, "6S", "", "6S", False),
        ("6S", "6S 6S", False, "6S", "", "", None),
        ("7? 7H", "7H 7C", True, "7H 7?", "", "", True),
        ("7? 7H", "7H", True, "7H", "", "", True),
        ("7?", "8H", True, "", "", "8H", False),
        ("JK JK", "JK JK", True, "JK JK", "", "", True),
    ],
)
def test_names_match_one_to_one(true, read, complete, found, missed, invented, exact):
    matched = match_photo(photo(true, complete), reading(read), FIBUR)
    assert sorted(matched.found) == sorted(found.split())
    assert list(matched.missed) == missed.split()
    assert list(matched.invented) == invented.split()
    assert matched.exact is exact


def placed(text, xs) -> tuple[TrueCard, ...]:
    pairs = zip(parse_cards(text), text.split(), xs, strict=True)
    return tuple(TrueCard(code, card, None, quad(x)) for card, code, x in pairs)


def test_places_tell_equal_cards_and_double_counts():
    true = LabelledPhoto("a", "table", True, placed("7H 7H 9S JK", [0, 20, 200, 400]))
    cards = [("7H", 1.0), ("7H", 22.0), ("9S", 203.0), ("9S", 190.0), ("JK", 405.0)]
    seen = tuple(ReadCard(parse_cards(code)[0], quad(x), 0.9) for code, x in cards)
    place = match_photo(true, TableReading(loose=seen), FIBUR).by_place
    assert (place.right, place.pairs, place.kept) == (4, 1, 1)
    assert (place.singles, place.twice, place.jolly, place.jolly_right) == (2, 1, 1, 1)


def test_a_lost_equal_card_is_not_kept():
    true = LabelledPhoto("a", "table", True, placed("7H 7H", [0, 20]))
    seen = (ReadCard(parse_cards("7H")[0], quad(10.0), 0.9),)
    assert match_photo(true, TableReading(loose=seen), FIBUR).by_place.kept == 0


def test_index_boxes_are_enough_for_places():
    true = LabelledPhoto("a", "table", True, (TrueCard("7H", parse_cards("7H")[0], (2, 3, 10, 23)),))
    seen = (ReadCard(parse_cards("7H")[0], quad(), 0.9),)
    assert match_photo(true, TableReading(loose=seen), FIBUR).by_place.right == 1


def test_melds_and_points_are_compared():
    melds = tuple(tuple(parse_cards(meld)) for meld in ("3H 4H 5H", "7S 7H 7D"))
    right = match_photo(photo("3H", melds=melds), reading(melds=["3H 4H 5H", "7H 7S 7D"]), FIBUR).by_meld
    assert (right.melds, right.melds_exact, right.points_exact) == (2, 2, 1)
    wrong = match_photo(photo("3H", melds=melds), reading(melds=["3H 4H 5H", "7H 7S JK"]), FIBUR).by_meld
    assert (wrong.melds_exact, wrong.points_exact) == (1, 0)


def test_labels_need_only_three_keys(tmp_path):
    labels = {"a.jpg": {"kind": "fan", "complete": False, "cards": [{"card": "7?"}, {"card": "TS"}]}}
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    (one,) = load_labels(tmp_path)
    assert (one.kind, one.complete, one.half, one.has_places) == ("fan", False, Half.OTHER, False)
    assert [card.code for card in one.cards] == ["7?", "TS"]


@pytest.mark.parametrize(
    ("text", "code", "photo", "seen"),
    [
        (None, LabelsCode.UNREADABLE, "", ""),
        ("", LabelsCode.NOT_JSON, "", "1"),
        ("{\n\n?", LabelsCode.NOT_JSON, "", "3"),
        ("[]", LabelsCode.NOT_A_TABLE, "", "[]"),
        ('{"a": {}}', LabelsCode.BAD_PHOTO, "a", "{}"),
        ('{"a": {"kind": "x", "complete": true, "cards": [{"card": "1Z"}]}}', LabelsCode.BAD_PHOTO, "a", "1Z"),
    ],
)
def test_broken_labels_say_so(tmp_path, text, code, photo, seen):
    if text is not None:
        (tmp_path / "labels.json").write_text(text)
    with pytest.raises(LabelsError) as error:
        load_labels(tmp_path)
    assert (error.value.code, error.value.photo) == (code, photo)
    assert seen in error.value.seen


def fake_line(view: View) -> TableReader:
    def no_crops(image, boxes, corners):
        return np.zeros((len(boxes), CROP_WH[1], CROP_WH[0], 3), np.uint8)

    return TableReader(
        detector=FakeDetector(view.detections, 600),
        reader=FakeReader(view.readings),
        cropper=no_crops,
        tiling=TilingTuning(ideal_height_px=25),
    )


@pytest.fixture
def folder(tmp_path):
    """One photo of 600 x 400 px with a run, and a line that sees it as it is."""
    laid = [*lay_meld(parse_cards("3♥ 4♥ 5♥"), -40, -60), Laid(*parse_cards("K♠"), 120, 0)]
    view = look(laid, np.random.default_rng(0), noise=CLEAN, scale=1.2, tilt=0)
    view.detections = view.detections.moved(1, (300, 200))
    Image.new("RGB", (600, 400), (30, 90, 40)).save(tmp_path / "a.jpg")
    cards = [{"card": code} for code in ("3H", "4H", "5H", "KS", "2S")]
    labels = {
        "a.jpg": {"kind": "table", "complete": True, "cards": cards, "melds": ["3H 4H 5H"], "source": "plaskod/x"}
    }
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    return tmp_path, view


@pytest.mark.parametrize("flags", [[], ["--no-rules"]])
def test_run_prints_tables_and_keeps_json(folder, monkeypatch, capsys, flags):
    path, view = folder
    monkeypatch.setattr(evaluation, "TableReader", lambda models: fake_line(view))
    parser = argparse.ArgumentParser()
    evaluation.add_arguments(parser)
    code = evaluation.run(parser.parse_args([str(path), "--json", str(path / "out.json"), *flags]))
    assert code == 0
    text = capsys.readouterr().out
    assert "80.0%" in text
    assert "melds exact 1/1" in text
    assert "look" in text
    result = json.loads((path / "out.json").read_text())
    assert {"photos", "exact", "cards", "found", "missed", "invented", "seconds"} <= set(result["kinds"]["table"])
    assert result["total"]["found"] == 4
    assert result["photos"]["a.jpg"]["missed"] == ["2S"]
