"""How many play, and how: packs, pozzetti, sides, who halves. Any formato goes on any regolamento it fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import permutations
from math import ceil, floor
from typing import Annotated

from scoring.datafile import (
    DataCode,
    DataError,
    DataFault,
    Numbers,
    Words,
    file_text,
    read_toml,
    read_value,
    shipped_names,
)
from scoring.options import Whole
from scoring.sections import Basis, Regolamento, Rounding

DEFAULT_FORMATO = "quattro"
MIN_PLAYERS, MAX_PLAYERS = 2, 6
_FOLDER = "formati"

Points = int | float
"""Points of a party; a half is exact in a float."""

Seating = tuple[tuple[int, ...], ...]
"""The sides of one smazzata, each the numbers of its parties: ((0,), (1, 2)) is the first alone against two."""


class Misfit(StrEnum):
    """Why a formato cannot be played under a regolamento."""

    TOO_FEW_CARDS = "too_few_cards"


@dataclass(frozen=True, slots=True)
class Formato:
    """Players, packs, and what lies on the table; `sides` are the players of each side, one who plays alone first.

    `targets` are its own totals to play to, the usual one first; empty where the regolamento's hold.

    Where somebody plays alone against pairs, whoever takes the large pozzetto is that one; parties are then the
    players, and a pair's total is halved. From `alone_from` points on (0: never) everyone plays alone.
    """

    name: Annotated[str, Words()]
    title: Annotated[str, Words()]
    source: Annotated[str, Words()]
    players: Annotated[int, Whole(MIN_PLAYERS, MAX_PLAYERS)]
    packs: Annotated[int, Whole(1, 6)]
    dealt: Annotated[int, Whole(1, 30)]
    sides: Annotated[tuple[int, ...], Numbers(1, 3, least=2)]
    pozzetti: Annotated[tuple[int, ...], Numbers(1, 30)]
    alone_from: Annotated[int, Whole(0, 100_000)]
    alone_pozzetti: Annotated[tuple[int, ...], Numbers(1, 30, least=0)]
    targets: Annotated[tuple[int, ...], Numbers(1, 100_000, least=0)]

    @property
    def halves(self) -> bool:
        """Whether sides are unequal: the one alone takes all, each of a pair half."""
        return len(set(self.sides)) > 1

    @property
    def parties(self) -> int:
        """How many totals a match has: one a player where pairs change, else one a side."""
        return self.players if self.halves else len(self.sides)

    def everyone_alone(self, totals: Sequence[Points]) -> bool:
        """Whether the next smazzata is played by everyone alone, given the totals so far."""
        return self.halves and bool(self.alone_from) and max(totals, default=0) >= self.alone_from

    def fixed_seating(self, totals: Sequence[Points]) -> Seating | None:
        """The sides of the next smazzata; None where only the players can say who is alone and who is with whom.

        >>> load_formato("quattro").fixed_seating((0, 0))
        ((0,), (1,))
        >>> load_formato("tre").fixed_seating((0, 0, 0)), load_formato("tre").fixed_seating((1000, 0, 0))
        (None, ((0,), (1,), (2,)))
        """
        if self.halves and not self.everyone_alone(totals):
            return None
        return tuple((party,) for party in range(self.parties))

    def seating(self, sides: Sequence[Sequence[int]]) -> Seating:
        """A seating that people gave, checked: each player once, as many to a side as the formato says.

        >>> load_formato("tre").seating([[2], [0, 1]])
        ((2,), (0, 1))
        """
        sizes = [len(side) for side in sides]
        players = sorted(player for side in sides for player in side)
        if not self.halves or sizes != list(self.sides) or players != list(range(self.players)):
            wanted = " + ".join(map(str, self.sides))
            raise DataError((DataFault("seating", [list(side) for side in sides], wanted),))
        return tuple(tuple(side) for side in sides)

    def players_of(self, side: Sequence[int]) -> int:
        """How many players a side of a seating has."""
        return len(side) if self.halves else self.sides[side[0]]

    def players_at(self, seating: Seating | None, place: int) -> int:
        """How many players sit at one place; as the formato usually has it while nobody has said who sits together."""
        return self.players_of(seating[place]) if seating else self.sides[place]

    def pozzetti_of(self, seating: Seating) -> tuple[int, ...]:
        """Cards of each pozzetto in a smazzata so seated."""
        alone = self.halves and all(len(side) == 1 for side in seating)
        return self.alone_pozzetti if alone else self.pozzetti

    def targets_under(self, regolamento: Regolamento) -> tuple[int, ...]:
        """The totals such a match may be played to under these rules, the usual one first.

        Where pairs halve and then everyone plays alone, the formato has its own; but a regolamento made for this very
        formato knows best, and so does one whose own source says to how many it is played (Burako: 3000, RULES 5).

        >>> from scoring.regolamento import load_regolamento
        >>> fibur, burako = load_regolamento("fibur"), load_regolamento("burako")
        >>> load_formato("tre").targets_under(fibur), load_formato("quattro").targets_under(fibur)
        ((1505, 1500, 2005), (2005, 505, 1005))
        >>> load_formato("due").targets_under(burako), load_formato("tre").targets_under(burako)
        ((3000,), (3000,))
        """
        sourced = regolamento.note("match.default_target").basis is Basis.SOURCED
        if self.targets and regolamento.formato != self.name and not sourced:
            return self.targets
        usual = regolamento.match.default_target
        return (usual, *(target for target in regolamento.match.targets if target != usual))

    def misfits(self, regolamento: Regolamento) -> tuple[Misfit, ...]:
        """Why it cannot be played under these rules; nothing where it can."""
        cards = self.applied(regolamento).deck.size
        dealt = self.players * self.dealt + max(sum(self.pozzetti), sum(self.alone_pozzetti)) + 1
        return (Misfit.TOO_FEW_CARDS,) if dealt > cards else ()

    @property
    def ways(self) -> tuple[tuple[int, ...], ...]:
        """Each way to sit, as players of each side: the usual one, and everyone alone where it comes to that."""
        return (self.sides, (1,) * self.players) if self.halves else (self.sides,)

    def seats(self, said: Sequence[int | None]) -> tuple[int, ...] | None:
        """Players of each side of one smazzata; `said` is what each side says of itself, None where it says nothing.

        Who says nothing sits in the formato's order, one who plays alone first. None where this is not the formato.

        >>> tre = load_formato("tre")
        >>> tre.seats([None, None]), tre.seats([2, None]), tre.seats([None] * 3), tre.seats([2, 2])
        ((1, 2), (2, 1), (1, 1, 1), None)
        """
        orders = [order for way in self.ways if len(way) == len(said) for order in permutations(way)]
        fits = (o for o in orders if all(own in (None, size) for own, size in zip(said, o, strict=True)))
        return next(fits, None)

    def each(self, totals: Sequence[int], seats: Sequence[int], rounding: Rounding) -> tuple[Points, ...] | None:
        """What each player of a side gets from its total, halved last; None where nobody halves.

        >>> load_formato("tre").each([500, -305], (1, 2), Rounding.UP)
        (500, -152)
        """
        if not self.halves:
            return None
        return tuple(share(total, size, rounding) for total, size in zip(totals, seats, strict=True))

    def applied(self, regolamento: Regolamento) -> Regolamento:
        """The same rules with this formato's packs; rules made for this very formato keep their own.

        >>> from scoring.regolamento import load_regolamento
        >>> load_formato("cinque").applied(load_regolamento("fibur")).deck.size
        162
        """
        if self.name == regolamento.formato or self.packs == regolamento.deck.packs:
            return regolamento
        return replace(regolamento, deck=replace(regolamento.deck, packs=self.packs))


def shares(totals: Sequence[int], seating: Seating, parties: int, rounding: Rounding) -> tuple[Points, ...]:
    """Points of each party from the totals of the sides: summed first, halved last.

    >>> shares([500, 305], ((0,), (1, 2)), 3, Rounding.UP), shares([0, -305], ((0,), (1, 2)), 3, Rounding.UP)
    ((500, 153, 153), (0, -152, -152))
    >>> shares([0, 305], ((2,), (0, 1)), 3, Rounding.KEEP)
    (152.5, 152.5, 0)
    """
    points: list[Points] = [0] * parties
    for total, side in zip(totals, seating, strict=True):
        for party in side:
            points[party] = share(total, len(side), rounding)
    return tuple(points)


def share(total: int, of: int, rounding: Rounding) -> Points:
    """One player's part of a side's total: all of it alone, half of it in a pair.

    Up and down are towards more and fewer points: the half of -305 is -152 up, -153 down.
    """
    if total % of == 0:
        return total // of
    part = total / of
    if rounding is Rounding.KEEP:
        return part
    return ceil(part) if rounding is Rounding.UP else floor(part)


def formato_names() -> tuple[str, ...]:
    """Names of the formati that ship, by number of players."""
    return tuple(sorted(shipped_names(_FOLDER), key=lambda name: load_formato(name).players))


@lru_cache(maxsize=64)
def load_formato(name: str = DEFAULT_FORMATO) -> Formato:
    """A shipped formato by name, or a club's own from the path of a `.toml` file; DataError lists all faults."""
    return parse_formato(file_text(name, _FOLDER), name)


