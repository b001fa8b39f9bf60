"""Tables as people lay them: which card lies where, in millimetres, under whom and facing whom."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from datasets.decks import BACK, BACKS, Deck
from scoring.cards import FACES

Points = NDArray[np.float64]
JOLLY = len(FACES) - 1
RANKS, SUIT_COUNT = 13, 4
JOLLY_SHARE = 0.7  # of the wilds; with JOLLIES more than play deals, for of all faces the jolly's marks differ most
JOLLIES = 10


@dataclass(frozen=True, slots=True)
class Lay:
    """One card on the table: `face` a row of `Deck.faces`, centre in mm, `angle` in radians (clockwise, y down).

    `meld` says that its group is a meld laid on the table, not a hand, a pile or cards that lie about; `side` which
    pair laid it, where that is told.
    """

    face: int
    x: float
    y: float
    angle: float
    group: int
    deck: int = 0
    crosswise: bool = False
    meld: bool = False
    side: int | None = None

    @property
    def is_back(self) -> bool:
        return BACK <= self.face < BACK + BACKS

    @property
    def card(self) -> int:
        """Row of `FACES`, whichever jolly of the deck it is; of no meaning for a back."""
        return self.face if self.face < BACK else JOLLY


def face_id(suit: int, rank: int) -> int:
    """Row of `FACES`: suits ♥♦♣♠ 0..3, ranks A..K 0..12."""
    return suit * RANKS + rank % RANKS


def sequenza(rng: np.random.Generator, length: int) -> list[int]:
    """A run of one suit, perhaps with a jolly or a two for one of its cards, laid up or down."""
    length = min(length, RANKS)
    suit, start = int(rng.integers(SUIT_COUNT)), int(rng.integers(0, RANKS + 2 - length))
    faces = [face_id(suit, start + i) for i in range(length)]
    return _with_wild(rng, faces)


def combinazione(rng: np.random.Generator, length: int) -> list[int]:
    """Equal ranks, equal cards of two packs often side by side, perhaps with a wild."""
    rank = int(rng.integers(RANKS))
    pack = [face_id(s, rank) for s in range(SUIT_COUNT) for _ in range(2)]
    faces = [int(f) for f in rng.permutation(pack)[: min(length, 8)]]
    if rng.random() < 0.4:
        faces.sort()
    return _with_wild(rng, faces)


def _with_wild(rng: np.random.Generator, faces: list[int]) -> list[int]:
    if rng.random() < 0.6:
        wild = JOLLY if rng.random() < JOLLY_SHARE else face_id(int(rng.integers(SUIT_COUNT)), 1)
        faces[int(rng.integers(len(faces)))] = wild
    return faces[::-1] if rng.random() < 0.5 else faces


TWO_PACKS = np.array([*range(JOLLY), *range(JOLLY), *[JOLLY] * JOLLIES])


def any_cards(rng: np.random.Generator, length: int) -> list[int]:
    """Cards without an order: a hand, a discard."""
    return [int(f) for f in rng.permutation(TWO_PACKS)[:length]]


LENGTHS = (3, 3, 4, 4, 5, 6, 7, 8, 9, 10)
WOBBLES_MM = (0.3, 1.0, 2.5)


def _meld_faces(rng: np.random.Generator) -> list[int]:
    length = LENGTHS[rng.integers(len(LENGTHS))]
    return sequenza(rng, length) if rng.random() < 0.6 else combinazione(rng, length)


def column(
    rng: np.random.Generator, deck: Deck, faces: list[int] | None = None, *, suits_show: bool = False
) -> list[Lay]:
    """Cards overlapping downwards, each leaving the rank above it free, or the whole index; a burraco may end
    crosswise."""
    faces = faces or _meld_faces(rng)
    rank_mm, index_mm = deck.free_rank_mm, deck.free_index_mm
    loose = suits_show or rng.random() < 0.5
    step = rng.uniform(index_mm, index_mm * 1.4) if loose else rng.uniform(rank_mm, index_mm)
    wobble = WOBBLES_MM[rng.integers(3)]
    off = rng.normal(0, [wobble, wobble * 0.2, wobble * 0.012], (len(faces), 3)).tolist()
    lays = [
        Lay(f, x, i * step + y, angle, 0, meld=True)
        for i, (f, (x, y, angle)) in enumerate(zip(faces, off, strict=True))
    ]
    return _crosswise(rng, lays, deck) if len(faces) >= 7 else lays


def row(rng: np.random.Generator, deck: Deck, faces: list[int] | None = None) -> list[Lay]:
    """Cards overlapping sideways; the left index of each stays free."""
    faces = faces or _meld_faces(rng)
    width_mm = deck.free_width_mm
    step = rng.uniform(width_mm, width_mm * (1.25, 2.2)[rng.integers(2)])
    wobble = WOBBLES_MM[rng.integers(3)]
    off = rng.normal(0, [wobble * 0.15, wobble, wobble * 0.01], (len(faces), 3)).tolist()
    lays = [
        Lay(f, i * step + x, y, angle, 0, meld=True)
        for i, (f, (x, y, angle)) in enumerate(zip(faces, off, strict=True))
    ]
    return _crosswise(rng, lays, deck) if len(faces) >= 7 else lays


def _crosswise(rng: np.random.Generator, lays: list[Lay], deck: Deck) -> list[Lay]:
    """Turn the last, second last or last two cards by 90°, as clubs mark a finished burraco."""
    if rng.random() < 0.5:
        return lays
    marked = ((-1,), (-2,), (-2, -1))[rng.integers(3)]
    out = list(lays)
    for i in marked:
        turn = np.pi / 2 * rng.choice([-1, 1])
        out[i] = replace(out[i], angle=out[i].angle + turn + rng.normal(0, 0.03), crosswise=True)
    return out


def fan(rng: np.random.Generator, deck: Deck) -> list[Lay]:
    """A hand fanned in an arc round a point below the cards."""
    faces = any_cards(rng, int(rng.integers(4, 14))) if rng.random() < 0.6 else _meld_faces(rng)
    radius = rng.uniform(90, 220)
    step = rng.uniform(1.0, 1.8) * deck.free_width_mm / (radius + deck.height_mm * 0.4)
    angles = [(i - len(faces) / 2) * step for i in range(len(faces))]
    return [Lay(f, radius * math.sin(a), -radius * math.cos(a), a, 0) for f, a in zip(faces, angles, strict=True)]


def scattered(rng: np.random.Generator, deck: Deck) -> list[Lay]:
    """Single cards apart from each other, each at its own angle."""
    across = int(rng.integers(1, 4))
    faces = any_cards(rng, across * int(rng.integers(1, 3)))
    spread = rng.uniform(1.15, 1.5)
    step_mm = deck.height_mm * spread
    angles = rng.normal(0, (0.03, 0.15, 1.5)[rng.integers(3)], len(faces)).tolist()
    return [
        Lay(f, (i % across) * step_mm * 0.8, (i // across) * step_mm, angle, 0)
        for i, (f, angle) in enumerate(zip(faces, angles, strict=True))
    ]


def pile(rng: np.random.Generator, deck: Deck) -> list[Lay]:
    """A squared pile, open or face down; only its top card can be read."""
    faces = any_cards(rng, int(rng.integers(2, 6)))
    if rng.random() < 0.7:
        faces = [BACK + int(rng.integers(BACKS)) for _ in faces]
    off = rng.normal(0, [0.7, 0.7, 0.02], (len(faces), 3)).tolist()
    return [Lay(f, x, y, angle, 0) for f, (x, y, angle) in zip(faces, off, strict=True)]


GROUPS: tuple[tuple[Callable[[np.random.Generator, Deck], list[Lay]], float], ...] = (
    (column, 0.33), (row, 0.24), (fan, 0.16), (scattered, 0.2), (pile, 0.07),
)  # fmt: skip


def place(lays: list[Lay], centre_xy: tuple[float, float], angle: float, group: int, deck: int) -> list[Lay]:
    """Turn a group about its middle and move it to its place on the table."""
    middle_x, middle_y = _middle(lays)
    cos, sin = math.cos(angle), math.sin(angle)
    placed = []
    for c in lays:
        x, y = c.x - middle_x, c.y - middle_y
        at_x, at_y = centre_xy[0] + x * cos - y * sin, centre_xy[1] + x * sin + y * cos
        placed.append(Lay(c.face, at_x, at_y, c.angle + angle, group, deck, c.crosswise, c.meld))
    return placed


def _middle(lays: Sequence[Lay]) -> tuple[float, float]:
    xs, ys = [c.x for c in lays], [c.y for c in lays]
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def quad_mm(lay: Lay, deck: Deck) -> Points:
    """The card's corners on the table: (4, 2) mm, top-left first, clockwise as the card reads."""
    return np.asarray(quads_mm([replace(lay, deck=0)], [deck])[0])


CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def quads_mm(lays: Sequence[Lay], decks: Sequence[Deck]) -> Points:
    """The corners of many cards at once, which costs hardly more than those of one: (N, 4, 2) mm as `quad_mm`."""
    rows = [(c.x, c.y, c.angle, decks[c.deck].width_mm / 2, decks[c.deck].height_mm / 2) for c in lays]
    x, y, angle, w, h = np.array(rows, float).reshape(-1, 5, 1).transpose(1, 0, 2)
    cos, sin = np.cos(angle), np.sin(angle)
    u, v = w * CORNERS[:, 0], h * CORNERS[:, 1]
    points = np.empty((*u.shape, 2))
    points[:, :, 0] = x + u * cos - v * sin
    points[:, :, 1] = y + u * sin + v * cos
    return points


CELLS = 24
PLACES = 3  # where a group finds no room it tries again elsewhere, which costs less than dealing another


def fill_table(rng: np.random.Generator, decks: list[Deck], half_mm: float, tries: int) -> list[Lay]:
    """Throw groups at a square table of ±`half_mm` and keep those that fall on free ground.

    A group is dealt only where the ground under its middle is free: on a full table most are not.
    """
    taken = np.zeros((CELLS, CELLS), bool)
    laid: list[Lay] = []
    shapes, weights = zip(*GROUPS, strict=True)
    groups = -(-tries // PLACES)
    kinds = rng.choice(len(GROUPS), groups, p=np.array(weights) / sum(weights)).tolist()
    which = rng.integers(len(decks), size=groups).tolist()
    places = rng.uniform(-half_mm, half_mm, (groups, PLACES, 2))
    square = rng.uniform(0, 2 * np.pi) + rng.integers(4, size=places.shape[:2]) * np.pi / 2
    square += rng.normal(0, 0.08, square.shape)
    angles = np.where(rng.random(square.shape) < 0.7, square, rng.uniform(0, 7, square.shape)).tolist()
    under = ((places / (2 * half_mm) + 0.5) * CELLS).astype(int).clip(0, CELLS - 1).tolist()
    for group, (spots, cells) in enumerate(zip(places.tolist(), under, strict=True)):
        free = [i for i, (x, y) in enumerate(cells) if not taken[x, y]]
        if not free:
            continue
        deck = which[group]
        lays = shapes[kinds[group]](rng, decks[deck])
        ground = _ground(lays, decks[deck])
        for i in free:
            (x, y), angle = spots[i], angles[group][i]
            cover = _cells(ground, x, y, angle, half_mm)
            if np.count_nonzero(taken[cover]) <= 0.04 * len(ground):
                taken[cover] = True
                laid += place(lays, (x, y), angle, group, deck)
                break
    return laid


GROUND = np.array([[u, v] for u in (-1.0, 0.0, 1.0) for v in (-1.0, -0.33, 0.33, 1.0)])


def _ground(lays: list[Lay], deck: Deck) -> Points:
    """Points (N, 2) all over the cards of a group, mm, round the middle of its centres as `place` turns it."""
    x, y, angle = np.array([(c.x, c.y, c.angle) for c in lays]).T[:, :, None]
    across, down = GROUND.T * [[deck.width_mm / 2], [deck.height_mm / 2]]
    cos, sin = np.cos(angle), np.sin(angle)
    middle_x, middle_y = _middle(lays)
    points = np.empty((len(lays), len(GROUND), 2))
    points[:, :, 0] = x - middle_x + cos * across - sin * down
    points[:, :, 1] = y - middle_y + sin * across + cos * down
    return points.reshape(-1, 2)


def _cells(ground: Points, x: float, y: float, angle: float, half_mm: float) -> tuple[NDArray[np.int64], ...]:
    """Grid cells of the table that a group touches once turned and moved to its place, as an index."""
    cos, sin = math.cos(angle), math.sin(angle)
    cell_mm = 2 * half_mm / CELLS
    there = ground @ (np.array([[cos, sin], [-sin, cos]]) / cell_mm) + [
        x / cell_mm + CELLS / 2,
        y / cell_mm + CELLS / 2,
    ]
    index = np.minimum(np.maximum(there, 0), CELLS - 1).astype(np.int64)
    return index[:, 0], index[:, 1]
