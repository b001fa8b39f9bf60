"""What the server counts, in the text format that Prometheus reads. Numbers only: no name, no address, no match."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from threading import Lock
from typing import Final, Protocol

Labels = tuple[str, ...]


class Metric(Protocol):
    """Something that can say how it stands."""

    def lines(self) -> Iterator[str]:
        """Help, type and values."""


class Counter:
    """Grows by events; one number for each combination of label values."""

    def __init__(self, name: str, text: str, labels: Labels = ()) -> None:
        self._name, self._text, self._labels = name, text, labels
        self._values: dict[Labels, float] = {} if labels else {(): 0.0}
        self._lock = Lock()

    def add(self, *values: str, count: float = 1.0) -> None:
        """Count something; `values` belong to the labels, in their order."""
        with self._lock:
            self._values[values] = self._values.get(values, 0.0) + count

    def lines(self) -> Iterator[str]:
        """Help, type and values."""
        yield from _head(self._name, self._text, "counter")
        with self._lock:
            values = sorted(self._values.items())
        for labels, value in values:
            yield f"{self._name}{_labels(self._labels, labels)} {value:g}"


class Histogram:
    """Spreads measurements over `bounds`; one spread for each value of its label."""

    def __init__(self, name: str, text: str, label: str, bounds: Sequence[float]) -> None:
        self._name, self._text, self._label, self._bounds = name, text, label, tuple(bounds)
        self._spreads: dict[str, tuple[list[int], float]] = {}
        self._lock = Lock()

    def observe(self, label: str, value: float) -> None:
        """Put a measurement in its place."""
        with self._lock:
            counts, total = self._spreads.get(label, ([0] * (len(self._bounds) + 1), 0.0))
            counts[bisect_left(self._bounds, value)] += 1
            self._spreads[label] = (counts, total + value)

    def lines(self) -> Iterator[str]:
        """Help, type, and for each label value the counts up to each bound, the sum and the count."""
        yield from _head(self._name, self._text, "histogram")
        with self._lock:
            spreads = sorted((label, list(counts), total) for label, (counts, total) in self._spreads.items())
        for label, counts, total in spreads:
            below = 0
            for bound, count in zip((*map("{:g}".format, self._bounds), "+Inf"), counts, strict=True):
                below += count
                yield f"{self._name}_bucket{_labels((self._label, 'le'), (label, bound))} {below}"
            yield f"{self._name}_sum{_labels((self._label,), (label,))} {total:.6f}"
            yield f"{self._name}_count{_labels((self._label,), (label,))} {below}"


class Gauge:
    """A number as it is when asked for."""

    def __init__(self, name: str, text: str, value: Callable[[], float]) -> None:
        self._name, self._text, self._value = name, text, value

    def lines(self) -> Iterator[str]:
        """Help, type and the value now."""
        yield from _head(self._name, self._text, "gauge")
        yield f"{self._name} {self._value():g}"


SCANS: Final = Counter("burraco_scans_total", "Photos read, by how that ended.", ("outcome",))
STAGES: Final = Histogram(
    "burraco_stage_seconds",
    "Seconds each stage of a photo took: waiting, decoding, the stages of reading, all of it.",
    "stage",
    (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60),
)
DOUBTS: Final = Counter("burraco_doubts_total", "Doubts that readings put to the players.")
CORRECTIONS: Final = Counter("burraco_corrections_total", "Corrections that people made, by command.", ("command",))
CONFIRMATIONS: Final = Counter("burraco_smazzate_total", "Smazzate confirmed.")
REQUESTS: Final = Counter("burraco_requests_total", "Requests answered, by part and status.", ("part", "status"))
REFUSALS: Final = Counter("burraco_refusals_total", "Requests refused at the door, by reason.", ("reason",))

METRICS: Final[tuple[Metric, ...]] = (SCANS, STAGES, DOUBTS, CORRECTIONS, CONFIRMATIONS, REQUESTS, REFUSALS)


def exposition(more: Sequence[Metric] = ()) -> str:
    """All metrics, and `more`, in the text format 0.0.4."""
    return "\n".join(line for metric in (*METRICS, *more) for line in metric.lines()) + "\n"


def _head(name: str, text: str, kind: str) -> tuple[str, str]:
    return f"# HELP {name} {text}", f"# TYPE {name} {kind}"


def _labels(names: Labels, values: Labels) -> str:
    pairs = ",".join(f'{name}="{_escaped(value)}"' for name, value in zip(names, values, strict=True))
    return f"{{{pairs}}}" if pairs else ""


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
