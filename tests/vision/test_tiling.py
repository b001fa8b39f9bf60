"""The right scale: indices of any size are found once, each at a scale a small network can read."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from vision.detector import Detections
from vision.tiling import TilingTuning, detect_photo, fine_scales, tile_grid, weighted_quantile


class SeesDarkBars:
    """A detector that finds dark upright bars 7 to 64 px high, as a trained one finds indices."""

    def __init__(self) -> None:
        self.pixels = 0

    def detect(self, image_rgb) -> Detections:
        self.pixels += image_rgb.shape[0] * image_rgb.shape[1]
        mask = (image_rgb[:, :, 0] < 128).astype(np.uint8)
        stats = cv2.connectedComponentsWithStats(mask)[2][1:]
        boxes, scores = [], []
        for x, y, w, h, _ in stats:
            if 7 <= h <= 64:
                boxes.append([x, y, x + w, y + h])
                scores.append(0.9 - 0.2 * abs(np.log2(h / 30)))
        boxes = np.array(boxes, np.float32).reshape(-1, 4)
        height = boxes[:, 3] - boxes[:, 1]
        x0, y0 = boxes[:, 0] - height * 0.1, boxes[:, 1] - height * 0.15
        x1, y1 = x0 + height * 2.8, y0 + height * 4.2
        corners = np.stack([np.stack(p, 1) for p in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))], 1)
        count = len(boxes)
        return Detections(boxes, np.array(scores, np.float32), np.zeros(count, np.int64), corners.astype(np.float32))


def page(size_wh, bars) -> np.ndarray:
    image = np.full((size_wh[1], size_wh[0], 3), 230, np.uint8)
    for x, y, height in bars:
        image[y : y + height, x : x + round(height * 0.42)] = 10
    return image


def grid_of_bars(size_wh, height, columns=5, rows=3):
    w, h = size_wh
    return [
        (round((i + 0.5) * w / columns), round((j + 0.4) * h / rows), height)
        for i in range(columns)
        for j in range(rows)
    ]


@pytest.mark.parametrize(
    ("size_wh", "height"),
    [
        ((640, 480), 10),
        ((1280, 960), 24),
        ((3200, 2400), 20),
        ((4000, 3000), 68),
        ((1400, 1050), 180),
        ((300, 200), 20),
    ],
)
def test_indices_of_one_size_are_all_found_once(size_wh, height):
    bars = grid_of_bars(size_wh, height)
    found = detect_photo(SeesDarkBars(), page(size_wh, bars))
    assert len(found) == len(bars)
    tops = sorted(found.boxes_xyxy[:, 1].tolist())
    assert tops == pytest.approx(sorted(y for _, y, _ in bars), abs=0.1 * height + 2)


def test_two_sizes_in_one_photo_are_read_at_two_scales():
    bars = [(300 + 200 * i, 200, 20) for i in range(8)] + [(300 + 400 * i, 1400, 75) for i in range(6)]
    assert len(detect_photo(SeesDarkBars(), page((3200, 2400), bars))) == len(bars)


def test_nothing_is_found_on_an_empty_table():
    assert len(detect_photo(SeesDarkBars(), page((2000, 1500), []))) == 0


def test_only_tiles_with_cards_are_looked_at():
    detector = SeesDarkBars()
    image = page((4000, 3000), [(1000, 1000, 40), (1100, 1000, 40), (1200, 1000, 40), (1300, 1000, 40)])
    assert len(detect_photo(detector, image)) == 4
    assert detector.pixels < 3_000_000


@pytest.mark.parametrize("size_wh", [(640, 640), (641, 640), (1500, 900), (3001, 2213)])
def test_tiles_cover_everything_and_overlap(size_wh):
    tiles = tile_grid(size_wh, 640, 75)
    seen = np.zeros((size_wh[1], size_wh[0]), bool)
    for x0, y0, x1, y1 in tiles:
        seen[y0:y1, x0:x1] = True
    assert seen.all()
    xs = sorted(set(tiles[:, 0].tolist()))
    assert all(b - a <= 640 - 75 for a, b in pairwise(xs))


def test_scale_of_nothing_is_no_scale():
    assert fine_scales(Detections.empty(), TilingTuning()) == []


def test_weighted_quantile():
    assert weighted_quantile(np.array([1.0, 5.0, 9.0]), np.array([1.0, 1.0, 3.0]), 0.5) == 9.0


class SeesTooLarge(SeesDarkBars):
    """One that takes what is small for larger than it is, and finds the smallest hardly at all."""

    def detect(self, image_rgb) -> Detections:
        found = super().detect(image_rgb)
        height = found.boxes_xyxy[:, 3] - found.boxes_xyxy[:, 1]
        grown = np.where(height < 14, 1.5, 1.0)[:, None]
        middle = np.tile((found.boxes_xyxy[:, :2] + found.boxes_xyxy[:, 2:]) / 2, 2)
        boxes = middle + (found.boxes_xyxy - middle) * grown
        scores = np.where(height < 14, 0.3, found.scores)
        return replace(found, boxes_xyxy=boxes.astype(np.float32), scores=scores.astype(np.float32))


def test_a_far_table_is_looked_at_until_its_scale_is_settled():
    bars = [(1500 + 90 * i, 1200 + 110 * j, 25) for i in range(8) for j in range(4)]
    found = detect_photo(SeesTooLarge(), page((4000, 3000), bars))
    height = np.median(found.boxes_xyxy[:, 3] - found.boxes_xyxy[:, 1])
    assert (len(found), height) == (len(bars), pytest.approx(25, abs=2))
