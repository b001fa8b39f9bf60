"""`burraco backup|restore|check|photos`: the data folder as a whole."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ui.i18n import say, t

if TYPE_CHECKING:
    from scoring.store.checking import Finding
    from ui.settings import Settings


@dataclass(frozen=True, slots=True)
class StoreCommand:
    """A sub-command: its name, its help, its own arguments, and what it does."""

    name: str
    text: str
    add: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def add_place_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the matches are."""
    parser.add_argument("--data", type=Path, help="folder with matches and photos")
    parser.add_argument("--db", metavar="URL", help="PostgreSQL instead: postgresql+psycopg://user:password@host/name")
    parser.add_argument("--photos", type=Path, help="with --db: folder of photos that all servers share")


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings of the environment, with what the command line says of the place; raises ValueError."""
    from ui.settings import from_environment

    known = from_environment()
    return replace(
        known,
        data_dir=_absolute(args.data) or known.data_dir,
        database_url=known.database_url if args.db is None else args.db,
        photos_dir=_absolute(args.photos) or known.photos_dir,
        demo=False,
    )


def _absolute(path: Path | None) -> Path | None:
    return path.expanduser().absolute() if path is not None else None


def guarded(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """Say what the store or a file refuses, as a sentence and not as a trace (status 2)."""

    def guarded_run(args: argparse.Namespace) -> int:
        from scoring.store.trouble import StoreTrouble
        from ui.errors import ServiceError
        from ui.stores import trouble_message

        try:
            return run(args)
        except StoreTrouble as trouble:
            print(say(trouble_message(trouble), args.lang), file=sys.stderr)
        except ServiceError as error:
            print(say(error.message, args.lang), file=sys.stderr)
        except (OSError, ValueError) as error:
            print(getattr(error, "strerror", None) or str(error), file=sys.stderr)
        return 2

    return guarded_run


def lacks_folder(file: Path, lang: str) -> bool:
    """Whether there is no folder for a new file; says so."""
    if file.parent.is_dir():
        return False
    print(t("cli.no_folder", lang, path=file.parent), file=sys.stderr)
    return True


def _backup_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="where to write everything: matches, events, photos")
    add_place_arguments(parser)


def _backup(args: argparse.Namespace) -> int:
    from scoring.store.backup import save_backup
    from ui.stores import open_database

    if args.file.exists():
        print(t("backup.exists", args.lang, path=args.file), file=sys.stderr)
        return 2
    if lacks_folder(args.file, args.lang):
        return 2
    database = open_database(settings_of(args))
    try:
        made = save_backup(database, args.file)
    finally:
        database.close()
    print(t("backup.made", args.lang, path=args.file, matches=made.matches, events=made.events, photos=made.photos))
    if made.missing:
        print(t("backup.missing", args.lang, photos=made.missing), file=sys.stderr)
    return 1 if made.missing else 0


def _restore_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="a file of `burraco backup`, or a copy from the folder `backups`")
    add_place_arguments(parser)


def _restore(args: argparse.Namespace) -> int:
    from scoring.store.backup import BackupFault, NotEmpty, load_backup, restore
    from ui.runs import in_use
    from ui.stores import open_database

    settings = settings_of(args)
    if not args.file.is_file():
        print(t("cli.no_file", args.lang, path=args.file), file=sys.stderr)
        return 2
    moved = None
    try:
        if settings.database_url:
            database = open_database(settings)
            try:
                made = load_backup(args.file, database)
            finally:
                database.close()
        elif in_use(settings.data_dir):
            print(t("backup.in_use", args.lang), file=sys.stderr)
            return 2
        else:
            made, moved = restore(args.file, settings.data_dir)
    except BackupFault as fault:
        print(t("backup.damaged", args.lang, path=args.file, what=fault), file=sys.stderr)
        return 2
    except NotEmpty:
        print(t("backup.not_empty", args.lang), file=sys.stderr)
        return 2
    print(t("backup.restored", args.lang, matches=made.matches, events=made.events, photos=made.photos))
    if moved is not None:
        print(t("backup.moved", args.lang, path=moved))
    return 0


def _check(args: argparse.Namespace) -> int:
    from scoring.store.checking import check_file
    from scoring.store.database import FILE_NAME
    from ui.drafting import seated_names
    from ui.opening import check_all
    from ui.reasons import recount_message
    from ui.rescoring import recount
    from ui.stores import open_database

    settings = settings_of(args)
    wrong = () if settings.database_url else check_file(settings.data_dir / FILE_NAME)
    if wrong:
        _print_findings(wrong, args.lang)
        print(t("check.file_faults", args.lang), file=sys.stderr)
        return 1
    database = open_database(settings)
    try:
        checked = check_all(database)
    finally:
        database.close()
    _print_findings(checked.findings, args.lang)
    for state in checked.states:
        for smazzata in state.confirmed:
            now = recount(state, smazzata)
            if now is not None and smazzata.confirmed is not None:
                names = seated_names(state, smazzata.confirmed.seating)
                about = t("check.smazzata", args.lang, match=state.id, number=smazzata.number)
                print(f"{about} {say(recount_message(now, names), args.lang)}")
    faults = sum(finding.fault for finding in checked.findings)
    key = "check.faults" if faults else "check.whole"
    counted = {"matches": checked.matches, "events": checked.events, "photos": checked.photos, "faults": faults}
    print(t(key, args.lang, **counted))
    return 1 if faults else 0


def _print_findings(findings: tuple[Finding, ...], lang: str) -> None:
    for finding in findings:
        mark = "!" if finding.fault else "·"
        text = t(f"check.{finding.code.value}", lang, match=finding.match_id, seq=finding.seq, seen=finding.seen)
        print(f"{mark} {text}")


def _photos_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Forget photos that no smazzata shows any more, the oldest first; confirmed ones always stay."
    parser.add_argument(
        "--keep-mb", type=int, required=True, metavar="MB", help="until all photos have so many megabytes"
    )
    add_place_arguments(parser)


def _photos(args: argparse.Namespace) -> int:
    from scoring.store.cleaning import clean
    from ui.stores import open_database

    database = open_database(settings_of(args))
    try:
        cleaned = clean(database, args.keep_mb * 2**20)
    finally:
        database.close()
    freed, left = (round(size / 2**20, 1) for size in (cleaned.freed_bytes, cleaned.left_bytes))
    print(t("photos.cleaned", args.lang, photos=cleaned.photos, freed=freed, left=left))
    return 0


STORE_COMMANDS = (
    StoreCommand("backup", "write all matches, events and photos into one file", _backup_arguments, guarded(_backup)),
    StoreCommand("restore", "go back to a backup; what is there is put aside", _restore_arguments, guarded(_restore)),
    StoreCommand(
        "check", "look whether the file, every event and every photo is whole", add_place_arguments, guarded(_check)
    ),
    StoreCommand("photos", "free the room of photos that no smazzata shows", _photos_arguments, guarded(_photos)),
)
