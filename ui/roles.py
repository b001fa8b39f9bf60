"""Who may do what: the person at the machine, the referee, a table, a viewer."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from functools import wraps
from inspect import signature
from typing import Any, Final, cast

from ui import commands as c
from ui.demo import DEMO_PREFIX
from ui.errors import NotFound, Refused
from ui.services import Services
from ui.settings import get_settings
from ui.viewmodels import MatchSummary, Message


class Role(IntEnum):
    """What a visitor may do; each role may do all that a lower one may."""

    VIEWER = 1
    TABLE = 2
    REFEREE = 3
    HOST = 4


PAIRED: Final = (Role.TABLE, Role.VIEWER, Role.REFEREE)
"""The roles that a pairing code gives, the usual one first; HOST is whoever sits at the machine itself."""

NEEDS: Final[Mapping[str, Role]] = {
    "match": Role.VIEWER,
    "matches": Role.VIEWER,
    "seq": Role.VIEWER,
    "store_answers": Role.VIEWER,
    "regolamenti": Role.VIEWER,
    "compare": Role.VIEWER,
    "job": Role.VIEWER,
    "jobs": Role.VIEWER,
    "wait": Role.VIEWER,
    "photo_jpeg": Role.VIEWER,
    "scanner": Role.VIEWER,
    "demo_match": Role.VIEWER,
    "history": Role.VIEWER,
    "is_deleted": Role.REFEREE,
    "export_json": Role.VIEWER,
    "export_smazzata": Role.VIEWER,
    "export_csv": Role.VIEWER,
    "export_pdf": Role.VIEWER,
    "export_png": Role.VIEWER,
    "live_view": Role.TABLE,
    "live_freeze": Role.TABLE,
    "live_begin": Role.TABLE,
    "live_show": Role.REFEREE,  # it may help a player
    "apply": Role.TABLE,
    "create_match": Role.TABLE,
    "read_photo": Role.TABLE,
    "read_hand": Role.TABLE,
    "import_totals": Role.TABLE,
    "import_match": Role.REFEREE,  # its events may hold what only a referee decides
    "live_start": Role.HOST,  # a source may be any file or address of this machine
    "live_stop": Role.HOST,
    "close": Role.HOST,
}
"""The least role for each use case; one that is not named here is for the person at the machine alone."""

ROLE_HEADER: Final = "x-burraco-role"
"""The guard writes the visitor's role into each request under this name, after taking out what a client put there."""
MATCH_HEADER: Final = "x-burraco-match"
"""And under this one the only match the visitor was let in for; nothing where that is any."""

REFEREE_ONLY: Final = (c.Adjust, c.AnswerPenalised, c.DeleteMatch, c.UndoDeletion)
"""Commands that a table may not give where others are connected: points given or taken, a match thrown away or back."""

BEGINS: Final = frozenset({"create_match", "import_totals"})
"""Use cases that make another match: nothing for whoever was let in for one only."""


def role_of(headers: Mapping[str, str]) -> Role:
    """The role of whoever sent these headers; without a guard's word the least where a network can reach us."""
    name = headers.get(ROLE_HEADER, "")
    if name in Role.__members__:
        return Role[name]
    return Role.VIEWER if get_settings().lan else Role.HOST


def match_of(headers: Mapping[str, str]) -> str:
    """The only match that whoever sent these headers was let in for, "" for any."""
    return headers.get(MATCH_HEADER, "")


def may(role: Role, command: type[object]) -> bool:
    """Tell whether a role may give a command of this type."""
    return role >= (Role.REFEREE if command in REFEREE_ONLY else Role.TABLE)


class ForRole:
    """The use cases as one visitor may use them; anything beyond raises Refused (403).

    `match_id` is the only match they were let in for, if not "". A match that was deleted is there for a referee only.
    """

    def __init__(self, services: Services, role: Role, match_id: str = "") -> None:
        self._services, self._role, self._match_id = services, role, match_id

    def __getattr__(self, name: str) -> Any:
        """A use case, if the role may use it; one that is about a match only for those that the visitor may see."""
        needed = NEEDS.get(name, Role.HOST)
        if self._role < needed:
            raise forbidden(needed)
        if self._match_id and name in BEGINS:
            raise other_match()
        use_case = getattr(self._services, name)
        if not callable(use_case) or "match_id" not in signature(use_case).parameters:
            return use_case

        @wraps(use_case)
        def checked(*args: Any, **kwargs: Any) -> Any:
            self._check(signature(use_case).bind(*args, **kwargs).arguments.get("match_id"))
            return use_case(*args, **kwargs)

        return checked

    def apply(self, match_id: str, command: c.Command, **seen: Any) -> Any:
        """`Services.apply`, once the role has been asked."""
        if not may(self._role, type(command)):
            raise forbidden(Role.REFEREE if self._role is Role.TABLE else Role.TABLE)
        self._check(match_id)
        return self._services.apply(match_id, command, **seen)

    def matches(self, deleted: bool = False) -> tuple[MatchSummary, ...]:
        """`Services.matches`, as far as the visitor may see them."""
        if deleted and self._role < Role.REFEREE:
            raise forbidden(Role.REFEREE)
        return tuple(match for match in self._services.matches(deleted) if self._own(match.id))

    def _own(self, match_id: str) -> bool:
        return self._match_id in ("", match_id)

    def _check(self, match_id: str | None) -> None:
        if match_id is None or match_id.startswith(DEMO_PREFIX):
            return
        if not self._own(match_id):
            raise other_match()
        if self._role < Role.REFEREE and self._services.is_deleted(match_id):
            raise NotFound(Message("not_found.match"))


def for_role(services: Services, role: Role, match_id: str = "") -> Services:
    """The services as a visitor of this role may use them, for all matches or only one."""
    return services if role is Role.HOST else cast("Services", ForRole(services, role, match_id))


class Forbidden(Refused):
    """The visitor's role does not reach so far (403)."""

    status = 403


def other_match() -> Forbidden:
    """The refusal for whoever was let in for another match."""
    return Forbidden(Message("door.needs_match"))


def forbidden(needed: Role) -> Forbidden:
    """The refusal that says who may."""
    return Forbidden(Message(f"door.needs_{needed.name.lower()}"))
