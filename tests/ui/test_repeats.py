"""Uploads that are sent twice, or come late, change nothing twice."""

from __future__ import annotations

import pytest

from scoring.cards import Card
from scoring.store.state import AttachMode
from tests.ui.game import Table
from tests.ui.pictures import TABLE, picture
from ui import commands as c
from ui.services import Refused, Services
from ui.viewmodels import JobStatus

OTHER = (60, 60, 60)


def test_two_uploads_at_once_are_one(table: Table) -> None:
    send = {"match_id": table.view.id, "side": 0}
    first, second = (table.services.read_photo(picture(), device=device, **send) for device in "ab")
    assert first.id == second.id
    table.services.wait(first.id, 30)
    assert table.services.seq(table.view.id) == table.view.seq + 1


@pytest.mark.parametrize("mode", AttachMode)
def test_a_photo_sent_again_later_keeps_the_corrections(table: Table, mode: AttachMode) -> None:
    table.photo(0)
    table.do(c.ChangeCard(table.card("5♣"), Card.parse("6♣")))
    before = table.text(0)
    again = table.services.read_photo(picture(), match_id=table.view.id, side=0, mode=mode, device="b")
    assert (again.status, again.photo is not None, again.reading_json is not None) == (JobStatus.DONE, True, True)
    assert table.services.seq(table.view.id) == table.view.seq
    assert table.text(0) == before


def test_a_photo_of_the_other_side_or_another_photo_is_no_repeat(table: Table) -> None:
    for side, colour in ((0, TABLE), (1, TABLE), (1, OTHER)):
        seen = table.view.seq
        table.photo(side, colour)
        assert table.view.seq == seen + 1


def test_a_photo_that_was_taken_away_is_read_anew(table: Table) -> None:
    table.photo(0)
    table.do(c.ClearSide(0))
    table.photo(0)
    assert table.text(0)


def test_a_photo_of_a_confirmed_smazzata_never_comes_into_the_next(table: Table) -> None:
    table.photo(0)
    table.do(c.NothingLaid(1))
    table.answer()
    table.do(c.Confirm(anyway=True))
    seen = table.view.seq
    with pytest.raises(Refused) as caught:
        table.services.read_photo(picture(), match_id=table.view.id, side=0, device="b")
    assert caught.value.message.params == {"number": 1}
    assert table.services.seq(table.view.id) == seen
    table.photo(0, OTHER)
    assert table.view.seq == seen + 1


def test_a_photo_that_is_read_while_the_smazzata_is_confirmed_stays_out_of_the_next(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(services)
    table.photo(0)
    table.do(c.NothingLaid(1))
    table.answer()
    attach = services._attach

    def confirm_first(*args: object, **kwargs: object) -> object:
        table.do(c.Confirm(anyway=True))
        return attach(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(services, "_attach", confirm_first)
    job = services.read_photo(picture(OTHER), match_id=table.view.id, side=0, device="b")
    done = services.wait(job.id, 30)
    assert (done.status, done.message and done.message.key) == (JobStatus.FAILED, "scan.smazzata_over")
    assert services.match(table.view.id).table.number == 2
    assert not services.match(table.view.id).table.sides[0].draft.entered
