"""`burraco`: every sub-command imports what it needs inside, so that each starts fast and none drags in the others."""

from __future__ import annotations

import argparse
import codecs
import importlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from gettext import gettext
from pathlib import Path

from ui.cli_exchange import EXCHANGE_COMMANDS
from ui.cli_help import Parser, RawHelpFormatter, with_comments_said
from ui.cli_store import STORE_COMMANDS, add_place_arguments, settings_of
from ui.i18n import LANGUAGES, pick_language, speak, t
from ui.settings import ROOT, default_data_dir

Arguments = argparse.ArgumentParser
Runner = Callable[[argparse.Namespace], int]

_ELSEWHERE = {
    "eval": ("ui.cli_eval", "compare readings with labelled photos"),
    "synth": ("datasets.synth", "make labelled training pictures"),
    "train": ("models.train", "train the detector or the reader"),
    "export": ("models.export", "write trained weights as ONNX"),
}
_LANGUAGE_OF_WHAT_IS_PRINTED = "language of what is printed"
_TRAIN_PACKAGES = {"torch", "torchvision", "ultralytics", "onnx", "onnxslim", "matplotlib"}


def _plain(error: UnicodeError) -> tuple[str, int]:
    """What stands for a character that a terminal lacks: signs of numbers keep their meaning."""
    assert isinstance(error, UnicodeEncodeError)
    missing = error.object[error.start : error.end]
    return "".join({"−": "-", "½": ".5"}.get(char, "?") for char in missing), error.end


codecs.register_error("plain", _plain)


