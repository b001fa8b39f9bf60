"""From what a new match needs to the event that begins it: regolamento, formato and goal checked together."""

from __future__ import annotations

from typing import Any

from scoring.datafile import DataCode, DataError, DataFault, read_toml
from scoring.formato import Formato, dump_formato, formato_names, load_formato
from scoring.match import Goal, OneHand, ToTarget, Turni
from scoring.regolamento import dump_regolamento
from scoring.sections import Regolamento
from scoring.store.events import goal_to_json
from scoring.vp import VpTable, load_vp_table, vp_table_from, vp_table_names
from ui.checks import checked_name, checked_names, refuse
from ui.errors import ServiceError
from ui.faults import data_fault
from ui.stores import regolamento_named
from ui.viewmodels import GoalChoice, Message, NewMatch
from ui.words import formato_title

MAX_TARGET = 100_000
MAX_TURNI = 20
MAX_PLAYERS_OF_SIDE = 3


def new_match_payload(new: NewMatch) -> dict[str, Any]:
    """The payload of `MATCH_CREATED`; raises Refused or ServiceError (unknown preset or formato)."""
    regolamento = regolamento_named(new.regolamento, new.settings)
    formato = formato_named(new.formato or regolamento.formato)
    if formato.misfits(regolamento):
        raise refuse("refused.formato_misfit", formato=formato_title(formato), regolamento=regolamento.title)
    goal = _goal(new.goal or GoalChoice(new.target), regolamento, formato)
    return {
        "names": list(checked_names(new.names, formato)),
        "players": _players(new, formato),
        "regolamento": new.regolamento,
        "regolamento_text": dump_regolamento(formato.applied(regolamento)),
        "formato": dump_formato(formato),
        "goal": goal_to_json(goal),
        "rounding": new.rounding.value if new.rounding else None,
        "both_confirm": new.both_confirm,
    }


def formato_named(name: str) -> Formato:
    """A formato that ships; a client's name never becomes a path. Raises ServiceError (400) and lists the known."""
    if name not in formato_names():
        raise ServiceError(Message("invalid.formato", {"name": name[:40], "known": ", ".join(formato_names())}))
    return load_formato(name)


def _players(new: NewMatch, formato: Formato) -> list[list[str]]:
    sides = new.players or ((),) * formato.parties
    named = [[name for name in map(checked_name, side) if name] for side in sides[: formato.parties]]
    return [names[:MAX_PLAYERS_OF_SIDE] for names in named]


def usual_goal(regolamento: Regolamento, formato: Formato) -> GoalChoice:
    """What a match is played to where nobody says otherwise: one smazzata, or the usual total."""
    if regolamento.match.one_smazzata:
        return GoalChoice(one_hand=True)
    return GoalChoice(formato.targets_under(regolamento)[0])


def _goal(choice: GoalChoice, regolamento: Regolamento, formato: Formato) -> Goal:
    if choice == GoalChoice():
        choice = usual_goal(regolamento, formato)
    if choice.one_hand:
        return OneHand(regolamento.match.draw)
    if choice.target is None:
        return _turni(choice, formato, regolamento)
    if not 1 <= choice.target <= MAX_TARGET:
        raise refuse("refused.target", target=choice.target, limit=MAX_TARGET)
    return ToTarget(choice.target)


def _turni(choice: GoalChoice, formato: Formato, regolamento: Regolamento) -> Turni:
    if formato.parties != 2:
        raise refuse("refused.vp_two_sides")
    if not 1 <= choice.turni <= MAX_TURNI:
        raise refuse("refused.turni", turni=choice.turni, limit=MAX_TURNI)
    return Turni(choice.turni, vp_table_chosen(choice), regolamento.match.draw)


def vp_table_of_file(data: bytes, name: str) -> dict[str, object]:
    """The values of a club's own table from its TOML file; raises ServiceError where it is no TOML."""
    try:
        return read_toml(data.decode("utf-8-sig"), name)
    except UnicodeDecodeError as error:
        fault = DataFault("file", name, "TOML, UTF-8", DataCode.NOT_UTF8)
        raise bad_vp_table(DataError((fault,))) from error
    except DataError as error:
        raise bad_vp_table(error) from error


def bad_vp_table(error: DataError) -> ServiceError:
    """The error that says all that is wrong with a table: key, value, what is allowed."""
    return ServiceError(Message("invalid.own_vp_table", {"what": tuple(map(data_fault, error.faults))}))


def vp_table_chosen(choice: GoalChoice) -> VpTable:
    """The table that ships by this name, or a club's own; raises ServiceError, which says all that is wrong."""
    if choice.own_vp_table is not None:
        try:
            return vp_table_from(choice.own_vp_table)
        except DataError as error:
            raise bad_vp_table(error) from error
    if choice.vp_table not in vp_table_names():
        known = ", ".join(vp_table_names())
        raise ServiceError(Message("invalid.vp_table", {"name": choice.vp_table[:40], "known": known}))
    return load_vp_table(choice.vp_table)
