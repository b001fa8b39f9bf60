"""`burraco score`: melds typed as text; a file goes to `ui.cli_smazzata`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from scoring.formato import formato_for
from scoring.meld import Meld, read_meld
from scoring.regolamento import DEFAULT_REGOLAMENTO
from scoring.sections import Regolamento
from scoring.smazzata import Side, SideMelds, score_smazzata
from ui.cli_rules import chosen_regolamento, is_path, print_questions, read_melds
from ui.faults import fault_messages, meld_faults
from ui.i18n import say, t
from ui.melds import counted_part, part_said, questions, reason, why
from ui.viewmodels import Message

FILE_SUFFIXES = (".toml", ".json", ".txt")


def is_file(text: str) -> bool:
    """Whether an argument means a file and not cards."""
    return text.lower().endswith(FILE_SUFFIXES) or is_path(text)


def score(args: argparse.Namespace) -> int:
    """Score what was given; 1 where it breaks the rules, 2 where it cannot be read."""
    files = [text for text in args.melds if is_file(text)]
    if files and len(args.melds) > 1:
        others = " ".join(text for text in args.melds if text != files[0])
        print(t("cli.one_file", args.lang, seen=others[:80]), file=sys.stderr)
        return 2
    if files:
        from ui.cli_smazzata import score_file

        return score_file(Path(args.melds[0]), args)
    if args.confronta:
        print(t("cli.compare_needs_file", args.lang), file=sys.stderr)
        return 2
    players = asked_players(args.giocatori, args.lang)
    name = args.regolamento or DEFAULT_REGOLAMENTO
    regolamento = chosen_regolamento(name, args.lang, args.settings, players or None)
    typed = read_melds(args.melds, args.lang)
    if regolamento is None or typed is None or players == 0:
        return 2
    melds = [read_meld(cards, regolamento) for cards in typed]
    faults = _table_faults(melds, regolamento)
    if args.json:
        rows = [meld_row(meld, regolamento, args.lang) for meld in melds]
        total = sum(meld.points for meld in melds)
        print(json.dumps({"melds": rows, "total": total, "faults": _codes(faults)}, ensure_ascii=False, indent=1))
    else:
        print_melds(melds, regolamento, args.lang)
        for fault in faults:
            print(f"! {say(fault, args.lang)}")
    return 1 if faults or not all(meld.legal for meld in melds) else 0


def asked_players(text: str | None, lang: str) -> int | None:
    """How many play, as `--giocatori` says; None where it does not, 0 once it is printed why that cannot be."""
    if text is None:
        return None
    try:
        return formato_for(int(text)).players
    except ValueError:  # no number, or DataError: nobody plays in that number
        print(t("cli.no_formato", lang, seen=text[:40]), file=sys.stderr)
        return 0


def _table_faults(melds: Sequence[Meld], regolamento: Regolamento) -> list[Message]:
    """Cards that lie there too often; what is wrong with a meld stands beside it."""
    side = Side(SideMelds(tuple(meld.cards for meld in melds)))
    punteggio = score_smazzata((side, Side(SideMelds())), regolamento)
    messages = fault_messages(punteggio.faults, punteggio, ("", ""), regolamento)
    return [message for message in messages if message.key == "fault.too_many_equal"]


def _codes(messages: Iterable[Message]) -> list[str]:
    return [message.key for message in messages]


def print_melds(melds: Sequence[Meld], regolamento: Regolamento, lang: str) -> None:
    """One line a meld, then the total."""
    print_meld_lines(melds, regolamento, lang)
    print(f"{t('cli.total', lang)}: {sum(meld.points for meld in melds)}")


def print_meld_lines(melds: Sequence[Meld], regolamento: Regolamento, lang: str, indent: str = "") -> None:
    """One line a meld: cards, class and why, points; below it what a person should decide about it."""
    wide = max((len(_text(meld)) for meld in melds), default=0)
    for number, meld in enumerate(melds, start=1):
        print(f"{indent}{number:2}. {_text(meld):{wide}}  {describe(meld, regolamento, lang)}")
        for said in part_said(meld, regolamento, lang):
            print(f"{indent}    {said}")
        print_questions(questions(meld, regolamento, lang))


def describe(meld: Meld, regolamento: Regolamento, lang: str) -> str:
    """What a meld is, why, and what it counts."""
    if meld.reading is None:
        return f"{t('cli.illegal', lang)}: {reason(meld, regolamento, lang)}"
    reading = meld.reading
    name = t(f"kind.{reading.kind.value}", lang)
    if reading.bonus:
        name += f", {t('classe.named', lang, name=reading.name)} ({why(reading, regolamento, lang)})"
    points = f"{meld.card_points} + {meld.bonus} = {meld.points}" if meld.bonus else str(meld.points)
    return f"{name}: {points}"


def meld_row(meld: Meld, regolamento: Regolamento, lang: str) -> dict[str, Any]:
    """A meld for `--json`."""
    reading, part = meld.reading, counted_part(meld, regolamento)
    return {
        "cards": _text(meld),
        "legal": meld.legal,
        "kind": reading.kind.value if reading else None,
        "classe": meld.classe.value,
        "name": (reading.name or None) if reading else None,
        "why": reading.why.value if reading else None,
        "card_points": meld.card_points,
        "bonus": meld.bonus,
        "points": meld.points,
        "countable": part.countable,
        "surplus": [str(card) for card in part.surplus],
        "reason": reason(meld, regolamento, lang),
        "faults": [say(fault, lang) for fault in meld_faults(meld, regolamento)],
        "questions": questions(meld, regolamento, lang),
    }


def _text(meld: Meld) -> str:
    return " ".join(map(str, meld.cards))
