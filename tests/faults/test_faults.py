"""A small measure of `python -m tests.faults`, which has the figures."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals and limits of POSIX")
if os.name != "nt":
    from tests.faults import cases


def test_killed_while_tables_confirm(tmp_path: Path) -> None:
    result = cases.kill(tmp_path / "data", confirmations=12, kills=2, tables=2, seed=1)
    assert result["good"], result
    assert (result["kills"], result["confirmed"], result["lost"], result["doubled"]) == (2, 12, 0, 0)


def test_a_full_disk(tmp_path: Path) -> None:
    result = cases.full_disk(tmp_path / "data", file_bytes=150_000)
    assert result["good"], result


def test_a_locked_database(tmp_path: Path) -> None:
    result = cases.locked(tmp_path / "data", seconds=6.0)
    assert result["good"], result


def test_a_folder_that_must_not_be_written(tmp_path: Path) -> None:
    for parent in (tmp_path, *tmp_path.parents):
        if parent.stat().st_uid == os.geteuid() and parent != Path("/"):
            parent.chmod(parent.stat().st_mode | 0o055)
    result = cases.read_only(tmp_path / "data")
    assert result["good"], result


def test_a_migration_killed(tmp_path: Path) -> None:
    result = cases.migration(tmp_path, times=2, seed=3)
    assert result["good"], result


def test_a_clock_set_back(tmp_path: Path) -> None:
    result = cases.clock(tmp_path / "data")
    assert result["good"], result
