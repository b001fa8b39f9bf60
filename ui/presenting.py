"""From a match's events to what is shown: totals, what was confirmed, the open smazzata."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scoring.cards import cards_text
from scoring.classes import BurracoClass
from scoring.formato import shares
from scoring.ledger import Reason, Voce
from scoring.match import MatchTotals, score_match
from scoring.sections import ClassNames, Rounding
from scoring.store.events import Event, ledger_to_json
from scoring.store.fold import redo_target, undo_target
from scoring.store.state import LedgerEntry, MatchState
from ui.drafting import regolamento_of, score_draft, seated_names, table_view
from ui.rescoring import recount
from ui.viewmodels import ConfirmedView, MatchSummary, MatchView, Message, target_of


def rounding_of(state: MatchState) -> Rounding:
    """How a pair's half is rounded: as the match says, else as its regolamento does."""
    return state.rounding or regolamento_of(state).match.half


def match_totals(state: MatchState) -> MatchTotals:
    """Totals so far and who has won."""
    return score_match(state.points, state.goal, len(state.names))


def match_view(events: Sequence[Event], state: MatchState, *, device: str, demo: bool) -> MatchView:
    """A match as `device` sees it."""
    totals = match_totals(state)
    confirmed = tuple(
        ConfirmedView(
            s.number,
            seated_names(state, s.confirmed.seating),
            s.confirmed,
            running,
            s.sides,
            s.closed,
            s.end,
            recount(state, s),
        )
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
        formato=state.formato,
        goal=state.goal,
        rounding=rounding_of(state),
        totals=totals.totals,
        turni=totals.turni,
        winner=totals.winner,
        draw=totals.draw,
        finished=totals.finished,
        confirmed=confirmed,
        table=table_view(state),
        can_undo=undo_target(events, device) is not None,
        can_redo=redo_target(events, device) is not None,
        can_undo_confirmation=bool(confirmed),
        rules=regolamento_of(state),
        both_confirm=state.both_confirm,
        table_order=state.table_order,
        dealer=state.dealer,
        deleted=state.deleted,
    )


def seen_by(view: MatchView, events: Sequence[Event], device: str) -> MatchView:
    """The same match as another device sees it, which takes back and brings again its own edits."""
    undo, redo = undo_target(events, device) is not None, redo_target(events, device) is not None
    return view if (undo, redo) == (view.can_undo, view.can_redo) else replace(view, can_undo=undo, can_redo=redo)


def match_summary(state: MatchState) -> MatchSummary:
    """A match as a line of a list."""
    totals = match_totals(state)
    return MatchSummary(
        id=state.id,
        names=state.names,
        regolamento=state.regolamento,
        formato=state.formato.name,
        target=target_of(state.goal),
        totals=totals.totals,
        smazzate=len(state.confirmed),
        finished=totals.finished,
        created_at=state.created_at,
        updated_at=state.updated_at,
    )


def _counted(voce: Voce, names: ClassNames) -> str:
    """The burrachi of a voce by what their regolamento calls them, so that a signed ledger still explains them."""
    if voce.reason is not Reason.BURRACHI:
        return ""
    return ", ".join(f"{detail.count} × {names.of(BurracoClass(detail.key))}" for detail in voce.detail)


def confirmation_payload(state: MatchState, despite: Sequence[Message], program: str) -> dict[str, object]:
    """What the confirming event keeps: the ledgers as signed, what each party gets, the faults taken knowingly."""
    smazzata, punteggio = state.current, score_draft(state)
    names = regolamento_of(state).names
    seating = smazzata.seating or ()
    return {
        "smazzata": smazzata.number,
        "ledgers": [
            ledger_to_json(
                LedgerEntry(voce.reason.value, voce.points, cards_text(voce.cards), voce.text or _counted(voce, names))
                for voce in side.voci
            )
            for side in punteggio.sides
        ],
        "base": [side.base for side in punteggio.sides],
        "carte": [side.carte for side in punteggio.sides],
        "seating": [list(side) for side in seating],
        "points": list(shares(punteggio.totals, seating, len(state.names), rounding_of(state))),
        "despite": [message.key for message in despite],
        "program": program,
    }
