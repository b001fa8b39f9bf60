"""From the values of the services to what the API gives out, sentences in the language asked for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from scoring.formato import Points
from scoring.ledger import Punteggio, SideScore, Voce
from scoring.marks import MarkVerdict
from scoring.meld import Meld
from scoring.sections import Regolamento
from scoring.sides import Held
from scoring.store.events import goal_to_json
from scoring.store.state import Confirmation, DraftCard, DraftUnread, GroupRole, LedgerEntry, PhotoRef, SideDraft
from scoring.whatif import Differing, WhatIf
from ui.api.models import (
    CardOut,
    ConfirmedOut,
    DifferingOut,
    DoubtOut,
    HeldOut,
    HistoryOut,
    JobOut,
    MarksOut,
    MatchOut,
    MeldOut,
    MeldQuestionOut,
    RecountOut,
    Said,
    ScoreOut,
    ScoreSideOut,
    SummaryOut,
    TableOut,
    TableSideOut,
    TurnoOut,
    UnplayableOut,
    UnreadOut,
    VoceOut,
    WhatIfOut,
)
from ui.faults import meld_faults
from ui.i18n import say, say_names, t
from ui.melds import counted_part, marks_message, questions, reason
from ui.reasons import each_under, recount_message, refused_text, signed_voce, what_if_text, why_voce
from ui.seats import Seats, seats_at
from ui.spot import is_cut
from ui.viewmodels import (
    ConfirmedView,
    HistoryEntry,
    Job,
    MatchSummary,
    MatchView,
    MeldView,
    Message,
    Recount,
    SideView,
)


def said(message: Message, lang: str) -> Said:
    """A message in a language."""
    return Said(code=message.key, message=say(message, lang))


def all_said(messages: Iterable[Message], lang: str) -> list[Said]:
    """Messages in a language."""
    return [said(message, lang) for message in messages]


def meld_out(meld: Meld, regolamento: Regolamento, lang: str, view: MeldView | None = None) -> MeldOut:
    """A meld to show; `view` is what a match knows of it beside its cards."""
    reading, part = meld.reading, counted_part(meld, regolamento)
    asked = [] if view and view.settled else questions(meld, regolamento, lang)
    return MeldOut(
        id=view.id if view else None,
        cards=" ".join(map(str, meld.cards)),
        legal=meld.legal,
        kind=reading.kind.value if reading else None,
        classe=meld.classe.value,
        name=(reading.name or None) if reading else None,
        why=reading.why.value if reading else None,
        reason=reason(meld, regolamento, lang),
        reads=" ".join(map(str, reading.cards)) if reading else None,
        card_points=meld.card_points,
        bonus=meld.bonus,
        faults=all_said(meld_faults(meld, regolamento), lang),
        alternatives=[" ".join(map(str, other.cards)) for other in meld.alternatives],
        countable=part.countable,
        surplus=[str(card) for card in part.surplus],
        questions=[MeldQuestionOut.model_validate(question) for question in asked],
        twin_of=view.twin_of if view else None,
        marks=_marks(view, regolamento, lang) if view else None,
        role=view.role.value if view else GroupRole.LAID.value,
        owner=view.owner if view else None,
        pile=view.pile if view else False,
    )


def _marks(view: MeldView, regolamento: Regolamento, lang: str) -> MarksOut | None:
    if view.marks.verdict is MarkVerdict.NO_MARKS:
        return None
    message = marks_message(view.meld, view.marks, regolamento)
    stated = [classe.value for classe in view.marks.stated]
    return MarksOut(verdict=view.marks.verdict.value, stated=stated, message=say(message, lang) if message else None)


def side_score_out(score: SideScore, regolamento: Regolamento, lang: str, each: Points | None = None) -> ScoreSideOut:
    """A side's score to show; `each` is what each of its players gets where somebody halves."""
    voci = [voce_out(voce, lang, score, regolamento) for voce in score.voci]
    melds = [meld_out(meld, regolamento, lang) for meld in score.melds]
    return ScoreSideOut(base=score.base, carte=score.carte, total=score.total, each=each, voci=voci, melds=melds)


