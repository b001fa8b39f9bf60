"""What a preset may contain: its sections, the rule of each field, and what can be wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from typing import Any, get_type_hints

from scoring.deck import Deck
from scoring.options import Rule
from scoring.sections import (
    Bonuses,
    CardValues,
    ClassNames,
    ClassRules,
    ClosingRules,
    MarkRules,
    MatchRules,
    PozzettoRules,
    RunRules,
    SetRules,
    WildRules,
)

HEAD = ("name", "title", "base", "source", "date", "formato")
DEFAULT_FORMATO = "quattro"
SECTIONS: dict[str, type[Any]] = {
    "deck": Deck,
    "values": CardValues,
    "bonus": Bonuses,
    "classes": ClassRules,
    "names": ClassNames,
    "marks": MarkRules,
    "runs": RunRules,
    "sets": SetRules,
    "wilds": WildRules,
    "closing": ClosingRules,
    "pozzetto": PozzettoRules,
    "match": MatchRules,
}
RULES: dict[str, dict[str, Rule]] = {
    section: {
        name: rule
        for name, hint in get_type_hints(kind, include_extras=True).items()
        for rule in getattr(hint, "__metadata__", ())
    }
    for section, kind in SECTIONS.items()
}
FIELDS = tuple(f"{section}.{name}" for section, rules in RULES.items() for name in rules)


class PresetFault(StrEnum):
    """What is wrong with a preset."""

    UNKNOWN_NAME = "unknown_name"
    UNREADABLE = "unreadable"
    NOT_UTF8 = "not_utf8"
    NOT_TOML = "not_toml"
    EMPTY = "empty"
    NOT_A_SETTING = "not_a_setting"
    UNKNOWN_KEY = "unknown_key"
    MISSING_KEY = "missing_key"
    WRONG_VALUE = "wrong_value"
    BASE_CIRCLE = "base_circle"


@dataclass(frozen=True, slots=True)
class PresetProblem:
    """One thing wrong with a preset: which key, what stood there (of bad TOML the line), what is allowed."""

    code: PresetFault
    key: str
    value: object
    allowed: str

    def __str__(self) -> str:
        return f"{self.code.value}: {self.key} = {self.value!r}; allowed: {self.allowed}"


class RegolamentoError(ValueError):
    """A preset that cannot be used, with everything that is wrong with it; `code` and the others are the first's."""

    def __init__(self, problems: Sequence[PresetProblem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)
        first = self.problems[0]
        self.code, self.key, self.value, self.allowed = first.code, first.key, first.value, first.allowed


def refused(code: PresetFault, key: str, value: object, allowed: str) -> RegolamentoError:
    """The error of one problem."""
    return RegolamentoError([PresetProblem(code, key, value, allowed)])


def read_section(section: str, values: Mapping[str, Any], problems: list[PresetProblem]) -> Any:
    """The section as its dataclass; None where a value is wrong or missing, which `problems` then says."""
    optional = {field.name for field in fields(SECTIONS[section]) if field.default is not MISSING}
    read: dict[str, Any] = {}
    before = len(problems)
    for name, rule in RULES[section].items():
        key = f"{section}.{name}"
        if name not in values:
            if name not in optional:
                problems.append(PresetProblem(PresetFault.MISSING_KEY, key, None, rule.allowed))
            continue
        try:
            read[name] = rule.read(values[name])
        except (ValueError, TypeError):
            problems.append(PresetProblem(PresetFault.WRONG_VALUE, key, values[name], rule.allowed))
    return SECTIONS[section](**read) if len(problems) == before else None
