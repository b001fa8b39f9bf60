"""`burraco live`: a camera over the table, one JSON line for each change; with the server, or only the lines."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

from scoring.regolamento import DEFAULT_REGOLAMENTO, Regolamento
from ui.i18n import t
from ui.settings import ROOT


def add_live_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `burraco live`."""
    parser.add_argument("source", help="number or name of a webcam, rtsp:// or http:// address, or a video file")
    parser.add_argument("--no-server", action="store_true", help="print the lines only")
    parser.add_argument(
        "--regolamento", default=DEFAULT_REGOLAMENTO, help="rules that the melds are read by until a match is opened"
    )
    parser.add_argument("--port", help="default 8501")
    parser.add_argument("--lan", action="store_true", help="let phones in the same network in; each pairs by a code")
    parser.add_argument("--models", type=Path, help="folder with the networks")
    parser.add_argument("--data", type=Path, help="folder for matches and photos")


def live(args: argparse.Namespace) -> int:
    """Watch until the film is over or Ctrl+C; 2 where the source, a preset or the networks cannot be used."""
    from ui.cli_rules import chosen_regolamento
    from vision.camera_source import CameraError, parse_source

    try:
        source = parse_source(args.source)
    except CameraError as error:
        print(t(f"live.camera_{error.trouble.value}", args.lang), file=sys.stderr)
        return 2
    regolamento = chosen_regolamento(args.regolamento, args.lang)
    if regolamento is None:
        return 2
    if args.no_server:
        return _lines_only(args, regolamento)
    rules = args.regolamento
    os.environ["BURRACO_LIVE_REGOLAMENTO"] = str(Path(rules).absolute()) if rules.endswith(".toml") else rules
    for name in ("port", "data", "models"):
        if getattr(args, name) is not None:
            os.environ[f"BURRACO_{name.upper()}"] = str(getattr(args, name))
    if args.lan:
        os.environ["BURRACO_LAN"] = "1"
    os.environ["BURRACO_LIVE"] = source.where if source.kind.value != "file" else str(Path(source.where).absolute())
    from ui.cli_serve import run

    return run(args.lang)


def _lines_only(args: argparse.Namespace, regolamento: Regolamento) -> int:
    from ui.cli_scan import no_reader
    from vision.camera import Camera
    from vision.camera_source import CameraTrouble, parse_source
    from vision.detector import DetectorError
    from vision.line import TableReader
    from vision.live import LiveTable
    from vision.watching import change_line, watch

    models = args.models or ROOT / "models"
    try:
        table = LiveTable(TableReader(models), regolamento)
    except DetectorError as error:
        print(no_reader(error, models, args.lang), file=sys.stderr)
        return 2
    camera, began_s, told = Camera(parse_source(args.source)), time.monotonic(), None
    try:
        for seen in watch(camera, table, lambda: True):
            at_s = round(time.monotonic() - began_s, 1)
            wrong = seen.camera.value if seen.camera else seen.state.trouble if seen.state else None
            if wrong != told:
                print(json.dumps({"at_s": at_s, "trouble": wrong}), flush=True)
                told = wrong
            if seen.state is not None:
                for change in seen.state.changes:
                    line = {"at_s": at_s, **change_line(change, seen.state, regolamento)}
                    print(json.dumps(line, ensure_ascii=False), flush=True)
        return 2 if camera.trouble is CameraTrouble.NO_FILE else 0
    finally:
        camera.close()
