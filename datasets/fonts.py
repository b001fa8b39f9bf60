"""Fonts for rank indices and outlines for suit symbols, found on this machine or built in."""

from __future__ import annotations

import functools
import hashlib
import re
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Split = Literal["train", "val"]
Mask = NDArray[np.uint8]

FONT_ROOTS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".local/share/fonts")
FONT_SUFFIXES = frozenset({".ttf", ".otf", ".woff"})
# Families whose names say that they are not for Latin text, or whose slant is no playing-card style.
UNWANTED = (
    "symbol",
    "math",
    "emoji",
    "icon",
    "dingbat",
    "chess",
    "music",
    "braille",
    "egypt",
    "cuneiform",
    "hand",
    "chancery",
    "cursor",
    "keyb",
    "initial",
    "chorus",
    "libertine_k",
    "libertine_i",
    "outline",
)
SLANTED = re.compile(r"[Ii]ta|[Oo]bli|(?<=[-_a-z])It$|_R?B?I$|ZI$")  # rare on real cards
VAL_SHARE = 8  # one font in eight is kept for validation decks only


def _stable_hash(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def glyph_mask(text: str, font: ImageFont.FreeTypeFont | ImageFont.ImageFont) -> Mask:
    """Draw `text` and cut it to its ink: (h, w) uint8 coverage; (1, 1) zeros when the font draws nothing."""
    left, top, right, bottom = font.getbbox(text)
    size_wh = (max(1, int(right - left) + 8), max(1, int(bottom - top) + 8))
    canvas = Image.new("L", size_wh, 0)
    ImageDraw.Draw(canvas).text((4 - left, 4 - top), text, fill=255, font=font)
    mask: Mask = np.asarray(canvas)
    x, y, width, height = cv2.boundingRect((mask > 32).view(np.uint8))
    if width == 0:
        return np.zeros((1, 1), np.uint8)
    return mask[y : y + height, x : x + width]


@functools.cache
def _usable(path: Path) -> bool:
    """A usable font draws all ranks, each differently, with lining figures (2 as tall as 6 and 9)."""
    try:
        font = ImageFont.truetype(str(path), 48, layout_engine=ImageFont.Layout.BASIC)
        masks = [glyph_mask(glyph, font) for glyph in "A234567890JQK"]
        missing = glyph_mask("\uffff", font)
    except (OSError, ValueError):
        return False
    heights = np.array([m.shape[0] for m in masks[1:10]], float)
    if min(m.shape[0] for m in masks) < 16 or heights.max() / heights.min() > 1.12:
        return False
    if masks[0].shape[0] / heights.max() < 0.8:
        return False
    return not any(m.shape == missing.shape and np.array_equal(m, missing) for m in masks)


def rank_fonts(split: Split) -> tuple[Path, ...]:
    """Installed fonts fit for rank indices; one in eight (by a hash of its family) only for validation decks."""
    return tuple(path for path in _candidates(split) if _usable(path))


@functools.cache
def _candidates(split: Split) -> tuple[Path, ...]:
    """Fonts that may be fit by their names; looking into them all takes seconds, so `rank_font` looks as it draws."""
    found: list[Path] = []
    for root in FONT_ROOTS:
        if root.is_dir():
            found += [p for p in sorted(root.rglob("*")) if p.suffix.lower() in FONT_SUFFIXES]
    wanted = []
    for path in found:
        name = path.stem.lower()
        if any(word in name for word in UNWANTED):
            continue
        family = name.split("-")[0].split("_")[0][:10]
        if (_stable_hash(family) % VAL_SHARE == 0) != (split == "val"):
            continue
        wanted.append(path)
    return tuple(wanted)


def rank_font(rng: np.random.Generator, split: Split, size_px: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """One font at random: first a family, then a style of it, so that large families do not dominate."""
    families = _families(split)
    for _ in range(TRIES if families else 0):
        upright, all_styles = families[rng.integers(len(families))]
        styles = upright if upright and rng.random() < 0.8 else all_styles
        path = styles[rng.integers(len(styles))]
        if _usable(path):
            return ImageFont.truetype(str(path), size_px, layout_engine=ImageFont.Layout.BASIC)
    return ImageFont.load_default(size_px)


TRIES = 200  # many times what it takes to meet a usable font where there is one


@functools.cache
def _families(split: Split) -> tuple[tuple[tuple[Path, ...], tuple[Path, ...]], ...]:
    """The fonts that may be fit, by family: its upright styles, then all of them."""
    families: dict[str, list[Path]] = {}
    for path in _candidates(split):
        families.setdefault(path.stem.lower().split("-")[0][:8], []).append(path)
    rows = (families[name] for name in sorted(families))
    return tuple((tuple(p for p in row if not SLANTED.search(p.stem)), tuple(row)) for row in rows)


# --- suit symbols ---------------------------------------------------------------------------------------------------

SUIT_FONT_STEMS = (
    "DejaVuSans", "DejaVuSans-Bold", "DejaVuSerif", "DejaVuSansMono", "FreeSerif", "FreeSans", "FreeMono",
    "Symbola_hint",
    "NotoSansSymbols2-Regular", "LinLibertine_R", "LinBiolinum_R", "texgyretermes-math", "STIXTwoMath-Regular",
)  # fmt: skip
SUIT_TEXT = "♥♦♣♠"


@functools.cache
def suit_fonts() -> tuple[Path, ...]:
    """Installed fonts that draw all four filled suit symbols."""
    paths: list[Path] = []
    for root in FONT_ROOTS:
        if root.is_dir():
            paths += [p for p in sorted(root.rglob("*")) if p.stem in SUIT_FONT_STEMS and p.suffix in FONT_SUFFIXES]
    good = []
    for path in paths:
        font = ImageFont.truetype(str(path), 64, layout_engine=ImageFont.Layout.BASIC)
        masks = [glyph_mask(s, font) for s in SUIT_TEXT]
        missing = glyph_mask("\uffff", font)
        if all(m.shape[0] > 16 and not (m.shape == missing.shape and np.array_equal(m, missing)) for m in masks):
            good.append(path)
    return tuple(good)


def _polygon_mask(outline_xy: NDArray[np.float64], size: int) -> Mask:
    canvas = np.zeros((size, size), np.uint8)
    points = np.round(outline_xy * (size - 8) * 16 + 64).astype(np.int32)
    cv2.fillPoly(canvas, [points], 255, cv2.LINE_AA, 4)
    ys, xs = np.nonzero(canvas > 32)
    return canvas[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]


def _union(*masks: Mask) -> Mask:
    out = masks[0].copy()
    for mask in masks[1:]:
        np.maximum(out, mask, out=out)
    ys, xs = np.nonzero(out > 32)
    return out[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]


def _disc(size: int, cx: float, cy: float, radius: float) -> Mask:
    canvas = np.zeros((size, size), np.uint8)
    cv2.circle(
        canvas, (round(cx * size * 16), round(cy * size * 16)), round(radius * size * 16), 255, -1, cv2.LINE_AA, 4
    )
    return canvas


def _foot(size: int, top: float, waist: float, half_base: float, flare: float) -> Mask:
    canvas = np.zeros((size, size), np.uint8)
    ts = np.linspace(0, 1, 12)
    right = np.stack([0.5 + waist + (half_base - waist) * ts**flare, top + (0.98 - top) * ts], 1)
    left = right[::-1] * [-1, 1] + [1, 0]
    cv2.fillPoly(canvas, [np.round(np.concatenate([right, left]) * size * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return canvas


def drawn_suit(index: int, rng: np.random.Generator, size: int = 128) -> Mask:
    """A suit symbol of our own with random proportions: 0 ♥, 1 ♦, 2 ♣, 3 ♠; (h, w) uint8 coverage."""
    ts = np.linspace(0, 2 * np.pi, 90)
    if index == 1:
        power = rng.uniform(0.8, 1.25)  # below 1 the sides bulge, above they are hollow
        c, s = np.cos(ts), np.sin(ts)
        xs = np.sign(c) * np.abs(c) ** (2 * power) * rng.uniform(0.32, 0.48)
        return _polygon_mask(np.stack([0.5 + xs, 0.5 + np.sign(s) * np.abs(s) ** (2 * power) * 0.5], 1), size)
    if index == 2:
        r, d = rng.uniform(0.17, 0.25), rng.uniform(0.2, 0.27)
        side = rng.uniform(0.32, 0.38) + d  # height of the lower lobes: close to the upper one or apart from it
        discs = [_disc(size, 0.5, r + 0.02, r), _disc(size, 0.5 - d, side, r), _disc(size, 0.5 + d, side, r)]
        stem = _foot(size, 0.45, rng.uniform(0.015, 0.06), rng.uniform(0.1, 0.26), rng.uniform(1.2, 4.0))
        return _union(*discs, _disc(size, 0.5, (2 * side + r) / 3, rng.uniform(0.08, 0.14)), stem)
    dip = rng.uniform(4.0, 6.5)
    xs = 16 * np.sin(ts) ** 3
    ys = 13 * np.cos(ts) - dip * np.cos(2 * ts) - 2 * np.cos(3 * ts) - np.cos(4 * ts)
    heart = np.stack([0.5 + xs / 34, 0.5 - (ys - (ys.max() + ys.min()) / 2) / (ys.max() - ys.min())], 1)
    heart[:, 0] = 0.5 + (heart[:, 0] - 0.5) * rng.uniform(0.78, 1.08)
    if index == 0:
        return _polygon_mask(heart, size)
    body = np.stack([heart[:, 0], (1 - heart[:, 1]) * rng.uniform(0.74, 0.88)], 1)
    canvas = np.zeros((size, size), np.uint8)
    cv2.fillPoly(canvas, [np.round(body * (size - 8) * 16 + 64).astype(np.int32)], 255, cv2.LINE_AA, 4)
    stem = _foot(size, 0.55, rng.uniform(0.015, 0.06), rng.uniform(0.1, 0.26), rng.uniform(1.2, 4.0))
    return _union(canvas, stem)


def suit_masks(rng: np.random.Generator) -> tuple[Mask, Mask, Mask, Mask]:
    """Four suit symbols of one style, ♥♦♣♠, each (h, w) uint8 coverage: half from installed fonts, half our own."""
    paths = suit_fonts()
    if paths and rng.random() < 0.5:
        font = ImageFont.truetype(str(paths[rng.integers(len(paths))]), 120, layout_engine=ImageFont.Layout.BASIC)
        a, b, c, d = (glyph_mask(s, font) for s in SUIT_TEXT)
        return a, b, c, d
    a, b, c, d = (drawn_suit(i, rng) for i in range(4))
    return a, b, c, d