def main(argv: Sequence[str] | None = None) -> int:
    """Run `burraco`; returns the exit status: 0 done, 1 a fault in what was given, 2 unusable input."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="plain")  # a terminal that has no ♥ gets a ?, and never half an answer
    arguments = list(sys.argv[1:] if argv is None else argv)
    args = build_parser(arguments).parse_args(arguments)
    run: Runner = args.run
    try:
        return run(args)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0


def build_parser(arguments: Sequence[str]) -> Parser:
    """The parser of all commands, in the language that these arguments ask for."""
    language = _language(arguments)
    parser = Parser(prog="burraco", description="Burraco from a photo. Licence AGPL-3.0.")
    parser.add_argument("--lang", choices=LANGUAGES, default=language, help=_LANGUAGE_OF_WHAT_IS_PRINTED)
    commands = parser.add_subparsers(dest="command", required=True, metavar=gettext("COMMAND"))
    _here(commands, "serve", "dashboard and API, one process, one port, this machine only", _serve_arguments, _serve)
    _here(commands, "doctor", "look whether everything the program needs is there", _doctor_arguments, _doctor)
    _here(commands, "scan", "read a photo: melds, classes, total", _scan_arguments, _scan)
    _here(commands, "live", "watch the table through a camera: a JSON line a change", _live_arguments, _live)
    _here(commands, "score", "score melds typed as text, or a smazzata from a file", _score_arguments, _score)
    _here(commands, "meld", "what one meld is and why: class, points, or every fault", _meld_arguments, _meld)
    _here(commands, "regolamenti", "list the rule presets, or print one", _regolamenti_arguments, _regolamenti)
    _here(commands, "vp", "list the tables of Victory Points, or share out a difference by one", _vp_arguments, _vp)
    for kept in STORE_COMMANDS + EXCHANGE_COMMANDS:
        _here(commands, kept.name, kept.text, kept.add, kept.run)
    wanted = next((a for a in arguments if a in commands.choices or a in _ELSEWHERE), None)
    for name, (module, text) in _ELSEWHERE.items():
        _elsewhere(commands, name, module, text, wanted=name == wanted)
    return parser


def _language(arguments: Sequence[str]) -> str:
    """The language asked for, else the system's; errors in the arguments are said in it from here on."""
    system = pick_language(os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG"))
    speak(system)
    parser = argparse.ArgumentParser(prog="burraco", add_help=False, allow_abbrev=False)
    parser.add_argument("--lang")
    asked = parser.parse_known_args(arguments)[0].lang
    language = asked if asked in LANGUAGES else system
    speak(language)
    return language


def _here(
    commands: argparse._SubParsersAction[Parser],
    name: str,
    text: str,
    add: Callable[[Arguments], None],
    run: Runner,
) -> None:
    parser = _command(commands, name, text)
    add(parser)
    parser.set_defaults(run=run)


def _command(commands: argparse._SubParsersAction[Parser], name: str, text: str) -> Parser:
    parser = commands.add_parser(name, help=text, description=text)
    parser.add_argument("--lang", choices=LANGUAGES, default=argparse.SUPPRESS, help=_LANGUAGE_OF_WHAT_IS_PRINTED)
    return parser


def _elsewhere(commands: argparse._SubParsersAction[Parser], name: str, module: str, text: str, wanted: bool) -> None:
    """A command that lives in another room; that is imported only where the command is the one wanted."""
    parser = _command(commands, name, text)
    if not wanted:
        return
    try:
        room = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _TRAIN_PACKAGES:
            raise
        parser.set_defaults(run=_needs_train)
        parser.add_argument("rest", nargs=argparse.REMAINDER)
        return
    room.add_arguments(parser)
    parser.set_defaults(run=room.run)


def _needs_train(args: argparse.Namespace) -> int:
    print(t("cli.needs_train", args.lang), file=sys.stderr)
    return 2


def _serve_arguments(parser: Arguments) -> None:
    said = gettext("Dashboard and API. Matches are kept in {folder}.")
    parser.description = said.format(folder=str(default_data_dir()).replace("%", "%%"))
    parser.add_argument("--demo", action="store_true", help="open a sample table (it never enters the history)")
    parser.add_argument("--port", help="default 8501")
    parser.add_argument("--lan", action="store_true", help="let phones in the same network in; each pairs by a code")
    parser.add_argument("--https", action="store_true", help="with --lan: HTTPS, by a certificate phones install once")
    parser.add_argument("--host", help="default 127.0.0.1: this machine only; any other address means --lan")
    add_place_arguments(parser)
    parser.add_argument("--models", type=Path, help="folder with the networks")
    parser.add_argument("--reader", help="another table reader, as module:function")


def _serve(args: argparse.Namespace) -> int:
    for name in ("port", "host", "data", "db", "photos", "models", "reader"):
        if getattr(args, name) is not None:
            os.environ[f"BURRACO_{name.upper()}"] = str(getattr(args, name))
    for name in ("demo", "lan", "https"):
        if getattr(args, name):
            os.environ[f"BURRACO_{name.upper()}"] = "1"
    from ui.cli_serve import run

    return run(args.lang)


def _doctor_arguments(parser: Arguments) -> None:
    add_place_arguments(parser)
    parser.add_argument("--models", type=Path, help="folder with the networks")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def _doctor(args: argparse.Namespace) -> int:
    from dataclasses import replace

    from ui.doctor import run

    settings = settings_of(args)
    return run(args, replace(settings, models_dir=args.models or settings.models_dir))


def _scan_arguments(parser: Arguments) -> None:
    parser.add_argument("photo", type=Path)
    parser.add_argument("--regolamento", default="fibur")
    parser.add_argument("--json", action="store_true", help="print the whole reading")
    parser.add_argument("--out", type=Path, help="write the annotated picture here (.jpg)")
    parser.add_argument("--models", type=Path, default=ROOT / "models", help="folder with the networks")
    parser.add_argument("--detector", choices=("onnx", "ultralytics"), default="onnx")
    parser.add_argument("--weights", type=Path, help="the .pt file for --detector ultralytics")


def _scan(args: argparse.Namespace) -> int:
    from ui.cli_scan import scan

    return scan(args)


def _live_arguments(parser: Arguments) -> None:
    from ui.cli_live import add_live_arguments

    add_live_arguments(parser)


def _live(args: argparse.Namespace) -> int:
    from ui.cli_live import live

    return live(args)


def _score_arguments(parser: Arguments) -> None:
    from scoring.smazzata_examples import EXAMPLE_TEXT, EXAMPLE_TOML, OTHER_KEYS, OTHER_LINES
    from ui.cli_rules import add_regolamento_arguments

    parser.description = "Score melds typed as text, or a smazzata from a file: plain text, .toml or .json."
    parser.formatter_class = RawHelpFormatter
    parser.epilog = "\n".join(
        (
            gettext("a smazzata as plain text:") + "\n",
            with_comments_said(EXAMPLE_TEXT),
            gettext("a side may also say:") + "\n",
            with_comments_said(OTHER_LINES),
            gettext("the same as TOML (JSON has the same keys):") + "\n",
            with_comments_said(EXAMPLE_TOML),
            gettext("a side may also say:") + "\n",
            with_comments_said(OTHER_KEYS),
            gettext("In three the first side plays alone; where the pair comes first, its side says players: 2."),
        )
    )
    parser.add_argument("melds", nargs="+", metavar="MELD|FILE", help='such as "3♥ 4♥ 5♥ 6♥"; or one file')
    add_regolamento_arguments(parser)
    parser.set_defaults(regolamento=None)
    parser.add_argument("--giocatori", metavar="N", help="how many play, 2 to 6: packs and sides of that formato")
    parser.add_argument("--confronta", action="store_true", help="also score the file under every preset")
    parser.add_argument("--json", action="store_true", help="print the score as JSON")


def _score(args: argparse.Namespace) -> int:
    from ui.cli_score import score

    return score(args)


def _meld_arguments(parser: Arguments) -> None:
    from ui.cli_rules import add_meld_arguments

    add_meld_arguments(parser)


def _meld(args: argparse.Namespace) -> int:
    from ui.cli_rules import meld

    return meld(args)


def _regolamenti_arguments(parser: Arguments) -> None:
    parser.add_argument("name", nargs="?", help="print this preset as TOML")


def _regolamenti(args: argparse.Namespace) -> int:
    from ui.cli_rules import regolamenti

    return regolamenti(args)


def _vp_arguments(parser: Arguments) -> None:
    from ui.cli_vp import add_vp_arguments

    add_vp_arguments(parser)


def _vp(args: argparse.Namespace) -> int:
    from ui.cli_vp import victory_points

    return victory_points(args)


if __name__ == "__main__":
    sys.exit(main())
