"""What a bookmark on a phone's home screen needs over plain HTTP: an icon, a manifest, and a page that names both."""

from __future__ import annotations

import io
import re
from functools import cache
from html import escape
from importlib.resources import files
from typing import Final

from PIL import Image, ImageDraw
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from ui.doors.answers import asked_language
from ui.doors.doors import ICONS, MANIFEST
from ui.doors.pages import page
from ui.i18n import t

SIZES: Final = (180, 192, 512)
_GREEN, _WHITE, _RED = "#0b5c3b", "#ffffff", "#b3001b"
_PATIENCE_S: Final = 8
_FINER: Final = 4  # drawn larger and then reduced, for smooth edges
_SESSION_OVER: Final = """
const PlainSocket = WebSocket;
function sessionOver() {
  fetch("/_stcore/host-config", { cache: "no-store" })
    .then((answer) => { if (answer.status === 401) location.reload(); })
    .catch(() => {});
}
window.WebSocket = class extends PlainSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener("close", sessionOver);
  }
};
"""
"""Where the server hangs up because the session has ended, the page says so: loaded again it is the way in."""
_TAGS: Final = f"""
    <link rel="manifest" href="{MANIFEST}" />
    <link rel="apple-touch-icon" href="{ICONS}180.png" />
    <link rel="icon" type="image/png" sizes="192x192" href="{ICONS}192.png" />
    <meta name="apple-mobile-web-app-title" content="Burraco" />
    <meta name="theme-color" content="{_GREEN}" />
    <style>
      @keyframes senza {{ from {{ visibility: hidden; }} to {{ visibility: visible; }} }}
      .senza {{ animation: senza {_PATIENCE_S}s step-end; font: 1.3rem sans-serif; margin: 2rem; }}
    </style>
    <script>{_SESSION_OVER}</script>
  """
_ENGLISH: Final = re.compile("<noscript>.*?</noscript>", re.DOTALL)
_ROOT: Final = '<div id="root">'


@cache
def icon_png(side_px: int) -> bytes:
    """The icon: a card with a heart on green cloth, whole within the round that some systems cut."""
    unit = side_px * _FINER / 100
    image = Image.new("RGB", (side_px * _FINER, side_px * _FINER), _GREEN)
    draw = ImageDraw.Draw(image)

    def box(*corners: float) -> tuple[float, ...]:
        return tuple(corner * unit for corner in corners)

    draw.rounded_rectangle(box(29, 18, 71, 82), radius=7 * unit, fill=_WHITE)
    draw.ellipse(box(35, 36, 51, 52), fill=_RED)
    draw.ellipse(box(49, 36, 65, 52), fill=_RED)
    draw.polygon(box(36.6, 49, 50, 43, 63.4, 49, 50, 66), fill=_RED)
    buffer = io.BytesIO()
    image.resize((side_px, side_px), Image.Resampling.LANCZOS).save(buffer, "PNG")
    return buffer.getvalue()


def _icon(request: Request) -> Response:
    side_px = int(request.path_params["side"])
    if side_px not in SIZES:
        raise HTTPException(404)
    return Response(icon_png(side_px), media_type="image/png", headers={"Cache-Control": "public, max-age=604800"})


def _manifest(_request: Request) -> Response:
    icons = [{"src": f"{ICONS}{side}.png", "sizes": f"{side}x{side}", "type": "image/png"} for side in SIZES[1:]]
    body = {
        "name": "Burraco",
        "short_name": "Burraco",
        "start_url": "/",
        "display": "standalone",
        "background_color": _WHITE,
        "theme_color": _GREEN,
        "icons": icons,
    }
    return JSONResponse(body, media_type="application/manifest+json")


@cache
def _index(lang: str) -> str:
    """Streamlit's own page with our tags, and with our words where a browser cannot run its scripts.

    They stand where the dashboard will, unseen for a while: without JavaScript, or without its modules, they stay.
    """
    html = files("streamlit").joinpath("static/index.html").read_text("utf-8")
    html = _ENGLISH.sub("", html).replace("</head>", f"{_TAGS}</head>", 1)
    words = f'<p class="senza" role="alert">{escape(t("door.no_script", lang))}</p>'
    return html.replace(_ROOT, f"{_ROOT}{words}", 1)


def _page(request: Request) -> Response:
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Language"}
    return HTMLResponse(_index(asked_language(request)), headers=headers)


class _Word(Convertor[str]):
    """One word as a path: what Streamlit itself answers there holds a dot or begins with an underscore."""

    regex = "[A-Za-z0-9-]+"

    def convert(self, value: str) -> str:
        """The word as it is."""
        return value

    def to_string(self, value: str) -> str:
        """The word as it is."""
        return value


register_url_convertor("word", _Word())


def _no_page(request: Request) -> Response:
    """A page nobody knows, in the language asked for; Streamlit would say so in English."""
    lang = asked_language(request)
    text, back = (escape(t(key, lang)) for key in ("not_found.page", "door.back"))
    return page(f'<h1>{text}</h1><p><a class="go" href="/">{back}</a></p>', lang, 404)


def unknown_route() -> Route:
    """The answer to any other single word; it must stand after all that is known."""
    return Route("/{name:word}", _no_page, methods=["GET"])


def home_routes(pages: tuple[str, ...]) -> list[Route]:
    """The routes of all this; `pages` are the names of the dashboard's pages, whose address may be bookmarked too."""
    return [
        Route(ICONS + "{side:int}.png", _icon),
        Route(MANIFEST, _manifest),
        *(Route(f"/{name}", _page) for name in ("", *pages)),
    ]
