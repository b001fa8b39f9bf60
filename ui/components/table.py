"""The table component: a photo whose cards can be tapped, and the melds as rows of readable cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

import streamlit as st

NEW_GROUP = "new"
LOOSE_GROUP = "loose"
TINTS = 8
TEXTS = ("command_id", "card", "group", "other", "face", "faces", "photo")
NUMBERS = ("at", "offset", "x", "y")
LONGEST = 200


class EditKind(StrEnum):
    """What a person did to a card or a meld on the table."""

    ACCEPT = "accept"
    CHANGE = "change"
    ADD = "add"
    ADD_MANY = "add_many"
    REMOVE = "remove"
    MOVE = "move"
    SHIFT = "shift"
    JOIN = "join"
    SPLIT = "split"
    REMOVE_MELD = "remove_meld"
    KEEP_TWIN = "keep_twin"
    ASSIGN = "assign"
    PILE = "pile"
    NAME_UNREAD = "name_unread"
    NOT_A_CARD = "not_a_card"
    UNDO = "undo"
    REDO = "redo"


@dataclass(frozen=True, slots=True)
class Edit:
    """One change as the component sends it; `command_id` is made in the browser, so that a retry is the same change.

    `card` is a card's id, or that of one which could not be read; `group` is a meld's id, LOOSE_GROUP or NEW_GROUP;
    `at` and `offset` are places in a meld (`at` also a side, or 1 for yes); `other` is another meld's id or a role;
    `face` is a card's text, `faces` that of several; `x` and `y` are pixels of the photo `photo` where a card was
    tapped.
    """

    command_id: str
    kind: EditKind
    card: str = ""
    group: str = ""
    other: str = ""
    face: str = ""
    at: int = 0
    offset: int = 0
    faces: str = ""
    photo: str = ""
    x: int = 0
    y: int = 0


@dataclass(frozen=True, slots=True)
class CardBox:
    """A card as it is shown; `quad` are its corners in pixels of the photo `photo`, None where no photo shows it.

    `cut` tells that the border of the photo cuts it.
    """

    id: str
    card: str
    spoken: str
    doubtful: bool = False
    note: str = ""
    cut: bool = False
    stands_for: str = ""
    alternatives: tuple[str, ...] = ()
    quad: tuple[tuple[float, float], ...] | None = None
    photo: str | None = None


@dataclass(frozen=True, slots=True)
class UnreadBox:
    """Where on the photo `photo` a card lies that could not be read, and before which of its meld's cards (`at`)."""

    id: str
    at: int
    quad: tuple[tuple[float, float], ...]
    photo: str
    note: str
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GroupBox:
    """A meld (or the loose cards, or a hand) as it is shown; `tint` picks its colour, `label` its number.

    `marks` is the sentence about crosswise cards that say another class, empty where there is nothing to say. `role` is
    the key of what it is and whose (see `RoleBox`), shown in its one line too unless it is `usual`; `covered` asks for
    the cards under a squared pile.
    """

    id: str
    label: str
    tint: str
    title: str
    cards: tuple[CardBox, ...]
    points: str = ""
    chip: str = ""
    reason: str = ""
    faults: tuple[str, ...] = ()
    marks: str = ""
    twin: str = ""
    meld: bool = True
    role: str = ""
    usual: bool = True
    pile: bool = False
    covered: str = ""
    unread: tuple[UnreadBox, ...] = ()


@dataclass(frozen=True, slots=True)
class RoleBox:
    """What a group can be and whose, such as what a side holds: in words, with a letter and a colour."""

    key: str
    role: str
    owner: int
    letter: str
    tint: str
    text: str


@dataclass(frozen=True, slots=True)
class PhotoBox:
    """A photo by address, never as data; `width` and `height` are the pixels the quads refer to."""

    id: str
    url: str
    width: int
    height: int
    alt: str


@dataclass(frozen=True, slots=True)
class TableBox:
    """All that the component shows; `melds` False leaves out everything that only melds have (a hand of cards).

    `revision` grows with every edit, also a refused one, so that the browser always gets an answer.
    """

    photos: tuple[PhotoBox, ...]
    groups: tuple[GroupBox, ...]
    labels: Mapping[str, str | Mapping[str, str]]
    roles: tuple[RoleBox, ...] = ()
    can_undo: bool = False
    can_redo: bool = False
    melds: bool = True
    new_group: str = NEW_GROUP
    revision: int = 0


def _asset(name: str) -> str:
    return files("ui.components").joinpath(name).read_text("utf-8")


def _script() -> str:
    """One module out of the component's files: Streamlit takes one script, and there is no build step."""
    parts = (
        "table_faces",
        "table_zoom",
        "table_stage",
        "table_add",
        "table_sheet",
        "table_groups",
        "table_drag",
        "table",
    )
    return "\n".join(_asset(f"{name}.js") for name in parts)


_TABLE = st.components.v2.component("table", html=_asset("table.html"), css=_asset("table.css"), js=_script())


def table(box: TableBox, *, key: str, on_edit: Callable[[], None]) -> None:
    """Show the table under `key`; `on_edit` runs before the next rerun and finds the change with `edit_of`."""
    _TABLE(key=key, data=_bare(box), on_edit_change=on_edit)


def _bare(value: Any) -> Any:
    """A box as what JSON knows; unlike `asdict` it copies nothing that can stay as it is (35 cards: 1 ms, not 5)."""
    if is_dataclass(value) and not isinstance(value, type):
        return {name: _bare(getattr(value, name)) for name in _names(type(value))}
    return [_bare(part) for part in value] if isinstance(value, tuple) else value


@cache
def _names(box: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(box))


def edit_of(key: str) -> Edit | None:
    """The change a person just made in the component under `key`, or None; raises ValueError for a malformed one."""
    raw = getattr(st.session_state.get(key), "edit", None)
    return None if raw is None else parse_edit(raw)


def parse_edit(raw: Mapping[str, Any]) -> Edit:
    """Check what came from the browser and turn it into an Edit; raises ValueError for anything malformed."""
    try:
        kind = EditKind(raw["kind"])
        texts = {name: str(raw[name])[:LONGEST] for name in TEXTS if raw.get(name) is not None}
        numbers = {name: int(raw[name]) for name in NUMBERS if raw.get(name) is not None}
    except (KeyError, TypeError) as error:
        raise ValueError(f"not an edit: {raw!r:.200}") from error
    if not texts.get("command_id"):
        raise ValueError("an edit needs a command_id")
    return Edit(kind=kind, **texts, **numbers)  # type: ignore[arg-type]
