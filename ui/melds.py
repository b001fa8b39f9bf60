"""A meld in words: legal or its faults, class, points, and the one sentence that says why."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial, reduce
from typing import Any

from scoring.cards import cards_text
from scoring.classes import BurracoClass
from scoring.marks import MarkCheck, MarkVerdict, check_marks
from scoring.meld import Meld, MeldQuestion, MeldReading
from scoring.regolamento import PresetFault, PresetProblem, Regolamento
from scoring.surplus import LegalPart, legal_part
from ui.faults import fault_keys, meld_faults, shown
from ui.i18n import say, t
from ui.viewmodels import Message, SideName


def meld_answer(meld: Meld, regolamento: Regolamento, lang: str, crosswise: Collection[int] = ()) -> dict[str, Any]:
    """What `burraco meld --json` prints and the API gives; `crosswise` are places from 0.

    `points` are the cards' alone, `bonus` the burraco's; an illegal meld has neither but `countable`.
    """
    part = counted_part(meld, regolamento)
    return {
        "legal": meld.legal,
        "class": meld.classe.value if meld.legal else None,
        "points": meld.card_points,
        "bonus": meld.bonus,
        "countable": part.countable,
        "surplus": [str(card) for card in part.surplus],
        "faults": fault_keys(meld.faults),
        "reason": reason(meld, regolamento, lang),
        "questions": questions(meld, regolamento, lang, crosswise),
    }


def counted_part(meld: Meld, regolamento: Regolamento) -> LegalPart:
    """What of a meld counts and which cards are left over: all of a legal one, the legal part of any other."""
    return LegalPart(meld.card_points, ()) if meld.legal else legal_part(meld.cards, regolamento)


def part_said(meld: Meld, regolamento: Regolamento, lang: str) -> list[str]:
    """What of an illegal meld would count, and which cards a referee may count negative; nothing of a legal one."""
    if meld.legal:
        return []
    part = counted_part(meld, regolamento)
    said = [t("meld.countable", lang, countable=part.countable)]
    return said + ([t("meld.surplus", lang, cards=cards_text(part.surplus))] if part.surplus else [])


def reason(meld: Meld, regolamento: Regolamento, lang: str) -> str:
    """Why a meld has its class and bonus, in a sentence; or all its faults."""
    if meld.reading:
        return reading_reason(meld.reading, regolamento, lang)
    return " ".join(say(fault, lang) for fault in meld_faults(meld, regolamento))


def reading_reason(reading: MeldReading, regolamento: Regolamento, lang: str) -> str:
    """A reading's class and why: "semipulito: sette carte di fila prima del jolly"."""
    name = reading.name or t(f"kind.{reading.kind.value}", lang)
    return f"{name}: {why(reading, regolamento, lang)}"


def why(reading: MeldReading, regolamento: Regolamento, lang: str) -> str:
    """Why a reading has its class, the one sentence of it: "sette carte di fila prima del jolly"."""
    before, after, wild = reading.naturals_before_wild, reading.naturals_after_wild, reading.wild
    which = "jolly" if wild and wild.card.is_jolly else "pinella"
    return t(
        f"why.{reading.why.value}",
        lang,
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
    message = marks_message(meld, check, regolamento)
    if message:
        text = say(message, lang)
        bonus = max((regolamento.bonus.of(classe) for classe in check.stated), default=0)
        stated_class = check.stated[0].value if check.stated else None
        asked.append(
            _question("marks", stated_class, meld.card_points, bonus, cards_text(meld.cards), text),
        )
    return asked


def marks_message(meld: Meld, check: MarkCheck, regolamento: Regolamento) -> Message | None:
    """What the cards that lie crosswise say of the class, where that is not what was read; else None."""
    if check.verdict not in (MarkVerdict.DISAGREE, MarkVerdict.UNKNOWN):
        return None
    read: SideName = (meld.reading.name if meld.reading else "") or Message("classe.none")
    marked = [_mark(classe, regolamento) for classe in regolamento.class_keys if regolamento.marks.of(classe)]
    marks = reduce(partial(_joined, "meld.mark.then"), marked) if marked else Message("meld.mark.none")
    return Message(
        f"meld.marks_{check.verdict.value}",
        {"stated": " / ".join(check.names), "read": read, "marks": marks},
    )


def _mark(classe: BurracoClass, regolamento: Regolamento) -> Message:
    """Which cards lie crosswise for a class."""
    places = [Message(f"meld.mark.{place}") for place in regolamento.marks.of(classe)]
    cards = reduce(partial(_joined, "meld.mark.and"), places)
    return Message("meld.mark", {"name": regolamento.names.of(classe), "cards": cards})


def _joined(key: str, first: Message, second: Message) -> Message:
    return Message(key, {"first": first, "second": second})


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
    seen = (problem.value or "«»") if isinstance(problem.value, str) else shown(problem.value)
    return Message(
        f"preset.{problem.code.value}", {"field": problem.key, "value": seen[:200], "allowed": problem.allowed}
    )
