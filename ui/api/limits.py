"""Upload limit as pure ASGI: bytes are counted while they arrive, before anything is kept."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

TooLarge = Callable[[Scope, Receive, Send], Awaitable[None]]


class UploadLimit:
    """Refuses request bodies of more than `max_bytes`, announced or not; `answer` sends the refusal (413)."""

    def __init__(self, app: ASGIApp, max_bytes: int, answer: TooLarge) -> None:
        self._app, self._max_bytes, self._answer = app, max_bytes, answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, counting."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if announced.isdigit() and int(announced) > self._max_bytes:
            await self._answer(scope, receive, send)
            return
        await self._counted(scope, receive, send)

    async def _counted(self, scope: Scope, receive: Receive, send: Send) -> None:
        seen, over, started = 0, False, False

        async def counting_receive() -> Message:
            nonlocal seen, over
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self._max_bytes:
                over = True
                return {"type": "http.disconnect"}
            return message

        async def watching_send(message: Message) -> None:
            nonlocal started
            if over and not started:
                return
            started = True
            await send(message)

        try:
            await self._app(scope, counting_receive, watching_send)
        except Exception:
            if not over or started:
                raise
        if over and not started:
            await self._answer(scope, receive, send)
