"""What the README shows programs, done as it stands there: a real port, the real API."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn
from fastapi import FastAPI

import ui.services
from tests.ui.browser import free_port
from tests.ui.conftest import settings_for
from tests.ui.inline_scan import inline_services
from tests.ui.pictures import picture
from ui.api import build_api

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8").partition("## For programs")[2]


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Where an API answers, in place of the README's."""
    with inline_services(tmp_path) as services:
        monkeypatch.setattr(ui.services, "_services", services)
        app, port = FastAPI(), free_port()
        app.mount("/api", build_api(settings_for(tmp_path)))
        server = uvicorn.Server(uvicorn.Config(app, port=port, log_config=None))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"localhost:{port}"
        server.should_exit = True
        thread.join(20)


def test_the_client_does_what_it_says(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "table.jpg").write_bytes(picture())
    monkeypatch.chdir(tmp_path)
    (client,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(client.replace("localhost:8501", address), "README.md", "exec"), {})
    said, totals = capsys.readouterr().out.splitlines()
    assert said.startswith("done {") and "melds" in said
    assert totals == "['Noi', 'Loro'] [0, 0]"
    (match,) = httpx.get(f"http://{address}/api/matches").json()
    table = httpx.get(f"http://{address}/api/matches/{match['id']}").json()["table"]
    assert table["closed"] == "0" and table["sides"][0]["melds"]


def test_the_call_by_curl_is_answered(address: str) -> None:
    (path, body), *_ = re.findall(r"localhost:8501(/\S+) \\\n +-d '(.*?)'\n", README)
    answer = httpx.post(f"http://{address}{path}", json=json.loads(body))
    assert answer.status_code == 200 and answer.json()["sides"][0]["total"] > 300
