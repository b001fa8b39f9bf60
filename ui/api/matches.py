"""Matches: list, begin, look at, do something to."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query
from fastapi.responses import JSONResponse, Response

from ui.api.bodies import Device, NewMatchBody
from ui.api.command_bodies import CommandEnvelope, command_of
from ui.api.deps import LangDep, ServicesDep
from ui.api.models import ErrorOut, HistoryOut, JobOut, MatchOut, SummaryOut, WhatIfOut
from ui.api.shown import history_out, job_out, match_out, summary_out, what_if_out
from ui.i18n import say_names
from ui.seats import seats_at
from ui.viewmodels import MatchView, NewMatch

router = APIRouter(prefix="/matches", tags=["matches"])

_ERRORS: dict[int | str, dict[str, object]] = {status: {"model": ErrorOut} for status in (400, 404, 409, 422)}

MatchId = Annotated[str, Path(max_length=40)]


@router.get("", response_model=list[SummaryOut])
def matches(
    services: ServicesDep, deleted: Annotated[bool, Query(description="those that were deleted instead")] = False
) -> list[SummaryOut]:
    """All matches, the newest first; never the demo."""
    return [summary_out(summary) for summary in services.matches(deleted)]


@router.post("", response_model=MatchOut, status_code=201, responses=_ERRORS)
def create(body: NewMatchBody, services: ServicesDep, lang: LangDep) -> Response:
    """Begin a match."""
    new = NewMatch(
        names=body.names,
        regolamento=body.regolamento,
        target=body.target,
        players=tuple(map(tuple, body.players)),
        formato=body.formato,
        goal=body.goal.value() if body.goal else None,
        rounding=body.rounding,
        both_confirm=body.both_confirm,
        settings=body.settings,
    )
    view = services.create_match(new, device=body.device, command_id=body.command_id)
    return _shown(view, lang, status=201)


@router.get("/{match_id}", response_model=MatchOut, responses={304: {}, **_ERRORS})
def match(
    match_id: MatchId,
    services: ServicesDep,
    lang: LangDep,
    device: Device = "api",
    at: Annotated[int | None, Query(ge=1, description="as it was after so many events")] = None,
    if_none_match: Annotated[str | None, Header()] = None,
) -> Response:
    """A match as it is now; with `If-None-Match` 304 where nothing has happened since."""
    view = services.match(match_id, device=device, at=at)
    etag = _etag(view, lang)
    if if_none_match == etag:
        return Response(status_code=304, headers={"ETag": etag})
    return _shown(view, lang)


@router.get("/{match_id}/compare", response_model=list[WhatIfOut], responses=_ERRORS)
def compare(match_id: MatchId, services: ServicesDep, lang: LangDep) -> list[WhatIfOut]:
    """What the open smazzata would score under every preset; `totals` is null where it could not exist there."""
    match = services.match(match_id)
    names, seats = say_names(match.table.names, lang), seats_at(match)
    return [what_if_out(answer, names, lang, seats) for answer in services.compare(match_id)]


@router.get("/{match_id}/history", response_model=list[HistoryOut], responses=_ERRORS)
def history(match_id: MatchId, services: ServicesDep) -> list[HistoryOut]:
    """Everything that happened to a match, the latest last; `GET /matches/{id}?at=SEQ` shows it as it was then."""
    return [history_out(entry) for entry in services.history(match_id)]


@router.get("/{match_id}/jobs", response_model=list[JobOut], responses=_ERRORS)
def jobs(match_id: MatchId, services: ServicesDep, lang: LangDep) -> list[JobOut]:
    """The match's photos that wait or are being read, or were read in the last minute."""
    return [job_out(job, lang) for job in services.jobs(match_id)]


@router.post("/{match_id}/commands", response_model=MatchOut, responses=_ERRORS)
def command(match_id: MatchId, body: CommandEnvelope, services: ServicesDep, lang: LangDep) -> Response:
    """Do something to a match that you saw at `seq`; 409 with the match as it is now where somebody wrote first."""
    envelope: Any = body
    wanted = command_of(envelope.command)
    view = services.apply(match_id, wanted, seq=envelope.seq, device=envelope.device, command_id=envelope.command_id)
    return _shown(view, lang)


def _etag(view: MatchView, lang: str) -> str:
    return f'"{view.id}-{view.seq}-{lang}"'


def _shown(view: MatchView, lang: str, status: int = 200) -> Response:
    out = match_out(view, lang).model_dump(mode="json")
    return JSONResponse(out, status, headers={"ETag": _etag(view, lang)})
