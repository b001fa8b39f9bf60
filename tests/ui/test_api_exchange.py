"""Matches out and in over the API, and the stream for a display."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import ui.services
from scoring.store.trouble import StoreTrouble, Trouble
from tests.ui.conftest import settings_for
from tests.ui.game import Table
from tests.ui.inline_scan import inline_services
from tests.ui.test_exchange import smazzata
from ui.api import JSON_BYTES, build_api
from ui.api.stream import Streams
from ui.errors import Busy
from ui.services import Services


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with inline_services(tmp_path) as made:
        yield made


@pytest.fixture
def client(tmp_path: Path, services: Services, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(ui.services, "_services", services)
    settings = settings_for(tmp_path, max_upload_bytes=200_000)
    with TestClient(build_api(settings), raise_server_exceptions=False) as made:
        yield made


def test_every_export_is_answered(client: TestClient, services: Services) -> None:
    table = Table(services)
    smazzata(table)
    match = f"/matches/{table.view.id}"
    wanted = {
        "export.json": ("application/json", b'"burraco-match"'),
        "export.csv": ("text/csv; charset=utf-8", b"Noi"),
        "export.csv?ledgers=true": ("text/csv; charset=utf-8", b"cards_laid"),
        "export.pdf": ("application/pdf", b"%PDF"),
        "export.png": ("image/png", b"PNG"),
        "smazzate/1.json": ("application/json", b'"closed": true'),
    }
    for path, (kind, holds) in wanted.items():
        response = client.get(f"{match}/{path}")
        assert (response.status_code, response.headers["content-type"]) == (200, kind), path
        assert holds in response.content
        assert response.headers["content-disposition"].startswith('attachment; filename="burraco-')
        assert client.get(f"/matches/nope/{path}").status_code == 404
    assert client.get(f"{match}/smazzate/9.json").json()["code"] == "not_found.smazzata"


def test_a_match_comes_in(client: TestClient, services: Services, tmp_path: Path) -> None:
    table = Table(services)
    smazzata(table)
    file = client.get(f"/matches/{table.view.id}/export.json").content
    again = client.post("/matches/import", content=file)
    assert (again.status_code, again.json()["seq"]) == (201, table.view.seq)
    copied = client.post("/matches/import?copy=true", content=file).json()
    assert (copied["totals"], copied["id"] != table.view.id) == (list(table.view.totals), True)
    made = client.post("/matches/import?target=505", content="A;B\n505;1\n", headers={"Content-Type": "text/csv"})
    assert (made.status_code, made.json()["winner"], made.json()["target"]) == (201, 0, 505)
    for body, kind, code in (
        (b"{}", "application/json", "import.unusable"),
        (b"\xff\xfe\xff", "text/csv", "import.csv.empty"),
        (b"A;B\nx;1\n", "text/csv", "import.csv.line"),
    ):
        response = client.post("/matches/import", content=body, headers={"Content-Type": kind, "Accept-Language": "en"})
        assert (response.status_code, response.json()["code"]) == (400, code)
    assert client.post("/matches/import", content=b" " * 300_000).status_code == 413
    paths = client.get("/openapi.json").json()["paths"]
    assert "text/csv" in paths["/matches/import"]["post"]["requestBody"]["content"]


def test_a_file_of_a_match_may_be_larger_than_other_json(
    tmp_path: Path, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ui.services, "_services", services)
    body = b" " * (JSON_BYTES + 1)
    with TestClient(build_api(settings_for(tmp_path))) as client:
        assert client.post("/matches", content=body).status_code == 413
        assert client.post("/matches/import", content=body).json()["code"] == "import.unusable"


def test_a_store_in_trouble_is_503(client: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise StoreTrouble(Trouble.FULL, "no space")

    monkeypatch.setattr(services._db, "append", refuse)
    response = client.post("/matches", json={"names": ["A", "B"], "regolamento": "fibur", "target": 2005})
    assert (response.status_code, response.json()["code"]) == (503, "store.full")
    assert int(response.headers["retry-after"]) > 0


def test_health_says_that_the_store_is_in_trouble(
    client: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get("/health").json()["database"] is True

    def refuse() -> None:
        raise StoreTrouble(Trouble.UNREACHABLE, "no server")

    monkeypatch.setattr(services._db, "match_ids", refuse)
    health = client.get("/health").json()
    assert (health["status"], health["database"]) == ("degraded", False)


def test_a_stream_says_every_change_once_and_ends() -> None:
    async def listen() -> tuple[list[str], int]:
        streams, seq = Streams(most=1, every_s=0.01, longest_s=0.2), 0

        async def shown() -> tuple[int, dict[str, Any]]:
            nonlocal seq
            seq += 1
            return min(seq, 3), {"seq": min(seq, 3)}

        async def gone() -> bool:
            return False

        streams.open(shown, gone)  # never read: holds no place
        stream = streams.open(shown, gone)
        said = [await anext(stream)]
        with pytest.raises(Busy):
            streams.open(shown, gone)
        said += [part async for part in stream]
        return said, streams._open

    said, left = asyncio.run(listen())
    assert said[0].startswith("retry:")
    assert [part.splitlines()[0] for part in said[1:]] == ["id: 1", "id: 2", "id: 3"]
    assert json.loads(said[1].splitlines()[2].removeprefix("data: ")) == {"seq": 1}
    assert left == 0


def test_a_display_hears_of_a_match(client: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.get("/matches/nope/events").status_code == 404
    table = Table(services)
    smazzata(table)
    monkeypatch.setattr(client.app.state, "streams", Streams(every_s=0.05, longest_s=0.2))  # type: ignore[attr-defined]
    response = client.get(f"/matches/{table.view.id}/events")
    assert response.headers["content-type"].startswith("text/event-stream")
    data = next(line for line in response.text.splitlines() if line.startswith("data: "))
    assert json.loads(data.removeprefix("data: "))["totals"] == list(table.view.totals)
