"""Dal vivo: start and stop a camera, look at what it shows, take a moment out of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from ui.api.bodies import Body, Device
from ui.api.deps import LangDep, ServicesDep
from ui.api.models import ErrorOut, JobOut
from ui.api.shown import job_out
from ui.errors import Busy, ServiceError
from ui.i18n import say
from ui.live import LiveShown
from ui.services import Services
from ui.viewmodels import Message

router = APIRouter(prefix="/live", tags=["live"])

_ERRORS: dict[int | str, dict[str, object]] = {status: {"model": ErrorOut} for status in (400, 403, 404, 422, 503)}
LOOK_S = 0.1
MOST_STREAMS = 12
BOUNDARY = "frame"
_open = 0

MatchId = Annotated[str, Query(max_length=40)]


class LiveMeldOut(BaseModel):
    """A laid meld; `squared`: a burraco that lies as one pile and is remembered as it was."""

    number: int
    cards: list[str]
    squared: bool
    points: int


class LiveOut(BaseModel):
    """What the camera shows; with `hidden` nothing before the smazzata ends."""

    on: bool
    hidden: bool
    number: int = 0
    source: str = ""
    melds: list[LiveMeldOut] = []
    total: int = 0
    messages: list[str] = []


class LiveStartBody(Body):
    """Which camera, and the match whose rules count."""

    source: Annotated[str, Field(max_length=500, examples=["0", "rtsp://192.168.1.20:554/live"])]
    match_id: Annotated[str | None, Field(max_length=40)] = None


class LiveShowBody(Body):
    """Whether the camera's picture and totals may be seen before the smazzata ends."""

    match_id: Annotated[str, Field(max_length=40)]
    shown: bool


class LiveBeginBody(Body):
    """The match whose next smazzata begins."""

    match_id: Annotated[str, Field(max_length=40)]


class LiveFreezeBody(Body):
    """Which melds go to which side: those of the lower half (`near`), of the upper half (`far`), or all of them."""

    match_id: Annotated[str, Field(max_length=40)]
    sides: dict[int, Literal["near", "far", "all"]]
    device: Device = "api"


@router.get("", response_model=LiveOut, responses=_ERRORS)
def live(match_id: MatchId, services: ServicesDep, lang: LangDep) -> LiveOut:
    """The laid melds as the camera sees them now, and what is wrong with camera or picture."""
    return live_out(services.live_view(match_id), lang)


@router.post("/start", status_code=204, responses=_ERRORS)
def start(body: LiveStartBody, services: ServicesDep) -> Response:
    """Watch a camera; one that is watched already is let go. Only from the machine itself."""
    services.live_start(body.source, match_id=body.match_id)
    return Response(status_code=204)


@router.post("/stop", status_code=204, responses=_ERRORS)
def stop(services: ServicesDep) -> Response:
    """Let the camera go. Only from the machine itself."""
    services.live_stop()
    return Response(status_code=204)


@router.post("/show", status_code=204, responses=_ERRORS)
def show(body: LiveShowBody, services: ServicesDep) -> Response:
    """Say whether it may be seen before the smazzata ends."""
    services.live_show(body.match_id, body.shown)
    return Response(status_code=204)


@router.post("/begin", status_code=204, responses=_ERRORS)
def begin(body: LiveBeginBody, services: ServicesDep) -> Response:
    """Forget what the camera has seen: another smazzata begins. Confirming a smazzata does so by itself."""
    services.live_begin(body.match_id)
    return Response(status_code=204)


@router.post("/freeze", response_model=list[JobOut], responses=_ERRORS)
def freeze(body: LiveFreezeBody, services: ServicesDep, lang: LangDep) -> list[JobOut]:
    """Lay the melds of this moment on the sides, as a photo of each would; the picture shows no hand."""
    jobs = services.live_freeze(body.match_id, body.sides, device=body.device)
    return [job_out(job, lang) for job in jobs]


@router.get("/stream", response_class=StreamingResponse, responses=_ERRORS)
async def stream(request: Request, match_id: MatchId, services: ServicesDep) -> Response:
    """The camera's picture with the melds outlined and all else veiled, as MJPEG."""
    if _open >= MOST_STREAMS:
        raise Busy(Message("stream.busy"), 60)
    shown = await run_in_threadpool(services.live_view, match_id)
    if shown.view is None:
        raise ServiceError(Message("live.hidden" if shown.hidden and not shown.elsewhere else "live.off"))
    pictures = _pictures(request, services, match_id)
    headers = {"Cache-Control": "no-store"}
    return StreamingResponse(pictures, media_type=f"multipart/x-mixed-replace; boundary={BOUNDARY}", headers=headers)


async def _pictures(request: Request, services: Services, match_id: str) -> AsyncIterator[bytes]:
    """Each new picture, until nobody looks, the camera is let go, or it may be seen no longer."""
    global _open
    _open += 1
    last = b""
    try:
        while not await request.is_disconnected():
            shown = await run_in_threadpool(services.live_view, match_id)
            if shown.view is None:
                return
            picture = shown.view.jpeg
            if picture and picture is not last:
                last = picture
                head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
                yield head.encode() + picture + b"\r\n"
            await asyncio.sleep(LOOK_S)
    finally:
        _open -= 1


def live_out(shown: LiveShown, lang: str) -> LiveOut:
    """What is shown, in plain types and words."""
    view = shown.view
    if view is None:
        return LiveOut(on=shown.on, hidden=shown.hidden)
    melds = [
        LiveMeldOut(number=m.number, cards=[str(card) for card in m.cards], squared=m.squared, points=m.points)
        for m in view.melds
    ]
    return LiveOut(
        on=True,
        hidden=False,
        number=view.number,
        source=view.source,
        melds=melds,
        total=view.total,
        messages=[say(message, lang) for message in view.messages],
    )
