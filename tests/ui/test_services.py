"""The use cases, from a photo to a total, with a reader that needs no networks."""

from __future__ import annotations

import os
import signal
import threading
from functools import partial
from pathlib import Path

import pytest

from scoring.cards import Card, parse_cards
from scoring.smazzata import Held, Pozzetto
from scoring.store.events import Event
from scoring.store.state import AttachMode, CardSource, Closed
from tests.ui.conftest import settings_for
from tests.ui.fake_reader import MELDS
from tests.ui.game import NEW, Table
from tests.ui.pictures import DIES, DOUBT, HANGS, NO_CARDS, picture
from ui import commands as c
from ui.demo import sample_photos
from ui.errors import Busy, Conflict, NotFound, Refused, ServiceError
from ui.i18n import LANGUAGES, say
from ui.services import Services
from ui.viewmodels import JobStatus, MatchView, NewMatch

SPLIT = [*MELDS, "(5♣)"]


def test_from_a_photo_to_a_total(table: Table) -> None:
    assert table.keys()[0] == {"missing.side", "missing.closed", "missing.pozzetto", "missing.hands"}
    for side in (0, 1):
        assert table.photo(side).status is JobStatus.DONE
    assert table.text() == SPLIT
    table.answer()
    assert table.keys() == (set(), set())
    view = table.do(c.Confirm())
    assert (view.totals, view.table.number, view.finished) == ((395, 285), 2, False)
    ledger = view.confirmed[0].confirmation.ledgers[0]
    assert [(entry.reason, entry.points) for entry in ledger] == [
        ("burrachi", 200),
        ("chiusura", 100),
        ("cards_laid", 95),
    ]


def test_a_restart_loses_nothing(tmp_path: Path) -> None:
    services = Services(settings_for(tmp_path))
    table = Table(services)
    table.photo(0)
    table.do(c.ChangeCard(table.card("9♥"), Card.parse("10♥")), c.AnswerClosed(Closed.NOBODY))
    before = table.view
    services.close()
    again = Services(settings_for(tmp_path))
    assert again.match(before.id, device="a") == before
    assert [summary.id for summary in again.matches()] == [before.id]
    assert again.photo_jpeg(before.table.sides[0].photos[0].sha256).startswith(b"\xff\xd8")
    again.close()


def test_correcting_a_card(table: Table) -> None:
    table.photo(0)
    table.do(c.ChangeCard(table.card("9♥"), Card.parse("2♣")))
    meld = table.view.table.sides[0].melds[0]
    assert (meld.cards[-1].source, meld.cards[-1].probability) == (CardSource.USER, 1.0)
    assert meld.meld.classe.value == "sporco"
    table.do(c.Undo())
    assert (table.text(), table.view.can_redo) == (SPLIT, True)
    table.do(c.Redo())
    assert table.text()[0] == "3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 2♣"


def test_adding_removing_moving_splitting_joining(table: Table) -> None:
    table.photo(0)
    run, kings = (meld.id for meld in table.view.table.sides[0].melds)
    table.do(c.AddCard(0, run, Card.parse("10♥")), c.RemoveCard(table.card("5♣")))
    assert table.text() == ["3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥", MELDS[1]]
    table.do(c.MoveCard(table.card("10♥"), None), c.SplitMeld(run, 3))
    assert table.text() == ["3♥ 4♥ 5♥", "6♥ 7♥ 8♥ 9♥", MELDS[1], "(10♥)"]
    other = table.view.table.sides[0].melds[1].id
    table.do(c.JoinMelds(run, other), c.MoveCard(table.card("10♥"), run, 0))
    assert table.text()[0] == "10♥ 3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥"
    ids = [card.id for card in table.view.table.sides[0].melds[0].cards]
    table.do(c.ReorderMeld(run, (*ids[1:], ids[0])), c.RemoveMeld(kings))
    assert table.text() == ["3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥"]
    table.do(c.AddMeld(0, card_ids=(table.card("10♥"),), cards=parse_cards("10♠ 10♦")))
    assert table.text() == [MELDS[0], "10♥ 10♠ 10♦"]


