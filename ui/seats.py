"""How a smazzata is played: in which formato, how many on each side, with which packs, who halves how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

from scoring.formato import Formato, Points, formato_under
from scoring.sections import Regolamento, Rounding
from scoring.sides import Side
from ui.errors import Refused
from ui.viewmodels import ConfirmedView, MatchView, Message, SideName
from ui.words import formato_title


@dataclass(frozen=True, slots=True)
class Seats:
    """A formato and the players of each side of one smazzata.

    `rounding` is the match's way to halve, which stands before that of any rules; None where there is no match.
    """

    formato: Formato
    players: tuple[int, ...]
    rounding: Rounding | None = None

    def seated(self, sides: Sequence[Side]) -> tuple[Side, ...]:
        """The sides with their players."""
        return tuple(replace(side, players=size) for side, size in zip(sides, self.players, strict=True))

    def each(self, totals: Sequence[int], regolamento: Regolamento) -> tuple[Points, ...] | None:
        """What each player of a side gets; None where nobody halves."""
        return self.formato.each(totals, self.players, self.half(regolamento))

    def half(self, regolamento: Regolamento) -> Rounding:
        """How a pair's half is rounded."""
        return self.rounding or regolamento.match.half


def seats_of(regolamento: Regolamento, players: int | None, said: Sequence[int | None]) -> Seats:
    """The seats of a smazzata of which each side says, or does not, how many it is; raises Refused where none fit."""
    formato = formato_under(regolamento, players, said)
    seats = formato.seats(said)
    if seats is None:
        raise Refused(
            Message(
                "refused.formato_sides", {"players": formato.players, "wanted": _orders(formato), "seen": _seen(said)}
            )
        )
    if formato.misfits(regolamento):
        raise Refused(
            Message("refused.formato_misfit", {"formato": formato_title(formato), "regolamento": regolamento.title})
        )
    return Seats(formato, seats)


def seats_at(match: MatchView) -> Seats:
    """The seats of the open smazzata of a match; the usual ones while nobody has said who sits together."""
    table = match.table
    players = tuple(match.formato.players_at(table.seating, place) for place in range(len(table.sides)))
    return Seats(match.formato, players, rounding=match.rounding)


def seats_signed(match: MatchView, smazzata: ConfirmedView) -> Seats:
    """The seats of a smazzata that was confirmed."""
    players = tuple(map(match.formato.players_of, smazzata.confirmation.seating))
    return Seats(match.formato, players, rounding=match.rounding)


def _orders(formato: Formato) -> SideName:
    """Each way to sit: 1 + 2 or 1 + 1 + 1."""
    ways: list[SideName] = [" + ".join(map(str, way)) for way in formato.ways]
    return reduce(_or, ways)


def _or(first: SideName, second: SideName) -> SideName:
    return Message("words.or", {"first": first, "second": second})


def _seen(said: Sequence[int | None]) -> SideName:
    if any(said):
        return " + ".join(str(size or "?") for size in said)
    return Message("words.sides", {"count": len(said)})
