"""One photo's reading against its labels: by multiset of names, by place, and by melds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from scoring.meld import read_meld
from vision.labels import LabelledPhoto, TrueCard, code_of
from vision.outline import Outline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from scoring.cards import Card
    from scoring.regolamento import Regolamento
    from vision.table import Quad, ReadCard, TableReading

    Doubles = NDArray[np.float64]

MAX_APART: Final = 0.5
"""How far a read card may lie from a true one, in card widths."""

INDEX_PLACE: Final = (0.39, 0.35)
"""Where an index sits, in card widths and heights from the card's centre."""


@dataclass(frozen=True, slots=True)
class ByPlace:
    """What place tells that names cannot: `right` cards carry their name at their place, `kept` of `pairs` are equal
    cards found as two, `twice` of `singles` were counted twice, jolly and others found at their place."""

    cards: int = 0
    right: int = 0
    pairs: int = 0
    kept: int = 0
    singles: int = 0
    twice: int = 0
    jolly: int = 0
    jolly_right: int = 0

    def __add__(self, other: ByPlace) -> ByPlace:
        return ByPlace(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class ByMeld:
    """Melds with exactly their cards, and whether the points of all melds together are right (photos, 0 or 1 each)."""

    melds: int = 0
    melds_exact: int = 0
    tables: int = 0
    points_exact: int = 0

    def __add__(self, other: ByMeld) -> ByMeld:
        return ByMeld(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class Matched:
    """One photo's comparison: card codes found, missed and invented; the parts that need more labels may be None."""

    found: tuple[str, ...]
    missed: tuple[str, ...]
    invented: tuple[str, ...]
    exact: bool | None
    by_place: ByPlace | None = None
    by_meld: ByMeld | None = None


def match_photo(photo: LabelledPhoto, reading: TableReading, regolamento: Regolamento) -> Matched:
    """Compare a reading with the labels. `exact` is None where the labels are not complete, and nothing is invented
    there; a `7?` fits any 7 and is never missed."""
    seen = Counter(card.card for card in reading.cards)
    found, missed = [], []
    for true in sorted(photo.cards, key=lambda card: card.card is None):
        hit = next((card for card in seen if seen[card] > 0 and true.fits(card)), None)
        if hit is not None:
            seen[hit] -= 1
            found.append(true.code)
        elif true.card is not None:
            missed.append(true.code)
    invented = tuple(code_of(card) for card in seen.elements()) if photo.complete else ()
    exact = (not missed and not invented) if photo.complete else None
    return Matched(
        tuple(found),
        tuple(missed),
        invented,
        exact,
        match_places(photo.cards, reading.cards) if photo.has_places else None,
        None if photo.melds is None else match_melds(photo, reading, regolamento),
    )


def match_melds(photo: LabelledPhoto, reading: TableReading, regolamento: Regolamento) -> ByMeld:
    """True melds against read ones, each as a multiset of the cards that show, and the points of all that is laid."""
    melds = photo.melds or ()
    true, read = (Counter(tuple(sorted(c.index for c in m)) for m in side) for side in (melds, _faces(reading)))
    return ByMeld(len(melds), (true & read).total(), 1, int(points_exact(photo, reading, regolamento)))


def points_exact(photo: LabelledPhoto, reading: TableReading, regolamento: Regolamento) -> bool:
    """Whether the melds read count what is laid counts, hidden cards included."""
    true, read = (sum(_points(meld, regolamento) for meld in side) for side in (photo.laid, _faces(reading)))
    return true == read


def _faces(reading: TableReading) -> list[tuple[Card, ...]]:
    return [meld.faces for meld in reading.melds]


def _points(cards: Sequence[Card], regolamento: Regolamento) -> int:
    return read_meld(cards, regolamento).points


def match_places(true: Sequence[TrueCard], read: Sequence[ReadCard]) -> ByPlace:
    """Match cards one to one by place, equal names first, the nearest first."""
    apart, alike = _apart(true, read), _alike(true, read)
    partner = _nearest_first(np.where(alike, apart, np.inf))
    right = [at in partner for at in range(len(true))]
    spare = set(range(len(read))) - set(partner.values())
    twice = set()
    for other in spare:
        near = [i for i in range(len(true)) if alike[i, other] and apart[i, other] < MAX_APART]
        twice |= {min(near, key=lambda i: float(apart[i, other]))} if near else set()
    counts = Counter(card.code for card in true)
    places = {code: [i for i, card in enumerate(true) if card.code == code] for code in counts}
    pairs = [two for code, two in places.items() if len(two) == 2 and code != "JK"]
    singles = [one[0] for one in places.values() if len(one) == 1]
    jolly = places.get("JK", [])
    return ByPlace(
        len(true),
        sum(right),
        len(pairs),
        sum(right[a] and right[b] for a, b in pairs),
        len(singles),
        sum(i in twice for i in singles),
        len(jolly),
        sum(right[i] for i in jolly),
    )


def at_their_places(true: Sequence[TrueCard], read: Sequence[ReadCard]) -> dict[int, int]:
    """Positions of true cards with those of the read ones that carry their name at their place."""
    return _nearest_first(np.where(_alike(true, read), _apart(true, read), np.inf))


def nearest_places(true: Sequence[TrueCard], read: Sequence[Quad | NDArray[np.float32]]) -> dict[int, int]:
    """Positions of true cards with those of the outlines nearest to them, whatever their names."""
    apart = [[distance(one, other) for other in read] for one in true]
    return _nearest_first(np.array(apart).reshape(len(true), len(read)))


def _apart(true: Sequence[TrueCard], read: Sequence[ReadCard]) -> Doubles:
    return np.array([[distance(one, other.quad) for other in read] for one in true]).reshape(len(true), len(read))


def _alike(true: Sequence[TrueCard], read: Sequence[ReadCard]) -> NDArray[np.bool_]:
    return np.array([[one.fits(other.card) for other in read] for one in true], bool).reshape(len(true), len(read))


def _nearest_first(cost: Doubles) -> dict[int, int]:
    partner: dict[int, int] = {}
    taken: set[int] = set()
    for flat in np.argsort(cost, axis=None, kind="stable").tolist():
        row, column = divmod(flat, cost.shape[1])
        if cost[row, column] >= MAX_APART:
            break
        if row not in partner and column not in taken:
            partner[row] = column
            taken.add(column)
    return partner


def distance(true: TrueCard, read: Quad | NDArray[np.float32]) -> float:
    """How far a read card lies from a true one, in card widths: by outline, else by the visible index."""
    seen = Outline.of(read)
    if true.quad is not None:
        outline = Outline.of(true.quad)
        return float(np.linalg.norm(outline.centre - seen.centre)) / max(float(np.linalg.norm(outline.u)), 1e-6)
    if true.box_xyxy is None:
        return float("inf")
    x1, y1, x2, y2 = true.box_xyxy
    away = np.array([(x1 + x2) / 2, (y1 + y2) / 2]) - seen.centre
    places = [x * INDEX_PLACE[0] * seen.u + y * INDEX_PLACE[1] * seen.v for x in (-1, 1) for y in (-1, 1)]
    width = max(float(np.linalg.norm(seen.u)), 1e-6)
    return float(min(np.linalg.norm(away - place) for place in places)) / width