@pytest.mark.parametrize(
    ("command", "key"),
    [
        (c.ChangeCard("nope", Card.parse("K♥")), "refused.no_such_card"),
        (c.RemoveMeld("nope"), "refused.no_such_meld"),
        (c.AddCard(7, None, Card.parse("K♥")), "refused.no_such_side"),
        (c.AddMeld(0), "refused.empty_meld"),
        (c.EnterSums(0, -5, 0), "refused.points"),
        (c.Rename(("", "B")), "refused.empty_name"),
        (c.Rename(("Noi", "noi ")), "refused.equal_names"),
        (c.UndoConfirmation(), "refused.no_confirmation"),
        (c.Undo(), "refused.nothing_to_undo"),
        (c.Redo(), "refused.nothing_to_redo"),
        (c.Confirm(), "refused.missing"),
        (c.Confirm(anyway=True), "refused.missing"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_sentence(table: Table, command: c.Command, key: str) -> None:
    before = table.view
    with pytest.raises(Refused) as refused:
        table.do(command)
    assert refused.value.message.key == key
    for lang in LANGUAGES:
        assert "{" not in say(refused.value.message, lang)
    assert table.services.match(before.id, device="a") == before


def test_three_equal_cards_and_an_illegal_meld_need_an_explicit_yes(table: Table) -> None:
    for side in (0, 1):
        table.photo(side)
    table.answer()
    table.do(c.AddMeld(0, parse_cards("7♥ 9♣ Q♦")))
    assert table.keys() == (set(), {"fault.too_many_equal", "fault.illegal_meld"})
    with pytest.raises(Refused) as refused:
        table.do(c.Confirm())
    assert "7♥" in say(refused.value.message, "it")
    view = table.do(c.Confirm(anyway=True))
    assert set(view.confirmed[0].confirmation.despite) == {"fault.too_many_equal", "fault.illegal_meld"}


def test_a_loose_card_counts_for_too_many(table: Table) -> None:
    for side in (0, 1):
        table.photo(side)
    table.do(c.AddCard(1, None, Card.parse("5♣")))
    assert table.keys()[1] == {"fault.too_many_equal"}


def test_a_doubt_is_asked_and_settled(table: Table) -> None:
    table.photo(0, DOUBT)
    (doubt,) = table.view.table.sides[0].doubts
    assert (doubt.card_id, doubt.points_at_stake) == (table.card("2♣"), 10)
    assert list(map(str, doubt.alternatives)) == ["JK"]
    assert table.keys()[1] == {"fault.open_doubts"}
    table.do(c.ChangeCard(doubt.card_id, Card.parse("2♣")))
    assert (table.view.table.sides[0].doubts, table.keys()[1]) == ((), set())


def test_a_meld_in_two_photos_is_offered_as_one(table: Table) -> None:
    table.photo(0)
    table.photo(0, (41, 41, 41), AttachMode.ADD)
    first, second = table.view.table.sides[0].melds[0], table.view.table.sides[0].melds[2]
    assert second.twin_of == first.id
    assert "missing.twin" in table.keys()[0]
    table.do(c.KeepTwin(second.id), c.RemoveMeld(table.view.table.sides[0].melds[3].id))
    assert "missing.twin" not in table.keys()[0]
    assert len(table.view.table.sides[0].photos) == 2


def test_a_pozzetto_not_played_needs_its_cards(table: Table) -> None:
    table.do(c.NothingLaid(0), c.AnswerPozzetto(0, Pozzetto.NOT_PLAYED))
    assert "missing.pozzetto_held" in table.keys()[0]
    table.do(c.AnswerPozzetto(0, Pozzetto.NOT_PLAYED, Held(parse_cards("K♥ 3♠"))))
    assert "missing.pozzetto_held" not in table.keys()[0]
    assert table.view.table.sides[0].score.total == -15


def test_who_closed_has_played_its_pozzetto(table: Table) -> None:
    table.do(c.NothingLaid(0), c.NothingLaid(1), c.AnswerClosed(Closed.SIDE_0))
    names = [m.params["name"] for m in table.view.table.missing if m.key == "missing.pozzetto"]
    assert names == ["Loro"]
    table.do(c.AnswerPozzetto(0, Pozzetto.NOT_TAKEN))
    assert "fault.closed_without_pozzetto" in table.keys()[1]


def test_a_side_may_be_entered_as_sums(table: Table) -> None:
    table.do(c.EnterSums(0, 180, 300), c.NothingLaid(1))
    assert table.view.table.sides[0].score.total == 480
    table.photo(0)
    assert table.view.table.sides[0].draft.sums is None


def test_undoing_and_redoing_a_confirmation(table: Table) -> None:
    for side in (0, 1):
        table.photo(side)
    table.answer()
    table.do(c.Confirm(), c.UndoConfirmation())
    assert (table.view.totals, table.view.table.number, table.text()) == ((0, 0), 1, SPLIT)
    table.do(c.Redo())
    assert (table.view.totals, table.view.table.number) == ((395, 285), 2)


def test_the_match_ends_at_its_target(services: Services) -> None:
    table = Table(services, new=NewMatch(("A", "B"), "fibur", 505))
    table.do(c.EnterSums(0, 400, 200), c.EnterSums(1, 100, 0))
    table.answer()
    view = table.do(c.Confirm())
    assert (view.finished, view.winner, view.totals) == (True, 0, (700, 90))
    table.do(c.EnterSums(0, 100, 0), c.EnterSums(1, 100, 0))
    table.answer()
    with pytest.raises(Refused, match="match_finished"):
        table.do(c.Confirm())


# --- several at once ---------------------------------------------------------------------------------------------


def test_the_same_command_twice_changes_once(table: Table) -> None:
    match_id, seq = table.view.id, table.view.seq
    command = c.AddMeld(0, parse_cards("3♥ 4♥ 5♥"))
    views = [
        table.services.apply(match_id, command, seq=seq, device="a", command_id="the-same-command") for _ in range(2)
    ]
    assert views[0] == views[1]
    assert len(views[1].table.sides[0].melds) == 1


def test_a_retried_creation_makes_one_match(services: Services) -> None:
    views = [services.create_match(NEW, device="a", command_id="one-creation") for _ in range(2)]
    assert views[0] == views[1]
    assert len(services.matches()) == 1


def test_a_stale_writer_gets_the_match_as_it_is(table: Table) -> None:
    seen = table.view.seq
    table.do(c.AddMeld(0, parse_cards("3♥ 4♥ 5♥")))
    with pytest.raises(Conflict) as conflict:
        table.services.apply(table.view.id, c.NothingLaid(1), seq=seen, device="b")
    assert conflict.value.current.seq == table.view.seq
    assert len(conflict.value.current.table.sides[0].melds) == 1


@pytest.mark.parametrize(
    ("first", "then", "goes"),
    [
        (c.AnswerClosed(Closed.SIDE_0), c.AnswerPozzetto(1, Pozzetto.PLAYED), True),
        (c.NothingLaid(1), c.AnswerHands(1, (Held(points=5),)), True),
        (c.NothingLaid(1), c.AddMeld(0, parse_cards("3♥ 4♥ 5♥")), True),
        (c.NothingLaid(1), c.AddMeld(1, parse_cards("3♥ 4♥ 5♥")), False),
        (c.AddMeld(1, parse_cards("3♥ 4♥ 5♥")), c.EnterSums(1, 5, 0), False),
        (c.AnswerHands(1, (Held(points=5),)), c.AnswerHands(1, (Held(points=10),)), False),
        (c.AnswerClosed(Closed.SIDE_0), c.AnswerClosed(Closed.SIDE_1), False),
        (c.AnswerClosed(Closed.SIDE_0), c.Confirm(anyway=True), False),
        (c.AnswerClosed(Closed.SIDE_0), c.Undo(), False),
        (c.Rename(("Anna", "Loro")), c.AnswerClosed(Closed.SIDE_0), False),
    ],
)
def test_what_touches_nothing_others_did_is_no_conflict(
    table: Table, first: c.Command, then: c.Command, goes: bool
) -> None:
    seen = table.view.seq
    table.do(first)

    def late() -> MatchView:
        return table.services.apply(table.view.id, then, seq=seen, device="b", rebase=True)

    if goes:
        assert late().seq == table.view.seq + 1
    else:
        with pytest.raises(Conflict):
            late()


def test_an_answer_tapped_while_a_photo_is_attached_is_kept(table: Table) -> None:
    table.photo(0)
    seen, card = table.view.seq, table.card("9♥")
    table.photo(0, DOUBT)
    apply = partial(table.services.apply, table.view.id, seq=seen, device="a", rebase=True)
    assert apply(c.AnswerClosed(Closed.SIDE_0)).table.closed is Closed.SIDE_0
    with pytest.raises(Conflict):
        apply(c.ChangeCard(card, Card.parse("J♥")))


def test_an_edit_another_device_built_on_cannot_be_undone(table: Table) -> None:
    table.photo(0)
    other = table.services.apply(
        table.view.id, c.ChangeCard(table.card("9♥"), Card.parse("J♥")), seq=table.view.seq, device="b"
    )
    table.view = table.services.match(other.id, device="a")
    with pytest.raises(Refused, match="touched_by_another"):
        table.do(c.Undo())


def test_two_writers_lose_nothing(table: Table) -> None:
    match_id, done = table.view.id, []

    def write(device: str) -> None:
        for number in range(8):
            command_id = f"{device}-{number}-command"
            while True:
                try:
                    seq = table.services.match(match_id).seq
                    card = Card.parse("K♥")
                    table.services.apply(
                        match_id, c.AddCard(0, None, card), seq=seq, device=device, command_id=command_id
                    )
                    done.append(command_id)
                    break
                except Conflict:
                    continue

    threads = [threading.Thread(target=write, args=(device,)) for device in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(table.services.match(match_id).table.sides[0].loose) == len(done) == 16


# --- the scan process --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"no picture at all", "photo.not_a_picture"),
        (picture(size=(400, 300))[:600], "photo.truncated"),
        (picture(kind="PNG")[:60], "photo.truncated"),
    ],
)
def test_bad_photos_are_named(table: Table, data: bytes, key: str) -> None:
    table.photo(0)
    job = table.services.read_photo(data, match_id=table.view.id, side=0, device="a")
    job = table.services.wait(job.id, 30)
    assert (job.status, job.message and job.message.key) == (JobStatus.FAILED, key)
    assert table.services.match(table.view.id, device="a").table.sides[0].melds


def test_an_empty_file_is_refused_at_once(table: Table) -> None:
    with pytest.raises(Refused, match=r"photo\.empty"):
        table.services.read_photo(b"", match_id=table.view.id, side=0)


def test_a_photo_without_cards_replaces_nothing(table: Table) -> None:
    table.photo(0)
    job = table.photo(0, NO_CARDS)
    assert (job.status, job.message and job.message.key) == (JobStatus.DONE, "scan.no_cards")
    assert table.text() == SPLIT


def test_a_killed_scan_process_is_started_again(table: Table) -> None:
    table.photo(0)
    pid = table.services.scanner.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    assert table.photo(1).status is JobStatus.DONE
    assert table.services.scanner.pid not in (None, pid)


def test_a_photo_that_kills_the_process_is_given_up(table: Table) -> None:
    job = table.photo(0, DIES)
    assert (job.status, job.message and job.message.key) == (JobStatus.FAILED, "scan.crashed")
    assert table.photo(0).status is JobStatus.DONE


def test_a_photo_that_hangs_is_given_up(tmp_path: Path) -> None:
    services = Services(settings_for(tmp_path, scan_timeout_s=2.0))
    job = Table(services).photo(0, HANGS)
    assert (job.status, job.message and job.message.key) == (JobStatus.FAILED, "scan.timeout")
    services.close()


def test_missing_networks_are_said(tmp_path: Path) -> None:
    services = Services(settings_for(tmp_path, reader="tests.ui.fake_reader:make_broken"))
    table = Table(services)
    job = table.photo(0)
    assert (job.status, job.message and job.message.key) == (JobStatus.FAILED, "scan.no_models")
    services.close()


def test_a_full_queue_says_when_to_come_back(tmp_path: Path) -> None:
    services = Services(settings_for(tmp_path, queue_limit=4, scan_timeout_s=3.0))
    one, two = Table(services), Table(services)
    services.read_photo(picture(HANGS), match_id=one.view.id, side=0, device="a")
    for grey in range(40, 60):
        try:
            services.read_photo(picture((grey,) * 3), match_id=one.view.id, side=0, device="a")
        except Busy as busy:
            assert busy.retry_after_s > 0
            break
    else:
        pytest.fail("the queue never filled")
    job = services.read_photo(picture(), match_id=two.view.id, side=0, device="b")
    assert job.ahead <= 3, "another match still has room, and its turn comes soon"
    services.close()


def test_unknown_ids(services: Services) -> None:
    for ask in (services.match, services.job, services.photo_jpeg):
        with pytest.raises(NotFound):
            ask("nope")


@pytest.mark.parametrize("name", ["nope", "../fibur", "/etc/passwd", "x.toml", ""])
def test_an_unknown_preset_lists_the_known_ones(services: Services, name: str) -> None:
    with pytest.raises(ServiceError) as error:
        services.create_match(NewMatch(("A", "B"), name, 2005), device="a")
    assert "fibur" in say(error.value.message)


def test_a_list_of_matches_reads_only_what_has_gone_on(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = Table(services), Table(services)
    assert [match.id for match in services.matches()] == [second.view.id, first.view.id]
    read: list[str] = []
    events = services._events

    def reading(match_id: str) -> tuple[Event, ...]:
        read.append(match_id)
        return events(match_id)

    monkeypatch.setattr(services, "_events", reading)
    first.do(c.Rename(("Rossi", "Bianchi")))
    read.clear()
    assert [match.names for match in services.matches()] == [("Noi", "Loro"), ("Rossi", "Bianchi")]
    assert read == [first.view.id]
    assert services.matches() and read == [first.view.id]


# --- the demo ----------------------------------------------------------------------------------------------------


def test_the_demo_goes_through_the_line_and_never_enters_the_history(services: Services) -> None:
    match_id = services.demo_match()
    assert services.demo_match() == match_id
    jobs = services.jobs(match_id)
    assert len(jobs) == len(sample_photos()) > 0
    for job in jobs:
        assert services.wait(job.id, 30).status is JobStatus.DONE
    view = services.match(match_id)
    assert view.demo
    assert all(side.melds for side in view.table.sides)
    assert services.matches() == ()
