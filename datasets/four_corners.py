"""A pack with indices at two corners printed with four, as most Italian packs have."""

from __future__ import annotations

from dataclasses import replace

from datasets.decks import Deck, halved, turn_spot
from datasets.spots import Spot
from datasets.style import Image

MARGIN_PX = 2


def four_corners(deck: Deck) -> Deck:
    """The deck with each index also at the card's other two corners; faces whose index is too wide stay as they are."""
    faces = deck.faces.copy()
    size_wh = (faces.shape[2], faces.shape[1])
    spots = tuple(_doubled(faces[i], face, size_wh) for i, face in enumerate(deck.spots))
    return replace(deck, faces=faces, small_faces=halved(faces), spots=spots)


def _doubled(face: Image, spots: tuple[Spot, ...], size_wh: tuple[int, int]) -> tuple[Spot, ...]:
    """Print the upright index of a face (H, W, 4) beside itself, both ways up; its spots with the new ones."""
    if len(spots) != 2:
        return spots
    upright = next(s for s in spots if not s.turned)
    width = size_wh[0]
    if upright.box_xyxy[2] + MARGIN_PX >= width / 2:
        return spots
    left, top, right, bottom = (round(v) for v in upright.box_xyxy)
    rows = slice(max(0, top - MARGIN_PX), bottom + MARGIN_PX)
    shift = width - right - left
    source = slice(max(0, left - MARGIN_PX), right + MARGIN_PX)
    target = slice(source.start + shift, source.stop + shift)
    for way in (face, face[::-1, ::-1]):
        way[rows, target, :3] = way[rows, source, :3].copy()
    beside = _moved(upright, shift)
    return (upright, beside, turn_spot(upright, size_wh), turn_spot(beside, size_wh))


def _moved(spot: Spot, shift: float) -> Spot:
    box, rank = spot.box_xyxy, spot.rank_xyxy
    return Spot(
        (box[0] + shift, box[1], box[2] + shift, box[3]), (rank[0] + shift, rank[1], rank[2] + shift, rank[3]), False
    )
