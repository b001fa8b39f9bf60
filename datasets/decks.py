"""Procedural decks: 53 faces and two backs, drawn from a seed, with the place of every corner index."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from datasets.courts import PALETTE, draw_back, draw_court
from datasets.fonts import Mask, Split
from datasets.jolly import jolly_mark
from datasets.spots import Spot, SpotTable
from datasets.style import Colour, Image, Style, fitted, jolly_kinds, random_style, resize, stamp, star
from scoring.cards import FACES, Card, Rank, Suit

BACK = len(FACES)  # first of the two rows of `Deck.faces` that hold backs, one a pack
BACKS = 2
SPARES = 3  # further jolly after the backs, each with a mark of its own: a deck has one, and marks differ most of all
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
class Deck:
    """A drawn pack: `faces` (N, H, W, 4) uint8 RGBA in the order of `scoring.cards.FACES`, two backs, spare jolly."""

    seed: int
    split: Split
    faces: Image
    small_faces: tuple[Image, ...]  # the same at half, quarter and eighth size
    spots: tuple[tuple[Spot, ...], ...]
    width_mm: float
    height_mm: float
    free_rank_mm: float  # from the top edge down: every rank shows
    free_index_mm: float  # from the top edge down: every index shows whole
    free_width_mm: float  # from the left edge: every rank shows
    spot_table: SpotTable = field(init=False, repr=False, compare=False)
    index_height_mm: float = field(init=False, repr=False, compare=False)  # median of a full index, rank and suit

    def __post_init__(self) -> None:
        count, height, width = self.faces.shape[:3]
        table = SpotTable.of(self.spots, count, (width, height))
        object.__setattr__(self, "spot_table", table)
        heights = table.box[:, 3] - table.box[:, 1]
        object.__setattr__(self, "index_height_mm", float(np.median(heights)) * self.height_mm)

    def picture(self, face: int, tall_px: float) -> Image:
        """The face (H, W, 4) at the least of its sizes that is no less than `tall_px` high, or at its largest."""
        for faces in reversed(self.small_faces):
            if faces.shape[1] >= tall_px:
                return np.asarray(faces[face])
        return np.asarray(self.faces[face])

    @property
    def jolly(self) -> tuple[int, ...]:
        """Rows of `faces` that hold a jolly."""
        return (len(FACES) - 1, *range(BACK + BACKS, len(self.faces)))

    @property
    def px_per_mm(self) -> float:
        return float(self.faces.shape[1] / self.height_mm)


def _colour(style: Style, suit: Suit) -> Colour:
    return style.red if suit in (Suit.HEARTS, Suit.DIAMONDS) else style.black


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
        below = star(round(min(suit.shape[1] * 0.9, max(6.0, style.size_wh[1] / 2 - suit_box[3] - 8))), circle=True)
        stamp(upright, below, centre - below.shape[1] / 2, suit_box[3] + 3, colour)
    lows, highs = np.minimum(rank_box, suit_box), np.maximum(rank_box, suit_box)
    return Spot((float(lows[0]), float(lows[1]), float(highs[2]), float(highs[3])), _floats(rank_box), False)


def _floats(box: tuple[int, int, int, int]) -> tuple[float, float, float, float]:
    return (float(box[0]), float(box[1]), float(box[2]), float(box[3]))


def turn_spot(spot: Spot, size_wh: tuple[int, int]) -> Spot:
    """The same index on the face turned by 180°."""

    def turned(b: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        return (size_wh[0] - b[2], size_wh[1] - b[3], size_wh[0] - b[0], size_wh[1] - b[1])

    return Spot(turned(spot.box_xyxy), turned(spot.rank_xyxy), True)


def _draw_pips(face: Image, style: Style, card: Card) -> None:
    assert card.rank is not None and card.suit is not None
    width, height = style.size_wh
    mask = style.shapes[SUITS.index(card.suit)]
    # Real pips stand as far out as the index lets them, so that their edges show in a cut of the index.
    x0 = max(0.25 * width, style.index_right + style.pip_gap + style.pip_px / 2)
    x1, y0 = width - x0, style.pip_top
    number = card.rank.number if x1 - x0 > 0.22 * width else 1
    room = max(0.2 * width, width - 2 * style.index_right) if number == 1 else 0.6 * (x1 - x0)
    pip = fitted(mask, min(style.pip_px * (2.2 if number == 1 else 1.0), room))
    all_pips = np.zeros((height, width), np.uint8)
    for column, row in PIPS[number]:
        drawn = pip[::-1] if row > 0.55 else pip
        x, y = x0 + (x1 - x0) * column, y0 + (height - 2 * y0) * row
        left, top = max(0, round(x - pip.shape[1] / 2)), max(0, round(y - pip.shape[0] / 2))
        place = all_pips[top : top + pip.shape[0], left : left + pip.shape[1]]
        np.maximum(place, drawn[: place.shape[0], : place.shape[1]], out=place)
    x, y, w, h = cv2.boundingRect(all_pips)
    stamp(face, all_pips[y : y + h, x : x + w], x, y, _colour(style, card.suit))


def _ornate_ace(face: Image, style: Style, rng: np.random.Generator) -> None:
    """A large ace of spades with rings and rays inside and round it, as makers sign their packs."""
    width, height = style.size_wh
    room = max(0.25 * width, width - 2 * style.index_right)
    pip = fitted(style.shapes[SUITS.index(Suit.SPADES)], min(room, 0.6 * width))
    x, y = width // 2, height // 2
    for ray in rng.uniform(0, 2 * np.pi, int(rng.choice([0, 12, 40]))):
        tip = (int(x + np.cos(ray) * room * 0.55), int(y + np.sin(ray) * room * rng.uniform(0.5, 0.8)))
        cv2.line(face, (x, y), tip, style.black, 1, cv2.LINE_AA)
    stamp(face, pip, x - pip.shape[1] / 2, y - pip.shape[0] / 2, style.black)
    for _ in range(int(rng.integers(1, 7))):
        at = (int(x + rng.normal(0, 0.1) * room), int(y + rng.normal(0, 0.12) * room))
        cv2.circle(face, at, int(room * rng.uniform(0.04, 0.16)), style.paper, int(rng.integers(1, 4)), cv2.LINE_AA)


def _draw_figure(face: Image, style: Style, card: Card, rng: np.random.Generator) -> None:
    """A court figure between the indices, with its suit beside the head where the deck has it."""
    assert card.suit is not None
    width, height = style.size_wh
    left = min(style.index_right + style.pip_gap * rng.uniform(0, 1), 0.34 * width)
    top = height * rng.uniform(0.03, 0.1)
    box = (left, top, width - left, height - top)
    draw_court(face, rng, box, style.red, style.black, framed=rng.random() < style.court_frame)
    if style.court_pip:
        pip = fitted(style.shapes[SUITS.index(card.suit)], style.court_pip)
        for upright in (face, face[::-1, ::-1]):
            stamp(upright, pip, left + 3, top + 3, _colour(style, card.suit))
            if style.four and style.court_pip < 0.3 * (width - 2 * left):
                stamp(upright, pip, width - left - 3 - pip.shape[1], top + 3, _colour(style, card.suit))


def _draw_jolly(face: Image, style: Style, rng: np.random.Generator, split: Split) -> tuple[Spot, ...]:
    """A figure and the marks in the corners; an index is as much of a mark as rank and suit would take."""
    width, height = style.size_wh
    colour = (style.red, style.black, PALETTE[2], PALETTE[5])[rng.choice(4, p=[0.35, 0.4, 0.15, 0.1])]
    inks = (style.black, style.black) if rng.random() < 0.25 else (style.red, style.black)
    mark = jolly_mark(style, rng, split, colour)
    inset = rng.uniform(0.2, 0.32) * width
    box = (inset, rng.uniform(0.05, 0.2) * height, width - inset, rng.uniform(0.8, 0.95) * height)
    draw_court(face, rng, box, *inks, framed=rng.random() < 0.3, plain=inks[0] == style.black)
    if mark is None:
        return ()
    centre, top = style.centre_x, style.top
    if rng.random() < 0.5 or mark.mask.shape[1] > 2 * centre:  # its own place, not the ranks'
        centre = mark.mask.shape[1] / 2 + width * rng.uniform(0.02, 0.07)
        top = height * rng.uniform(0.015, 0.07)
    spots = []
    for turned in (False, True):
        upright = face[::-1, ::-1] if turned else face
        for x in (centre, width - centre)[: 2 if style.four else 1]:
            box = _floats(stamp(upright, mark.mask, x - mark.mask.shape[1] / 2, top, mark.ink))
            box = (*box[:3], min(box[3], max(style.index_bottom, box[1] + box[2] - box[0])))
            spots.append(turn_spot(Spot(box, box, False), style.size_wh) if turned else Spot(box, box, False))
    return tuple(spots)


def _suit_back(style: Style, rng: np.random.Generator) -> Image:
    """A back with rows of small suits, which are no indices, inside frames on plain paper."""
    width, height = style.size_wh
    back = np.empty((height, width, 3), np.uint8)
    back[:] = style.paper
    inset = int(rng.integers(8, 22))
    for k in range(int(rng.integers(0, 3))):
        corner = inset + 5 * k
        cv2.rectangle(back, (corner, corner), (width - corner, height - corner), style.red, 2, cv2.LINE_AA)
    size = width * rng.uniform(0.06, 0.11)
    step, left = size * rng.uniform(1.15, 1.6), inset + 16 + size / 2
    small = [fitted(mask, size) for mask in style.shapes]
    across, down = int((width - 2 * left) / step) + 1, int((height - 2 * left) / step) + 1
    gap = down // 2 if rng.random() < 0.5 else -1  # a row left free, where makers print their name
    for y in range(down):
        for x in range(across):
            suit = (x + y) % 4
            at = left + x * step - small[suit].shape[1] / 2, left + y * step - small[suit].shape[0] / 2
            if y != gap:
                stamp(back, small[suit], *at, _colour(style, SUITS[suit]))
    return back


def rounded_alpha(size_wh: tuple[int, int], radius: float) -> Mask:
    """Coverage (H, W) of a card with round corners."""
    width, height = size_wh
    alpha = np.zeros((height * 2, width * 2), np.uint8)
    r = max(1, round(radius * 2))
    cv2.rectangle(alpha, (r, 0), (2 * width - r, 2 * height), 255, -1)
    cv2.rectangle(alpha, (0, r), (2 * width, 2 * height - r), 255, -1)
    for x in (r, 2 * width - 1 - r):
        for y in (r, 2 * height - 1 - r):
            cv2.circle(alpha, (x, y), r, 255, -1)
    return resize(alpha, width, height)


def halved(faces: Image, times: int = 3) -> tuple[Image, ...]:
    """Faces (N, H, W, 4) at half, quarter and eighth size, so that small cards are drawn without aliasing.

    H must be a multiple of 8: the faces are halved as one tall picture.
    """
    smaller = [faces]
    for _ in range(times):
        count, height, width = smaller[-1].shape[:3]
        tall = smaller[-1].reshape(count * height, width, 4)
        half = cv2.resize(tall, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        smaller.append(np.asarray(half, np.uint8).reshape(count, height // 2, -1, 4))
    return tuple(smaller[1:])


def _round_corners(faces: Image, radius: float) -> None:
    """Set the coverage of opaque faces (N, H, W, 4) in place: only their corners are cut."""
    side = min(math.ceil(radius) + 2, faces.shape[2] // 2)
    alpha = rounded_alpha((faces.shape[2], faces.shape[1]), radius)
    for rows in (slice(0, side), slice(-side, None)):
        for columns in (slice(0, side), slice(-side, None)):
            faces[:, rows, columns, 3] = alpha[rows, columns]


def make_deck(seed: int, split: Split = "train", four_indices: bool | None = None, joker: str | None = None) -> Deck:
    """Draw a deck from its seed; the two splits share no font, and `seed` fixes what is not asked for."""
    rng = np.random.default_rng([seed, 0 if split == "train" else 1])
    style = random_style(rng, split)
    style = replace(style, four=style.four if four_indices is None else four_indices, joker=joker or style.joker)
    width, height = style.size_wh
    faces = np.empty((len(FACES) + BACKS + SPARES, height, width, 4), np.uint8)
    spots: list[tuple[Spot, ...]] = []
    blank = np.empty((height, width, 3), np.uint8)
    blank[:] = style.paper
    for i, card in enumerate(FACES):
        face = blank.copy()
        if card.rank is None:
            spots.append(_draw_jolly(face, style, rng, split))
        else:
            if card.rank.number > 10:
                _draw_figure(face, style, card, rng)
            elif card.rank is Rank.ACE and card.suit is Suit.SPADES and rng.random() < 0.5:
                _ornate_ace(face, style, rng)
            else:
                _draw_pips(face, style, card)
            spots.append(_draw_indices(face, style, card))
        if style.frame:
            cv2.rectangle(face, (3, 3), (width - 4, height - 4), style.black, 1, cv2.LINE_AA)
        cv2.cvtColor(face, cv2.COLOR_RGB2RGBA, faces[i])
    for row in range(BACK, BACK + BACKS):
        with_suits = rng.random() < 0.15
        back = _suit_back(style, rng) if with_suits else draw_back(rng, style.size_wh, style.paper)
        cv2.cvtColor(back, cv2.COLOR_RGB2RGBA, faces[row])
    radius = width * rng.uniform(0.04, 0.08)
    height_mm = float(rng.uniform(85, 91))
    px_per_mm = height / height_mm
    ranked = [s for face in spots[:-1] for s in face if not s.turned]
    spare = []
    marks = rng.permutation([kind for kind in jolly_kinds(split) if kind != "nothing"])
    for row, kind in zip(range(BACK + BACKS, len(faces)), marks, strict=False):
        face = blank.copy()
        spare.append(_draw_jolly(face, replace(style, joker=str(kind)), rng, split))
        cv2.cvtColor(face, cv2.COLOR_RGB2RGBA, faces[row])
    _round_corners(faces, radius)
    return Deck(
        seed, split, faces, halved(faces), (*spots, *[()] * BACKS, *spare), width / px_per_mm, height_mm,
        free_rank_mm=max(s.rank_xyxy[3] for s in ranked) / px_per_mm + 0.6,
        free_index_mm=max(s.box_xyxy[3] for s in ranked) / px_per_mm + 0.8,
        free_width_mm=max(face[0].rank_xyxy[2] for face in spots[:-1]) / px_per_mm + 0.6,
    )  # fmt: skip
