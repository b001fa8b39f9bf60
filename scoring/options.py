"""What a field of a regolamento may hold: `Annotated[int, Whole(0, 5)]`, checked while a preset loads."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from scoring.cards import Rank


class Rule(Protocol):
    """Reads one TOML value; `allowed` says in words what it takes."""

    @property
    def allowed(self) -> str: ...

    def read(self, value: object) -> Any:
        """Give the value as the field holds it; ValueError where it is not allowed."""

    def write(self, value: Any) -> str:
        """Give the value as TOML text."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number between two bounds, both included."""

    low: int
    high: int

    @property
    def allowed(self) -> str:
        return f"{self.low}..{self.high}"

    def read(self, value: object) -> int:
        if type(value) is not int or not self.low <= value <= self.high:
            raise ValueError(value)
        return value

    def write(self, value: Any) -> str:
        return str(value)


@dataclass(frozen=True, slots=True)
class Flag:
    """true or false."""

    allowed: str = "true, false"

    def read(self, value: object) -> bool:
        if type(value) is not bool:
            raise ValueError(value)
        return value

    def write(self, value: Any) -> str:
        return "true" if value else "false"


@dataclass(frozen=True, slots=True)
class Choice:
    """One key of an enumeration."""

    options: type[StrEnum]

    @property
    def allowed(self) -> str:
        return ", ".join(option.value for option in self.options)

    def read(self, value: object) -> StrEnum:
        return self.options(str(value))

    def write(self, value: Any) -> str:
        return f'"{value}"'


@dataclass(frozen=True, slots=True)
class Wholes:
    """A list of different whole numbers between two bounds, at least one."""

    low: int
    high: int

    @property
    def allowed(self) -> str:
        return f"[{self.low}..{self.high}, …]"

    def read(self, value: object) -> tuple[int, ...]:
        if not isinstance(value, list) or not value:
            raise ValueError(value)
        numbers = tuple(Whole(self.low, self.high).read(item) for item in value)
        if len(set(numbers)) < len(numbers):
            raise ValueError(value)
        return numbers

    def write(self, value: Any) -> str:
        return f"[{', '.join(map(str, value))}]"


@dataclass(frozen=True, slots=True)
class Ranks:
    """A list of different ranks other than the 2, which is always wild in a combinazione; may be empty."""

    allowed: str = '["A", "3" … "10", "J", "Q", "K"]'

    def read(self, value: object) -> tuple[Rank, ...]:
        if not isinstance(value, list):
            raise ValueError(value)
        ranks = tuple(Rank(item) for item in value)
        if Rank.TWO in ranks or len(set(ranks)) < len(ranks):
            raise ValueError(value)
        return ranks

    def write(self, value: Any) -> str:
        return "[" + ", ".join(f'"{rank.value}"' for rank in value) + "]"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text, not empty, of at most `most` characters."""

    most: int

    @property
    def allowed(self) -> str:
        return f'"…" (1..{self.most})'

    def read(self, value: object) -> str:
        if not isinstance(value, str) or not 1 <= len(value) <= self.most or not value.isprintable():
            raise ValueError(value)
        return value

    def write(self, value: Any) -> str:
        return quoted(value)


@dataclass(frozen=True, slots=True)
class Marks:
    """Cards counted from the end of a meld, rising from 1 to `most`; may be empty."""

    most: int

    @property
    def allowed(self) -> str:
        return f"[1..{self.most}, …]"

    def read(self, value: object) -> tuple[int, ...]:
        if not isinstance(value, list):
            raise ValueError(value)
        places = tuple(Whole(1, self.most).read(item) for item in value)
        if list(places) != sorted(set(places)):
            raise ValueError(value)
        return places

    def write(self, value: Any) -> str:
        return f"[{', '.join(map(str, value))}]"


def quoted(text: str) -> str:
    """Text as a TOML string."""
    return '"' + "".join(c if c >= " " and c not in '\\"\x7f' else f"\\u{ord(c):04X}" for c in text) + '"'
