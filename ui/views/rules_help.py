"""The rules a match is played by, in short sentences made from its regolamento and from nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.cards import Rank, Suit
from scoring.sections import BurracoNeed, LastDiscard, NotPlayed, Regolamento
from ui.i18n import t


def rules_lines(rules: Regolamento, lang: str) -> Iterator[str]:
    """One sentence a line: values, melds, burrachi, closing, pozzetto."""
    yield t("rules.values", lang, values=_values(rules, lang))
    yield t("rules.runs", lang, least=rules.runs.min_cards)
    if rules.sets.ranks:
        most = "" if len(rules.sets.ranks) >= len(Rank) - 1 else t("rules.sets_some", lang, ranks=_ranks(rules))
        naturals = min(rules.sets.max_naturals, rules.deck.packs * len(Suit))
        yield t("rules.sets", lang, least=rules.sets.min_cards, most=naturals) + most
    else:
        yield t("rules.no_sets", lang)
    yield t("rules.one_wild" if rules.wilds.per_meld else "rules.no_wild", lang)
    classes = ", ".join(f"{rules.names.of(key)} {rules.bonus.of(key)}" for key in rules.class_keys)
    yield t("rules.burraco", lang, least=rules.classes.burraco_cards, classes=classes)
    yield from _closing(rules, lang)
    yield from _pozzetto(rules, lang)


def _values(rules: Regolamento, lang: str) -> str:
    """Who counts what, highest first: `30 jolly, 20 2, 15 A, 10 K Q J 10 9 8, 5 7 6 5 4 3`."""
    named: dict[int, list[str]] = {}
    named.setdefault(rules.values.jolly, []).append(t("page.card.jolly", lang))
    for rank in (Rank.TWO, Rank.ACE, *reversed([rank for rank in Rank if rank not in (Rank.TWO, Rank.ACE)])):
        value = rules.values.pinella if rank is Rank.TWO else int(getattr(rules.values, rank.name.lower()))
        named.setdefault(value, []).append(rank.value)
    return "; ".join(t("rules.value", lang, points=points, who=" ".join(who)) for points, who in named.items())


def _ranks(rules: Regolamento) -> str:
    return " ".join(rank.value for rank in rules.sets.ranks)


def _closing(rules: Regolamento, lang: str) -> Iterator[str]:
    closing = rules.closing
    needs = {
        BurracoNeed.NONE: "rules.closing_none",
        BurracoNeed.ANY: "rules.closing_any",
        BurracoNeed.PULITO: "rules.closing_pulito",
    }[closing.needs]
    yield t("rules.closing", lang, points=closing.bonus) + " " + t(needs, lang)
    if closing.needs_pozzetto:
        yield t("rules.closing_pozzetto", lang)
    discard = {
        LastDiscard.NO_WILD: "rules.discard_no_wild",
        LastDiscard.ANY: "rules.discard_any",
        LastDiscard.OPTIONAL: "rules.discard_optional",
    }[closing.discard]
    yield t(discard, lang)


def _pozzetto(rules: Regolamento, lang: str) -> Iterator[str]:
    pozzetto = rules.pozzetto
    yield t("rules.pozzetto", lang, points=pozzetto.not_taken_penalty)
    if not pozzetto.penalty_when_nobody_took:
        yield t("rules.pozzetto_nobody", lang)
    if pozzetto.taken_bonus:
        yield t("rules.pozzetto_bonus", lang, points=pozzetto.taken_bonus)
    values = pozzetto.not_played is NotPlayed.CARD_VALUES
    yield t("rules.pozzetto_values" if values else "rules.pozzetto_as_not_taken", lang)
