"""The whole line with fakes, and the annotated picture."""

from __future__ import annotations

import io
from dataclasses import replace

import cv2
import numpy as np
from PIL import Image

from scoring.cards import parse_cards
from scoring.regolamento import load_regolamento
from tests.vision.tabletop import Noise, lay_meld, look
from vision.annotate import annotate, annotated_jpeg
from vision.crops import CROP_WH
from vision.detector import FakeDetector
from vision.line import TableReader
from vision.photo import Photo, load_photo
from vision.reader import FakeReader, Readings
from vision.table import Source, TableReading
from vision.tiling import TilingTuning

FIBUR = load_regolamento("fibur")
CLEAN = Noise(angle_deg=0.5, scale=0.005, corner=0.005, missed=0, misread=0)


def line_for(text: str):
    view = look(lay_meld(parse_cards(text), -40, -60), np.random.default_rng(0), noise=CLEAN, scale=1.2, tilt=0)
    detections = view.detections.moved(1, (300, 200))
    return TableReader(
        detector=FakeDetector(detections, 600),
        tiling=TilingTuning(ideal_height_px=25),
        reader=FakeReader(view.readings),
        cropper=lambda image, boxes, corners: np.zeros((len(boxes), CROP_WH[1], CROP_WH[0], 3), np.uint8),
    )


def a_photo(width=600, height=400) -> Photo:
    out = io.BytesIO()
    Image.new("RGB", (width, height), (30, 90, 40)).save(out, "JPEG")
    return load_photo(out.getvalue())


def test_a_photo_goes_through_the_line_timed():
    reading = line_for("3♥ 4♥ 5♥").read(a_photo(), FIBUR)
    assert reading.melds[0].faces == parse_cards("3♥ 4♥ 5♥")
    assert reading.size_wh == (600, 400)
    assert [stage for stage, _ in reading.seconds] == ["detect", "read", "cards", "layout", "rules"]


def test_positions_are_in_pixels_of_the_original():
    line, photo = line_for("3♥ 4♥ 5♥"), a_photo()
    whole = line.read(photo, FIBUR)
    half = line.read(replace(photo, size_wh=(1200, 800)), FIBUR)
    first, second = (np.array(reading.melds[0].cards[0].quad) for reading in (whole, half))
    assert np.abs(second - 2 * first).max() < 0.2


def test_no_cards_is_an_empty_reading():
    nothing = Readings(np.zeros((0, 54), np.float32), np.zeros((0, 64), np.float32))
    line = TableReader(detector=FakeDetector(), reader=FakeReader(nothing))
    reading = line.read(a_photo(), FIBUR)
    assert reading.cards == ()


def test_annotation_draws_outlines_and_names_and_leaves_the_photo_alone():
    photo = a_photo()
    reading = line_for("3♥ 4♦ JK").read(photo, FIBUR)
    inferred = replace(reading.melds[0].cards[0], source=Source.INFERRED)
    reading = replace(reading, melds=(replace(reading.melds[0], cards=(inferred, *reading.melds[0].cards[1:])),))
    before = photo.image_rgb.copy()
    picture = annotate(photo.image_rgb, reading)
    assert picture.shape == photo.image_rgb.shape
    assert (photo.image_rgb == before).all()
    changed = np.abs(picture.astype(int) - before.astype(int)).max(axis=2) > 30
    assert 0.005 < changed.mean() < 0.5


def test_annotation_is_a_jpeg_of_limited_size():
    data = annotated_jpeg(np.zeros((500, 3000, 3), np.uint8), TableReading(size_wh=(3000, 500)), longest_px=600)
    assert cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR).shape == (100, 600, 3)
