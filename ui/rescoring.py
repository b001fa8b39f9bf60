"""Whether this version of the program would score a confirmed smazzata as it was signed; it never changes one."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from scoring.formato import Formato
from scoring.store.state import Confirmation, MatchState, SmazzataState
from ui.drafting import parsed_regolamento, score_of
from ui.viewmodels import Recount

log = logging.getLogger("burraco.services")


@dataclass(frozen=True, slots=True)
class _Signed:
    """A confirmed smazzata; its drafts take no part in equality, since they do not change once it is confirmed."""

    match_id: str
    number: int
    confirmation: Confirmation
    regolamento: str
    regolamento_text: str
    smazzata: SmazzataState = field(compare=False)
    formato: Formato = field(compare=False)


def recount(state: MatchState, smazzata: SmazzataState) -> Recount | None:
    """What it would score today where that is not what was signed; None where it is the same."""
    signed = smazzata.confirmed
    assert signed is not None
    count = len(signed.ledgers)
    seated = replace(smazzata.padded(count), seating=signed.seating)
    seated = replace(seated, sides=seated.sides[:count])
    return _recount(
        _Signed(state.id, smazzata.number, signed, state.regolamento, state.regolamento_text, seated, state.formato)
    )


@lru_cache(maxsize=4096)
def _recount(signed: _Signed) -> Recount | None:
    try:
        regolamento = parsed_regolamento(signed.regolamento_text, signed.regolamento)
        punteggio = score_of(signed.smazzata, signed.formato, regolamento)
    except (ValueError, LookupError):  # rules of an old program that this one no longer reads
        log.warning("match %s, smazzata %d cannot be scored again", signed.match_id, signed.number, exc_info=True)
        return Recount(None)
    now = [_lines((voce.reason.value, voce.points) for voce in side.voci) for side in punteggio.sides]
    then = [_lines((entry.reason, entry.points) for entry in ledger) for ledger in signed.confirmation.ledgers]
    return None if now == then else Recount(punteggio.totals)


def _lines(entries: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """The lines that count; one of no points only says something."""
    return tuple((reason, points) for reason, points in entries if points)
