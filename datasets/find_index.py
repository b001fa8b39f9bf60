"""Finds the corner indices of drawn faces: cards of one deck share a layout, so each helps to place the others."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks import Spot, turn_spot
from scoring.cards import FACES, Card, Rank, Suit

Image = NDArray[np.uint8]
Box = NDArray[np.float64]  # x0, y0, x1, y1

CORNER = (0.36, 0.46)  # the part of a face that is searched, in widths and heights
INK = 60  # darker than the paper by this much in some channel
SAME = 0.8  # overlap of two glyphs drawn alike


def _boxes(face: Image) -> NDArray[np.float64]:
    """Boxes (N, 4) of the connected ink in the top left corner, without specks and what runs out of the corner."""
    height, width = round(face.shape[0] * CORNER[1]), round(face.shape[1] * CORNER[0])
    ink = _ink(face)[:height, :width]
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    boxes = np.concatenate([stats[1:, :2], stats[1:, :2] + stats[1:, 2:4]], 1).astype(np.float64)
    inside = (boxes[:, 0] > 0) & (boxes[:, 1] > 0) & (boxes[:, 2] < width) & (boxes[:, 3] < height)
    large = stats[1:, 3] > 0.018 * face.shape[0]
    return np.asarray(boxes[inside & large], np.float64)


def _ink(face: Image) -> NDArray[np.uint8]:
    corner = face[: face.shape[0] // 3, : face.shape[1] // 3].reshape(-1, 3)
    paper = np.median(corner, axis=0).astype(np.int16)
    return ((paper - face.astype(np.int16)).max(2) > INK).astype(np.uint8)


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

    A card whose own ink is unclear takes its rank's box from the other suits and its suit's box from the other ranks.
    """
    cards = [c for c in FACES if c.rank is not None]
    unit = float(next(iter(faces.values())).shape[0])
    found = {str(c): i for c in cards if c.rank and (i := _index(_boxes(faces[str(c)]), c.rank, unit)) is not None}
    if len(found) < len(cards) // 2:
        return None
    ranks = {r: _typical([found[str(c)][0] for c in cards if c.rank is r and str(c) in found]) for r in Rank}
    suits = {s: _typical([found[str(c)][1] for c in cards if c.suit is s and str(c) in found]) for s in Suit}
    if any(b is None for b in (*ranks.values(), *suits.values())):
        return None
    out: dict[str, tuple[Spot, ...]] = {}
    four = _has_four(faces, cards, ranks)
    for card in cards:
        assert card.rank is not None and card.suit is not None
        rank, suit = ranks[card.rank], suits[card.suit]
        assert rank is not None and suit is not None
        own = found.get(str(card))
        if own is not None and max(np.abs(own[0] - rank).max(), np.abs(own[1] - suit).max()) < 0.02 * unit:
            rank, suit = own
        out[str(card)] = corner_spots(_union(np.stack([rank, suit])), rank, faces[str(card)], four)
    return out


def _typical(boxes: list[Box]) -> Box | None:
    return np.median(np.stack(boxes), axis=0) if boxes else None


def _has_four(faces: Mapping[str, Image], cards: list[Card], ranks: Mapping[Rank, Box | None]) -> bool:
    """True when the top right corners show the same rank as the top left, as far from the edge."""
    same = []
    for card in cards:
        box = ranks[card.rank] if card.rank else None
        if box is None or (card.rank and card.rank.number > 10):
            continue
        ink = _ink(faces[str(card)])
        x0, y0, x1, y1 = (round(v) for v in box)
        left, right = ink[y0:y1, x0:x1], ink[y0:y1, ink.shape[1] - x1 - 6 : ink.shape[1] - x0 + 6]
        score = cv2.matchTemplate(right.astype(np.float32), left.astype(np.float32), cv2.TM_CCOEFF_NORMED)
        same.append(float(score.max()))
    return bool(same) and float(np.median(same)) > SAME


def corner_spots(box: Box, rank: Box, face: Image, four: bool) -> tuple[Spot, ...]:
    """The index at the top left, top right where there are four, and the same turned by 180°."""
    height, width = face.shape[:2]

    def moved(b: Box, right: bool) -> tuple[float, float, float, float]:
        shift = width - rank[0] - rank[2] if right else 0.0
        return (float(b[0] + shift), float(b[1]), float(b[2] + shift), float(b[3]))

    upright = [Spot(moved(box, right), moved(rank, right), False) for right in ((False, True) if four else (False,))]
    return (*upright, *(turn_spot(s, (width, height)) for s in upright))


def find_mark(face: Image) -> Box | None:
    """Box of the mark in a jolly's top left corner: the ink nearest the corner and what stands in a line below it."""
    height, width = face.shape[:2]
    boxes = _boxes(face)
    if len(boxes) == 0:
        return None
    first = boxes[np.argmin(boxes[:, 0] / width + boxes[:, 1] / height)]
    if first[0] > 0.13 * width or first[1] > 0.1 * height:
        return None
    mark = first
    for box in boxes[np.argsort(boxes[:, 1])]:
        middle = abs((box[0] + box[2]) - (mark[0] + mark[2])) / 2
        if mark[3] - 2 <= box[1] < mark[3] + 0.035 * height and middle < 0.03 * width and box[2] < 0.25 * width:
            mark = _union(np.stack([mark, box]))
    return mark


def mark_spots(face: Image) -> tuple[Spot, ...]:
    """Spots of a jolly's mark, in those corners where it is; none when its corner is empty."""
    mark = find_mark(face)
    if mark is None:
        return ()
    spots = corner_spots(mark, mark, face, four=True)
    upright = face
    kept = []
    for spot in spots:
        seen = upright[::-1, ::-1] if spot.turned else upright
        box = turn_spot(spot, (face.shape[1], face.shape[0])).box_xyxy if spot.turned else spot.box_xyxy
        if _overlap(seen, box, face, mark) > 0.6:
            kept.append(spot)
    return tuple(kept)


def _overlap(seen: Image, box: tuple[float, float, float, float], face: Image, mark: Box) -> float:
    """How well the ink in `box` matches the mark, 4 px of play."""
    x0, y0, x1, y1 = (round(v) for v in box)
    m0, m1, m2, m3 = (round(float(v)) for v in mark)
    want = _ink(face)[m1:m3, m0:m2].astype(np.float32)
    have = _ink(seen)[max(0, y0 - 4) : y1 + 4, max(0, x0 - 4) : x1 + 4].astype(np.float32)
    if have.shape[0] < want.shape[0] or have.shape[1] < want.shape[1]:
        return 0.0
    return float(cv2.matchTemplate(have, want, cv2.TM_CCOEFF_NORMED).max())
