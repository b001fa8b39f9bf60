"""`burraco doctor`: each fault is found, and comes with a sentence that says what to do."""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from scoring.store.database import FILE_NAME, Database
from scoring.store.health import StoreState, look_at, look_at_server
from tests.scoring.places import SERVER, fresh_database
from tests.ui.conftest import settings_for
from tests.ui.game import Table
from ui import doctor
from ui.cli import main
from ui.doctor import LEAST_FREE_MB, Finding, State, findings
from ui.i18n import LANGUAGES, say
from ui.services import Services
from ui.settings import ROOT


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with one match and one photo."""
    services = Services(settings_for(tmp_path / "data"))
    Table(services).photo()
    services.close()
    return tmp_path / "data"


def found(folder: Path, part: str, **changes: object) -> list[Finding]:
    settings = settings_for(folder, models_dir=ROOT / "models", **changes)
    return [finding for finding in findings(settings, folder / "no-dev") if finding.part == part]


def test_a_sound_machine_has_no_fault(folder: Path) -> None:
    faults = [finding for finding in findings(settings_for(folder), folder) if finding.state is State.FAULT]
    assert [say(finding.what) for finding in faults if finding.part != "disk"] == []
    assert "1 partite" in say(found(folder, "database")[0].what)


def test_a_folder_that_is_not_there_yet_is_no_fault(tmp_path: Path) -> None:
    assert look_at(tmp_path / "none").state is StoreState.NONE
    assert found(tmp_path / "none" / "deeper", "folder")[0].state is State.GOOD
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("damage", ["changed", "missing", "undescribed"])
def test_a_network_that_is_not_the_right_one(folder: Path, tmp_path: Path, damage: str) -> None:
    models = tmp_path / "models"
    models.mkdir()
    for name in ("index.onnx", "index.json", "reader.onnx", "reader.json"):
        shutil.copy(ROOT / "models" / name, models)
    if damage == "changed":
        (models / "index.onnx").write_bytes((models / "index.onnx").read_bytes()[:-1])
    elif damage == "missing":
        (models / "index.onnx").unlink()
    else:
        (models / "index.json").write_text("{}")
    first, second = (f for f in findings(settings_for(folder, models_dir=models), folder) if f.part == "model")
    assert (first.state, second.state) == (State.FAULT, State.GOOD)
    assert first.advice is not None and "models" in say(first.advice)


def test_a_damaged_database(folder: Path) -> None:
    (folder / FILE_NAME).write_bytes(b"SQLite format 3\0" + b"\xff" * 8000)
    for suffix in ("-wal", "-shm"):
        (folder / f"{FILE_NAME}{suffix}").unlink(missing_ok=True)
    finding = found(folder, "database")[0]
    assert finding.state is State.FAULT and finding.advice is not None
    assert "copia di sicurezza" in say(finding.advice)


@pytest.mark.parametrize(("revision", "state"), [("9999", StoreState.NEWER)])
def test_a_database_of_another_version(folder: Path, revision: str, state: StoreState) -> None:
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))
    before = (folder / FILE_NAME).read_bytes()
    assert look_at(folder).state is state
    assert found(folder, "database")[0].state is State.FAULT
    assert (folder / FILE_NAME).read_bytes() == before


def test_a_missing_photo(folder: Path) -> None:
    for path in (folder / "photos").iterdir():
        path.unlink()
    finding = found(folder, "database")[0]
    assert (finding.state, "1 foto" in say(finding.what)) == (State.FAULT, True)


def test_a_photo_that_was_let_go_is_no_fault(tmp_path: Path) -> None:
    with closing(Database(tmp_path)) as database:
        sha256 = database.add_photo(b"of no smazzata", b"preview")
        database.photos.forget(sha256)
    assert (look_at(tmp_path).state, look_at(tmp_path).photos_missing) == (StoreState.SOUND, 0)


def test_a_server_that_does_not_answer(folder: Path) -> None:
    pytest.importorskip("psycopg", reason="comes with the postgres extra")
    (finding,) = found(folder, "database", database_url="postgresql+psycopg://nobody@127.0.0.1:1/x")
    assert (finding.state, finding.what.key) == (State.FAULT, "store.unreachable")
    assert finding.advice is not None and "PostgreSQL" in say(finding.advice)


@pytest.mark.skipif(not SERVER, reason="BURRACO_TEST_POSTGRES names no server")
def test_a_server_that_answers_is_looked_at_and_left_as_it_is(folder: Path) -> None:
    with fresh_database(SERVER) as url:
        assert look_at_server(url).state is StoreState.NONE
        assert look_at_server(url).state is StoreState.NONE, "looking made nothing"
        Database(folder, url=url).close()
        (finding,) = found(folder, "database", database_url=url)
    assert (finding.state, finding.what.params) == (State.GOOD, {"matches": 0})


def test_a_full_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(folder)._replace(free=(LEAST_FREE_MB - 1) * 2**20)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    finding = found(folder, "disk")[0]
    assert finding.state is State.FAULT and finding.advice is not None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_a_key_that_others_can_read(folder: Path) -> None:
    assert found(folder, "pairing")[0].state is State.GOOD
    (folder / "pairing.key").write_text("00" * 32)
    (folder / "pairing.key").chmod(0o644)
    finding = found(folder, "pairing")[0]
    assert finding.state is State.FAULT and finding.advice is not None
    assert "pairing.key" in say(finding.advice)


@pytest.mark.skipif(sys.platform != "linux", reason="cameras are files on Linux only")
def test_cameras(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(folder, "camera")[0].state is State.NOTE
    (tmp_path / "video0").touch()
    assert doctor._camera(tmp_path, lambda index: True).state is State.GOOD
    assert doctor._camera(tmp_path, lambda index: False).what.key == "doctor.camera_busy"
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert doctor._camera(tmp_path).what.key == "doctor.camera_shut"


def test_a_machine_in_no_network(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "lan_address", lambda host: None)
    assert found(folder, "network")[0].state is State.NOTE


def test_every_fault_has_its_sentence_in_both_languages() -> None:
    source = (ROOT / "ui" / "doctor.py").read_text("utf-8")
    assert source.count("State.FAULT, ") >= 8
    for lang in LANGUAGES:
        for state in StoreState:
            assert say(doctor.Message(f"doctor.db_{state}", {"matches": 1, "revision": "x"}), lang)
        for state in doctor._STORE_FAULTS:
            assert say(doctor.Message(f"doctor.db_{state}_do"), lang)


def test_the_command_prints_sentences_and_says_by_its_status_whether_something_is_broken(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["doctor", "--data", str(folder), "--json"])
    rows = json.loads(capsys.readouterr().out)
    assert {"versions", "model", "folder", "disk", "database", "pairing", "camera", "network"} == {
        row["part"] for row in rows
    }
    assert main(["--lang", "en", "doctor", "--data", str(folder), "--models", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert "✗ Network: index.onnx is missing" in printed and "→ Copy the program's models folder" in printed
