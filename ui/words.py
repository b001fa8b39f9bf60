"""Small things said in words: how many, and how large."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scoring.formato import Formato
from ui.i18n import has, say_names, t
from ui.viewmodels import Message


def formato_title(formato: Formato) -> str | Message:
    """What a formato is called: in every language where it ships, else as its own file says."""
    key = f"formato.{formato.name}"
    return Message(key) if has(key) else formato.title


def said_title(formato: Formato, lang: str) -> str:
    """What a formato is called in a language."""
    return say_names((formato_title(formato),), lang)[0]


def pozzetti_text(sizes: Sequence[int], lang: str) -> str:
    """The pozzetti of a smazzata by their cards, the largest first."""
    words = t("words.numbers", lang).split()
    kinds = sorted(Counter(sizes).items(), reverse=True)
    if len(kinds) == 1:
        return t("words.pozzetti_alike", lang, count=words[len(sizes)], cards=sizes[0])
    first, *others = [(words[count], cards) for cards, count in kinds]
    parts = [t("words.pozzetti_first", lang, count=first[0], cards=first[1])]
    parts += [t("words.pozzetti_next", lang, count=count, cards=cards) for count, cards in others]
    return t("words.pozzetti", lang, count=words[len(sizes)], parts=t("words.and", lang).join(parts))
