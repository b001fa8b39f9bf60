"""Which way a half-covered card lies in packs with four indices: towards the cards that cover it.

Of a card in a row only one edge shows, with two indices that look the same on a left and on a right edge. What is
missing must lie under another card, or it would be seen; so each row is laid towards the whole card at its end: where
the picture shows its paper go on beyond the row, or else where its indices were read.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from vision.cards import SeenCard, Slot
from vision.outline import local_shares
from vision.paper import PaperTuning, paper_beyond

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.outline import Outline

    Doubles = NDArray[np.float64]

WHOLE = 3  # indices from which a card's place is sure
LEFT_EDGE = {Slot.TOP_LEFT, Slot.BOTTOM_LEFT}
RIGHT_EDGE = {Slot.TOP_RIGHT, Slot.BOTTOM_RIGHT}
ACROSS = {
    Slot.TOP_LEFT: Slot.TOP_RIGHT,
    Slot.TOP_RIGHT: Slot.TOP_LEFT,
    Slot.BOTTOM_RIGHT: Slot.BOTTOM_LEFT,
    Slot.BOTTOM_LEFT: Slot.BOTTOM_RIGHT,
}


@dataclass(frozen=True, slots=True)
class CoveredTuning:
    """Lengths in card widths along the row and heights across it: how far apart neighbours of a row lie at most, how
    askew, and how wide a strip of a covered card may show; and how much more paper one end of a row must show than the
    other for that to tell."""

    reach: float = 1.0
    aside: float = 0.3
    askew_deg: float = 20.0
    widest_strip: float = 0.8
    more_paper: float = 0.15
    paper: PaperTuning = field(default_factory=PaperTuning)


def towards_cover(
    cards: Sequence[SeenCard], image_rgb: NDArray[np.uint8] | None = None, tuning: CoveredTuning | None = None
) -> list[SeenCard]:
    """The cards of a four-index pack, the rows of those of which one long edge shows all laid to the side where the
    whole card lies that ends them; as they were read where neither picture nor indices tell."""
    tuning = tuning or CoveredTuning()
    placed = list(cards)
    sure = [card.outline for card in cards if not _one_edge_shows(card)]
    for row in _rows(cards, tuning):
        first = cards[row[0]].outline
        middles = first.shares(np.array([np.mean(cards[i].places_xy, axis=0) for i in row]))[:, 0]
        ways = [_laid([cards[i] for i in row], first.u * sign) for sign in (-1.0, 1.0)]
        ends = [way[at] for way, at in zip(ways, (middles.argmin(), middles.argmax()), strict=True)]
        side = None if image_rgb is None else _by_paper(image_rgb, ways, ends, tuning)
        if side is None:
            side = _by_indices(ends, float(np.median(np.diff(np.sort(middles)))) if len(row) > 1 else 0.0, sure, tuning)
        if side is not None:
            for i, card in zip(row, ways[side], strict=True):
                placed[i] = card
    return placed


def _by_paper(
    image_rgb: NDArray[np.uint8], ways: list[list[SeenCard]], ends: list[SeenCard], tuning: CoveredTuning
) -> int | None:
    """Of the two ways to lay a row the one at whose end the picture shows clearly more paper."""
    shares = [paper_beyond(image_rgb, way, end, tuning.paper) for way, end in zip(ways, ends, strict=True)]
    return int(np.argmax(shares)) if abs(shares[0] - shares[1]) > tuning.more_paper else None


def _by_indices(ends: list[SeenCard], pitch: float, sure: Sequence[Outline], tuning: CoveredTuning) -> int | None:
    """Of the two ways to lay a row the one at whose end a card that was read covers it, a strip showing like others."""
    strips = [_strip(end, sure, tuning) for end in ends]
    misfits = [np.inf if strip is None else abs(strip - pitch) for strip in strips]
    return int(np.argmin(misfits)) if misfits[0] != misfits[1] else None


def _one_edge_shows(card: SeenCard) -> bool:
    """Whether a card's indices are the two of one long edge."""
    return len(card.indices) < WHOLE and set(card.slots) in (LEFT_EDGE, RIGHT_EDGE)


def _rows(cards: Sequence[SeenCard], tuning: CoveredTuning) -> list[list[int]]:
    """Cards of which one edge shows, those in line and near each other together."""
    rows: list[list[int]] = []
    for i in (i for i, card in enumerate(cards) if _one_edge_shows(card)):
        near = [row for row in rows if any(_in_line(cards[i], cards[j], tuning) for j in row)]
        rows = [row for row in rows if row not in near] + [[i, *(j for row in near for j in row)]]
    return rows


def _in_line(one: SeenCard, other: SeenCard, tuning: CoveredTuning) -> bool:
    own, its = one.outline, other.outline
    cosine = abs(float(own.u @ its.u)) / max(float(np.linalg.norm(own.u) * np.linalg.norm(its.u)), 1e-6)
    between = np.mean(other.places_xy, axis=0) - np.mean(one.places_xy, axis=0)
    across, along = np.abs(local_shares(between, own.u, own.v))
    return bool(across < tuning.reach and along < tuning.aside and cosine > np.cos(np.radians(tuning.askew_deg)))


def _laid(row: Sequence[SeenCard], way: Doubles) -> list[SeenCard]:
    """The cards of a row, each lying from its indices towards `way`."""
    out = []
    for card in row:
        inward = card.outline.centre - np.mean(card.places_xy, axis=0)
        out.append(card if float(inward @ way) > 0 else _mirrored(card))
    return out


def _mirrored(card: SeenCard) -> SeenCard:
    """The card with the same indices on its other long edge."""
    outline = card.outline
    across = float(outline.shares(card.places_xy)[:, 0].mean())
    shift = (2 * across * outline.u).astype(np.float32)
    return replace(card, quad=card.quad + shift, slots=tuple(ACROSS[slot] for slot in card.slots))


def _strip(card: SeenCard, sure: Sequence[Outline], tuning: CoveredTuning) -> float | None:
    """How wide a strip of the card shows, in its widths, if a sure card covers both missing indices; else None."""
    own, places = card.outline, np.array(card.places_xy)
    across = own.shares(places)[:, :1]
    missing = places - 2 * across * own.u
    strips = []
    for other in sure:
        if (np.abs(other.shares(missing)) < 0.5).all():
            edge = float((own.shares(other.corners)[:, 0] * -np.sign(across.mean())).min())
            if 0 < edge + 0.5 < tuning.widest_strip:
                strips.append(edge + 0.5)
    return min(strips, default=None)
