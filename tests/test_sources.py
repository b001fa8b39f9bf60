"""The source itself: what a merge leaves behind when nobody looks."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEXTS = {".css", ".html", ".ini", ".js", ".json", ".md", ".mako", ".po", ".py", ".toml", ".yaml", ""}
CONFLICT = re.compile("^(<{7} |>{7} |={7}$)", re.MULTILINE)


def test_no_conflict_of_a_merge_is_left() -> None:
    rooms = ("scoring", "vision", "ui", "models", "datasets", "tests", ".ci")
    texts = [*ROOT.glob("*"), *(path for room in rooms for path in (ROOT / room).rglob("*"))]
    read = [path for path in texts if path.is_file() and path.suffix in TEXTS and path.stat().st_size < 10**6]
    assert len(read) > 300
    assert [str(path.relative_to(ROOT)) for path in read if CONFLICT.search(path.read_text("utf-8", "replace"))] == []
