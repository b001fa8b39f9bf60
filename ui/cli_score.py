"""`burraco score`: melds typed as text, or a smazzata as JSON, into a ledger."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from scoring.cards import CardError, parse_cards
from scoring.ledger import Punteggio, SideScore
from scoring.meld import Meld, read_meld
from scoring.regolamento import Regolamento
from scoring.smazzata import Side, SideMelds, score_smazzata
from ui.cli_rules import chosen_regolamento
from ui.i18n import say, t
from ui.presenting import fault_messages, meld_faults
from ui.viewmodels import Message


def score(args: argparse.Namespace) -> int:
    """Score what was given; 1 where it breaks the rules, 2 where it cannot be read."""
    if len(args.melds) == 1 and args.melds[0].endswith(".json"):
        return _score_file(Path(args.melds[0]), args)
    regolamento = chosen_regolamento(args.regolamento, args.lang)
    if regolamento is None:
        return 2
    try:
        melds = [read_meld(parse_cards(text), regolamento) for text in args.melds]
    except CardError as error:
        print(t("refused.no_card", args.lang, text=error.text), file=sys.stderr)
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
        name += f", {t(f'classe.{reading.classe.value}', lang)} ({t(f'why.{reading.why.value}', lang)})"
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
        "why": reading.why.value if reading else None,
        "card_points": meld.card_points,
        "bonus": meld.bonus,
        "points": meld.points,
        "faults": [say(fault, lang) for fault in meld_faults(meld)],
    }


def _text(meld: Meld) -> str:
    return " ".join(map(str, meld.cards))


def _score_file(path: Path, args: argparse.Namespace) -> int:
    from pydantic import ValidationError

    from ui.api.bodies import ScoreBody

    try:
        body = ScoreBody.model_validate_json(path.read_text(encoding="utf-8"))
        sides = body.sides[0].value(), body.sides[1].value()
    except (OSError, UnicodeDecodeError):
        print(t("cli.no_file", args.lang, path=path), file=sys.stderr)
        return 2
    except ValidationError as error:
        first = error.errors()[0]
        why = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        print(t("cli.bad_json", args.lang, path=path, why=why), file=sys.stderr)
        return 2
    except ValueError as error:
        print(t("cli.bad_json", args.lang, path=path, why=error), file=sys.stderr)
        return 2
    regolamento = chosen_regolamento(body.regolamento, args.lang)
    if regolamento is None:
        return 2
    punteggio = score_smazzata(sides, regolamento)
    faults = fault_messages(punteggio.faults, punteggio, body.names)
    if args.json:
        print(json.dumps(_punteggio(punteggio, faults, args.lang), ensure_ascii=False, indent=1))
    else:
        for name, side in zip(body.names, punteggio.sides, strict=True):
            _print_side(name, side, args.lang)
        for fault in faults:
            print(f"! {say(fault, args.lang)}")
    return 1 if faults else 0


def _print_side(name: str, side: SideScore, lang: str) -> None:
    print(name)
    for meld in side.melds:
        print(f"    {_text(meld)}  {describe(meld, lang)}")
    for voce in side.voci:
        print(f"  {t(f'reason.{voce.reason.value}', lang):32} {voce.points:6}")
    summary = f"{t('cli.base', lang)} {side.base}, {t('cli.carte', lang)} {side.carte}"
    print(f"  {t('cli.total', lang) + ' (' + summary + ')':32} {side.total:6}")


def _punteggio(punteggio: Punteggio, faults: Iterable[Message], lang: str) -> dict[str, Any]:
    sides = [
        {
            "base": side.base,
            "carte": side.carte,
            "total": side.total,
            "voci": [
                {"reason": voce.reason.value, "points": voce.points, "cards": " ".join(map(str, voce.cards))}
                for voce in side.voci
            ],
            "melds": [meld_row(meld, lang) for meld in side.melds],
        }
        for side in punteggio.sides
    ]
    return {"sides": sides, "faults": [{"code": f.key, "message": say(f, lang)} for f in faults]}
