"""`burraco score FILE`: a smazzata from a file into a ledger, and what it would score under other rules."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scoring.formato import Points
from scoring.ledger import WANTING_FAULTS, Punteggio, SideScore
from scoring.regolamento import DEFAULT_REGOLAMENTO, Regolamento, load_regolamento, regolamento_names
from scoring.smazzata import score_smazzata
from scoring.smazzata_file import SmazzataFile, SmazzataFileError, parse_smazzata
from scoring.smazzata_text import FileFault
from scoring.whatif import WhatIf, what_if
from ui.cli_rules import chosen_regolamento
from ui.cli_score import asked_players, meld_row, print_meld_lines
from ui.errors import ServiceError
from ui.faults import assumed, fault_messages
from ui.i18n import points_text, say, t
from ui.reasons import differing_text, each_under, pair_shares, what_if_text, why_voce
from ui.seats import Seats, seats_of
from ui.viewmodels import Message

KINDS = {".toml": "toml", ".json": "json"}
MOST_BYTES, MOST_FAULTS = 1_000_000, 40


def score_file(path: Path, args: argparse.Namespace) -> int:
    """Score a file; 0 in order, 1 with faults (the ledger is printed all the same), 2 where it cannot be read."""
    file, whole = _read(path, args.lang)
    if file is None:
        return 2
    asked = asked_players(args.giocatori, args.lang)
    players = file.players if asked is None else asked or None
    name = args.regolamento or _beside(path, file.regolamento) or DEFAULT_REGOLAMENTO
    regolamento = chosen_regolamento(name, args.lang, args.settings, players, file.said)
    if regolamento is None or asked == 0:
        return 2
    try:
        seats = seats_of(regolamento, players, file.said)
    except ServiceError as error:
        if whole or players:  # else the line that says how many play may be what could not be read
            print(say(error.message, args.lang), file=sys.stderr)
        return 2
    file = replace(file, sides=seats.seated(file.sides))
    punteggio = score_smazzata(file.sides, regolamento, file.end, seats.formato)
    known = punteggio.faults if whole else [f for f in punteggio.faults if f.code not in WANTING_FAULTS]
    faults = fault_messages(known, punteggio, file.names, regolamento)
    if not whole:
        for fault in faults:
            print(t("file.whole", args.lang, path=path, what=say(fault, args.lang)), file=sys.stderr)
        return 2
    others = map(load_regolamento, regolamento_names()) if args.confronta else ()
    answers = what_if(file.sides, regolamento, others, file.end, seats.formato)
    remarks = assumed(file.unsaid, file.sides, file.end, file.names, regolamento)
    scored = _Scored(file, regolamento, punteggio, seats, faults, remarks, answers)
    if args.json:
        print(json.dumps(_row(scored, args.lang), ensure_ascii=False, indent=1))
    else:
        _print(scored, args.lang)
    return 1 if faults else 0


@dataclass(frozen=True, slots=True)
class _Scored:
    """A file and all that was found about it."""

    file: SmazzataFile
    regolamento: Regolamento
    punteggio: Punteggio
    seats: Seats
    faults: Sequence[Message]
    remarks: Sequence[Message]
    answers: Sequence[WhatIf]

    @property
    def each(self) -> Sequence[Points | None]:
        """What each player of a side gets; None where nobody halves."""
        return self.seats.each(self.punteggio.totals, self.regolamento) or [None] * len(self.file.sides)


def _read(path: Path, lang: str) -> tuple[SmazzataFile | None, bool]:
    """What a file says, and whether all of it could be read; else what is wrong with it is printed."""
    try:
        if path.stat().st_size > MOST_BYTES:
            print(t("cli.too_large", lang, path=path, limit=MOST_BYTES // 1000), file=sys.stderr)
            return None, False
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        print(t("cli.not_utf8", lang, path=path), file=sys.stderr)
        return None, False
    except (OSError, ValueError):
        print(t("cli.no_file", lang, path=path), file=sys.stderr)
        return None, False
    try:
        return parse_smazzata(text, KINDS.get(path.suffix.lower(), "text")), True
    except SmazzataFileError as error:
        for fault in error.faults[:MOST_FAULTS]:
            print(file_fault(path, fault, lang), file=sys.stderr)
        if len(error.faults) > MOST_FAULTS:
            print(t("cli.more_faults", lang, count=len(error.faults) - MOST_FAULTS), file=sys.stderr)
        return error.partial, False


def _beside(path: Path, name: str | None) -> str | None:
    """A preset of one's own that a file names is sought beside that file, wherever the command is typed."""
    return str(path.parent / name) if name and name.endswith(".toml") else name


