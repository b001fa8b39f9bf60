"""What is worth asking about a table: only what changes the points, and what has most at stake first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.meld import read_meld
from vision.table import Answer, Doubt, DoubtKind, MeldSeen, Source, TableReading

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoring.cards import Card
    from scoring.regolamento import Regolamento
    from vision.table import Quad


def find_doubts(
    reading: TableReading,
    left_out: Sequence[tuple[int, Card]],
    unread: Sequence[tuple[int, Quad, Sequence[Card]]],
    regolamento: Regolamento,
    ask_above: float,
) -> tuple[Doubt, ...]:
    """All doubts of a reading. `left_out`: cards that lie at a meld (its position) but do not fit, `unread`: where in
    line with a meld something lies that was not read, and what it looks most like; other answers less probable than
    `ask_above` are not asked."""
    doubts = [
        *_meld_doubts(reading.melds, regolamento, ask_above),
        *_left_out_doubts(left_out, reading.melds, regolamento),
        *_unread_doubts(unread, reading.melds, regolamento),
        *_too_many_doubts(reading, regolamento),
    ]
    return tuple(sorted(doubts, key=lambda doubt: -doubt.points_at_stake))


def _meld_doubts(melds: Sequence[MeldSeen], regolamento: Regolamento, ask_above: float) -> Iterator[Doubt]:
    for n, meld in enumerate(melds):
        value = read_meld(meld.faces, regolamento)
        now = Answer(meld.faces, value.points, 1.0)
        if not value.legal:
            stake = sum(regolamento.values.of(card) for card in meld.faces)
            yield Doubt(DoubtKind.NOT_LEGAL, n, None, (now,), stake)
            continue
        others = tuple(Answer(other.cards, other.points, 0.0) for other in value.alternatives)
        stake = max((abs(other.points - value.points) for other in others), default=0)
        if stake:
            yield Doubt(DoubtKind.READING, n, None, (now, *others), stake)
        for at in range(len(meld.cards)):
            doubt = _card_doubt(n, at, meld, value.points, regolamento, ask_above)
            if doubt:
                yield doubt


def _card_doubt(
    n: int, at: int, meld: MeldSeen, points: int, regolamento: Regolamento, ask_above: float
) -> Doubt | None:
    """A question about one card, if a likely other answer would count differently."""
    card = meld.cards[at]
    answers = [Answer(meld.faces, points, card.probability)]
    for other in card.alternatives:
        if other.probability < ask_above:
            continue
        faces = (*meld.faces[:at], other.card, *meld.faces[at + 1 :])
        value = read_meld(faces, regolamento)
        if value.legal and value.points != points:
            answers.append(Answer(faces, value.points, other.probability))
    if card.source is Source.INFERRED and len(answers) == 1:
        rest = (*meld.faces[:at], *meld.faces[at + 1 :])
        without = read_meld(rest, regolamento)
        if without.points != points:
            answers.append(Answer(rest, without.points, 1 - card.probability))
    stake = max((abs(answer.points - points) for answer in answers), default=0)
    return Doubt(DoubtKind.CARD, n, at, tuple(answers), stake) if stake else None


def _left_out_doubts(
    left_out: Sequence[tuple[int, Card]], melds: Sequence[MeldSeen], regolamento: Regolamento
) -> Iterator[Doubt]:
    for n, card in left_out:
        faces = melds[n].faces
        now = Answer(faces, read_meld(faces, regolamento).points, 1.0)
        yield Doubt(DoubtKind.LEFT_OUT, n, None, (now,), regolamento.values.of(card))


def _unread_doubts(
    unread: Sequence[tuple[int, Quad, Sequence[Card]]], melds: Sequence[MeldSeen], regolamento: Regolamento
) -> Iterator[Doubt]:
    """One question each, with those answers that make the meld longer; at stake is what the dearest would add."""
    for n, quad, likely in unread:
        faces = melds[n].faces
        points = read_meld(faces, regolamento).points
        answers = [Answer(faces, points, 1.0)]
        for card in likely:
            longer = read_meld((*faces, card), regolamento)
            found = longer if longer.legal else next(iter(longer.alternatives), None)
            if found is not None and found.points != points:
                answers.append(Answer(found.cards, found.points, 0.0))
        stake = max((abs(answer.points - points) for answer in answers), default=0)
        yield Doubt(DoubtKind.UNREAD, n, None, tuple(answers), stake or regolamento.values.of(likely[0]), quad)


def _too_many_doubts(reading: TableReading, regolamento: Regolamento) -> Iterator[Doubt]:
    for face in regolamento.deck.faults(card.card for card in reading.cards):
        for n, meld in enumerate(reading.melds):
            if face in meld.faces:
                at = min(
                    (i for i, card in enumerate(meld.cards) if card.card == face),
                    key=lambda i: meld.cards[i].probability,
                )
                now = Answer(meld.faces, read_meld(meld.faces, regolamento).points, meld.cards[at].probability)
                yield Doubt(DoubtKind.TOO_MANY, n, at, (now,), regolamento.values.of(face))
                break
