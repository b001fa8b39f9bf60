"""The use cases: everything pages, API and command line can do, in one place."""

from __future__ import annotations

import io
import logging
import tempfile
import uuid
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Lock

from scoring.regolamento import (
    DEFAULT_REGOLAMENTO,
    dump_regolamento,
    load_regolamento,
    regolamento_names,
)
from scoring.sections import Regolamento
from scoring.store.database import Database, StaleSeq, UnknownMatch
from scoring.store.events import Event, EventKind, Payload
from scoring.store.fold import fold
from scoring.store.state import AttachMode, MatchState, PhotoRef
from ui import demo
from ui.commands import Command, Confirm, Redo, Undo, UndoConfirmation
from ui.compiling import Compiled, checked_names, compile_command, compile_history, refuse
from ui.errors import Busy, Conflict, NotFound, Refused, ServiceError
from ui.presenting import confirmation_payload, match_summary, match_view, table_view
from ui.scan_process import ScanAnswer, ScanProcess
from ui.scanning import QueueFull, Scanner, new_job
from ui.settings import Settings, get_settings
from ui.viewmodels import Job, JobStatus, MatchSummary, MatchView, Message, NewMatch, RegolamentoInfo

__all__ = ["Busy", "Conflict", "NotFound", "Refused", "ServiceError", "Services", "close_services", "get_services"]

log = logging.getLogger("burraco.services")

MAX_TARGET = 100_000
SHOW_FINISHED_S = 60.0
_ATTACH_ATTEMPTS = 8


def program_version() -> str:
    """The version that is installed."""
    try:
        return version("burraco")
    except PackageNotFoundError:
        return "unknown"


def regolamento_named(name: str) -> Regolamento:
    """A shipped preset; a client's name never becomes a path. Raises ServiceError (400) and lists the known ones."""
    known = regolamento_names()
    if name not in known:
        raise ServiceError(Message("invalid.preset", {"name": name[:40], "known": ", ".join(known)}))
    return load_regolamento(name)


