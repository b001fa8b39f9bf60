"""Hurts a server in every way a club may meet, and prints what was kept: `python -m tests.faults [--only kill …]`.

Killing shows that a crash of the program loses nothing; it says nothing about a power cut, for which
`synchronous=FULL` (SQLite) and `synchronous_commit=on` (PostgreSQL) are set, and the disk must keep its promise.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.faults import cases

NAMES = ("kill", "full_disk", "full_tmpfs", "locked", "read_only", "migration", "clock")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults")
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES)
    parser.add_argument("--confirmations", type=int, default=500)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--migrations", type=int, default=30)
    parser.add_argument(
        "--whole", action="store_true", help="kill `burraco serve` itself, pages and scan process and all"
    )
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    todo: dict[str, Callable[[Path], cases.Result]] = {
        "kill": lambda f: cases.kill(f, args.confirmations, args.kills, args.tables, args.seed, args.whole),
        "full_disk": cases.full_disk,
        "full_tmpfs": cases.full_tmpfs,
        "locked": cases.locked,
        "read_only": cases.read_only,
        "migration": lambda f: cases.migration(f, args.migrations, args.seed),
        "clock": cases.clock,
    }
    good = True
    for name in args.only:
        with tempfile.TemporaryDirectory(prefix=f"burraco-{name}-") as folder:
            Path(folder).chmod(0o755)
            result = todo[name](Path(folder) / "data")
        good = good and result["good"]
        print(f"{name}: {json.dumps(result, ensure_ascii=False)}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
