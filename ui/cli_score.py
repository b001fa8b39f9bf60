"""`burraco score`: melds typed as text; a file goes to `ui.cli_smazzata`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from scoring.cards import CardError, parse_cards
from scoring.meld import Meld, read_meld
from scoring.regolamento import DEFAULT_REGOLAMENTO
from scoring.sections import Regolamento
from scoring.smazzata import Side, SideMelds, score_smazzata
from ui.cli_rules import chosen_regolamento
from ui.faults import fault_messages, meld_faults
from ui.i18n import say, t
from ui.viewmodels import Message

FILE_SUFFIXES = (".toml", ".json", ".txt")


def is_file(text: str) -> bool:
    """Whether an argument means a file and not cards."""
    return text.lower().endswith(FILE_SUFFIXES) or Path(text).is_file()


def score(args: argparse.Namespace) -> int:
    """Score what was given; 1 where it breaks the rules, 2 where it cannot be read."""
    if len(args.melds) == 1 and is_file(args.melds[0]):
        from ui.cli_smazzata import score_file

        return score_file(Path(args.melds[0]), args)
    regolamento = chosen_regolamento(args.regolamento or DEFAULT_REGOLAMENTO, args.lang, args.settings)
    if regolamento is None:
        return 2
    try:
        melds = [read_meld(parse_cards(text), regolamento) for text in args.melds]
    except CardError as error:
        print(t("refused.no_card", args.lang, text=error.text), file=sys.stderr)
        return 2
    if not all(meld.cards for meld in melds):
        print(t("refused.empty_meld", args.lang), file=sys.stderr)
        return 2
    faults = _table_faults(melds, regolamento)
    if args.json:
        rows = [meld_row(meld, args.lang) for meld in melds]
        total = sum(meld.points for meld in melds)
        print(json.dumps({"melds": rows, "total": total, "faults": _codes(faults)}, ensure_ascii=False, indent=1))
    else:
        print_melds(melds, args.lang)
        for fault in faults:
            print(f"! {say(fault, args.lang)}")
    return 1 if faults or not all(meld.legal for meld in melds) else 0


def _table_faults(melds: Sequence[Meld], regolamento: Regolamento) -> list[Message]:
    """Cards that lie there too often; what is wrong with a meld stands beside it."""
    side = Side(SideMelds(tuple(meld.cards for meld in melds)))
    punteggio = score_smazzata((side, Side(SideMelds())), regolamento)
    messages = fault_messages(punteggio.faults, punteggio, ("", ""))
    return [message for message in messages if message.key == "fault.too_many_equal"]


def _codes(messages: Iterable[Message]) -> list[str]:
    return [message.key for message in messages]


def print_melds(melds: Sequence[Meld], lang: str) -> None:
    """One line a meld: cards, class and why, points; then the total."""
    wide = max((len(_text(meld)) for meld in melds), default=0)
    for number, meld in enumerate(melds, start=1):
        print(f"{number:2}. {_text(meld):{wide}}  {describe(meld, lang)}")
    print(f"{t('cli.total', lang)}: {sum(meld.points for meld in melds)}")


def describe(meld: Meld, lang: str) -> str:
    """What a meld is, why, and what it counts."""
    if meld.reading is None:
        return f"{t('cli.illegal', lang)}: " + " ".join(say(fault, lang) for fault in meld_faults(meld))
    reading = meld.reading
    name = t(f"kind.{reading.kind.value}", lang)
    if reading.bonus:
        name += f", {t('classe.named', lang, name=reading.name)} ({t(f'why.{reading.why.value}', lang)})"
    points = f"{meld.card_points} + {meld.bonus} = {meld.points}" if meld.bonus else str(meld.points)
    return f"{name}: {points}"


def meld_row(meld: Meld, lang: str) -> dict[str, Any]:
    """A meld for `--json`."""
    reading = meld.reading
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
        "faults": [say(fault, lang) for fault in meld_faults(meld)],
    }


def _text(meld: Meld) -> str:
    return " ".join(map(str, meld.cards))
