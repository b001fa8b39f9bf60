"""Small data files of the game (formati, VP tables): one TOML table into one frozen value, all faults at once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol, TypeVar, get_type_hints

SUFFIX = ".toml"
T = TypeVar("T")


class Reads(Protocol):
    """Reads one TOML value; `allowed` says in words what it takes."""

    @property
    def allowed(self) -> str: ...

    def read(self, value: object) -> Any:
        """Give the value as the field holds it; ValueError where it is not allowed."""


class DataCode(StrEnum):
    """What is wrong with a data file."""

    UNREADABLE = "unreadable"
    NOT_UTF8 = "not_utf8"
    UNKNOWN_NAME = "unknown_name"
    NOT_TOML = "not_toml"
    UNKNOWN_KEY = "unknown_key"
    MISSING_KEY = "missing_key"
    WRONG_VALUE = "wrong_value"
    NOT_ONE_EACH = "not_one_each"
    NOT_FROM_ZERO = "not_from_zero"
    NOT_FROM_HALF = "not_from_half"
    NOT_THE_SUM = "not_the_sum"


@dataclass(frozen=True, slots=True)
class DataFault:
    """One thing wrong with a data file: where, what stood there (of bad TOML the line), what is allowed."""

    key: str
    value: object
    allowed: str
    code: DataCode = DataCode.WRONG_VALUE

    def __str__(self) -> str:
        return f"{self.key} = {self.value!r}; allowed: {self.allowed}"


class DataError(ValueError):
    """A data file that cannot be used, with all its faults."""

    def __init__(self, faults: tuple[DataFault, ...]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Words:
    """A text that is not empty."""

    allowed: str = '"…"'

    def read(self, value: object) -> str:
        if not isinstance(value, str) or not value.strip():
            raise ValueError(value)
        return value


@dataclass(frozen=True, slots=True)
class Numbers:
    """A list of whole numbers between two bounds, `least` of them or more."""

    low: int
    high: int
    least: int = 1

    @property
    def allowed(self) -> str:
        return f"[{self.low}..{self.high}, …]"

    def read(self, value: object) -> tuple[int, ...]:
        if not isinstance(value, list | tuple) or len(value) < self.least:
            raise ValueError(value)
        if any(type(item) is not int or not self.low <= item <= self.high for item in value):
            raise ValueError(value)
        return tuple(value)


def read_value(kind: type[T], data: Mapping[str, object]) -> T:
    """Build a dataclass from the keys its annotations allow; DataError lists every unknown, missing or wrong one."""
    rules = _rules(kind)
    allowed = ", ".join(rules)
    faults = [DataFault(key, data[key], allowed, DataCode.UNKNOWN_KEY) for key in data if key not in rules]
    read: dict[str, Any] = {}
    for key, rule in rules.items():
        try:
            read[key] = rule.read(data.get(key))
        except (ValueError, TypeError):
            code = DataCode.WRONG_VALUE if key in data else DataCode.MISSING_KEY
            faults.append(DataFault(key, data.get(key), rule.allowed, code))
    if faults:
        raise DataError(tuple(faults))
    return kind(**read)


def read_toml(text: str, name: str) -> dict[str, Any]:
    """TOML text as a table; DataError where it is none."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError((DataFault(name, toml_line(error, text), "TOML", DataCode.NOT_TOML),)) from error


def toml_line(error: tomllib.TOMLDecodeError, text: str) -> int:
    """The line, from 1, where TOML text stops being TOML; its last one where something is missing at the end.

    >>> for text in ("x = 1\\ny = ?", "x = 1\\ny = ["):
    ...     try:
    ...         tomllib.loads(text)
    ...     except tomllib.TOMLDecodeError as error:
    ...         print(toml_line(error, text))
    2
    2
    """
    line = re.search(r"at line (\d+)", str(error))
    return int(line.group(1)) if line else text.count("\n") + 1


def shipped_names(folder: str) -> tuple[str, ...]:
    """Names of the files that ship in a folder of `scoring`, in alphabetical order."""
    return tuple(
        sorted(f.name.removesuffix(SUFFIX) for f in (files("scoring") / folder).iterdir() if f.name.endswith(SUFFIX))
    )


def file_text(name: str, folder: str) -> str:
    """Text of a shipped file by its name, or of a user's own by its path (`….toml`); DataError lists the names."""
    if name.endswith(SUFFIX):
        try:
            return Path(name).read_text(encoding="utf-8-sig")  # as Windows writes it
        except (OSError, ValueError) as error:
            code = DataCode.NOT_UTF8 if isinstance(error, UnicodeDecodeError) else DataCode.UNREADABLE
            raise DataError((DataFault("file", name, "TOML, UTF-8", code),)) from error
    names = shipped_names(folder)
    if name not in names:
        raise DataError((DataFault("name", name, ", ".join(names), DataCode.UNKNOWN_NAME),))
    return (files("scoring") / folder / (name + SUFFIX)).read_text(encoding="utf-8")


def _rules(kind: type[Any]) -> dict[str, Reads]:
    hints = get_type_hints(kind, include_extras=True)
    return {name: rule for name, hint in hints.items() for rule in getattr(hint, "__metadata__", ())}
