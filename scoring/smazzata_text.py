"""A smazzata as people write it, line by line, or as TOML or JSON: every key with its values and where they stood."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


def seen_text(value: object, most: int = 40) -> str:
    """A value as people wrote it, cut where it is long: text as it is, anything else as JSON has it."""
    return visible((value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str))[:most])


def visible(text: str) -> str:
    """A text in which every character shows: what has no shape becomes �."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def clean_name(text: str, most: int = 60) -> str:
    """A name as it is kept: single blanks, no more than `most` characters; ValueError where some of it cannot be seen.

    Characters without a shape (NUL, marks that turn the direction of writing) would let one name pass for another.

    >>> clean_name("  Anna   e Bruno ")
    'Anna e Bruno'
    """
    name = " ".join(text.split())
    if not name.isprintable():
        raise ValueError(visible(name[:most]))
    return name[:most]


class Key(StrEnum):
    """What a smazzata file may say; the value is the key in TOML and JSON."""

    REGOLAMENTO = "regolamento"
    PLAYERS = "players"
    END = "end"
    NAMES = "names"
    NAME = "name"
    MELD = "melds"
    SUMS = "sums"
    COUNTS = "counts"
    CLOSED = "closed"
    DISCARD = "last_discard"
    LAID_LAST = "laid_last"
    POZZETTO = "pozzetto"
    POZZETTO_HELD = "pozzetto_held"
    HAND = "hands"
    PENALISED = "penalised"
    ADJUSTMENT = "adjustments"


WORDS: dict[str, Key] = {
    "regolamento": Key.REGOLAMENTO,
    "rules": Key.REGOLAMENTO,
    "giocatori": Key.PLAYERS,
    "fine": Key.END,
    "gioco": Key.MELD,
    "meld": Key.MELD,
    "punti": Key.SUMS,
    "chiusura": Key.CLOSED,
    "chiude": Key.CLOSED,
    "ha chiuso": Key.CLOSED,
    "scarto": Key.DISCARD,
    "discard": Key.DISCARD,
    "senza scarto": Key.LAID_LAST,
    "no discard": Key.LAID_LAST,
    "pozzetto": Key.POZZETTO,
    "mano": Key.HAND,
    "hand": Key.HAND,
    "penalizzate": Key.PENALISED,
    "rettifica": Key.ADJUSTMENT,
    "adjustment": Key.ADJUSTMENT,
}
"""Words a line of plain text may begin with; the keys of TOML and JSON will do as well."""
WORDS.update({key.value: key for key in Key if key not in (Key.NAMES, Key.NAME, Key.COUNTS, Key.POZZETTO_HELD)})

TOP = frozenset({Key.REGOLAMENTO, Key.PLAYERS, Key.END, Key.NAMES})
OF_SIDE = frozenset(Key) - {Key.REGOLAMENTO, Key.END, Key.NAMES}
SIDES = "sides"
SEVERAL = frozenset({Key.MELD, Key.HAND, Key.ADJUSTMENT})
"""Keys that a side may have more than once."""


class FileCode(StrEnum):
    """What is wrong at a place of a smazzata file, and so what was expected there."""

    NOT_TOML = "not_toml"
    NOT_JSON = "not_json"
    NOT_A_TABLE = "not_a_table"
    UNKNOWN_KEY = "unknown_key"
    UNKNOWN_WORD = "unknown_word"
    NO_SIDE_YET = "no_side_yet"
    TWICE = "twice"
    NOT_CARDS = "not_cards"
    NOT_A_CARD = "not_a_card"
    NOT_HELD = "not_held"
    NOT_A_NUMBER = "not_a_number"
    NOT_POZZETTO = "not_pozzetto"
    NOT_AN_END = "not_an_end"
    NOT_YES_OR_NO = "not_yes_or_no"
    NOT_A_FLAG = "not_a_flag"
    NOT_SUMS = "not_sums"
    NOT_COUNTS = "not_counts"
    NOT_AN_ADJUSTMENT = "not_an_adjustment"
    NOT_TEXT = "not_text"
    NOT_A_LIST = "not_a_list"
    TWO_WAYS = "two_ways"
    SIDES_COUNT = "sides_count"
    SAME_NAME = "same_name"


