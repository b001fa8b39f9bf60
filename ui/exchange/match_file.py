"""A match as a JSON file: its very events, so that what comes out of another program's import is the same file again.

`{"format": "burraco-match", "version": 1, "program", "id", "events": [...], "photos": {sha256: {...}}, "summary"}`.
The events are the match; `summary` repeats what they add up to, for whoever reads the file without this program, and is
not read back. Photos are named by the events; they are in the file where they were asked for.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from scoring.store.events import SCHEMA, Event, EventKind, ledger_to_json, touched
from scoring.store.fold import fold, redo_target, undo_target
from scoring.store.photos import sha256_of
from ui.checks import checked_names
from ui.errors import Refused, ServiceError
from ui.i18n import DEFAULT_LANGUAGE
from ui.presenting import match_view
from ui.stores import MATCH_ID
from ui.viewmodels import MatchView, Message

FORMAT: Literal["burraco-match"] = "burraco-match"
MAX_EVENTS = 20_000
MAX_SMAZZATE = 500
MAX_SIDES = 5
MAX_NUMBER = 10_000_000
MAX_TEXT = 60_000
MAX_DEPTH = 12
PREVIEW_PX = 1600
_NAMES = frozenset({"id", "new_id", "meld_id", "other_id", "card_id", "twin_of", "photo"})
"""What names something in a payload is text, or nothing."""

PLAIN = r"^[^\x00-\x1f]*$"
"""What a database keeps as a name: no control characters, which PostgreSQL does not take."""
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class EventFile(_Strict):
    """One event: `seq` counts from 1 without gaps; `command_id` is what makes a retry the same event."""

    seq: Annotated[int, Field(ge=1, le=MAX_EVENTS)]
    command_id: Annotated[str, Field(min_length=1, max_length=64, pattern=PLAIN)]
    device: Annotated[str, Field(max_length=64, pattern=PLAIN)]
    at: Annotated[str, Field(max_length=40, description="ISO 8601")]
    kind: EventKind
    payload: dict[str, Any]
    schema_: Annotated[int, Field(alias="schema", ge=1)]


class PhotoFile(_Strict):
    """A photo as it came and as it is shown, both in base64."""

    data: str
    preview_jpeg: str


class MatchFile(_Strict):
    """A match to take elsewhere."""

    format: Literal["burraco-match"]
    version: Literal[1]
    program: Annotated[str, Field(max_length=40)] = ""
    id: Annotated[str, Field(pattern=f"^{MATCH_ID.pattern}$")]
    events: Annotated[list[EventFile], Field(min_length=1, max_length=MAX_EVENTS)]
    photos: dict[Sha256, PhotoFile] = {}
    summary: dict[str, Any] = {}


def dump_match(
    events: Sequence[Event], view: MatchView, program: str, photos: Mapping[str, tuple[bytes, bytes]]
) -> str:
    """A match as text; `photos` are data and preview by hash."""
    return json.dumps(
        {
            "format": FORMAT,
            "version": 1,
            "program": program,
            "id": events[0].match_id,
            "events": [_event_out(event) for event in events],
            "photos": {
                sha256: {"data": _base64(data), "preview_jpeg": _base64(preview)}
                for sha256, (data, preview) in sorted(photos.items())
            },
            "summary": summary_of(view),
        },
        ensure_ascii=False,
        indent=1,
    )


def _event_out(event: Event) -> dict[str, Any]:
    return {
        "seq": event.seq,
        "command_id": event.command_id,
        "device": event.device,
        "at": event.at,
        "kind": event.kind.value,
        "payload": event.payload,
        "schema": event.schema,
    }


def summary_of(view: MatchView) -> dict[str, Any]:
    """What the events add up to: names, totals, and every confirmed ledger as rows of reason, points, cards, text."""
    return {
        "names": list(view.names),
        "regolamento": view.regolamento,
        "formato": view.formato.name,
        "totals": list(view.totals),
        "winner": view.winner,
        "turni": [{"mp": list(turno.mp), "vp": list(turno.vp) if turno.vp else None} for turno in view.turni],
        "smazzate": [
            {
                "number": s.number,
                "at": s.confirmation.at,
                "names": list(s.names),
                "base": list(s.confirmation.base),
                "carte": list(s.confirmation.carte),
                "totals": list(s.confirmation.totals),
                "points": list(s.confirmation.points),
                "ledgers": [ledger_to_json(ledger) for ledger in s.confirmation.ledgers],
            }
            for s in view.confirmed
        ],
    }


def parse_match(text: str | bytes) -> tuple[tuple[Event, ...], dict[str, tuple[bytes, bytes]]]:
    """The events and photos of a file, looked at from all sides; raises ServiceError, which says what is wrong."""
    try:
        file = MatchFile.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "JSON"
        raise _unusable(f"{where}: {first['msg']}") from error
    events = tuple(
        Event(file.id, e.seq, e.command_id, e.device, e.at, e.kind, e.payload, e.schema_) for e in file.events
    )
    check_events(events)
    return events, {sha256: _photo_in(sha256, photo) for sha256, photo in file.photos.items()}


def check_events(events: Sequence[Event]) -> None:
    """Raise ServiceError unless these events make a match that can be shown, and undone to any point."""
    if [event.seq for event in events] != list(range(1, len(events) + 1)):
        raise _unusable("seq")
    if len({event.command_id for event in events}) != len(events):
        raise _unusable("command_id")
    for event in events:
        if event.schema > SCHEMA:
            raise ServiceError(Message("import.newer", {"schema": event.schema}))
        _check_payload(event)
    from ui.api.shown import match_out

    done = [e for e in events if e.kind not in (EventKind.UNDONE, EventKind.REDONE)]
    try:
        state = fold(events)
        for event in events:
            datetime.fromisoformat(event.at)
            touched(event)
        for device in {event.device for event in events}:
            undo_target(events, device)
            redo_target(events, device)
        signed = [events[: e.seq] for e in events if e.kind is EventKind.SMAZZATA_CONFIRMED]  # a later one may hide it
        for each in (*signed, events, done):
            view = match_view(each, fold(each), device="", demo=False)
            match_out(view, DEFAULT_LANGUAGE)
            _check_signed(view)
        names = checked_names(state.names, state.formato)
    except Refused:
        raise
    except Exception as error:  # a payload that anybody may have written: whatever it breaks, it is not a match
        raise _unusable(f"{type(error).__name__}: {error}") from error
    if names != state.names:
        raise _unusable("names")


def _check_signed(view: MatchView) -> None:
    """Raise ValueError unless every signed smazzata has an account for each side and points for each party."""
    for smazzata in view.confirmed:
        made = smazzata.confirmation
        sides = {len(part) for part in (smazzata.names, made.ledgers, made.base, made.carte)}
        if len(sides) != 1 or len(made.points) != len(view.names):
            raise ValueError(f"smazzata {smazzata.number}: {sorted(sides)} sides, {len(made.points)} points")


def _check_payload(event: Event) -> None:
    """Refuse what no program of ours writes, before anything is made as large as it says."""
    _bounded(event.payload, 0)
    if event.kind in (EventKind.UNDONE, EventKind.REDONE):
        target = event.payload.get("target")
        if not isinstance(target, int) or not 1 <= target < event.seq:
            raise _unusable(f"{event.seq}: target = {str(target)[:40]}")
    for key, most in (("smazzata", MAX_SMAZZATE), ("side", MAX_SIDES - 1), ("target", MAX_NUMBER)):
        value = event.payload.get(key, 0)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise _unusable(f"{event.seq}: {key} = {str(value)[:40]}")


def _bounded(value: Any, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise _unusable("depth")
    if isinstance(value, dict):
        for key, part in value.items():
            if key in _NAMES and not (part is None or isinstance(part, str)):
                raise _unusable(f"{key} = {str(part)[:40]}")
            _bounded(key, depth + 1)
            _bounded(part, depth + 1)
    elif isinstance(value, list | tuple):
        for part in value:
            _bounded(part, depth + 1)
    elif isinstance(value, str):
        if len(value) > MAX_TEXT:
            raise _unusable("text")
    elif isinstance(value, int | float) and not abs(value) <= MAX_NUMBER:  # not-a-number is not less than anything
        raise _unusable("number")


def _photo_in(sha256: str, photo: PhotoFile) -> tuple[bytes, bytes]:
    """A photo whose content has its name, and a preview that is a JPEG of bearable size."""
    from PIL import Image

    try:
        data = base64.b64decode(photo.data, validate=True)
        preview = base64.b64decode(photo.preview_jpeg, validate=True)
        with Image.open(io.BytesIO(preview), formats=["JPEG"]) as image:
            if max(image.size) > PREVIEW_PX:
                raise ValueError(f"{image.size}")
            image.load()
    except (binascii.Error, ValueError, OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise _unusable(f"photos.{sha256[:12]}: {error}") from error
    if sha256_of(data) != sha256:
        raise _unusable(f"photos.{sha256[:12]}")
    return data, preview


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _unusable(what: str) -> ServiceError:
    return ServiceError(Message("import.unusable", {"what": what[:200]}))
