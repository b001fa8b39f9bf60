"""Renders a laid table through a camera, with a label for every index that can be read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Matrix, NoiseBank, homography, light, project, sensor
from datasets.decks import BACK, Deck, Spot
from datasets.fonts import Split
from datasets.paint import lay_over
from datasets.surroundings import draw_thing, lay_texture, table_top
from datasets.tables import Lay, fill_table, quads_mm

Image = NDArray[np.uint8]
Cover = NDArray[np.int16]

THING = -2
READABLE, GONE = 0.9, 0.3  # share of the rank glyph that shows: labelled from here up, harmless from here down
BACK_SHOWS = 0.6


@dataclass(frozen=True, slots=True)
class IndexLabel:
    """One readable index: face row, number in `Scene.lays`, box, the card's corners in the index's own frame (px)."""

    face: int
    lay: int
    box_xyxy: tuple[float, float, float, float]
    quad: NDArray[np.float64]
    suit_shows: bool


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture (H, W, 3) uint8 RGB, the cards on it and what of them can be read; all in pixels."""

    image: Image
    lays: tuple[Lay, ...]
    quads: NDArray[np.float64]
    indices: tuple[IndexLabel, ...]
    backs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Studio:
    """What many scenes share, made once: decks, table tops, noise."""

    decks: tuple[Deck, ...]
    tops: tuple[Image, ...]
    noise: NoiseBank
    split: Split

    @classmethod
    def make(cls, rng: np.random.Generator, decks: Sequence[Deck], split: Split, tops: int = 16) -> Studio:
        return cls(tuple(decks), tuple(table_top(rng) for _ in range(tops)), NoiseBank.make(rng), split)


def random_scene(rng: np.random.Generator, studio: Studio, size_px: int, index_px: tuple[float, float]) -> Scene:
    """A square training picture; the index height in its middle is log-uniform between the two bounds (px)."""
    decks = [studio.decks[rng.integers(len(studio.decks))]]
    if rng.random() < 0.1:
        decks.append(studio.decks[rng.integers(len(studio.decks))])
    wanted_px = float(np.exp(rng.uniform(*np.log(index_px))))
    px_per_mm = wanted_px / decks[0].index_height_mm
    half_mm = size_px / px_per_mm * rng.uniform(0.55, 0.8)
    area_cards = (2 * half_mm) ** 2 / (decks[0].width_mm * decks[0].height_mm)
    tries = int(np.clip(area_cards * rng.choice([0.15, 0.8, 1.6]), 3, 70))
    lays = fill_table(rng, decks, half_mm, tries)
    matrix = homography(rng, (size_px, size_px), px_per_mm)
    return render(rng, studio, decks, lays, matrix, (size_px, size_px))


def render(
    rng: np.random.Generator,
    studio: Studio,
    decks: Sequence[Deck],
    lays: Sequence[Lay],
    matrix: Matrix,
    size_wh: tuple[int, int],
    things: int | None = None,
) -> Scene:
    """Draw the cards in the order given (later ones on top) as the camera `matrix` (mm → px) sees them.

    Cards that would leave a rank half covered are left out; ranks that a thing half covers are covered whole.
    """
    lays, quads, spots, cover = _settle(lays, decks, matrix, size_wh)
    px_per_mm = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2]))))
    image = lay_texture(rng, studio.tops[rng.integers(len(studio.tops))], size_wh)
    count = int(rng.choice([0, 0, 1, 2, 4])) if things is None else things
    under = int(rng.integers(count + 1))
    for _ in range(under):
        draw_thing(rng, image, np.empty_like(cover), THING, px_per_mm, studio.split)
    for number, (lay, quad) in enumerate(zip(lays, quads, strict=True)):
        _draw_card(rng, image, cover, number, decks[lay.deck], lay.face, quad)
    for _ in range(count - under):
        draw_thing(rng, image, cover, THING, px_per_mm, studio.split)
    _cover_half_seen(rng, image, cover, spots, matrix)
    indices = _labels(lays, quads, spots, cover, matrix)
    index_px = float(np.median([i.box_xyxy[3] - i.box_xyxy[1] for i in indices])) if indices else 20.0
    image = sensor(rng, light(rng, image), index_px, studio.noise)
    return Scene(image, tuple(lays), quads, tuple(indices), _seen_backs(lays, cover, quads))