def score_out(
    punteggio: Punteggio,
    faults: Sequence[Message],
    remarks: Sequence[Message],
    regolamento: Regolamento,
    seats: Seats,
    lang: str,
) -> ScoreOut:
    """A scored smazzata to show."""
    each = seats.each(punteggio.totals, regolamento) or [None] * len(punteggio.sides)
    pairs = zip(punteggio.sides, each, strict=True)
    sides = [side_score_out(side, regolamento, lang, part) for side, part in pairs]
    return ScoreOut(
        regolamento=regolamento.name, sides=sides, faults=all_said(faults, lang), remarks=all_said(remarks, lang)
    )


def voce_out(voce: Voce, lang: str, score: SideScore | None = None, regolamento: Regolamento | None = None) -> VoceOut:
    """A line of a ledger to show."""
    return VoceOut(
        reason=voce.reason.value,
        text=t(f"reason.{voce.reason.value}", lang),
        why=why_voce(voce, lang, score.melds if score else (), regolamento),
        in_base=voce.reason.in_base,
        points=voce.points,
        cards=" ".join(map(str, voce.cards)),
        note=voce.text,
    )


def what_if_out(answer: WhatIf, names: Sequence[str], lang: str, seats: Seats | None = None) -> WhatIfOut:
    """A smazzata under one regolamento to show."""
    punteggio = answer.punteggio
    return WhatIfOut(
        regolamento=answer.regolamento.name,
        title=answer.regolamento.title,
        playable=answer.playable.value,
        text=what_if_text(answer, names, lang, seats),
        totals=list(punteggio.totals) if punteggio else None,
        each=list(each) if (each := each_under(answer, seats)) else None,
        sides=[side_score_out(side, answer.regolamento, lang) for side in punteggio.sides] if punteggio else [],
        differing=[[_differing_out(one, answer.regolamento, lang) for one in side] for side in answer.differing],
        melds=[UnplayableOut(side=m.side, meld=m.meld, cards=" ".join(map(str, m.cards))) for m in answer.melds],
        cards=" ".join(map(str, answer.cards)),
        packs=answer.packs,
        refused=[Said(code=code.value, message=refused_text(side, names, lang)) for side, code in answer.refused],
    )


def _differing_out(one: Differing, regolamento: Regolamento, lang: str) -> DifferingOut:
    voce = voce_out(one.voce, lang, regolamento=regolamento)
    return DifferingOut(**voce.model_dump(), at_home=one.at_home)


def match_out(view: MatchView, lang: str) -> MatchOut:
    """A match to show."""
    table, seats = view.table, seats_at(view)
    each = seats.each([side.score.total for side in table.sides], view.rules) or [None] * len(table.sides)
    shown = TableOut(
        number=table.number,
        names=list(say_names(table.names, lang)),
        seating=[list(side) for side in table.seating] if table.seating else None,
        pozzetti=list(table.pozzetti),
        closed=table.closed.value if table.closed else None,
        end=table.end.value if table.end else None,
        last_discard=str(table.last_discard) if table.last_discard else None,
        laid_last=table.laid_last,
        asks_discard=table.asks_discard,
        provisional=not table.ready,
        sides=[_table_side(side, view.rules, lang, part) for side, part in zip(table.sides, each, strict=True)],
        missing=all_said(table.missing, lang),
        faults=all_said(table.faults, lang),
        agreed=list(table.agreed),
    )
    return MatchOut(
        id=view.id,
        seq=view.seq,
        names=list(view.names),
        players=[list(side) for side in view.players],
        regolamento=view.regolamento,
        formato=view.formato.name,
        goal=goal_to_json(view.goal),
        rounding=view.rounding.value,
        target=view.target,
        totals=list(view.totals),
        turni=[TurnoOut(mp=turno.mp, vp=turno.vp) for turno in view.turni],
        winner=view.winner,
        draw=view.draw,
        finished=view.finished,
        confirmed=[_confirmed(entry, lang) for entry in view.confirmed],
        table=shown,
        can_undo_confirmation=view.can_undo_confirmation,
        both_confirm=view.both_confirm,
        dealer=view.table_order[view.dealer] if view.dealer is not None else None,
    )


