"""What can be wrong with the place where things are kept, told apart so that a person knows what to do about it."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from sqlalchemy.exc import DBAPIError


class Trouble(StrEnum):
    """Why the store did not take or give something; nothing acknowledged is touched by any of them."""

    LOCKED = "locked"
    FULL = "full"
    READ_ONLY = "read_only"
    DISK = "disk"
    DAMAGED = "damaged"
    NEWER = "newer"
    UNREACHABLE = "unreachable"


class StoreTrouble(Exception):
    """The store cannot do its work now: `kind` says why, `detail` what the system said."""

    def __init__(self, kind: Trouble, detail: str = "") -> None:
        super().__init__(f"{kind.value}: {detail}" if detail else kind.value)
        self.kind, self.detail = kind, detail


_SQLITE = {
    sqlite3.SQLITE_BUSY: Trouble.LOCKED,
    sqlite3.SQLITE_LOCKED: Trouble.LOCKED,
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_READONLY: Trouble.READ_ONLY,
    sqlite3.SQLITE_PERM: Trouble.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: Trouble.READ_ONLY,
    sqlite3.SQLITE_IOERR: Trouble.DISK,
    sqlite3.SQLITE_CORRUPT: Trouble.DAMAGED,
    sqlite3.SQLITE_NOTADB: Trouble.DAMAGED,
}
_SYSTEM = {
    errno.ENOSPC: Trouble.FULL,
    errno.EDQUOT: Trouble.FULL,
    errno.EFBIG: Trouble.FULL,
    errno.EROFS: Trouble.READ_ONLY,
    errno.EACCES: Trouble.READ_ONLY,
    errno.EPERM: Trouble.READ_ONLY,
}
_POSTGRES = {"53100": Trouble.FULL, "25006": Trouble.READ_ONLY, "55P03": Trouble.LOCKED, "57014": Trouble.LOCKED}


def trouble_of(error: Exception) -> Trouble | None:
    """The trouble behind an error of the database or of the file system; None where it is something else."""
    if isinstance(error, OSError):
        return _SYSTEM.get(error.errno or 0, Trouble.DISK)
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", None)
        return _SQLITE.get(code & 0xFF) if code is not None else None
    state = getattr(cause, "sqlstate", None)
    if state in _POSTGRES:
        return _POSTGRES[state]
    lost = isinstance(error, DBAPIError) and (error.connection_invalidated or (state or "08").startswith(("08", "57P")))
    operational = any(kind.__name__ == "OperationalError" for kind in type(cause).__mro__)
    return Trouble.UNREACHABLE if lost and operational else None


@contextmanager
def told_apart() -> Iterator[None]:
    """Turn errors of the database and of the file system into StoreTrouble; others pass as they are."""
    try:
        yield
    except (DBAPIError, sqlite3.Error, OSError) as error:
        kind = trouble_of(error)
        if kind is None:
            raise
        said = error.orig if isinstance(error, DBAPIError) else error
        raise StoreTrouble(kind, str(said).strip().partition("\n")[0][:200]) from error
