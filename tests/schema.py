"""Schemathesis against the server's own OpenAPI description: `python -m tests.schema` (not part of the tests).

Starts a server on a fresh folder with the reader that tests use, and sends what schemathesis makes of the description.
Wanted: no answer of 500 and more, but 503 with `Retry-After`. Streams stay out, since each lasts a minute, and so does
the start of a camera, which takes any address. Needs `pip install -e '.[schema]'`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

from tests.ui.browser import ROOT, Server

LEFT_OUT = "(/events|/live/stream|/live/start)$"
HOOKS = "SCHEMATHESIS_HOOKS"

if HOOKS in os.environ:  # schemathesis loads this very module, to find its check
    import schemathesis

    @schemathesis.check
    def only_retryable(ctx: Any, response: Any, case: Any) -> None:
        """No fault of the server but one that says when to come back."""
        if response.status_code == 503 and "retry-after" in response.headers:
            return
        assert response.status_code < 500, f"{response.status_code}: {response.text[:300]}"


def main(argv: list[str] | None = None) -> int:
    """Run it; what schemathesis returns, or 2 where it is not installed."""
    parser = argparse.ArgumentParser(prog="tests.schema", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--inputs", type=int, default=100, help="the most that are made for one operation")
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
            urllib.request.urlopen(address, timeout=120).close()  # making it may take longer than it waits
            command = [args.program, "run", address, "--exclude-path-regex", LEFT_OUT, "--checks", "only_retryable"]
            command += ["--max-examples", str(args.inputs), "--phases", args.phases, "--seed", str(args.seed)]
            command += ["--continue-on-failure", "--request-timeout", "60", "--suppress-health-check", "all"]
            env = os.environ | {HOOKS: "tests.schema", "PYTHONPATH": str(ROOT)}
            return subprocess.run(command, cwd=folder, env=env, check=False).returncode
        finally:
            server.stop()


if __name__ == "__main__":
    sys.exit(main())
