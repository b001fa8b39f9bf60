"""`burraco score FILE`: a smazzata from a file into a ledger, and what it would score under other rules."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from scoring.datafile import DataError
from scoring.formato import Formato, formato_for, load_formato, shares
from scoring.ledger import Punteggio, SideScore
from scoring.regolamento import DEFAULT_REGOLAMENTO, Regolamento, load_regolamento, regolamento_names
from scoring.sections import ClassNames
from scoring.smazzata import score_smazzata
from scoring.smazzata_file import SmazzataFile, SmazzataFileError, parse_smazzata
from scoring.smazzata_text import FileFault
from scoring.whatif import WhatIf, what_if
from ui.cli_rules import chosen_regolamento
from ui.cli_score import describe, meld_row
from ui.faults import fault_messages
from ui.i18n import say, t
from ui.reasons import differing_text, what_if_text, why_voce
from ui.viewmodels import Message

KINDS = {".toml": "toml", ".json": "json"}


def score_file(path: Path, args: argparse.Namespace) -> int:
    """Score a file; 0 in order, 1 with faults (the ledger is printed all the same), 2 where it cannot be read."""
    file = _read(path, args.lang)
    if file is None:
        return 2
    name = args.regolamento or file.regolamento or DEFAULT_REGOLAMENTO
    regolamento = chosen_regolamento(name, args.lang, args.settings)
    if regolamento is None:
        return 2
    try:
        players = int(args.giocatori) if args.giocatori else file.players
    except ValueError:
        print(t("cli.no_formato", args.lang, seen=args.giocatori), file=sys.stderr)
        return 2
    formato = _formato(players, regolamento, len(file.sides), args.lang)
    if formato is None:
        return 2
    regolamento = formato.applied(regolamento) if players else regolamento
    file = _with_players(file, formato)
    punteggio = score_smazzata(file.sides, regolamento, file.end)
    faults = fault_messages(punteggio.faults, punteggio, file.names)
    others = map(load_regolamento, regolamento_names()) if args.confronta else ()
    answers = what_if(file.sides, regolamento, others, file.end)
    if args.json:
        row = _row(file, punteggio, faults, answers, regolamento.names, args.lang)
        print(json.dumps(row, ensure_ascii=False, indent=1))
    else:
        _print(file, punteggio, faults, answers, regolamento.names, args.lang)
        _print_shares(file, punteggio, formato, regolamento, args.lang)
    return 1 if faults else 0


def _read(path: Path, lang: str) -> SmazzataFile | None:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError):
        print(t("cli.no_file", lang, path=path), file=sys.stderr)
        return None
    try:
        return parse_smazzata(text, KINDS.get(path.suffix.lower(), "text"))
    except SmazzataFileError as error:
        for fault in error.faults:
            print(file_fault(path, fault, lang), file=sys.stderr)
        return None


def file_fault(path: Path, fault: FileFault, lang: str) -> str:
    """One sentence: where, what stood there, what was expected."""
    what = t(f"file.{fault.code.value}", lang, seen=fault.seen, other=fault.other)
    if isinstance(fault.where, int):
        return t("file.line", lang, path=path, line=fault.where, what=what)
    return t("file.place" if fault.where else "file.whole", lang, path=path, place=fault.where, what=what)


def _formato(players: int | None, regolamento: Regolamento, sides: int, lang: str) -> Formato | None:
    """The formato asked for, else the regolamento's own; None, with a sentence, where the sides do not fit."""
    try:
        formato = formato_for(players) if players is not None else load_formato(regolamento.formato)
    except DataError:
        print(t("cli.no_formato", lang, seen=players), file=sys.stderr)
        return None
    allowed = {len(formato.sides), *((formato.players,) if formato.halves else ())}
    if sides in allowed:
        return formato
    wanted = f" {t('cli.or', lang)} ".join(map(str, sorted(allowed)))
    print(t("cli.formato_sides", lang, players=formato.players, wanted=wanted, seen=sides), file=sys.stderr)
    return None


