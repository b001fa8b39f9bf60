"""Renders a laid table through a camera, with a label for every index that can be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import compress

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import AS_IT_COMES, Conditions, Matrix, NoiseBank, homography, light, project, sensor
from datasets.decks import Deck
from datasets.fonts import Split
from datasets.paint import lay_over
from datasets.spots import GRID, Cover, Spots
from datasets.surroundings import draw_thing, lay_texture, table_top
from datasets.tables import JOLLY, Lay, fill_table, quads_mm

Image = NDArray[np.uint8]

THING = -2
READABLE, GONE = 0.9, 0.3  # share of the rank glyph that shows: labelled from here up, harmless from here down
BACK_SHOWS = 0.6
EXTRA_JOLLIES = {"train": 0.1, "val": 0.0}
"""Share of cards that become a jolly more: of all faces their marks are the least alike and the worst learnt."""


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
    jpeg: NDArray[np.uint8] | None = None
    """The bytes of the file that `image` was read from, where the camera packed it."""


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
    tries = int(np.clip(area_cards * rng.choice([0.15, 0.76, 1.5]), 3, 66))
    lays = [_some_jolly(rng, decks, lay) for lay in fill_table(rng, decks, half_mm, tries)]
    matrix = homography(rng, (size_px, size_px), px_per_mm)
    return render(rng, studio, decks, lays, matrix, (size_px, size_px))


def _some_jolly(rng: np.random.Generator, decks: Sequence[Deck], lay: Lay) -> Lay:
    """A jolly's card becomes any of those that its deck has; in training so do some others."""
    more = EXTRA_JOLLIES[decks[lay.deck].split]
    if lay.face == JOLLY or (more and not lay.is_back and rng.random() < more):
        return replace(lay, face=int(rng.choice(decks[lay.deck].jolly)))
    return lay


def render(
    rng: np.random.Generator,
    studio: Studio,
    decks: Sequence[Deck],
    lays: Sequence[Lay],
    matrix: Matrix,
    size_wh: tuple[int, int],
    things: int | None = None,
    conditions: Conditions = AS_IT_COMES,
    hiding: bool = True,
) -> Scene:
    """Draw the cards in the order given (later ones on top) as the camera `matrix` (mm → px) sees them.

    Cards that would leave a rank half covered are left out; ranks that a thing half covers are covered whole. Unless
    `hiding`, things lie only where every card still shows an index.
    """
    lays, quads, spots, cover = settle(lays, decks, matrix, size_wh)
    px_per_mm = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2]))))
    image = lay_texture(rng, studio.tops[rng.integers(len(studio.tops))], size_wh)
    count = int(rng.choice([0, 0, 1, 2, 4])) if things is None else things
    under = int(rng.integers(count + 1)) if hiding else 0
    for _ in range(under):
        draw_thing(rng, image, np.empty_like(cover), THING, px_per_mm, studio.split)
    _draw_cards(rng, image, cover, decks, lays, quads)
    for _ in range(count - under):
        if hiding:
            draw_thing(rng, image, cover, THING, px_per_mm, studio.split)
        else:
            image, cover = _with_thing_beside(rng, image, cover, spots, quads, px_per_mm, studio.split)
    _cover_half_seen(rng, image, cover, spots)
    indices = _labels(lays, quads, spots, cover)
    index_px = float(np.median([i.box_xyxy[3] - i.box_xyxy[1] for i in indices])) if indices else 20.0
    image, jpeg = sensor(rng, light(rng, image, conditions), index_px, studio.noise, conditions)
    return Scene(image, tuple(lays), quads, tuple(indices), _seen_backs(lays, cover, quads), jpeg)


