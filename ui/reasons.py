"""Why a voce is what it is: one sentence a player accepts, in either language."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.cards import parse_cards
from scoring.classes import BurracoClass
from scoring.formato import Points
from scoring.ledger import Detail, Reason, Voce
from scoring.meld import Meld, MeldReading
from scoring.sections import ClassNames, Regolamento
from scoring.store.state import LedgerEntry
from scoring.whatif import Differing, Playable, WhatIf
from ui.i18n import points_text, t
from ui.melds import why
from ui.seats import Seats
from ui.viewmodels import Message, Recount


def why_voce(voce: Voce, lang: str, melds: Sequence[Meld] = (), regolamento: Regolamento | None = None) -> str:
    """The sentence of a voce; `melds` are those of its side, numbered from 1.

    A line as it was signed comes without the regolamento: its text then explains it.
    """
    if voce.reason is Reason.BURRACHI:
        parts = []
        if regolamento:
            read = [(number, meld.reading) for number, meld in enumerate(melds, 1) if meld.reading and meld.bonus]
            parts = [_burraco(number, reading, regolamento, lang) for number, reading in read]
            parts = parts or [_counted(detail, regolamento.names, lang) for detail in voce.detail]
        if not parts and voce.text:
            parts = [voce.text]
        return t("because.burrachi", lang, which="; ".join(parts)) if parts else t("because.burrachi_sum", lang)
    cards = " ".join(map(str, voce.cards))
    if voce.reason is Reason.CARDS_LAID:
        which = _laid(voce, melds, lang) or cards
        key = "because.cards_laid_which" if which else "because.cards_laid"
        return t(key, lang, points=voce.points, which=which)
    if voce.reason is Reason.CARDS_IN_HAND and regolamento:
        typed = abs(voce.points) - sum(map(regolamento.values.of, voce.cards))
        cards = t("because.and_sum", lang, cards=cards, points=typed) if typed else cards
    key = f"because.{voce.reason.value}"
    if voce.cards and voce.reason in (Reason.POZZETTO_NOT_PLAYED, Reason.CARDS_IN_HAND, Reason.PENALISED):
        key += "_cards"
    return t(key, lang, points=abs(voce.points), cards=cards, text=voce.text or "–")


def _burraco(number: int, reading: MeldReading, regolamento: Regolamento, lang: str) -> str:
    because = why(reading, regolamento, lang)
    return t("because.burraco", lang, number=number, classe=reading.name, why=because, points=reading.bonus)


def _counted(detail: Detail, names: ClassNames, lang: str) -> str:
    name = names.of(BurracoClass(detail.key))
    return t("because.counted", lang, count=detail.count, classe=name, points=detail.points)


def _laid(voce: Voce, melds: Sequence[Meld], lang: str) -> str:
    """Where the points of the cards laid come from: meld by meld, or value by value where they were counted."""
    by_meld = [(number, meld.card_points) for number, meld in enumerate(melds, 1) if meld.card_points]
    parts = [t("because.of_meld", lang, number=number, points=points) for number, points in by_meld]
    parts += [t("because.of_value", lang, count=detail.count, value=detail.key) for detail in voce.detail]
    return "; ".join(parts)


def signed_voce(entry: LedgerEntry) -> Voce:
    """A line as it was signed: its sentence is made of what was kept."""
    return Voce(Reason(entry.reason), entry.points, parse_cards(entry.cards), text=entry.text)


def each_under(answer: WhatIf, seats: Seats | None) -> tuple[Points, ...] | None:
    """What each player of a side would get; None where nobody halves, or nobody can say."""
    return seats.each(answer.punteggio.totals, answer.regolamento) if seats and answer.punteggio else None


def pair_shares(totals: Sequence[int], seats: Seats | None, regolamento: Regolamento, lang: str) -> list[str]:
    """What each of a pair that halves gets and why, "-152 a ciascuno (metà di -305, per eccesso)"; else empty."""
    each = seats.each(totals, regolamento) if seats else None
    if seats is None or each is None:
        return [""] * len(totals)
    half = seats.half(regolamento).value
    texts = []
    for total, points, players in zip(totals, each, seats.players, strict=True):
        key = "cli.each_of_pair" if total % players == 0 else f"cli.each_of_pair_{half}"
        texts.append(t(key, lang, each=points_text(points), total=total) if players > 1 else "")
    return texts


def what_if_text(answer: WhatIf, names: Sequence[str], lang: str, seats: Seats | None = None) -> str:
    """One line about a smazzata under other rules: its totals, or why it could not exist there."""
    if answer.playable is Playable.UNKNOWN:
        return t("playable.unknown", lang)
    if answer.punteggio is not None:
        shares = pair_shares(answer.punteggio.totals, seats, answer.regolamento, lang)
        sides_said = zip(names, answer.punteggio.totals, shares, strict=True)
        totals = " · ".join(
            f"{n} {points_text(total)}" + (f", {share}" if share else "") for n, total, share in sides_said
        )
        sides = dict.fromkeys(side for side, _ in answer.refused)
        return ". ".join([totals, *(refused_text(side, names, lang) for side in sides)])
    reasons = [
        t("whatif.meld", lang, name=names[m.side], meld=m.meld + 1, cards=" ".join(map(str, m.cards)))
        for m in answer.melds
    ]
    if answer.cards:
        reasons.append(t("whatif.cards", lang, cards=" ".join(map(str, answer.cards))))
    if answer.packs:
        here, there = answer.packs
        reasons.insert(0, t("whatif.packs", lang, here=here, there=there))
    return t("whatif.melds", lang, melds="; ".join(reasons))


def differing_text(answer: WhatIf, names: Sequence[str], lang: str) -> str:
    """The voci that are not the same as under the smazzata's own rules, side by side."""
    sides = [
        f"{name}: " + ", ".join(_differs(one, lang) for one in differing)
        for name, differing in zip(names, answer.differing, strict=False)
        if differing
    ]
    return "; ".join(sides)


def _differs(one: Differing, lang: str) -> str:
    reason = t(f"reason.{one.voce.reason.value}", lang)
    return t("whatif.differs", lang, reason=reason, there=one.voce.points, here=one.at_home)


def recount_message(recount: Recount, names: Sequence[str]) -> Message:
    """That this version of the program would score a signed smazzata otherwise, and that nothing is changed."""
    if recount.totals is None:
        return Message("recount.unreadable")
    totals = " · ".join(f"{name} {points_text(total)}" for name, total in zip(names, recount.totals, strict=True))
    return Message("recount.differs", {"totals": totals})


def refused_text(side: int, names: Sequence[str], lang: str) -> str:
    """That a side could not have closed."""
    return t("whatif.refused", lang, name=names[side])
