"""Refusals as the asker can read them: a page for a person, `{code, message, details}` for a program."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from ui.api.faults import error_response
from ui.doors.doors import Refusal
from ui.doors.pages import page
from ui.i18n import pick_language, say


def asked_language(request: Request) -> str:
    """The language to answer in."""
    return pick_language(request.query_params.get("lang") or request.headers.get("accept-language"))


def wants_page(request: Request) -> bool:
    """Tell whether a person is looking at the answer."""
    api = request.url.path.startswith("/api/") and request.url.path != "/api/docs"
    return not api and "text/html" in request.headers.get("accept", "")


def refusal(refused: Refusal, request: Request) -> Response:
    """The answer to a request that goes no further."""
    lang = asked_language(request)
    retry = {"Retry-After": str(refused.retry_after_s)} if refused.retry_after_s else {}
    if wants_page(request):
        return page(f"<p>{say(refused.message, lang)}</p>", lang, refused.status, retry)
    return error_response(refused.status, refused.message, lang, headers=retry)
