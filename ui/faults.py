"""Faults of melds and smazzate as messages."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.ledger import Punteggio, SmazzataFault
from scoring.meld import Meld, MeldFault
from ui.viewmodels import Message


def fault_messages(faults: Sequence[SmazzataFault], punteggio: Punteggio, names: Sequence[str]) -> list[Message]:
    """Faults of a smazzata as messages, each naming its side, its meld (from 1) and its cards."""
    found = []
    for fault in faults:
        params: dict[str, str | int | tuple[Message, ...]] = {
            "name": names[fault.side] if fault.side is not None else "",
            "names": ", ".join(names[side] for side in fault.sides),
            "meld": fault.meld + 1 if fault.meld is not None else 0,
            "cards": " ".join(map(str, fault.cards)),
            "seen": fault.seen,
        }
        if fault.side is not None and fault.meld is not None:
            params["why"] = meld_faults(punteggio.sides[fault.side].melds[fault.meld])
        found.append(Message(f"fault.{fault.code.value}", params))
    return found


def meld_faults(meld: Meld) -> tuple[Message, ...]:
    """Why cards are no meld, one message a fault."""
    return tuple(Message(f"meldfault.{str(flag.name).lower()}") for flag in MeldFault if flag in meld.faults)
