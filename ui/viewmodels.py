"""What pages and API show: frozen values, already scored, with codes instead of sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from scoring.meld import Meld
from scoring.smazzata import SideScore
from scoring.store.state import Closed, Confirmation, DraftCard, DraftDoubt, PhotoRef, SideDraft


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence still to be said: its key in the catalogue and what to fill in (`ui.i18n.say(message, lang)`).

    A parameter that is a tuple of messages is said as their sentences one after the other.
    """

    key: str
    params: Mapping[str, str | int | tuple[Message, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RegolamentoInfo:
    """A preset as a list shows it; `classes` are key, name and bonus, `counts_as` its base where nothing is its own."""

    name: str
    title: str
    source: str
    date: str
    formato: str
    counts_as: str | None
    classes: tuple[tuple[str, str, int], ...]
    targets: tuple[int, ...]
    default_target: int


@dataclass(frozen=True, slots=True)
class NewMatch:
    """What a new match needs; `players` are the names at the table, side by side, and may stay empty."""

    names: tuple[str, str]
    regolamento: str
    target: int
    players: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match as a list shows it; times are ISO 8601 in UTC."""

    id: str
    names: tuple[str, str]
    regolamento: str
    target: int
    totals: tuple[int, int]
    smazzate: int
    finished: bool
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class MeldView:
    """A meld with the scored reading of its cards; `cards` are in laid order, `meld` is scoring's answer."""

    id: str
    cards: tuple[DraftCard, ...]
    meld: Meld
    twin_of: str | None


@dataclass(frozen=True, slots=True)
class SideView:
    """One side of the open smazzata: what was read, what was answered, and its score as far as it goes."""

    draft: SideDraft
    photos: tuple[PhotoRef, ...]
    melds: tuple[MeldView, ...]
    loose: tuple[DraftCard, ...]
    doubts: tuple[DraftDoubt, ...]
    score: SideScore


@dataclass(frozen=True, slots=True)
class TableView:
    """The open smazzata: `missing` must be answered before it can be confirmed, `faults` only taken knowingly."""

    number: int
    sides: tuple[SideView, SideView]
    closed: Closed | None
    missing: tuple[Message, ...]
    faults: tuple[Message, ...]

    @property
    def ready(self) -> bool:
        """Tell whether nothing is missing (faults may remain)."""
        return not self.missing


@dataclass(frozen=True, slots=True)
class ConfirmedView:
    """A confirmed smazzata as it was signed, with the running totals after it."""

    number: int
    confirmation: Confirmation
    running: tuple[int, int]
    sides: tuple[SideDraft, SideDraft]
    closed: Closed | None


@dataclass(frozen=True, slots=True)
class MatchView:
    """A whole match at `seq`; send this `seq` with the next command."""

    id: str
    seq: int
    demo: bool
    names: tuple[str, str]
    players: tuple[tuple[str, ...], tuple[str, ...]]
    regolamento: str
    target: int
    totals: tuple[int, int]
    winner: int | None
    finished: bool
    confirmed: tuple[ConfirmedView, ...]
    table: TableView
    can_undo: bool
    can_redo: bool
    can_undo_confirmation: bool


class JobStatus(StrEnum):
    """Where a scan stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Job:
    """One photo on its way through the scan process.

    `ahead` jobs run before it; `reading_json` is the versioned reading once done; `message` says what went wrong,
    or, when done, that no card was found; `side` is where the reading was attached.
    """

    id: str
    status: JobStatus
    match_id: str | None = None
    side: int | None = None
    ahead: int = 0
    photo: PhotoRef | None = None
    reading_json: str | None = None
    message: Message | None = None
    seconds: float = 0.0
