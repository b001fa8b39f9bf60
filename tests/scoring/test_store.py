"""The ledger: nothing lost, nothing doubled, nobody overtaken."""

from __future__ import annotations

import multiprocessing
import sqlite3
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect

from scoring.formato import dump_formato, load_formato
from scoring.store.backup import NotEmpty, load_backup, save_backup
from scoring.store.checking import check
from scoring.store.database import Database, MatchExists, StaleSeq, UnknownMatch
from scoring.store.events import Event, EventKind, Payload, card_from_json, touched
from scoring.store.fold import active_events, fold, gather, in_the_way, opened, redo_target, undo_target
from scoring.store.recent import MOST_MATCHES, Recent
from scoring.store.state import Closed
from scoring.store.tables import Base
from tests.scoring.places import Place, place

__all__ = ["place"]

CREATED = {"names": ["Noi", "Loro"], "regolamento": "fibur", "target": 2005}
LEDGER = [[["burrachi", 200, ""], ["cards_laid", 45, "3♥ 4♥"]], [["cards_in_hand", -25, "A♥ K♠"]]]


def card(card_id: str, name: str) -> dict[str, object]:
    return {"id": card_id, "card": name, "source": "seen", "p": 0.9, "quad": None, "alternatives": [], "photo": None}


def on(side: int = 0, smazzata: int = 1, **payload: object) -> Payload:
    return {"smazzata": smazzata, "side": side, **payload}


class Story:
    """Events of one match, written one after the other; every state in between is foldable."""

    def __init__(self, created: Payload = CREATED) -> None:
        self.events: list[Event] = []
        self.add(EventKind.MATCH_CREATED, created)

    def add(self, kind: EventKind, payload: Payload, device: str = "a") -> Event:
        seq = len(self.events) + 1
        event = Event("m", seq, f"c{seq}", device, f"2026-01-01T00:00:{seq:02}", kind, payload)
        self.events.append(event)
        return event

    def meld(self, *cards: str, device: str = "a", new_id: str = "M") -> Event:
        made = [card(f"{new_id}{i}", name) for i, name in enumerate(cards)]
        return self.add(EventKind.MELD_ADDED, on(new_id=new_id, card_ids=[], cards=made), device)

    def undo(self, target: Event, device: str = "a") -> Event:
        return self.add(EventKind.UNDONE, {"target": target.seq}, device)

    def confirm(self, smazzata: int = 1) -> Event:
        payload = {"smazzata": smazzata, "ledgers": LEDGER, "base": [200, 0], "carte": [45, -25], "despite": []}
        return self.add(EventKind.SMAZZATA_CONFIRMED, payload)

    def text(self, side: int = 0) -> list[str]:
        draft = fold(self.events).current.sides[side]
        melds = [" ".join(str(c.card) for c in meld.cards) for meld in draft.melds]
        return melds + [f"({c.card})" for c in draft.loose]


def test_an_empty_story_is_no_match() -> None:
    with pytest.raises(ValueError, match="begins"):
        fold([])


def test_a_new_match_waits_for_its_first_smazzata() -> None:
    state = fold(Story().events)
    assert (state.seq, state.names, state.current.number, state.confirmed) == (1, ("Noi", "Loro"), 1, ())


