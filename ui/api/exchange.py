"""Matches out and in, and the stream that a club's display listens to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from starlette.concurrency import run_in_threadpool

from scoring.formato import Points
from ui.api.deps import LangDep, ServicesDep
from ui.api.matches import MatchId
from ui.api.models import ErrorOut, MatchOut
from ui.api.shown import match_out
from ui.api.stream import Streams
from ui.errors import ServiceError
from ui.exchange.match_file import MatchFile
from ui.viewmodels import MatchView, Message, NewMatch

router = APIRouter(prefix="/matches", tags=["out and in"])

_ERRORS: dict[int | str, dict[str, object]] = {status: {"model": ErrorOut} for status in (400, 404, 422, 503)}
_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": MatchFile.model_json_schema(ref_template="#/components/schemas/{model}")},
            "text/csv": {"schema": {"type": "string"}, "example": "smazzata;Noi;Loro\n1;505;320\n2;-75;840\n"},
        },
    }
}
_BODY["requestBody"]["content"]["application/json"]["schema"].pop("$defs", None)  # type: ignore[index]


@router.post(
    "/import",
    response_model=MatchOut,
    status_code=201,
    responses={**_ERRORS, 413: {"model": ErrorOut}},
    openapi_extra=_BODY,
)
async def import_match(
    request: Request,
    services: ServicesDep,
    lang: LangDep,
    copy: Annotated[bool, Query(description="JSON: make it a match of its own")] = False,
    regolamento: Annotated[str, Query(max_length=40, description="CSV: the preset; the default one otherwise")] = "",
    target: Annotated[int, Query(ge=0, description="CSV: played to; the preset's own otherwise")] = 0,
    formato: Annotated[str | None, Query(max_length=40, description="CSV: how many play")] = None,
) -> Response:
    """Put a match in: the JSON of an export, or (`Content-Type: text/csv`) a CSV of totals, a name over each column.

    The same JSON again changes nothing.
    """
    body = await request.body()
    is_csv = request.headers.get("content-type", "").partition(";")[0].strip().lower() == "text/csv"

    def work() -> MatchView:
        if not is_csv:
            return services.import_match(body, copy)
        try:
            text = body.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ServiceError(Message("import.csv.empty")) from error
        return services.import_totals(text, NewMatch((), regolamento, target, formato=formato), lang)

    view = await run_in_threadpool(work)
    return JSONResponse(match_out(view, lang).model_dump(mode="json"), 201)


@router.get("/{match_id}/export.json", response_model=MatchFile, responses=_ERRORS)
def export_json(
    match_id: MatchId,
    services: ServicesDep,
    photos: Annotated[bool, Query(description="with the photos, in base64")] = False,
) -> Response:
    """A match with all its events; `POST /matches/import` takes it, here or elsewhere."""
    return _file(services.export_json(match_id, photos), "application/json", f"burraco-{match_id}.json")


@router.get("/{match_id}/export.csv", response_class=Response, responses=_ERRORS)
def export_csv(
    match_id: MatchId,
    services: ServicesDep,
    lang: LangDep,
    ledgers: Annotated[bool, Query(description="every line of the ledgers instead of the totals")] = False,
) -> Response:
    """Totals, or ledgers, as a table for spreadsheets."""
    name = f"burraco-{match_id}-{'ledgers' if ledgers else 'totals'}.csv"
    return _file(services.export_csv(match_id, lang, ledgers), "text/csv; charset=utf-8", name)


@router.get("/{match_id}/export.pdf", response_class=Response, responses=_ERRORS)
def export_pdf(match_id: MatchId, services: ServicesDep, lang: LangDep) -> Response:
    """The score sheet to print and sign."""
    return _file(services.export_pdf(match_id, lang), "application/pdf", f"burraco-{match_id}.pdf")


@router.get("/{match_id}/export.png", response_class=Response, responses=_ERRORS)
def export_png(match_id: MatchId, services: ServicesDep, lang: LangDep) -> Response:
    """A picture of the totals."""
    return _file(services.export_png(match_id, lang), "image/png", f"burraco-{match_id}.png")


@router.get("/{match_id}/smazzate/{number}.json", responses=_ERRORS)
def export_smazzata(match_id: MatchId, number: Annotated[int, Path(ge=1)], services: ServicesDep) -> Response:
    """A confirmed smazzata as the JSON that `burraco score` reads."""
    text = services.export_smazzata(match_id, number)
    return _file(text, "application/json", f"burraco-{match_id}-{number}.json")


@router.get("/{match_id}/events", response_class=StreamingResponse, responses=_ERRORS)
async def events(match_id: MatchId, request: Request, services: ServicesDep, lang: LangDep) -> StreamingResponse:
    """Server-sent events for a display: `match` with names and totals now and at every change, `id` its `seq`.

    The stream ends after a minute, and the browser's EventSource opens it again by itself.
    """
    await run_in_threadpool(services.match, match_id)
    streams: Streams = request.app.state.streams

    async def shown() -> tuple[int, dict[str, object]]:
        view = await run_in_threadpool(services.match, match_id)
        totals: list[Points] = list(view.totals)
        said = {"names": list(view.names), "totals": totals, "smazzate": len(view.confirmed), "winner": view.winner}
        return view.seq, {"seq": view.seq, "finished": view.finished, **said}

    async def gone() -> bool:
        return await request.is_disconnected()

    body: AsyncIterator[str] = streams.open(shown, gone)
    return StreamingResponse(body, media_type="text/event-stream", headers={"Cache-Control": "no-store"})


def _file(content: str | bytes, media_type: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(content, media_type=media_type, headers=headers)
