"""Indices left apart at free corners of a card of their own name belong to it.

On a photo of few cards nothing tells that the pack has four indices, and a card's other two then stay apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from vision.cards import SeenCard, Slot, together

if TYPE_CHECKING:
    from collections.abc import Sequence

SIGNS = {
    Slot.TOP_LEFT: (-1.0, -1.0),
    Slot.TOP_RIGHT: (1.0, -1.0),
    Slot.BOTTOM_RIGHT: (1.0, 1.0),
    Slot.BOTTOM_LEFT: (-1.0, 1.0),
}
TOP = (Slot.TOP_LEFT, Slot.TOP_RIGHT)
BOTTOM = (Slot.BOTTOM_RIGHT, Slot.BOTTOM_LEFT)
DIAGONALS = ({Slot.TOP_LEFT, Slot.BOTTOM_RIGHT}, {Slot.TOP_RIGHT, Slot.BOTTOM_LEFT})


@dataclass(frozen=True, slots=True)
class CornersTuning:
    """How far from its corner an index may lie (card widths and heights), and how askew to the card (degrees)."""

    off: float = 0.12
    askew_deg: float = 35.0


def with_free_corners(cards: Sequence[SeenCard], tuning: CornersTuning | None = None) -> list[SeenCard]:
    """The cards, each of two or more indices joined by those of its name that lie at its free corners.

    Two indices of one edge stay apart: a neighbour of the same name, laid that far on, shows just these.
    """
    tuning = tuning or CornersTuning()
    out: list[SeenCard | None] = list(cards)
    for at in range(len(out)):
        for other_at in range(len(out)):
            card, other = out[at], out[other_at]
            if at == other_at or card is None or other is None or other.best != card.best:
                continue
            apart = len(card.indices) < 2 or (len(other.indices) > 1 and set(other.slots) not in DIAGONALS)
            slots = None if apart else _free_corners(card, other, tuning)
            if slots is not None:
                out[at], out[other_at] = _joined(card, other, slots), None
    return [card for card in out if card is not None]


def _free_corners(card: SeenCard, other: SeenCard, tuning: CornersTuning) -> tuple[Slot, ...] | None:
    """The corners without an index at which all indices of another card lie, turned as indices there are; or None."""
    outline = card.outline
    own, places = np.abs(outline.shares(card.places_xy)).mean(axis=0), outline.shares(other.places_xy)
    v, its_v = outline.v, other.outline.v
    cosine = float(its_v @ v) / max(float(np.linalg.norm(its_v) * np.linalg.norm(v)), 1e-6)
    if abs(cosine) < np.cos(np.radians(tuning.askew_deg)):
        return None
    taken = list(card.slots)
    for slot, place in zip(other.slots, places, strict=True):
        upright = (slot in TOP) == (cosine > 0)
        near = [s for s in (TOP if upright else BOTTOM) if np.abs(place - own * SIGNS[s]).max() < tuning.off]
        if not near or near[0] in taken:
            return None
        taken.append(near[0])
    return tuple(taken[len(card.slots) :])


def _joined(card: SeenCard, other: SeenCard, slots: tuple[Slot, ...]) -> SeenCard:
    log_probs = together(np.stack([card.log_probs, other.log_probs]).astype(np.float64))
    return replace(
        card,
        log_probs=log_probs.astype(np.float32),
        indices=(*card.indices, *other.indices),
        score=max(card.score, other.score),
        slots=(*card.slots, *slots),
        places_xy=(*card.places_xy, *other.places_xy),
    )