@pytest.mark.parametrize(
    ("kind", "payload", "expected"),
    [
        (EventKind.CARD_CHANGED, on(card_id="M1", to="9♠"), ["3♥ 9♠ 5♥"]),
        (EventKind.CARD_ADDED, on(card=card("x", "6♥"), meld_id="M", at=None), ["3♥ 4♥ 5♥ 6♥"]),
        (EventKind.CARD_ADDED, on(card=card("x", "2♥"), meld_id="M", at=0), ["2♥ 3♥ 4♥ 5♥"]),
        (EventKind.CARD_ADDED, on(card=card("x", "K♠"), meld_id=None, at=None), ["3♥ 4♥ 5♥", "(K♠)"]),
        (EventKind.CARD_REMOVED, on(card_id="M0"), ["4♥ 5♥"]),
        (EventKind.CARD_MOVED, on(card_id="M0", meld_id=None), ["4♥ 5♥", "(3♥)"]),
        (EventKind.CARD_MOVED, on(card_id="M0", meld_id="M", at=2), ["4♥ 5♥ 3♥"]),
        (EventKind.MELD_REORDERED, on(meld_id="M", card_ids=["M2", "M0", "M1"]), ["5♥ 3♥ 4♥"]),
        (EventKind.MELD_SPLIT, on(meld_id="M", at=1, new_id="N"), ["3♥", "4♥ 5♥"]),
        (EventKind.MELD_REMOVED, on(meld_id="M"), []),
        (EventKind.MELD_ADDED, on(new_id="N", card_ids=["M1"], cards=[card("x", "J♣")]), ["3♥ 5♥", "4♥ J♣"]),
        (EventKind.NOTHING_LAID, on(), []),
        (EventKind.SIDE_CLEARED, on(), []),
        (EventKind.CARD_REMOVED, on(card_id="nowhere"), ["3♥ 4♥ 5♥"]),
        (EventKind.CARD_MOVED, on(card_id="M0", meld_id="nowhere"), ["3♥ 4♥ 5♥"]),
        (EventKind.MELD_SPLIT, on(meld_id="M", at=9, new_id="N"), ["3♥ 4♥ 5♥"]),
    ],
)
def test_edits(kind: EventKind, payload: Payload, expected: list[str]) -> None:
    story = Story()
    story.meld("3♥", "4♥", "5♥")
    edit = story.add(kind, payload)
    assert story.text() == expected
    story.undo(edit)
    assert story.text() == ["3♥ 4♥ 5♥"]
    story.add(EventKind.REDONE, {"target": edit.seq})
    assert story.text() == expected


def test_joining_melds_keeps_every_card() -> None:
    story = Story()
    story.meld("3♥", "4♥")
    story.meld("5♥", "6♥", new_id="N")
    story.add(EventKind.MELDS_JOINED, on(meld_id="M", other_id="N"))
    assert story.text() == ["3♥ 4♥ 5♥ 6♥"]


def test_a_second_photo_replaces_unless_it_is_added() -> None:
    story = Story()
    photo = {"photo": "f" * 64, "size_wh": [10, 10], "loose": [], "doubts": []}
    first = on(mode="replace", melds=[{"id": "A", "cards": [card("a", "3♥")]}], **photo)
    second = on(mode="replace", melds=[{"id": "B", "cards": [card("b", "4♥")]}], **photo)
    third = on(mode="add", melds=[{"id": "C", "cards": [card("c", "5♥")], "twin_of": "B"}], **photo)
    for payload in (first, second):
        story.add(EventKind.PHOTO_ATTACHED, payload)
    assert story.text() == ["4♥"]
    story.add(EventKind.PHOTO_ATTACHED, third)
    assert story.text() == ["4♥", "5♥"]
    assert fold(story.events).current.sides[0].melds[1].twin_of == "B"
    story.add(EventKind.TWIN_KEPT, on(meld_id="C"))
    assert fold(story.events).current.sides[0].melds[1].twin_of is None


def test_confirming_opens_the_next_and_undoing_brings_the_draft_back() -> None:
    story = Story()
    story.meld("3♥", "4♥", "5♥")
    story.add(EventKind.CLOSED_ANSWERED, {"smazzata": 1, "closed": "0"})
    confirmation = story.confirm()
    state = fold(story.events)
    assert (state.current.number, state.smazzate[0].confirmed.totals) == (2, (245, -25))
    story.add(EventKind.NOTHING_LAID, on(smazzata=2))
    story.undo(confirmation)
    state = fold(story.events)
    assert (state.current.number, state.current.closed, story.text()) == (1, Closed.SIDE_0, ["3♥ 4♥ 5♥"])
    assert redo_target(story.events, "b") == confirmation
    story.add(EventKind.REDONE, {"target": confirmation.seq})
    state = fold(story.events)
    assert (state.current.number, state.current.sides[0].nothing_laid) == (2, True)


def test_undo_is_per_device_and_walks_back() -> None:
    story = Story()
    first = story.meld("3♥")
    other = story.meld("4♥", device="b", new_id="N")
    second = story.meld("5♥", new_id="O")
    assert undo_target(story.events, "a") == second
    assert undo_target(story.events, "b") == other
    assert undo_target(story.events, "c") is None
    story.undo(second)
    assert (undo_target(story.events, "a"), redo_target(story.events, "a")) == (first, second)
    story.meld("6♥", new_id="P")
    assert redo_target(story.events, "a") is None


