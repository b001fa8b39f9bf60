"""SECURITY.md names a test for each threat; each of them is there."""

from __future__ import annotations

import re

from ui.settings import ROOT

PAGE = (ROOT / "SECURITY.md").read_text("utf-8")


def test_every_test_that_the_page_names_is_there() -> None:
    source = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert len(named) > 20
    assert [name for name in sorted(named) if f"def {name}(" not in source] == []
    files = set(re.findall(r"`(test_\w+\.py)`", PAGE))
    assert [name for name in sorted(files) if not list((ROOT / "tests").rglob(name))] == []


def test_every_threat_has_a_test() -> None:
    rows = [row for row in PAGE.partition("## Threats")[2].splitlines() if row.startswith("| ") and "---" not in row]
    without = [row for row in rows[1:] if "test_" not in row and "make audit" not in row]
    assert len(rows) > 15 and without == []
