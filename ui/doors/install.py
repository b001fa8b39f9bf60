"""The one page over plain HTTP where the dashboard speaks HTTPS: how a phone comes to trust it, and the way in."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ui.doors.answers import asked_language
from ui.doors.doors import ENTRANCE
from ui.doors.pages import page
from ui.doors.visit import host_name
from ui.i18n import t
from ui.settings import Settings

CERTIFICATE: Final = "/burraco.crt"
CARRY_HASH: Final = """
function carry() {
  for (const link of document.querySelectorAll("a.enter")) link.hash = location.hash;
}
addEventListener("hashchange", carry);
carry();
"""
"""The code of the QR stands behind `#`, reaches no server on this page, and goes on with the tap that enters."""


def install_port(settings: Settings) -> int:
    """Where this page is: the port after the dashboard's."""
    return settings.port + 1


def install_app(settings: Settings, authority: Path) -> Starlette:
    """The page, the authority to install, and the way on for all else."""

    def secure(request: Request, path: str) -> str:
        name = host_name(request.headers.get("host", "")) or "localhost"
        return f"https://{f'[{name}]' if ':' in name else name}:{settings.port}{path}"

    def steps(request: Request) -> Response:
        lang = asked_language(request)
        return page(_steps(lang, secure(request, ENTRANCE)), lang, script=CARRY_HASH)

    def certificate(_request: Request) -> Response:
        headers = {"Content-Disposition": 'attachment; filename="burraco.crt"'}
        return Response(authority.read_bytes(), media_type="application/x-x509-ca-cert", headers=headers)

    def onward(request: Request) -> Response:
        return RedirectResponse(secure(request, request.url.path))

    return Starlette(
        routes=[Route("/", steps), Route(CERTIFICATE, certificate), Route("/{rest:path}", onward, methods=["GET"])]
    )


def _steps(lang: str, enter: str) -> str:
    def say(key: str) -> str:
        return escape(t(key, lang))

    def listed(system: str, numbers: Sequence[int]) -> str:
        items = "".join(f"<li>{say(f'install.{system}_{number}')}</li>" for number in numbers)
        return f"<section><h2>{say(f'install.{system}')}</h2><ol>{items}</ol></section>"

    way_in = f'<p><a class="go enter" href="{escape(enter)}">{say("install.enter")}</a></p>'
    return f"""
<h1>{say("install.title")}</h1>
<p>{say("install.why")}</p>
{way_in}
<h2>{say("install.first")}</h2>
<p><a class="go" href="{CERTIFICATE}" download>{say("install.download")}</a></p>
<div class="cards">{listed("iphone", (1, 2, 3, 4))}{listed("android", (1, 2, 3))}</div>
{way_in}
<p>{say("install.remove")}</p>"""


def serve_install_page(settings: Settings, authority: Path) -> None:
    """Answer on the plain port beside the dashboard until the program ends."""
    import uvicorn

    config = uvicorn.Config(
        install_app(settings, authority),
        host=settings.host,
        port=install_port(settings),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
    )
    threading.Thread(target=uvicorn.Server(config).run, name="install-page", daemon=True).start()
