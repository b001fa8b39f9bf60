"""The use cases: everything pages, API and command line can do, in one place."""

from __future__ import annotations

import logging
import uuid
from threading import Lock

from sqlalchemy.exc import SQLAlchemyError

from scoring.regolamento import DEFAULT_REGOLAMENTO, load_regolamento, regolamento_names
from scoring.store.database import Database, StaleSeq
from scoring.store.events import Event, EventKind
from scoring.store.fold import fold
from scoring.store.rebase import independent
from scoring.store.state import MatchState
from scoring.store.trouble import StoreTrouble
from scoring.whatif import WhatIf, what_if
from ui import demo
from ui.checks import check_side, on_side, refuse
from ui.commands import Command, Confirm, Corrections, Redo, Undo, UndoConfirmation, UndoDeletion
from ui.compiling import Compiled, compile_history
from ui.compiling_answers import compile_command
from ui.drafting import draft_sides, fingerprint, regolamento_of, score_draft, table_view
from ui.errors import Busy, Conflict, NotFound, Refused, ServiceError
from ui.history import history_of
from ui.live import Live
from ui.metrics import CONFIRMATIONS, CORRECTIONS
from ui.new_match import new_match_payload
from ui.presenting import confirmation_payload, match_view
from ui.settings import Settings, get_settings, program_version
from ui.stores import kept, new_id, regolamento_named
from ui.viewmodels import HistoryEntry, MatchView, Message, NewMatch, RegolamentoInfo

log = logging.getLogger("burraco.services")

__all__ = [
    "Busy",
    "Conflict",
    "NotFound",
    "Refused",
    "ServiceError",
    "Services",
    "close_services",
    "get_services",
    "program_version",
    "regolamento_named",
]

_REBASE_ATTEMPTS = 8


