"""Schemathesis against the server's own OpenAPI description: `python -m tests.schema` (not part of the tests).

Starts a server on a fresh folder with the reader that tests use, and sends what schemathesis makes of the description
for `--minutes`, which it shares out evenly: more time means more inputs for each operation. Wanted: every operation
answered, and no answer of 500 and more but 503 with `Retry-After`. Streams stay out, since each lasts a minute, and so
does the start of a camera, which takes any address. Needs `pip install -e '.[schema]'`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections import Counter
from pathlib import Path
from typing import Any

from tests.ui.browser import ROOT, Server

LEFT_OUT = "(/events|/live/stream|/live/start)$"
HOOKS, ANSWERS = "SCHEMATHESIS_HOOKS", "BURRACO_SCHEMA_ANSWERS"

if HOOKS in os.environ:  # schemathesis loads this very module, to find its check
    import schemathesis

    @schemathesis.check
    def only_retryable(ctx: Any, response: Any, case: Any) -> None:
        """No fault of the server but one that says when to come back; every answer is noted for the end."""
        with Path(os.environ[ANSWERS]).open("a", encoding="utf-8") as answers:
            answers.write(f"{case.operation.label}\t{response.status_code}\n")
        if response.status_code == 503 and "retry-after" in response.headers:
            return
        assert response.status_code < 500, f"{response.status_code}: {response.text[:300]}"


def main(argv: list[str] | None = None) -> int:
    """Run it; 1 where something was answered wrongly or not asked at all, 2 where schemathesis is not installed."""
    parser = argparse.ArgumentParser(prog="tests.schema", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=6.5, help="for all operations together, without the start")
    parser.add_argument("--inputs", type=int, default=100, help="the most that are made for one operation at a time")
    parser.add_argument("--phases", default="examples,coverage,fuzzing,stateful")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", default=str(Path(sys.executable).with_name("schemathesis")))
    args = parser.parse_args(argv)
    if shutil.which(args.program) is None:
        print(f"{args.program} is not there: pip install -e '.[schema]'", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        server.start()
        try:
            address = f"{server.url}/api/openapi.json"
            with urllib.request.urlopen(address, timeout=120) as description:  # making it may take longer than it waits
                wanted = operations(json.load(description))
            command = [args.program, "run", address, "--exclude-path-regex", LEFT_OUT, "--checks", "only_retryable"]
            command += ["--max-examples", str(args.inputs), "--phases", args.phases, "--seed", str(args.seed)]
            command += ["--max-time", str(round(60 * args.minutes)), "--continue-on-failure", "--request-timeout", "60"]
            command += ["--suppress-health-check", "all", "--warnings", "off"]
            noted = Path(folder, "answers")
            env = os.environ | {HOOKS: "tests.schema", ANSWERS: str(noted), "PYTHONPATH": str(ROOT)}
            failed = subprocess.run(command, cwd=folder, env=env, check=False).returncode
            return max(failed, told(wanted, noted.read_text("utf-8") if noted.exists() else ""))
        finally:
            server.stop()


def operations(description: dict[str, Any]) -> set[str]:
    """What the API can be asked, as schemathesis names it, without what is left out."""
    return {
        f"{method.upper()} {path}"
        for path, methods in description["paths"].items()
        for method in methods
        if not re.search(LEFT_OUT, path)
    }


def told(wanted: set[str], noted: str) -> int:
    """Print what was asked and answered; 1 where an operation was never asked."""
    rows = [line.split("\t") for line in noted.splitlines()]
    asked = Counter(label for label, _ in rows)
    result = {
        "answers": len(rows),
        "by_status": dict(sorted(Counter(status for _, status in rows).items())),
        "operations": len(wanted),
        "least_asked": min((asked[label] for label in wanted), default=0),
        "never_asked": sorted(wanted - asked.keys()),
    }
    print(json.dumps(result, indent=1))
    return 1 if result["never_asked"] else 0


if __name__ == "__main__":
    sys.exit(main())
