"""Makes a stored database of the revision whose code runs this: `python -m tests.golden.db.make tests/golden/db/NAME`.

Run it once with the last code before a migration; never make an old one anew with newer code.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path

from scoring.cards import Card
from scoring.smazzata import Pozzetto
from scoring.store.state import AttachMode, Closed
from tests.ui.conftest import settings_for
from tests.ui.game import Table
from tests.ui.pictures import DOUBT
from ui import commands as c
from ui.services import Services


def play(services: Services) -> None:
    """A match of two smazzate with a photo, a correction, an undo and a redo, a third left open; and a deleted one."""
    table = Table(services)
    table.photo(0)
    table.photo(1, DOUBT)
    table.do(c.ChangeCard(table.card("9♥"), Card.parse("10♥")), c.Undo(), c.Redo(), c.Undo())
    table.answer()
    table.do(c.Confirm(anyway=True), c.Rename(("Ännchen ♥", "Loro")))
    table.do(c.EnterSums(0, 100, 200), c.NothingLaid(1))
    table.do(c.AnswerClosed(Closed.NOBODY))
    for side in (0, 1):
        table.do(c.AnswerPozzetto(side, Pozzetto.NOT_TAKEN), c.AnswerHands(side, ()))
    table.do(c.Confirm(anyway=True), c.UndoConfirmation(), c.Redo())
    table.photo(0)
    table.photo(0, mode=AttachMode.ADD)
    table.do(c.NothingLaid(1))
    Table(services, device="b").do(c.DeleteMatch())


def make(folder: Path) -> None:
    """The database, its photos, and `expected.json`: what that code said of it."""
    services = Services(settings_for(folder))
    play(services)
    (summary,) = services.matches()
    view = services.match(summary.id)
    expected = {
        "id": view.id,
        "seq": view.seq,
        "names": list(view.names),
        "totals": list(view.totals),
        "ledgers": [
            [[[e.reason, e.points, e.cards] for e in ledger] for ledger in s.confirmation.ledgers]
            for s in view.confirmed
        ],
        "open": [[str(card.card) for meld in side.melds for card in meld.cards] for side in view.table.sides],
    }
    services.close()
    file = sqlite3.connect(folder / "burraco.sqlite3")
    expected["revision"] = file.execute("SELECT version_num FROM alembic_version").fetchone()[0]
    expected["events"] = file.execute("SELECT count(*) FROM event").fetchone()[0]
    file.execute("PRAGMA journal_mode=DELETE")
    file.execute("VACUUM")
    file.close()
    (folder / "expected.json").write_text(json.dumps(expected, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    make(Path(sys.argv[1]))
