"""What a club must be able to trust: every change an event, nothing signed ever changed, all of it looked up again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from scoring.cards import Card
from scoring.formato import Formato
from scoring.ledger import Punteggio
from scoring.sections import Regolamento
from scoring.store.events import EventKind
from scoring.store.fold import fold
from scoring.store.state import SmazzataState
from scoring.store.trouble import StoreTrouble, Trouble
from tests.ui.game import Table
from tests.ui.inline_scan import inline_services
from ui import commands as c
from ui import rescoring
from ui.errors import Refused, Unavailable
from ui.i18n import LANGUAGES, say
from ui.services import Services


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with inline_services(tmp_path) as made:
        yield made


@pytest.fixture
def table(services: Services) -> Table:
    return Table(services)


def signed(table: Table) -> Table:
    """One smazzata with photos of both sides and a correction, confirmed."""
    for side in (0, 1):
        table.photo(side)
    table.do(c.ChangeCard(table.card("9♥"), Card.parse("10♥")))
    table.answer()
    table.do(c.Confirm(anyway=True))
    return table


def test_every_command_is_one_event(table: Table) -> None:
    before = table.view.seq
    steps = [
        c.Rename(("Est", "Ovest")),
        c.EnterSums(0, 100, 200),
        c.NothingLaid(1),
        c.Undo(),
        c.Redo(),
        c.DeleteMatch(),
        c.UndoDeletion(),
    ]
    for step in steps:
        table.do(step)
        assert table.view.seq == before + 1
        before += 1
    last = table.services.history(table.view.id)[-1]
    assert (last.kind, last.device, last.counts) == ("undone", "a", False)


def test_undo_and_redo_work_after_a_restart(tmp_path: Path) -> None:
    with inline_services(tmp_path) as first:
        table = Table(first)
        table.do(c.EnterSums(0, 100, 200), c.EnterSums(0, 300, 0), c.Undo())
        match_id = table.view.id
    with inline_services(tmp_path) as second:
        view = second.match(match_id, device="a")
        assert (view.can_undo, view.can_redo) == (True, True)
        view = second.apply(match_id, c.Redo(), seq=view.seq, device="a")
        assert view.table.sides[0].draft.sums is not None and view.table.sides[0].draft.sums.card_points == 300
        view = second.apply(match_id, c.Undo(), seq=view.seq, device="a")
        view = second.apply(match_id, c.Undo(), seq=view.seq, device="a")
        assert view.table.sides[0].draft.sums is None
        with pytest.raises(Refused):
            second.apply(match_id, c.Undo(), seq=view.seq, device="b")


def test_a_deletion_is_undone(table: Table) -> None:
    with pytest.raises(Refused, match="not_deleted"):
        table.do(c.UndoDeletion())
    table.do(c.DeleteMatch())
    assert table.services.matches() == ()
    (gone,) = table.services.matches(deleted=True)
    assert gone.id == table.view.id
    with pytest.raises(Refused, match="deleted"):
        table.do(c.NothingLaid(0))
    with pytest.raises(Refused, match="deleted"):
        table.do(c.DeleteMatch())
    table.do(c.UndoDeletion(), c.NothingLaid(0))
    assert len(table.services.matches()) == 1


def test_a_match_is_shown_as_it_was(table: Table) -> None:
    signed(table)
    seen = table.services.match(table.view.id, at=3, device="a")
    assert (seen.seq, seen.confirmed) == (3, ())
    assert [str(card.card) for card in seen.table.sides[0].melds[0].cards][-1] == "9♥"
    assert table.services.match(table.view.id, at=10_000).seq == table.view.seq


def test_a_signed_smazzata_keeps_all_it_was_made_of(table: Table) -> None:
    signed(table)
    events = table.services._events(table.view.id)
    attached = next(e for e in events if e.kind is EventKind.PHOTO_ATTACHED)
    changed = next(e for e in events if e.kind is EventKind.CARD_CHANGED)
    state = fold(events)
    confirmed = state.smazzate[0].confirmed
    assert attached.payload["reading"]["melds"]
    assert (changed.payload["was"], changed.payload["to"]) == ("9♥", "10♥")
    assert "semipulito" in state.regolamento_text
    assert confirmed is not None and confirmed.ledgers[0]
    assert table.services.photo_jpeg(str(attached.payload["photo"])).startswith(b"\xff\xd8")
    assert rescoring.recount(state, state.smazzate[0]) is None


def _restarted(table: Table) -> None:
    """What a program that has just been started remembers of a match: nothing."""
    rescoring._recount.cache_clear()
    table.services._recent.clear()


def test_another_program_says_so_and_changes_nothing(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    signed(table)
    before = table.services.match(table.view.id)
    assert before.confirmed[0].recount is None
    _restarted(table)
    honest = rescoring.score_of

    def richer(smazzata: SmazzataState, formato: Formato, rules: Regolamento) -> Punteggio:
        return honest(smazzata, formato, replace(rules, closing=replace(rules.closing, bonus=rules.closing.bonus + 50)))

    monkeypatch.setattr(rescoring, "score_of", richer)
    after = table.services.match(table.view.id)
    recount = after.confirmed[0].recount
    assert recount is not None and recount.totals is not None
    assert recount.totals[0] == before.totals[0] + 50
    assert after.totals == before.totals
    assert after.confirmed[0].confirmation == before.confirmed[0].confirmation
    rescoring._recount.cache_clear()


def test_rules_nobody_reads_any_more_are_told(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    signed(table)
    _restarted(table)

    def unreadable(text: str, name: str) -> None:
        raise ValueError("an old key")

    monkeypatch.setattr(rescoring, "parsed_regolamento", unreadable)
    recount = table.services.match(table.view.id).confirmed[0].recount
    assert recount is not None and recount.totals is None
    rescoring._recount.cache_clear()


@pytest.mark.parametrize("kind", list(Trouble))
def test_a_store_in_trouble_is_said(table: Table, monkeypatch: pytest.MonkeyPatch, kind: Trouble) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise StoreTrouble(kind, "why")

    monkeypatch.setattr(table.services._db, "append", refuse)
    with pytest.raises(Unavailable) as error:
        table.do(c.NothingLaid(0))
    assert error.value.message.key == f"store.{kind.value}"
    for lang in LANGUAGES:
        assert "{" not in say(error.value.message, lang)
