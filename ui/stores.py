"""The two stores of a server: the user's, and the demo's, which is forgotten when the server ends."""

from __future__ import annotations

import tempfile
import uuid
from pathlib import Path

from scoring.regolamento import load_regolamento, regolamento_names
from scoring.sections import Regolamento
from scoring.store.database import Database, UnknownMatch
from scoring.store.events import Event
from scoring.store.fold import fold
from scoring.store.state import MatchState
from ui import demo
from ui.errors import NotFound, ServiceError
from ui.viewmodels import Message


def new_id() -> str:
    """A fresh id for a card or a meld."""
    return uuid.uuid4().hex[:10]


def regolamento_named(name: str) -> Regolamento:
    """A shipped preset; a client's name never becomes a path. Raises ServiceError (400) and lists the known ones."""
    known = regolamento_names()
    if name not in known:
        raise ServiceError(Message("invalid.preset", {"name": name[:40], "known": ", ".join(known)}))
    return load_regolamento(name)


class Stores:
    """Finds the store that a match lives in."""

    def __init__(self, data_dir: Path) -> None:
        self._db = Database(data_dir)
        self._demo_folder = tempfile.TemporaryDirectory(prefix="burraco-demo-")
        self._demo_db = Database(Path(self._demo_folder.name))
        self._states: dict[str, MatchState] = {}

    def close(self) -> None:
        """Close both; the demo is forgotten."""
        self._db.close()
        self._demo_db.close()
        self._demo_folder.cleanup()

    def _state(self, events: tuple[Event, ...]) -> MatchState:
        """The state after these events; folded once, since events never change."""
        known = self._states.get(events[0].match_id)
        if known is not None and known.seq == events[-1].seq:
            return known
        state = self._states[events[0].match_id] = fold(events)
        return state

    def _database(self, match_id: str) -> Database:
        return self._demo_db if match_id.startswith(demo.DEMO_PREFIX) else self._db

    def _events(self, match_id: str) -> tuple[Event, ...]:
        try:
            return self._database(match_id).events(match_id)
        except UnknownMatch as error:
            raise NotFound(Message("not_found.match")) from error
