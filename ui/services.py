"""The use cases: everything pages, API and command line can do, in one place."""

from __future__ import annotations

import logging
import uuid
from importlib.metadata import PackageNotFoundError, version
from threading import Lock

from sqlalchemy.exc import SQLAlchemyError

from scoring.regolamento import DEFAULT_REGOLAMENTO, load_regolamento, regolamento_names
from scoring.store.database import Database, StaleSeq
from scoring.store.events import Event, EventKind, Payload
from scoring.store.state import MatchState
from scoring.whatif import WhatIf, what_if
from ui import demo
from ui.checks import refuse
from ui.commands import Command, Confirm, Corrections, Redo, Undo, UndoConfirmation
from ui.compiling import Compiled, compile_command, compile_history
from ui.drafting import draft_sides, regolamento_of, table_view
from ui.errors import Busy, Conflict, NotFound, Refused, ServiceError
from ui.metrics import CONFIRMATIONS, CORRECTIONS
from ui.new_match import new_match_payload
from ui.photos import Photos
from ui.presenting import confirmation_payload, match_summary, match_view
from ui.settings import Settings, get_settings
from ui.stores import new_id, regolamento_named
from ui.viewmodels import MatchSummary, MatchView, Message, NewMatch, RegolamentoInfo

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


def program_version() -> str:
    """The version that is installed."""
    try:
        return version("burraco")
    except PackageNotFoundError:
        return "unknown"


class Services(Photos):
    """All use cases on one store, one demo store and one scan process; safe to share between threads."""

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
        except SQLAlchemyError:
            log.exception("the database does not answer")
            return False
        return True

    def matches(self) -> tuple[MatchSummary, ...]:
        """The user's matches, the newest first; never the demo, nor what was deleted."""
        states = (self._state(self._db.events(match_id)) for match_id in self._db.match_ids())
        return tuple(match_summary(state) for state in states if not state.deleted)

    def create_match(self, new: NewMatch, *, device: str, command_id: str | None = None) -> MatchView:
        """Begin a match; the same `command_id` again gives the match it made. Raises Refused, ServiceError."""
        return self._create(self._db, uuid.uuid4().hex[:12], new, device, command_id or uuid.uuid4().hex)

    def _create(self, db: Database, match_id: str, new: NewMatch, device: str, command_id: str) -> MatchView:
        if (known := db.match_of_command(command_id)) is not None:
            return self.match(known, device=device)
        payload = new_match_payload(new)
        events = db.append(
            match_id, 0, command_id=command_id, device=device, kind=EventKind.MATCH_CREATED, payload=payload
        )
        return self._view(events, device)

    def match(self, match_id: str, *, device: str = "") -> MatchView:
        """A match as it is now; raises NotFound."""
        return self._view(self._events(match_id), device)

    def seq(self, match_id: str) -> int:
        """How far a match has come; cheap, for those who ask all the time. Raises NotFound."""
        return self._events(match_id)[-1].seq

    def apply(
        self, match_id: str, command: Command, *, seq: int, device: str, command_id: str | None = None
    ) -> MatchView:
        """Do something to a match that the caller saw at `seq`.

        Raises Conflict where somebody wrote first, Refused where it cannot be done, NotFound. The same `command_id`
        again changes nothing more and gives the match as it is now.
        """
        command_id = command_id or uuid.uuid4().hex
        events = self._events(match_id)
        db = self._database(match_id)
        if db.match_of_command(command_id) is not None:
            return self._view(events, device)
        state = self._state(events)
        if state.seq != seq:
            raise Conflict(Message("conflict.stale"), self._view(events, device))
        kind, payload = self._compile(command, events, state, device)
        try:
            events = db.append(match_id, seq, command_id=command_id, device=device, kind=kind, payload=payload)
        except StaleSeq as stale:
            raise Conflict(Message("conflict.stale"), self._view(stale.events, device)) from stale
        _counted(command)
        return self._view(events, device)

    def _compile(self, command: Command, events: tuple[Event, ...], state: MatchState, device: str) -> Compiled:
        if state.deleted:
            raise refuse("refused.deleted")
        if isinstance(command, Confirm):
            return EventKind.SMAZZATA_CONFIRMED, self._confirmation(command, events, state)
        if isinstance(command, Undo | Redo | UndoConfirmation):
            return compile_history(command, events, device)
        return compile_command(command, state, new_id)

    def _confirmation(self, command: Confirm, events: tuple[Event, ...], state: MatchState) -> Payload:
        table = table_view(state)
        if match_view(events, state, device="", demo=False).finished:
            raise refuse("refused.match_finished")
        if table.missing:
            raise Refused(Message("refused.missing", {"what": table.missing}))
        if table.faults and not command.anyway:
            raise Refused(Message("refused.faults", {"what": table.faults}))
        return confirmation_payload(state, table.faults, program_version())

    def compare(self, match_id: str) -> tuple[WhatIf, ...]:
        """The open smazzata of a match as it would score under every preset; raises NotFound."""
        state = self._state(self._events(match_id))
        others = [load_regolamento(name) for name in regolamento_names()]
        return what_if(draft_sides(state), regolamento_of(state), others, state.current.end)

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

    def _view(self, events: tuple[Event, ...], device: str) -> MatchView:
        state = self._state(events)
        return match_view(events, state, device=device, demo=state.id.startswith(demo.DEMO_PREFIX))


def _counted(command: Command) -> None:
    if isinstance(command, Corrections):
        CORRECTIONS.add(type(command).__name__)
    if isinstance(command, Confirm):
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
