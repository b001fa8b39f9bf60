"""Small things said in words: how many, and how large."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scoring.formato import Formato, formato_names
from ui.i18n import say_names, t
from ui.viewmodels import Message, SideName


def formato_title(formato: Formato) -> SideName:
    """What a formato is called: in the language of whoever looks where it ships, else by its own title."""
    return Message(f"formato.{formato.name}") if formato.name in formato_names() else formato.title


def formato_text(formato: Formato, lang: str) -> str:
    """The same in a language."""
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
