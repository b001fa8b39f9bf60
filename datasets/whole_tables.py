"""Whole Burraco tables as a phone sees them: two pairs' melds, covered cards, squared piles, hands and things.

Unlike in training pictures, what is laid is legal, comes from two packs, and lies wholly in the picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

import numpy as np
from numpy.typing import NDArray

from datasets.camera import Conditions, Matrix, homography, project
from datasets.dealing import deal_melds
from datasets.decks import BACK, Deck, make_deck
from datasets.four_corners import four_corners
from datasets.free_decks import vary
from datasets.scene import READABLE, Scene, Studio, render, settle
from datasets.style import JOLLIES as JOLLY_MARKS
from datasets.tables import JOLLY, Lay, column, place, quads_mm, row

CARDS, TILT_DEG = (25, 70), (0.0, 50.0)
MARRED, COVERED, PILE, THINGS, STOCK, OPEN_DISCARDS = 0.5, 1 / 3, 0.15, 0.4, 0.5, 0.25
QUALITY = (60, 96)  # phones pack well, messengers less so
CHECK_PX_PER_MM = 3.0
MARGIN = 0.015
SPREAD_MM, PATIENCE = 260.0, 12  # how far from the middle melds may lie; tries until indices may be smaller than wanted


@dataclass(frozen=True, slots=True)
class Wanted:
    """What one table shall be; `index_px` is the median height of a whole index at the scale where its card lies."""

    index_px: float
    tilt_deg: float
    cards: int
    four: bool
    free: bool
    marred: bool
    covered: bool
    pile: bool
    things: bool
    stock: bool
    discards: bool


def agenda(rng: np.random.Generator, tables: int, index_px: tuple[float, float]) -> Iterator[Wanted]:
    """What so many tables shall be: every share is met, every range evenly filled, each independent of the others."""

    def even() -> NDArray[np.float64]:
        return (rng.permutation(tables) + rng.random(tables)) / tables

    low, high = index_px
    heights, cards = low * (high / low) ** even(), np.floor(CARDS[0] + even() * (CARDS[1] + 1 - CARDS[0]))
    tilts = TILT_DEG[0] + even() * (TILT_DEG[1] - TILT_DEG[0])
    traits = [even() < share for share in (MARRED, COVERED, PILE, THINGS, STOCK, OPEN_DISCARDS)]
    for i in range(tables):
        marred, covered, pile, things, stock, discards = (bool(t[i]) for t in traits)
        kind = (i % 2 == 1, i // 2 % 2 == 1)
        yield Wanted(
            float(heights[i]), float(tilts[i]), int(cards[i]), *kind, marred, covered, pile, things, stock, discards
        )


def whole_table(rng: np.random.Generator, studio: Studio, wanted: Wanted, free: Sequence[Deck], width_px: int) -> Scene:
    """One table in a 4:3 picture `width_px` wide; of a deck of our own where there are no free ones."""
    if wanted.free and free:
        deck = vary(free[int(rng.integers(len(free)))], rng)
        deck = four_corners(deck) if wanted.four else deck
    else:
        joker = str(rng.choice(sorted(set(JOLLY_MARKS) - {"nothing"})))  # what has no mark cannot be found
        deck = make_deck(int(rng.integers(2**31)), studio.split, wanted.four, joker)
    return table_of(rng, studio, deck, wanted, width_px)


def table_of(rng: np.random.Generator, studio: Studio, deck: Deck, wanted: Wanted, width_px: int) -> Scene:
    """The same of a given deck."""
    size_wh = (width_px, width_px * 3 // 4)
    for attempt in count():
        lays = _laid(rng, deck, wanted, SPREAD_MM / (1 + attempt))
        index_px = wanted.index_px * 0.95 ** max(0, attempt - PATIENCE)
        matrix = _view(rng, deck, lays, replace(wanted, index_px=index_px), size_wh)
        if matrix is None:
            continue
        scene = render(
            rng, studio, [deck], lays, matrix, size_wh,
            things=int(rng.integers(1, 4)) if wanted.things else 0,
            conditions=_conditions(rng, wanted.marred), hiding=False,
        )  # fmt: skip
        if len(scene.lays) == len(lays):
            return scene
    raise AssertionError("unreachable")


def _conditions(rng: np.random.Generator, marred: bool) -> Conditions:
    """Glare, blur or both where the picture shall be marred; neither where not."""
    glare, blur = ((True, False), (False, True), (True, True))[rng.integers(3)] if marred else (False, False)
    return Conditions(glare, blur, QUALITY)


def _view(
    rng: np.random.Generator, deck: Deck, lays: Sequence[Lay], wanted: Wanted, size_wh: tuple[int, int], tries: int = 40
) -> Matrix | None:
    """A camera that sees the whole table with its indices as high as wanted; None where it has no room for that."""
    quads, size = quads_mm(lays, [deck]), np.array(size_wh)
    px_per_mm = wanted.index_px / deck.index_height_mm
    room = size * (1 - 2 * MARGIN)
    for _ in range(tries):
        square = rng.integers(4) * np.pi / 2 + rng.normal(0, 0.12)
        roll = square if rng.random() < 0.75 else rng.uniform(0, 2 * np.pi)
        matrix = homography(rng, size_wh, px_per_mm, wanted.tilt_deg, float(roll))
        seen = project(matrix, quads)
        scale = px_per_mm / float(np.median(_areas(seen) / _areas(quads)) ** 0.5)
        low, high = seen.min((0, 1)) * scale, seen.max((0, 1)) * scale
        slack = room - (high - low)
        before = (quads @ matrix[2, :2] + matrix[2, 2] > 0).all()  # what lies behind the camera is not seen
        if before and (slack >= 0).all():
            shift = size * MARGIN + slack * rng.beta(3, 3, 2) - low
            fit = np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]])
            return np.asarray(fit @ matrix)
    return None


def _areas(quads: NDArray[np.float64]) -> NDArray[np.float64]:
    one, other = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    return np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]) / 2


# --- laying ---


def _laid(rng: np.random.Generator, deck: Deck, wanted: Wanted, spread_mm: float) -> list[Lay]:
    """The cards of both pairs and of the middle, in mm round the middle of all; each group on its own ground."""
    while True:
        lays, show = _thrown(rng, deck, wanted, spread_mm)
        if _all_show(deck, lays, show):
            return lays


def _thrown(rng: np.random.Generator, deck: Deck, wanted: Wanted, spread_mm: float) -> tuple[list[Lay], int]:
    """One try at a table, and how many of its cards must show their index."""
    number = int(np.clip(round(wanted.cards / rng.uniform(4.5, 7.5)), 5, 12))
    dealt = deal_melds(rng, number, wanted.cards, burraco=wanted.pile)
    melds = [_meld(rng, deck, faces) for faces in dealt[:-1]]
    melds.append(_squared(rng, dealt[-1]) if wanted.pile else _meld(rng, deck, dealt[-1]))
    if wanted.covered:
        at = int(rng.choice([i for i, faces in enumerate(dealt[: number - wanted.pile]) if len(faces) > 3]))
        melds[at] = _with_covered(rng, deck, dealt[at])
    melds = [melds[i] for i in rng.permutation(number)]
    jolly = rng.permutation(deck.jolly)[:2]
    table = _Table(rng, deck, _middle(rng, deck, wanted, [face for faces in dealt for face in faces]))
    border, turn = int(rng.integers(2, number - 1)), int(rng.integers(4))
    for side, own in enumerate((melds[:border], melds[border:])):
        chairs = rng.permutation([side, side + 2])[: 2 if len(own) > 3 and rng.random() < 0.3 else 1]
        for part, chair in enumerate(chairs):
            table.lay_before(int(chair + turn) % 4, own[part :: len(chairs)], side, rng.uniform(0, spread_mm))
    points = quads_mm(table.lays, [deck])
    middle = (points.min((0, 1)) + points.max((0, 1))) / 2
    lays = [
        replace(c, x=c.x - middle[0], y=c.y - middle[1], face=int(rng.choice(jolly)) if c.face == JOLLY else c.face)
        for c in table.lays
    ]
    lie_under = wanted.covered + (len(dealt[-1]) - 1) * wanted.pile
    return lays, sum(not c.is_back for c in lays) - lie_under


def _meld(rng: np.random.Generator, deck: Deck, faces: list[int]) -> list[Lay]:
    """A column or row of which every card's rank and suit show, or several tries at one."""
    down = rng.random() < 0.6
    while True:
        lays = column(rng, deck, faces, suits_show=True) if down else row(rng, deck, faces)
        if _all_show(deck, lays, len(lays)):
            return lays


