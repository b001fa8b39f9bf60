"""A child process that talks in frames over its pipes: how the server starts and ends one, and how it starts itself."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ui.settings import ROOT


def start_child(module: str, reader: str, models_dir: Path) -> subprocess.Popen[bytes]:
    """Start `python -m module` with the reader's maker (`module:function`) and the networks' folder."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return subprocess.Popen(
        [sys.executable, "-m", module, "--reader", reader, "--models", str(models_dir)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    )


def end_child(process: subprocess.Popen[bytes]) -> None:
    """End it at once; it keeps nothing that could be lost."""
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


@dataclass(frozen=True, slots=True)
class Started:
    """What a child was started with, and where its answers go."""

    reader: str
    models_dir: Path
    answers: IO[bytes]


def started(module: str, argv: Sequence[str] | None) -> Started:
    """The child's own arguments; what a library prints from now on goes to standard error, not among the answers."""
    parser = argparse.ArgumentParser(prog=module)
    parser.add_argument("--reader", required=True)
    parser.add_argument("--models", type=Path, required=True)
    args = parser.parse_args(argv)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return Started(args.reader, args.models, answers)


def named(name: str) -> Any:
    """What `module:function` names."""
    module, _, function = name.partition(":")
    return getattr(importlib.import_module(module), function)
