"""Cards turned crosswise on a finished burraco: the players' own statement of its class (RULES 8)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from scoring.classes import BurracoClass
from scoring.meld import Meld
from scoring.sections import Regolamento


class MarkVerdict(StrEnum):
    """Whether the marks say the class that was read; UNKNOWN where this regolamento gives them no meaning."""

    NO_MARKS = "no_marks"
    AGREE = "agree"
    DISAGREE = "disagree"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class MarkCheck:
    """What the marks state, by key and by the regolamento's own names, and whether the reading says the same."""

    verdict: MarkVerdict
    stated: tuple[BurracoClass, ...] = ()
    names: tuple[str, ...] = ()


def check_marks(meld: Meld, crosswise: Collection[int], regolamento: Regolamento) -> MarkCheck:
    """Compare the places (0 first) of the cards that lie crosswise with the class; a meld may end at either side.

    >>> from scoring.cards import parse_cards
    >>> from scoring.meld import read_meld
    >>> from scoring.regolamento import load_regolamento
    >>> fibur = load_regolamento("fibur")
    >>> meld = read_meld(parse_cards("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥"), fibur)
    >>> check_marks(meld, [5, 6], fibur).verdict.value, check_marks(meld, [6], fibur).stated[0].value
    ('agree', 'sporco')
    """
    if not crosswise:
        return MarkCheck(MarkVerdict.NO_MARKS)
    from_ends = (
        tuple(sorted(len(meld.cards) - at for at in crosswise)),
        tuple(sorted(at + 1 for at in crosswise)),
    )
    stated = tuple(classe for classe in regolamento.class_keys if regolamento.marks.of(classe) in from_ends)
    names = tuple(map(regolamento.names.of, stated))
    has_marks = meld.classe is BurracoClass.NONE or bool(regolamento.marks.of(meld.classe))
    if not stated or not has_marks:
        return MarkCheck(MarkVerdict.UNKNOWN, stated, names)
    return MarkCheck(MarkVerdict.AGREE if meld.classe in stated else MarkVerdict.DISAGREE, stated, names)
