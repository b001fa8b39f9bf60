"""`burraco`: every sub-command imports what it needs inside, so that each starts fast and none drags in the others."""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from ui.cli_exchange import EXCHANGE_COMMANDS
from ui.cli_store import STORE_COMMANDS, add_place_arguments
from ui.errors import ServiceError
from ui.i18n import LANGUAGES, pick_language, say, t
from ui.settings import ROOT, SettingsError, default_data_dir

Arguments = argparse.ArgumentParser
Runner = Callable[[argparse.Namespace], int]

_ELSEWHERE = {
    "eval": ("ui.cli_eval", "compare readings with labelled photos"),
    "synth": ("datasets.synth", "make labelled training pictures"),
    "train": ("models.train", "train the detector or the reader"),
    "export": ("models.export", "write trained weights as ONNX"),
}
_TRAIN_PACKAGES = {"torch", "torchvision", "ultralytics", "onnx", "onnxslim", "matplotlib"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run `burraco`; returns the exit status: 0 done, 1 a fault in what was given, 2 unusable input."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(prog="burraco", description="Burraco from a photo. Licence AGPL-3.0.")
    parser.add_argument("--lang", choices=LANGUAGES, default=_system_language(), help="language of what is printed")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _here(commands, "serve", "dashboard and API, one process, one port, this machine only", _serve_arguments, _serve)
    _here(commands, "scan", "read a photo: melds, classes, total", _scan_arguments, _scan)
    _here(commands, "score", "score melds typed as text, or a smazzata from a file", _score_arguments, _score)
    _here(commands, "meld", "what one meld is and why: class, points, or every fault", _meld_arguments, _meld)
    _here(commands, "regolamenti", "list the rule presets, or print one", _regolamenti_arguments, _regolamenti)
    _here(commands, "vp", "list the tables of Victory Points, or share out a difference by one", _vp_arguments, _vp)
    for kept in STORE_COMMANDS + EXCHANGE_COMMANDS:
        _here(commands, kept.name, kept.text, kept.add, kept.run)
    wanted = next((a for a in arguments if a in commands.choices or a in _ELSEWHERE), None)
    for name, (module, text) in _ELSEWHERE.items():
        _elsewhere(commands, name, module, text, wanted=name == wanted)
    args = parser.parse_args(arguments)
    run: Runner = args.run
    try:
        return run(args)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0


def _system_language() -> str:
    return pick_language(os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG"))


def _here(
    commands: argparse._SubParsersAction[Arguments],
    name: str,
    text: str,
    add: Callable[[Arguments], None],
    run: Runner,
) -> None:
    parser = commands.add_parser(name, help=text, description=text)
    add(parser)
    parser.set_defaults(run=run)


def _elsewhere(
    commands: argparse._SubParsersAction[Arguments], name: str, module: str, text: str, wanted: bool
) -> None:
    """A command that lives in another room; that is imported only where the command is the one wanted."""
    parser = commands.add_parser(name, help=text, description=text)
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
    parser.description = f"Dashboard and API. Matches are kept in {str(default_data_dir()).replace('%', '%%')}."
    parser.add_argument("--demo", action="store_true", help="open a sample table (it never enters the history)")
    parser.add_argument("--port", help="default 8501")
    parser.add_argument("--host", help="default 127.0.0.1: this machine only")
    add_place_arguments(parser)
    parser.add_argument("--models", type=Path, help="folder with the networks")
    parser.add_argument("--reader", help="another table reader, as module:function")


def _serve(args: argparse.Namespace) -> int:
    for name in ("port", "host", "data", "db", "photos", "models", "reader"):
        if getattr(args, name) is not None:
            os.environ[f"BURRACO_{name.upper()}"] = str(getattr(args, name))
    if args.demo:
        os.environ["BURRACO_DEMO"] = "1"
    from ui.settings import get_settings

    try:
        settings = get_settings()
    except SettingsError as error:
        print(say(error.message, args.lang), file=sys.stderr)
        return 2
    try:
        free = _port_is_free(settings.host, settings.port)
    except socket.gaierror:
        print(t("cli.no_host", args.lang, host=settings.host), file=sys.stderr)
        return 2
    if not free:
        print(t("cli.port_taken", args.lang, port=settings.port, host=settings.host), file=sys.stderr)
        return 2
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=settings.data_dir).close()
    except OSError:
        print(t("cli.not_written", args.lang, path=settings.data_dir), file=sys.stderr)
        return 2
    from ui.app import serve
    from ui.opening import opened

    shown = "localhost" if settings.host in ("127.0.0.1", "0.0.0.0") else settings.host
    try:
        with opened(settings) as messages:
            for message in messages:
                print(say(message, args.lang), flush=True)
            print(t("cli.started", args.lang, url=f"http://{shown}:{settings.port}"), flush=True)
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # uvicorn ends in order, then raises it again
            serve(settings)
    except ServiceError as error:
        print(say(error.message, args.lang), file=sys.stderr)
        return 2
    return 0


def _port_is_free(host: str, port: int) -> bool:
    with socket.socket() as probe:
        if os.name != "nt":  # on Windows this option would take a port that is in use
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except socket.gaierror:
            raise
        except OSError:
            return False
    return True


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


def _score_arguments(parser: Arguments) -> None:
    from ui.cli_rules import add_regolamento_arguments

    parser.description = "Score melds typed as text, or a smazzata from a file: plain text, .toml or .json."
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "a smazzata as plain text:\n\n" + _smazzata_example()
    parser.add_argument("melds", nargs="*", metavar="MELD|FILE", help='such as "3♥ 4♥ 5♥ 6♥"; or one file')
    add_regolamento_arguments(parser)
    parser.set_defaults(regolamento=None)
    parser.add_argument("--giocatori", metavar="N", help="how many play, 2 to 6: packs and sides of that formato")
    parser.add_argument("--confronta", action="store_true", help="also score the file under every preset")
    parser.add_argument("--json", action="store_true", help="print the score as JSON")


def _smazzata_example() -> str:
    from scoring import smazzata_text

    return (smazzata_text.__doc__ or "").partition("\n\n")[2]


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
