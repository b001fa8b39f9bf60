"""Faults of melds, smazzate and data files as messages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import reduce

from scoring.arrangements import HIGH_ACE
from scoring.cards import Suit
from scoring.datafile import DataFault
from scoring.ledger import Punteggio, SmazzataFault
from scoring.meld import Meld, MeldFault
from scoring.regolamento import load_regolamento
from scoring.sections import Regolamento
from scoring.sides import End, Side, points_step
from ui.viewmodels import Message, SideName


def fault_messages(
    faults: Sequence[SmazzataFault], punteggio: Punteggio, names: Sequence[SideName], regolamento: Regolamento
) -> list[Message]:
    """Faults of a smazzata as messages, each naming its side, its meld (from 1) and its cards."""
    found = []
    for fault in faults:
        params: dict[str, str | int | Message | tuple[Message, ...]] = {
            "name": names[fault.side] if fault.side is not None else "",
            "names": reduce(_and, (names[side] for side in fault.sides)) if fault.sides else "",
            "meld": fault.meld + 1 if fault.meld is not None else 0,
            "cards": " ".join(map(str, fault.cards)),
            "seen": fault.seen,
            "limit": fault.limit,
            "bonuses": ", ".join(str(regolamento.bonus.of(classe)) for classe in regolamento.class_keys),
        }
        if fault.side is not None and fault.meld is not None:
            params["why"] = meld_faults(punteggio.sides[fault.side].melds[fault.meld], regolamento)
        found.append(Message(f"fault.{fault.code.value}", params))
    return found


def _and(first: SideName, second: SideName) -> SideName:
    return Message("name.and_more", {"first": first, "second": second})


def fault_keys(faults: MeldFault) -> list[str]:
    """The faults of a meld by their keys."""
    return [str(flag.name).lower() for flag in MeldFault if flag in faults]


def meld_faults(meld: Meld, regolamento: Regolamento) -> tuple[Message, ...]:
    """Why cards are no meld, one message a fault, each with the limit that was passed."""
    runs, sets = regolamento.runs, regolamento.sets
    some = Message("meldfault.sets.some", {"ranks": ", ".join(rank.value for rank in sets.ranks)})
    limits: dict[str, int | Message] = {
        "least": min(runs.min_cards, sets.min_cards) if sets.ranks else runs.min_cards,
        "naturals": runs.max_naturals,
        "places": min(HIGH_ACE, runs.max_naturals + regolamento.wilds.per_meld),
        "set_naturals": min(sets.max_naturals, len(Suit) * regolamento.deck.packs),
        "sets": some if sets.ranks else Message("meldfault.sets.none"),
    }
    keys = fault_keys(meld.faults)
    if not regolamento.wilds.per_meld:
        keys = ["no_wilds" if key == "too_many_wilds" else key for key in keys]
    return tuple(Message(f"meldfault.{key}", limits) for key in keys)


def odd_match_points(mp: Iterable[float]) -> list[Message]:
    """Match Points that no cards and no bonus can make; they are shared out all the same, an arbiter may have decided.

    The step is the default regolamento's; every one that ships has the same.
    """
    step = points_step(load_regolamento())
    odd = ", ".join(
        str(int(points) if points == int(points) else points) for points in dict.fromkeys(mp) if points % step
    )
    return [Message("remark.odd_mp", {"seen": odd, "step": step})] if odd else []


def assumed(
    unsaid: Iterable[int], sides: Sequence[Side], end: End | None, names: Sequence[str], regolamento: Regolamento
) -> list[Message]:
    """What a smazzata does not say, and what it therefore counts as: how it ended, and what became of a pozzetto.

    `unsaid` are the sides of whose pozzetto nothing is said: it counts as played, and closing may show that it was.
    """
    open_end = end is None and not any(side.closed for side in sides)
    return [*([Message("remark.end_unsaid")] if open_end else []), *_pozzetti(unsaid, sides, names, regolamento)]


def _pozzetti(
    unsaid: Iterable[int], sides: Sequence[Side], names: Sequence[str], regolamento: Regolamento
) -> list[Message]:
    follows = regolamento.closing.needs_pozzetto
    asked = [side for side in unsaid if not (follows and sides[side].closed)]
    return [Message("remark.pozzetto_assumed", {"name": names[side]}) for side in asked]


def data_fault(fault: DataFault) -> Message:
    """One thing wrong with a data file, such as a club's table: which key, what stood there, what is allowed."""
    seen = (fault.value[:80] or "«»") if isinstance(fault.value, str) else shown(fault.value)
    return Message(f"data.{fault.code.value}", {"field": fault.key, "value": seen, "allowed": fault.allowed})


def shown(value: object) -> str:
    """A value as its file writes it, cut where it is long."""
    return json.dumps(value, ensure_ascii=False, default=str)[:80]