def summary_out(summary: MatchSummary) -> SummaryOut:
    """A line of the list of matches."""
    return SummaryOut(**{name: getattr(summary, name) for name in SummaryOut.model_fields})


def job_out(job: Job, lang: str) -> JobOut:
    """A scan to show."""
    return JobOut(
        id=job.id,
        status=job.status.value,
        ahead=job.ahead,
        match_id=job.match_id,
        side=job.side,
        photo=job.photo.sha256 if job.photo else None,
        seconds=job.seconds,
        message=said(job.message, lang) if job.message else None,
        reading=json.loads(job.reading_json) if job.reading_json else None,
    )


def _entry(entry: LedgerEntry, lang: str) -> VoceOut:
    return voce_out(signed_voce(entry), lang)


def _confirmed(view: ConfirmedView, lang: str) -> ConfirmedOut:
    signed: Confirmation = view.confirmation
    return ConfirmedOut(
        number=view.number,
        at=signed.at,
        names=list(view.names),
        seating=[list(side) for side in signed.seating],
        end=view.end.value if view.end else None,
        totals=list(signed.totals),
        base=list(signed.base),
        carte=list(signed.carte),
        points=list(signed.points),
        running=list(view.running),
        ledgers=[[_entry(entry, lang) for entry in ledger] for ledger in signed.ledgers],
        despite=list(signed.despite),
        recount=_recount(view.recount, view.names, lang) if view.recount else None,
    )


def _recount(recount: Recount, names: Sequence[str], lang: str) -> RecountOut:
    message = recount_message(recount, names)
    totals = list(recount.totals) if recount.totals is not None else None
    return RecountOut(code=message.key, message=say(message, lang), totals=totals)


def history_out(entry: HistoryEntry) -> HistoryOut:
    """An event to show."""
    return HistoryOut(**{name: getattr(entry, name) for name in HistoryOut.model_fields})


def _table_side(side: SideView, rules: Regolamento, lang: str, each: Points | None) -> TableSideOut:
    draft: SideDraft = side.draft
    return TableSideOut(
        photos=[photo.sha256 for photo in side.photos],
        melds=[meld_out(m.meld, rules, lang, m) for m in side.melds],
        cards={m.id: [_card(card, side.photos) for card in m.cards] for m in side.melds},
        loose=[_card(card, side.photos) for card in side.loose],
        doubts=[
            DoubtOut(card_id=d.card_id, alternatives=list(map(str, d.alternatives)), points_at_stake=d.points_at_stake)
            for d in side.doubts
        ],
        unread=[_unread(unread, meld.id) for meld in side.melds for unread in meld.unread],
        pozzetto=draft.pozzetto.value if draft.pozzetto else None,
        pozzetto_held=_held(draft.pozzetto_held) if draft.pozzetto_held else None,
        hands=[_held(held) for held in draft.hands] if draft.hands is not None else None,
        penalised=_held(draft.penalised) if draft.penalised else None,
        adjustments=[(adjustment.points, adjustment.reason) for adjustment in draft.adjustments],
        nothing_laid=draft.nothing_laid,
        score=side_score_out(side.score, rules, lang, each),
    )


def _card(card: DraftCard, photos: Sequence[PhotoRef]) -> CardOut:
    return CardOut(
        id=card.id,
        card=str(card.card),
        source=card.source.value,
        probability=card.probability,
        quad=list(card.quad) if card.quad else None,
        alternatives=[(str(other), p) for other, p in card.alternatives],
        photo=card.photo,
        cut_off=is_cut(card, photos),
    )


def _unread(unread: DraftUnread, meld_id: str) -> UnreadOut:
    return UnreadOut(
        id=unread.id,
        meld_id=meld_id,
        quad=list(unread.quad),
        photo=unread.photo,
        alternatives=list(map(str, unread.alternatives)),
        points_at_stake=unread.points_at_stake,
    )


def _held(held: Held) -> HeldOut:
    cards = " ".join(map(str, held.cards)) if held.points is None else None
    return HeldOut(cards=cards, points=held.points)
