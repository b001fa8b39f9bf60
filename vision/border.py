"""Cards that the border of a photo cuts: part of them lies outside, and what lies further out nobody sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

CUT_FROM: Final = 0.15
"""Part of a card outside the photo from which it is cut: less may be the outline's own error."""
_STEPS: Final = 12


def cut_off(quad: Sequence[Sequence[float]], size_wh: tuple[int, int]) -> bool:
    """Tell whether the border of a photo of this size cuts the card with these four corners, all in its pixels."""
    return share_outside(quad, size_wh) >= CUT_FROM


def share_outside(quad: Sequence[Sequence[float]], size_wh: tuple[int, int]) -> float:
    """The part of a card, 0 to 1, that lies outside a photo of this size: of a grid of points over it."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    width, height = size_wh
    steps = [(step + 0.5) / _STEPS for step in range(_STEPS)]
    outside = 0
    for v in steps:
        left, right = (ax + v * (dx - ax), ay + v * (dy - ay)), (bx + v * (cx - bx), by + v * (cy - by))
        for u in steps:
            x, y = (a + u * (b - a) for a, b in zip(left, right, strict=True))
            outside += not (0 <= x < width and 0 <= y < height)
    return outside / _STEPS**2
