"""`burraco meld` and `burraco regolamenti`: what a meld is under a regolamento, and which regolamenti there are."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scoring.cards import Card, CardError, cards_text, parse_cards
from scoring.formato import formato_under
from scoring.meld import Meld, read_meld
from scoring.regolamento import (
    Basis,
    PresetFault,
    Regolamento,
    RegolamentoError,
    changed,
    dump_regolamento,
    load_regolamento,
    regolamento_names,
)
from ui.i18n import say, t
from ui.melds import meld_answer, part_said, preset_problem


def chosen_regolamento(
    name: str, lang: str, settings: Sequence[str] = (), players: int | None = None, said: Sequence[int | None] = ()
) -> Regolamento | None:
    """A preset by name or by the path of a TOML file, with fields set by `key=value`; None once errors are printed.

    So many `players`, or those that the sides say they have, bring the packs of their formato; `settings` come last.
    """
    path = Path(name) if name not in regolamento_names() and is_path(name) else None
    try:
        regolamento = load_regolamento(path or name)
    except RegolamentoError as error:
        _print_problems(error, path, lang)
        return None
    try:
        return changed(formato_under(regolamento, players, said).applied(regolamento), settings)
    except RegolamentoError as error:
        _print_problems(error, None, lang)
        return None


def _print_problems(error: RegolamentoError, path: Path | None, lang: str) -> None:
    """All that is wrong with a preset, each with the file it stands in."""
    said = [say(preset_problem(problem), lang) for problem in error.problems]
    if sum(problem.code is PresetFault.MISSING_KEY for problem in error.problems) > 1:
        said.append(t("preset.no_base", lang))
    for what in said:
        print(t("file.whole", lang, path=path, what=what) if path else what, file=sys.stderr)


def is_path(text: str) -> bool:
    """Whether a file lies there."""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # no name that a file can have
        return False


def read_melds(texts: Sequence[str], lang: str) -> list[tuple[Card, ...]] | None:
    """Cards of each meld as typed; None once every word that is no card, and every empty meld, is printed."""
    melds, problems = [], []
    for text in texts:
        try:
            melds.append(parse_cards(text))
        except CardError as error:
            problems += [t("refused.no_card", lang, text=word) for word in error.text.split()]
        else:
            problems += [] if melds[-1] else [t("refused.empty_meld", lang)]
    for problem in problems:
        print(problem, file=sys.stderr)
    return None if problems else melds


def add_meld_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `burraco meld`."""
    parser.add_argument("cards", nargs="+", help='such as "3♥ 4♥ JK 6♥"')
    add_regolamento_arguments(parser)
    parser.add_argument(
        "--crosswise", nargs="+", default=[], metavar="N", help="which cards lie crosswise, the first is 1"
    )
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")


def add_regolamento_arguments(parser: argparse.ArgumentParser) -> None:
    """`--regolamento` and `--set`."""
    parser.add_argument("--regolamento", default="fibur", help="name of a preset, or a TOML file of your own")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="settings",
        metavar="KEY=VALUE",
        help="change one field, such as classes.semipulito=wild_at_end (again for another)",
    )


def meld(args: argparse.Namespace) -> int:
    """Print what a meld is: 0 legal, 1 illegal, 2 unusable input."""
    regolamento = chosen_regolamento(args.regolamento, args.lang, args.settings)
    typed = read_melds([" ".join(args.cards)], args.lang)
    if typed is None:
        return 2
    [cards] = typed
    places = {str(place): place - 1 for place in range(1, len(cards) + 1)}
    outside = [place for place in args.crosswise if place not in places]
    for place in outside:
        print(t("cli.meld.crosswise", args.lang, place=place, count=len(cards)), file=sys.stderr)
    if regolamento is None or outside:
        return 2
    read = read_meld(cards, regolamento)
    answer = meld_answer(read, regolamento, args.lang, {places[place] for place in args.crosswise})
    if args.json:
        print(json.dumps(answer, ensure_ascii=False, indent=1))
    else:
        _print_meld(read, answer, regolamento, args.lang)
    return 0 if read.legal else 1


def _print_meld(read: Meld, answer: dict[str, Any], regolamento: Regolamento, lang: str) -> None:
    verdict = t("cli.meld.legal" if read.legal else "cli.illegal", lang)
    print(f"{cards_text(read.cards)}  {verdict}")
    print(f"  {answer['reason']}")
    if read.legal:
        print(f"  {t('cli.meld.points', lang, points=read.card_points, bonus=read.bonus, total=read.points)}")
    for said in part_said(read, regolamento, lang):
        print(f"  {said}")
    print_questions(answer["questions"])


def print_questions(asked: Iterable[Mapping[str, Any]]) -> None:
    """What a person should decide about a meld, one line each."""
    for question in asked:
        print(f"  ? {question['text']}")


def regolamenti(args: argparse.Namespace) -> int:
    """List the presets with their sources, or print one as TOML."""
    if args.name is None:
        for name in regolamento_names():
            _print_regolamento(load_regolamento(name), args.lang)
        return 0
    regolamento = chosen_regolamento(args.name, args.lang)
    if regolamento is None:
        return 2
    print(dump_regolamento(regolamento), end="")
    return 0


def _print_regolamento(regolamento: Regolamento, lang: str) -> None:
    print(f"{regolamento.name:16} {regolamento.title}")
    if regolamento.counts_as:
        print(f"{'':16} {t('preset.counts_as', lang, base=regolamento.counts_as)}")
    else:
        classes = ", ".join(f"{regolamento.names.of(c)} {regolamento.bonus.of(c)}" for c in regolamento.class_keys)
        sourced = sum(note.basis is Basis.SOURCED for note in regolamento.notes)
        counts = t("preset.line", lang, sourced=sourced, assumed=len(regolamento.notes) - sourced)
        print(f"{'':16} {classes}; {t('preset.formato', lang, formato=regolamento.formato)}; {counts}")
    print(f"{'':16} {t('preset.source', lang, source=regolamento.source, date=regolamento.date)}")
