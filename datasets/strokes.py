"""Rank glyphs drawn stroke by stroke, as card makers draw them and type founders do not: flat 3s, slab J, A and K."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]
Curve = NDArray[np.float64]

TALL = 150  # pixels of a glyph's height as drawn
EDGE = 60


@dataclass(frozen=True, slots=True)
class Hand:
    """How a maker draws: lengths in units of the glyph's height."""

    width: float
    stroke: float
    serif: float  # half the length of a foot's slab, 0 for none
    square: float  # exponent of the bowls: 2 an ellipse, above it a rounded box
    contrast: float  # how much thinner upright strokes are than level ones
    three_flat: bool
    four_open: bool
    six_straight: bool
    seven_curved: bool
    seven_tick: bool
    one_foot: bool
    one_flag: float
    jack_bar: int  # 0 none, 1 to the left, 2 to both sides
    jack_hook: float
    queen_tail: int
    open_end: float  # where the bowls of 2, 3 and 5 stop, radians from level

    @classmethod
    def random(cls, rng: np.random.Generator) -> Hand:
        slab = rng.random() < 0.6
        bold = rng.random() < 0.35
        return cls(
            width=rng.uniform(0.36, 0.68),
            stroke=rng.uniform(0.14, 0.21) if bold else rng.uniform(0.055, 0.14),
            serif=rng.uniform(0.07, 0.16) if slab else 0.0,
            square=rng.choice([2.0, rng.uniform(2.0, 3.2)]),
            contrast=rng.choice([1.0, rng.uniform(0.75, 1.4)]),
            three_flat=bool(rng.random() < 0.55),
            four_open=bool(rng.random() < 0.15),
            six_straight=bool(rng.random() < 0.3),
            seven_curved=bool(rng.random() < 0.4),
            seven_tick=bool(rng.random() < (0.5 if slab else 0.1)),
            one_foot=bool(rng.random() < (0.6 if slab else 0.15)),
            one_flag=rng.choice([0.0, rng.uniform(0.05, 0.25)], p=[0.25, 0.75]),
            jack_bar=int(rng.choice([1, 2, 2])) if slab else int(rng.choice([0, 0, 1])),
            jack_hook=rng.uniform(2.3, 3.4),
            queen_tail=int(rng.integers(3)),
            open_end=rng.uniform(0.1, 0.7),
        )


def _arc(hand: Hand, centre: tuple[float, float], radii: tuple[float, float], start: float, end: float) -> Curve:
    """An arc of a bowl; angles in radians from the right, clockwise as seen."""
    t = np.linspace(start, end, 24)
    c, s = np.cos(t), np.sin(t)
    power = 2 / hand.square
    return np.stack([centre[0] + radii[0] * np.sign(c) * np.abs(c) ** power,
                     centre[1] + radii[1] * np.sign(s) * np.abs(s) ** power], 1)  # fmt: skip


def _line(*points: tuple[float, float]) -> Curve:
    return np.array(points, float)


def _slab(hand: Hand, x: float, top: bool, left: float = 1.0, right: float = 1.0) -> list[Curve]:
    """The foot (or head) of an upright stroke."""
    if not hand.serif:
        return []
    y = hand.stroke * 0.4 if top else 1 - hand.stroke * 0.4
    return [_line((x - hand.serif * left, y), (x + hand.serif * right, y))]


def _three(hand: Hand, w: float, t: float, b: float) -> list[Curve]:
    if hand.three_flat:
        middle = 0.36
        bowl = _arc(hand, (w * 0.46, (middle + b) / 2), (w * 0.54, (b - middle) / 2), -1.75, np.pi - hand.open_end)
        head = _line((w * 0.04, t), (w * 0.94, t), (float(bowl[0, 0]), float(bowl[0, 1])))
        tick = [_line((w * 0.04, t), (w * 0.04, t + 0.1))] if hand.seven_tick else []
        return [np.concatenate([head, bowl]), *tick]
    waist = 0.47
    upper = _arc(hand, (w / 2, (t + waist) / 2), (w * 0.45, (waist - t) / 2), -np.pi + hand.open_end * 0.6, np.pi / 2)
    lower = _arc(hand, (w / 2, (waist + b) / 2), (w * 0.5, (b - waist) / 2), -np.pi / 2, np.pi - hand.open_end)
    return [np.concatenate([upper, lower])]


def _six(hand: Hand, w: float, t: float, b: float) -> list[Curve]:
    ry = 0.3
    cy = b - ry
    bowl = _arc(hand, (w / 2, cy), (w / 2, ry), 0, 2 * np.pi)
    if hand.six_straight:
        return [bowl, _line((0.04 * w, cy - 0.1), (w * 0.72, 0))]
    neck = _arc(
        hand, (w * 0.52, (t + cy) / 2 + 0.06), (w * 0.52, (cy - t) / 2 + 0.06), -0.4 - 2.5 * hand.stroke, -np.pi
    )
    return [bowl, np.concatenate([neck, _line((0, cy))])]


def _jack(hand: Hand, w: float, b: float) -> list[Curve]:
    x = w * (0.72 if hand.jack_bar == 2 else 0.9)
    ry = 0.26
    hook = _arc(hand, (x * 0.5, b - ry), (x * 0.5, ry), 0, hand.jack_hook)
    bars = {0: [], 1: _slab(hand, x, True, right=0), 2: _slab(hand, x, True)}[hand.jack_bar]
    return [np.concatenate([_line((x, 0)), hook]), *bars]