def _with_covered(rng: np.random.Generator, deck: Deck, faces: list[int]) -> list[Lay]:
    """The same with one card squarely under the next."""
    at = int(rng.integers(len(faces) - 1))
    while True:
        lays = _meld(rng, deck, faces[:at] + faces[at + 1 :])
        above = lays[at]
        off_x, off_y = rng.normal(0, 0.3, 2).tolist()
        under = replace(above, face=faces[at], x=above.x + off_x, y=above.y + off_y)
        lays = [*lays[:at], under, *lays[at:]]
        if _all_show(deck, lays, len(lays) - 1):
            return lays


def _squared(rng: np.random.Generator, faces: list[int]) -> list[Lay]:
    """A finished burraco squared up: only its last card can be read."""
    off = rng.normal(0, [0.5, 0.5, 0.008], (len(faces), 3)).tolist()
    return [Lay(face, x, y, angle, 0, meld=True) for face, (x, y, angle) in zip(faces, off, strict=True)]


def _all_show(deck: Deck, lays: list[Lay], wanted: int) -> bool:
    """Whether so many of the cards show an index, and no rank in part, when seen from straight above."""
    points = quads_mm(lays, [deck]) * CHECK_PX_PER_MM
    low, high = points.min((0, 1)) - 4, points.max((0, 1)) + 4
    matrix = np.array([[CHECK_PX_PER_MM, 0, -low[0]], [0, CHECK_PX_PER_MM, -low[1]], [0, 0, 1]])
    width, height = (int(v) for v in np.ceil(high - low))
    kept, _, spots, cover = settle(lays, [deck], matrix, (width, height))
    show = spots.ranks_show(cover) >= READABLE
    return len(kept) == len(lays) and len(set(spots.lay[show].tolist())) == wanted


