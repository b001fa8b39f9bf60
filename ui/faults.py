"""Faults of melds, smazzate and data files as messages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import reduce

from scoring.datafile import DataFault
from scoring.ledger import Punteggio, SmazzataFault
from scoring.meld import Meld, MeldFault
from ui.viewmodels import Message, SideName


def fault_messages(faults: Sequence[SmazzataFault], punteggio: Punteggio, names: Sequence[SideName]) -> list[Message]:
    """Faults of a smazzata as messages, each naming its side, its meld (from 1) and its cards."""
    found = []
    for fault in faults:
        params: dict[str, str | int | Message | tuple[Message, ...]] = {
            "name": names[fault.side] if fault.side is not None else "",
            "names": reduce(_and, (names[side] for side in fault.sides)) if fault.sides else "",
            "meld": fault.meld + 1 if fault.meld is not None else 0,
            "cards": " ".join(map(str, fault.cards)),
            "seen": fault.seen,
        }
        if fault.side is not None and fault.meld is not None:
            params["why"] = meld_faults(punteggio.sides[fault.side].melds[fault.meld])
        found.append(Message(f"fault.{fault.code.value}", params))
    return found


def _and(first: SideName, second: SideName) -> SideName:
    return Message("name.and_more", {"first": first, "second": second})


def meld_faults(meld: Meld) -> tuple[Message, ...]:
    """Why cards are no meld, one message a fault."""
    return tuple(Message(f"meldfault.{str(flag.name).lower()}") for flag in MeldFault if flag in meld.faults)


def data_fault(fault: DataFault) -> Message:
    """One thing wrong with a data file, such as a club's table: which key, what stood there, what is allowed."""
    return Message(
        f"data.{fault.code.value}", {"field": fault.key, "value": shown(fault.value), "allowed": fault.allowed}
    )


def shown(value: object) -> str:
    """A value as its file writes it, cut where it is long."""
    return json.dumps(value, ensure_ascii=False, default=str)[:80]
