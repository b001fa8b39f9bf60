"""A match: smazzate added up to a target, one smazzata alone, or turns decided by Victory Points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from scoring.formato import Points
from scoring.vp import VpTable


@dataclass(frozen=True, slots=True)
class ToTarget:
    """Until somebody is over the target; the higher total wins, a tie at the top plays on (RULES 5, R10)."""

    target: int

    def __post_init__(self) -> None:
        if self.target < 1:
            raise ValueError(f"target {self.target}; expected 1 or more")


@dataclass(frozen=True, slots=True)
class OneHand:
    """One smazzata decides; equal totals are a draw where the regolamento has one, else play on."""

    draw: bool = False


@dataclass(frozen=True, slots=True)
class Turni:
    """So many turns of as many smazzate as the table is for; total VP decide, then total Match Points.

    Equal in both they are a draw, or without one play on, a turn at a time.
    """

    turni: int
    table: VpTable
    draw: bool = True

    def __post_init__(self) -> None:
        if self.turni < 1:
            raise ValueError(f"{self.turni} turns; expected 1 or more")

    @property
    def smazzate(self) -> int:
        """Smazzate of all turns together."""
        return self.turni * self.table.smazzate


Goal = ToTarget | OneHand | Turni


@dataclass(frozen=True, slots=True)
class Turno:
    """One turn: Match Points of the two sides so far, and their VP once it is complete (else None)."""

    mp: tuple[Points, Points]
    vp: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class MatchTotals:
    """Totals of all parties so far, after each smazzata, and who has won: its number, None in a draw or before."""

    totals: tuple[Points, ...]
    winner: int | None
    running: tuple[tuple[Points, ...], ...]
    draw: bool = False
    turni: tuple[Turno, ...] = ()

    @property
    def finished(self) -> bool:
        """Whether it is over."""
        return self.winner is not None or self.draw

    @property
    def vp(self) -> tuple[int, int]:
        """Victory Points of all complete turns."""
        complete = [turno.vp for turno in self.turni if turno.vp]
        return sum(vp[0] for vp in complete), sum(vp[1] for vp in complete)


def score_match(scores: Sequence[Sequence[Points]], goal: Goal | int, parties: int = 2) -> MatchTotals:
    """Add up smazzate and say who has won; a number as the goal is a target.

    `scores` holds the points of each of the `parties` for every smazzata; turns are for two parties (ValueError).

    >>> score_match([(1000, 1200), (1010, 900)], 2005).winner is None
    False
    >>> score_match([(2010, 2100)], 2005).winner
    1
    >>> score_match([(2010, 2010)], 2005).finished
    False
    >>> score_match([(800, 700, 310), (710, 400, 400)], 1505, parties=3).winner
    0
    """
    goal = ToTarget(goal) if isinstance(goal, int) else goal
    running = tuple(accumulate(map(tuple, scores), _added))
    totals = running[-1] if running else (0,) * parties
    match goal:
        case ToTarget(target):
            winner = _ahead(totals) if max(totals) >= target else None
            return MatchTotals(totals, winner, running)
        case OneHand(draw):
            winner = _ahead(totals) if running else None
            return MatchTotals(totals, winner, running, draw=draw and bool(running) and winner is None)
        case _:
            return _by_turns(scores, goal, totals, running)


def _added(total: tuple[Points, ...], score: tuple[Points, ...]) -> tuple[Points, ...]:
    return tuple(a + b for a, b in zip(total, score, strict=True))


def _ahead(totals: Sequence[Points]) -> int | None:
    """The one party with the highest total; None where several share it."""
    best = max(totals)
    return totals.index(best) if totals.count(best) == 1 else None


def _by_turns(
    scores: Sequence[Sequence[Points]],
    goal: Turni,
    totals: tuple[Points, ...],
    running: tuple[tuple[Points, ...], ...],
) -> MatchTotals:
    if len(totals) != 2:
        raise ValueError(f"{len(totals)} parties; expected 2 where Victory Points decide")
    each = goal.table.smazzate
    turni = tuple(_turno(scores[at : at + each], goal.table) for at in range(0, len(scores), each))
    so_far = MatchTotals(totals, None, running, turni=turni)
    if len(scores) < goal.smazzate or len(scores) % each:
        return so_far
    winner = _ahead(so_far.vp)
    if winner is None:
        winner = _ahead(totals)
    return MatchTotals(totals, winner, running, draw=goal.draw and winner is None, turni=turni)


def _turno(scores: Sequence[Sequence[Points]], table: VpTable) -> Turno:
    mp = sum(score[0] for score in scores), sum(score[1] for score in scores)
    return Turno(mp, table.of(*mp) if len(scores) == table.smazzate else None)
