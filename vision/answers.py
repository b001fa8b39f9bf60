"""A player who answers the product's questions from the labels, to measure what asking is worth."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scoring.meld import read_meld
from vision.matching import MAX_APART, distance, points_exact
from vision.table import Doubt, DoubtKind, MeldSeen, ReadCard, Source

if TYPE_CHECKING:
    from scoring.cards import Card
    from scoring.regolamento import Regolamento
    from vision.labels import LabelledPhoto, TrueCard
    from vision.table import Quad, TableReading

ABOUT_A_CARD = (DoubtKind.CARD, DoubtKind.TOO_MANY)


@dataclass(frozen=True, slots=True)
class Asked:
    """Tables with labelled melds: whose points were exact before and after the answers, and announced *sure* (nothing
    asked about cards or melds), with exact points; `answers` were given altogether."""

    tables: int = 0
    exact: int = 0
    exact_after: int = 0
    sure: int = 0
    sure_exact: int = 0
    answers: int = 0

    def __add__(self, other: Asked) -> Asked:
        return Asked(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


def ask(photo: LabelledPhoto, reading: TableReading, regolamento: Regolamento, most: int) -> Asked:
    """One table, with at most so many of its questions answered, those with most at stake first."""
    exact, sure = points_exact(photo, reading, regolamento), not reading.doubts
    asked = questions(reading, most)
    after = points_exact(photo, answered(photo, reading, asked, regolamento), regolamento)
    return Asked(1, int(exact), int(after), int(sure), int(sure and exact), len(asked))


def questions(reading: TableReading, most: int) -> tuple[Doubt, ...]:
    """The first questions, one about each card or meld."""
    first = {(doubt.meld, doubt.card): doubt for doubt in reversed(reading.doubts)}
    return tuple(doubt for doubt in reading.doubts if first[doubt.meld, doubt.card] is doubt)[:most]


def answered(
    photo: LabelledPhoto, reading: TableReading, asked: tuple[Doubt, ...], regolamento: Regolamento
) -> TableReading:
    """The reading with those questions answered truly.

    Which card it is: the one that lies there, or none. Which reading counts: that with the true points, where it was
    offered. A meld that is none, or to which a card does not fit: what is laid there with its hidden cards, or none.
    """
    melds: list[MeldSeen | None] = list(reading.melds)
    cards = [list[ReadCard | None](meld.cards) for meld in reading.melds]
    for doubt in asked:
        if doubt.meld is None:
            continue
        at = doubt.meld
        if doubt.kind in ABOUT_A_CARD and doubt.card is not None:
            cards[at][doubt.card] = _true_card(photo, reading.melds[at].cards[doubt.card])
            melds[at] = MeldSeen(tuple(card for card in cards[at] if card is not None))
        else:
            laid = _true_meld(photo, reading.melds[at])
            melds[at] = _said(doubt, reading.melds[at], laid, regolamento)
    return replace(reading, melds=tuple(meld for meld in melds if meld is not None), doubts=())


def _said(doubt: Doubt, meld: MeldSeen, laid: tuple[Card, ...] | None, regolamento: Regolamento) -> MeldSeen | None:
    """A meld after a question about the whole of it."""
    if doubt.kind is DoubtKind.READING:
        points = read_meld(laid, regolamento).points if laid else None
        cards = next((answer.cards for answer in doubt.answers if answer.points == points), meld.faces)
        return _named(cards, meld)
    return None if laid is None else _named(laid, meld)


def _named(faces: tuple[Card, ...], meld: MeldSeen) -> MeldSeen:
    """A meld of these cards where that one lies."""
    return MeldSeen(tuple(ReadCard(face, meld.cards[0].quad, 1.0, Source.USER) for face in faces))


def _true_card(photo: LabelledPhoto, card: ReadCard) -> ReadCard | None:
    """The card with the name of what lies there; None where nothing does, itself where only its rank is known."""
    true = _at(photo, card.quad)
    if true is None:
        return None
    return card if true.card is None else replace(card, card=true.card, source=Source.USER)


def _at(photo: LabelledPhoto, quad: Quad) -> TrueCard | None:
    apart = [(distance(true, quad), n) for n, true in enumerate(photo.cards)]
    nearest = min(apart, default=(MAX_APART, 0))
    return photo.cards[nearest[1]] if nearest[0] < MAX_APART else None


def _true_meld(photo: LabelledPhoto, meld: MeldSeen) -> tuple[Card, ...] | None:
    """The meld in which most of these cards truly lie, whole; None where most lie in none."""
    there = [true.meld for card in meld.cards if (true := _at(photo, card.quad)) is not None]
    if not there:
        return None
    position, _ = Counter(there).most_common(1)[0]
    return None if position is None else (photo.whole or photo.melds or ())[position]


def wilson(right: int, of: int, z: float = 1.96) -> tuple[float, float]:
    """Bounds (0..1) of a share of which `right` of `of` were seen: the 95 % interval of E. B. Wilson, 1927."""
    if not of:
        return 0.0, 1.0
    share, spread = right / of, z * z / of
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * ((share * (1 - share) + spread / 4) / of) ** 0.5
    return max(0.0, middle - half), min(1.0, middle + half)


def asked_lines(every: Asked, apart: Asked, most: int) -> list[str]:
    """What asking is worth, as text: all tables, and apart those of which something that counts is hidden."""
    lines = []
    open_tables = Asked(*(getattr(every, name) - getattr(apart, name) for name in Asked.__slots__))
    for title, asked in (("all", every), ("nothing hidden", open_tables), ("pile or covered card", apart)):
        if asked.tables:
            low, high = wilson(asked.sure_exact, asked.sure)
            lines.append(
                f"{title:22}{asked.tables:5} tables: points exact untouched {_share(asked.exact, asked.tables)}, "
                f"after at most {most} answers {_share(asked.exact_after, asked.tables)} "
                f"({asked.answers / asked.tables:.1f} a table); "
                f"sure {_share(asked.sure, asked.tables)}, of those exact {_share(asked.sure_exact, asked.sure)} "
                f"[{low:.1%} to {high:.1%}]"
            )
    return lines


def _share(part: int, of: int) -> str:
    return f"{part} ({part / max(of, 1):.1%})"
