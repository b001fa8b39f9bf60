"""The sample that ships: rendered pictures of a table, for a demo match that never enters the user's history."""

from __future__ import annotations

from pathlib import Path

from ui.viewmodels import NewMatch

DEMO_PREFIX = "demo-"
DEMO_DEVICE = "demo"
DEMO_MATCH = NewMatch(names=("Noi", "Loro"), regolamento="fibur")
SAMPLE_DIR = Path(__file__).with_name("sample")


def sample_photos() -> tuple[tuple[int, bytes], ...]:
    """The sample pictures with the side each belongs to: `side0*.jpg` and `side1*.jpg`, in order of name."""
    return tuple((int(path.name[4]), path.read_bytes()) for path in sorted(SAMPLE_DIR.glob("side[01]*.jpg")))