class Services(Live):
    """All use cases on one store, one demo store, one scan process and one camera; safe to share between threads."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._demo_id: str | None = None
        self._demo_lock = Lock()

    def regolamenti(self) -> tuple[RegolamentoInfo, ...]:
        """The presets that ship, the default first."""
        names = sorted(regolamento_names(), key=lambda name: (name != DEFAULT_REGOLAMENTO, name))
        return tuple(
            RegolamentoInfo(
                name=r.name,
                title=r.title,
                source=r.source,
                date=r.date,
                formato=r.formato,
                counts_as=r.counts_as,
                classes=tuple((c.value, r.names.of(c), r.bonus.of(c)) for c in r.class_keys),
                targets=r.match.targets,
                default_target=r.match.default_target,
                one_smazzata=r.match.one_smazzata,
            )
            for r in map(load_regolamento, names)
        )

    def store_answers(self) -> bool:
        """Tell whether the database can be read."""
        try:
            self._db.match_ids()
        except (StoreTrouble, SQLAlchemyError):
            log.exception("the database does not answer")
            return False
        return True

    def create_match(self, new: NewMatch, *, device: str, command_id: str | None = None) -> MatchView:
        """Begin a match; the same `command_id` again gives the match it made. Raises Refused, ServiceError."""
        return self._create(self._db, uuid.uuid4().hex[:12], new, device, command_id or uuid.uuid4().hex)

    def _create(self, db: Database, match_id: str, new: NewMatch, device: str, command_id: str) -> MatchView:
        with kept():
            known = db.match_of_command(command_id)
        if known is not None:
            return self.match(known, device=device)
        payload = new_match_payload(new)
        return self._view(self._append(db, match_id, 0, command_id, device, EventKind.MATCH_CREATED, payload), device)

    def match(self, match_id: str, *, device: str = "", at: int | None = None) -> MatchView:
        """A match as it is now, or as it was after its first `at` events; raises NotFound."""
        events = self._events(match_id)
        if at is None or at >= len(events):
            return self._view(events, device)
        past = events[: max(1, at)]
        return match_view(past, fold(past), device=device, demo=match_id.startswith(demo.DEMO_PREFIX))

    def history(self, match_id: str) -> tuple[HistoryEntry, ...]:
        """Everything that happened to a match, the latest last; raises NotFound."""
        return history_of(self._events(match_id))

    def seq(self, match_id: str) -> int:
        """How far a match has come; cheap, for those who ask all the time. Raises NotFound."""
        return self._events(match_id)[-1].seq

    def apply(
        self,
        match_id: str,
        command: Command,
        *,
        seq: int,
        device: str,
        command_id: str | None = None,
        rebase: bool = False,
    ) -> MatchView:
        """Do something to a match that the caller saw at `seq`.

        Raises Conflict where somebody wrote first, Refused where it cannot be done, NotFound. The same `command_id`
        again changes nothing more and gives the match as it is now. With `rebase` a change that has nothing to do
        with what was written since (an answer tapped while a photo is being attached) is no conflict.
        """
        command_id = command_id or uuid.uuid4().hex
        events = self._events(match_id)
        db = self._database(match_id)
        with kept():
            known = db.match_of_command(command_id)
        if known is not None:
            return self._view(self._events(match_id), device)
        for _ in range(_REBASE_ATTEMPTS):
            state = self._state(events)
            if state.seq < seq or (state.seq != seq and not rebase):
                break
            try:
                kind, payload = self._compile(command, events, state, device)
            except Refused:
                if state.seq != seq:
                    break  # what it was about is gone: say that somebody was faster, and show what is there now
                raise
            if state.seq != seq and not independent(kind, payload, events[max(0, seq) :]):
                break
            try:
                events = self._append(db, match_id, state.seq, command_id, device, kind, payload)
            except StaleSeq as stale:
                events = stale.events
            else:
                _counted(command, kind)
                if kind is EventKind.SMAZZATA_CONFIRMED:
                    self.live_begin(match_id)
                return self._view(events, device)
        raise Conflict(Message("conflict.stale"), self._view(events, device))

    def _compile(self, command: Command, events: tuple[Event, ...], state: MatchState, device: str) -> Compiled:
        if state.deleted is not isinstance(command, UndoDeletion):
            raise refuse("refused.deleted" if state.deleted else "refused.not_deleted")
        if isinstance(command, Confirm):
            return self._confirmation(command, events, state)
        if isinstance(command, Undo | Redo | UndoConfirmation | UndoDeletion):
            return compile_history(command, events, device)
        return compile_command(command, state, new_id)

    def _confirmation(self, command: Confirm, events: tuple[Event, ...], state: MatchState) -> Compiled:
        table = table_view(state)
        if match_view(events, state, device="", demo=False).finished:
            raise refuse("refused.match_finished")
        if table.missing:
            raise Refused(Message("refused.missing", {"what": table.missing}))
        if table.faults and not command.anyway:
            raise Refused(Message("refused.faults", {"what": table.faults}))
        if state.both_confirm:
            if command.side is None:
                raise refuse("refused.confirm_for_whom")
            check_side(state, command.side)
            if len({*table.agreed, command.side}) < len(table.sides):
                account = fingerprint(score_draft(state))
                return EventKind.SIDE_AGREED, on_side(state, command.side, account=account)
        return EventKind.SMAZZATA_CONFIRMED, confirmation_payload(state, table.faults, program_version())

    def compare(self, match_id: str) -> tuple[WhatIf, ...]:
        """The open smazzata of a match as it would score under every preset; raises NotFound."""
        state = self._state(self._events(match_id))
        others = [load_regolamento(name) for name in regolamento_names()]
        return what_if(draft_sides(state), regolamento_of(state), others, state.current.end, state.formato)

    def demo_match(self) -> str:
        """The demo match: made in a store of its own on first use, its sample photos sent through the real line."""
        with self._demo_lock:
            if self._demo_id is None:
                match_id = demo.DEMO_PREFIX + uuid.uuid4().hex[:8]
                self._create(self._demo_db, match_id, demo.DEMO_MATCH, demo.DEMO_DEVICE, uuid.uuid4().hex)
                self._demo_id = match_id
                for side, data in demo.sample_photos():
                    self.read_photo(data, match_id=match_id, side=side, device=demo.DEMO_DEVICE)
            return self._demo_id


def _counted(command: Command, kind: EventKind) -> None:
    if isinstance(command, Corrections):
        CORRECTIONS.add(type(command).__name__)
    if kind is EventKind.SMAZZATA_CONFIRMED:
        CONFIRMATIONS.add()


_services: Services | None = None
_services_lock = Lock()


def get_services() -> Services:
    """The services of this process, started on first use (pages call this in-process)."""
    global _services
    with _services_lock:
        if _services is None:
            _services = Services(get_settings())
        return _services


def close_services() -> None:
    """Stop the services of this process; a later `get_services` starts them anew."""
    global _services
    with _services_lock:
        services, _services = _services, None
    if services is not None:
        services.close()
