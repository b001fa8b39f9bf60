"""Procedural decks: 53 faces and two backs, drawn from a seed, with the place of every corner index."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.courts import draw_back, draw_court
from datasets.fonts import Mask, Split, glyph_mask, rank_font, suit_masks
from scoring.cards import FACES, Card, Rank, Suit

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

FACE_HEIGHT_PX = 300
BACK = len(FACES)  # first of the two rows of `Deck.faces` that hold backs, one a pack
BACKS = 2
SUITS = tuple(Suit)

# Pip places of the number cards as (column, row) in units of the pip field; rows below the middle hang upside down.
PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0.5, 0.5),),
    2: ((0.5, 0), (0.5, 1)),
    3: ((0.5, 0), (0.5, 0.5), (0.5, 1)),
    4: ((0, 0), (1, 0), (0, 1), (1, 1)),
    5: ((0, 0), (1, 0), (0.5, 0.5), (0, 1), (1, 1)),
    6: ((0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1)),
    7: ((0, 0), (1, 0), (0.5, 0.25), (0, 0.5), (1, 0.5), (0, 1), (1, 1)),
    8: ((0, 0), (1, 0), (0.5, 0.25), (0, 0.5), (1, 0.5), (0.5, 0.75), (0, 1), (1, 1)),
    9: ((0, 0), (1, 0), (0, 1 / 3), (1, 1 / 3), (0.5, 0.5), (0, 2 / 3), (1, 2 / 3), (0, 1), (1, 1)),
    10: ((0, 0), (1, 0), (0.5, 1 / 6), (0, 1 / 3), (1, 1 / 3), (0, 2 / 3), (1, 2 / 3), (0.5, 5 / 6), (0, 1), (1, 1)),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Spot:
    """One corner index of a face: `box_xyxy` round rank and suit, `rank_xyxy` round the rank, in face pixels.

    `turned` says that the index reads upright only when the card is turned by 180°.
    """

    box_xyxy: tuple[float, float, float, float]
    rank_xyxy: tuple[float, float, float, float]
    turned: bool


@dataclass(frozen=True, slots=True)
class Deck:
    """A drawn pack: `faces` (55, H, W, 4) uint8 RGBA in the order of `scoring.cards.FACES`, then two backs."""

    seed: int
    split: Split
    faces: Image
    small_faces: tuple[Image, Image]  # the same at half and quarter size
    spots: tuple[tuple[Spot, ...], ...]
    width_mm: float
    height_mm: float
    free_rank_mm: float  # from the top edge down: every rank shows
    free_index_mm: float  # from the top edge down: every index shows whole
    free_width_mm: float  # from the left edge: every rank shows

    @property
    def px_per_mm(self) -> float:
        return float(self.faces.shape[1] / self.height_mm)

    @property
    def index_height_mm(self) -> float:
        """Median height of a full index, rank and suit."""
        heights = [s.box_xyxy[3] - s.box_xyxy[1] for face in self.spots for s in face]
        return float(np.median(heights)) / self.px_per_mm


@dataclass(frozen=True, slots=True)
class Style:
    """What a deck draws alike on all its faces; lengths in face pixels."""

    size_wh: tuple[int, int]
    paper: Colour
    red: Colour
    black: Colour
    ranks: dict[str, Mask]
    suits: tuple[Mask, Mask, Mask, Mask]
    centre_x: float
    top: float
    suit_top: float
    beside: bool
    four: bool
    star_on_twos: bool
    frame: bool
    pip_px: float
    joker: str


def _resize(mask: Mask, width: float, height: float) -> Mask:
    size = (max(1, round(width)), max(1, round(height)))
    shrinks = size[0] < mask.shape[1]
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR), np.uint8)


def stamp(face: Image, mask: Mask, left: float, top: float, colour: Colour) -> tuple[int, int, int, int]:
    """Paint `mask` in one colour; returns the box painted, cut at the face's border."""
    x0, y0 = round(left), round(top)
    x1, y1 = min(face.shape[1], x0 + mask.shape[1]), min(face.shape[0], y0 + mask.shape[0])
    cx, cy = max(0, x0), max(0, y0)
    if x1 <= cx or y1 <= cy:
        return (cx, cy, cx, cy)
    alpha = mask[cy - y0 : y1 - y0, cx - x0 : x1 - x0, None].astype(np.uint16)
    region = face[cy:y1, cx:x1, :3]
    region[:] = ((region * (255 - alpha) + np.asarray(colour, np.uint16) * alpha) // 255).astype(np.uint8)
    return (cx, cy, x1, y1)


def _rank_masks(rng: np.random.Generator, split: Split, height: float, max_width: float) -> dict[str, Mask]:
    font = rank_font(rng, split, 120)
    swell = int(rng.choice([0, 0, 3, 5, 7, 9]))
    squeeze, ten_squeeze = rng.uniform(0.75, 1.1), rng.uniform(0.62, 0.95)
    same_width = rng.random() < 0.3
    masks: dict[str, Mask] = {}
    for rank in Rank:
        if rank.value == "10":
            one, zero = glyph_mask("1", font), glyph_mask("0", font)
            tall = max(one.shape[0], zero.shape[0])
            gap = np.zeros((tall, int(rng.integers(3, 14))), np.uint8)
            mask = np.hstack([_resize(one, one.shape[1], tall), gap, _resize(zero, zero.shape[1], tall)])
            wide = ten_squeeze
        else:
            mask, wide = glyph_mask(rank.value, font), 1.0
        if swell:
            mask = cv2.dilate(np.pad(mask, swell), np.ones((swell, swell), np.uint8)).astype(np.uint8)
            ys, xs = np.nonzero(mask > 32)
            mask = mask[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
        width = mask.shape[1] / mask.shape[0] * height * squeeze * wide
        if same_width:
            width = max_width * 0.8
        masks[rank.value] = _resize(mask, min(width, max_width), height)
    return masks


def _style(rng: np.random.Generator, split: Split) -> Style:
    height = FACE_HEIGHT_PX
    width = round(height * rng.choice([rng.uniform(0.64, 0.67), rng.uniform(0.69, 0.73)]))
    jumbo = rng.random() < 0.25
    rank_h = height * (rng.uniform(0.15, 0.24) if jumbo else rng.uniform(0.085, 0.15))
    max_w = width * (rng.uniform(0.2, 0.3) if jumbo else rng.uniform(0.125, 0.19))
    ranks = _rank_masks(rng, split, rank_h, max_w)
    suit_w = min(max_w, rank_h * rng.uniform(0.6, 1.0)) * rng.uniform(0.75, 1.0)
    suits = suit_masks(rng)
    suits_small = tuple(
        _resize(m, suit_w * m.shape[1] / max(m.shape), suit_w * m.shape[0] / max(m.shape)) for m in suits
    )
    margin = width * rng.uniform(0.025, 0.06)
    top = height * rng.uniform(0.02, 0.05)
    reds: list[Colour] = [(200, 20, 30), (220, 30, 40), (180, 20, 35), (230, 60, 50), (205, 35, 70), (190, 45, 30)]
    blacks: list[Colour] = [(15, 15, 20), (30, 30, 35), (20, 25, 50), (45, 40, 45), (10, 30, 30)]
    white = int(rng.integers(225, 256))
    return Style(
        size_wh=(width, height),
        paper=(white, int(white - rng.integers(0, 8)), int(white - rng.integers(0, 22))),
        red=reds[rng.integers(len(reds))],
        black=blacks[rng.integers(len(blacks))],
        ranks=ranks,
        suits=(suits_small[0], suits_small[1], suits_small[2], suits_small[3]),
        centre_x=margin + max(m.shape[1] for m in ranks.values()) / 2,
        top=top,
        suit_top=top + rank_h + height * rng.uniform(0.008, 0.03),
        beside=bool(rng.random() < 0.04),
        four=bool(rng.random() < 0.5),
        star_on_twos=bool(rng.random() < 0.35),
        frame=bool(rng.random() < 0.25),
        pip_px=width * rng.uniform(0.15, 0.22),
        joker=str(rng.choice(["text", "text", "turned", "star", "star_circle", "letter", "nothing"])),
    )


def _colour(style: Style, suit: Suit) -> Colour:
    return style.red if suit in (Suit.HEARTS, Suit.DIAMONDS) else style.black


def _star(size: int, circle: bool) -> Mask:
    canvas = np.zeros((size * 4, size * 4), np.uint8)
    angles = -np.pi / 2 + np.arange(10) * np.pi / 5
    radii = np.where(np.arange(10) % 2 == 0, 1.0, 0.42) * (1.3 if circle else 1.9)
    points = np.stack([np.cos(angles) * radii + 2, np.sin(angles) * radii + 2], 1) * size
    cv2.fillPoly(canvas, [points.astype(np.int32)], 255)
    if circle:
        cv2.circle(canvas, (size * 2, size * 2), round(size * 1.8), 255, max(2, size // 4))
    return _resize(canvas, size, size)


def _draw_indices(face: Image, style: Style, card: Card) -> tuple[Spot, ...]:
    """Stamp the index at the top corners, then both turned by 180°; returns a spot for each."""
    assert card.rank is not None and card.suit is not None
    colour, rank, suit = _colour(style, card.suit), style.ranks[card.rank.value], style.suits[SUITS.index(card.suit)]
    width = style.size_wh[0]
    spots: list[Spot] = []
    for turned in (False, True):
        upright = face[::-1, ::-1] if turned else face
        for centre in (style.centre_x, width - style.centre_x)[: 2 if style.four else 1]:
            spot = _stamp_index(upright, style, rank, suit, centre, card.rank is Rank.TWO, colour)
            spots.append(turn_spot(spot, style.size_wh) if turned else spot)
    return tuple(spots)


def _stamp_index(
    upright: Image, style: Style, rank: Mask, suit: Mask, centre: float, is_two: bool, colour: Colour
) -> Spot:
    rank_box = stamp(upright, rank, centre - rank.shape[1] / 2, style.top, colour)
    if style.beside:
        side = 1 if centre < style.size_wh[0] / 2 else -1
        suit_x = centre + side * (rank.shape[1] + suit.shape[1] + 6) / 2 - suit.shape[1] / 2
        suit_box = stamp(upright, suit, suit_x, style.top + (rank.shape[0] - suit.shape[0]) / 2, colour)
    else:
        suit_box = stamp(upright, suit, centre - suit.shape[1] / 2, style.suit_top, colour)
    if style.star_on_twos and is_two:
        star = _star(round(suit.shape[1] * 0.9), circle=True)
        stamp(upright, star, centre - star.shape[1] / 2, suit_box[3] + 3, colour)
    lows, highs = np.minimum(rank_box, suit_box), np.maximum(rank_box, suit_box)
    return Spot((float(lows[0]), float(lows[1]), float(highs[2]), float(highs[3])), _floats(rank_box), False)


def _floats(box: tuple[int, int, int, int]) -> tuple[float, float, float, float]:
    return (float(box[0]), float(box[1]), float(box[2]), float(box[3]))


def turn_spot(spot: Spot, size_wh: tuple[int, int]) -> Spot:
    """The spot as it lies on the face turned by 180°, which is where the opposite index is."""

    def turned(b: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        return (size_wh[0] - b[2], size_wh[1] - b[3], size_wh[0] - b[0], size_wh[1] - b[1])

    return Spot(turned(spot.box_xyxy), turned(spot.rank_xyxy), True)


def _draw_pips(face: Image, style: Style, card: Card) -> None:
    assert card.rank is not None and card.suit is not None
    width, height = style.size_wh
    mask = style.suits[SUITS.index(card.suit)]
    x0, x1, y0, y1 = 0.31 * width, 0.69 * width, 0.17 * height, 0.83 * height
    inner = 2 * style.centre_x + style.pip_px / 2  # large indices push the pips inwards, or leave one in the middle
    x0, x1 = max(x0, inner), min(x1, width - inner)
    number = card.rank.number if x1 - x0 > 0.25 * width else 1
    size = style.pip_px * (2.2 if number == 1 else 1.0)
    pip = _resize(mask, size * mask.shape[1] / max(mask.shape), size * mask.shape[0] / max(mask.shape))
    for column, row in PIPS[number]:
        drawn = pip[::-1] if row > 0.55 else pip
        x, y = x0 + (x1 - x0) * column, y0 + (y1 - y0) * row
        stamp(face, drawn, x - pip.shape[1] / 2, y - pip.shape[0] / 2, _colour(style, card.suit))


def _joker_index(style: Style, rng: np.random.Generator, split: Split) -> Mask | None:
    """The mark in the joker's corner: a word standing or lying, a star, a letter, or nothing."""
    wide = max(m.shape[1] for m in style.ranks.values())
    if style.joker == "nothing":
        return None
    if style.joker in ("star", "star_circle"):
        return _star(max(8, round(wide * 1.1)), style.joker == "star_circle")
    font = rank_font(rng, split, 80)
    if style.joker == "letter":
        mask = glyph_mask(str(rng.choice(["J", "*", "JK", "JR"])), font)
        return _resize(mask, wide, min(mask.shape[0] * wide / mask.shape[1], FACE_HEIGHT_PX * 0.16))
    word = str(rng.choice(["JOKER", "JOLLY", "Joker", "Jolly"]))
    long = FACE_HEIGHT_PX * rng.uniform(0.2, 0.36)
    if style.joker == "turned":
        mask = np.rot90(glyph_mask(word, font), int(rng.choice([1, 3]))).copy()
        return _resize(mask, min(wide, long * mask.shape[1] / mask.shape[0]), long)
    letters = [glyph_mask(c, font) for c in word.upper()]
    column = max(m.shape[1] for m in letters)
    rows = [
        np.pad(m, ((0, 8), ((column - m.shape[1]) // 2, column - m.shape[1] - (column - m.shape[1]) // 2)))
        for m in letters
    ]
    return _resize(np.vstack(rows), wide * 0.8, long)


def _draw_joker(face: Image, style: Style, rng: np.random.Generator, split: Split) -> tuple[Spot, ...]:
    width, height = style.size_wh
    colour = style.red if rng.random() < 0.5 else style.black
    draw_court(face, rng, (0.25 * width, 0.15 * height, 0.75 * width, 0.85 * height), style.red, style.black)
    mark = _joker_index(style, rng, split)
    if mark is None:
        return ()
    spots = []
    for turned in (False, True):
        upright = face[::-1, ::-1] if turned else face
        for centre in (style.centre_x, width - style.centre_x)[: 2 if style.four else 1]:
            box = _floats(stamp(upright, mark, centre - mark.shape[1] / 2, style.top, colour))
            spots.append(turn_spot(Spot(box, box, False), style.size_wh) if turned else Spot(box, box, False))
    return tuple(spots)


def rounded_alpha(size_wh: tuple[int, int], radius: float) -> Mask:
    """Coverage (H, W) uint8 of a card with round corners."""
    width, height = size_wh
    alpha = np.zeros((height * 2, width * 2), np.uint8)
    r = max(1, round(radius * 2))
    cv2.rectangle(alpha, (r, 0), (2 * width - r, 2 * height), 255, -1)
    cv2.rectangle(alpha, (0, r), (2 * width, 2 * height - r), 255, -1)
    for x in (r, 2 * width - 1 - r):
        for y in (r, 2 * height - 1 - r):
            cv2.circle(alpha, (x, y), r, 255, -1)
    return _resize(alpha, width, height)


def halved(faces: Image) -> tuple[Image, Image]:
    """Faces at half and at quarter size, for small cards in pictures."""
    half = np.stack([cv2.resize(f, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for f in faces])
    quarter = np.stack([cv2.resize(f, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for f in half])
    return half.astype(np.uint8), quarter.astype(np.uint8)


def make_deck(seed: int, split: Split = "train", four_indices: bool | None = None, joker: str | None = None) -> Deck:
    """Draw a deck from its seed; the two splits share no font, and `seed` fixes what is not asked for."""
    rng = np.random.default_rng([seed, 0 if split == "train" else 1])
    style = _style(rng, split)
    style = replace(style, four=style.four if four_indices is None else four_indices, joker=joker or style.joker)
    width, height = style.size_wh
    faces = np.empty((len(FACES) + BACKS, height, width, 4), np.uint8)
    spots: list[tuple[Spot, ...]] = []
    for i, card in enumerate(FACES):
        face = np.empty((height, width, 3), np.uint8)
        face[:] = style.paper
        if card.rank is None:
            spots.append(_draw_joker(face, style, rng, split))
        else:
            if card.rank.number > 10:
                inset = style.centre_x * 2 * rng.uniform(0.7, 1.05)
                draw_court(face, rng, (inset, 0.07 * height, width - inset, 0.93 * height), style.red, style.black)
            else:
                _draw_pips(face, style, card)
            spots.append(_draw_indices(face, style, card))
        if style.frame:
            cv2.rectangle(face, (3, 3), (width - 4, height - 4), style.black, 1, cv2.LINE_AA)
        faces[i, :, :, :3] = face
    for row in range(BACK, BACK + BACKS):
        faces[row, :, :, :3] = draw_back(rng, (width, height), style.paper)
    faces[..., 3] = rounded_alpha(style.size_wh, width * rng.uniform(0.04, 0.08))
    height_mm = float(rng.uniform(85, 91))
    px_per_mm = height / height_mm
    ranked = [s for face in spots[:-1] for s in face if not s.turned]
    return Deck(
        seed, split, faces, halved(faces), tuple(spots), width / px_per_mm, height_mm,
        free_rank_mm=max(s.rank_xyxy[3] for s in ranked) / px_per_mm + 0.6,
        free_index_mm=max(s.box_xyxy[3] for s in ranked) / px_per_mm + 0.8,
        free_width_mm=max(face[0].rank_xyxy[2] for face in spots[:-1]) / px_per_mm + 0.6,
    )  # fmt: skip