def settle(
    lays: Sequence[Lay], decks: Sequence[Deck], matrix: Matrix, size_wh: tuple[int, int]
) -> tuple[list[Lay], NDArray[np.float64], Spots, Cover]:
    """Leave out cards outside the picture and those that show a rank only in part; say which card shows where."""
    on_table = quads_mm(lays, decks)
    quads = project(matrix, on_table)
    inside = np.all(np.any(quads > -2, axis=1) & np.any(quads < np.array(size_wh) + 2, axis=1), axis=1)
    kept, quads = list(compress(lays, inside)), quads[inside]
    faces = [(c.deck, c.face) for c in kept]
    spots = Spots.of(faces, [d.spot_table for d in decks], on_table[inside], matrix, size_wh)
    while True:
        cover = np.full((size_wh[1], size_wh[0]), -1, np.int16)
        for number, quad in enumerate(np.round(quads * 8).astype(np.int32)):
            cv2.fillConvexPoly(cover, quad, number, cv2.LINE_8, 3)
        share = spots.ranks_show(cover)
        half_seen = spots.lay[(share > GONE) & (share < READABLE)]
        if not len(half_seen):
            return kept, quads, spots, cover
        keep = np.ones(len(kept), bool)
        keep[half_seen] = False
        kept, quads, spots = list(compress(kept, keep)), quads[keep], spots.of_cards(keep)


THING_TRIES = 12


def _with_thing_beside(
    rng: np.random.Generator,
    image: Image,
    cover: Cover,
    spots: Spots,
    quads: NDArray[np.float64],
    px_per_mm: float,
    split: Split,
) -> tuple[Image, Cover]:
    """The picture with one more thing among the cards, where it leaves no rank half covered and no card without an
    index; as it was where no such place is found."""
    low, high = quads.min((0, 1)), quads.max((0, 1))
    among = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    before = set(spots.lay[spots.ranks_show(cover) >= READABLE].tolist())
    for _ in range(THING_TRIES):
        drawn, covered = image.copy(), cover.copy()
        draw_thing(rng, drawn, covered, THING, px_per_mm, split, among)
        share = spots.ranks_show(covered)
        clean = not ((share > GONE) & (share < READABLE)).any()
        if clean and set(spots.lay[share >= READABLE].tolist()) == before:
            return drawn, covered
    return image, cover


RIM_PX = 3  # an edge is mixed, and its shadow falls, so far beyond the card
FINE_ENOUGH = 0.87  # pixels of a drawn card for which its picture may have one fewer: small pictures are read fast


def _draw_cards(
    rng: np.random.Generator,
    image: Image,
    cover: Cover,
    decks: Sequence[Deck],
    lays: Sequence[Lay],
    quads: NDArray[np.float64],
) -> None:
    """Draw what `cover` leaves of each card: in columns and fans most of it lies under others."""
    height, width = cover.shape
    lows = np.floor(quads.min(1)).clip(0, [width - 1, height - 1]).astype(int)
    highs = np.ceil(quads.max(1) + 1).clip(1, [width, height]).astype(int)
    meet = ((lows[:, None] < highs) & (highs[:, None] > lows)).all(2)
    under = np.triu(meet, 1).any(1).tolist()
    sides = quads[:, [3, 2]] - quads[:, [0, 1]]
    talls = np.hypot(sides[:, :, 0], sides[:, :, 1]).max(1, initial=1.0).tolist()
    depths = rng.uniform(0.08, 0.43, len(lays)).tolist()
    centred = (quads - 0.5).astype(np.float32)
    for number, (left, top, right, bottom) in enumerate(np.concatenate([lows, highs], 1).tolist()):
        x, y, w, h = 0, 0, right - left, bottom - top
        if under[number]:
            x, y, w, h = cv2.boundingRect((cover[top:bottom, left:right] == number).view(np.uint8))
            if not w:
                continue
        x0, y0 = max(0, left + x - RIM_PX), max(0, top + y - RIM_PX)
        x1, y1 = min(width, left + x + w + RIM_PX), min(height, top + y + h + RIM_PX)
        source = decks[lays[number].deck].picture(lays[number].face, talls[number] * FINE_ENOUGH)
        warp = cv2.getPerspectiveTransform(_corners(source.shape[1], source.shape[0]), centred[number])
        warp[0] -= x0 * warp[2]
        warp[1] -= y0 * warp[2]
        drawn = cv2.warpPerspective(source, warp, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
        alpha = cv2.extractChannel(drawn, 3)
        paint = cv2.cvtColor(drawn, cv2.COLOR_RGBA2RGB)
        lay_over(image[y0:y1, x0:x1], paint, alpha, cv2.blur(alpha, (5, 5)), depths[number])


@cache
def _corners(width: int, height: int) -> NDArray[np.float32]:
    """The corners of a face in the coordinates of its pixels' middles."""
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)


