"""The tracked tree itself: what a merge left half done must never be committed."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
_MARKER = re.compile(rb"^(?:<{7} |>{7} |\|{7} |={7}$)", re.MULTILINE)


def _left_over(data: bytes) -> list[bytes]:
    return [] if b"\0" in data else _MARKER.findall(data)


def test_a_marker_of_a_merge_is_known_as_one() -> None:
    both = b"".join((b"<" * 7, b" HEAD\na\n", b"=" * 7, b"\nb\n", b">" * 7, b" other\n"))
    assert len(_left_over(both)) == 3
    assert not _left_over(b"a table\n========\n")


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no git checkout")
def test_no_file_holds_the_two_halves_of_a_merge() -> None:
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    files = [ROOT / name for name in names.split("\0") if name]
    assert len(files) > 100
    marked = [str(path.relative_to(ROOT)) for path in files if path.is_file() and _left_over(path.read_bytes())]
    assert not marked
