"""What lies at a meld and could not be read: asked with its place, named or dismissed, and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scoring.cards import Card
from tests.ui.game import Table
from tests.ui.inline_scan import inline_services
from tests.ui.pictures import TABLE, UNREAD
from ui import commands as c
from ui.api.shown import match_out
from ui.errors import ServiceError
from ui.viewmodels import MeldView

HEARTS = "3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥"


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Table]:
    with inline_services(tmp_path) as services:
        table = Table(services)
        table.photo(0, UNREAD)
        yield table


def melds(table: Table) -> tuple[MeldView, ...]:
    return table.view.table.sides[0].melds


def test_it_is_asked_with_its_place_and_what_it_may_be(asked: Table) -> None:
    (unread,) = melds(asked)[0].unread
    (photo,) = asked.view.table.sides[0].photos
    assert (unread.photo, unread.alternatives, unread.points_at_stake) == (photo.sha256, (Card.parse("10♥"),), 10)
    assert "fault.open_doubts" in asked.keys()[1]
    (shown,) = match_out(asked.view, "it").table.sides[0].unread
    assert (shown.id, shown.meld_id, shown.alternatives) == (unread.id, melds(asked)[0].id, ["10♥"])
    assert shown.quad[0] == pytest.approx(unread.quad[0])


def test_its_name_lays_it_where_it_lies(asked: Table) -> None:
    (unread,) = melds(asked)[0].unread
    asked.do(c.NameUnread(unread.id, Card.parse("10♥")))
    assert asked.text()[0] == f"{HEARTS} 10♥"
    laid = melds(asked)[0].cards[-1]
    assert (laid.quad, laid.photo, melds(asked)[0].unread) == (unread.quad, unread.photo, ())
    assert asked.view.table.sides[0].score.total == 305 and "fault.open_doubts" not in asked.keys()[1]
    asked.do(c.Undo())
    assert asked.text()[0] == HEARTS and melds(asked)[0].unread == (unread,), "asked again once it is taken back"


def test_what_lies_between_two_cards_is_laid_there(asked: Table) -> None:
    (unread,) = melds(asked)[0].unread
    beyond = tuple((x + 70, y) for x, y in unread.quad)
    jack = c.AddCard(0, melds(asked)[0].id, Card.parse("J♥"), photo=unread.photo, quad=beyond)
    asked.do(jack, c.NameUnread(unread.id, Card.parse("10♥")))
    assert asked.text()[0] == f"{HEARTS} 10♥ J♥"


def test_what_is_no_card_is_asked_about_no_more(asked: Table) -> None:
    (unread,) = melds(asked)[0].unread
    asked.do(c.DismissUnread(unread.id))
    assert asked.text()[0] == HEARTS and melds(asked)[0].unread == ()
    assert "fault.open_doubts" not in asked.keys()[1]
    for command in (c.DismissUnread(unread.id), c.NameUnread(unread.id, Card.parse("10♥"))):
        with pytest.raises(ServiceError) as refused:
            asked.do(command)
        assert refused.value.message.key == "refused.no_such_card"


def test_it_goes_with_its_meld(asked: Table) -> None:
    hearts, kings = melds(asked)
    (unread,) = hearts.unread
    asked.do(c.JoinMelds(kings.id, hearts.id))
    assert melds(asked)[0].unread == (unread,)
    asked.do(c.Undo(), c.RemoveMeld(hearts.id))
    assert [meld.unread for meld in melds(asked)] == [()]


def test_two_devices_answer_it_only_once(asked: Table) -> None:
    other = Table.__new__(Table)
    other.services, other.device, other.view = asked.services, "b", asked.view
    (unread,) = melds(asked)[0].unread
    asked.do(c.NameUnread(unread.id, Card.parse("10♥")))
    with pytest.raises(ServiceError):
        other.do(c.DismissUnread(unread.id))
    assert asked.services.match(asked.view.id).seq == asked.view.seq


def test_another_photo_of_the_side_asks_its_own_questions(asked: Table) -> None:
    asked.photo(0, TABLE)
    assert [meld.unread for meld in melds(asked)] == [(), ()]
