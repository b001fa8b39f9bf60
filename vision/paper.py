"""Whether a card's paper goes on at a place of the picture: beyond a row of cards lies a whole card, or the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.cards import SeenCard

    Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PaperTuning:
    """Where is looked, in shares of the way between two indices (`between`), of a card's width beyond the strip that
    shows (`beyond`) and of its height (`along`); and how far a colour may lie from the paper's: so many times the
    spread of the paper, at least so many grey levels."""

    between: tuple[float, float] = (0.3, 0.7)
    beyond: tuple[float, float] = (0.35, 0.85)
    along: tuple[float, float] = (-0.3, 0.3)
    spreads: float = 3.0
    least: float = 24.0


def paper_beyond(image_rgb: NDArray[np.uint8], row: Sequence[SeenCard], end: SeenCard, tuning: PaperTuning) -> float:
    """Share (0..1) of the places over the hidden part of `end` that look like the paper of its row, 0 off the picture.

    Each card of the row shows the two indices of one long edge; between them lies paper.
    """
    at = np.linspace(*tuning.between, 9)[:, None]
    strip = np.concatenate([(1 - at) * card.places_xy[0] + at * card.places_xy[1] for card in row])
    outline, middle = end.outline, np.mean(end.places_xy, axis=0)
    way = outline.u * np.sign((outline.centre - middle) @ outline.u)
    over = [
        middle + x * way + y * outline.v for x in np.linspace(*tuning.beyond, 8) for y in np.linspace(*tuning.along, 7)
    ]
    paper, there = _colours(image_rgb, strip), _colours(image_rgb, np.array(over))
    if not len(paper):
        return 0.0
    usual = np.median(paper, axis=0)
    allowed = max(tuning.least, tuning.spreads * float(np.median(np.abs(paper - usual).max(axis=1))))
    return float((np.abs(there - usual).max(axis=1) < allowed).sum()) / len(over)


def _colours(image_rgb: NDArray[np.uint8], places_xy: Doubles) -> Doubles:
    """The colours (N, 3) at those of the places (M, 2) that lie in the picture."""
    x, y = np.round(places_xy).astype(np.int64).T
    inside = (x >= 0) & (y >= 0) & (x < image_rgb.shape[1]) & (y < image_rgb.shape[0])
    return np.asarray(image_rgb[y[inside], x[inside]].astype(np.float64))
