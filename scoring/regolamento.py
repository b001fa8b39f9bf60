"""Regolamenti by name or from a file: a preset is one TOML file, whole or a base and what differs."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from scoring.datafile import toml_line
from scoring.formato import formato_names
from scoring.options import quoted
from scoring.schema import (
    DEFAULT_FORMATO,
    FIELDS,
    HEAD,
    RULES,
    SECTIONS,
    PresetFault,
    PresetProblem,
    RegolamentoError,
    read_section,
    refused,
)
from scoring.sections import Aces, Basis, BurracoNeed, MatchRules, Note, Regolamento

DEFAULT_REGOLAMENTO = "fibur"
_SUFFIX = ".toml"
_SET_BY_HAND = "cambiato da chi gioca"


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
        text = path.read_text(encoding="utf-8-sig")  # as Windows writes it
    except (OSError, ValueError) as error:
        code = PresetFault.NOT_UTF8 if isinstance(error, UnicodeDecodeError) else PresetFault.UNREADABLE
        raise refused(code, "file", str(path), "TOML, UTF-8") from error
    return parse_regolamento(text, path.stem)


def parse_regolamento(text: str, name: str) -> Regolamento:
    """Read a preset from TOML text; `name` serves where the text gives none."""
    return _read(_parsed(text, name), name)


def changed(regolamento: Regolamento, settings: Iterable[str]) -> Regolamento:
    """The same with some fields set by `key=value`; a key without its section is enough where only one field takes it.

    Raises RegolamentoError with every setting that cannot be.

    >>> mine = changed(load_regolamento("fibur"), ["semipulito=wild_at_end", "bonus.semipulito=170"])
    >>> mine.classes.semipulito.value, mine.bonus.semipulito
    ('wild_at_end', 170)
    """
    problems: list[PresetProblem] = []
    for setting in settings:
        key, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            problems.append(PresetProblem(PresetFault.NOT_A_SETTING, "", setting, "key=value"))
            continue
        value = _toml_value(text)
        known = [field for field in FIELDS if key in (field, _bare(field))]
        fits = [field for field in known if _takes(field, value)]
        if len(fits) == 1:
            section, _, name = fits[0].partition(".")
            values = replace(getattr(regolamento, section), **{name: RULES[section][name].read(value)})
            notes = [Note(n.field, Basis.ASSUMED, _SET_BY_HAND) if n.field in fits else n for n in regolamento.notes]
            regolamento = replace(regolamento, **{section: values}, notes=tuple(notes))
        elif known and not fits:
            allowed = " | ".join(_rule_of(field).allowed for field in known)
            problems.append(PresetProblem(PresetFault.WRONG_VALUE, key, value, allowed))
        else:
            problems.append(PresetProblem(PresetFault.UNKNOWN_KEY, key, value, ", ".join(fits or FIELDS)))
    _check_target(regolamento.match, problems)
    if problems:
        raise RegolamentoError(problems)
    return regolamento


def dump_regolamento(regolamento: Regolamento) -> str:
    """Write all figures as TOML without a base, so that a match can keep the rules it was played by.

    >>> fibur = load_regolamento("fibur")
    >>> parse_regolamento(dump_regolamento(fibur), "x") == fibur
    True
    """
    lines = [f"{key} = {quoted(getattr(regolamento, key))}" for key in HEAD if key != "base"]
    for section, rules in RULES.items():
        values = getattr(regolamento, section)
        lines += ["", f"[{section}]"]
        lines += [f"{name} = {rule.write(getattr(values, name))}" for name, rule in rules.items()]
    for basis in Basis:
        lines += ["", f"[{basis.value}]"]
        lines += [f"{quoted(n.field)} = {quoted(n.text)}" for n in regolamento.notes if n.basis is basis]
    return "\n".join(lines) + "\n"


def _folder() -> Traversable:
    return files("scoring") / "regolamenti"


@lru_cache(maxsize=64)
def _shipped(name: str) -> Regolamento:
    return _read(_shipped_text(name, "regolamento"), name)


def _shipped_text(name: str, key: str) -> dict[str, Any]:
    names = regolamento_names()
    if name not in names:
        raise refused(PresetFault.UNKNOWN_NAME, key, name, ", ".join(names))
    return _parsed((_folder() / (name + _SUFFIX)).read_text(encoding="utf-8"), name)


def _parsed(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise refused(PresetFault.NOT_TOML, name, toml_line(error, text), "TOML") from error


def _toml_value(text: str) -> object:
    """A value as TOML has it; a word without quotes is text."""
    try:
        return tomllib.loads(f"x = {text}")["x"]
    except tomllib.TOMLDecodeError:
        return text


def _bare(field: str) -> str:
    """A figure's key without its section; names and marks of classes are known by the whole key only."""
    section, _, name = field.partition(".")
    return field if section in ("names", "marks") else name


def _rule_of(field: str) -> Any:
    section, _, name = field.partition(".")
    return RULES[section][name]


def _takes(field: str, value: object) -> bool:
    try:
        _rule_of(field).read(value)
    except (ValueError, TypeError):
        return False
    return True


def _read(data: dict[str, Any], name: str) -> Regolamento:
    problems: list[PresetProblem] = []
    return _build(_merged(data, name, (), problems), problems)


