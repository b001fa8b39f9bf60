"""A card that the border of its photo cuts is marked so, on the page and in the API."""

from __future__ import annotations

from pathlib import Path

from scoring.cards import Card
from tests.ui.game import Table
from tests.ui.inline_scan import inline_services
from ui import commands as c
from ui.api.shown import match_out
from ui.views.boxes import side_box


def test_a_card_over_the_border_is_marked(tmp_path: Path) -> None:
    with inline_services(tmp_path) as services:
        table = Table(services)
        table.photo(0)
        side = table.view.table.sides[0]
        (photo,), meld = side.photos, side.melds[0].id
        over = ((-40.0, 300.0), (40.0, 300.0), (40.0, 420.0), (-40.0, 420.0))
        table.do(c.AddCard(0, meld, Card.parse("10♥"), photo=photo.sha256, quad=over))
        shown = match_out(table.view, "it").table.sides[0]
        assert [card.cut_off for card in shown.cards[meld]] == [False] * 7 + [True]
        box = side_box(table.view, 0, "it", 0).groups[0].cards[-1]
        assert box.cut and "Il bordo della foto la taglia." in box.note
