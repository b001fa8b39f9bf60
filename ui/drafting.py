"""The open smazzata: scored as far as the answers go, with what is missing and what is wrong."""

from __future__ import annotations

from functools import lru_cache

from scoring.formato import Formato, Seating
from scoring.ledger import FaultCode, Punteggio, SmazzataFault
from scoring.regolamento import Regolamento, load_regolamento, parse_regolamento
from scoring.smazzata import Laid, Pozzetto, Side, SideMelds, SideSums, score_smazzata
from scoring.store.edits import all_cards
from scoring.store.state import MatchState, SideDraft, SmazzataState
from ui.faults import fault_messages
from ui.viewmodels import MeldView, Message, SideView, TableView


@lru_cache(maxsize=64)
def parsed_regolamento(text: str, name: str) -> Regolamento:
    """The regolamento of a text that a match kept; the preset of this name where the text is empty."""
    return parse_regolamento(text, name) if text else load_regolamento(name)


def regolamento_of(state: MatchState) -> Regolamento:
    """The rules the match is played by, as they were when it began."""
    return parsed_regolamento(state.regolamento_text, state.regolamento)


def side_names(state: MatchState, seating: Seating | None) -> tuple[str, ...]:
    """Names of the sides at the table: the names of those who sit together; numbers while nobody has said who does."""
    if seating is None:
        return tuple(str(number) for number in range(1, len(state.formato.sides) + 1))
    return tuple(" + ".join(state.names[party] for party in side) for side in seating)


def draft_sides(state: MatchState) -> tuple[Side, ...]:
    """The sides of the open smazzata as scoring takes them."""
    return sides_of(state.current, state.formato)


def sides_of(smazzata: SmazzataState, formato: Formato) -> tuple[Side, ...]:
    """The sides of a smazzata as scoring takes them."""
    return tuple(_side(smazzata, formato, place) for place in range(len(smazzata.sides)))


def score_draft(state: MatchState) -> Punteggio:
    """The score as far as the answers go; what nobody has answered yet counts nothing."""
    return score_of(state.current, state.formato, regolamento_of(state))


def score_of(smazzata: SmazzataState, formato: Formato, regolamento: Regolamento) -> Punteggio:
    """The score of a smazzata, open or confirmed."""
    return score_smazzata(sides_of(smazzata, formato), regolamento, smazzata.end)


def _side(smazzata: SmazzataState, formato: Formato, place: int) -> Side:
    draft = smazzata.sides[place]
    laid: Laid = SideMelds(tuple(tuple(card.card for card in meld.cards) for meld in draft.melds))
    if draft.sums is not None:
        laid = SideSums(draft.sums.card_points, draft.sums.bonus_points)
    closed = smazzata.closed is not None and smazzata.closed.is_side(place)
    return Side(
        laid=laid,
        closed=closed,
        pozzetto=draft.pozzetto or Pozzetto.PLAYED,
        pozzetto_held=draft.pozzetto_held,
        hands=draft.hands or (),
        penalised=draft.penalised,
        adjustments=draft.adjustments,
        last_discard=smazzata.last_discard if closed else None,
        laid_last=smazzata.laid_last and closed,
        players=formato.players_of(smazzata.seating[place]) if smazzata.seating else formato.sides[place],
    )


def table_view(state: MatchState) -> TableView:
    """The open smazzata of a match."""
    smazzata, regolamento = state.current, regolamento_of(state)
    punteggio = score_draft(state)
    names = side_names(state, smazzata.seating)
    formato = state.formato
    return TableView(
        number=smazzata.number,
        names=names,
        seating=smazzata.seating,
        sides=tuple(_side_view(side, punteggio, place) for place, side in enumerate(smazzata.sides)),
        closed=smazzata.closed,
        end=smazzata.end,
        last_discard=smazzata.last_discard,
        laid_last=smazzata.laid_last,
        pozzetti=formato.pozzetti_of(smazzata.seating) if smazzata.seating else formato.pozzetti,
        missing=tuple(_missing(names, smazzata, regolamento)),
        faults=tuple(_faults(names, smazzata, punteggio, regolamento)),
    )


def _side_view(draft: SideDraft, punteggio: Punteggio, place: int) -> SideView:
    score = punteggio.sides[place]
    melds = tuple(MeldView(m.id, m.cards, read, m.twin_of) for m, read in zip(draft.melds, score.melds, strict=False))
    return SideView(draft, draft.photos, melds, draft.loose, draft.doubts, score)


def pozzetto_follows(smazzata: SmazzataState, place: int, regolamento: Regolamento) -> bool:
    """Whether nobody need ask for a side's pozzetto: it closed, and closing takes a pozzetto that was played."""
    closed = smazzata.closed is not None and smazzata.closed.is_side(place)
    return closed and regolamento.closing.needs_pozzetto and smazzata.sides[place].pozzetto is None


def _missing(names: tuple[str, ...], smazzata: SmazzataState, regolamento: Regolamento) -> list[Message]:
    found = []
    if smazzata.seating is None:
        found.append(Message("missing.seating"))
    for name, draft in zip(names, smazzata.sides, strict=True):
        if not draft.entered:
            found.append(Message("missing.side", {"name": name}))
        if any(meld.twin_of for meld in draft.melds):
            found.append(Message("missing.twin", {"name": name}))
    if smazzata.closed is None:
        found.append(Message("missing.closed"))
    for place, (name, draft) in enumerate(zip(names, smazzata.sides, strict=True)):
        if draft.pozzetto is None and not pozzetto_follows(smazzata, place, regolamento):
            found.append(Message("missing.pozzetto", {"name": name}))
        if draft.pozzetto is Pozzetto.NOT_PLAYED and draft.pozzetto_held is None:
            found.append(Message("missing.pozzetto_held", {"name": name}))
        if draft.hands is None:
            found.append(Message("missing.hands", {"name": name}))
    return found


def _faults(
    names: tuple[str, ...], smazzata: SmazzataState, punteggio: Punteggio, regolamento: Regolamento
) -> list[Message]:
    loose = [card.card for draft in smazzata.sides for card in draft.loose]
    laid = [card.card for draft in smazzata.sides for card in all_cards(draft)]
    known = [f for f in punteggio.faults if f.code is not FaultCode.POZZETTO_UNKNOWN]
    too_many = regolamento.deck.faults(laid) if loose else ()
    if too_many and not any(f.code is FaultCode.TOO_MANY_EQUAL for f in known):
        known.append(SmazzataFault(FaultCode.TOO_MANY_EQUAL, cards=too_many))
    return fault_messages(known, punteggio, names) + _open_doubts(names, smazzata)


def _open_doubts(names: tuple[str, ...], smazzata: SmazzataState) -> list[Message]:
    """Cards of a side that nobody has looked at yet although another name would change the score."""
    return [
        Message(
            "fault.open_doubts",
            {
                "name": name,
                "count": len({d.card_id for d in draft.doubts}),
                "points": max(d.points_at_stake for d in draft.doubts),
            },
        )
        for name, draft in zip(names, smazzata.sides, strict=True)
        if draft.doubts
    ]
