"""Standings of a tournament: Victory Points of all turns, then Match Points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from scoring.formato import Points
from scoring.vp import VpTable


class MpCount(StrEnum):
    """Which Match Points break a tie: a pair's own, or their difference to the opponents' (clubs differ)."""

    OWN = "own"
    DIFFERENCE = "difference"


@dataclass(frozen=True, slots=True)
class TableResult:
    """One table of one turn: both pairs and their Match Points."""

    names: tuple[str, str]
    mp: tuple[Points, Points]


@dataclass(frozen=True, slots=True)
class Standing:
    """A pair's place (equal places where VP and MP are equal), its VP and MP, and over how many turns."""

    place: int
    name: str
    vp: int
    mp: Points
    turni: int


def classifica(
    results: Iterable[TableResult], table: VpTable, count: MpCount = MpCount.OWN, bye: int = 0
) -> tuple[Standing, ...]:
    """Standings after these tables, of one turn or of several; best first, equal ones by name.

    A pair that rests comes as a table against the empty name "": it gets `bye` VP and no Match Points.

    >>> from scoring.vp import vp_table_for
    >>> turn = [TableResult(("A", "B"), (2000, 1000)), TableResult(("C", "D"), (1700, 1650))]
    >>> [(s.place, s.name, s.vp, s.mp) for s in classifica(turn, vp_table_for(3))]
    [(1, 'A', 17, 2000), (2, 'C', 10, 1700), (3, 'D', 10, 1650), (4, 'B', 3, 1000)]
    """
    vp: Counter[str] = Counter()
    mp: dict[str, Points] = {}
    turni: Counter[str] = Counter()
    for result in results:
        given = (bye, bye) if "" in result.names else table.of(*result.mp)
        for me, other in ((0, 1), (1, 0)):
            name = result.names[me]
            own = result.mp[me] - (result.mp[other] if count is MpCount.DIFFERENCE else 0)
            vp[name] += given[me]
            mp[name] = mp.get(name, 0) + (0 if "" in result.names else own)
            turni[name] += 1
    ranked = sorted((name for name in mp if name), key=lambda name: (-vp[name], -mp[name], name))
    keys = [(vp[name], mp[name]) for name in ranked]
    return tuple(Standing(keys.index(key) + 1, name, *key, turni[name]) for name, key in zip(ranked, keys, strict=True))
