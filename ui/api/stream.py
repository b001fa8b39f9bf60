"""Server-sent events: a bounded number of streams, each of bounded length, each looking at the store now and then."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from ui.errors import Busy
from ui.viewmodels import Message

EVERY_S = 1.0
LONGEST_S = 60.0
QUIET_S = 15.0
MOST = 100
RETRY_MS = 1000

Shown = Callable[[], Awaitable[tuple[int, dict[str, Any]]]]
Gone = Callable[[], Awaitable[bool]]


class Streams:
    """The open streams of a server."""

    def __init__(self, most: int = MOST, every_s: float = EVERY_S, longest_s: float = LONGEST_S) -> None:
        self._most, self._every_s, self._longest_s = most, every_s, longest_s
        self._open = 0

    def open(self, shown: Shown, gone: Gone) -> AsyncIterator[str]:
        """A stream of what `shown` gives, whenever its number has changed; raises Busy where too many are open."""
        if self._open >= self._most:
            raise Busy(Message("stream.busy"), round(self._longest_s))
        return self._stream(shown, gone)

    async def _stream(self, shown: Shown, gone: Gone) -> AsyncIterator[str]:
        self._open += 1  # here, where `finally` is sure to follow: a stream that nobody begins to read never ends
        started = spoke = time.monotonic()
        last = -1
        try:
            yield f"retry: {RETRY_MS}\n\n"
            while time.monotonic() - started < self._longest_s and not await gone():
                seq, data = await shown()
                if seq != last:
                    last, spoke = seq, time.monotonic()
                    yield f"id: {seq}\nevent: match\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
                elif time.monotonic() - spoke > QUIET_S:
                    spoke = time.monotonic()
                    yield ": still here\n\n"
                await asyncio.sleep(self._every_s)
        finally:
            self._open -= 1