@pytest.mark.parametrize("formato", ["quattro", "tre", "sei"])
def test_what_was_gathered_is_not_gathered_again(formato: str) -> None:
    story = Story(CREATED | {"names": ["A", "B", "C"], "formato": dump_formato(load_formato(formato))})
    first = story.meld("3♥", "4♥", "5♥")
    story.add(EventKind.CARD_CHANGED, on(card_id="M0", to="6♥"))
    story.undo(first)
    story.add(EventKind.REDONE, {"target": first.seq})
    story.add(EventKind.CLOSED_ANSWERED, {"smazzata": 1, "closed": "0"})
    story.confirm()
    story.meld("K♠", new_id="N")
    story.add(EventKind.SIDE_CLEARED, on(1, 2))
    opening = story.confirm(2)
    story.undo(opening)
    story.add(EventKind.MATCH_DELETED, {})
    gathered = None
    for seq in range(1, len(story.events) + 1):
        gathered = gather(story.events[:seq], gathered)
        assert opened(gathered) == fold(story.events[:seq]), story.events[seq - 1].kind
    assert opened(gather(story.events[:2], gathered)) == fold(story.events[:2]), "a state of later events is no help"


def test_what_another_device_touched_since_is_in_the_way() -> None:
    story = Story()
    meld = story.meld("3♥", "4♥")
    assert in_the_way(story.events, meld) is None
    change = story.add(EventKind.CARD_CHANGED, on(card_id="M1", to="9♠"), "b")
    assert touched(change) == {"M1"}
    assert in_the_way(story.events, meld) == change
    story.undo(change, "b")
    assert in_the_way(story.events, meld) is None
    assert len(active_events(story.events)) == 2


# --- the database ------------------------------------------------------------------------------------------------


def create(db: Database, match_id: str = "m", command_id: str = "create-m") -> None:
    db.append(match_id, 0, command_id=command_id, device="a", kind=EventKind.MATCH_CREATED, payload=CREATED)


def rename(db: Database, seq: int, command_id: str, name: str = "X") -> tuple[Event, ...]:
    payload = {"names": [name, "Y"]}
    return db.append("m", seq, command_id=command_id, device="a", kind=EventKind.RENAMED, payload=payload)


def test_events_are_there_after_a_restart(place: Place) -> None:
    db = place.open()
    create(db)
    rename(db, 1, "one", "Ännchen ♥")
    db.close()
    again = place.open()
    assert fold(again.events("m")).names == ("Ännchen ♥", "Y")
    assert again.match_ids() == ("m",)


def test_the_same_command_is_written_once(place: Place) -> None:
    db = place.open()
    create(db)
    rename(db, 1, "one")
    assert len(rename(db, 1, "one", "other")) == 2
    assert fold(db.events("m")).names == ("X", "Y")


def test_a_stale_writer_is_told_what_happened(place: Place) -> None:
    db = place.open()
    create(db)
    rename(db, 1, "one")
    with pytest.raises(StaleSeq) as stale:
        rename(db, 1, "two")
    assert len(stale.value.events) == 2


def test_an_unknown_match(place: Place) -> None:
    db = place.open()
    with pytest.raises(UnknownMatch):
        db.events("nope")
    with pytest.raises(UnknownMatch):
        rename(db, 0, "one")


def test_two_databases_on_one_file_see_each_other(place: Place) -> None:
    one, two = place.open(), place.open()
    create(one)
    assert len(two.events("m")) == 1
    rename(two, 1, "one")
    assert len(one.events("m")) == 2


def _write_many(place: Place, name: str, count: int) -> None:
    db = place.open()
    for number in range(count):
        command_id = f"{name}-{number}"
        while True:
            try:
                rename(db, len(db.events("m")), command_id)
                break
            except StaleSeq:
                continue


def _check_all_written(place: Place, names: list[str], count: int) -> None:
    events = place.open().events("m")
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    wanted = {f"{name}-{number}" for name in names for number in range(count)}
    assert {event.command_id for event in events} == wanted | {"create-m"}


def test_two_threads_lose_nothing(place: Place) -> None:
    create(place.open())
    threads = [threading.Thread(target=_write_many, args=(place, name, 15)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    _check_all_written(place, ["a", "b"], 15)


def test_two_processes_lose_nothing(place: Place) -> None:
    create(place.open())
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_write_many, args=(place, name, 10)) for name in "ab"]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    _check_all_written(place, ["a", "b"], 10)


def test_photos_are_kept_once_by_their_content(place: Place) -> None:
    db = place.open()
    sha = db.add_photo(b"photo", b"preview")
    assert db.add_photo(b"photo", b"preview") == sha
    assert (db.photo(sha), db.preview(sha)) == (b"photo", b"preview")
    assert list(db.photos.hashes()) == [sha]
    assert list(db.photo_rows()) == [sha]
    for name in ("0" * 64, "../burraco.sqlite3", "", sha.upper()):
        with pytest.raises(LookupError):
            db.photo(name)
    assert db.photos.forget(sha) == len(b"photo") + len(b"preview")
    with pytest.raises(LookupError):
        db.preview(sha)


