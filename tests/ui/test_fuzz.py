"""A small measure of `python -m tests.fuzz`, which has the figures."""

from __future__ import annotations

import pytest

from tests.fuzz import FRESH_EVERY, run
from tests.scoring.places import SERVER


def test_no_spoilt_input_is_a_crash_or_a_fault_of_the_server() -> None:
    result = run(400, seed=3)
    assert (result["crashes"], result["other_5xx"]) == (0, 0), result["went_wrong"]
    assert set(result["by_kind"].values()) == {100}
    assert FRESH_EVERY > 400, "one server is enough here"


@pytest.mark.skipif(not SERVER, reason="BURRACO_TEST_POSTGRES names no server")
def test_nor_on_postgresql() -> None:
    result = run(400, seed=4, db=SERVER)
    assert (result["crashes"], result["other_5xx"]) == (0, 0), result["went_wrong"]
