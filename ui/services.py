"""The use cases: everything pages, API and command line can do, in one place."""

from __future__ import annotations

from pathlib import Path

from scoring.store.state import AttachMode
from ui.commands import Command
from ui.viewmodels import Job, MatchSummary, MatchView, Message, NewMatch, RegolamentoInfo


class ServiceError(Exception):
    """Something a person should read: `message` says it; `status` is its HTTP code."""

    status = 400

    def __init__(self, message: Message) -> None:
        super().__init__(message.key)
        self.message = message


class NotFound(ServiceError):
    """No such match, job or photo (404)."""

    status = 404


class Refused(ServiceError):
    """The command cannot be done now; the message says why (422)."""

    status = 422


class Conflict(ServiceError):
    """Somebody else wrote first (409); `current` is the match as it is now."""

    status = 409

    def __init__(self, message: Message, current: MatchView) -> None:
        super().__init__(message)
        self.current = current


class Busy(ServiceError):
    """The queue of photos is full (503); come back after `retry_after_s`."""

    status = 503

    def __init__(self, message: Message, retry_after_s: int) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class Services:
    """All use cases on one store, one demo store and one scan process; safe to share between threads."""

    def regolamenti(self) -> tuple[RegolamentoInfo, ...]:
        raise NotImplementedError

    def matches(self) -> tuple[MatchSummary, ...]:
        raise NotImplementedError

    def create_match(self, new: NewMatch, *, device: str, command_id: str | None = None) -> MatchView:
        raise NotImplementedError

    def match(self, match_id: str, *, device: str = "") -> MatchView:
        raise NotImplementedError

    def apply(
        self, match_id: str, command: Command, *, seq: int, device: str, command_id: str | None = None
    ) -> MatchView:
        raise NotImplementedError

    def demo_match(self) -> str:
        raise NotImplementedError

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
        raise NotImplementedError

    def job(self, job_id: str) -> Job:
        raise NotImplementedError

    def wait(self, job_id: str, timeout_s: float) -> Job:
        raise NotImplementedError

    def jobs(self, match_id: str) -> tuple[Job, ...]:
        raise NotImplementedError

    def photo_jpeg(self, sha256: str, max_side_px: int = 1600) -> bytes:
        raise NotImplementedError


def get_services() -> Services:
    """The services of this process, started on first use (pages call this in-process)."""
    raise NotImplementedError(Path(__file__).name)