def _merged(data: dict[str, Any], name: str, above: tuple[str, ...], problems: list[PresetProblem]) -> dict[str, Any]:
    """Lay a preset over its base, section by section; notes of inherited figures become assumed."""
    data = _renamed(data)
    _check_keys(data, problems)
    head = {key: data.get(key, "") for key in HEAD} | {"name": data.get("name", name)}
    for key, value in head.items():
        if not isinstance(value, str):
            problems.append(PresetProblem(PresetFault.WRONG_VALUE, key, value, '"…"'))
    base, notes = head["base"], _notes(data, problems)
    if not base and not any(section in data for section in SECTIONS):
        raise RegolamentoError([PresetProblem(PresetFault.EMPTY, name, "", "base"), *problems])
    given = {section: data[section] if isinstance(data.get(section), dict) else {} for section in SECTIONS}
    if not base:
        return {**head, "formato": head["formato"] or DEFAULT_FORMATO, **given, "notes": notes, "own": FIELDS}
    if not isinstance(base, str):
        raise RegolamentoError(problems)
    if base in above:
        raise refused(PresetFault.BASE_CIRCLE, "base", base, "a preset that does not build on this one")
    below = _merged(_shipped_text(base, "base"), base, (*above, name, base), problems)
    sections = {section: {**below[section], **given[section]} for section in SECTIONS}
    inherited = {key: Note(key, Basis.ASSUMED, base) for key in FIELDS}
    return {
        **head,
        "formato": head["formato"] or below["formato"],
        **sections,
        "notes": inherited | notes,
        "own": _own(data, given, notes),
    }


def _renamed(data: dict[str, Any]) -> dict[str, Any]:
    """Texts kept by matches of older programs say `closing.needs_burraco` where `closing.needs` now stands."""
    old, new = "needs_burraco", "needs"
    data = {key: dict(value) if isinstance(value, dict) else value for key, value in data.items()}
    closing = data.get("closing")
    if isinstance(closing, dict) and isinstance(closing.get(old), bool):
        closing[new] = (BurracoNeed.ANY if closing.pop(old) else BurracoNeed.NONE).value
    for basis in Basis:
        notes = data.get(basis.value)
        if isinstance(notes, dict) and f"closing.{old}" in notes:
            notes[f"closing.{new}"] = notes.pop(f"closing.{old}")
    return data


def _check_keys(data: Mapping[str, Any], problems: list[PresetProblem]) -> None:
    """Every key of a preset must be known, also where the base gives the figure."""
    tables = (*SECTIONS, *Basis)
    for key, value in data.items():
        if key not in HEAD and key not in tables:
            problems.append(PresetProblem(PresetFault.UNKNOWN_KEY, key, value, ", ".join((*HEAD, *tables))))
        elif key in tables and not isinstance(value, dict):
            problems.append(PresetProblem(PresetFault.WRONG_VALUE, key, value, f"[{key}]"))
        elif key in SECTIONS:
            allowed = ", ".join(RULES[key])
            unknown = [name for name in value if name not in RULES[key]]
            problems += [PresetProblem(PresetFault.UNKNOWN_KEY, f"{key}.{n}", value[n], allowed) for n in unknown]


def _notes(data: Mapping[str, Any], problems: list[PresetProblem]) -> dict[str, Note]:
    """Notes by field; a note on a section (`values`) holds for its fields that have none of their own."""
    given: dict[str, Note] = {}
    for basis in Basis:
        table = data.get(basis.value)
        for key, text in table.items() if isinstance(table, dict) else ():
            if key not in SECTIONS and key not in FIELDS:
                allowed = ", ".join((*SECTIONS, *FIELDS))
                problems.append(PresetProblem(PresetFault.UNKNOWN_KEY, f"{basis.value}.{key}", text, allowed))
            elif not isinstance(text, str):
                problems.append(PresetProblem(PresetFault.WRONG_VALUE, f"{basis.value}.{key}", text, '"…"'))
            else:
                given[key] = Note(key, basis, text)
    found = {key: given.get(key) or given.get(key.partition(".")[0]) for key in FIELDS}
    return {key: Note(key, note.basis, note.text) for key, note in found.items() if note}


def _own(data: Mapping[str, Any], given: Mapping[str, Any], notes: Mapping[str, Note]) -> tuple[str, ...]:
    """What a preset with a base says itself: figures it gives, figures it found equal to the base's."""
    own = ["formato"] if data.get("formato") else []
    for key in FIELDS:
        section, _, name = key.partition(".")
        sourced = key in notes and notes[key].basis is Basis.SOURCED
        if name in given[section] or sourced:
            own.append(key)
    return tuple(own)


def _build(data: dict[str, Any], problems: list[PresetProblem]) -> Regolamento:
    sections = {section: read_section(section, data[section], problems) for section in SECTIONS}
    notes = tuple(data["notes"].get(key) or Note(key, Basis.ASSUMED, "") for key in FIELDS)
    _check_target(sections["match"], problems)
    _check_formato(data["formato"], problems)
    if problems:
        raise RegolamentoError(problems)
    head = {key: data[key] for key in HEAD} | {"base": data["base"] or None}
    return Regolamento(**head, **sections, notes=notes, own=data["own"])


def _check_formato(formato: object, problems: list[PresetProblem]) -> None:
    known = formato_names()
    if isinstance(formato, str) and formato not in known:
        problems.append(PresetProblem(PresetFault.WRONG_VALUE, "formato", formato, ", ".join(known)))


def _check_target(match: MatchRules | None, problems: list[PresetProblem]) -> None:
    if match and match.default_target not in match.targets:
        allowed = ", ".join(map(str, match.targets))
        problems.append(PresetProblem(PresetFault.WRONG_VALUE, "match.default_target", match.default_target, allowed))


__all__ = [
    "DEFAULT_REGOLAMENTO",
    "Aces",
    "Basis",
    "Note",
    "PresetFault",
    "PresetProblem",
    "Regolamento",
    "RegolamentoError",
    "changed",
    "dump_regolamento",
    "load_regolamento",
    "parse_regolamento",
    "regolamento_names",
]
