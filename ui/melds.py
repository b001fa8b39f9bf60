"""A meld in words: legal or its faults, class, points, and the one sentence that says why."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from scoring.cards import cards_text
from scoring.marks import MarkVerdict, check_marks
from scoring.meld import Meld, MeldQuestion, MeldReading
from scoring.regolamento import PresetFault, PresetProblem, Regolamento
from scoring.surplus import legal_part
from ui.faults import meld_faults
from ui.i18n import say, t
from ui.viewmodels import Message


def meld_answer(meld: Meld, regolamento: Regolamento, lang: str, crosswise: Collection[int] = ()) -> dict[str, Any]:
    """What `burraco meld --json` prints and the API gives; `crosswise` are places from 0.

    `points` are the cards' alone, `bonus` the burraco's; an illegal meld has neither but `countable`.
    """
    part = legal_part(meld.cards, regolamento) if not meld.legal else None
    return {
        "legal": meld.legal,
        "class": meld.classe.value if meld.legal else None,
        "points": meld.card_points,
        "bonus": meld.bonus,
        "countable": part.countable if part else meld.card_points,
        "surplus": [str(card) for card in part.surplus] if part else [],
        "faults": [fault.key.partition(".")[2] for fault in meld_faults(meld)],
        "reason": reason(meld, regolamento, lang),
        "questions": questions(meld, regolamento, lang, crosswise),
    }


def reason(meld: Meld, regolamento: Regolamento, lang: str) -> str:
    """Why a meld has its class and bonus, in a sentence; or all its faults."""
    if meld.reading:
        return reading_reason(meld.reading, regolamento, lang)
    return " ".join(say(fault, lang) for fault in meld_faults(meld))


def reading_reason(reading: MeldReading, regolamento: Regolamento, lang: str) -> str:
    """Why this reading has its class: "semipulito: sette carte di fila prima del jolly"."""
    before, after, wild = reading.naturals_before_wild, reading.naturals_after_wild, reading.wild
    which = "jolly" if wild and wild.card.is_jolly else "pinella"
    return t(
        f"meld.why.{reading.why.value}",
        lang,
        name=regolamento.names.of(reading.classe) or t(f"kind.{reading.kind.value}", lang),
        count=_number(len(reading.places), lang),
        naturals=_number(before + after, lang),
        before=_number(before, lang),
        after=_number(after, lang),
        longest=_number(max(before, after), lang),
        enough=_number(regolamento.classes.semipulito_naturals, lang),
        needed=_number(regolamento.classes.burraco_cards, lang),
        the_wild=t(f"meld.the_{which}", lang),
        of_wild=t(f"meld.of_{which}", lang),
    )


def _number(number: int, lang: str) -> str:
    """A number in words as far as the catalogue counts."""
    words = t("meld.numbers", lang).split()
    return words[number] if number < len(words) else str(number)


def questions(meld: Meld, regolamento: Regolamento, lang: str, crosswise: Collection[int] = ()) -> list[dict[str, Any]]:
    """What a person should decide: each other class or total with its points; never chosen silently."""
    asked = [_other(MeldQuestion.OTHER_READING, other, regolamento, lang) for other in meld.alternatives]
    if meld.unclear:
        asked.append(_other(MeldQuestion.UNCLEAR_RULE, meld.unclear, regolamento, lang))
    if MeldQuestion.PAST_THE_ACE in meld.questions and meld.reading:
        asked.append(_other(MeldQuestion.PAST_THE_ACE, meld.reading, regolamento, lang))
    check = check_marks(meld, crosswise, regolamento)
    if check.verdict in (MarkVerdict.DISAGREE, MarkVerdict.UNKNOWN):
        stated = ", ".join(regolamento.names.of(classe) for classe in check.stated)
        text = t(f"meld.marks_{check.verdict.value}", lang, stated=stated, read=_class_name(meld, regolamento, lang))
        bonus = max((regolamento.bonus.of(classe) for classe in check.stated), default=0)
        stated_class = check.stated[0].value if check.stated else None
        asked.append(
            _question("marks", stated_class, meld.card_points, bonus, cards_text(meld.cards), text),
        )
    return asked


def _class_name(meld: Meld, regolamento: Regolamento, lang: str) -> str:
    return regolamento.names.of(meld.classe) or t("classe.none", lang)


def _other(code: MeldQuestion, other: MeldReading, regolamento: Regolamento, lang: str) -> dict[str, Any]:
    order = cards_text(other.cards)
    text = t(
        f"meld.ask_{code.value}",
        lang,
        cards=order,
        points=other.points,
        why=reading_reason(other, regolamento, lang),
    )
    return _question(code.value, other.classe.value, other.card_points, other.bonus, order, text)


def _question(code: str, classe: str | None, points: int, bonus: int, cards: str, text: str) -> dict[str, Any]:
    return {"question": code, "class": classe, "points": points, "bonus": bonus, "cards": cards, "text": text}


def preset_problem(problem: PresetProblem) -> Message:
    """One thing wrong with a preset as a message: which key, what stood there, what is allowed."""
    if problem.code is PresetFault.UNKNOWN_NAME:
        return Message("invalid.preset", {"name": str(problem.value)[:40], "known": problem.allowed})
    seen = str(problem.value)
    return Message(
        f"preset.{problem.code.value}",
        {
            "field": problem.key,
            "value": (seen.lower() if isinstance(problem.value, bool) else seen)[:200],
            "allowed": problem.allowed,
        },
    )
