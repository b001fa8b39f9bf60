"""What can go wrong in a use case, as errors with a message a person can read and an HTTP code."""

from __future__ import annotations

from ui.viewmodels import MatchView, Message


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


class Unavailable(ServiceError):
    """The store cannot take or give anything now (503); nothing that was acknowledged is touched."""

    status = 503
    retry_after_s = 5


class Busy(ServiceError):
    """The queue of photos is full (503); come back after `retry_after_s`."""

    status = 503

    def __init__(self, message: Message, retry_after_s: int) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
