"""Errors of the API: always `{code, message, details}` in the language asked for, never a stack trace."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from ui.api.limits import BodyFault
from ui.api.shown import match_out
from ui.api.validation import body_fault, where
from ui.errors import Busy, Conflict, ServiceError, Unavailable
from ui.i18n import pick_language, say
from ui.viewmodels import Message

log = logging.getLogger("burraco.api")

MOST_FAULTS = 20
_ROUTE_KEYS = {404: "not_found.route", 405: "invalid.method"}


class _AnyText(JSONResponse):
    """JSON whose sentences may repeat what was sent, even where that was half a character."""

    def render(self, content: Any) -> bytes:
        """As usual, with `?` for what UTF-8 cannot say."""
        return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode(
            "utf-8", "replace"
        )


def error_response(
    status: int,
    message: Message,
    lang: str,
    details: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """An error as the API answers it."""
    body = {"code": message.key, "message": say(message, lang), "details": details or {}}
    return _AnyText(body, status, headers={"Content-Language": lang, **(headers or {})})


def _lang(request: Request) -> str:
    return pick_language(request.query_params.get("lang") or request.headers.get("accept-language"))


async def _service_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ServiceError)
    lang = _lang(request)
    details: dict[str, Any] = {}
    headers: dict[str, str] = {}
    if isinstance(error, Conflict):
        details["current"] = match_out(error.current, lang).model_dump(mode="json")
    if isinstance(error, Busy | Unavailable):
        headers["Retry-After"] = str(error.retry_after_s)
    return error_response(error.status, error.message, lang, details, headers)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    lang, found = _lang(request), error.errors()[:MOST_FAULTS]
    what = tuple(map(body_fault, found))
    faults = [{"where": where(fault), "what": say(message, lang)} for fault, message in zip(found, what, strict=True)]
    return error_response(422, Message("invalid.body", {"what": what}), lang, {"faults": faults})


async def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    key = _ROUTE_KEYS.get(error.status_code)
    message = Message(key or "invalid.request")
    return error_response(error.status_code, message, _lang(request), headers=error.headers)


async def _unexpected(request: Request, error: Exception) -> JSONResponse:
    route = getattr(request.scope.get("route"), "path", "?")  # never the address itself, which may hold anything
    log.error("%s failed", route, exc_info=error)
    return error_response(500, Message("internal.error"), _lang(request))


def add_handlers(app: FastAPI) -> None:
    """Have an application answer its errors this way."""
    app.add_exception_handler(ServiceError, _service_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)


async def body_refused(fault: BodyFault, most_bytes: int, scope: Scope, receive: Receive, send: Send) -> None:
    """The answer to a body that is too large, or that stopped coming."""
    message = Message("upload.stopped")
    if fault is BodyFault.TOO_LARGE:
        message = Message("upload.too_large", {"limit_mb": max(1, most_bytes // 2**20)})
    response = error_response(fault.value, message, _lang(Request(scope)), headers={"Connection": "close"})
    await response(scope, receive, send)