def _settle(
    lays: Sequence[Lay], decks: Sequence[Deck], matrix: Matrix, size_wh: tuple[int, int]
) -> tuple[list[Lay], NDArray[np.float64], Spots, Cover]:
    """Leave out cards outside the picture and those that show a rank only in part; say which card shows where."""
    quads = project(matrix, quads_mm(lays, decks))
    inside = np.all(np.any(quads > -2, axis=1) & np.any(quads < np.array(size_wh) + 2, axis=1), axis=1)
    kept, quads = list(compress(lays, inside)), quads[inside]
    spots = Spots.of(kept, decks)
    while True:
        cover = np.full((size_wh[1], size_wh[0]), -1, np.int16)
        for number, quad in enumerate(np.round(quads * 8).astype(np.int32)):
            cv2.fillConvexPoly(cover, quad, number, cv2.LINE_8, 3)
        share = spots.rank_shows(cover, matrix)
        half_seen = spots.lay[(share > GONE) & (share < READABLE)]
        if not len(half_seen):
            return kept, quads, spots, cover
        keep = np.ones(len(kept), bool)
        keep[half_seen] = False
        kept, quads, spots = list(compress(kept, keep)), quads[keep], spots.of_cards(keep)


GRID = np.stack(np.meshgrid(np.linspace(0.05, 0.95, 5), np.linspace(0.05, 0.95, 6)), -1).reshape(-1, 2)
ENDS = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


@dataclass(frozen=True, slots=True)
class Spots:
    """All corner indices of a table as arrays: card number, place (mm), rank, suit, whole box (share of the face)."""

    lay: NDArray[np.int64]
    origin_mm: Matrix
    axes_mm: Matrix
    rank: Matrix
    suit: Matrix
    box: Matrix
    turned: NDArray[np.bool_]
    has_suit: NDArray[np.bool_]

    @classmethod
    def of(cls, lays: Sequence[Lay], decks: Sequence[Deck]) -> Spots:
        on = [decks[c.deck].spots[c.face] if c.face < BACK else () for c in lays]
        rows = [s for spots in on for s in spots]
        lay = np.repeat(np.arange(len(lays)), [len(spots) for spots in on])
        quads = quads_mm(lays, decks)[lay]
        faces_wh = [decks[c.deck].faces.shape[2:0:-1] for c in lays]
        sizes = np.array(faces_wh, float).reshape(-1, 2)[lay][:, [0, 1, 0, 1]]
        return cls(
            lay,
            quads[:, 0],
            quads[:, [1, 3]] - quads[:, :1],
            np.array([s.rank_xyxy for s in rows]).reshape(-1, 4) / sizes,
            np.array([_suit_box(s) for s in rows]).reshape(-1, 4) / sizes,
            np.array([s.box_xyxy for s in rows]).reshape(-1, 4) / sizes,
            np.array([s.turned for s in rows], bool),
            np.array([s.box_xyxy != s.rank_xyxy for s in rows], bool),
        )

    def of_cards(self, keep: NDArray[np.bool_]) -> Spots:
        """The spots of the cards kept, numbered as those then are."""
        r, number = keep[self.lay], np.cumsum(keep) - 1
        places = (self.origin_mm[r], self.axes_mm[r], self.rank[r], self.suit[r], self.box[r])
        return Spots(number[self.lay[r]], *places, self.turned[r], self.has_suit[r])

    def points(self, boxes: Matrix, grid: Matrix, matrix: Matrix) -> Matrix:
        """Points of a grid over each box, as pixels of the picture: (N, len(grid), 2)."""
        share = boxes[:, None, :2] + grid * (boxes[:, None, 2:] - boxes[:, None, :2])
        return project(matrix, self.origin_mm[:, None] + share @ self.axes_mm)

    def shows(self, boxes: Matrix, cover: Cover, matrix: Matrix) -> NDArray[np.float64]:
        """Share of each box that lies in the picture with its own card on top."""
        xy = np.floor(self.points(boxes, GRID, matrix)).astype(np.int64)
        inside = (xy >= 0).all(2) & (xy[:, :, 0] < cover.shape[1]) & (xy[:, :, 1] < cover.shape[0])
        xy = xy.clip(0, [cover.shape[1] - 1, cover.shape[0] - 1])
        own = cover[xy[:, :, 1], xy[:, :, 0]] == self.lay[:, None]
        return np.asarray((own & inside).mean(1))

    def rank_shows(self, cover: Cover, matrix: Matrix) -> NDArray[np.float64]:
        return self.shows(self.rank, cover, matrix)


def _suit_box(spot: Spot) -> tuple[float, float, float, float]:
    """What of the index is not its rank."""
    box, rank = spot.box_xyxy, spot.rank_xyxy
    return (box[0], box[1], box[2], rank[1]) if spot.turned else (box[0], rank[3], box[2], box[3])


