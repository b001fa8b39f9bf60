"""Which burraco a meld is, and why."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoring.sections import Regolamento


class BurracoClass(StrEnum):
    """The class of a meld; NONE is a meld that is no burraco."""

    NONE = "none"
    PULITO = "pulito"
    SEMIPULITO = "semipulito"
    SPORCO = "sporco"
    REALE = "reale"
    AA = "aa"
    SUPER = "super"
    REALE_SPORCO = "reale_sporco"
    SUPER_SPORCO = "super_sporco"

    @property
    def has_no_wild(self) -> bool:
        """Whether it is a burraco without a wild, such as closing may need."""
        return self in _WITHOUT_WILD


_WITHOUT_WILD = (BurracoClass.PULITO, BurracoClass.REALE, BurracoClass.AA, BurracoClass.SUPER)


class Reale(StrEnum):
    """Which thirteen naturals are a reale: ace to king alone, or 2 to ace as well."""

    OFF = "off"
    ACE_TO_KING = "ace_to_king"
    ANY_THIRTEEN = "any_thirteen"


class Super(StrEnum):
    """Which eight naturals are a super: of a kind, or in a row as well."""

    OFF = "off"
    SET = "set"
    SET_OR_RUN = "set_or_run"


class Semipulito(StrEnum):
    """How a regolamento reads semipulito (RULES: switch 2)."""

    OFF = "off"
    CONTIGUOUS7 = "contiguous7"
    WILD_AT_END = "wild_at_end"


class ClassReason(StrEnum):
    """Why a meld has its class; before and after follow the order of the reading's places."""

    SHORT = "short"
    NO_WILD = "no_wild"
    NATURALS_BEFORE_WILD = "naturals_before_wild"
    NATURALS_AFTER_WILD = "naturals_after_wild"
    WILD_AT_END = "wild_at_end"
    SET_WITH_WILD = "set_with_wild"
    WILD_BREAKS_RUN = "wild_breaks_run"
    WILD_INSIDE = "wild_inside"
    WILD_IN_SHORT_SET = "wild_in_short_set"
    NO_SEMIPULITO = "no_semipulito"


Classified = tuple[BurracoClass, ClassReason]

_SHORT = (BurracoClass.NONE, ClassReason.SHORT)
_PULITO = (BurracoClass.PULITO, ClassReason.NO_WILD)


def class_of_run(size: int, wild_at: int | None, regolamento: Regolamento) -> Classified:
    """Class of a sequenza of `size` places with the wild at place `wild_at` (0 first), or without."""
    rules = regolamento.classes
    if size < rules.burraco_cards:
        return _SHORT
    if wild_at is None:
        return _PULITO
    before, after, enough = wild_at, size - wild_at - 1, rules.semipulito_naturals
    if max(before, after) < enough:
        return BurracoClass.SPORCO, ClassReason.WILD_BREAKS_RUN
    if rules.semipulito is Semipulito.OFF:
        return BurracoClass.SPORCO, ClassReason.NO_SEMIPULITO
    if rules.semipulito is Semipulito.WILD_AT_END:
        if before and after:
            return BurracoClass.SPORCO, ClassReason.WILD_INSIDE
        return BurracoClass.SEMIPULITO, ClassReason.WILD_AT_END
    first = ClassReason.NATURALS_BEFORE_WILD if before >= enough else ClassReason.NATURALS_AFTER_WILD
    return BurracoClass.SEMIPULITO, first


def class_of_set(size: int, wilds: int, regolamento: Regolamento) -> Classified:
    """Class of a combinazione of `size` cards of which `wilds` are wild."""
    rules = regolamento.classes
    if size < rules.burraco_cards:
        return _SHORT
    if not wilds:
        return _PULITO
    if size - wilds < rules.semipulito_naturals:
        return BurracoClass.SPORCO, ClassReason.WILD_IN_SHORT_SET
    if rules.semipulito is Semipulito.OFF:
        return BurracoClass.SPORCO, ClassReason.NO_SEMIPULITO
    return BurracoClass.SEMIPULITO, ClassReason.SET_WITH_WILD
