"""Totals and ledgers as CSV, and a plain CSV of totals read back as a match."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoring.formato import Points
from scoring.ledger import Reason
from ui.errors import ServiceError
from ui.i18n import t
from ui.viewmodels import MatchView, Message

MAX_ROWS = 200
MAX_BYTES = 1_000_000
_SEPARATORS = {"it": ";", "en": ","}
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_SKIPPED = re.compile(r"(?i)(smazzata|mano|n\.?|#|no\.?|quando|data|when|date|ora|totale? .*|(running|total) .*)?$")
_WHOLE = re.compile(r"[+-]?[0-9]{1,6}")


@dataclass(frozen=True, slots=True)
class Totals:
    """What a CSV of totals says: the names, and the points of each in every smazzata."""

    names: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]


def totals_csv(view: MatchView, lang: str) -> str:
    """One row a smazzata: number, time, points of each party, and their totals after it."""
    head = [t("csv.smazzata", lang), t("csv.when", lang), *map(_text, view.names)]
    head += [_text(t("csv.total_of", lang, name=name)) for name in view.names]
    rows = [
        [s.number, s.confirmation.at, *(_number(p, lang) for p in (*s.confirmation.points, *s.running))]
        for s in view.confirmed
    ]
    return _written([head, *rows], lang)


def ledgers_csv(view: MatchView, lang: str) -> str:
    """One row a line of a ledger: smazzata, side, base or carte, the reason as a word and as a code, points, cards."""
    head = [t(f"csv.{key}", lang) for key in ("smazzata", "side", "part", "reason", "code", "points", "cards", "note")]
    rows = [
        [
            s.number,
            _text(name),
            t("cli.base" if Reason(entry.reason).in_base else "cli.carte", lang),
            t(f"reason.{entry.reason}", lang),
            entry.reason,
            entry.points,
            entry.cards,
            _text(entry.text),
        ]
        for s in view.confirmed
        for name, ledger in zip(s.names, s.confirmation.ledgers, strict=True)
        for entry in ledger
    ]
    return _written([head, *rows], lang)


def _written(rows: Iterable[Sequence[object]], lang: str) -> str:
    """The byte order mark tells spreadsheets that it is UTF-8."""
    buffer = io.StringIO()
    buffer.write("\ufeff")
    csv.writer(buffer, delimiter=_SEPARATORS[lang], lineterminator="\r\n").writerows(rows)
    return buffer.getvalue()


def _text(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _number(points: Points, lang: str) -> str:
    text = f"{points:g}" if points != int(points) else str(int(points))
    return text.replace(".", ",") if lang == "it" else text


def read_totals(text: str) -> Totals:
    """A CSV with a name over each column of points; numbers, times and running totals are skipped.

    Raises ServiceError, which says where something cannot be read.
    """
    if len(text) > MAX_BYTES:
        raise _unusable("csv.too_long", limit=MAX_ROWS)
    lines = [line for line in text.removeprefix("\ufeff").splitlines() if line.strip()]
    if len(lines) < 2:
        raise _unusable("csv.empty")
    if len(lines) > MAX_ROWS + 1:
        raise _unusable("csv.too_long", limit=MAX_ROWS)
    separator = max(";,\t", key=lines[0].count)
    try:
        head, *rows = csv.reader(lines, delimiter=separator)
    except csv.Error as error:
        raise _unusable("csv.line", line=0, text=str(error)[:60]) from error
    columns = [place for place, name in enumerate(head) if not _SKIPPED.fullmatch(name.strip())]
    names = tuple(_plain(head[place]) for place in columns)
    return Totals(names, tuple(_row(row, columns, number) for number, row in enumerate(rows, start=2)))


def _row(row: Sequence[str], columns: Sequence[int], line: int) -> tuple[int, ...]:
    found = []
    for place in columns:
        text = (row[place] if place < len(row) else "").strip().replace("−", "-")
        if not _WHOLE.fullmatch(text):
            raise _unusable("csv.line", line=line, text=text[:40])
        found.append(int(text))
    return tuple(found)


def _plain(name: str) -> str:
    name = name.strip()
    return name[1:] if name.startswith("'") and name[1:].startswith(_FORMULA) else name


def _unusable(key: str, **params: str | int) -> ServiceError:
    return ServiceError(Message(f"import.{key}", params))
