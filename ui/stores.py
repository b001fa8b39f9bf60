"""The two stores of a server: the user's, and the demo's, which is forgotten when the server ends."""

from __future__ import annotations

import re
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scoring.regolamento import RegolamentoError, changed, load_regolamento, regolamento_names
from scoring.sections import Regolamento
from scoring.store.database import Database, UnknownMatch
from scoring.store.events import Event, EventKind, Payload
from scoring.store.fold import gather, opened
from scoring.store.recent import Recent
from scoring.store.state import MatchState
from scoring.store.trouble import StoreTrouble
from ui import demo
from ui.errors import NotFound, ServiceError, Unavailable
from ui.melds import preset_problem
from ui.settings import Settings
from ui.viewmodels import MatchView, Message

MATCH_ID = re.compile("[0-9a-z-]{1,40}")
"""What the id of a match looks like; nothing else is asked of the database."""


def new_id() -> str:
    """A fresh id for a card or a meld."""
    return uuid.uuid4().hex[:10]


def regolamento_named(name: str, settings: Sequence[str] = ()) -> Regolamento:
    """A shipped preset, with fields set by `key=value`; a client's name never becomes a path.

    Raises ServiceError (400), which lists the known presets, or says all that is wrong with the settings.
    """
    known = regolamento_names()
    if name not in known:
        raise ServiceError(Message("invalid.preset", {"name": name[:40], "known": ", ".join(known)}))
    try:
        return changed(load_regolamento(name), settings)
    except RegolamentoError as error:
        what = tuple(map(preset_problem, error.problems))
        raise ServiceError(what[0] if len(what) == 1 else Message("invalid.settings", {"what": what})) from error


def trouble_message(trouble: StoreTrouble) -> Message:
    """What is wrong with the store, and what to do about it."""
    return Message(f"store.{trouble.kind.value}", {"detail": trouble.detail})


@contextmanager
def kept() -> Iterator[None]:
    """Turn the store's troubles into what a person reads: Unavailable (503)."""
    try:
        yield
    except StoreTrouble as trouble:
        raise Unavailable(trouble_message(trouble)) from trouble


@contextmanager
def addressed() -> Iterator[None]:
    """As `kept`; besides, an address that is none becomes ServiceError."""
    try:
        with kept():
            yield
    except ModuleNotFoundError as error:
        raise ServiceError(Message("store.no_driver", {"detail": error.name or ""})) from error
    except ValueError as error:
        raise ServiceError(Message("store.bad_address", {"detail": str(error)})) from error


def open_database(settings: Settings) -> Database:
    """The user's database; raises Unavailable, or ServiceError for an address that is none."""
    with addressed():
        return Database(settings.data_dir, url=settings.database_url, photos=settings.photos_dir)


@dataclass(frozen=True, slots=True)
class Folded:
    """What a match's events come to: gathered without and with its open smazzata, and shown once somebody looked."""

    gathered: MatchState
    state: MatchState
    view: MatchView | None = None


class Stores:
    """Finds the store that a match lives in."""

    def __init__(self, settings: Settings) -> None:
        self._db = open_database(settings)
        self._demo_folder = tempfile.TemporaryDirectory(prefix="burraco-demo-")
        self._demo_db = Database(Path(self._demo_folder.name))
        self._recent: Recent[Folded] = Recent()

    def close(self) -> None:
        """Close both; the demo is forgotten."""
        self._db.close()
        self._demo_db.close()
        self._demo_folder.cleanup()

    def _state(self, events: tuple[Event, ...]) -> MatchState:
        return self._folded(events).state

    def _folded(self, events: tuple[Event, ...]) -> Folded:
        """What these events come to; each is applied once, since events never change."""
        match_id = events[0].match_id
        known = self._recent.get(match_id)
        if known is None or known.state.seq != events[-1].seq:
            gathered = gather(events, known.gathered if known else None)
            known = Folded(gathered, opened(gathered))
            self._recent.put(match_id, known)
        return known

    def _database(self, match_id: str) -> Database:
        return self._demo_db if match_id.startswith(demo.DEMO_PREFIX) else self._db

    def _events(self, match_id: str) -> tuple[Event, ...]:
        if not MATCH_ID.fullmatch(match_id):
            raise NotFound(Message("not_found.match"))
        try:
            with kept():
                return self._database(match_id).events(match_id)
        except UnknownMatch as error:
            raise NotFound(Message("not_found.match")) from error

    def _append(
        self, db: Database, match_id: str, seq: int, command_id: str, device: str, kind: EventKind, payload: Payload
    ) -> tuple[Event, ...]:
        with kept():
            return db.append(match_id, seq, command_id=command_id, device=device, kind=kind, payload=payload)
