"""Photos on their way: queued, read by the scan process, laid on a side of a match, shown again."""

from __future__ import annotations

import hashlib
import io
import logging
from collections.abc import Callable
from dataclasses import replace

from scoring.regolamento import DEFAULT_REGOLAMENTO, dump_regolamento
from scoring.store.database import StaleSeq
from scoring.store.events import EventKind
from scoring.store.state import AttachMode, PhotoRef
from scoring.store.trouble import StoreTrouble
from ui import repeats
from ui.archive import Archive
from ui.checks import refuse
from ui.errors import Busy, NotFound, Refused, ServiceError
from ui.metrics import DOUBTS
from ui.scan_process import ScanAnswer, ScanProcess
from ui.scanning import QueueFull, Scanner, new_job
from ui.settings import Settings
from ui.stores import kept, new_id, regolamento_named, trouble_message
from ui.viewmodels import Job, JobStatus, Message

log = logging.getLogger("burraco.services")

SHOW_FINISHED_S = 60.0
_ATTACH_ATTEMPTS = 8


class Photos(Archive):
    """Everything that has to do with photos; one scan process behind a bounded queue."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._settings = settings
        process = ScanProcess(settings.reader, settings.models_dir, settings.scan_timeout_s)
        self._scanner = Scanner(process, settings.queue_limit)

    def close(self) -> None:
        """End the scan process and close the stores."""
        self._scanner.close()
        super().close()

    @property
    def scanner(self) -> Scanner:
        """The queue before the scan process (its health is shown by the API)."""
        return self._scanner

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

        A photo that is on its way to that side, or lies there already, is the same upload again: its job is given
        and nothing is read twice. Raises Busy where too many wait, Refused for an empty file and for a photo of a
        smazzata that is over, NotFound, ServiceError for an unknown preset.
        """
        self._check_size(data)
        on_read: Callable[[Job, bytes, ScanAnswer], Job] = _finished
        job = new_job(match_id, side, hashlib.sha256(data).hexdigest())
        if match_id is None:
            rules = dump_regolamento(regolamento_named(regolamento or DEFAULT_REGOLAMENTO))
        else:
            events = self._events(match_id)
            state = self._state(events)
            rules = state.regolamento_text
            most = len(state.current.sides) - 1
            if side is None or not 0 <= side <= most:
                raise refuse("refused.no_such_side", side=str(side), most=most)
            if (known := self._scanner.unfinished(job) or repeats.known_job(job, events, state)) is not None:
                return known
            number = state.current.number

            def on_read(job: Job, photo: bytes, answer: ScanAnswer) -> Job:
                return self._attach(job, photo, answer, mode, device, number)

        return self._queue(job, data, rules, match_id or device, on_read)

    def read_hand(self, data: bytes, *, match_id: str, device: str = "") -> Job:
        """Queue the photo of a hand: it is read by the match's rules and kept, for the answer that takes its cards.

        Raises Busy, Refused, NotFound, ServiceError as `read_photo` does.
        """
        self._check_size(data)
        job = new_job(match_id, None, hashlib.sha256(data).hexdigest())
        rules = self._state(self._events(match_id)).regolamento_text
        return self._queue(job, data, rules, match_id, self._keep)

    def _keep(self, job: Job, data: bytes, answer: ScanAnswer) -> Job:
        """A finished job with its photo in the store, where there are cards on it."""
        from ui.readings import has_cards

        job = _finished(job, data, answer)
        if job.match_id is None or not has_cards(answer.reading_json):
            return job
        try:
            sha256 = self._database(job.match_id).add_photo(data, answer.preview_jpeg)
        except StoreTrouble as trouble:
            return replace(job, status=JobStatus.FAILED, message=trouble_message(trouble))
        return replace(job, photo=PhotoRef(sha256, answer.size_wh))

    def _check_size(self, data: bytes) -> None:
        if not data:
            raise Refused(Message("photo.empty"))
        if len(data) > self._settings.max_upload_bytes:
            limit_mb = self._settings.max_upload_bytes // 2**20
            raise ServiceError(Message("upload.too_large", {"limit_mb": limit_mb}))

    def _queue(
        self, job: Job, data: bytes, rules: str, fairness: str, on_read: Callable[[Job, bytes, ScanAnswer], Job]
    ) -> Job:
        try:
            return self._scanner.submit(job, data, rules, fairness, on_read)
        except QueueFull as full:
            raise Busy(Message("scan.busy", {"seconds": full.retry_after_s}), full.retry_after_s) from full

    def _attach(self, job: Job, data: bytes, answer: ScanAnswer, mode: AttachMode, device: str, number: int) -> Job:
        from ui.readings import attach_payload, has_cards

        job = _finished(job, data, answer)
        assert job.match_id is not None and job.side is not None
        if not has_cards(answer.reading_json):
            return job
        db = self._database(job.match_id)
        try:
            photo = PhotoRef(db.add_photo(data, answer.preview_jpeg), answer.size_wh)
            for _ in range(_ATTACH_ATTEMPTS):
                state = self._state(db.events(job.match_id))
                if state.current.number != number:
                    return replace(job, status=JobStatus.FAILED, message=Message("scan.smazzata_over"))
                if repeats.lies_there(state, job):
                    return replace(job, photo=photo)
                payload = attach_payload(state, job.side, mode, photo, answer.reading_json, new_id)
                try:
                    db.append(
                        job.match_id,
                        state.seq,
                        command_id=f"scan-{job.id}",
                        device=device,
                        kind=EventKind.PHOTO_ATTACHED,
                        payload=payload,
                    )
                    unread = sum(len(meld["unread"]) for meld in payload["melds"])
                    DOUBTS.add(count=len(payload["doubts"]) + unread)
                    return replace(job, photo=photo)
                except StaleSeq:
                    log.info("the match went on while a photo was read; attaching it again")
        except StoreTrouble as trouble:
            return replace(job, status=JobStatus.FAILED, message=trouble_message(trouble))
        return replace(job, status=JobStatus.FAILED, message=Message("scan.failed"))

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
                with kept():
                    preview = db.preview(sha256)
                return _at_most(preview, max_side_px)
            except LookupError:
                continue
        raise NotFound(Message("not_found.photo"))


def _finished(job: Job, _data: bytes, answer: ScanAnswer) -> Job:
    return replace(job, message=Message(answer.key, answer.params)) if answer.key else job


def _at_most(jpeg: bytes, max_side_px: int) -> bytes:
    from PIL import Image

    image = Image.open(io.BytesIO(jpeg))
    if max(image.size) <= max_side_px:
        return jpeg
    image.thumbnail((max(1, max_side_px), max(1, max_side_px)))
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=85)
    return buffer.getvalue()
