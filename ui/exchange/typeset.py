"""The font that sheets and pictures are written in: DejaVu Sans, unchanged, since it has ♥♦♣♠ and every accent."""

from __future__ import annotations

from scoring.formato import Points
from ui.settings import ROOT

REGULAR = ROOT / "ui" / "fonts" / "DejaVuSans.ttf"
BOLD = ROOT / "ui" / "fonts" / "DejaVuSans-Bold.ttf"


def points_text(value: Points) -> str:
    """Points with a true minus and a true half."""
    whole = str(abs(int(value)))
    half = "½" if abs(value) != abs(int(value)) else ""
    return ("−" if value < 0 else "") + ("" if half and whole == "0" else whole) + half
