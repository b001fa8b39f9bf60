"""`burraco scan`: one photo through the whole line, in this process."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.marks import MarkVerdict, check_marks
from scoring.meld import read_meld
from ui.cli_rules import chosen_regolamento
from ui.cli_score import print_melds
from ui.i18n import say, t
from ui.melds import marks_message

if TYPE_CHECKING:
    from scoring.regolamento import Regolamento
    from vision.line import TableReader
    from vision.reading import TableReading


def scan(args: argparse.Namespace) -> int:
    """Read the photo and print it; 2 where photo, preset or networks cannot be used."""
    regolamento = chosen_regolamento(args.regolamento, args.lang)
    if regolamento is None:
        return 2
    try:
        data = args.photo.read_bytes()
    except OSError:
        print(t("cli.no_file", args.lang, path=args.photo), file=sys.stderr)
        return 2
    from vision.photo import PhotoError, load_photo

    try:
        photo = load_photo(data)
    except PhotoError as error:
        print(t(f"photo.{error.code.value}", args.lang), file=sys.stderr)
        return 2
    reader = _reader(args)
    if reader is None:
        return 2
    reading = reader.read(photo, regolamento)
    if args.out is not None:
        from vision.annotate import annotated_jpeg

        if not _written(args.out, annotated_jpeg(photo.image_rgb, reading), args.lang):
            return 2
    if args.json:
        print(reading.to_json())
    else:
        _print(reading, regolamento, args.lang)
    from vision.quality import advice

    if found := advice(photo, reading):
        print(t(f"scan.{found.trouble.value}", args.lang, **found.numbers), file=sys.stderr)
    return 0


def _reader(args: argparse.Namespace) -> TableReader | None:
    from vision.detector import DetectorError
    from vision.line import TableReader

    try:
        if args.detector == "ultralytics":
            return TableReader.with_ultralytics(args.weights or args.models / "index.pt", args.models)
        return TableReader(args.models)
    except DetectorError as error:
        print(no_reader(error, args.models, args.lang), file=sys.stderr)
    return None


def no_reader(error: Exception, models: Path, lang: str) -> str:
    """Why photos cannot be read: a package is missing, or the networks are."""
    if isinstance(error.__cause__, ImportError):
        return t("cli.needs_train", lang)
    return t("cli.no_reader", lang, path=models)


def _written(path: Path, data: bytes, lang: str) -> bool:
    try:
        path.write_bytes(data)
    except OSError:
        print(t("cli.not_written", lang, path=path), file=sys.stderr)
        return False
    return True


def _print(reading: TableReading, regolamento: Regolamento, lang: str) -> None:
    if not reading.cards:
        return
    print(regolamento.title)
    melds = [read_meld(meld.faces, regolamento) for meld in reading.melds]
    print_melds(melds, regolamento, lang)
    for number, (meld, seen) in enumerate(zip(melds, reading.melds, strict=True), start=1):
        check = check_marks(meld, seen.crosswise, regolamento)
        if check.verdict is MarkVerdict.DISAGREE and (message := marks_message(meld, check, regolamento)):
            print(f"? {number}. {say(message, lang)}")
    if reading.loose:
        print(f"{t('cli.loose', lang)}: {' '.join(str(card.card) for card in reading.loose)}")
    from vision.table import DoubtKind

    for doubt in reading.doubts:
        if doubt.kind is DoubtKind.UNREAD and doubt.meld is not None:
            answers = t("cli.unread", lang, meld=doubt.meld + 1)
        else:
            answers = f" {t('cli.or', lang)} ".join(" ".join(map(str, answer.cards)) for answer in doubt.answers)
        stake = t("cli.at_stake", lang, points=doubt.points_at_stake)
        print(f"{t('cli.doubts', lang)}: {answers} ({stake})")
