"""Where the corner indices of a deck and of a laid table are, and how much of them shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Boxes = NDArray[np.float64]
Cells = NDArray[np.int64]
Cover = NDArray[np.int16]
Box = tuple[float, float, float, float]

GRID = np.stack(np.meshgrid(np.linspace(0.05, 0.95, 5), np.linspace(0.05, 0.95, 6)), -1).reshape(-1, 2)
ENDS = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


@dataclass(frozen=True, slots=True)
class Spot:
    """One corner index of a face: `box_xyxy` round rank and suit, `rank_xyxy` round the rank, in face pixels.

    `turned` says that the index reads upright only when the card is turned by 180°.
    """

    box_xyxy: Box
    rank_xyxy: Box
    turned: bool


def _suit_box(spot: Spot) -> Box:
    """What of the index is not its rank."""
    box, rank = spot.box_xyxy, spot.rank_xyxy
    return (box[0], box[1], box[2], rank[1]) if spot.turned else (box[0], rank[3], box[2], box[3])


@dataclass(frozen=True, slots=True)
class SpotTable:
    """The spots of a deck as arrays, boxes as shares of the face; `count`, `first` (faces + backs,) find a face's."""

    count: Cells
    first: Cells
    rank: Boxes
    suit: Boxes
    box: Boxes
    turned: NDArray[np.bool_]
    has_suit: NDArray[np.bool_]

    @classmethod
    def of(cls, spots: Sequence[Sequence[Spot]], faces: int, size_wh: tuple[int, int]) -> SpotTable:
        """The table of a deck of so many faces, backs included, each `size_wh` pixels large."""
        rows = [s for face in spots for s in face]
        count = np.array([len(face) for face in spots] + [0] * (faces - len(spots)))
        size = np.array([*size_wh, *size_wh], float)
        return cls(
            count,
            np.cumsum(count) - count,
            np.array([s.rank_xyxy for s in rows]).reshape(-1, 4) / size,
            np.array([_suit_box(s) for s in rows]).reshape(-1, 4) / size,
            np.array([s.box_xyxy for s in rows]).reshape(-1, 4) / size,
            np.array([s.turned for s in rows], bool),
            np.array([s.box_xyxy != s.rank_xyxy for s in rows], bool),
        )