def test_a_whole_match_is_taken_in_or_nothing(place: Place) -> None:
    db = place.open()
    story = Story()
    story.meld("3♥", "4♥")
    assert db.add_match(story.events)
    assert db.events("m") == tuple(story.events)
    assert not db.add_match(story.events)
    story.meld("5♥", new_id="N")
    with pytest.raises(MatchExists):
        db.add_match(story.events)
    other = [replace(event, match_id="n") for event in story.events]
    with pytest.raises(MatchExists):  # its commands belong to the first
        db.add_match(other)
    assert db.match_ids() == ("m",)
    assert len(list(db.all_events())) == 2


def test_the_newest_match_is_the_one_begun_last_whatever_the_clock_said(place: Place) -> None:
    times = iter(("2030-01-01T00:00:00+00:00", "2020-01-01T00:00:00+00:00"))
    db = place.open(clock=lambda: next(times))
    create(db)
    create(db, "n", "create-n")
    assert db.match_ids() == ("n", "m")
    assert db.latest_time() == "2020-01-01T00:00:00+00:00"


def test_a_backup_goes_into_an_empty_database(place: Place, tmp_path: Path) -> None:
    db = place.open()
    create(db)
    rename(db, 1, "one")
    sha = db.add_photo(b"photo", b"preview")
    made = save_backup(db, tmp_path / "b.zip")
    assert (made.matches, made.events, made.photos) == (1, 2, 1)
    with pytest.raises(NotEmpty):
        load_backup(tmp_path / "b.zip", db)
    fresh = Database(tmp_path / "fresh")
    load_backup(tmp_path / "b.zip", fresh)
    assert tuple(fresh.all_events()) == tuple(db.all_events())
    assert fresh.photo(sha) == b"photo"
    assert check(db).findings == check(fresh).findings


def test_the_file_is_set_up_to_be_safe(tmp_path: Path) -> None:
    db = Database(tmp_path)
    with db._engine.connect() as connection:
        values = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("synchronous", "foreign_keys")]
    assert values == [2, 1]
    raw = sqlite3.connect(tmp_path / "burraco.sqlite3")
    assert raw.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    with pytest.raises(sqlite3.IntegrityError):
        raw.execute("INSERT INTO event VALUES (1,'m',1,'c','d','t','k','{}',1), (2,'m',1,'e','d','t','k','{}',1)")
    raw.close()


def test_the_migrations_end_where_the_tables_are(tmp_path: Path) -> None:
    Database(tmp_path).close()
    found = inspect(create_engine(f"sqlite:///{tmp_path / 'burraco.sqlite3'}"))
    for name, table in Base.metadata.tables.items():
        assert {c["name"] for c in found.get_columns(name)} == {c.name for c in table.columns}


def test_what_was_asked_for_longest_ago_makes_room() -> None:
    recent: Recent[int] = Recent(most=2)
    for key, value in (("a", 1), ("b", 2)):
        recent.put(key, value)
    assert recent.get("a") == 1
    recent.put("c", 3)
    assert [recent.get(key) for key in "abc"] == [1, None, 3]
    assert len(recent) == 2


def test_a_database_remembers_some_matches_and_gives_them_all(place: Place) -> None:
    db = place.open()
    ids = [f"m{number}" for number in range(MOST_MATCHES + 3)]
    for match_id in ids:
        db.append(match_id, 0, command_id=match_id, device="a", kind=EventKind.MATCH_CREATED, payload=CREATED)
    assert db.last_seqs() == dict.fromkeys(reversed(ids), 1)
    assert [db.events(match_id)[0].match_id for match_id in ids] == ids
    assert len(db._recent) == MOST_MATCHES
    db.close()


def test_a_card_has_four_corners_or_none() -> None:
    told = {"id": "c1", "card": "7♥", "quad": [[0, 0], [5, 0], [5, 8], [0, 8]]}
    assert card_from_json(told).quad == ((0.0, 0.0), (5.0, 0.0), (5.0, 8.0), (0.0, 8.0))
    assert card_from_json(told | {"quad": None}).quad is None
    with pytest.raises(ValueError, match="four corners, not 3"):
        card_from_json(told | {"quad": told["quad"][:3]})
