"""What the API gives out: pydantic models, every sentence in the language asked for."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field


class Said(BaseModel):
    """A code for programs and the same as a sentence for people."""

    code: str
    message: str


class ErrorOut(Said):
    """Every error of this API."""

    details: dict[str, Any] = {}


class VoceOut(BaseModel):
    """One line of a ledger: why (in a word, and in a sentence), how many points, the cards that made them.

    `note` is what a person wrote about it, such as the reason of an adjustment.
    """

    reason: str
    text: str
    why: str
    in_base: bool
    points: int
    cards: str
    note: str


class MarksOut(BaseModel):
    """What the cards that lie crosswise say: the classes they state, and a sentence where that is not what was read.

    `verdict` is agree, disagree, or unknown where these rules give such marks no meaning.
    """

    verdict: str
    stated: list[str]
    message: str | None


class MeldQuestionOut(BaseModel):
    """Something a person should decide: another class or total, its order of cards, and the question itself."""

    question: str
    classe: Annotated[str | None, Field(alias="class")]
    points: int
    bonus: int
    cards: str
    text: str


class MeldOut(BaseModel):
    """A meld as scored; `cards` as laid, `reads` in the order they count.

    `classe` is the key of its class, `name` what its regolamento calls that, `reason` why it has that class, or its
    faults in words; `questions` are readings with another class or total; `marks` is null without crosswise cards.
    Of an illegal meld `countable` are the points of its legal part, `surplus` the cards a referee may count negative.
    In a match `role` says what a group on a photo is, `owner` which side's, `pile` that it lies squared.
    """

    id: str | None = None
    cards: str
    legal: bool
    kind: str | None
    classe: str
    name: str | None
    why: str | None
    reason: str
    reads: str | None
    card_points: int
    bonus: int
    faults: list[Said]
    alternatives: list[str]
    countable: int
    surplus: list[str]
    questions: list[MeldQuestionOut]
    twin_of: str | None = None
    marks: MarksOut | None = None
    role: str = "laid"
    owner: int | None = None
    pile: bool = False


class ScoreSideOut(BaseModel):
    """One side's score; `each` is what each of its players gets where pairs halve their total, else null."""

    base: int
    carte: int
    total: int
    each: int | float | None = None
    voci: list[VoceOut]
    melds: list[MeldOut]


class ScoreOut(BaseModel):
    """A scored smazzata; `remarks` are what was assumed because nothing was said of it."""

    regolamento: str
    sides: list[ScoreSideOut]
    faults: list[Said]
    remarks: list[Said]


class UnplayableOut(BaseModel):
    """A meld that could not exist under a regolamento."""

    side: int
    meld: int
    cards: str


class DifferingOut(VoceOut):
    """A line that has other points there than at home (`at_home`)."""

    at_home: int


class WhatIfOut(BaseModel):
    """One smazzata under one regolamento; `totals` is null where it could not exist there, or nobody can say.

    `each` is what each player of a side gets where pairs halve their total, else null.

    `packs` are how many were played with and how many are played with there, where that differs.
    """

    regolamento: str
    title: str
    playable: str
    text: str
    totals: list[int] | None
    each: list[int | float] | None = None
    sides: list[ScoreSideOut]
    differing: list[list[DifferingOut]]
    melds: list[UnplayableOut]
    cards: str
    packs: tuple[int, int] | None
    refused: list[Said]


class StandingOut(BaseModel):
    """A pair's place."""

    place: int
    name: str
    vp: int
    mp: float
    turni: int


class StandingsOut(BaseModel):
    """A classifica, with the table and the way of counting it was made by; `remarks` are figures to check again."""

    vp_table: str
    mp_count: str
    standings: list[StandingOut]
    remarks: list[Said]


class CardOut(BaseModel):
    """A card on a side; `quad` are its corners in pixels of the upright photo, whose border cuts it if `cut_off`."""

    id: str
    card: str
    source: str
    probability: float
    quad: list[tuple[float, float]] | None
    alternatives: list[tuple[str, float]]
    photo: str | None
    cut_off: bool


class DoubtOut(BaseModel):
    """A card worth looking at."""

    card_id: str
    alternatives: list[str]
    points_at_stake: int


class UnreadOut(BaseModel):
    """Something at a meld that is probably a card and could not be read; `quad` as in `CardOut`."""

    id: str
    meld_id: str
    quad: list[tuple[float, float]]
    photo: str
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
    unread: list[UnreadOut]
    pozzetto: str | None
    pozzetto_held: HeldOut | None
    hands: list[HeldOut] | None
    penalised: HeldOut | None
    adjustments: list[tuple[int, str]]
    nothing_laid: bool
    score: ScoreSideOut


class TableOut(BaseModel):
    """The open smazzata; it can be confirmed once nothing is missing, and its totals are `provisional` until then."""

    number: int
    names: list[str]
    seating: list[list[int]] | None
    pozzetti: list[int]
    closed: str | None
    end: str | None
    last_discard: str | None
    laid_last: bool
    asks_discard: bool
    provisional: bool
    sides: list[TableSideOut]
    missing: list[Said]
    faults: list[Said]
    agreed: list[int]


class RecountOut(Said):
    """What this version of the program would score for a smazzata signed otherwise; null where it cannot say."""

    totals: list[int] | None


class HistoryOut(BaseModel):
    """One event of a match: when, by which device, what; `counts` is false where it is undone."""

    seq: int
    at: str
    device: str
    kind: str
    smazzata: int
    counts: bool
    target: int | None
    about: dict[str, Any]


class ConfirmedOut(BaseModel):
    """A confirmed smazzata as signed: totals of its sides, points of those whose totals the match counts.

    `recount` is null where this version of the program would score it the same.
    """

    number: int
    at: str
    names: list[str]
    seating: list[list[int]]
    end: str | None
    totals: list[int]
    base: list[int]
    carte: list[int]
    points: list[int | float]
    running: list[int | float]
    ledgers: list[list[VoceOut]]
    despite: list[str]
    recount: RecountOut | None


class TurnoOut(BaseModel):
    """One turn: Match Points, and Victory Points once it is complete."""

    mp: tuple[int | float, int | float]
    vp: tuple[int, int] | None


class MatchOut(BaseModel):
    """A match at `seq`: send that with the next command."""

    id: str
    seq: int
    names: list[str]
    players: list[list[str]]
    regolamento: str
    formato: str
    goal: dict[str, Any]
    rounding: str
    target: int | None
    totals: list[int | float]
    turni: list[TurnoOut]
    winner: int | None
    draw: bool
    finished: bool
    confirmed: list[ConfirmedOut]
    table: TableOut
    can_undo_confirmation: bool
    both_confirm: bool
    dealer: str | None


class SummaryOut(BaseModel):
    """A match in a list."""

    id: str
    names: list[str]
    regolamento: str
    formato: str
    target: int | None
    totals: list[int | float]
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
