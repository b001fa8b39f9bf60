"""What a deck draws alike on all its faces: sizes, colours, rank and suit glyphs, and how a glyph is stamped."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.fonts import Mask, Split, glyph_mask, rank_font, suit_masks
from datasets.strokes import Hand, stroke_glyph
from scoring.cards import Rank

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

FACE_HEIGHT_PX = 400
JOLLIES = (
    "text",
    "text",
    "turned",
    "turned",
    "star",
    "star_circle",
    "star_word",
    "word",
    "figure",
    "letter",
    "nothing",
)
# Training meets oftener what is hard to find: a mark that is but a star or a small figure, the suit beside the rank.
TRAINED_JOLLIES = (
    *JOLLIES,
    "star",
    "star",
    "star",
    "star_circle",
    "star_word",
    "star_word",
    "figure",
    "figure",
    "letter",
    "turned",
)
BESIDE_SHARE = {"train": 0.15, "val": 0.04}


def jolly_kinds(split: Split) -> tuple[str, ...]:
    """Kinds of jolly marks, each as often as it is to be drawn."""
    return TRAINED_JOLLIES if split == "train" else JOLLIES


@dataclass(frozen=True, slots=True)
class Style:
    """What a deck draws alike on all its faces; lengths in face pixels."""

    size_wh: tuple[int, int]
    paper: Colour
    red: Colour
    black: Colour
    ranks: dict[str, Mask]
    suits: tuple[Mask, Mask, Mask, Mask]  # as the indices show them
    shapes: tuple[Mask, Mask, Mask, Mask]  # the same as large as they were drawn, for pips
    centre_x: float
    top: float
    suit_top: float
    beside: bool
    four: bool
    star_on_twos: bool
    frame: bool
    pip_px: float
    pip_gap: float  # from the widest index to the nearest pip or court frame
    pip_top: float
    court_frame: float  # share of the courts' frames drawn, 0 none to 1 all
    court_pip: float  # width of the suit beside a court's head, 0 for none
    joker: str

    @property
    def index_right(self) -> float:
        """Right edge of the widest index at the left corner."""
        wide = max(int(m.shape[1]) for m in (*self.ranks.values(), *self.suits))
        return self.centre_x + wide / 2

    @property
    def index_bottom(self) -> float:
        return self.suit_top + max(int(m.shape[0]) for m in self.suits)


def resize(mask: Mask, width: float, height: float) -> Mask:
    size = (max(1, round(width)), max(1, round(height)))
    shrinks = size[0] < mask.shape[1]
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR), np.uint8)


def fitted(mask: Mask, size: float) -> Mask:
    """The mask with its longer side at `size`."""
    return resize(mask, size * mask.shape[1] / max(mask.shape[:2]), size * mask.shape[0] / max(mask.shape[:2]))


def stamp(face: Image, mask: Mask, left: float, top: float, colour: Colour | Image) -> tuple[int, int, int, int]:
    """Paint `mask` in one colour, or with a picture of its size; returns the box painted, cut at the face's border."""
    x0, y0 = round(left), round(top)
    x1, y1 = min(face.shape[1], x0 + mask.shape[1]), min(face.shape[0], y0 + mask.shape[0])
    cx, cy = max(0, x0), max(0, y0)
    if x1 <= cx or y1 <= cy:
        return (cx, cy, cx, cy)
    cut = np.s_[cy - y0 : y1 - y0, cx - x0 : x1 - x0]
    alpha = cv2.cvtColor(np.ascontiguousarray(mask[cut]), cv2.COLOR_GRAY2RGB)
    if isinstance(colour, tuple):
        ink = cv2.LUT(alpha, _shades(colour))
    else:
        ink = cv2.multiply(np.ascontiguousarray(colour[cut]), alpha, scale=1 / 255)
    region = face[cy:y1, cx:x1, :3]
    ground = cv2.multiply(np.ascontiguousarray(region), cv2.bitwise_not(alpha), scale=1 / 255)
    region[:] = cv2.add(ground, ink)
    return (cx, cy, x1, y1)


@functools.cache
def _shades(colour: Colour) -> Image:
    """What each coverage leaves of a colour: (1, 256, 3)."""
    return np.asarray(np.rint(np.arange(256)[None, :, None] / 255 * np.array(colour)), np.uint8)


def swollen(mask: Mask, by: int) -> Mask:
    """The glyph with bolder strokes, cut to its ink."""
    if not by:
        return mask
    mask = cv2.dilate(np.pad(mask, by), np.ones((by, by), np.uint8)).astype(np.uint8)
    ys, xs = np.nonzero(mask > 32)
    return mask[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]