@dataclass(frozen=True, slots=True)
class Spots:
    """All corner indices of a table as arrays: number of the card, its frame, rank, suit and whole box on the face.

    A frame (3, 3) takes (x, y, 1) on the face, in shares of it, to homogeneous pixels of the picture. `rank_at` (N, 30)
    holds cells of the flat cover that a grid over the rank meets, -1 beyond the picture.
    """

    lay: Cells
    frame: Boxes
    rank: Boxes
    suit: Boxes
    box: Boxes
    turned: NDArray[np.bool_]
    has_suit: NDArray[np.bool_]
    rank_at: Cells

    @classmethod
    def of(
        cls,
        faces: Sequence[tuple[int, int]],
        tables: Sequence[SpotTable],
        quads_mm: Boxes,
        matrix: Boxes,
        size_wh: tuple[int, int],
    ) -> Spots:
        """The spots of cards, given as (deck, face) with corners (N, 4, 2) mm, seen through `matrix` (mm → px)."""
        deck, face = np.array(faces, int).reshape(-1, 2).T
        which = np.cumsum([0, *(len(t.count) for t in tables[:-1])])[deck] + face  # decks differ in their faces
        starts = np.cumsum([0, *(len(t.turned) for t in tables[:-1])])
        count = np.concatenate([t.count for t in tables])[which]
        first = np.concatenate([t.first + start for t, start in zip(tables, starts, strict=True)])[which]
        lay = np.repeat(np.arange(len(count)), count)
        row = np.arange(len(lay)) + np.repeat(first - (np.cumsum(count) - count), count)

        def of_all(arrays: list[NDArray[Any]]) -> NDArray[Any]:
            return np.asarray(np.concatenate(arrays)[row])

        frame = _frames(quads_mm, matrix)[lay]
        rank = of_all([t.rank for t in tables])
        return cls(
            lay,
            frame,
            rank,
            of_all([t.suit for t in tables]),
            of_all([t.box for t in tables]),
            of_all([t.turned for t in tables]),
            of_all([t.has_suit for t in tables]),
            _cells(_points(frame, rank, GRID), size_wh),
        )

    def of_cards(self, keep: NDArray[np.bool_]) -> Spots:
        """The spots of the cards kept, numbered as those then are."""
        r, number = keep[self.lay], np.cumsum(keep) - 1
        boxes = (self.frame[r], self.rank[r], self.suit[r], self.box[r])
        return Spots(number[self.lay[r]], *boxes, self.turned[r], self.has_suit[r], self.rank_at[r])

    def ranks_show(self, cover: Cover) -> NDArray[np.float64]:
        """Share of each rank that lies in the picture with its own card on top."""
        return self._shows(self.rank_at, cover)

    def suits_show(self, cover: Cover) -> NDArray[np.float64]:
        """The same of the suits."""
        return self._shows(_cells(_points(self.frame, self.suit, GRID), (cover.shape[1], cover.shape[0])), cover)

    def _shows(self, at: Cells, cover: Cover) -> NDArray[np.float64]:
        own = (cover.ravel()[at] == self.lay[:, None]) & (at >= 0)
        return np.asarray(np.count_nonzero(own, 1) / len(GRID))

    def rank_corners(self) -> Boxes:
        """Corners of the ranks in pixels: (N, 4, 2)."""
        return _points(self.frame, self.rank, ENDS).transpose(0, 2, 1)

    def box_bounds(self) -> tuple[Boxes, Boxes]:
        """Least and greatest x and y of the whole indices in pixels: two of (N, 2)."""
        corners = _points(self.frame, self.box, ENDS)
        return corners.min(2), corners.max(2)


def _frames(quads_mm: Boxes, matrix: Boxes) -> Boxes:
    """Homogeneous pixels of each card's left edge direction, top edge direction and top-left corner: (N, 3, 3)."""
    frames = np.empty((len(quads_mm), 3, 3))
    frames[:, :, 0] = (quads_mm[:, 1] - quads_mm[:, 0]) @ matrix[:, :2].T
    frames[:, :, 1] = (quads_mm[:, 3] - quads_mm[:, 0]) @ matrix[:, :2].T
    frames[:, :, 2] = quads_mm[:, 0] @ matrix[:, :2].T + matrix[:, 2]
    return frames


def _points(frame: Boxes, boxes: Boxes, grid: Boxes) -> Boxes:
    """Points of a grid over each box in pixels: (N, 2, len(grid)), by one product of matrices."""
    across, down, start = frame[:, :, 0], frame[:, :, 1], frame[:, :, 2]
    parts = np.empty_like(frame)
    parts[:, :, 0] = across * (boxes[:, 2] - boxes[:, 0])[:, None]
    parts[:, :, 1] = down * (boxes[:, 3] - boxes[:, 1])[:, None]
    parts[:, :, 2] = start + across * boxes[:, :1] + down * boxes[:, 1:2]
    places = np.vstack([grid.T, np.ones(len(grid))])
    points = (parts.reshape(-1, 3) @ places).reshape(-1, 3, len(grid))
    return np.asarray(points[:, :2] / points[:, 2:])


def _cells(points: Boxes, size_wh: tuple[int, int]) -> Cells:
    """Cells of the flat cover that the points lie in, -1 beyond the picture."""
    x, y = np.floor(points[:, 0]), np.floor(points[:, 1])
    inside = (x >= 0) & (y >= 0) & (x < size_wh[0]) & (y < size_wh[1])
    return np.where(inside, y * size_wh[0] + x, -1).astype(np.int64)