def _with_players(file: SmazzataFile, formato: Formato) -> SmazzataFile:
    """Each side with as many players as the formato has there; one each where everyone plays alone."""
    if not formato.halves and len(set(formato.sides)) == 1 and formato.sides[0] == 2:
        return file  # two players a side is what a file says unless it says otherwise
    alone = len(file.sides) != len(formato.sides)
    sizes = (1,) * len(file.sides) if alone else formato.sides
    sides = tuple(replace(side, players=size) for side, size in zip(file.sides, sizes, strict=True))
    return replace(file, sides=sides)


def _print(
    file: SmazzataFile,
    punteggio: Punteggio,
    faults: Iterable[Message],
    answers: Sequence[WhatIf],
    names: ClassNames,
    lang: str,
) -> None:
    for name, side in zip(file.names, punteggio.sides, strict=True):
        _print_side(name, side, names, lang)
    for fault in faults:
        print(f"! {say(fault, lang)}")
    if answers:
        print(t("cli.compare", lang))
        wide = max(len(answer.regolamento.name) for answer in answers)
        for answer in answers:
            differing = differing_text(answer, file.names, lang)
            more = f"  ({differing})" if differing else ""
            print(f"  {answer.regolamento.name:{wide}}  {what_if_text(answer, file.names, lang)}{more}")


def _print_side(name: str, side: SideScore, names: ClassNames, lang: str) -> None:
    print(name)
    for number, meld in enumerate(side.melds, start=1):
        print(f"  {number:2}. {' '.join(map(str, meld.cards))}  {describe(meld, lang)}")
    for in_base, key in ((True, "cli.base"), (False, "cli.carte")):
        for voce in side.voci:
            if voce.reason.in_base is in_base:
                why = why_voce(voce, lang, side.melds, names)
                print(f"  {t(f'reason.{voce.reason.value}', lang):32} {voce.points:6}  {why}")
        print(f"  {t(key, lang):32} {side.base if in_base else side.carte:6}")
    print(f"  {t('cli.total', lang):32} {side.total:6}")


def _print_shares(
    file: SmazzataFile, punteggio: Punteggio, formato: Formato, regolamento: Regolamento, lang: str
) -> None:
    """What each of a pair gets, where a total is halved: the first side is the one who plays alone."""
    if not formato.halves or len(file.sides) != len(formato.sides):
        return
    seating, first = [], 0
    for size in formato.sides:
        seating.append(tuple(range(first, first + size)))
        first += size
    points = shares(punteggio.totals, tuple(seating), formato.players, regolamento.match.half)
    for name, side in zip(file.names, seating, strict=True):
        if len(side) > 1:
            print(f"{name}: {points[side[0]]} {t('cli.each_of_pair', lang)}")


def _row(
    file: SmazzataFile,
    punteggio: Punteggio,
    faults: Iterable[Message],
    answers: Sequence[WhatIf],
    names: ClassNames,
    lang: str,
) -> dict[str, Any]:
    row: dict[str, Any] = {
        "sides": [
            {
                "name": name,
                "base": side.base,
                "carte": side.carte,
                "total": side.total,
                "voci": [
                    {
                        "reason": voce.reason.value,
                        "in_base": voce.reason.in_base,
                        "points": voce.points,
                        "cards": " ".join(map(str, voce.cards)),
                        "why": why_voce(voce, lang, side.melds, names),
                    }
                    for voce in side.voci
                ],
                "melds": [meld_row(meld, lang) for meld in side.melds],
            }
            for name, side in zip(file.names, punteggio.sides, strict=True)
        ],
        "faults": [{"code": fault.key, "message": say(fault, lang)} for fault in faults],
    }
    if answers:
        row["under"] = [
            {
                "regolamento": answer.regolamento.name,
                "playable": answer.playable.value,
                "totals": list(answer.punteggio.totals) if answer.punteggio else None,
                "text": what_if_text(answer, file.names, lang),
            }
            for answer in answers
        ]
    return row
