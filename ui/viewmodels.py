"""What pages and API show: frozen values, already scored, with codes instead of sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from scoring.cards import Card
from scoring.formato import Formato, Points, Seating
from scoring.ledger import SideScore
from scoring.marks import MarkCheck
from scoring.match import Goal, ToTarget, Turno
from scoring.meld import Meld
from scoring.sections import Regolamento, Rounding
from scoring.sides import End, Held
from scoring.store.state import Closed, Confirmation, DraftCard, DraftDoubt, DraftUnread, GroupRole, PhotoRef, SideDraft


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence still to be said: its key in the catalogue and what to fill in (`ui.i18n.say(message, lang)`).

    A parameter that is a message, or a tuple of them, is said as their sentences one after the other.
    """

    key: str
    params: Mapping[str, str | int | Message | tuple[Message, ...]] = field(default_factory=dict)


SideName = str | Message
"""What a side is called: its name, or in words while nobody has said yet who sits there."""


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
    one_smazzata: bool


@dataclass(frozen=True, slots=True)
class GoalChoice:
    """What a match is played to: `target` points, or `one_hand`, or so many `turni` by a VP table; else what is usual.

    `vp_table` names a table that ships; `own_vp_table` is a club's own, as the values of its TOML file.
    """

    target: int | None = None
    one_hand: bool = False
    turni: int = 0
    vp_table: str = ""
    own_vp_table: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class NewMatch:
    """What a new match needs; `players` are the names at the table, side by side, and may stay empty.

    `names` has one a side, or one a player where pairs change (in three and in five). `formato` None takes the
    regolamento's own, `rounding` None the regolamento's way to halve; `goal` stands before `target`, and without both
    it is played to what is usual under that regolamento with that formato. With `both_confirm` every side confirms
    each smazzata. `settings` change figures of the regolamento, each `key=value`; the match keeps them.
    """

    names: tuple[str, ...]
    regolamento: str
    target: int | None = None
    players: tuple[tuple[str, ...], ...] = ()
    formato: str | None = None
    goal: GoalChoice | None = None
    rounding: Rounding | None = None
    both_confirm: bool = False
    settings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match as a list shows it; times are ISO 8601 in UTC."""

    id: str
    names: tuple[str, ...]
    regolamento: str
    formato: str
    target: int | None
    totals: tuple[Points, ...]
    smazzate: int
    finished: bool
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One event as people look it up: when, by which device, what; `counts` is False where it is undone.

    `about` holds what it says, and what was there before where it says so; `target` is the event an undo speaks of.
    """

    seq: int
    at: str
    device: str
    kind: str
    smazzata: int
    counts: bool
    target: int | None
    about: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Recount:
    """What the program would score today for a smazzata that was signed otherwise; None where it cannot say."""

    totals: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class MeldView:
    """A group on a side's photo with the scored reading of its cards, in laid order; `meld` is scoring's answer.

    `marks` is what its crosswise cards say of its class. `number` counts the melds of its owner from 1; it is 0 for
    what is no meld. `covered` tells that it is a squared pile whose covered cards nobody has named yet, `unread` what
    else of it nobody has named; `settled` that a person said that it counts as it lies.
    """

    id: str
    cards: tuple[DraftCard, ...]
    meld: Meld
    twin_of: str | None
    marks: MarkCheck
    role: GroupRole
    owner: int
    number: int
    pile: bool
    covered: bool
    unread: tuple[DraftUnread, ...]
    settled: bool = False


@dataclass(frozen=True, slots=True)
class SideView:
    """One side of the open smazzata: what was read, what was answered, and its score as far as it goes.

    Its pozzetto, or its hands, need no question where they follow from who closed or are on a photo. `holders` are
    those of its players, by place in it, who may still hold cards; `hands_open` tells whether it must still be said
    what they hold. `melds` are the groups on its photos, also another side's; `entered` tells whether anything, be it
    another side's photo, says what it laid. `shown_hands` are hands that photos show.
    """

    draft: SideDraft
    photos: tuple[PhotoRef, ...]
    melds: tuple[MeldView, ...]
    loose: tuple[DraftCard, ...]
    doubts: tuple[DraftDoubt, ...]
    score: SideScore
    pozzetto_follows: bool = False
    hands_follow: bool = False
    hands_open: bool = False
    entered: bool = False
    shown_hands: tuple[Held, ...] = ()
    holders: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TableView:
    """The open smazzata: `missing` must be answered before it can be confirmed, `faults` only taken knowingly.

    `names` are those of the sides; `seating` says which parties they are, None while that must still be answered.
    `closer` is who of the closing side closed, by place in it, where somebody said so.
    `asks_discard` tells whether the closing hangs on the last card, as it may under these rules.
    `agreed` are the sides that have agreed to the account as it is now, where all of them must.
    """

    number: int
    names: tuple[SideName, ...]
    seating: Seating | None
    sides: tuple[SideView, ...]
    closed: Closed | None
    end: End | None
    last_discard: Card | None
    laid_last: bool
    asks_discard: bool
    pozzetti: tuple[int, ...]
    missing: tuple[Message, ...]
    faults: tuple[Message, ...]
    agreed: tuple[int, ...] = ()
    closer: int | None = None

    @property
    def ready(self) -> bool:
        """Tell whether nothing is missing (faults may remain)."""
        return not self.missing


@dataclass(frozen=True, slots=True)
class ConfirmedView:
    """A confirmed smazzata as it was signed, with the running totals after it; `names` are those of its sides.

    `recount` is None where this version of the program would score it the same.
    """

    number: int
    names: tuple[str, ...]
    confirmation: Confirmation
    running: tuple[Points, ...]
    sides: tuple[SideDraft, ...]
    closed: Closed | None
    end: End | None
    recount: Recount | None = None


@dataclass(frozen=True, slots=True)
class MatchView:
    """A whole match at `seq`; send this `seq` with the next command.

    `target` is None where the match is not played to one. `turni` holds Match Points and VP where these decide.
    `dealer` is a place in `table_order`, None while nobody has said who deals. A `deleted` one can be brought back.
    """

    id: str
    seq: int
    demo: bool
    names: tuple[str, ...]
    players: tuple[tuple[str, ...], ...]
    regolamento: str
    formato: Formato
    goal: Goal
    rounding: Rounding
    totals: tuple[Points, ...]
    turni: tuple[Turno, ...]
    winner: int | None
    draw: bool
    finished: bool
    confirmed: tuple[ConfirmedView, ...]
    table: TableView
    can_undo: bool
    can_redo: bool
    can_undo_confirmation: bool
    rules: Regolamento
    both_confirm: bool
    table_order: tuple[str, ...]
    dealer: int | None
    deleted: bool = False

    @property
    def target(self) -> int | None:
        """The total the match is played to, if it is."""
        return target_of(self.goal)


def target_of(goal: Goal) -> int | None:
    """The total of a goal that has one."""
    return goal.target if isinstance(goal, ToTarget) else None


class JobStatus(StrEnum):
    """Where a scan stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


WORKING = (JobStatus.QUEUED, JobStatus.RUNNING)
"""Not finished yet."""


@dataclass(frozen=True, slots=True)
class Job:
    """One photo on its way through the scan process.

    `ahead` jobs run before it; `reading_json` is the versioned reading once done; `message` says what went wrong,
    or, when done, that no card was found or what would make a better photo; `side` is where the reading was attached;
    `sha256` is the photo's.
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
    sha256: str = ""
