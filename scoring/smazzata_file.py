"""A smazzata from a file: plain text, TOML or JSON into sides, or all its faults at once."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from scoring.cards import Card, CardError, parse_cards
from scoring.classes import BurracoClass
from scoring.datafile import toml_line
from scoring.sides import Adjustment, End, Held, Laid, Pozzetto, Side, SideCounts, SideMelds, SideSums
from scoring.smazzata_text import (
    Entry,
    FileCode,
    FileFault,
    Key,
    Raw,
    Section,
    clean_name,
    seen_text,
    take_data_apart,
    take_text_apart,
)

MIN_SIDES, MAX_SIDES = 2, 5
MAX_POINTS = 100_000
T = TypeVar("T")

_POZZETTO = {
    "giocato": Pozzetto.PLAYED,
    "preso": Pozzetto.PLAYED,
    "preso e giocato": Pozzetto.PLAYED,
    "taken": Pozzetto.PLAYED,
    "non giocato": Pozzetto.NOT_PLAYED,
    "preso e non giocato": Pozzetto.NOT_PLAYED,
    "non preso": Pozzetto.NOT_TAKEN,
} | {pozzetto.value.replace("_", " "): pozzetto for pozzetto in Pozzetto}
_ENDS = {
    "chiusura": End.CLOSED,
    "con 100": End.CLOSED,
    "senza 100": End.CLOSED_WITHOUT_BONUS,
    "tallone": End.STOCK,
    "mazzo finito": End.STOCK,
    "tempo": End.TIME,
} | {end.value.replace("_", " "): end for end in End}
_YES = {"": True, "si": True, "sì": True, "yes": True, "true": True, "no": False, "false": False}


@dataclass(frozen=True, slots=True)
class SmazzataFile:
    """What a file says; `regolamento`, `players` and `end` are None where it says nothing of them.

    `said` are the players that each side says it has, None where it does not; `unsaid` are the sides (0 first) of
    whose pozzetto it says nothing: it counts as played.
    """

    names: tuple[str, ...]
    sides: tuple[Side, ...]
    end: End | None = None
    regolamento: str | None = None
    players: int | None = None
    said: tuple[int | None, ...] = ()
    unsaid: tuple[int, ...] = field(default=(), compare=False)


class SmazzataFileError(ValueError):
    """A file that is no smazzata, with all its faults; `partial` is what could be read of it all the same."""

    def __init__(self, faults: tuple[FileFault, ...], partial: SmazzataFile | None = None) -> None:
        super().__init__("; ".join(f"{fault.where}: {fault.seen!r}: {fault.code.value}" for fault in faults))
        self.faults = faults
        self.partial = partial


def parse_smazzata(text: str, kind: str = "text") -> SmazzataFile:
    """Read a smazzata from plain text, or `toml` or `json`; SmazzataFileError lists all faults.

    >>> file = parse_smazzata("[Noi]\\n3♥ 4♥ 5♥\\nchiusura\\n[Loro]\\npozzetto: non preso\\nmano: 35")
    >>> file.names, file.sides[0].closed, file.sides[1].hands[0].points
    (('Noi', 'Loro'), True, 35)
    """
    raw = take_text_apart(text) if kind == "text" else take_data_apart(_data(text, kind))
    return _Builder(raw).file()


def _data(text: str, kind: str) -> object:
    """The values of TOML or JSON text; what is neither is a fault at its line, where that is known."""
    try:
        return tomllib.loads(text) if kind == "toml" else json.loads(text)
    except tomllib.TOMLDecodeError as error:
        fault = FileFault(FileCode.NOT_TOML, toml_line(error, text), "")
        raise SmazzataFileError((fault,)) from error
    except (ValueError, RecursionError) as error:
        code = FileCode.NOT_TOML if kind == "toml" else FileCode.NOT_JSON
        raise SmazzataFileError((FileFault(code, getattr(error, "lineno", ""), ""),)) from error


class _Builder:
    """Turns what was taken apart into values, collecting faults as it goes."""

    def __init__(self, raw: Raw) -> None:
        self._raw = raw
        self._faults = raw.faults
        self._yes_no = (_flag, FileCode.NOT_A_FLAG) if raw.typed else (_yes, FileCode.NOT_YES_OR_NO)

    def file(self) -> SmazzataFile:
        top = self._raw.top
        count = len(self._raw.sides)
        enough = MIN_SIDES <= count <= MAX_SIDES
        if not enough and (count or not self._faults):
            self._faults.append(FileFault(FileCode.SIDES_COUNT, "", str(count)))
        said = tuple(self._one(s, Key.PLAYERS, _number(1, 3), FileCode.NOT_A_NUMBER, None) for s in self._raw.sides)
        sides = tuple(self._side(section, own or 2) for section, own in zip(self._raw.sides, said, strict=True))
        names = self._one(top, Key.NAMES, _texts, FileCode.NOT_A_LIST, ())
        called = tuple(self._name(section, names, at) for at, section in enumerate(self._raw.sides))
        self._check_names(called)
        made = SmazzataFile(
            names=called,
            sides=sides,
            end=self._one(top, Key.END, _choice(_ENDS), FileCode.NOT_AN_END, None),
            regolamento=self._one(top, Key.REGOLAMENTO, _text, FileCode.NOT_TEXT, None),
            players=self._one(top, Key.PLAYERS, _number(2, 6), FileCode.NOT_A_NUMBER, None),
            said=said,
            unsaid=tuple(at for at, section in enumerate(self._raw.sides) if Key.POZZETTO not in section),
        )
        if self._faults:
            raise SmazzataFileError(tuple(sorted(self._faults, key=_line)), made if enough else None)
        return made

    def _name(self, section: Section, names: tuple[str, ...], at: int) -> str:
        own = self._one(section, Key.NAME, _text, FileCode.NOT_TEXT, "")
        return own or (names[at] if at < len(names) else "") or chr(ord("A") + at)

    def _check_names(self, names: tuple[str, ...]) -> None:
        """Two sides of one name could not be told apart."""
        for at, name in enumerate(names):
            if name.casefold() in {other.casefold() for other in names[:at]}:
                own = self._raw.sides[at].get(Key.NAME)
                self._faults.append(FileFault(FileCode.SAME_NAME, own[0].where if own else f"sides.{at}", name))

    def _side(self, section: Section, players: int) -> Side:
        pozzetto, held = self._pozzetto(section)
        return Side(
            laid=self._laid(section),
            closed=self._one(section, Key.CLOSED, *self._yes_no, False),
            pozzetto=pozzetto,
            pozzetto_held=held,
            hands=tuple(self._many(section, Key.HAND, _held, FileCode.NOT_HELD)),
            penalised=self._one(section, Key.PENALISED, _held, FileCode.NOT_HELD, None),
            adjustments=tuple(self._many(section, Key.ADJUSTMENT, _adjustment, FileCode.NOT_AN_ADJUSTMENT)),
            last_discard=self._one(section, Key.DISCARD, _card, FileCode.NOT_A_CARD, None),
            laid_last=self._one(section, Key.LAID_LAST, *self._yes_no, False),
            players=players,
        )

    def _laid(self, section: Section) -> Laid:
        ways = [key for key in (Key.MELD, Key.COUNTS, Key.SUMS) if section.get(key)]
        if len(ways) > 1:
            first, second = sorted((section[way][0] for way in ways[:2]), key=_line)
            self._faults.append(FileFault(FileCode.TWO_WAYS, second.where, second.word, first.word))
        if Key.COUNTS in ways:
            return next(iter(self._many(section, Key.COUNTS, _counts, FileCode.NOT_COUNTS)), SideCounts())
        if Key.SUMS in ways:
            return next(iter(self._many(section, Key.SUMS, _sums, FileCode.NOT_SUMS)), SideSums())
        return SideMelds(tuple(self._many(section, Key.MELD, _cards, FileCode.NOT_CARDS)))

    def _pozzetto(self, section: Section) -> tuple[Pozzetto, Held | None]:
        state, held = self._one(section, Key.POZZETTO, _pozzetto, FileCode.NOT_POZZETTO, (Pozzetto.PLAYED, None))
        return state, self._one(section, Key.POZZETTO_HELD, _held, FileCode.NOT_HELD, held)

    def _one(self, section: Section, key: Key, read: Callable[[Any], T], code: FileCode, default: Any) -> Any:
        values = self._many(section, key, read, code)
        return values[0] if values else default

    def _many(self, section: Section, key: Key, read: Callable[[Any], T], code: FileCode) -> list[T]:
        found = []
        for entry in section.get(key, ()):
            try:
                found.append(read(entry.value))
            except CardError as error:
                words = [error.text] if code is FileCode.NOT_A_CARD else error.text.split()
                self._faults += [FileFault(code, entry.where, word[:40]) for word in words]
            except (ValueError, TypeError, KeyError):
                self._faults.append(FileFault(code, entry.where, _seen(entry)))
        return found


def _line(at: FileFault | Entry) -> int:
    return at.where if isinstance(at.where, int) else 0


def _seen(entry: Entry) -> str:
    return seen_text(entry.value, 60)


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(value)
    return clean_name(value)


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError(value)
    return tuple(_text(item) for item in value)


def _number(low: int, high: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        text = str(value).replace("−", "-").strip()
        if isinstance(value, bool) or not re.fullmatch(r"[+-]?[0-9]{1,9}", text):
            raise ValueError(value)
        number = int(text)
        if not low <= number <= high:
            raise ValueError(value)
        return number

    return read


_POINTS = _number(0, MAX_POINTS)
_SIGNED = _number(-MAX_POINTS, MAX_POINTS)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def _yes(value: Any) -> bool:
    return _YES[str(value).strip().lower()]


def _choice(options: Mapping[str, T]) -> Callable[[Any], T]:
    return lambda value: options[" ".join(str(value).lower().replace("_", " ").split())]


def _cards(value: Any) -> tuple[Card, ...]:
    words = " ".join(map(str, value)) if isinstance(value, list) else value
    if not isinstance(words, str):
        raise TypeError(value)
    cards = parse_cards(words)
    if not cards:
        raise ValueError(value)
    return cards


def _card(value: Any) -> Card:
    return Card.parse(str(value))


def _held(value: Any) -> Held:
    """Cards, or a number; in TOML and JSON also `{cards: …}` or `{points: …}`."""
    if isinstance(value, Mapping):
        if not set(value) <= {"cards", "points"}:
            raise ValueError(value)
        cards, points = value.get("cards"), value.get("points")
        return Held(_cards(cards) if cards else (), None if points is None else _POINTS(points))
    if isinstance(value, int) or re.fullmatch(r"\s*[0-9]+\s*", str(value)):
        return Held(points=_POINTS(value))
    return Held(_cards(value))


def _pozzetto(value: Any) -> tuple[Pozzetto, Held | None]:
    """A state; in plain text what was not played may follow it."""
    words = str(value).lower().replace("_", " ").split()
    for size in range(len(words), 0, -1):
        state = _POZZETTO.get(" ".join(words[:size]))
        if state is not None:
            rest = " ".join(str(value).replace("_", " ").split()[size:])
            return state, _held(rest) if rest else None
    raise ValueError(value)


def _adjustment(value: Any) -> Adjustment:
    if isinstance(value, Mapping):
        return Adjustment(_SIGNED(value["points"]), str(value.get("reason", "")).strip()[:200])
    points, _, reason = str(value).strip().partition(" ")
    return Adjustment(_SIGNED(points), reason.strip()[:200])


def _sums(value: Any) -> SideSums:
    """Card points, then bonus points."""
    if isinstance(value, Mapping):
        if not set(value) <= {"card_points", "bonus_points"}:
            raise ValueError(value)
        return SideSums(_POINTS(value.get("card_points", 0)), _POINTS(value.get("bonus_points", 0)))
    cards, bonus = str(value).replace("+", " ").split()
    return SideSums(_POINTS(cards), _POINTS(bonus))


def _counts(value: Any) -> SideCounts:
    if not isinstance(value, Mapping) or not set(value) <= {"cards_by_value", "burrachi", "heaps"}:
        raise ValueError(value)
    by_value, heaps = (
        {_POINTS(points): _number(0, 200)(count) for points, count in dict(value.get(key, {})).items()}
        for key in ("cards_by_value", "heaps")
    )
    burrachi = {BurracoClass(key): _number(0, 50)(count) for key, count in dict(value.get("burrachi", {})).items()}
    return SideCounts.of(by_value, burrachi, heaps)
