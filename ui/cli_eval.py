"""`burraco eval`: measuring lives in `vision.evaluation`; what stops it is said here, in the language asked for."""

from __future__ import annotations

import argparse
import sys

from scoring.regolamento import RegolamentoError
from ui.cli_scan import no_reader
from ui.i18n import say, t
from ui.melds import preset_problem
from vision import evaluation
from vision.detector import DetectorError
from vision.evaluation import add_arguments
from vision.labels import LABELS_FILE, LabelsError
from vision.photo import PhotoError

__all__ = ["add_arguments", "run"]


def run(args: argparse.Namespace) -> int:
    """Measure and print; 2 where the folder, the rules or the weights cannot be used."""
    try:
        return evaluation.run(args)
    except LabelsError as error:
        place = error.photo or args.folder / LABELS_FILE
        print(t(f"labels.{error.code.value}", args.lang, place=place, seen=error.seen), file=sys.stderr)
    except RegolamentoError as error:
        for problem in error.problems:
            print(say(preset_problem(problem), args.lang), file=sys.stderr)
    except DetectorError as error:
        print(no_reader(error, args.models, args.lang), file=sys.stderr)
    except PhotoError as error:
        print(t(f"photo.{error.code.value}", args.lang), file=sys.stderr)
    except OSError as error:
        print(t("cli.no_file", args.lang, path=error.filename or args.folder), file=sys.stderr)
    return 2
