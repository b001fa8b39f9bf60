"""`burraco matches|save|load`: one match out of the data folder, or into it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ui.cli_store import StoreCommand, add_place_arguments, guarded, lacks_folder, settings_of
from ui.i18n import t

if TYPE_CHECKING:
    from ui.archive import Archive

_SUFFIXES = (".json", ".csv", ".pdf", ".png")


@contextmanager
def _archive(args: argparse.Namespace) -> Iterator[Archive]:
    from ui.archive import Archive

    archive = Archive(settings_of(args))
    try:
        yield archive
    finally:
        archive.close()


def _matches(args: argparse.Namespace) -> int:
    with _archive(args) as archive:
        matches = archive.matches()
    for match in matches:
        names = " – ".join(f"{name} {total:g}" for name, total in zip(match.names, match.totals, strict=True))
        print(f"{match.id}  {match.updated_at[:16].replace('T', ' ')}  {names}")
    if not matches:
        print(t("matches.none", args.lang))
    return 0


def _save_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Write a match into a file: .json (all of it), .csv, .pdf (the sheet to sign), .png."
    parser.add_argument("match", help="its id, as `burraco matches` lists it")
    parser.add_argument("file", type=Path)
    parser.add_argument("--with-photos", action="store_true", help=".json: with the photos")
    parser.add_argument("--ledgers", action="store_true", help=".csv: every line of the ledgers, not the totals")
    parser.add_argument("--smazzata", type=int, metavar="N", help=".json: this smazzata only, for `burraco score`")
    add_place_arguments(parser)


def _save(args: argparse.Namespace) -> int:
    suffix = args.file.suffix.lower()
    if suffix not in _SUFFIXES:
        print(t("save.kind", args.lang), file=sys.stderr)
        return 2
    if lacks_folder(args.file, args.lang):
        return 2
    with _archive(args) as archive:
        content: str | bytes
        if suffix == ".pdf":
            content = archive.export_pdf(args.match, args.lang)
        elif suffix == ".png":
            content = archive.export_png(args.match, args.lang)
        elif suffix == ".csv":
            content = archive.export_csv(args.match, args.lang, args.ledgers)
        elif args.smazzata is not None:
            content = archive.export_smazzata(args.match, args.smazzata)
        else:
            content = archive.export_json(args.match, args.with_photos)
    args.file.write_bytes(content.encode() if isinstance(content, str) else content)
    print(t("save.made", args.lang, path=args.file))
    return 0


def _load_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Take a match in: the .json of `burraco save`, or a .csv of totals with a name over each column."
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--copy", action="store_true", help=".json: make it a match of its own")
    parser.add_argument("--regolamento", default="", help=".csv: by which preset")
    parser.add_argument("--target", type=int, default=0, help=".csv: played to")
    parser.add_argument("--formato", help=".csv: how many play")
    add_place_arguments(parser)


def _load(args: argparse.Namespace) -> int:
    from ui.viewmodels import NewMatch

    if not args.file.is_file():
        print(t("cli.no_file", args.lang, path=args.file), file=sys.stderr)
        return 2
    data = args.file.read_bytes()
    with _archive(args) as archive:
        if args.file.suffix.lower() == ".csv":
            new = NewMatch((), args.regolamento, args.target, formato=args.formato)
            view = archive.import_totals(data.decode("utf-8-sig"), new, args.lang)
        else:
            view = archive.import_match(data, args.copy)
    totals = " – ".join(f"{total:g}" for total in view.totals)
    print(t("load.made", args.lang, match=view.id, names=" – ".join(view.names), totals=totals))
    return 0


EXCHANGE_COMMANDS = (
    StoreCommand("matches", "list the matches that are kept", add_place_arguments, guarded(_matches)),
    StoreCommand("save", "write a match into a file (.json, .csv, .pdf, .png)", _save_arguments, guarded(_save)),
    StoreCommand("load", "take a match in from a file (.json, or totals as .csv)", _load_arguments, guarded(_load)),
)
