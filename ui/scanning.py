"""The queue of photos before the scan process: bounded, fair between matches, each photo a job with an id."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ui.metrics import SCANS, STAGES
from ui.scan_process import ScanAnswer, ScanDied, ScanProcess
from ui.viewmodels import Job, JobStatus, Message

log = logging.getLogger("burraco.scan")

_KEEP_FINISHED_S = 600.0
_ATTEMPTS = 2

OnRead = Callable[[Job, bytes, ScanAnswer], Job]


class QueueFull(Exception):
    """No room for another photo now."""

    def __init__(self, retry_after_s: int) -> None:
        super().__init__(f"come back in {retry_after_s} s")
        self.retry_after_s = retry_after_s


@dataclass(slots=True)
class _Entry:
    """A job with what it still needs to run."""

    job: Job
    fairness: str
    data: bytes
    regolamento: str
    on_read: OnRead | None
    queued_at: float = field(default_factory=time.monotonic)
    attempts: int = 0
    finished_at: float | None = None


class Scanner:
    """Takes photos from any thread and has them read one by one.

    Each match (or caller) waits in a line of its own; lines are served in turn, and none may hold more than half of
    the room.
    """

    def __init__(self, process: ScanProcess, limit: int) -> None:
        self._process, self._limit = process, limit
        self._lines: OrderedDict[str, deque[_Entry]] = OrderedDict()
        self._entries: dict[str, _Entry] = {}
        self._changed = threading.Condition()
        self._closing = False
        self._mean_s = 1.0
        self._thread = threading.Thread(target=self._run, name="scan", daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int | None:
        """The scan process's id while it runs."""
        return self._process.pid

    @property
    def waiting(self) -> int:
        """Photos that wait."""
        with self._changed:
            return sum(map(len, self._lines.values()))

    def submit(self, job: Job, data: bytes, regolamento: str, fairness: str, on_read: OnRead | None = None) -> Job:
        """Queue a photo; `on_read` runs when its reading is there and gives the finished job. Raises QueueFull."""
        with self._changed:
            self._forget()
            waiting = sum(map(len, self._lines.values()))
            own = len(self._lines.get(fairness, ()))
            if waiting >= self._limit or own >= max(2, self._limit // 2):
                raise QueueFull(max(1, round(self._mean_s * (waiting + 1))))
            entry = _Entry(job, fairness, data, regolamento, on_read)
            self._entries[job.id] = entry
            self._lines.setdefault(fairness, deque()).append(entry)
            self._changed.notify_all()
            return self._shown(entry)

    def job(self, job_id: str) -> Job | None:
        """A job as it stands; None where there is none of this id (any more)."""
        with self._changed:
            entry = self._entries.get(job_id)
            return self._shown(entry) if entry else None

    def unfinished(self, like: Job) -> Job | None:
        """The job that brings the same photo to the same side and is not finished yet."""
        same = (like.match_id, like.side, like.sha256)
        with self._changed:
            for entry in self._entries.values():
                if entry.finished_at is None and (entry.job.match_id, entry.job.side, entry.job.sha256) == same:
                    return self._shown(entry)
        return None

    def jobs(self, match_id: str, finished_within_s: float) -> tuple[Job, ...]:
        """The jobs of a match that are not finished, or were not long ago."""
        now = time.monotonic()
        with self._changed:
            return tuple(
                self._shown(e)
                for e in self._entries.values()
                if e.job.match_id == match_id and (e.finished_at is None or now - e.finished_at < finished_within_s)
            )

    def wait(self, job_id: str, timeout_s: float) -> Job | None:
        """Wait until a job is finished, or the time is over."""
        deadline = time.monotonic() + timeout_s
        with self._changed:
            while (entry := self._entries.get(job_id)) is not None and entry.finished_at is None:
                left = deadline - time.monotonic()
                if left <= 0 or self._closing:
                    break
                self._changed.wait(left)
        return self.job(job_id)

    def close(self) -> None:
        """Stop after the photo in hand and end the scan process."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(timeout=1)
        self._process.close()
        self._thread.join(timeout=10)  # what it still has to write goes before the stores close

    def _run(self) -> None:
        while not self._closing:
            try:
                self._process.ensure_running()
                entry = self._next(timeout_s=1.0)
                if entry is not None:
                    self._finish(entry, self._read(entry))
            except Exception:
                log.exception("the scan thread stumbled")
                time.sleep(1.0)

    def _next(self, timeout_s: float) -> _Entry | None:
        with self._changed:
            if not self._lines and not self._closing:
                self._changed.wait(timeout_s)
            if not self._lines or self._closing:
                return None
            fairness, line = self._lines.popitem(last=False)
            entry = line.popleft()
            if line:
                self._lines[fairness] = line  # at the end: the other lines come first now
            entry.job = replace(entry.job, status=JobStatus.RUNNING)
            STAGES.observe("wait", time.monotonic() - entry.queued_at)
            return entry

    def _read(self, entry: _Entry) -> Job:
        while True:
            entry.attempts += 1
            try:
                answer = self._process.read(entry.data, entry.regolamento)
            except ScanDied as died:
                if died.timed_out or entry.attempts >= _ATTEMPTS or self._closing:
                    key = "scan.timeout" if died.timed_out else "scan.crashed"
                    return replace(entry.job, status=JobStatus.FAILED, message=Message(key))
                continue
            return self._read_job(entry, answer)

    def _read_job(self, entry: _Entry, answer: ScanAnswer) -> Job:
        if not answer.ok:
            return replace(entry.job, status=JobStatus.FAILED, message=Message(answer.key, answer.params))
        self._mean_s = 0.8 * self._mean_s + 0.2 * answer.seconds
        for stage, seconds in answer.stages.items():
            STAGES.observe(stage, seconds)
        done = replace(
            entry.job, status=JobStatus.DONE, reading_json=answer.reading_json, seconds=round(answer.seconds, 3)
        )
        try:
            return entry.on_read(done, entry.data, answer) if entry.on_read else done
        except Exception:
            log.exception("a reading could not be kept")
            return replace(entry.job, status=JobStatus.FAILED, message=Message("scan.failed"))

    def _finish(self, entry: _Entry, job: Job) -> None:
        SCANS.add(job.message.key.partition(".")[2] if job.message else "read")
        if job.status is JobStatus.DONE:
            STAGES.observe("all", time.monotonic() - entry.queued_at)
        with self._changed:
            entry.job, entry.data, entry.finished_at = job, b"", time.monotonic()
            self._changed.notify_all()

    def _shown(self, entry: _Entry) -> Job:
        if entry.job.status is not JobStatus.QUEUED:
            return entry.job
        before = list(self._lines[entry.fairness]).index(entry)
        others = sum(min(len(line), before + 1) for key, line in self._lines.items() if key != entry.fairness)
        return replace(entry.job, ahead=before + others)

    def _forget(self) -> None:
        now = time.monotonic()
        for job_id, entry in list(self._entries.items()):
            if entry.finished_at is not None and now - entry.finished_at > _KEEP_FINISHED_S:
                del self._entries[job_id]


def new_job(match_id: str | None = None, side: int | None = None, sha256: str = "") -> Job:
    """A job that waits, with a fresh id."""
    return Job(id=uuid.uuid4().hex, status=JobStatus.QUEUED, match_id=match_id, side=side, sha256=sha256)
