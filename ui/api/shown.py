"""From the values of the services to what the API gives out, sentences in the language asked for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from scoring.ledger import Punteggio, SideScore
from scoring.meld import Meld
from scoring.smazzata import Held
from scoring.store.state import Confirmation, DraftCard, SideDraft
from ui.api.models import (
    CardOut,
    ConfirmedOut,
    DoubtOut,
    HeldOut,
    JobOut,
    MatchOut,
    MeldOut,
    Said,
    ScoreOut,
    ScoreSideOut,
    SummaryOut,
    TableOut,
    TableSideOut,
    VoceOut,
)
from ui.i18n import say, t
from ui.presenting import meld_faults
from ui.viewmodels import ConfirmedView, Job, MatchSummary, MatchView, Message, SideView


def said(message: Message, lang: str) -> Said:
    """A message in a language."""
    return Said(code=message.key, message=say(message, lang))


def all_said(messages: Iterable[Message], lang: str) -> list[Said]:
    """Messages in a language."""
    return [said(message, lang) for message in messages]


def meld_out(meld: Meld, lang: str, meld_id: str | None = None, twin_of: str | None = None) -> MeldOut:
    """A meld to show."""
    reading = meld.reading
    return MeldOut(
        id=meld_id,
        cards=" ".join(map(str, meld.cards)),
        legal=meld.legal,
        kind=reading.kind.value if reading else None,
        classe=meld.classe.value,
        why=reading.why.value if reading else None,
        reads=" ".join(map(str, reading.cards)) if reading else None,
        card_points=meld.card_points,
        bonus=meld.bonus,
        faults=all_said(meld_faults(meld), lang),
        alternatives=[" ".join(map(str, other.cards)) for other in meld.alternatives],
        twin_of=twin_of,
    )


def side_score_out(score: SideScore, lang: str) -> ScoreSideOut:
    """A side's score to show."""
    voci = [_voce(v.reason.value, v.points, " ".join(map(str, v.cards)), lang) for v in score.voci]
    melds = [meld_out(meld, lang) for meld in score.melds]
    return ScoreSideOut(base=score.base, carte=score.carte, total=score.total, voci=voci, melds=melds)


def score_out(punteggio: Punteggio, faults: Sequence[Message], regolamento: str, lang: str) -> ScoreOut:
    """A scored smazzata to show."""
    a, b = (side_score_out(side, lang) for side in punteggio.sides)
    return ScoreOut(regolamento=regolamento, sides=(a, b), faults=all_said(faults, lang))


def match_out(view: MatchView, lang: str) -> MatchOut:
    """A match to show."""
    a, b = (_table_side(side, lang) for side in view.table.sides)
    table = TableOut(
        number=view.table.number,
        closed=view.table.closed.value if view.table.closed else None,
        sides=(a, b),
        missing=all_said(view.table.missing, lang),
        faults=all_said(view.table.faults, lang),
    )
    return MatchOut(
        id=view.id,
        seq=view.seq,
        names=view.names,
        players=(list(view.players[0]), list(view.players[1])),
        regolamento=view.regolamento,
        target=view.target,
        totals=view.totals,
        winner=view.winner,
        finished=view.finished,
        confirmed=[_confirmed(entry, lang) for entry in view.confirmed],
        table=table,
        can_undo_confirmation=view.can_undo_confirmation,
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


def _voce(reason: str, points: int, cards: str, lang: str) -> VoceOut:
    return VoceOut(reason=reason, text=t(f"reason.{reason}", lang), points=points, cards=cards)


def _confirmed(view: ConfirmedView, lang: str) -> ConfirmedOut:
    signed: Confirmation = view.confirmation
    a, b = ([_voce(e.reason, e.points, e.cards, lang) for e in ledger] for ledger in signed.ledgers)
    return ConfirmedOut(
        number=view.number,
        at=signed.at,
        totals=signed.totals,
        base=signed.base,
        carte=signed.carte,
        running=view.running,
        ledgers=(a, b),
        despite=list(signed.despite),
    )


def _table_side(side: SideView, lang: str) -> TableSideOut:
    draft: SideDraft = side.draft
    return TableSideOut(
        photos=[photo.sha256 for photo in side.photos],
        melds=[meld_out(m.meld, lang, m.id, m.twin_of) for m in side.melds],
        cards={m.id: [_card(card) for card in m.cards] for m in side.melds},
        loose=[_card(card) for card in side.loose],
        doubts=[
            DoubtOut(card_id=d.card_id, alternatives=list(map(str, d.alternatives)), points_at_stake=d.points_at_stake)
            for d in side.doubts
        ],
        pozzetto=draft.pozzetto.value if draft.pozzetto else None,
        pozzetto_held=_held(draft.pozzetto_held) if draft.pozzetto_held else None,
        hands=[_held(held) for held in draft.hands] if draft.hands is not None else None,
        nothing_laid=draft.nothing_laid,
        score=side_score_out(side.score, lang),
    )


def _card(card: DraftCard) -> CardOut:
    return CardOut(
        id=card.id,
        card=str(card.card),
        source=card.source.value,
        probability=card.probability,
        quad=list(card.quad) if card.quad else None,
        alternatives=[(str(other), p) for other, p in card.alternatives],
        photo=card.photo,
    )


def _held(held: Held) -> HeldOut:
    cards = " ".join(map(str, held.cards)) if held.points is None else None
    return HeldOut(cards=cards, points=held.points)
