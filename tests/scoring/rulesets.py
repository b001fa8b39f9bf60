"""Regolamenti the tests play under, by the names the goldens use."""

from __future__ import annotations

from dataclasses import replace

from scoring.classes import Semipulito
from scoring.regolamento import load_regolamento

FIBUR = load_regolamento("fibur")
AT_END = replace(FIBUR, classes=replace(FIBUR.classes, semipulito=Semipulito.WILD_AT_END))
CHEAP_TWO = replace(FIBUR, values=replace(FIBUR.values, natural_two=5))
RULESETS = {
    "fibur": FIBUR,
    "fibur, classes.semipulito = wild_at_end": AT_END,
    "fibur, values.natural_two = 5": CHEAP_TWO,
    "fedibur": load_regolamento("fedibur"),
    "giochi-del-re": load_regolamento("giochi-del-re"),
}
