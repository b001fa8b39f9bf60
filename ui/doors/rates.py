"""Rate limits: each visitor has a bucket of tokens that fills again with time."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

_MOST_VISITORS = 10_000


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and then so many a second."""

    burst: int
    per_s: float


class Buckets:
    """One bucket a visitor, all at the same rate; those not used for longest are forgotten first."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._clock, self._lock = rate, clock, Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, visitor: str, tokens: float = 1.0) -> int:
        """Take a token: 0 where there was one, else after how many seconds there will be one. `tokens` 0 only looks."""
        now = self._clock()
        with self._lock:
            left, at = self._buckets.pop(visitor, (float(self._rate.burst), now))
            left = min(self._rate.burst, left + (now - at) * self._rate.per_s)
            enough = left >= max(tokens, 1.0)
            self._buckets[visitor] = (left - tokens if enough else left, now)
            while len(self._buckets) > _MOST_VISITORS:
                self._buckets.popitem(last=False)
        return 0 if enough else max(1, math.ceil((1.0 - left) / self._rate.per_s))
