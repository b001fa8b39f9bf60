"""Which burraco a meld is, and why."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoring.sections import ClassRules, Regolamento


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
    ACE_TO_KING = "ace_to_king"
    TWO_TO_ACE = "two_to_ace"
    ACE_TO_ACE = "ace_to_ace"
    THIRTEEN_WITH_WILD = "thirteen_with_wild"
    SUPER_SET = "super_set"
    SUPER_RUN = "super_run"
    SUPER_SET_WITH_WILD = "super_set_with_wild"

    @property
    def seen_falling(self) -> ClassReason:
        """The same for places that fall instead of rising."""
        return _FALLING.get(self, self)


_FALLING = {
    ClassReason.NATURALS_BEFORE_WILD: ClassReason.NATURALS_AFTER_WILD,
    ClassReason.NATURALS_AFTER_WILD: ClassReason.NATURALS_BEFORE_WILD,
}
Classified = tuple[BurracoClass, ClassReason]

_SHORT = (BurracoClass.NONE, ClassReason.SHORT)
_PULITO = (BurracoClass.PULITO, ClassReason.NO_WILD)
_SUIT_CARDS = 13
_LOW_ACE = 1


def class_of_run(low: int, size: int, wild_at: int, regolamento: Regolamento) -> Classified:
    """Class of a sequenza of `size` places from number `low` up (ace 1), the wild at place `wild_at` (-1 without).

    >>> from scoring.regolamento import load_regolamento
    >>> fibur, fitab = load_regolamento("fibur"), load_regolamento("fitab")
    >>> class_of_run(3, 8, 7, fibur)[0].value, class_of_run(3, 7, 6, fibur)[0].value
    ('semipulito', 'sporco')
    >>> class_of_run(1, 13, -1, fitab)[0].value, class_of_run(1, 13, 4, fitab)[0].value
    ('reale', 'reale_sporco')
    """
    rules = regolamento.classes
    if size < rules.burraco_cards:
        return _SHORT
    if wild_at < 0:
        return _natural_run(low, size, rules)
    if rules.reale_sporco and size >= _SUIT_CARDS and (low == _LOW_ACE or wild_at):
        return BurracoClass.REALE_SPORCO, ClassReason.THIRTEEN_WITH_WILD
    if rules.semipulito is Semipulito.OFF:
        return BurracoClass.SPORCO, ClassReason.NO_SEMIPULITO
    before, after, enough = wild_at, size - wild_at - 1, rules.semipulito_naturals
    if max(before, after) < enough:
        return BurracoClass.SPORCO, ClassReason.WILD_BREAKS_RUN
    if rules.semipulito is Semipulito.WILD_AT_END:
        if before and after:
            return BurracoClass.SPORCO, ClassReason.WILD_INSIDE
        return BurracoClass.SEMIPULITO, ClassReason.WILD_AT_END
    first = ClassReason.NATURALS_BEFORE_WILD if before >= enough else ClassReason.NATURALS_AFTER_WILD
    return BurracoClass.SEMIPULITO, first


def _natural_run(low: int, size: int, rules: ClassRules) -> Classified:
    if size > _SUIT_CARDS and rules.aa:
        return BurracoClass.AA, ClassReason.ACE_TO_ACE
    if size >= _SUIT_CARDS and rules.reale is not Reale.OFF:
        if low == _LOW_ACE:
            return BurracoClass.REALE, ClassReason.ACE_TO_KING
        if rules.reale is Reale.ANY_THIRTEEN:
            return BurracoClass.REALE, ClassReason.TWO_TO_ACE
    if size >= rules.super_cards and rules.super is Super.SET_OR_RUN:
        return BurracoClass.SUPER, ClassReason.SUPER_RUN
    return _PULITO


def class_of_set(size: int, wilds: int, regolamento: Regolamento) -> Classified:
    """Class of a combinazione of `size` cards of which `wilds` are wild.

    >>> from scoring.regolamento import load_regolamento
    >>> [class_of_set(9, 1, load_regolamento(name))[0].value for name in ("fibur", "fedibur", "fitab")]
    ['semipulito', 'sporco', 'super_sporco']
    """
    rules, naturals = regolamento.classes, size - wilds
    if size < rules.burraco_cards:
        return _SHORT
    if not wilds:
        if naturals >= rules.super_cards and rules.super is not Super.OFF:
            return BurracoClass.SUPER, ClassReason.SUPER_SET
        return _PULITO
    if naturals >= rules.super_cards and rules.super_sporco:
        return BurracoClass.SUPER_SPORCO, ClassReason.SUPER_SET_WITH_WILD
    if rules.semipulito is Semipulito.OFF:
        return BurracoClass.SPORCO, ClassReason.NO_SEMIPULITO
    if naturals < rules.semipulito_naturals:
        return BurracoClass.SPORCO, ClassReason.WILD_IN_SHORT_SET
    return BurracoClass.SEMIPULITO, ClassReason.SET_WITH_WILD
