"""The ASGI application: Streamlit dashboard and FastAPI in one process on one port."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.routing import Mount
from streamlit import config

from ui.api import build_api
from ui.services import close_services, get_services
from ui.settings import Settings, get_settings
from ui.views.theme import THEME

STREAMS_END_S = 3  # a display's stream would keep the server from ending for up to a minute
MAIN_SCRIPT = Path(__file__).resolve().with_name("main.py")


def _configure(settings: Settings) -> None:
    """Streamlit's options in code, so that the program runs alike from any folder and calls nobody outside."""
    options: dict[str, Any] = {
        "server.address": settings.host,
        "server.port": settings.port,
        "server.headless": True,
        "server.fileWatcherType": "none",
        "server.maxUploadSize": max(1, settings.max_upload_bytes // 2**20),
        "browser.serverAddress": "localhost",
        "browser.serverPort": settings.port,
        "browser.gatherUsageStats": False,
        "client.showErrorDetails": "none",
        "client.toolbarMode": "minimal",
        "client.showSidebarNavigation": True,
    }
    for name, value in (options | THEME).items():
        config.set_option(name, value)


@asynccontextmanager
async def _lifespan(_app: st.App) -> AsyncIterator[dict[str, Any] | None]:
    """Store and scan process live as long as the server (a mounted app's own lifespan would not run)."""
    services = await run_in_threadpool(get_services)
    if get_settings().demo:
        await run_in_threadpool(services.demo_match)
    yield None
    await run_in_threadpool(close_services)


def build_app(settings: Settings | None = None) -> st.App:
    """The application of this process; options are set before it is built."""
    settings = settings or get_settings()
    _configure(settings)
    return st.App(MAIN_SCRIPT, routes=[Mount("/api", app=build_api(settings))], lifespan=_lifespan)


def serve(settings: Settings) -> None:
    """Run the server until it is stopped."""
    import uvicorn

    uvicorn.run(
        build_app(settings),
        host=settings.host,
        port=settings.port,
        log_level="warning",
        timeout_graceful_shutdown=STREAMS_END_S,
    )
