"""A match: smazzate added up until one side is over the target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate


@dataclass(frozen=True, slots=True)
class MatchTotals:
    """Totals so far, after each smazzata, and who has won: 0 or 1, None while the match goes on."""

    totals: tuple[int, int]
    winner: int | None
    running: tuple[tuple[int, int], ...]

    @property
    def finished(self) -> bool:
        """Whether somebody has won."""
        return self.winner is not None


def score_match(scores: Sequence[tuple[int, int]], target: int) -> MatchTotals:
    """Add up smazzate; once a side has reached the target the higher total wins, a tie at the top plays on.

    `target` is a total of the regolamento's `match.targets`, at least 1 (ValueError). Source: RULES 5, R10.

    >>> score_match([(1000, 1200), (1010, 900)], 2005).winner is None
    False
    >>> score_match([(2010, 2100)], 2005).winner
    1
    >>> score_match([(2010, 2010)], 2005).finished
    False
    """
    if target < 1:
        raise ValueError(f"target {target}; expected 1 or more")
    running = tuple(accumulate(scores, lambda total, score: (total[0] + score[0], total[1] + score[1])))
    ours, theirs = totals = running[-1] if running else (0, 0)
    over = max(totals) >= target and ours != theirs
    return MatchTotals(totals, int(theirs > ours) if over else None, running)
