"""Finds the corner indices of drawn faces: cards of one deck share a layout, so each helps to place the others."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks import turn_spot
from datasets.spots import Spot
from scoring.cards import FACES, Rank, Suit

Image = NDArray[np.uint8]
Box = NDArray[np.float64]  # x0, y0, x1, y1

CORNER, MARK_CORNER = (0.36, 0.46), (0.4, 0.6)  # the part of a face that is searched, in widths and heights
INK = 60  # darker than the paper by this much in some channel
SAME, SAME_MARK = 0.8, 0.6  # correlation of two inks drawn alike; marks may differ in what surrounds them


def _boxes(face: Image, corner: tuple[float, float] = CORNER) -> NDArray[np.float64]:
    """Boxes (N, 4) of the connected ink in the top left corner, without specks and what runs out of the corner."""
    height, width = round(face.shape[0] * corner[1]), round(face.shape[1] * corner[0])
    ink = _ink(face, height, width)
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    boxes = np.concatenate([stats[1:, :2], stats[1:, :2] + stats[1:, 2:4]], 1).astype(np.float64)
    inside = (boxes[:, 0] > 0) & (boxes[:, 1] > 0) & (boxes[:, 2] < width) & (boxes[:, 3] < height)
    large = stats[1:, 3] > 0.018 * face.shape[0]
    return np.asarray(boxes[inside & large], np.float64)


def _ink(face: Image, height: int | None = None, width: int | None = None) -> NDArray[np.uint8]:
    """1 where the top left part of a face, or all of it, is darker than its paper."""
    corner = face[: face.shape[0] // 3 : 2, : face.shape[1] // 3 : 2].reshape(-1, 3)
    paper = np.median(corner, axis=0).astype(np.uint8)
    part = np.ascontiguousarray(face[:height, :width])
    dark = cv2.subtract(np.full_like(part, paper), part).max(2) > INK
    return np.asarray(dark, np.uint8)


def _union(boxes: NDArray[np.float64]) -> Box:
    return np.concatenate([boxes[:, :2].min(0), boxes[:, 2:].max(0)])


def _index(boxes: NDArray[np.float64], rank: Rank, unit: float) -> tuple[Box, Box] | None:
    """Rank on top, suit below it: the first ink down the left side, and the next with the same middle."""
    tall = boxes[boxes[:, 3] - boxes[:, 1] > 0.05 * unit]
    if len(tall) == 0:
        return None
    first = tall[np.argmin(tall[:, 0] + tall[:, 1])]
    level = tall[(np.minimum(tall[:, 3], first[3]) - np.maximum(tall[:, 1], first[1])) > 0.6 * (first[3] - first[1])]
    level = level[np.argsort(level[:, 0])]
    near = 0.5 * (first[3] - first[1])
    glyph = first
    if rank is Rank.TEN and len(level) > 1 and level[1][0] - level[0][2] < near:
        glyph = _union(level[:2])
    middle = (glyph[0] + glyph[2]) / 2
    below = boxes[
        (boxes[:, 1] > glyph[3] - 0.01 * unit) & (np.abs((boxes[:, 0] + boxes[:, 2]) / 2 - middle) < 0.035 * unit)
    ]
    if len(below) == 0:
        return None
    suit = below[np.argmin(below[:, 1])]
    return (glyph, suit) if suit[1] - glyph[3] < 0.6 * (glyph[3] - glyph[1]) else None


def find_indices(faces: Mapping[str, Image]) -> dict[str, tuple[Spot, ...]] | None:
    """Spots of the 52 cards of a deck, keyed by the card's text; None when too few cards agree on a layout.

    The opposite indices are looked for on the turned faces; where that fails they are taken to lie symmetrically.
    """
    upright = _layout(faces)
    if upright is None:
        return None
    turned = _layout({name: face[::-1, ::-1] for name, face in faces.items()})
    four = _has_four(faces, upright)
    out: dict[str, tuple[Spot, ...]] = {}
    for name, (box, rank) in upright.items():
        face = faces[name]
        height, width = face.shape[:2]
        other = turned[name] if turned is not None else (box, rank)
        if max(np.abs(other[0] - box).max(), np.abs(other[1] - rank).max()) > 0.04 * height:
            other = (box, rank)
        opposite = [turn_spot(s, (width, height)) for s in corner_spots(*other, width, four)]
        out[name] = (*corner_spots(box, rank, width, four), *opposite)
    return out


def _layout(faces: Mapping[str, Image]) -> dict[str, tuple[Box, Box]] | None:
    """Whole index and rank at the top left of every card.

    A card whose own ink is unclear takes its rank's box from the other suits and its suit's box from the other ranks.
    """
    cards = [(c.rank, c.suit, str(c)) for c in FACES if c.rank and c.suit]
    unit = float(next(iter(faces.values())).shape[0])
    found = {name: i for rank, _, name in cards if (i := _index(_boxes(faces[name]), rank, unit)) is not None}
    ranks = {r: _typical([found[n][0] for rank, _, n in cards if rank is r and n in found]) for r in Rank}
    suits = {s: _typical([found[n][1] for _, suit, n in cards if suit is s and n in found]) for s in Suit}
    some_rank = _typical([found[n][0] for rank, _, n in cards if rank is not Rank.TEN and n in found])
    out: dict[str, tuple[Box, Box]] = {}
    for rank, suit, name in cards:
        glyph, sign = ranks[rank], suits[suit]
        if glyph is None and rank.number > 10:
            glyph = some_rank  # courts of some decks run into all their indices
        if glyph is None or sign is None or len(found) < len(cards) // 2:
            return None
        own = found.get(name)
        if own is not None and max(np.abs(own[0] - glyph).max(), np.abs(own[1] - sign).max()) < 0.02 * unit:
            glyph, sign = own
        out[name] = (_union(np.stack([glyph, sign])), glyph)
    return out


def _typical(boxes: list[Box]) -> Box | None:
    return np.median(np.stack(boxes), axis=0) if boxes else None


def _has_four(faces: Mapping[str, Image], upright: Mapping[str, tuple[Box, Box]]) -> bool:
    """True when the top right corners show the same rank as the top left, as far from the edge."""
    same = []
    for name, (_, rank) in upright.items():
        x0, y0, x1, y1 = (round(float(v)) for v in rank)
        ink = _ink(faces[name], y1)
        width = ink.shape[1]
        left, right = ink[y0:y1, x0:x1], ink[y0:y1, max(0, width - x1 - 6) : width - x0 + 6]
        if not right.any():  # nothing is like everything: the score of a blank corner may be 1
            same.append(0.0)
            continue
        score = cv2.matchTemplate(right.astype(np.float32), left.astype(np.float32), cv2.TM_CCOEFF_NORMED)
        same.append(float(score.max()))
    return float(np.median(same)) > SAME


def corner_spots(box: Box, rank: Box, width: float, four: bool) -> tuple[Spot, ...]:
    """The index at the top left of a face `width` px wide and, where there are four, the one at the top right."""
    shifts = (0.0, width - float(rank[0] + rank[2])) if four else (0.0,)

    def moved(b: Box, shift: float) -> tuple[float, float, float, float]:
        return (float(b[0] + shift), float(b[1]), float(b[2] + shift), float(b[3]))

    return tuple(Spot(moved(box, shift), moved(rank, shift), False) for shift in shifts)


def find_mark(face: Image) -> Box | None:
    """Box of the mark in a jolly's top left corner: the ink nearest the corner with what stands in line with it."""
    height, width = face.shape[:2]
    boxes = _boxes(face, MARK_CORNER)
    if len(boxes) == 0:
        return None
    first = boxes[np.argmin(boxes[:, 0] / width + boxes[:, 1] / height)]
    if first[0] > 0.13 * width or first[1] > 0.1 * height:
        return None
    level = boxes[(np.abs(boxes[:, 1::2] - first[1::2]) < 0.025 * height).all(1)]  # a word that lies
    mark = _grown(first, level[np.argsort(level[:, 0])], 0, 0.03 * width)
    if len(level) > 2:
        return mark
    middles = np.abs(boxes[:, 0] + boxes[:, 2] - mark[0] - mark[2]) / 2
    upright = boxes[(middles < 0.03 * width) & (boxes[:, 2] < 0.25 * width)]
    return _grown(mark, upright[np.argsort(upright[:, 1])], 1, 0.035 * height)


