"""Scoring without a match: a smazzata in, its ledger out; and the presets."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from pydantic import BaseModel

from scoring.regolamento import dump_regolamento, regolamento_names
from scoring.sections import Regolamento
from scoring.sides import Side
from scoring.smazzata import score_smazzata
from scoring.whatif import what_if
from ui.api.deps import LangDep, ServicesDep
from ui.api.faults import error_response
from ui.api.models import ErrorOut, ScoreOut, WhatIfOut
from ui.api.score_bodies import CompareBody, ScoreBody
from ui.api.shown import score_out, what_if_out
from ui.faults import assumed, fault_messages
from ui.seats import Seats, seats_of
from ui.services import regolamento_named
from ui.viewmodels import Message

router = APIRouter(tags=["score"])

_ERRORS: dict[int | str, dict[str, object]] = {status: {"model": ErrorOut} for status in (400, 404, 422)}


class ClassOut(BaseModel):
    """A class of burraco: its key, what this regolamento calls it, its points."""

    key: str
    name: str
    bonus: int


class RegolamentoOut(BaseModel):
    """A preset in a list; `counts_as` names the base where no figure of its own was found.

    `one_smazzata` tells that one deal decides, unless a match says otherwise.
    """

    name: str
    title: str
    source: str
    date: str
    formato: str
    counts_as: str | None
    classes: list[ClassOut]
    targets: list[int]
    default_target: int
    one_smazzata: bool


@router.post("/score", response_model=ScoreOut, responses=_ERRORS)
def score(body: ScoreBody, lang: LangDep) -> Response:
    """Score a smazzata. 422 where it breaks the rules (`details` has the score all the same), unless `anyway`."""
    sides, regolamento, seats = _seated(body)
    punteggio = score_smazzata(sides, regolamento, body.end, seats.formato)
    faults = fault_messages(punteggio.faults, punteggio, body.side_names, regolamento)
    unsaid = [at for at, side in enumerate(body.sides) if "pozzetto" not in side.model_fields_set]
    remarks = assumed(unsaid, sides, body.end, body.side_names, regolamento)
    out = score_out(punteggio, faults, remarks, regolamento, seats, lang).model_dump(mode="json", by_alias=True)
    if faults and not body.anyway:
        return error_response(422, Message("invalid.faults", {"what": tuple(faults)}), lang, out)
    return JSONResponse(out)


@router.post("/compare", response_model=list[WhatIfOut], responses=_ERRORS)
def compare(body: CompareBody, lang: LangDep) -> list[WhatIfOut]:
    """What one smazzata would score under other presets; `totals` is null where it could not exist there."""
    others = [regolamento_named(name) for name in body.under or regolamento_names()]
    sides, regolamento, seats = _seated(body)
    answers = what_if(sides, regolamento, others, body.end, seats.formato)
    return [what_if_out(answer, body.side_names, lang, seats) for answer in answers]


def _seated(body: ScoreBody) -> tuple[tuple[Side, ...], Regolamento, Seats]:
    regolamento = regolamento_named(body.regolamento, body.settings)
    seats = seats_of(regolamento, body.players, [side.players for side in body.sides])
    return seats.seated([side.value() for side in body.sides]), seats.formato.applied(regolamento), seats


@router.get("/regolamenti", response_model=list[RegolamentoOut])
def regolamenti(services: ServicesDep) -> list[RegolamentoOut]:
    """The presets that ship, the default first."""
    return [
        RegolamentoOut(
            name=info.name,
            title=info.title,
            source=info.source,
            date=info.date,
            formato=info.formato,
            counts_as=info.counts_as,
            classes=[ClassOut(key=key, name=name, bonus=bonus) for key, name, bonus in info.classes],
            targets=list(info.targets),
            default_target=info.default_target,
            one_smazzata=info.one_smazzata,
        )
        for info in services.regolamenti()
    ]


@router.get("/regolamenti/{name}", response_class=PlainTextResponse, responses=_ERRORS)
def regolamento(name: Annotated[str, Path(max_length=64)]) -> PlainTextResponse:
    """All figures of a preset with their sources, as TOML."""
    return PlainTextResponse(dump_regolamento(regolamento_named(name)), media_type="application/toml")
