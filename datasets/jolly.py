"""The marks in a jolly's corners: words standing, lying or level, stars, a small jester, a letter, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from PIL import ImageFont

from datasets.courts import PALETTE
from datasets.fonts import Mask, Split, glyph_mask, rank_font
from datasets.style import Colour, Image, Style, fitted, resize, star, swollen

WORDS = ("JOKER", "JOKER", "JOLLY", "JOLLY", "Joker", "Jolly", "JOLLY JOKER")
LETTERS = ("J", "*", "JK", "JR", "J O")


@dataclass(frozen=True, slots=True)
class Mark:
    """Coverage (h, w) and colours (h, w, 3) of a corner mark."""

    mask: Mask
    ink: Image


def jolly_mark(style: Style, rng: np.random.Generator, split: Split, colour: Colour) -> Mark | None:
    """The mark of the deck's jolly, or None where its corners are empty."""
    kind = style.joker
    if kind == "nothing":
        return None
    wide = style.index_right - style.centre_x + max(m.shape[1] for m in style.ranks.values()) / 2
    size = max(8, round(wide * rng.uniform(0.8, 1.3)))
    if kind == "figure":
        return _jester(rng, size, colour)
    if kind in ("star", "star_circle"):
        return _inked(star(size, kind == "star_circle"), rng, colour)
    font = _lettered_font(rng, split)
    if kind == "letter":
        mask = glyph_mask(str(rng.choice(LETTERS)), font)
        tall = style.size_wh[1] * rng.uniform(0.08, 0.16)
        return _inked(resize(mask, min(wide, tall * mask.shape[1] / mask.shape[0]), tall), rng, colour)
    mask = _word(style, rng, font, "turned" if kind == "star_word" and rng.random() < 0.5 else kind, wide)
    if kind == "star_word":
        mask = _stacked([star(max(8, round(wide * 0.8)), rng.random() < 0.5), mask], 4)
    return _inked(mask, rng, colour)


def _lettered_font(rng: np.random.Generator, split: Split) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """A font that draws the words' letters too; some with all ranks have none but those."""
    for _ in range(8):
        font = rank_font(rng, split, 80)
        missing = glyph_mask("\uffff", font)
        letters = [glyph_mask(letter, font) for letter in "OLo"]
        if min(m.size for m in letters) > 1 and not any(np.array_equal(m, missing) for m in letters):
            break
    return font


def _word(
    style: Style, rng: np.random.Generator, font: ImageFont.FreeTypeFont | ImageFont.ImageFont, kind: str, wide: float
) -> Mask:
    word, swell = str(rng.choice(WORDS)), int(rng.choice([0, 0, 4, 8]))
    width, height = style.size_wh
    long = height * rng.uniform(0.13, 0.4)
    if kind == "word":  # level, and so short that it leaves the middle free
        mask = swollen(glyph_mask(word.split()[-1], font), swell)
        long = width * rng.uniform(0.16, 0.28)
        return resize(mask, long, min(wide, long * mask.shape[0] / mask.shape[1]))
    if kind == "turned":
        mask = np.rot90(swollen(glyph_mask(word, font), swell), int(rng.choice([1, 3]))).copy()
        return resize(mask, np.clip(long * mask.shape[1] / mask.shape[0], 0.3 * wide, wide), long)
    letters = [swollen(glyph_mask(c, font), swell) for c in word.split()[0].upper()]
    mask = _stacked(letters, int(rng.integers(4, 20)))
    return resize(mask, wide * rng.uniform(0.45, 1.0), long)


def _stacked(masks: list[Mask], gap: int) -> Mask:
    column = max(m.shape[1] for m in masks)
    rows = []
    for mask in masks:
        left = (column - mask.shape[1]) // 2
        rows.append(np.pad(mask, ((0, gap), (left, column - mask.shape[1] - left))))
    return np.vstack(rows)[:-gap]


def _inked(mask: Mask, rng: np.random.Generator, colour: Colour) -> Mark:
    """One colour, or bands of several as some packs print their jolly's letters."""
    ink = np.empty((*mask.shape, 3), np.uint8)
    ink[:] = colour
    if rng.random() < 0.25:
        strong = [p for p in PALETTE if sum(p) < 420]
        rows = np.linspace(0, mask.shape[0], int(rng.integers(2, 7))).astype(int)
        for low, high in pairwise(rows):
            ink[low:high] = strong[rng.integers(len(strong))]
    return Mark(mask, ink)


def _jester(rng: np.random.Generator, size: int, colour: Colour) -> Mark:
    """A head with a belled cap, in outline or in colours."""
    side = 160
    mask, ink = np.zeros((side, side), np.uint8), np.full((side, side, 3), 255, np.uint8)
    outline = rng.random() < 0.4
    cap = [colour if outline else PALETTE[int(i)] for i in rng.choice(len(PALETTE), 3, replace=False)]
    tips = [(rng.uniform(8, 35), rng.uniform(50, 100)), (rng.uniform(60, 100), 10.0), (rng.uniform(125, 152), 70.0)]
    for tip, (left, right), tint in zip(tips, ((40, 75), (60, 100), (85, 120)), cap, strict=True):
        horn = np.array([(left, 92), tip, (right, 92)], np.int32)
        for canvas, value in ((mask, 255), (ink, tint)):
            cv2.fillPoly(canvas, [horn], value, cv2.LINE_AA)
            cv2.circle(canvas, (int(tip[0]), int(tip[1])), 9, value, -1, cv2.LINE_AA)
    cv2.ellipse(mask, (80, 108), (38, 46), 0, 0, 360, 255, -1, cv2.LINE_AA)
    cv2.ellipse(ink, (80, 108), (38, 46), 0, 0, 360, (245, 225, 205), -1, cv2.LINE_AA)
    cv2.ellipse(ink, (80, 108), (36, 44), 0, 0, 360, colour, 4, cv2.LINE_AA)
    for x in (66, 94):
        cv2.circle(ink, (x, 102), 5, colour, -1, cv2.LINE_AA)
    cv2.ellipse(ink, (80, 122), (18, 12), 0, 0, 180, colour, 4, cv2.LINE_AA)
    return Mark(fitted(mask, size), fitted(ink, size))
