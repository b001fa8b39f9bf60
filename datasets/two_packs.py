"""Whole tables of two mixed packs: the commonest error at Burraco is to take two equal cards for one.

Suits stay free, for where one is covered nobody can tell whether two cards are equal.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np

from datasets.camera import homography, project
from datasets.decks import Deck, make_deck
from datasets.fonts import Split
from datasets.scene import Scene, Studio, render
from datasets.style import JOLLIES as JOLLY_MARKS
from datasets.tables import JOLLY, RANKS, SUIT_COUNT, Lay, column, face_id, place, quad_mm, row

PAIRS = 6  # at least so many equal pairs on each table, half of them neighbours in a set
COPIES, JOLLIES = 2, 4


def neighbour_set(rng: np.random.Generator) -> list[int]:
    """Equal ranks with at least one equal pair side by side."""
    rank = int(rng.integers(2, RANKS + 1)) % RANKS
    suits = [int(s) for s in rng.permutation(SUIT_COUNT)[: int(rng.integers(2, 4))]]
    return [face_id(s, rank) for s in suits for _ in range(2 if s in suits[:2] else 1)]


def _meld_list(rng: np.random.Generator) -> list[list[int]]:
    """Melds with six or more equal pairs (three or more neighbours, three or more apart) and two to four jolly."""
    while True:
        melds = [neighbour_set(rng) for _ in range(2)]
        suit, start, length = int(rng.integers(SUIT_COUNT)), int(rng.integers(2, 8)), int(rng.integers(4, 7))
        run = [face_id(suit, start + i) for i in range(length)]
        melds += [run, run[::-1][: int(rng.integers(3, length + 1))]]
        for _ in range(int(rng.integers(1, 4))):
            suit, start, length = int(rng.integers(SUIT_COUNT)), int(rng.integers(2, 6)), int(rng.integers(3, 8))
            melds.append([face_id(suit, start + i) for i in range(length)])
        for at in rng.permutation(len(melds))[: int(rng.integers(2, JOLLIES + 1))]:
            melds[at] = [*melds[at], JOLLY] if rng.random() < 0.5 else [JOLLY, *melds[at]]
        counts = Counter(f for m in melds for f in m)
        jolly = counts.pop(JOLLY, 0)
        pairs = sum(n == COPIES for n in counts.values())
        neighbours = sum(a == b for m in melds for a, b in pairwise(m))
        if max(counts.values()) <= COPIES and jolly >= 2 and pairs >= PAIRS and 2 * neighbours >= pairs:
            return melds


def _laid_apart(rng: np.random.Generator, deck: Deck, melds: list[list[int]]) -> list[Lay]:
    """Lay melds in columns and rows on a growing table until none touches another."""
    side, laid = 300.0, list[Lay]()
    facing = rng.choice([0.0, np.pi / 2, np.pi])
    for group, faces in enumerate(melds):
        down = rng.random() < 0.6
        while True:
            side += 4.0
            angle = facing + rng.choice([0, np.pi]) * (rng.random() < 0.3) + rng.normal(0, 0.05)
            centre = rng.uniform(-side / 2, side / 2, 2)
            meld = column(rng, deck, faces, suits_show=True) if down else row(rng, deck, faces)
            lays = place(meld, (float(centre[0]), float(centre[1])), float(angle), group, 0)
            if not laid or _gap(lays, laid, deck) > 6.0:
                laid += lays
                break
    return laid


def _gap(lays: list[Lay], others: list[Lay], deck: Deck) -> float:
    """Least distance between the axis-parallel bounds of two groups of cards, mm; negative when they overlap."""
    grouped: dict[int, list[Lay]] = {}
    for lay in others:
        grouped.setdefault(lay.group, []).append(lay)
    own = np.concatenate([quad_mm(c, deck) for c in lays])
    gaps = []
    for group in grouped.values():
        points = np.concatenate([quad_mm(c, deck) for c in group])
        gaps.append(float(np.maximum(own.min(0) - points.max(0), points.min(0) - own.max(0)).max()))
    return min(gaps)


def two_pack_scene(rng: np.random.Generator, studio: Studio, split: Split, width_px: int, four_indices: bool) -> Scene:
    """One table of two packs with alike faces and different backs, seen whole in a 4:3 picture `width_px` wide."""
    joker = str(rng.choice(sorted(set(JOLLY_MARKS) - {"nothing"})))  # what has no mark in its corner cannot be found
    deck = make_deck(int(rng.integers(2**31)), split, four_indices, joker)
    lays = _laid_apart(rng, deck, _meld_list(rng))
    size = (width_px, width_px * 3 // 4)
    points = np.concatenate([quad_mm(c, deck) for c in lays])
    middle = (points.min(0) + points.max(0)) / 2
    lays = [replace(c, x=c.x - middle[0], y=c.y - middle[1]) for c in lays]
    points = points - middle
    matrix = homography(rng, size, 1.0, float(rng.uniform(0, 30)))
    seen = project(matrix, points)
    low, high = seen.min(0), seen.max(0)
    scale = float((np.array(size) * 0.94 / (high - low)).min())
    shift = np.array(size) / 2 - (low + high) / 2 * scale
    fit = np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]])
    return render(rng, studio, [deck], lays, fit @ matrix, size, things=0)
