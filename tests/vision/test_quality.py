"""Dark, blurred and distant photos are told apart, on pictures of our own."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.cards import Card
from vision.photo import Photo, load_photo
from vision.quality import Advice, PhotoTrouble, advice, index_height_px
from vision.table import ReadCard, TableReading

SAMPLE = Path(__file__).resolve().parents[2] / "ui" / "sample" / "side0.jpg"


@pytest.fixture(scope="module")
def photo() -> Photo:
    return load_photo(SAMPLE.read_bytes())


def changed(photo: Photo, image_rgb: NDArray[np.uint8]) -> Photo:
    return Photo(image_rgb, photo.sha256, photo.size_wh)


def test_a_good_photo_without_cards(photo: Photo) -> None:
    assert advice(photo, TableReading()) == Advice(PhotoTrouble.NO_CARDS)


def test_a_dark_photo(photo: Photo) -> None:
    dark = changed(photo, (photo.image_rgb * 0.15).astype(np.uint8))
    assert advice(dark, TableReading()) == Advice(PhotoTrouble.TOO_DARK)


@pytest.mark.parametrize("sigma_px", [5, 9])
def test_a_blurred_photo(photo: Photo, sigma_px: int) -> None:
    blurred = changed(photo, cv2.GaussianBlur(photo.image_rgb, (0, 0), sigma_px).astype(np.uint8))
    assert advice(blurred, TableReading()) == Advice(PhotoTrouble.BLURRED)


def test_a_photo_of_nothing(photo: Photo) -> None:
    grey = changed(photo, np.full_like(photo.image_rgb, 128))
    assert advice(grey, TableReading()) == Advice(PhotoTrouble.NO_CARDS)


@pytest.mark.parametrize(("height_px", "expected"), [(45, Advice(PhotoTrouble.TOO_FAR, 9, 16)), (90, None)])
def test_cards_that_lie_too_far_away(photo: Photo, height_px: float, expected: Advice | None) -> None:
    card = ReadCard(Card.parse("7♥"), ((0, 0), (30, 0), (30, height_px), (0, height_px)), 0.9)
    reading = TableReading(loose=(card,), size_wh=photo.size_wh)
    assert index_height_px(reading) == pytest.approx(height_px / 5)
    assert advice(photo, reading) == expected
    dark = changed(photo, (photo.image_rgb * 0.15).astype(np.uint8))
    assert advice(dark, reading) == expected, "what was read was bright enough"


def test_cards_that_the_border_cuts(photo: Photo) -> None:
    inside, over = (((x, 0), (x + 60, 0), (x + 60, 90), (x, 90)) for x in (0, -30))
    cards = tuple(ReadCard(Card.parse("7♥"), quad, 0.9) for quad in (inside, over))
    found = advice(photo, TableReading(loose=cards, size_wh=photo.size_wh))
    assert found == Advice(PhotoTrouble.CUT_OFF, cut=1) and found.numbers == {"count": 1}
    assert advice(photo, TableReading(loose=cards[:1], size_wh=photo.size_wh)) is None
