"""The ASGI application: Streamlit dashboard and FastAPI in one process on one port."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.routing import Mount
from streamlit import config

from scoring.regolamento import load_regolamento
from ui.api import build_api
from ui.doors.authority import certificates
from ui.doors.doors import Doors
from ui.doors.guard import Guard
from ui.doors.home import home_routes, unknown_route
from ui.doors.install import serve_install_page
from ui.logs import hush_libraries, start_logging
from ui.services import close_services, get_services
from ui.settings import Settings, get_settings, is_loopback
from ui.views.theme import THEME

MOST_SOCKET_BYTES = 4 * 2**20  # taps and texts; photos do not come this way
STREAMS_END_S = 3  # a display's stream would keep the server from ending for up to a minute
PAGES = ("tavolo", "dal_vivo", "partita", "guarda", "informazioni")
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
        # A full collection after every run, by which phones follow a match too, took a tenth of a core a page (0.16 s
        # each); Python collects by itself when there is something to collect.
        "runner.postScriptGC": False,
    }
    for name, value in (options | THEME).items():
        config.set_option(name, value)


@asynccontextmanager
async def _lifespan(_app: st.App) -> AsyncIterator[dict[str, Any] | None]:
    """Store and scan process live as long as the server (a mounted app's own lifespan would not run)."""
    hush_libraries()
    services = await run_in_threadpool(get_services)
    if get_settings().demo:
        await run_in_threadpool(services.demo_match)
    if source := get_settings().live_source:
        name = get_settings().live_regolamento
        rules = load_regolamento(name) if name else None
        await run_in_threadpool(services.live_start, source, regolamento=rules, told=_print_line)
    yield None
    await run_in_threadpool(close_services)


def _print_line(line: Mapping[str, Any]) -> None:
    """One change of the table, for whoever reads what `burraco live` prints."""
    print(
        json.dumps({"at": datetime.now().astimezone().isoformat(timespec="seconds"), **line}, ensure_ascii=False),
        flush=True,
    )


def build_app(settings: Settings | None = None) -> st.App:
    """The application of this process; options are set before it is built."""
    settings = settings or get_settings()
    _configure(settings)
    return st.App(
        MAIN_SCRIPT,
        routes=[*home_routes(PAGES), Mount("/api", app=build_api(settings)), unknown_route()],
        middleware=[Middleware(Guard, doors=Doors(settings, matches=lambda: get_services().matches()))],
        lifespan=_lifespan,
    )


def serve(settings: Settings) -> None:
    """Run the server until it is stopped."""
    import uvicorn

    start_logging(settings.data_dir)
    issued = certificates(settings) if settings.https else None
    if issued is not None:
        serve_install_page(settings, issued.authority)
    app = build_app(settings)
    hush_libraries()
    config_of_server = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the guard must see who really knocks
        ws_max_size=MOST_SOCKET_BYTES,
        timeout_graceful_shutdown=STREAMS_END_S,
        ssl_certfile=issued.server if issued else None,
        ssl_keyfile=issued.key if issued else None,
    )
    hosts = [settings.host]
    if settings.host not in ("0.0.0.0", "::") and not is_loopback(settings.host):
        hosts.append("127.0.0.1")  # the machine itself has no code, and shows those of the others
    sockets = [_bound(host, settings.port) for host in hosts]
    uvicorn.Server(config_of_server).run(sockets=sockets)


def _bound(host: str, port: int) -> socket.socket:
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    if os.name != "nt":
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.bind((host, port))
    return bound