def parse_formato(text: str, name: str = "formato") -> Formato:
    """A formato from TOML text."""
    formato = read_value(Formato, read_toml(text, name))
    if sum(formato.sides) != formato.players:
        raise DataError((DataFault("sides", list(formato.sides), str(formato.players), DataCode.NOT_THE_SUM),))
    return formato


def formato_for(players: int) -> Formato:
    """The formato that ships for so many players; DataError where there is none.

    >>> formato_for(5).pozzetti
    (18, 11, 11)
    """
    for name in formato_names():
        if load_formato(name).players == players:
            return load_formato(name)
    raise DataError((DataFault("players", players, f"{MIN_PLAYERS}..{MAX_PLAYERS}"),))


def formato_under(regolamento: Regolamento, players: int | None, said: Sequence[int | None] = ()) -> Formato:
    """The formato for so many players, else for those that all sides say they have, else the regolamento's own.

    DataError where nobody can play in that number.

    >>> from scoring.regolamento import load_regolamento
    >>> fibur = load_regolamento("fibur")
    >>> [formato_under(fibur, *asked).name for asked in ((3, ()), (None, (2, 1)), (None, (None, 1)))]
    ['tre', 'tre', 'quattro']
    """
    sizes = [size for size in said if size is not None]
    if players is None and len(sizes) == len(said) and MIN_PLAYERS <= sum(sizes) <= MAX_PLAYERS:
        players = sum(sizes)
    return load_formato(regolamento.formato) if players is None else formato_for(players)


def dump_formato(formato: Formato) -> dict[str, object]:
    """All of it as plain values, so that a match can keep the formato it was played by."""
    return {key: list(value) if isinstance(value, tuple) else value for key, value in _fields(formato).items()}


def formato_from(data: object) -> Formato:
    """The inverse of `dump_formato`."""
    return read_value(Formato, data if isinstance(data, dict) else {})


def _fields(formato: Formato) -> dict[str, object]:
    return {name: getattr(formato, name) for name in Formato.__dataclass_fields__}
