"""Limits on request bodies as pure ASGI: bytes are counted, and pauses timed, while they arrive."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from enum import Enum
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

PAUSE_S: Final = 30.0


class BodyFault(Enum):
    """Why a body is refused, and the HTTP status of that."""

    TOO_LARGE = 413
    TOO_SLOW = 408


Answer = Callable[[BodyFault, int, Scope, Receive, Send], Awaitable[None]]


class UploadLimit:
    """Refuses bodies of more than `max_bytes(path)`, announced or not, and those that stop coming for `pause_s`.

    `answer` gets the fault and the limit in bytes, and sends the refusal.
    """

    def __init__(self, app: ASGIApp, max_bytes: Callable[[str], int], answer: Answer, pause_s: float = PAUSE_S) -> None:
        self._app, self._max_bytes, self._answer, self._pause_s = app, max_bytes, answer, pause_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, counting."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._max_bytes(scope["path"])
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if announced.isdigit() and int(announced) > most:
            await self._answer(BodyFault.TOO_LARGE, most, scope, receive, send)
            return
        await self._counted(most, scope, receive, send)

    async def _counted(self, most: int, scope: Scope, receive: Receive, send: Send) -> None:
        seen, whole, started = 0, False, False
        fault: BodyFault | None = None

        async def counting_receive() -> Message:
            nonlocal seen, fault, whole
            if whole:
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), self._pause_s)
            except TimeoutError:
                fault = BodyFault.TOO_SLOW
                return {"type": "http.disconnect"}
            seen += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if seen > most:
                fault = BodyFault.TOO_LARGE
                return {"type": "http.disconnect"}
            return message

        async def watching_send(message: Message) -> None:
            nonlocal started
            if fault is not None and not started:
                return
            started = True
            await send(message)

        try:
            await self._app(scope, counting_receive, watching_send)
        except Exception:
            if fault is None or started:
                raise
        if fault is not None and not started:
            await self._answer(fault, most, scope, receive, send)
