"""Cards and melds in words, for people who listen and for titles."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.arrangements import MeldKind
from scoring.cards import Card, Rank, Suit
from scoring.meld import Meld
from ui.i18n import t


def spoken(card: Card, lang: str) -> str:
    """A card in words, such as *donna di cuori*."""
    if card.rank is None or card.suit is None:
        return t("page.card.jolly", lang)
    return t("page.card.name", lang, rank=_rank(card.rank, lang), suit=_suit(card.suit, lang))


def _rank(rank: Rank, lang: str) -> str:
    return t(f"page.rank.{rank.name.lower()}", lang)


def _suit(suit: Suit, lang: str) -> str:
    return t(f"page.suit.{suit.name.lower()}", lang)


def rank_words(lang: str) -> Mapping[str, str]:
    """The word for each rank letter."""
    return {rank.value: _rank(rank, lang) for rank in Rank}


def suit_words(lang: str) -> Mapping[str, str]:
    """The word for each suit sign."""
    return {suit.value: _suit(suit, lang) for suit in Suit}


def meld_title(meld: Meld, lang: str) -> str:
    """What a meld is, such as *Sequenza di cuori*; a plain word where the cards make no legal meld."""
    if meld.reading is None or not meld.reading.places:
        return t("page.meld.unclear", lang)
    first = meld.reading.places[0].stands_for
    if first.rank is None or first.suit is None:
        return t("page.meld.unclear", lang)
    if meld.reading.kind is MeldKind.SEQUENZA:
        return t("page.meld.sequenza", lang, suit=_suit(first.suit, lang))
    return t("page.meld.combinazione", lang, rank=t(f"page.ranks.{first.rank.name.lower()}", lang))
