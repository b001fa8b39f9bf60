"""Hurts a server in every way a club may meet, and prints what was kept: `python -m tests.faults [--only kill …]`.

With `--db postgresql+psycopg://…`, a PostgreSQL on this machine where databases may be made, the cases on a server
(`server_kill`, `server_kill_postgres`, `server_locked`, `server_migration`) run too.

Killing shows that a crash of the program loses nothing; it says nothing about a power cut, for which
`synchronous=FULL` (SQLite) and `synchronous_commit=on` (PostgreSQL) are set, and the disk must keep its promise.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from tests.faults import cases, postgres
from tests.scoring.places import fresh_database

NAMES = ("kill", "full_disk", "full_tmpfs", "locked", "read_only", "migration", "clock")
ON_A_SERVER = ("server_kill", "server_kill_postgres", "server_locked", "server_migration")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults")
    parser.add_argument("--only", nargs="+", choices=(*NAMES, *ON_A_SERVER))
    parser.add_argument("--db", default="", help="a PostgreSQL on this machine: the cases on a server run too")
    parser.add_argument("--confirmations", type=int, default=500)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--migrations", type=int, default=30)
    parser.add_argument(
        "--whole", action="store_true", help="kill `burraco serve` itself, pages and scan process and all"
    )
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    names = args.only or (*NAMES, *(ON_A_SERVER if args.db else ()))
    if not args.db and set(names) & set(ON_A_SERVER):
        parser.error("--db names no server")

    def on_a_server(run: Callable[[Path, str], cases.Result]) -> Callable[[Path], cases.Result]:
        def on_fresh(folder: Path) -> cases.Result:
            with fresh_database(args.db) as url:
                return run(folder, url)

        return on_fresh

    def migrated(folder: Path) -> cases.Result:
        with ExitStack() as stack:
            return postgres.migration(
                folder, lambda: stack.enter_context(fresh_database(args.db)), args.migrations, args.seed
            )

    played = (args.confirmations, args.kills, args.tables, args.seed)
    todo: dict[str, Callable[[Path], cases.Result]] = {
        "kill": lambda f: cases.kill(f, *played, args.whole),
        "full_disk": cases.full_disk,
        "full_tmpfs": cases.full_tmpfs,
        "locked": cases.locked,
        "read_only": cases.read_only,
        "migration": lambda f: cases.migration(f, args.migrations, args.seed),
        "clock": cases.clock,
        "server_kill": on_a_server(lambda f, url: cases.kill(f, *played, args.whole, url)),
        "server_kill_postgres": on_a_server(
            lambda f, url: cases.kill(f, *played, args.whole, url, partial(postgres.kill_backend, url))
        ),
        "server_locked": on_a_server(postgres.locked),
        "server_migration": migrated,
    }
    good = True
    for name in names:
        with tempfile.TemporaryDirectory(prefix=f"burraco-{name}-") as folder:
            Path(folder).chmod(0o755)
            result = todo[name](Path(folder) / "data")
        good = good and result["good"]
        print(f"{name}: {json.dumps(result, ensure_ascii=False)}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