def _seven(hand: Hand, w: float, t: float) -> list[Curve]:
    s = np.linspace(0, 1, 12)[:, None]
    bend = np.array([w * (0.45 if hand.seven_curved else 0.66), 0.42])
    stem = (1 - s) ** 2 * [w, t] + 2 * s * (1 - s) * bend + s**2 * [w * 0.32, 1.0]
    tick = [_line((0, t), (0, t + 0.12))] if hand.seven_tick else []
    return [np.concatenate([_line((0, t)), stem]), *tick]


def _queen(hand: Hand, w: float, t: float, b: float) -> list[Curve]:
    oval = _arc(hand, (w / 2, 0.5), (w / 2, (b - t) / 2), 0, 2 * np.pi)
    tails = (
        _line((w * 0.55, 0.7), (w * 1.02, 1.0)),
        _line((w * 0.3, 0.78), (w * 0.5, 0.76), (w * 0.75, 0.92), (w * 1.05, 0.95)),
        _line((w * 0.5, 0.9), (w * 0.95, 1.0)),
    )
    return [oval, tails[hand.queen_tail]]


def _curves(glyph: str, hand: Hand) -> list[Curve]:
    """Middle lines of the strokes; uprights reach 0 and 1 and are cut there, level strokes lie inside."""
    w, t, b = hand.width, hand.stroke / 2, 1 - hand.stroke / 2
    if glyph == "A":
        legs = [_line((0, 1), (w / 2, 0), (w, 1)), _line((w * 0.18, 0.66), (w * 0.82, 0.66))]
        return legs + _slab(hand, 0, False) + _slab(hand, w, False)
    if glyph == "2":
        head = _arc(hand, (w / 2, 0.29), (w / 2, 0.29 - t), -np.pi + hand.open_end * 0.4, 0.45)
        return [np.concatenate([head, _line((0.02 * w, b), (w, b))])]
    if glyph == "3":
        return _three(hand, w, t, b)
    if glyph == "4":
        bar = _line((0, 0.7), (w * 1.08, 0.7))
        slope = _line((w * 0.45, 0), (0, 0.7)) if hand.four_open else _line((w * 0.75, 0), (0, 0.7))
        stem = _line((w * 0.75, 0.35 if hand.four_open else 0), (w * 0.75, 1))
        return [slope, bar, stem, *_slab(hand, w * 0.75, False)]
    if glyph == "5":
        bowl = _arc(hand, (w * 0.48, 0.66), (w * 0.52, b - 0.66), -np.pi + 0.6, np.pi - hand.open_end)
        return [np.concatenate([_line((w * 0.92, t), (w * 0.1, t), (w * 0.06, 0.5)), bowl])]
    if glyph in ("6", "9"):
        six = _six(hand, w, t, b)
        return six if glyph == "6" else [np.array([w, 1]) - c for c in six]
    if glyph == "7":
        return _seven(hand, w, t)
    if glyph == "8":
        waist = 0.46
        upper = _arc(hand, (w / 2, (t + waist) / 2), (w * 0.43, (waist - t) / 2), 0, 2 * np.pi)
        return [upper, _arc(hand, (w / 2, (waist + b) / 2), (w / 2, (b - waist) / 2), 0, 2 * np.pi)]
    if glyph == "1":
        flag = [_line((0, 0), (-hand.one_flag, hand.one_flag * 0.8))] if hand.one_flag else []
        return [_line((0, 0), (0, 1)), *flag, *(_slab(hand, 0, False) if hand.one_foot else [])]
    if glyph == "0":
        return [_arc(hand, (w * 0.45, 0.5), (w * 0.45, (b - t) / 2), 0, 2 * np.pi)]
    if glyph == "J":
        return _jack(hand, w, b)
    if glyph == "Q":
        return _queen(hand, w, t, b)
    if glyph == "K":
        arms = [_line((0, 0), (0, 1)), _line((w, 0), (0, 0.62)), _line((w * 0.3, 0.44), (w, 1))]
        ends = [_slab(hand, x, top) for x in (0.0, w) for top in (True, False)]
        return arms + [c for end in ends for c in end]
    raise ValueError(f"no strokes for {glyph!r}")


def stroke_glyph(glyph: str, hand: Hand) -> Mask:
    """One of `A 2…9 1 0 J Q K` drawn by a hand, cut to its ink: (h, w) uint8 coverage."""
    canvas = np.zeros((TALL + 2 * EDGE, round(TALL * 1.4) + 2 * EDGE), np.uint8)
    thick = max(2, round(hand.stroke * TALL))
    for curve in _curves(glyph, hand):
        points = np.round((curve * TALL + EDGE) * 16).astype(np.int32)
        cv2.polylines(canvas, [points], False, 255, thick, cv2.LINE_AA, 4)
    canvas = canvas[EDGE : EDGE + TALL]  # cuts the round ends of uprights level
    if hand.contrast != 1.0:
        canvas = np.asarray(cv2.resize(canvas, (round(canvas.shape[1] * hand.contrast), TALL)), np.uint8)
    ys, xs = np.nonzero(canvas > 32)
    return canvas[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