def _draw_card(
    rng: np.random.Generator,
    image: Image,
    cover: Cover,
    number: int,
    deck: Deck,
    face: int,
    quad: NDArray[np.float64],
) -> None:
    """Draw what `cover` leaves of a card: in columns and fans most of it lies under others."""
    shows = _box_of(cover, number, quad)
    if shows is None:
        return
    low, high = shows
    tall = max(math.dist(quad[3], quad[0]), math.dist(quad[2], quad[1]), 1.0)
    mips = (deck.faces, *deck.small_faces)
    level = min(max(math.floor(math.log2(deck.faces.shape[1] / tall)), 0), len(mips) - 1)
    source = mips[level][face]
    h, w = source.shape[:2]
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(corners, (quad - low - 0.5).astype(np.float32))
    drawn = cv2.warpPerspective(source, warp, (high[0] - low[0], high[1] - low[1]), flags=cv2.INTER_LINEAR)
    alpha = np.asarray(cv2.extractChannel(drawn, 3), np.uint8)
    paint = np.asarray(cv2.cvtColor(drawn, cv2.COLOR_RGBA2RGB), np.uint8)
    shadow = np.asarray(cv2.blur(alpha, (5, 5)), np.uint8)
    lay_over(image[low[1] : high[1], low[0] : high[0]], paint, alpha, shadow, rng.uniform(0.08, 0.43))


RIM_PX = 3  # an edge is mixed, and its shadow falls, so far beyond the card


def _box_of(cover: Cover, number: int, quad: NDArray[np.float64]) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Where a card shows, its rim included, as the low and the high corner; None where it does not."""
    height, width = cover.shape
    left, top = np.floor(quad.min(0)).clip(0, [width - 1, height - 1]).astype(int).tolist()
    right, bottom = np.ceil(quad.max(0) + 1).clip(1, [width, height]).astype(int).tolist()
    x, y, w, h = cv2.boundingRect(cv2.compare(cover[top:bottom, left:right], number, cv2.CMP_EQ))
    if not w:
        return None
    x, y = x + left, y + top
    return (max(0, x - RIM_PX), max(0, y - RIM_PX)), (min(width, x + w + RIM_PX), min(height, y + h + RIM_PX))


def _cover_half_seen(rng: np.random.Generator, image: Image, cover: Cover, spots: Spots, matrix: Matrix) -> None:
    """Hide under a disc each rank that a thing left half visible."""
    share = spots.rank_shows(cover, matrix)
    points = spots.points(spots.rank, ENDS, matrix)
    for corners in points[(share > GONE) & (share < READABLE)]:
        radius = max(2, round(float(np.ptp(corners, 0).max()) * 0.62))
        middle = tuple(int(v) for v in np.round(corners.mean(0)))
        cv2.circle(image, middle, radius, tuple(int(v) for v in rng.integers(0, 256, 3)), -1, cv2.LINE_AA)
        cv2.circle(cover, middle, radius, THING, -1)


def _labels(
    lays: Sequence[Lay], quads: NDArray[np.float64], spots: Spots, cover: Cover, matrix: Matrix
) -> list[IndexLabel]:
    limit = np.array([cover.shape[1], cover.shape[0]])
    shows = spots.rank_shows(cover, matrix)
    suits = spots.shows(spots.suit, cover, matrix)
    boxes = spots.points(spots.box, ENDS, matrix)
    labels = []
    for i in np.flatnonzero(shows >= READABLE):
        number = int(spots.lay[i])
        low, high = boxes[i].min(0).clip(0, limit), boxes[i].max(0).clip(0, limit)
        quad = np.roll(quads[number], 2, 0) if spots.turned[i] else quads[number]
        xyxy = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        labels.append(IndexLabel(lays[number].face, number, xyxy, quad, bool(not spots.has_suit[i] or suits[i] > 0.6)))
    return labels


def _seen_backs(lays: Sequence[Lay], cover: Cover, quads: NDArray[np.float64]) -> tuple[int, ...]:
    """Numbers of the face-down cards that show enough of their back to be labelled."""
    seen = []
    u, v = GRID[:, :1], GRID[:, 1:]
    for number, lay in enumerate(lays):
        if lay.face >= BACK:
            q = quads[number]
            points = (1 - u) * (1 - v) * q[0] + u * (1 - v) * q[1] + u * v * q[2] + (1 - u) * v * q[3]
            xy = np.floor(points).astype(np.int64)
            xy = xy[(xy >= 0).all(1) & (xy[:, 0] < cover.shape[1]) & (xy[:, 1] < cover.shape[0])]
            if (cover[xy[:, 1], xy[:, 0]] == number).sum() >= BACK_SHOWS * len(GRID):
                seen.append(number)
    return tuple(seen)
