"""Melds as two mixed packs of 54 deal them: legal, no card more than twice, at most four jolly."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise

import numpy as np

from datasets.tables import JOLLY, combinazione, sequenza
from datasets.two_packs import COPIES, JOLLIES, neighbour_set
from scoring.cards import FACES
from scoring.meld import legal
from scoring.regolamento import load_regolamento
from scoring.sections import Regolamento

SHORTEST, LONGEST, BURRACO = 3, 13, 7
TRIES = 60


@cache
def _regolamento() -> Regolamento:
    return load_regolamento("fibur")


def deal_melds(rng: np.random.Generator, melds: int, cards: int, burraco: bool = False) -> list[list[int]]:
    """So many legal melds of so many cards together (rows of `FACES`, as laid), the first a set with equal neighbours.

    With `burraco` the last has seven cards or more.
    """
    while True:
        first = neighbour_set(rng)
        dealt = [first]
        supply = Counter(dict.fromkeys(range(JOLLY), COPIES) | {JOLLY: JOLLIES}) - Counter(first)
        for length in _lengths(rng, melds - 1, cards - len(first), burraco):
            faces = _meld(rng, length, supply)
            if faces is None:
                break
            supply -= Counter(faces)
            dealt.append(faces)
        if len(dealt) == melds and any(a == b for a, b in pairwise(first)):
            return dealt


def _lengths(rng: np.random.Generator, melds: int, cards: int, burraco: bool) -> list[int]:
    """Lengths that add up, some melds much longer than others; the longest last where it must be a burraco."""
    while True:
        shares = rng.dirichlet(np.full(melds, 1.5))
        lengths = SHORTEST + rng.multinomial(max(0, cards - SHORTEST * melds), shares)
        if lengths.max() <= LONGEST and (not burraco or lengths.max() >= BURRACO):
            return sorted(lengths.tolist()) if burraco else lengths.tolist()


def _meld(rng: np.random.Generator, length: int, supply: Counter[int]) -> list[int] | None:
    for _ in range(TRIES):
        faces = sequenza(rng, length) if rng.random() < 0.6 else combinazione(rng, length)
        left = all(supply[face] >= n for face, n in Counter(faces).items())
        if left and len(faces) == length and legal([FACES[face] for face in faces], _regolamento()):
            return faces
    return None