def _cover_half_seen(rng: np.random.Generator, image: Image, cover: Cover, spots: Spots) -> None:
    """Hide under a disc each rank that a thing left half visible."""
    share = spots.ranks_show(cover)
    half_seen = (share > GONE) & (share < READABLE)
    if not half_seen.any():
        return
    for corners in spots.rank_corners()[half_seen]:
        radius = max(2, round(float(np.ptp(corners, 0).max()) * 0.62))
        middle = tuple(int(v) for v in np.round(corners.mean(0)))
        cv2.circle(image, middle, radius, tuple(int(v) for v in rng.integers(0, 256, 3)), -1, cv2.LINE_AA)
        cv2.circle(cover, middle, radius, THING, -1)


def _labels(lays: Sequence[Lay], quads: NDArray[np.float64], spots: Spots, cover: Cover) -> list[IndexLabel]:
    """A label for every rank that can be read."""
    limit = np.array([cover.shape[1], cover.shape[0]])
    readable = np.flatnonzero(spots.ranks_show(cover) >= READABLE)
    suit_shows = (~spots.has_suit | (spots.suits_show(cover) > 0.6))[readable].tolist()
    low, high = spots.box_bounds()
    boxes = np.concatenate([low.clip(0, limit), high.clip(0, limit)], 1)[readable].tolist()
    numbers = spots.lay[readable]
    own = quads[numbers]
    own = np.where(spots.turned[readable, None, None], own[:, [2, 3, 0, 1]], own)
    rows = zip(numbers.tolist(), boxes, own, suit_shows, strict=True)
    return [IndexLabel(lays[n].card, n, (b[0], b[1], b[2], b[3]), quad, suit) for n, b, quad, suit in rows]


def _seen_backs(lays: Sequence[Lay], cover: Cover, quads: NDArray[np.float64]) -> tuple[int, ...]:
    """Numbers of the face-down cards that show enough of their back to be labelled."""
    seen = []
    u, v = GRID[:, :1], GRID[:, 1:]
    for number, lay in enumerate(lays):
        if lay.is_back:
            q = quads[number]
            points = (1 - u) * (1 - v) * q[0] + u * (1 - v) * q[1] + u * v * q[2] + (1 - u) * v * q[3]
            xy = np.floor(points).astype(np.int64)
            xy = xy[(xy >= 0).all(1) & (xy[:, 0] < cover.shape[1]) & (xy[:, 1] < cover.shape[0])]
            if (cover[xy[:, 1], xy[:, 0]] == number).sum() >= BACK_SHOWS * len(GRID):
                seen.append(number)
    return tuple(seen)


def laid_out(
    rng: np.random.Generator, table: Image, decks: Sequence[Deck], lays: Sequence[Lay], matrix: Matrix
) -> Image:
    """A copy of a bare table with the cards drawn on it, no light nor lens yet; ranks may be half covered here."""
    image = table.copy()
    quads = project(matrix, quads_mm(lays, decks))
    inside = np.all(np.any(quads > -2, axis=1) & np.any(quads < np.array(image.shape[1::-1]) + 2, axis=1), axis=1)
    kept, quads = list(compress(lays, inside)), quads[inside]
    cover = np.full(image.shape[:2], -1, np.int16)
    for number, quad in enumerate(np.round(quads * 8).astype(np.int32)):
        cv2.fillConvexPoly(cover, quad, number, cv2.LINE_8, 3)
    _draw_cards(rng, image, cover, decks, kept, quads)
    return image
