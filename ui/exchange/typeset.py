"""The font that sheets and pictures are written in: DejaVu Sans, unchanged, since it has ♥♦♣♠ and every accent."""

from __future__ import annotations

from ui.settings import ROOT

REGULAR = ROOT / "ui" / "fonts" / "DejaVuSans.ttf"
BOLD = ROOT / "ui" / "fonts" / "DejaVuSans-Bold.ttf"
