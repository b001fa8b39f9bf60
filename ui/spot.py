"""Where a card lies on its photo: its place in the meld, its outline, and whether the border cuts it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import dist

from scoring.store.state import DraftCard, PhotoRef, Point
from vision.border import cut_off

Quad = tuple[Point, ...]


def spot(cards: Sequence[DraftCard], photo: str, xy: Point) -> tuple[int | None, Quad | None]:
    """The place before which the card is laid (None: the end) and its corners, both from its neighbours on the photo.

    The place is the one that makes the line through the cards' centres least longer; the outline is the nearest
    card's, moved. `xy` and the corners are pixels of the photo.
    """
    shown = [(at, card.quad) for at, card in enumerate(cards) if card.quad is not None and card.photo == photo]
    if not shown:
        return None, None
    centres = [centre(quad) for _, quad in shown]
    nearest = min(range(len(shown)), key=lambda i: dist(centres[i], xy))
    (x, y), quad = centres[nearest], shown[nearest][1]
    moved = tuple((px - x + xy[0], py - y + xy[1]) for px, py in quad)
    ends = [dist(centres[0], xy), dist(centres[-1], xy)]
    between = [dist(a, xy) + dist(xy, b) - dist(a, b) for a, b in pairwise(centres)]
    detours = [ends[0], *between, ends[1]]
    best = min(range(len(detours)), key=detours.__getitem__)
    return (None if best == len(shown) else shown[best][0]), moved


def is_cut(card: DraftCard, photos: Sequence[PhotoRef]) -> bool:
    """Tell whether the border of its photo cuts a card."""
    size_wh = next((photo.size_wh for photo in photos if photo.sha256 == card.photo), None)
    return card.quad is not None and size_wh is not None and cut_off(card.quad, size_wh)


def centre(quad: Quad) -> Point:
    """The middle of a card's corners."""
    return sum(x for x, _ in quad) / len(quad), sum(y for _, y in quad) / len(quad)
