"""From a match's state to what is shown: melds read, sides scored, what is missing and what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from scoring.ledger import FaultCode, Punteggio, SmazzataFault
from scoring.match import score_match
from scoring.meld import Meld, MeldFault
from scoring.regolamento import Regolamento, load_regolamento, parse_regolamento
from scoring.smazzata import Laid, Pozzetto, Side, SideMelds, SideSums, score_smazzata
from scoring.store.edits import all_cards
from scoring.store.events import Event
from scoring.store.fold import redo_target, undo_target
from scoring.store.state import MatchState, SideDraft, SmazzataState
from ui.viewmodels import ConfirmedView, MatchSummary, MatchView, MeldView, Message, SideView, TableView


@lru_cache(maxsize=64)
def _parsed(text: str, name: str) -> Regolamento:
    return parse_regolamento(text, name) if text else load_regolamento(name)


def regolamento_of(state: MatchState) -> Regolamento:
    """The rules the match is played by, as they were when it began."""
    return _parsed(state.regolamento_text, state.regolamento)


def score_draft(smazzata: SmazzataState, regolamento: Regolamento) -> Punteggio:
    """The score as far as the answers go; what nobody has answered yet counts nothing."""
    a, b = (_side(place, smazzata) for place in (0, 1))
    return score_smazzata((a, b), regolamento)


def _side(place: int, smazzata: SmazzataState) -> Side:
    draft = smazzata.sides[place]
    laid: Laid = SideMelds(tuple(tuple(card.card for card in meld.cards) for meld in draft.melds))
    if draft.sums is not None:
        laid = SideSums(draft.sums.card_points, draft.sums.bonus_points)
    return Side(
        laid=laid,
        closed=smazzata.closed is not None and smazzata.closed.is_side(place),
        pozzetto=draft.pozzetto or Pozzetto.PLAYED,
        pozzetto_held=draft.pozzetto_held,
        hands=draft.hands or (),
    )


def table_view(state: MatchState) -> TableView:
    """The open smazzata of a match."""
    smazzata, regolamento = state.current, regolamento_of(state)
    punteggio = score_draft(smazzata, regolamento)
    a, b = (_side_view(smazzata.sides[place], punteggio, place) for place in (0, 1))
    return TableView(
        number=smazzata.number,
        sides=(a, b),
        closed=smazzata.closed,
        missing=tuple(_missing(state, smazzata, regolamento)),
        faults=tuple(_faults(state, smazzata, punteggio, regolamento)),
    )


def _side_view(draft: SideDraft, punteggio: Punteggio, place: int) -> SideView:
    score = punteggio.sides[place]
    melds = tuple(MeldView(m.id, m.cards, read, m.twin_of) for m, read in zip(draft.melds, score.melds, strict=False))
    return SideView(draft, draft.photos, melds, draft.loose, draft.doubts, score)


def pozzetto_follows(smazzata: SmazzataState, place: int, regolamento: Regolamento) -> bool:
    """Whether nobody need ask for a side's pozzetto: it closed, and closing takes a pozzetto that was played."""
    closed = smazzata.closed is not None and smazzata.closed.is_side(place)
    return closed and regolamento.closing.needs_pozzetto and smazzata.sides[place].pozzetto is None


def _missing(state: MatchState, smazzata: SmazzataState, regolamento: Regolamento) -> list[Message]:
    found = []
    for name, draft in zip(state.names, smazzata.sides, strict=True):
        if not draft.entered:
            found.append(Message("missing.side", {"name": name}))
        if any(meld.twin_of for meld in draft.melds):
            found.append(Message("missing.twin", {"name": name}))
    if smazzata.closed is None:
        found.append(Message("missing.closed"))
    for place, (name, draft) in enumerate(zip(state.names, smazzata.sides, strict=True)):
        if draft.pozzetto is None and not pozzetto_follows(smazzata, place, regolamento):
            found.append(Message("missing.pozzetto", {"name": name}))
        if draft.pozzetto is Pozzetto.NOT_PLAYED and draft.pozzetto_held is None:
            found.append(Message("missing.pozzetto_held", {"name": name}))
        if draft.hands is None:
            found.append(Message("missing.hands", {"name": name}))
    return found


def _faults(
    state: MatchState, smazzata: SmazzataState, punteggio: Punteggio, regolamento: Regolamento
) -> list[Message]:
    loose = [card.card for draft in smazzata.sides for card in draft.loose]
    laid = [card.card for draft in smazzata.sides for card in all_cards(draft)]
    known = [f for f in punteggio.faults if f.code is not FaultCode.POZZETTO_UNKNOWN]
    too_many = regolamento.deck.faults(laid) if loose else ()
    if too_many and not any(f.code is FaultCode.TOO_MANY_EQUAL for f in known):
        known.append(SmazzataFault(FaultCode.TOO_MANY_EQUAL, cards=too_many))
    return fault_messages(known, punteggio, state.names) + _open_doubts(state, smazzata)


def _open_doubts(state: MatchState, smazzata: SmazzataState) -> list[Message]:
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
        for name, draft in zip(state.names, smazzata.sides, strict=True)
        if draft.doubts
    ]


def fault_messages(faults: Sequence[SmazzataFault], punteggio: Punteggio, names: tuple[str, str]) -> list[Message]:
    """Faults of a smazzata as messages, each naming its side, its meld (from 1) and its cards."""
    found = []
    for fault in faults:
        params: dict[str, str | int | tuple[Message, ...]] = {
            "name": names[fault.side] if fault.side is not None else "",
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


def match_view(events: Sequence[Event], state: MatchState, *, device: str, demo: bool) -> MatchView:
    """A match as `device` sees it."""
    confirmations = [s.confirmed for s in state.smazzate if s.confirmed]
    totals = score_match([c.totals for c in confirmations], state.target)
    confirmed = tuple(
        ConfirmedView(s.number, s.confirmed, running, s.sides, s.closed)
        for s, running in zip(state.confirmed, totals.running, strict=True)
        if s.confirmed
    )
    return MatchView(
        id=state.id,
        seq=state.seq,
        demo=demo,
        names=state.names,
        players=state.players,
        regolamento=state.regolamento,
        target=state.target,
        totals=totals.totals,
        winner=totals.winner,
        finished=totals.finished,
        confirmed=confirmed,
        table=table_view(state),
        can_undo=undo_target(events, device) is not None,
        can_redo=redo_target(events, device) is not None,
        can_undo_confirmation=bool(confirmed),
    )


def match_summary(state: MatchState) -> MatchSummary:
    """A match as a line of a list."""
    totals = score_match([s.confirmed.totals for s in state.smazzate if s.confirmed], state.target)
    return MatchSummary(
        id=state.id,
        names=state.names,
        regolamento=state.regolamento,
        target=state.target,
        totals=totals.totals,
        smazzate=len(state.confirmed),
        finished=totals.finished,
        created_at=state.created_at,
        updated_at=state.updated_at,
    )


def confirmation_payload(state: MatchState, despite: Sequence[Message], program: str) -> dict[str, object]:
    """What the confirming event keeps: both ledgers as signed, and the faults taken knowingly."""
    smazzata = state.current
    punteggio = score_draft(smazzata, regolamento_of(state))
    return {
        "smazzata": smazzata.number,
        "ledgers": [
            [[voce.reason.value, voce.points, " ".join(map(str, voce.cards))] for voce in side.voci]
            for side in punteggio.sides
        ],
        "base": [side.base for side in punteggio.sides],
        "carte": [side.carte for side in punteggio.sides],
        "despite": [message.key for message in despite],
        "program": program,
    }