@dataclass(frozen=True, slots=True)
class FileFault:
    """One fault of a file: a line number, or the place in TOML or JSON; what stood there; what it clashes with."""

    code: FileCode
    where: int | str
    seen: str
    other: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One value of a key, where it stood, and what was written for the key (a meld has no word of its own)."""

    where: int | str
    value: Any
    word: str


Section = dict[Key, list[Entry]]


@dataclass(slots=True)
class Raw:
    """A file taken apart: what holds for all, what each side says, and what could not be taken apart.

    `typed` where values have types (TOML, JSON) and are not all text.
    """

    typed: bool
    top: Section = field(default_factory=dict)
    sides: list[Section] = field(default_factory=list)
    faults: list[FileFault] = field(default_factory=list)

    def add(self, section: Section, key: Key, where: int | str, value: Any, word: str) -> None:
        """Keep a value; a second one where only one may be is a fault."""
        entries = section.setdefault(key, [])
        if entries and key not in SEVERAL:
            first = entries[0].where
            self.faults.append(FileFault(FileCode.TWICE, where, word, str(first)))
        else:
            entries.append(Entry(where, value, word))


def take_text_apart(text: str) -> Raw:
    """Plain text: `[Name]` begins a side, `word: value` says something, other lines are melds, # begins a comment."""
    raw = Raw(typed=False)
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        if line.startswith("[") and line.endswith("]"):
            raw.sides.append({Key.NAME: [Entry(number, line[1:-1].strip(), line)]})
            continue
        word, colon, value = line.partition(":")
        key = WORDS.get(" ".join(word.lower().split()))
        if key is None and colon and not value.strip():
            raw.sides.append({Key.NAME: [Entry(number, word.strip(), line)]})
            continue
        if key is None and colon:
            raw.faults.append(FileFault(FileCode.UNKNOWN_WORD, number, word.strip()[:40]))
            continue
        if key is None:
            key, value, word = Key.MELD, line, line
        of_side = key in OF_SIDE and (bool(raw.sides) or key not in TOP)
        if of_side and not raw.sides:
            raw.faults.append(FileFault(FileCode.NO_SIDE_YET, number, line[:40]))
        else:
            section = raw.sides[-1] if of_side else raw.top
            raw.add(section, key, number, value.strip(), word.strip()[:40])
    return raw


def take_data_apart(data: object) -> Raw:
    """TOML or JSON, with the same keys as the API takes."""
    raw = Raw(typed=True)
    if not isinstance(data, Mapping):
        raw.faults.append(FileFault(FileCode.NOT_A_TABLE, "", seen_text(data)))
        return raw
    _keep_table(raw, raw.top, TOP, {key: value for key, value in data.items() if key != SIDES}, "", more=(SIDES,))
    sides = data.get(SIDES, [])
    if not isinstance(sides, list):
        raw.faults.append(FileFault(FileCode.NOT_A_LIST, SIDES, seen_text(sides)))
        return raw
    for at, side in enumerate(sides):
        section: Section = {}
        raw.sides.append(section)
        if isinstance(side, Mapping):
            _keep_table(raw, section, OF_SIDE, side, f"{SIDES}.{at}.")
        else:
            raw.faults.append(FileFault(FileCode.NOT_A_TABLE, f"{SIDES}.{at}", seen_text(side)))
    return raw


_ITALIAN = {"giocatori": Key.PLAYERS, "fine": Key.END}


def _keep_table(
    raw: Raw,
    section: Section,
    allowed: frozenset[Key],
    table: Mapping[str, Any],
    path: str,
    more: tuple[str, ...] = (),
) -> None:
    keys: dict[str, Key] = {key.value: key for key in allowed} | {w: k for w, k in _ITALIAN.items() if k in allowed}
    for name, value in table.items():
        where = path + name
        if name not in keys:
            raw.faults.append(FileFault(FileCode.UNKNOWN_KEY, where, name[:40], ", ".join(sorted((*keys, *more)))))
        elif value is None:
            continue
        elif keys[name] in SEVERAL and not isinstance(value, list):
            raw.faults.append(FileFault(FileCode.NOT_A_LIST, where, seen_text(value)))
        elif keys[name] in SEVERAL:
            for at, item in enumerate(value):
                raw.add(section, keys[name], f"{where}.{at}", item, name)
        else:
            raw.add(section, keys[name], where, value, name)
