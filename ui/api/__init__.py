"""The HTTP API: the same services as the pages, for programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fastapi import FastAPI
from fastapi.responses import Response
from pydantic import BaseModel, Field

from ui.api import exchange, live, matches, melds, scan, score, turni
from ui.api.deps import ServicesDep
from ui.api.faults import add_handlers, body_refused
from ui.api.limits import UploadLimit
from ui.api.scan import queue_state
from ui.api.stream import Streams
from ui.metrics import Gauge, exposition
from ui.services import program_version
from ui.settings import LICENCE, SOURCE_URL, Settings
from ui.source import source_zip

JSON_BYTES = 8 * 2**20
DOCS_PAGE = Path(__file__).with_name("docs.html")

_DESCRIPTION = f"""
Photograph a Burraco table, check the cards, get a score with every reason.

Free software under **{LICENCE}**; the source that is running: [{SOURCE_URL}]({SOURCE_URL}).
Sentences come in Italian, or in English with `Accept-Language: en` or `?lang=en`.
"""


class HealthOut(BaseModel):
    """Whether the server does its work."""

    status: Annotated[str, Field(examples=["ok"], description="ok, or degraded where a part does not work")]
    version: str
    licence: str
    source: str
    database: bool
    scan_process: bool
    photos_waiting: int


def build_api(settings: Settings) -> FastAPI:
    """The API application, to be mounted at `/api`."""
    api = FastAPI(
        title="Burraco",
        version=program_version(),
        description=_DESCRIPTION,
        license_info={"name": LICENCE, "identifier": LICENCE},
        docs_url=None,  # FastAPI's own pages load their scripts from elsewhere; ours is one file and works offline
        redoc_url=None,
    )
    add_handlers(api)

    def most_bytes(path: str) -> int:
        files = path.endswith(("/scan", "/matches/import"))
        return settings.max_upload_bytes if files else min(JSON_BYTES, settings.max_upload_bytes)

    api.add_middleware(UploadLimit, max_bytes=most_bytes, answer=body_refused)
    api.state.streams = Streams()
    for router in (scan.router, melds.router, score.router, exchange.router, matches.router, turni.router, live.router):
        api.include_router(router)

    @api.get("/health", response_model=HealthOut, tags=["server"])
    def health(services: ServicesDep) -> HealthOut:
        """Whether the server, its database and its scan process work."""
        state, database = queue_state(services), services.store_answers()
        return HealthOut(
            status="ok" if database and state["scan_process"] else "degraded",
            version=program_version(),
            licence=LICENCE,
            source=SOURCE_URL,
            database=database,
            scan_process=bool(state["scan_process"]),
            photos_waiting=int(state["photos_waiting"]),
        )

    @api.get("/metrics", response_class=Response, tags=["server"])
    def metrics(services: ServicesDep) -> Response:
        """What the server has counted since it began, for Prometheus: numbers only, nothing about anybody."""
        state = queue_state(services)
        waiting = Gauge("burraco_photos_waiting", "Photos that wait.", lambda: state["photos_waiting"])
        running = Gauge("burraco_scan_process", "Whether the scan process runs.", lambda: state["scan_process"])
        return Response(exposition((waiting, running)), media_type="text/plain; version=0.0.4; charset=utf-8")

    @api.get("/docs", response_class=Response, include_in_schema=False)
    def docs() -> Response:
        """All of this, to read and to try."""
        return Response(DOCS_PAGE.read_bytes(), media_type="text/html; charset=utf-8")

    @api.get("/source", response_class=Response, tags=["server"])
    def source() -> Response:
        """The running source as a zip (AGPL-3.0, section 13)."""
        headers = {"Content-Disposition": 'attachment; filename="burraco-source.zip"'}
        return Response(source_zip(), media_type="application/zip", headers=headers)

    return api