def star(size: int, circle: bool) -> Mask:
    canvas = np.zeros((size * 4, size * 4), np.uint8)
    angles = -np.pi / 2 + np.arange(10) * np.pi / 5
    radii = np.where(np.arange(10) % 2 == 0, 1.0, 0.42) * (1.3 if circle else 1.9)
    points = np.stack([np.cos(angles) * radii + 2, np.sin(angles) * radii + 2], 1) * size
    cv2.fillPoly(canvas, [points.astype(np.int32)], 255)
    if circle:
        cv2.circle(canvas, (size * 2, size * 2), round(size * 1.8), 255, max(2, size // 4))
    return resize(canvas, size, size)


def _glyphs(rng: np.random.Generator, split: Split) -> dict[str, Mask]:
    """The ranks' letters and figures at one height: half the training decks draw them, the rest take a font.

    Validation decks take fonts only, so that none of their shapes was trained on.
    """
    if split == "train" and rng.random() < 0.5:
        hand = Hand.random(rng)
        return {g: stroke_glyph(g, hand) for g in "A234567891JQK0"}
    font = rank_font(rng, split, 120)
    swell = int(rng.choice([0, 0, 3, 5, 7, 9]))
    return {g: swollen(glyph_mask(g, font), swell) for g in "A234567891JQK0"}


def _rank_masks(rng: np.random.Generator, split: Split, height: float, max_width: float) -> dict[str, Mask]:
    glyphs = _glyphs(rng, split)
    squeeze, ten_squeeze = rng.uniform(0.75, 1.1), rng.uniform(0.62, 1.0)
    ten_gap = int(rng.integers(3, 24))
    same_width = rng.random() < 0.2
    masks: dict[str, Mask] = {}
    for rank in Rank:
        mask, wide = glyphs.get(rank.value), 1.0
        if mask is None:
            one, zero = glyphs["1"], glyphs["0"]
            tall = max(one.shape[0], zero.shape[0])
            gap = np.zeros((tall, ten_gap), np.uint8)
            mask = np.hstack([resize(one, one.shape[1], tall), gap, resize(zero, zero.shape[1], tall)])
            wide = ten_squeeze
        width = mask.shape[1] / mask.shape[0] * height * squeeze * wide
        if same_width:
            width = max_width * 0.8
        masks[rank.value] = resize(mask, min(width, max_width), height)
    return masks


def _inks(rng: np.random.Generator) -> tuple[Colour, Colour]:
    """Red from orange to crimson, black from blue-black to worn grey."""
    light, warm = rng.uniform(0.7, 0.95), rng.uniform(-1, 1)
    red = (
        light * 255,
        10 + 50 * light * rng.random() + 30 * max(0.0, warm),
        20 + 30 * rng.random() - 45 * min(0.0, warm),
    )
    grey = rng.choice([rng.uniform(8, 40), rng.uniform(40, 80)], p=[0.75, 0.25])
    tint = rng.choice([0, rng.uniform(5, 35)])
    return _whole(red), _whole((grey, grey + 0.2 * tint, grey + tint))


def _whole(colour: tuple[float, float, float]) -> Colour:
    r, g, b = (int(np.clip(v, 0, 255)) for v in colour)
    return (r, g, b)


def _paper(rng: np.random.Generator) -> Colour:
    white = rng.uniform(225, 256)
    yellow = rng.choice([rng.uniform(0, 22), rng.uniform(20, 45)], p=[0.85, 0.15])
    return _whole((white, white - yellow * rng.uniform(0.15, 0.5), white - yellow))


def random_style(rng: np.random.Generator, split: Split) -> Style:
    """The look of one deck."""
    height = FACE_HEIGHT_PX
    width = round(height * rng.choice([rng.uniform(0.64, 0.67), rng.uniform(0.69, 0.73)]))
    jumbo = rng.random() < 0.25
    rank_h = height * (rng.uniform(0.15, 0.25) if jumbo else rng.uniform(0.075, 0.15))
    max_w = width * (rng.uniform(0.2, 0.3) if jumbo else rng.uniform(0.125, 0.19))
    ranks = _rank_masks(rng, split, rank_h, max_w)
    suit_size = min(max_w * 1.05, rank_h * (rng.uniform(0.35, 0.8) if jumbo else rng.uniform(0.5, 1.1)))
    shapes = suit_masks(rng)
    a, b, c, d = (fitted(mask, suit_size) for mask in shapes)
    margin, top = width * rng.uniform(0.015, 0.06), height * rng.uniform(0.015, 0.055)
    red, black = _inks(rng)
    return Style(
        size_wh=(width, height),
        paper=_paper(rng),
        red=red,
        black=black,
        ranks=ranks,
        suits=(a, b, c, d),
        shapes=shapes,
        centre_x=margin + max(m.shape[1] for m in ranks.values()) / 2,
        top=top,
        suit_top=top + rank_h + height * rng.uniform(0.004, 0.03),
        beside=bool(rng.random() < BESIDE_SHARE[split]),
        four=bool(rng.random() < 0.5),
        star_on_twos=bool(rng.random() < 0.35),
        frame=bool(rng.random() < 0.2),
        pip_px=width * rng.uniform(0.15, 0.25),
        pip_gap=width * rng.choice([rng.uniform(0.0, 0.03), rng.uniform(0.02, 0.1)]),
        pip_top=height * rng.uniform(0.1, 0.19),
        court_frame=float(rng.choice([0.0, 0.5, 1.0], p=[0.25, 0.15, 0.6])),
        court_pip=float(rng.choice([0.0, rng.uniform(0.09, 0.2)], p=[0.25, 0.75])) * width,
        joker=str(rng.choice(jolly_kinds(split))),
    )
