"""A confirmed smazzata as the JSON that `burraco score` reads: anybody can score it again and see every reason."""

from __future__ import annotations

from typing import Any

from scoring.sides import Held, Laid, Pozzetto, Side, SideCounts, SideMelds
from scoring.store.state import MatchState, SmazzataState
from ui.drafting import regolamento_of, seated_names, sides_of


def smazzata_data(state: MatchState, smazzata: SmazzataState) -> dict[str, Any]:
    """The values of the file; `regolamento` names the preset, whose text the match keeps."""
    names = seated_names(state, smazzata.seating or ())
    data: dict[str, Any] = {
        "regolamento": state.regolamento,
        "players": state.formato.players,
        "end": smazzata.end.value if smazzata.end else None,
        "sides": [
            {"name": name, **side_data(side)}
            for name, side in zip(names, sides_of(smazzata, state.formato, regolamento_of(state)), strict=True)
        ],
    }
    return {key: value for key, value in data.items() if value is not None}


def side_data(side: Side) -> dict[str, Any]:
    """One side, without what it does not say."""
    data: dict[str, Any] = {"players": side.players}
    data |= _laid(side.laid)
    data["closed"] = side.closed or None
    data["pozzetto"] = side.pozzetto.value if side.pozzetto not in (None, Pozzetto.PLAYED) else None
    data["pozzetto_held"] = _held(side.pozzetto_held) if side.pozzetto_held else None
    data["hands"] = [_held(held) for held in side.hands]
    data["penalised"] = _held(side.penalised) if side.penalised else None
    data["adjustments"] = [{"points": a.points, "reason": a.reason} for a in side.adjustments]
    data["last_discard"] = str(side.last_discard) if side.last_discard else None
    data["laid_last"] = side.laid_last or None
    return {key: value for key, value in data.items() if value not in (None, [])}


def _laid(laid: Laid) -> dict[str, Any]:
    if isinstance(laid, SideMelds):
        return {"melds": [" ".join(map(str, cards)) for cards in laid.melds]}
    if isinstance(laid, SideCounts):
        by_value, heaps = ({str(value): count for value, count in rows} for rows in (laid.cards_by_value, laid.heaps))
        counts: dict[str, Any] = {"cards_by_value": by_value, "burrachi": {key.value: n for key, n in laid.burrachi}}
        return {"counts": counts | ({"heaps": heaps} if heaps else {})}
    return {"sums": {"card_points": laid.card_points, "bonus_points": laid.bonus_points}}


def _held(held: Held) -> dict[str, Any]:
    if held.points is not None:
        return {"points": held.points}
    return {"cards": " ".join(map(str, held.cards))}