class Services:
    """All use cases on one store, one demo store and one scan process; safe to share between threads."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._db = Database(settings.data_dir)
        self._demo_folder = tempfile.TemporaryDirectory(prefix="burraco-demo-")
        self._demo_db = Database(Path(self._demo_folder.name))
        self._demo_id: str | None = None
        self._demo_lock = Lock()
        process = ScanProcess(settings.reader, settings.models_dir, settings.scan_timeout_s)
        self._scanner = Scanner(process, settings.queue_limit)

    def close(self) -> None:
        """End the scan process and close the stores; the demo is forgotten."""
        self._scanner.close()
        self._db.close()
        self._demo_db.close()
        self._demo_folder.cleanup()

    @property
    def scanner(self) -> Scanner:
        """The queue before the scan process (its health is shown by the API)."""
        return self._scanner

    # --- matches -------------------------------------------------------------------------------------------------

    def regolamenti(self) -> tuple[RegolamentoInfo, ...]:
        """The presets that ship, the default first."""
        names = sorted(regolamento_names(), key=lambda name: (name != DEFAULT_REGOLAMENTO, name))
        return tuple(
            RegolamentoInfo(r.name, r.title, r.source, r.match.targets, r.match.default_target)
            for r in map(load_regolamento, names)
        )

    def matches(self) -> tuple[MatchSummary, ...]:
        """The user's matches, the newest first; never the demo, nor what was deleted."""
        states = (fold(self._db.events(match_id)) for match_id in self._db.match_ids())
        return tuple(match_summary(state) for state in states if not state.deleted)

    def create_match(self, new: NewMatch, *, device: str, command_id: str | None = None) -> MatchView:
        """Begin a match; the same `command_id` again gives the match it made. Raises Refused, ServiceError."""
        return self._create(self._db, uuid.uuid4().hex[:12], new, device, command_id or uuid.uuid4().hex)

    def _create(self, db: Database, match_id: str, new: NewMatch, device: str, command_id: str) -> MatchView:
        if (known := db.match_of_command(command_id)) is not None:
            return self.match(known, device=device)
        if not 1 <= new.target <= MAX_TARGET:
            raise refuse("refused.target", target=new.target, limit=MAX_TARGET)
        payload = {
            "names": list(checked_names(new.names)),
            "players": [[p.strip()[:60] for p in side if p.strip()][:3] for side in new.players],
            "regolamento": new.regolamento,
            "regolamento_text": dump_regolamento(regolamento_named(new.regolamento)),
            "target": new.target,
        }
        events = db.append(
            match_id, 0, command_id=command_id, device=device, kind=EventKind.MATCH_CREATED, payload=payload
        )
        return self._view(events, device)

    def match(self, match_id: str, *, device: str = "") -> MatchView:
        """A match as it is now; raises NotFound."""
        return self._view(self._events(match_id), device)

    def apply(
        self, match_id: str, command: Command, *, seq: int, device: str, command_id: str | None = None
    ) -> MatchView:
        """Do something to a match that the caller saw at `seq`.

        Raises Conflict where somebody wrote first, Refused where it cannot be done, NotFound. The same `command_id`
        again changes nothing more and gives the match as it is now.
        """
        command_id = command_id or uuid.uuid4().hex
        events = self._events(match_id)
        db = self._database(match_id)
        if db.match_of_command(command_id) is not None:
            return self._view(events, device)
        state = fold(events)
        if state.seq != seq:
            raise Conflict(Message("conflict.stale"), self._view(events, device))
        kind, payload = self._compile(command, events, state, device)
        try:
            events = db.append(match_id, seq, command_id=command_id, device=device, kind=kind, payload=payload)
        except StaleSeq as stale:
            raise Conflict(Message("conflict.stale"), self._view(stale.events, device)) from stale
        return self._view(events, device)

    def _compile(self, command: Command, events: tuple[Event, ...], state: MatchState, device: str) -> Compiled:
        if state.deleted:
            raise refuse("refused.deleted")
        if isinstance(command, Confirm):
            return EventKind.SMAZZATA_CONFIRMED, self._confirmation(command, events, state)
        if isinstance(command, Undo | Redo | UndoConfirmation):
            return compile_history(command, events, device)
        return compile_command(command, state, _new_id)

    def _confirmation(self, command: Confirm, events: tuple[Event, ...], state: MatchState) -> Payload:
        table = table_view(state)
        if match_view(events, state, device="", demo=False).finished:
            raise refuse("refused.match_finished")
        if table.missing:
            raise Refused(Message("refused.missing", {"what": table.missing}))
        if table.faults and not command.anyway:
            raise Refused(Message("refused.faults", {"what": table.faults}))
        return confirmation_payload(state, table.faults, program_version())

    # --- photos --------------------------------------------------------------------------------------------------

    def read_photo(
        self,
        data: bytes,
        *,
        match_id: str | None = None,
        side: int | None = None,
        mode: AttachMode = AttachMode.REPLACE,
        regolamento: str | None = None,
        device: str = "",
    ) -> Job:
        """Queue a photo; with a match and a side its reading is attached there once it is done.

        Raises Busy where too many wait, Refused for an empty file, NotFound, ServiceError for an unknown preset.
        """
        if not data:
            raise Refused(Message("photo.empty"))
        if len(data) > self._settings.max_upload_bytes:
            limit_mb = self._settings.max_upload_bytes // 2**20
            raise ServiceError(Message("upload.too_large", {"limit_mb": limit_mb}))
        on_read: Callable[[Job, bytes, ScanAnswer], Job] = _finished
        if match_id is None:
            rules = dump_regolamento(regolamento_named(regolamento or DEFAULT_REGOLAMENTO))
        else:
            state = fold(self._events(match_id))
            rules = state.regolamento_text
            if side not in (0, 1):
                raise refuse("refused.no_such_side", side=str(side))

            def on_read(job: Job, photo: bytes, answer: ScanAnswer) -> Job:
                return self._attach(job, photo, answer, mode, device)

        job = new_job(match_id, side)
        try:
            return self._scanner.submit(job, data, rules, match_id or device, on_read)
        except QueueFull as full:
            raise Busy(Message("scan.busy", {"seconds": full.retry_after_s}), full.retry_after_s) from full

    def _attach(self, job: Job, data: bytes, answer: ScanAnswer, mode: AttachMode, device: str) -> Job:
        from ui.readings import attach_payload

        job = _finished(job, data, answer)
        assert job.match_id is not None and job.side is not None
        if job.message is not None:
            return job
        db = self._database(job.match_id)
        photo = PhotoRef(db.add_photo(data, answer.preview_jpeg), answer.size_wh)
        for _ in range(_ATTACH_ATTEMPTS):
            state = fold(db.events(job.match_id))
            payload = attach_payload(state, job.side, mode, photo, answer.reading_json, _new_id)
            try:
                db.append(
                    job.match_id,
                    state.seq,
                    command_id=f"scan-{job.id}",
                    device=device,
                    kind=EventKind.PHOTO_ATTACHED,
                    payload=payload,
                )
                break
            except StaleSeq:
                log.info("the match went on while a photo was read; attaching it again")
        else:
            return replace(job, status=JobStatus.FAILED, message=Message("scan.failed"))
        return replace(job, photo=photo)

    def job(self, job_id: str) -> Job:
        """A scan as it stands; raises NotFound some minutes after it has finished."""
        job = self._scanner.job(job_id)
        if job is None:
            raise NotFound(Message("not_found.job"))
        return job

    def wait(self, job_id: str, timeout_s: float) -> Job:
        """Wait for a scan to finish, but not longer than `timeout_s`; raises NotFound."""
        job = self._scanner.wait(job_id, timeout_s)
        if job is None:
            raise NotFound(Message("not_found.job"))
        return job

    def jobs(self, match_id: str) -> tuple[Job, ...]:
        """The scans of a match that wait or run, or have finished in the last minute."""
        return self._scanner.jobs(match_id, SHOW_FINISHED_S)

    def photo_jpeg(self, sha256: str, max_side_px: int = 1600) -> bytes:
        """A photo of a match as an upright JPEG, its long side at most `max_side_px` (and 1600); raises NotFound."""
        for db in (self._db, self._demo_db):
            try:
                return _at_most(db.preview(sha256), max_side_px)
            except LookupError:
                continue
        raise NotFound(Message("not_found.photo"))

    # --- demo ----------------------------------------------------------------------------------------------------

    def demo_match(self) -> str:
        """The demo match: made in a store of its own on first use, its sample photos sent through the real line."""
        with self._demo_lock:
            if self._demo_id is None:
                match_id = demo.DEMO_PREFIX + uuid.uuid4().hex[:8]
                self._create(self._demo_db, match_id, demo.DEMO_MATCH, demo.DEMO_DEVICE, uuid.uuid4().hex)
                self._demo_id = match_id
                for side, data in demo.sample_photos():
                    self.read_photo(data, match_id=match_id, side=side, device=demo.DEMO_DEVICE)
            return self._demo_id

    def _database(self, match_id: str) -> Database:
        return self._demo_db if match_id.startswith(demo.DEMO_PREFIX) else self._db

    def _events(self, match_id: str) -> tuple[Event, ...]:
        try:
            return self._database(match_id).events(match_id)
        except UnknownMatch as error:
            raise NotFound(Message("not_found.match")) from error

    def _view(self, events: tuple[Event, ...], device: str) -> MatchView:
        state = fold(events)
        return match_view(events, state, device=device, demo=state.id.startswith(demo.DEMO_PREFIX))


def _finished(job: Job, _data: bytes, answer: ScanAnswer) -> Job:
    from ui.readings import has_cards

    return job if has_cards(answer.reading_json) else replace(job, message=Message("scan.no_cards"))


def _new_id() -> str:
    return uuid.uuid4().hex[:10]


def _at_most(jpeg: bytes, max_side_px: int) -> bytes:
    from PIL import Image

    image = Image.open(io.BytesIO(jpeg))
    if max(image.size) <= max_side_px:
        return jpeg
    image.thumbnail((max(1, max_side_px), max(1, max_side_px)))
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=85)
    return buffer.getvalue()


_services: Services | None = None
_services_lock = Lock()


def get_services() -> Services:
    """The services of this process, started on first use (pages call this in-process)."""
    global _services
    with _services_lock:
        if _services is None:
            _services = Services(get_settings())
        return _services


def close_services() -> None:
    """Stop the services of this process; a later `get_services` starts them anew."""
    global _services
    with _services_lock:
        services, _services = _services, None
    if services is not None:
        services.close()