def file_fault(path: Path, fault: FileFault, lang: str) -> str:
    """One sentence: where, what stood there, what was expected."""
    other = t("file.at_line", lang, line=fault.other) if fault.other.isdecimal() else fault.other
    what = t(f"file.{fault.code.value}", lang, seen=fault.seen, other=other)
    if isinstance(fault.where, int):
        return t("file.line", lang, path=path, line=fault.where, what=what)
    return t("file.place" if fault.where else "file.whole", lang, path=path, place=fault.where, what=what)


def _print(scored: _Scored, lang: str) -> None:
    file, regolamento, answers = scored.file, scored.regolamento, scored.answers
    print(t("cli.by_rules", lang, title=regolamento.title))
    for name, side in zip(file.names, scored.punteggio.sides, strict=True):
        _print_side(name, side, regolamento, lang)
    shares = pair_shares(scored.punteggio.totals, scored.seats, regolamento, lang)
    for name, share in zip(file.names, shares, strict=True):
        if share:
            print(f"{name}: {share}")
    for fault in scored.faults:
        print(f"! {say(fault, lang)}")
    for remark in scored.remarks:
        print(f"? {say(remark, lang)}")
    if answers:
        print(t("cli.compare", lang))
        wide = max(len(answer.regolamento.name) for answer in answers)
        for answer in answers:
            differing = differing_text(answer, file.names, lang)
            more = f"  ({differing})" if differing else ""
            print(f"  {answer.regolamento.name:{wide}}  {what_if_text(answer, file.names, lang, scored.seats)}{more}")


def _print_side(name: str, side: SideScore, regolamento: Regolamento, lang: str) -> None:
    print(name)
    print_meld_lines(side.melds, regolamento, lang, indent="  ")
    for in_base, key in ((True, "cli.base"), (False, "cli.carte")):
        for voce in side.voci:
            if voce.reason.in_base is in_base:
                why = why_voce(voce, lang, side.melds, regolamento)
                print(f"  {t(f'reason.{voce.reason.value}', lang):32} {points_text(voce.points):>6}  {why}")
        print(f"  {t(key, lang):32} {points_text(side.base if in_base else side.carte):>6}")
    print(f"  {t('cli.total', lang):32} {points_text(side.total):>6}")


def _row(scored: _Scored, lang: str) -> dict[str, Any]:
    file, regolamento = scored.file, scored.regolamento
    sides = zip(file.names, scored.punteggio.sides, scored.seats.players, scored.each, strict=True)
    row: dict[str, Any] = {
        "regolamento": regolamento.name,
        "sides": [
            {
                "name": name,
                "players": players,
                "base": side.base,
                "carte": side.carte,
                "total": side.total,
                "each": each,
                "voci": [
                    {
                        "reason": voce.reason.value,
                        "in_base": voce.reason.in_base,
                        "points": voce.points,
                        "cards": " ".join(map(str, voce.cards)),
                        "why": why_voce(voce, lang, side.melds, regolamento),
                    }
                    for voce in side.voci
                ],
                "melds": [meld_row(meld, regolamento, lang) for meld in side.melds],
            }
            for name, side, players, each in sides
        ],
        "faults": [{"code": fault.key, "message": say(fault, lang)} for fault in scored.faults],
        "remarks": [{"code": remark.key, "message": say(remark, lang)} for remark in scored.remarks],
    }
    if scored.answers:
        row["under"] = [
            {
                "regolamento": answer.regolamento.name,
                "playable": answer.playable.value,
                "totals": list(answer.punteggio.totals) if answer.punteggio else None,
                "each": list(each) if (each := each_under(answer, scored.seats)) else None,
                "text": what_if_text(answer, file.names, lang, scored.seats),
            }
            for answer in scored.answers
        ]
    return row
