"""What was worked out last, so that it need not be again; never more of it than a bound, however much is asked for."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

MOST_MATCHES = 64
"""Twice the tables of a full club: those that are played, and some that people look up."""

V = TypeVar("V")


class Recent(Generic[V]):
    """Values by key, the `most` asked for last; safe between threads."""

    def __init__(self, most: int = MOST_MATCHES) -> None:
        self._most = most
        self._values: OrderedDict[str, V] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: str) -> V | None:
        """The value, None where there is none (any more)."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: str, value: V) -> None:
        """Keep a value; what was not asked for longest makes room."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._values.clear()
