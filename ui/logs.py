"""Logs as lines of JSON, without personal data: no names, no addresses, no texts that people typed.

Of an error only its type and the places in the source are kept, never its message, which may quote a name or a card.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from ui.settings import ROOT

FILE_NAME: Final = "burraco.log"
_LEFT: Final = ("ClientDisconnect", "ClientDisconnected", "WebSocketDisconnect", "WebSocketDisconnected")
_MOST_BYTES: Final = 2 * 2**20
_KEPT: Final = 3
_MOST_PLACES: Final = 12
_OWN: Final = "burraco"
_LOUD: Final = ("streamlit", "uvicorn", "websockets")


def _somebody_left(record: logging.LogRecord) -> bool:
    """Tell whether a record says no more than that a client went away in the middle."""
    kind = record.exc_info[0] if record.exc_info else None
    return kind is not None and kind.__name__ in _LEFT


class JsonLines(logging.Formatter):
    """One line a record: when, how grave, which part, what, and the fields that the part gave with it."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON; foreign loggers' words are left out, since they may quote anything."""
        own = record.name.startswith(_OWN)
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "part": record.name,
            "what": record.getMessage() if own else f"{Path(record.pathname).name}:{record.lineno}",
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[0] is not None:
            kind, _, trace = record.exc_info
            line |= {"error": kind.__name__, "places": places(trace)}
        return json.dumps(line, ensure_ascii=False)


def places(trace: TracebackType | None) -> list[str]:
    """The way to where an error was raised, as `file:line function`, the innermost last."""
    found = []
    for frame in traceback.extract_tb(trace)[-_MOST_PLACES:]:
        path = Path(frame.filename)
        shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else Path(*path.parts[-2:])
        found.append(f"{shown.as_posix()}:{frame.lineno} {frame.name}")
    return found


def start_logging(folder: Path) -> Path:
    """Log to a file in `folder` that never outgrows some megabytes, warnings on the screen too; returns the file."""
    path = folder / FILE_NAME
    file = RotatingFileHandler(path, maxBytes=_MOST_BYTES, backupCount=_KEPT, encoding="utf-8")
    screen = logging.StreamHandler(sys.stderr)
    screen.setLevel(logging.WARNING)
    for handler in (file, screen):
        handler.setFormatter(JsonLines())
        handler.addFilter(lambda record: not _somebody_left(record))
    logging.basicConfig(handlers=(file, screen), level=logging.WARNING, force=True)
    logging.getLogger(_OWN).setLevel(logging.INFO)
    return path


def hush_libraries() -> None:
    """Have the loggers that Streamlit made write through ours, so that no page's text ends on a screen or in a file."""
    for name, logger in list(logging.Logger.manager.loggerDict.items()):
        if not isinstance(logger, logging.Logger) or name.partition(".")[0] not in _LOUD:
            continue
        for handler in list(logger.handlers):
            logger.removeHandler(handler)
        logger.propagate = True
        logger.setLevel(logging.WARNING)
