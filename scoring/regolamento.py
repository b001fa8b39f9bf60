"""Regolamenti by name or from a file: a preset is one TOML file, whole or a base and what differs."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, get_type_hints

from scoring.deck import Deck
from scoring.options import Rule
from scoring.sections import (
    Aces,
    Basis,
    Bonuses,
    CardValues,
    ClassRules,
    ClosingRules,
    MatchRules,
    Note,
    PozzettoRules,
    Regolamento,
    RunRules,
    SetRules,
    WildRules,
)

DEFAULT_REGOLAMENTO = "fibur"
_SUFFIX = ".toml"
_HEAD = ("name", "title", "base", "source", "date")
_SECTIONS: dict[str, type[Any]] = {
    "deck": Deck,
    "values": CardValues,
    "bonus": Bonuses,
    "classes": ClassRules,
    "runs": RunRules,
    "sets": SetRules,
    "wilds": WildRules,
    "closing": ClosingRules,
    "pozzetto": PozzettoRules,
    "match": MatchRules,
}
_RULES: dict[str, dict[str, Rule]] = {
    section: {
        name: rule
        for name, hint in get_type_hints(kind, include_extras=True).items()
        for rule in getattr(hint, "__metadata__", ())
    }
    for section, kind in _SECTIONS.items()
}
_FIELDS = tuple(f"{section}.{name}" for section, rules in _RULES.items() for name in rules)


class PresetFault(StrEnum):
    """What is wrong with a preset."""

    UNKNOWN_NAME = "unknown_name"
    UNREADABLE = "unreadable"
    UNKNOWN_KEY = "unknown_key"
    MISSING_KEY = "missing_key"
    WRONG_VALUE = "wrong_value"
    BASE_CIRCLE = "base_circle"


class RegolamentoError(ValueError):
    """A preset that cannot be used: which key, what stood there, what is allowed."""

    def __init__(self, code: PresetFault, key: str, value: object, allowed: str) -> None:
        super().__init__(f"{code.value}: {key} = {value!r}; allowed: {allowed}")
        self.code, self.key, self.value, self.allowed = code, key, value, allowed


def regolamento_names() -> tuple[str, ...]:
    """Names of the presets that ship, in alphabetical order.

    >>> "fibur" in regolamento_names()
    True
    """
    return tuple(sorted(f.name.removesuffix(_SUFFIX) for f in _folder().iterdir() if f.name.endswith(_SUFFIX)))


def load_regolamento(name: str | Path = DEFAULT_REGOLAMENTO) -> Regolamento:
    """Give a shipped preset by its name, or a user's own from the path of a `.toml` file.

    Raises RegolamentoError; an unknown name lists the known ones.

    >>> load_regolamento("fibur").bonus.pulito
    200
    """
    if isinstance(name, str) and not name.endswith(_SUFFIX):
        return _shipped(name)
    path = Path(name)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise RegolamentoError(PresetFault.UNREADABLE, "file", str(path), "a TOML file in UTF-8") from error
    return parse_regolamento(text, path.stem)


def parse_regolamento(text: str, name: str) -> Regolamento:
    """Read a preset from TOML text; `name` serves where the text gives none."""
    return _build(_merged(_parsed(text, name), name, ()))


def dump_regolamento(regolamento: Regolamento) -> str:
    """Write all figures as TOML without a base, so that a match can keep the rules it was played by.

    >>> fibur = load_regolamento("fibur")
    >>> parse_regolamento(dump_regolamento(fibur), "x") == fibur
    True
    """
    lines = [f"{key} = {_quoted(getattr(regolamento, key))}" for key in _HEAD if key != "base"]
    for section, rules in _RULES.items():
        values = getattr(regolamento, section)
        lines += ["", f"[{section}]"]
        lines += [f"{name} = {rule.write(getattr(values, name))}" for name, rule in rules.items()]
    for basis in Basis:
        lines += ["", f"[{basis.value}]"]
        lines += [f"{_quoted(n.field)} = {_quoted(n.text)}" for n in regolamento.notes if n.basis is basis]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return '"' + "".join(c if c >= " " and c not in '\\"\x7f' else f"\\u{ord(c):04X}" for c in text) + '"'


def _folder() -> Traversable:
    return files("scoring") / "regolamenti"


@lru_cache(maxsize=64)
def _shipped(name: str) -> Regolamento:
    return _build(_merged(_shipped_text(name, "regolamento"), name, ()))


def _shipped_text(name: str, key: str) -> dict[str, Any]:
    names = regolamento_names()
    if name not in names:
        raise RegolamentoError(PresetFault.UNKNOWN_NAME, key, name, ", ".join(names))
    return _parsed((_folder() / (name + _SUFFIX)).read_text(encoding="utf-8"), name)


def _parsed(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RegolamentoError(PresetFault.UNREADABLE, name, str(error), "TOML") from error


def _merged(data: dict[str, Any], name: str, above: tuple[str, ...]) -> dict[str, Any]:
    """Lay a preset over its base, section by section; notes of inherited figures become assumed."""
    _check_keys(data)
    head = {key: data.get(key, "") for key in _HEAD} | {"name": data.get("name", name)}
    for key, value in head.items():
        if not isinstance(value, str):
            raise RegolamentoError(PresetFault.WRONG_VALUE, key, value, "text")
    base, own_notes = head["base"], _notes(data)
    if not base:
        return head | {s: data.get(s, {}) for s in _SECTIONS} | {"notes": own_notes}
    if base in above:
        raise RegolamentoError(PresetFault.BASE_CIRCLE, "base", base, "a preset that does not build on this one")
    below = _merged(_shipped_text(base, "base"), base, (*above, name, base))
    sections = {s: {**below[s], **data.get(s, {})} for s in _SECTIONS}
    inherited = {key: Note(key, Basis.ASSUMED, base) for key in _FIELDS}
    return head | sections | {"notes": inherited | own_notes}


def _check_keys(data: Mapping[str, Any]) -> None:
    """Every key of a preset must be known, also where the base gives the figure."""
    tables = (*_SECTIONS, *Basis)
    for key, value in data.items():
        if key not in _HEAD and key not in tables:
            raise RegolamentoError(PresetFault.UNKNOWN_KEY, key, value, ", ".join((*_HEAD, *tables)))
        if key in tables and not isinstance(value, dict):
            raise RegolamentoError(PresetFault.WRONG_VALUE, key, value, f"[{key}]")
        for inner in value if key in _SECTIONS else ():
            if inner not in _RULES[key]:
                raise RegolamentoError(PresetFault.UNKNOWN_KEY, f"{key}.{inner}", value[inner], ", ".join(_RULES[key]))


def _notes(data: Mapping[str, Any]) -> dict[str, Note]:
    """Notes by field; a note on a section (`values`) holds for its fields that have none of their own."""
    given: dict[str, Note] = {}
    for basis in Basis:
        for key, text in data.get(basis.value, {}).items():
            if key not in _SECTIONS and key not in _FIELDS:
                allowed = ", ".join((*_SECTIONS, *_FIELDS))
                raise RegolamentoError(PresetFault.UNKNOWN_KEY, f"{basis.value}.{key}", text, allowed)
            if not isinstance(text, str):
                raise RegolamentoError(PresetFault.WRONG_VALUE, f"{basis.value}.{key}", text, "text")
            given[key] = Note(key, basis, text)
    found = {key: given.get(key) or given.get(key.split(".")[0]) for key in _FIELDS}
    return {key: Note(key, note.basis, note.text) for key, note in found.items() if note}


def _build(data: dict[str, Any]) -> Regolamento:
    sections = {section: _section(section, data[section]) for section in _SECTIONS}
    notes = tuple(data["notes"].get(key) or Note(key, Basis.ASSUMED, "") for key in _FIELDS)
    match: MatchRules = sections["match"]
    if match.default_target not in match.targets:
        allowed = ", ".join(map(str, match.targets))
        raise RegolamentoError(PresetFault.WRONG_VALUE, "match.default_target", match.default_target, allowed)
    head = {key: data[key] for key in _HEAD} | {"base": data["base"] or None}
    return Regolamento(**head, **sections, notes=notes)


def _section(section: str, values: Mapping[str, Any]) -> Any:
    read: dict[str, Any] = {}
    for name, rule in _RULES[section].items():
        key = f"{section}.{name}"
        if name not in values:
            raise RegolamentoError(PresetFault.MISSING_KEY, key, None, rule.allowed)
        try:
            read[name] = rule.read(values[name])
        except (ValueError, TypeError) as error:
            raise RegolamentoError(PresetFault.WRONG_VALUE, key, values[name], rule.allowed) from error
    return _SECTIONS[section](**read)


__all__ = [
    "DEFAULT_REGOLAMENTO",
    "Aces",
    "Basis",
    "Bonuses",
    "CardValues",
    "ClassRules",
    "ClosingRules",
    "MatchRules",
    "Note",
    "PozzettoRules",
    "PresetFault",
    "Regolamento",
    "RegolamentoError",
    "RunRules",
    "SetRules",
    "WildRules",
    "dump_regolamento",
    "load_regolamento",
    "parse_regolamento",
    "regolamento_names",
]
