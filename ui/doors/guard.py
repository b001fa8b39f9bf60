"""The one guard before everything: dashboard, its websocket, uploads, media and API alike (pure ASGI)."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.api.faults import body_refused
from ui.api.limits import UploadLimit
from ui.doors.answers import refusal
from ui.doors.desk import Desk
from ui.doors.doors import ENTRANCE, PHONES, Doors, Refusal, Who
from ui.doors.visit import Visit, visit_of
from ui.metrics import REFUSALS, REQUESTS
from ui.roles import MATCH_HEADER, ROLE_HEADER, Role

log = logging.getLogger("burraco.requests")

UPLOADS: Final = "/_stcore/upload_file/"
FRAME_BYTES: Final = 64 * 1024  # what a multipart body adds to its file; also all that any other body may have
HEADERS: Final = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
POLICY: Final = "frame-ancestors 'none'; object-src 'none'; base-uri 'self'; form-action 'self'"
_DROPPED: Final = {ROLE_HEADER.encode(), MATCH_HEADER.encode()}


class Guard:
    """Lets a request through with the role of whoever sent it, or answers it here."""

    def __init__(self, app: ASGIApp, doors: Doors) -> None:
        self._app, self._doors, self._desk = app, doors, Desk(doors)
        self._bounded = UploadLimit(app, self._most_bytes, body_refused)

    def _most_bytes(self, path: str) -> int:
        return FRAME_BYTES + (self._doors.settings.max_upload_bytes if path.startswith(UPLOADS) else 0)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request or websocket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        visit = visit_of(scope)
        who = self._doors.who(visit)
        refused = self._doors.refusal(visit, who)
        if refused is not None:
            REFUSALS.add(refused.message.key.partition(".")[2])
        if scope["type"] == "websocket":
            await self._socket(visit, who, refused, scope, receive, send)
        else:
            await self._http(visit, who, refused, scope, receive, send)

    async def _http(
        self, visit: Visit, who: Who, refused: Refusal | None, scope: Scope, receive: Receive, send: Send
    ) -> None:
        record = _Record(time.perf_counter())
        guarded = _with_role(scope, who)

        async def closing_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                record.status = int(message["status"])
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Content-Security-Policy", POLICY)
            await send(message)

        try:
            answer = await self._own_answer(visit, who.role, refused, guarded, receive)
            app = answer or (self._app if visit.path.startswith("/api") else self._bounded)
            await app(guarded, receive, closing_send)
        finally:
            record.write(visit, who.role, guarded)

    async def _own_answer(
        self, visit: Visit, role: Role | None, refused: Refusal | None, scope: Scope, receive: Receive
    ) -> Response | None:
        """What is answered at the door itself; None for all that goes in."""
        request = Request(scope, receive)
        if refused is not None:
            return self._desk.closed(request, visit) if refused.pairing else refusal(refused, request)
        if visit.path == ENTRANCE:
            return await self._desk.entrance(request, visit, role)
        if visit.path == PHONES:
            return await self._desk.phones(request)
        return None

    async def _socket(
        self, visit: Visit, who: Who, refused: Refusal | None, scope: Scope, receive: Receive, send: Send
    ) -> None:
        if refused is not None:
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
            return

        async def checking_receive() -> Message:
            """A session that has ended, or a new key, ends the websockets it opened."""
            message = await receive()
            if message["type"] == "websocket.receive" and self._doors.who(visit) != who:
                return {"type": "websocket.disconnect", "code": 1008}
            return message

        with self._doors.counted_socket(who):
            await self._app(_with_role(scope, who), checking_receive, send)


def _with_role(scope: Scope, who: Who) -> Scope:
    """The scope with our own word for role and match in place of anything a client may have said."""
    headers = [(key, value) for key, value in scope["headers"] if key.lower() not in _DROPPED]
    if who.role is not None:
        headers.append((ROLE_HEADER.encode(), who.role.name.encode()))
        headers.append((MATCH_HEADER.encode(), who.match_id.encode()))
    return {**scope, "headers": headers}


@dataclass(slots=True)
class _Record:
    """What is counted and logged of a request: no address, no path as it was typed, no name."""

    started: float
    status: int = 0

    def write(self, visit: Visit, role: Role | None, scope: Scope) -> None:
        part = _part(visit.path)
        REQUESTS.add(part, str(self.status))
        fields = {
            "part": part,
            "route": getattr(scope.get("route"), "path", None),
            "method": visit.method if visit.method.isalpha() else "?",
            "status": self.status,
            "ms": round(1000 * (time.perf_counter() - self.started), 1),
            "role": role.name.lower() if role else None,
        }
        log.info("answered", extra={"fields": fields})


def _part(path: str) -> str:
    """Which part of the server a path belongs to; one of a few words, whatever a client asks for."""
    first = path.split("/")[1] if "/" in path else ""
    if path.startswith(UPLOADS):
        return "upload"
    if path in (ENTRANCE, PHONES):
        return "door"
    return {"api": "api", "_stcore": "dashboard", "media": "media", "static": "static"}.get(first, "page")