def _grown(mark: Box, boxes: NDArray[np.float64], axis: int, gap: float) -> Box:
    """The mark with the boxes that follow it along an axis at less than `gap`."""
    for box in boxes:
        if mark[axis + 2] - 2 <= box[axis] < mark[axis + 2] + gap:
            mark = _union(np.stack([mark, box]))
    return mark


def mark_spots(face: Image) -> tuple[Spot, ...]:
    """Spots of a jolly's mark, in those corners where it is; none when no corner has one."""
    height, width = face.shape[:2]
    sides = (face, face[::-1, ::-1])
    marks = [find_mark(side) for side in sides]
    kept = []
    for number, side in enumerate(sides):
        own = number if marks[number] is not None else 1 - number
        mark = marks[own]
        if mark is None:
            continue
        x0, y0, x1, y1 = (round(float(v)) for v in mark)
        glyph = _ink(sides[own])[y0:y1, x0:x1]
        found = [_seen_at(side, spot, glyph) for spot in corner_spots(mark, mark, width, four=True)]
        kept += [turn_spot(s, (width, height)) if number else s for s in found if s is not None]
    return tuple(kept)


def _seen_at(side: Image, spot: Spot, glyph: NDArray[np.uint8]) -> Spot | None:
    """The spot moved to where the glyph is drawn, up to a few pixels off; None where it is not."""
    play = round(0.03 * side.shape[0])
    x, y = (round(v) for v in spot.box_xyxy[:2])
    x0, y0 = max(0, x - play), max(0, y - play)
    region = _ink(side)[y0 : y + glyph.shape[0] + play, x0 : x + glyph.shape[1] + play]
    if not region.any():
        return None
    score = cv2.matchTemplate(region.astype(np.float32), glyph.astype(np.float32), cv2.TM_CCOEFF_NORMED)
    _, best, _, at = cv2.minMaxLoc(score)
    if best < SAME_MARK:
        return None
    left, top = float(at[0] + x0), float(at[1] + y0)
    box = (left, top, left + glyph.shape[1], top + glyph.shape[0])
    return Spot(box, box, False)
