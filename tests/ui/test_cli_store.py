"""`burraco backup`, `restore`, `check`, `photos`, and what `serve` says when it starts again."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from scoring.store.database import Database
from scoring.store.fold import fold
from tests.ui.conftest import settings_for
from ui.cli import main
from ui.opening import opened
from ui.runs import in_use, running
from ui.settings import ROOT
from ui.viewmodels import Message

GOLDEN = ROOT / "tests/golden/db/0002"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    shutil.copytree(GOLDEN, folder)
    (folder / "expected.json").unlink()
    return folder


def burraco(capsys: pytest.CaptureFixture[str], *words: str | Path, lang: str = "it") -> tuple[int, str]:
    status = main(["--lang", lang, *map(str, words)])
    out, err = capsys.readouterr()
    return status, out + err


def everything(folder: Path) -> tuple[object, ...]:
    db = Database(folder)
    try:
        events = tuple(db.all_events())
        return events, db.match_ids(), db.photo_rows(), [db.photo(sha256) for sha256 in db.photo_rows()]
    finally:
        db.close()


def test_backup_and_restore_into_a_fresh_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path, data: Path) -> None:
    file = tmp_path / "club.zip"
    status, said = burraco(capsys, "backup", file, "--data", data)
    assert (status, "2 partite" in said, "2 foto" in said) == (0, True, True)
    before = everything(data)
    other = tmp_path / "other"
    status, said = burraco(capsys, "restore", file, "--data", other)
    assert (status, "2 partite" in said) == (0, True)
    restored = everything(other)
    assert (restored[0], restored[1], restored[3]) == (before[0], before[1], before[3])
    assert burraco(capsys, "check", "--data", other)[0] == 0
    assert burraco(capsys, "backup", file, "--data", data)[0] == 2


def test_restore_puts_aside_what_is_there(capsys: pytest.CaptureFixture[str], tmp_path: Path, data: Path) -> None:
    file = tmp_path / "club.zip"
    burraco(capsys, "backup", file, "--data", data)
    before = everything(data)
    db = Database(data)
    match_id = db.match_ids()[0]
    db.close()
    (data / "burraco.sqlite3").write_bytes(b"spoilt")
    status, said = burraco(capsys, "restore", file, "--data", data)
    assert (status, "backups" in said) == (0, True)
    assert everything(data)[0] == before[0]
    assert [path.read_bytes() for path in (data / "backups").glob("*replaced*.sqlite3")] == [b"spoilt"]
    assert fold(Database(data).events(match_id)).seq > 0
    assert not list(data.glob("restore-*"))


def test_restore_takes_the_copy_made_before_a_migration(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(ROOT / "tests/golden/db/0001", folder)
    db = Database(folder)
    assert db.migration is not None and db.migration.backup is not None
    copy = db.migration.backup
    db.close()
    assert burraco(capsys, "restore", copy, "--data", folder)[0] == 0
    assert burraco(capsys, "check", "--data", folder)[0] == 0


@pytest.mark.parametrize("spoil", ["zip", "events", "photo", "version"])
def test_a_damaged_backup_changes_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, data: Path, spoil: str
) -> None:
    file, bad = tmp_path / "club.zip", tmp_path / "bad.zip"
    burraco(capsys, "backup", file, "--data", data)
    before = everything(data)
    if spoil == "zip":
        bad.write_bytes(file.read_bytes()[:-200])
    else:
        with zipfile.ZipFile(file) as old, zipfile.ZipFile(bad, "w") as new:
            for name in old.namelist():
                content = old.read(name)
                if spoil == "events" and name == "events.jsonl":
                    content = content.replace(b'"Loro"', b'"Lora"', 1)
                if spoil == "photo" and name.endswith("5"):
                    content += b" "
                if spoil == "photo" and len(name) == 71:
                    content += b" "
                if spoil == "version" and name == "manifest.json":
                    content = content.replace(b'"version": 1', b'"version": 2')
                new.writestr(name, content)
    for lang, words in (("it", "non ho cambiato niente"), ("en", "I have changed nothing")):
        status, said = burraco(capsys, "restore", bad, "--data", data, lang=lang)
        assert (status, words in said) == (2, True), said
    assert everything(data) == before
    assert burraco(capsys, "restore", tmp_path / "none.zip", "--data", data)[0] == 2


def test_restore_waits_for_a_running_program(capsys: pytest.CaptureFixture[str], tmp_path: Path, data: Path) -> None:
    file = tmp_path / "club.zip"
    burraco(capsys, "backup", file, "--data", data)
    with running(data):
        assert in_use(data)
        status, said = burraco(capsys, "restore", file, "--data", data)
        assert (status, "fermalo" in said) == (2, True)
    assert not in_use(data)


def photos(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "photos").iterdir() if not path.suffix)


def test_check_finds_what_is_wrong(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    assert burraco(capsys, "check", "--data", data) == (0, "Tutto intero: 2 partite, 29 eventi, 2 foto.\n")
    first, second = photos(data)
    first.write_bytes(first.read_bytes() + b" ")
    second.with_name(second.name + ".jpg").unlink()
    status, said = burraco(capsys, "check", "--data", data)
    assert (status, first.name in said, "non è più quella" in said, "anteprima" in said) == (1, True, True, True)
    second.unlink()
    assert "manca la foto" in burraco(capsys, "check", "--data", data)[1]
    file = sqlite3.connect(data / "burraco.sqlite3")
    file.execute("UPDATE event SET payload_json = '{}' WHERE kind = 'renamed'")
    file.execute("DELETE FROM event WHERE seq = 1 AND match_id IN (SELECT match_id FROM event WHERE seq = 2 LIMIT 1)")
    file.commit()
    file.close()
    status, said = burraco(capsys, "check", "--data", data, lang="en")
    assert (status, "event 1 is missing" in said) == (1, True)


def test_check_says_that_the_file_is_spoilt(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    file = data / "burraco.sqlite3"
    spoilt = bytearray(file.read_bytes())
    spoilt[4096 * 2 : 4096 * 6] = b"\xff" * (4096 * 4)
    file.write_bytes(spoilt)
    status, said = burraco(capsys, "check", "--data", data)
    assert (status, "burraco restore" in said) == (1, True)


def test_a_photo_that_is_shown_is_never_forgotten(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    db = Database(data, clock=lambda: "2020-01-01T00:00:00+00:00")
    orphan = db.add_photo(b"of nobody" * 200_000, b"preview")
    db.close()
    kept = [path.name for path in photos(data) if path.name != orphan]
    assert "1 foto non appartengono" in burraco(capsys, "check", "--data", data)[1]
    assert burraco(capsys, "photos", "--keep-mb", "5", "--data", data)[1].startswith("Foto tolte: 0 ")
    assert burraco(capsys, "photos", "--keep-mb", "0", "--data", data)[1].startswith("Foto tolte: 1 (1.7 MB)")
    assert [path.name for path in photos(data)] == kept
    assert burraco(capsys, "check", "--data", data)[0] == 0


def messages(folder: Path) -> dict[str, Message]:
    with opened(settings_for(folder)) as said:
        return {message.key: message for message in said}


def test_a_start_says_what_happened(data: Path) -> None:
    assert messages(data) == {}
    code = "import os, sys\nfrom pathlib import Path\nfrom ui.runs import running\n"
    code += "with running(Path(sys.argv[1])):\n    os.kill(os.getpid(), 9)\n"
    subprocess.run([sys.executable, "-c", code, str(data)], cwd=ROOT, timeout=60, check=False)
    said = messages(data)
    assert (said["open.stopped"].params["matches"], said["open.stopped"].params["events"]) == (2, 29)
    assert messages(data) == {}
    subprocess.run([sys.executable, "-c", code, str(data)], cwd=ROOT, timeout=60, check=False)
    photos(data)[0].unlink()
    assert set(messages(data)) == {"open.stopped_faults"}


def test_a_start_says_that_it_migrated_and_that_the_clock_is_behind(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "tests/golden/db/0001", tmp_path / "data")
    said = messages(tmp_path / "data")
    assert Path(str(said["open.migrated_copy"].params["path"])).is_file()
    db = Database(tmp_path / "data", clock=lambda: "2099-01-01T00:00:00.000+00:00")
    match_id = db.match_ids()[0]
    from scoring.store.events import EventKind

    seen = len(db.events(match_id))
    db.append(match_id, seen, command_id="later", device="a", kind=EventKind.RENAMED, payload={"names": ["A", "B"]})
    db.close()
    assert set(messages(tmp_path / "data")) == {"open.clock"}


def test_totals_are_taken_in_by_a_program_of_its_own(tmp_path: Path) -> None:
    """Not by `main`: other tests have loaded more of the program than the command line does."""
    (tmp_path / "t.csv").write_text("smazzata;Noi;Loro\n1;505;320\n", "utf-8")
    command = [sys.executable, "-m", "ui.cli", "load", "t.csv", "--data", str(tmp_path / "data")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), os.environ.get("PYTHONPATH", "")))}
    run = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert (run.returncode, "505 – 320" in run.stdout, run.stderr) == (0, True, "")


def test_a_folder_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for command in (["backup"], ["save", "x"]):
        assert main(["--lang", "it", *command, str(tmp_path / "no" / "x.json"), "--data", str(tmp_path)]) == 2
        assert capsys.readouterr().err == f"La cartella {tmp_path / 'no'} non c'è.\n"
