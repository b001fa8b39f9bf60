"""Photos: send one, ask for its job."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated

from fastapi import APIRouter, File, Form, Path, Query, Request, UploadFile
from fastapi.responses import JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from scoring.store.state import AttachMode
from ui.api.bodies import Device
from ui.api.deps import LangDep, ServicesDep
from ui.api.faults import error_response
from ui.api.models import ErrorOut, JobOut
from ui.api.shown import job_out
from ui.services import Services
from ui.viewmodels import WORKING, Job, JobStatus

router = APIRouter(tags=["scan"])

MAX_WAIT_S = 60.0
LOOK_EVERY_S = 0.1
_FAULT_STATUS = {"photo.too_large": 413, "scan.no_models": 503, "scan.failed": 503, "scan.timeout": 503}
_ERRORS: dict[int | str, dict[str, object]] = {status: {"model": ErrorOut} for status in (400, 404, 413, 422, 503)}

Wait = Annotated[float, Query(ge=0, le=MAX_WAIT_S, description="seconds to wait for the result")]


@router.post("/scan", response_model=JobOut, status_code=202, responses={200: {"model": JobOut}, **_ERRORS})
async def scan(
    request: Request,
    services: ServicesDep,
    lang: LangDep,
    photo: Annotated[UploadFile, File(description="JPEG, PNG, WebP or HEIC")],
    match_id: Annotated[str | None, Form()] = None,
    side: Annotated[int | None, Form()] = None,
    mode: Annotated[AttachMode, Form()] = AttachMode.REPLACE,
    regolamento: Annotated[str | None, Form()] = None,
    device: Annotated[Device, Form()] = "api",
    wait: Wait = 0.0,
) -> Response:
    """Queue a photo. With `match_id` and `side` its reading is attached there; `wait` may bring the result at once.

    200: read (`message` says so where no card was found). 202: not done yet, ask `/scan/{id}`.
    """
    data = await photo.read()
    caller = device if device != "api" or request.client is None else request.client.host

    def queued() -> Job:
        return services.read_photo(
            data, match_id=match_id, side=side, mode=mode, regolamento=regolamento, device=caller
        )

    job = await run_in_threadpool(queued)
    return _answer(job if job.status is JobStatus.DONE else await _finished(services, job.id, wait), lang)


@router.get("/scan/{job_id}", response_model=JobOut, responses={202: {"model": JobOut}, **_ERRORS})
async def scan_job(
    services: ServicesDep, lang: LangDep, job_id: Annotated[str, Path(max_length=64)], wait: Wait = 0.0
) -> Response:
    """A photo's job as it stands, or after at most `wait` seconds."""
    return _answer(await _finished(services, job_id, wait), lang)


async def _finished(services: Services, job_id: str, wait_s: float) -> Job:
    """A job once it is finished or the time is over; who waits holds no thread, so that any number may."""
    until = time.monotonic() + wait_s
    while (job := services.job(job_id)).status in WORKING and time.monotonic() < until:
        await asyncio.sleep(LOOK_EVERY_S)
    return job


@router.get("/photos/{sha256}.jpg", response_class=Response, responses=_ERRORS)
def photo(
    services: ServicesDep,
    sha256: Annotated[str, Path(pattern="^[0-9a-f]{64}$")],
    side: Annotated[int, Query(ge=16, le=1600, description="longest side in pixels")] = 1600,
) -> Response:
    """A photo of a match, upright, as JPEG."""
    jpeg = services.photo_jpeg(sha256, side)
    return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=31536000, immutable"})


def queue_state(services: Services) -> dict[str, int | bool]:
    """What the health page says of the scan process."""
    return {"scan_process": services.scanner.pid is not None, "photos_waiting": services.scanner.waiting}


def _answer(job: Job, lang: str) -> Response:
    if job.status is JobStatus.FAILED and job.message is not None:
        key = job.message.key
        status = 503 if key.startswith("store.") else _FAULT_STATUS.get(key, 422)
        headers = {"Retry-After": "60"} if status == 503 else {}
        return error_response(status, job.message, lang, {"job": job.id}, headers)
    status = 200 if job.status is JobStatus.DONE else 202
    return JSONResponse(job_out(job, lang).model_dump(mode="json"), status)
