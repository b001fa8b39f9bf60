"""The API alone on a port: what `burraco serve` keeps and says, without the pages and the networks."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from unittest.mock import patch

import uvicorn
from fastapi import FastAPI

from tests.ui.inline_scan import InlineScan
from ui.api import build_api
from ui.i18n import say
from ui.opening import opened
from ui.services import close_services, get_services
from ui.settings import get_settings


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("data", "port", "db"):
        parser.add_argument(f"--{name}", default="")
    args = parser.parse_args()
    for name, value in vars(args).items():
        if value:
            os.environ[f"BURRACO_{name.upper()}"] = value
    os.environ["BURRACO_READER"] = "tests.ui.fake_reader:make"
    settings = get_settings()
    app = FastAPI()
    app.mount("/api", build_api(settings))
    with patch("ui.photos.ScanProcess", InlineScan), opened(settings) as messages:
        for message in messages:
            print(say(message), flush=True)
        get_services()
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        uvicorn.run(app, host="127.0.0.1", port=settings.port, log_level="error")
        close_services()


if __name__ == "__main__":
    main()
