"""What the API gives out: pydantic models, every sentence in the language asked for."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel


class Said(BaseModel):
    """A code for programs and the same as a sentence for people."""

    code: str
    message: str


class ErrorOut(Said):
    """Every error of this API."""

    details: dict[str, Any] = {}


class VoceOut(BaseModel):
    """One line of a ledger: why, how many points, and the cards that made them."""

    reason: str
    text: str
    points: int
    cards: str


class MeldOut(BaseModel):
    """A meld as scored; `cards` as laid, `reads` in the order they count."""

    id: str | None = None
    cards: str
    legal: bool
    kind: str | None
    classe: str
    why: str | None
    reads: str | None
    card_points: int
    bonus: int
    faults: list[Said]
    alternatives: list[str]
    twin_of: str | None = None


class ScoreSideOut(BaseModel):
    """One side's score."""

    base: int
    carte: int
    total: int
    voci: list[VoceOut]
    melds: list[MeldOut]


class ScoreOut(BaseModel):
    """A scored smazzata."""

    regolamento: str
    sides: tuple[ScoreSideOut, ScoreSideOut]
    faults: list[Said]


class CardOut(BaseModel):
    """A card on a side; `quad` are its corners in pixels of the upright photo."""

    id: str
    card: str
    source: str
    probability: float
    quad: list[tuple[float, float]] | None
    alternatives: list[tuple[str, float]]
    photo: str | None


class DoubtOut(BaseModel):
    """A card worth looking at."""

    card_id: str
    alternatives: list[str]
    points_at_stake: int


class HeldOut(BaseModel):
    """Cards still held, or the sum of their points."""

    cards: str | None
    points: int | None


class TableSideOut(BaseModel):
    """One side of the open smazzata."""

    photos: list[str]
    melds: list[MeldOut]
    cards: dict[str, list[CardOut]]
    loose: list[CardOut]
    doubts: list[DoubtOut]
    pozzetto: str | None
    pozzetto_held: HeldOut | None
    hands: list[HeldOut] | None
    nothing_laid: bool
    score: ScoreSideOut


class TableOut(BaseModel):
    """The open smazzata; it can be confirmed once nothing is missing."""

    number: int
    closed: str | None
    sides: tuple[TableSideOut, TableSideOut]
    missing: list[Said]
    faults: list[Said]


class ConfirmedOut(BaseModel):
    """A confirmed smazzata as signed."""

    number: int
    at: str
    totals: tuple[int, int]
    base: tuple[int, int]
    carte: tuple[int, int]
    running: tuple[int, int]
    ledgers: tuple[list[VoceOut], list[VoceOut]]
    despite: list[str]


class MatchOut(BaseModel):
    """A match at `seq`: send that with the next command."""

    id: str
    seq: int
    names: tuple[str, str]
    players: tuple[list[str], list[str]]
    regolamento: str
    target: int
    totals: tuple[int, int]
    winner: int | None
    finished: bool
    confirmed: list[ConfirmedOut]
    table: TableOut
    can_undo_confirmation: bool


class SummaryOut(BaseModel):
    """A match in a list."""

    id: str
    names: tuple[str, str]
    regolamento: str
    target: int
    totals: tuple[int, int]
    smazzate: int
    finished: bool
    created_at: str
    updated_at: str


class JobOut(BaseModel):
    """A photo on its way; `reading` once it is done (its format has a `version`)."""

    id: str
    status: str
    ahead: int
    match_id: str | None
    side: int | None
    photo: str | None
    seconds: float
    message: Said | None
    reading: dict[str, Any] | None