def _middle(rng: np.random.Generator, deck: Deck, wanted: Wanted, dealt: list[int]) -> list[list[Lay]]:
    """The stock, face down, and beside it the discards in a row of which every card shows."""
    groups = []
    if wanted.stock:
        back = BACK + int(rng.integers(2))
        off = rng.normal(0, [1.0, 1.0, 0.02], (12, 3)).tolist()
        groups.append([Lay(back, x, y, angle, 0) for x, y, angle in off])
    if wanted.discards:
        left = [face for face in range(JOLLY) if dealt.count(face) < 2]
        faces = [int(face) for face in rng.permutation(left)[: int(rng.integers(3, 9))]]
        lays = _meld(rng, deck, faces)
        groups.append([replace(c, meld=False, x=c.x + 120) for c in lays])
    return groups


class _Table:
    """Groups laid so far with their bounds; each further one is pushed outwards until it lies free."""

    def __init__(self, rng: np.random.Generator, deck: Deck, middle: list[list[Lay]]) -> None:
        self._rng, self._deck = rng, deck
        self.lays: list[Lay] = []
        self._boxes: list[NDArray[np.float64]] = []
        self._groups = 0
        turn = float(rng.integers(4) * np.pi / 2 + rng.normal(0, 0.1))
        for n, group in enumerate(middle):
            self._add(place(group, (n * 130.0, 0.0), turn, self._groups, 0))

    def _add(self, lays: list[Lay]) -> None:
        self.lays += lays
        self._boxes.append(_bounds(lays, self._deck))
        self._groups += 1

    def lay_before(self, chair: int, melds: list[list[Lay]], side: int, away_mm: float) -> None:
        """Lay melds in rows before a chair (0..3, quarters of a turn), facing it, at least so far from the middle."""
        rng, angle = self._rng, chair * np.pi / 2
        block = [
            place(lays, (x, y), float(rng.normal(0, 0.035)), 0, 0)
            for lays, (x, y) in zip(melds, _shelves(rng, self._deck, melds), strict=True)
        ]
        whole = place([c for lays in block for c in lays], (0.0, 0.0), angle, 0, 0)
        outward = np.array([-np.sin(angle), np.cos(angle)])
        aside = np.array([np.cos(angle), np.sin(angle)]) * rng.uniform(-90, 90)
        parts, start = [], 0
        for lays in block:
            parts.append([replace(c, side=side) for c in whole[start : start + len(lays)]])
            start += len(lays)
        boxes, gap, away = np.array([_bounds(p, self._deck) for p in parts]), rng.uniform(10, 45), away_mm
        while any(_gap(boxes + np.tile(outward * away + aside, 2), other) < gap for other in self._boxes):
            away += 8.0
        x, y = outward * away + aside
        for lays in parts:
            self._add([replace(c, x=c.x + x, y=c.y + y, group=self._groups) for c in lays])


def _shelves(rng: np.random.Generator, deck: Deck, melds: list[list[Lay]]) -> list[tuple[float, float]]:
    """Where the middles of the melds' cards come so that they stand side by side in rows, some nearly touching."""
    width_mm = rng.uniform(350, 650)
    gap = rng.uniform(2, 6) if rng.random() < 0.4 else rng.uniform(6, 28)
    places, left, top, depth = [], 0.0, 0.0, 0.0
    for lays in melds:
        x0, y0, x1, y1 = _bounds(lays, deck)
        if left > 0 and left + x1 - x0 > width_mm:
            left, top, depth = 0.0, top + depth + gap, 0.0
        xs, ys = [c.x for c in lays], [c.y for c in lays]
        middle_x, middle_y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        places.append((left + middle_x - x0, top + middle_y - y0))
        left, depth = left + x1 - x0 + gap, max(depth, y1 - y0)
    return places


def _bounds(lays: Sequence[Lay], deck: Deck) -> NDArray[np.float64]:
    """Least and greatest x and y of some cards: x0, y0, x1, y1 in mm."""
    points = quads_mm(lays, [deck])
    return np.concatenate([points.min((0, 1)), points.max((0, 1))])


def _gap(boxes: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Least distance of boxes (N, 4) from another, mm; negative where one overlaps it."""
    apart = np.maximum(boxes[:, :2] - other[2:], other[:2] - boxes[:, 2:])
    return float(apart.max(1).min())
