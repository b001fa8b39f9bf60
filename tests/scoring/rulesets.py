"""Regolamenti the tests play under, by the names the goldens use: a preset, or a preset and what is changed in it."""

from __future__ import annotations

from functools import cache

from scoring.regolamento import Regolamento, changed, load_regolamento, regolamento_names

AT_END_NAME = "fibur, classes.semipulito = wild_at_end"
CHEAP_TWO_NAME = "fibur, values.natural_two = 5"
OTHERS = (
    AT_END_NAME,
    CHEAP_TWO_NAME,
    "fibur, deck.packs = 3",
    "wikipedia, classes.super = set_or_run, classes.reale = ace_to_king, classes.semipulito = contiguous7",
    "buraco-fechado, classes.aa = false, classes.reale_sporco = true, classes.semipulito = wild_at_end",
)


@cache
def ruleset(name: str) -> Regolamento:
    preset, *settings = name.split(", ")
    return changed(load_regolamento(preset), settings)


def _distinct() -> dict[str, Regolamento]:
    """Presets that count melds alike appear once: what differs in a closing or a match is no business of a meld."""
    found: dict[str, Regolamento] = {}
    kept = set()
    for name, rules in RULESETS.items():
        classes = tuple((c, rules.bonus.of(c)) for c in rules.class_keys)
        key = (rules.deck, rules.values, rules.classes, rules.runs, rules.sets, rules.wilds, classes)
        if key not in kept:
            kept.add(key)
            found[name] = rules
    return found


FIBUR = ruleset("fibur")
AT_END = ruleset(AT_END_NAME)
CHEAP_TWO = ruleset(CHEAP_TWO_NAME)
RULESETS = {name: ruleset(name) for name in ("fibur", *regolamento_names(), *OTHERS)}
MELD_RULESETS = _distinct()
