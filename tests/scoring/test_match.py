"""Match totals: the target, who wins, and when the match goes on."""

from __future__ import annotations

import pytest

from scoring.match import OneHand, ToTarget, Turni, score_match
from scoring.vp import vp_table_for


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


@pytest.mark.parametrize(
    ("scores", "draw", "winner", "finished"),
    [
        ([], True, None, False),
        ([(500, 300)], True, 0, True),
        ([(300, 500)], False, 1, True),
        ([(300, 300)], True, None, True),
        ([(300, 300)], False, None, False),
        ([(300, 300), (100, 50)], False, 0, True),
    ],
)
def test_one_hand(scores: list[tuple[int, int]], draw: bool, winner: int | None, finished: bool) -> None:
    match = score_match(scores, OneHand(draw))
    assert (match.winner, match.finished) == (winner, finished)


@pytest.mark.parametrize(
    ("scores", "totals", "winner"),
    [
        ([], (0, 0, 0), None),
        ([(1505, 1505, 10)], (1505, 1505, 10), None),
        ([(1000, 700.5, 700.5), (0, 804.5, 800.5)], (1000, 1505, 1501), 1),
        ([(1000, 900, 900), (510, 700, 400)], (1510, 1600, 1300), 1),
    ],
)
def test_three_parties(scores: list[tuple[float, ...]], totals: tuple[float, ...], winner: int | None) -> None:
    match = score_match(scores, ToTarget(1505), parties=3)
    assert (match.totals, match.winner) == (totals, winner)


TURN = [(600, 200), (500, 300), (100, 300)]


@pytest.mark.parametrize(
    ("scores", "vp", "winner", "draw"),
    [
        ([], (0, 0), None, False),
        (TURN[:2], (0, 0), None, False),
        (TURN, (14, 6), None, False),
        (TURN + TURN, (28, 12), 0, False),
        (TURN + [score[::-1] for score in TURN], (20, 20), None, True),
        ([*TURN, (0, 405), (0, 0), (0, 0)], (20, 20), 1, False),
    ],
)
def test_turns_by_victory_points_then_match_points(
    scores: list[tuple[int, int]], vp: tuple[int, int], winner: int | None, draw: bool
) -> None:
    match = score_match(scores, Turni(2, vp_table_for(3)))
    assert (match.vp, match.winner, match.draw, match.finished) == (vp, winner, draw, winner is not None or draw)
    if scores:
        assert match.turni[0].mp == (sum(s[0] for s in scores[:3]), sum(s[1] for s in scores[:3]))


def test_turns_without_a_draw_play_on_a_turn_at_a_time() -> None:
    goal = Turni(2, vp_table_for(3), draw=False)
    even = TURN + [score[::-1] for score in TURN]
    assert not score_match(even, goal).finished
    assert not score_match([*even, (0, 405)], goal).finished, "the turn is not over"
    assert score_match([*even, (0, 405), (0, 0), (0, 0)], goal).winner == 1
    assert not score_match([*even, *[(0, 0)] * 3], goal).finished


def test_turns_are_for_two_sides() -> None:
    with pytest.raises(ValueError, match="3 parties"):
        score_match([(1, 2, 3)], Turni(1, vp_table_for(3)))
    with pytest.raises(ValueError, match="0 turns"):
        Turni(0, vp_table_for(3))
