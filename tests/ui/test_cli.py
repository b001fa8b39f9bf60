"""The command line as a person types it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.ui.pictures import picture
from ui.cli import main
from ui.settings import ROOT


def run(capsys: pytest.CaptureFixture[str], *arguments: str, lang: str = "it") -> tuple[int, str, str]:
    status = main(["--lang", lang, *arguments])
    out, err = capsys.readouterr()
    return status, out, err


def test_melds_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "score", "3H 4H 5H 6H 7H 8H 9H", "K♠ K♥ K♦ JK")
    assert status == 0
    assert "burraco pulito (nessuna matta): 45 + 200 = 245" in out
    assert out.endswith("Totale: 305\n")


def test_melds_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "score", "--json", "3H 4H 5H")
    assert (status, json.loads(out)["total"]) == (0, 15)


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["score", "zz"], 2, "«zz» non è una carta"),
        (["score", "3H 9S QD"], 1, "non valido"),
        (["score", "7H 7H 7H"], 1, "7♥"),
        (["score", "--regolamento", "nope", "3H 4H 5H"], 2, "fibur"),
        (["score", "missing.json"], 2, "missing.json"),
        (["regolamenti", "nope"], 2, "fedibur"),
        (["scan", "missing.jpg"], 2, "missing.jpg"),
        (["scan", "--regolamento", "nope", "missing.jpg"], 2, "fibur"),
    ],
)
def test_bad_input(capsys: pytest.CaptureFixture[str], arguments: list[str], status: int, says: str) -> None:
    found, out, err = run(capsys, *arguments)
    assert found == status
    assert says in out + err


@pytest.mark.parametrize(
    ("data", "says"), [(b"", "vuoto"), (b"text", "non è una foto"), (picture(size=(400, 300))[:600], "incompleta")]
)
def test_bad_photos(capsys: pytest.CaptureFixture[str], tmp_path: Path, data: bytes, says: str) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(data)
    status, _, err = run(capsys, "scan", str(path))
    assert status == 2
    assert says in err


def test_missing_networks(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(picture())
    status, _, err = run(capsys, "scan", str(path), "--models", str(tmp_path), lang="en")
    assert status == 2
    assert "networks are missing" in err


def test_a_smazzata_as_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "smazzata.json"
    sides = [{"melds": ["3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥"], "closed": True}, {"pozzetto": "not_taken"}]
    path.write_text(json.dumps({"names": ["Noi", "Loro"], "sides": sides}), encoding="utf-8")
    status, out, _ = run(capsys, "score", str(path))
    assert status == 0
    assert "Noi" in out
    assert "Chiusura" in out
    status, out, _ = run(capsys, "score", "--json", str(path))
    assert [side["total"] for side in json.loads(out)["sides"]] == [345, -100]


@pytest.mark.parametrize("text", ["{", "[]", '{"sides": [{}]}', '{"sides": [{"melds": ["zz"]}, {}]}'])
def test_broken_files(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str) -> None:
    path = tmp_path / "smazzata.json"
    path.write_text(text, encoding="utf-8")
    status, _, err = run(capsys, "score", str(path))
    assert status == 2
    assert str(path) in err


def test_regolamenti(capsys: pytest.CaptureFixture[str]) -> None:
    assert "fibur" in run(capsys, "regolamenti")[1]
    assert "[bonus]" in run(capsys, "regolamenti", "fibur")[1]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _get(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=10) as response:
        data: bytes = response.read()
        return data


def test_serve_answers_with_page_and_api_from_any_folder(tmp_path: Path) -> None:
    port = _free_port()
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    arguments = ["serve", "--demo", "--port", str(port), "--data", "data", "--reader", "tests.ui.fake_reader:make"]
    server = subprocess.Popen(
        [sys.executable, "-m", "ui.cli", *arguments], cwd=tmp_path, env=env, stdout=subprocess.PIPE, text=True
    )
    try:
        for _ in range(360):
            try:
                health = json.loads(_get(f"http://127.0.0.1:{port}/api/health"))
                break
            except OSError:
                assert server.poll() is None, "the server ended"
                time.sleep(0.5)
        assert (health["status"], health["scan_process"]) == ("ok", True)
        assert b"streamlit" in _get(f"http://127.0.0.1:{port}/").lower()
        assert b"openapi.json" in _get(f"http://127.0.0.1:{port}/api/docs").lower()
        assert json.loads(_get(f"http://127.0.0.1:{port}/api/matches")) == []
        assert (tmp_path / "data" / "burraco.sqlite3").is_file()
        second = subprocess.run(
            [sys.executable, "-m", "ui.cli", *arguments], cwd=tmp_path, env=env, capture_output=True, text=True
        )
        assert (second.returncode, str(port) in second.stderr) == (2, True)
    finally:
        server.terminate()
        server.wait(timeout=20)
