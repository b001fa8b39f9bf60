"""Logs and metrics: they say what happens, and nothing about anybody."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ui.doors.test_guard import Knock
from tests.ui.game import Table
from tests.ui.pictures import DOUBT, NO_CARDS
from ui import commands as c
from ui.logs import JsonLines, start_logging
from ui.metrics import Counter, Gauge, Histogram, exposition
from ui.roles import Role
from ui.services import Services

NAME = "Rosalia Incardona"
SAMPLE = re.compile(r'^[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? -?[0-9.e+]+$')


@pytest.fixture
def lines(tmp_path: Path) -> Iterator[Path]:
    root = logging.getLogger()
    before = root.handlers[:]
    path = start_logging(tmp_path)
    yield path
    for handler in root.handlers[:]:
        handler.close()
    root.handlers = before


def read(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_request_is_one_line_without_who_or_what(lines: Path, tmp_path: Path) -> None:
    knock = Knock(tmp_path / "data")
    cookie = knock.cookie(Role.TABLE)
    knock.ask(f"/api/matches/{NAME}?q={NAME}", cookie=cookie, user_agent=NAME)
    knock.ask(f"/entra/{NAME}", client="192.168.1.77")
    first, second = read(lines)
    assert (first["part"], first["method"], first["status"], first["role"]) == ("api", "GET", 200, "table")
    assert (second["status"], second["role"]) == (401, None)
    written = lines.read_text("utf-8")
    for secret in ("Rosalia", "192.168.1.77", cookie.partition("=")[2]):
        assert secret not in written


def test_an_error_is_its_kind_and_its_places(lines: Path) -> None:
    try:
        int(NAME)
    except ValueError:
        logging.getLogger("burraco.services").exception("something failed")
        logging.getLogger("somebody.else").exception("could not read %s", NAME)
    own, foreign = read(lines)
    assert (own["what"], own["error"], own["level"]) == ("something failed", "ValueError", "error")
    assert "tests/ui/test_logs.py" in str(own["places"])
    assert "Rosalia" not in lines.read_text("utf-8")
    assert str(foreign["what"]).startswith("test_logs.py:")


def test_a_line_is_one_line() -> None:
    record = logging.LogRecord("burraco.x", logging.INFO, __file__, 1, "two\nlines", (), None)
    assert "\n" not in JsonLines().format(record)


def test_the_text_format() -> None:
    counter, histogram = Counter("a_total", "A.", ("what",)), Histogram("b_seconds", "B.", "stage", (0.1, 1))
    counter.add('odd "\\\n name')
    counter.add("plain", count=2)
    for value in (0.05, 0.1, 0.5, 7):
        histogram.observe("read", value)
    assert list(counter.lines())[2:] == ['a_total{what="odd \\"\\\\\\n name"} 1', 'a_total{what="plain"} 2']
    assert list(histogram.lines())[2:] == [
        'b_seconds_bucket{stage="read",le="0.1"} 2',
        'b_seconds_bucket{stage="read",le="1"} 3',
        'b_seconds_bucket{stage="read",le="+Inf"} 4',
        'b_seconds_sum{stage="read"} 7.650000',
        'b_seconds_count{stage="read"} 4',
    ]
    text = exposition((Gauge("c", "C.", lambda: 3),))
    assert text.endswith("c 3\n")
    samples = [line for line in text.splitlines() if not line.startswith("#")]
    assert [line for line in samples if not SAMPLE.match(line)] == []


def value(name: str) -> float:
    found = [line.rpartition(" ")[2] for line in exposition().splitlines() if line.startswith(f"{name} ")]
    return float(found[0]) if found else 0.0


def test_what_happens_at_a_table_is_counted(services: Services) -> None:
    names = (
        'burraco_scans_total{outcome="read"}',
        'burraco_scans_total{outcome="no_cards"}',
        "burraco_doubts_total",
        'burraco_corrections_total{command="RemoveCard"}',
        'burraco_stage_seconds_count{stage="wait"}',
        'burraco_stage_seconds_count{stage="decode"}',
        'burraco_stage_seconds_count{stage="all"}',
    )
    before = [value(name) for name in names]
    table = Table(services)
    table.photo(0, DOUBT)
    table.photo(1, NO_CARDS)
    table.do(c.RemoveCard(table.card("5♣")))
    assert [value(name) - was for name, was in zip(names, before, strict=True)] == [1, 1, 1, 1, 2, 2, 2]
