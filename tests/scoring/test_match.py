"""Match totals: the target, who wins, and when the match goes on."""

from __future__ import annotations

import pytest

from scoring.match import score_match


@pytest.mark.parametrize(
    ("scores", "target", "totals", "winner"),
    [
        ([], 2005, (0, 0), None),
        ([(500, 500)], 505, (500, 500), None),
        ([(505, 0)], 505, (505, 0), 0),
        ([(1000, 300), (0, 800)], 1005, (1000, 1100), 1),
        ([(2010, 2100)], 2005, (2010, 2100), 1),
        ([(2010, 2010)], 2005, (2010, 2010), None),
        ([(2010, 2010), (-100, -50)], 2005, (1910, 1960), None),
        ([(2010, 2010), (100, 50)], 2005, (2110, 2060), 0),
        ([(-300, -200)], 505, (-300, -200), None),
    ],
)
def test_totals(scores: list[tuple[int, int]], target: int, totals: tuple[int, int], winner: int | None) -> None:
    match = score_match(scores, target)
    assert (match.totals, match.winner, match.finished) == (totals, winner, winner is not None)
    assert len(match.running) == len(scores)


def test_running_totals() -> None:
    assert score_match([(100, 50), (-20, 300)], 505).running == ((100, 50), (80, 350))


@pytest.mark.parametrize("target", [0, -505])
def test_a_target_is_positive(target: int) -> None:
    with pytest.raises(ValueError, match=str(target)):
        score_match([], target)
