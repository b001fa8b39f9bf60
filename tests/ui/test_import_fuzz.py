"""Whatever a file says: it is refused with a sentence, or it is a match that every page, sheet and undo can take."""

from __future__ import annotations

import contextlib
import json
import os
import random
from pathlib import Path
from typing import Any

from scoring.cards import parse_cards
from scoring.sides import Held, Pozzetto
from scoring.store.events import Event
from scoring.store.fold import fold
from scoring.store.state import Closed
from tests.spoil import places, spoilt, spoilt_text
from tests.ui.game import Table
from tests.ui.inline_scan import inline_services
from tests.ui.pictures import DOUBT
from ui import commands as c
from ui.api.shown import match_out
from ui.compiling import compile_history
from ui.errors import Refused, ServiceError
from ui.exchange.match_file import parse_match
from ui.exchange.tables import ledgers_csv, read_totals, totals_csv
from ui.presenting import match_view

ROUNDS = int(os.environ.get("BURRACO_FUZZ", "400"))


def story(folder: Path) -> dict[str, Any]:
    """A match in which nearly everything happens."""
    with inline_services(folder) as services:
        table = Table(services)
        table.photo(0)
        table.photo(1, DOUBT)
        table.do(c.Undo(), c.Redo(), c.Rename(("A", "B")))
        table.answer()
        table.do(c.Confirm(anyway=True), c.UndoConfirmation(), c.Redo())
        table.do(c.AddMeld(0, parse_cards("3♥ 4♥ 5♥")), c.EnterSums(1, 100, 0), c.Undo())
        table.do(c.AnswerClosed(Closed.SIDE_1), c.AnswerPozzetto(0, Pozzetto.NOT_PLAYED, Held(points=20)))
        table.do(c.DeleteMatch(), c.UndoDeletion())
        made: dict[str, Any] = json.loads(services.export_json(table.view.id))
        return made


def shown_everywhere(events: tuple[Event, ...]) -> None:
    state = fold(events)
    view = match_view(events, state, device="a", demo=False)
    for lang in ("it", "en"):
        match_out(view, lang)
        totals_csv(view, lang)
        ledgers_csv(view, lang)
    for device in {event.device for event in events}:
        for command in (c.Undo(), c.Redo(), c.UndoConfirmation()):
            with contextlib.suppress(Refused):
                compile_history(command, events, device)
    for count in range(1, len(events), 3):
        past = events[:count]
        match_out(match_view(past, fold(past), device="a", demo=False), "it")


def test_a_spoilt_file_is_refused_or_harmless(tmp_path: Path) -> None:
    data, rng = story(tmp_path), random.Random(5)
    ways = [way for way in places(data) if way[0] != "summary"]
    taken = refused = 0
    for _ in range(ROUNDS):
        text = json.dumps(spoilt(data, ways, rng), ensure_ascii=False)
        try:
            events, _ = parse_match(text)
        except ServiceError:
            refused += 1
            continue
        taken += 1
        shown_everywhere(events)
    assert refused > ROUNDS // 10 and taken > 0


def test_a_spoilt_table_is_refused_or_read() -> None:
    rng = random.Random(7)
    for _ in range(ROUNDS * 5):
        text = spoilt_text("smazzata;Noi;Loro\n1;505;320\n2;-75;840\n", rng)
        try:
            totals = read_totals(text)
        except ServiceError:
            continue
        assert all(len(row) == len(totals.names) for row in totals.rows)
