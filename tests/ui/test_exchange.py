"""A match out of the program and into another one: the same to the last event, and readable without it."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from scoring.cards import parse_cards
from scoring.sides import Adjustment, Held, Pozzetto
from scoring.store.state import Closed
from tests.ui.game import Table
from tests.ui.inline_scan import inline_services
from ui import commands as c
from ui.cli import main
from ui.errors import NotFound, Refused, ServiceError
from ui.services import Services
from ui.viewmodels import GoalChoice, NewMatch

TURNI = NewMatch(
    names=("Ännchen ♥", "=2+2"),
    players=(("Anna", "Ada"), ("Bea", "Bice")),
    regolamento="fibur",
    goal=GoalChoice(turni=1, vp_table="vp-4"),
)


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with inline_services(tmp_path / "one") as made:
        yield made


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Services]:
    with inline_services(tmp_path / "two") as made:
        yield made


def smazzata(table: Table) -> None:
    """Typed melds, a pozzetto not taken, an adjustment; signed."""
    table.do(
        c.AddMeld(0, parse_cards("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥")),
        c.AddMeld(1, parse_cards("K♠ K♥ K♦ JK")),
        c.AnswerClosed(Closed.SIDE_0),
        c.AnswerPozzetto(0, Pozzetto.PLAYED),
        c.AnswerHands(0, ()),
        c.AnswerPozzetto(1, Pozzetto.NOT_TAKEN),
        c.AnswerHands(1, (Held(cards=parse_cards("A♥ 4♣")),)),
        c.Adjust(1, (Adjustment(-50, "=ritardo"),)),
        c.Confirm(anyway=True),
    )


@pytest.fixture
def table(services: Services) -> Table:
    made = Table(services, new=TURNI)
    for side in (0, 1):
        made.photo(side)
    made.answer()
    made.do(c.Confirm(anyway=True))
    smazzata(made)
    return made


@pytest.mark.parametrize("photos", [False, True])
def test_a_match_goes_through_another_database_unchanged(
    services: Services, other: Services, table: Table, photos: bool
) -> None:
    text = services.export_json(table.view.id, photos)
    view = other.import_match(text)
    assert other.export_json(view.id, photos) == text
    assert view.totals == services.match(table.view.id).totals
    assert other.import_match(text).seq == view.seq
    assert len(other.matches()) == 1
    sha256 = view.confirmed[0].sides[0].photos[0].sha256
    if photos:
        assert other.photo_jpeg(sha256) == services.photo_jpeg(sha256)
    else:
        with pytest.raises(NotFound):
            other.photo_jpeg(sha256)
    after = other.apply(view.id, c.UndoConfirmation(), seq=view.seq, device="b")
    assert len(after.confirmed) == 1


def test_a_copy_is_a_match_of_its_own(services: Services, table: Table) -> None:
    text = services.export_json(table.view.id)
    copied = services.import_match(text, copy=True)
    assert (copied.id != table.view.id, copied.totals) == (True, table.view.totals)
    table.do(c.NothingLaid(0))
    with pytest.raises(Refused, match="import_exists"):
        services.import_match(text)


def test_the_demo_comes_in_as_a_match_of_ones_own(services: Services) -> None:
    text = services.export_json(services.demo_match())
    assert not services.import_match(text).demo
    assert len(services.matches()) == 1


def test_what_the_file_says_is_documented_and_adds_up(services: Services, table: Table) -> None:
    data = json.loads(services.export_json(table.view.id))
    assert list(data) == ["format", "version", "program", "id", "events", "photos", "summary"]
    assert [event["seq"] for event in data["events"]] == list(range(1, table.view.seq + 1))
    summary = data["summary"]
    assert summary["totals"] == [sum(s["points"][party] for s in summary["smazzate"]) for party in (0, 1)]
    for played in summary["smazzate"]:
        assert [sum(row[1] for row in ledger) for ledger in played["ledgers"]] == played["totals"]


def spoil(data: dict[str, Any], what: str) -> None:
    events = data["events"]
    confirmation = next(e["payload"] for e in events if e["kind"] == "smazzata_confirmed")
    attached = next(e["payload"] for e in events if e["kind"] == "photo_attached")
    sha256, photo = next(iter(data["photos"].items()))
    match what:
        case "format":
            data["format"] = "other"
        case "version":
            data["version"] = 2
        case "unknown_key":
            data["more"] = 1
        case "id":
            data["id"] = "../x"
        case "no_events":
            data["events"] = []
        case "gap":
            del events[3]
        case "twice":
            events[4]["command_id"] = events[3]["command_id"]
        case "kind":
            events[3]["kind"] = "cheated"
        case "newer":
            events[3]["schema"] = 99
        case "time":
            events[3]["at"] = "yesterday"
        case "huge_smazzata":
            attached["smazzata"] = 10**9
        case "huge_side":
            attached["side"] = 10**9
        case "huge_number":
            confirmation["ledgers"][0][0][1] = 10**400
        case "reason":
            confirmation["ledgers"][0][0][0] = "luck"
        case "cards":
            confirmation["ledgers"][0][-1][2] = "99♥"
        case "points":
            confirmation["points"] = [1]
        case "names":
            events[0]["payload"]["names"] = ["", "x"]
        case "rules":
            events[0]["payload"]["regolamento_text"] = "nonsense = ["
        case "deep":
            attached["reading"] = json.loads("[" * 100 + "]" * 100)
        case "undone_nothing":
            events[-1]["kind"], events[-1]["payload"] = "undone", {"target": 9000}
        case "no_payload":
            attached.clear()
        case "photo":
            photo["data"] = base64.b64encode(b"other").decode()
        case "base64":
            photo["data"] = "!"
        case "preview":
            photo["preview_jpeg"] = base64.b64encode(b"<svg onload=alert(1)>").decode()
        case "sha":
            data["photos"]["../x"] = data["photos"].pop(sha256)


SPOILT = re.findall(r'case "(\w+)"', Path(__file__).read_text(encoding="utf-8"))


@pytest.mark.parametrize("what", SPOILT)
def test_what_is_no_match_is_refused_whole(services: Services, other: Services, table: Table, what: str) -> None:
    data = json.loads(services.export_json(table.view.id, photos=True))
    spoil(data, what)
    with pytest.raises(ServiceError) as error:
        other.import_match(json.dumps(data))
    assert error.value.status in (400, 422)
    assert (other.matches(), other._db.photo_rows()) == ((), {})


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "\x00", "[" * 5000, '{"format": 1e999}', b"\xff\xfe"])
def test_what_is_no_json_is_refused(services: Services, text: str | bytes) -> None:
    with pytest.raises(ServiceError):
        services.import_match(text)


def rows(text: str, delimiter: str) -> list[list[str]]:
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=delimiter))


def test_totals_as_a_table_and_back(services: Services, other: Services, table: Table) -> None:
    text = services.export_csv(table.view.id, "it")
    head, *lines = rows(text, ";")
    assert head == ["smazzata", "quando", "Ännchen ♥", "'=2+2", "totale Ännchen ♥", "totale =2+2"]
    assert [line[2:4] for line in lines] == [["395", "285"], ["345", "-110"]]
    assert [line[4:] for line in lines] == [["395", "285"], ["740", "175"]]
    view = other.import_totals(text, NewMatch((), "fibur", 2005), "it")
    assert (view.names, view.totals) == (table.view.names, table.view.totals)
    assert [s.confirmation.totals for s in view.confirmed] == [(395, 285), (345, -110)]
    assert all(s.recount is None for s in view.confirmed)
    assert view.confirmed[0].confirmation.ledgers[0][0].text == "importato da CSV"
    assert other.export_csv(view.id, "it").count("345") == 1


def test_ledgers_as_a_table(services: Services, table: Table) -> None:
    head, *lines = rows(services.export_csv(table.view.id, "en", ledgers=True), ",")
    assert head[:4] == ["smazzata", "side", "part", "reason"]
    signed = table.view.confirmed
    assert len(lines) == sum(len(ledger) for s in signed for ledger in s.confirmation.ledgers)
    assert sum(int(line[5]) for line in lines if line[1] == "Ännchen ♥") == table.view.totals[0]
    assert "'=ritardo" in {line[7] for line in lines}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "import.csv.empty"),
        ("Noi;Loro\n", "import.csv.empty"),
        ("Noi;Loro\n1,5;2\n", "import.csv.line"),
        ("Noi;Loro\n1;\n", "import.csv.line"),
        ("Noi;Loro\n1\n", "import.csv.line"),
        ("Noi;Loro\n9999999;1\n", "import.csv.line"),
        ("Noi;Loro\n=1+1;1\n", "import.csv.line"),
        ("Noi;Loro;Altri\n1;2;3\n", "refused.names_count"),
        ("Noi;noi\n1;2\n", "refused.equal_names"),
        ("Noi;Loro\n" + "1;2\n" * 201, "import.csv.too_long"),
        ("Noi;Loro\n500000;1\n", "refused.points"),
    ],
)
def test_a_table_that_is_none(services: Services, text: str, key: str) -> None:
    with pytest.raises(ServiceError) as error:
        services.import_totals(text, NewMatch((), ""), "it")
    assert error.value.message.key == key
    assert services.matches() == ()


def test_a_table_with_commas_and_three_players(services: Services) -> None:
    view = services.import_totals("#,A,B,C\n1,505,-50,0\n", NewMatch((), "", formato="sei"), "en")
    assert (view.names, view.totals) == (("A", "B", "C"), (505, -50, 0))
    with pytest.raises(Refused, match="import_seating"):
        services.import_totals("A,B,C\n1,2,3\n", NewMatch((), "", formato="tre"), "en")


def test_a_signed_smazzata_is_scored_again_by_the_command_line(
    services: Services, table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for smazzata in table.view.confirmed:
        file = tmp_path / "s.json"
        file.write_text(services.export_smazzata(table.view.id, smazzata.number), encoding="utf-8")
        main(["score", str(file), "--json"])
        sides = json.loads(capsys.readouterr().out)["sides"]
        assert [side["total"] for side in sides] == list(smazzata.confirmation.totals)
    with pytest.raises(NotFound):
        services.export_smazzata(table.view.id, 3)


def test_a_counted_side_is_scored_again_by_the_command_line(
    services: Services, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    counted = Table(services)
    counted.do(c.EnterCounts(0, (("pulito", 1), ("sporco", 1)), ((10, 7), (5, 8))), c.NothingLaid(1))
    counted.answer()
    view = counted.do(c.Confirm(anyway=True))
    file = tmp_path / "s.json"
    file.write_text(services.export_smazzata(view.id, 1), encoding="utf-8")
    main(["score", str(file), "--json"])
    sides = json.loads(capsys.readouterr().out)["sides"]
    assert [side["total"] for side in sides] == list(view.totals) == [200 + 100 + 110 + 100, -10]


def test_the_sheet_holds_what_was_signed(services: Services, table: Table) -> None:
    reader = shutil.which("pdftotext")
    if reader is None:
        pytest.skip("no pdftotext here (Debian: poppler-utils)")
    for lang, word in (("it", "Carte in mano"), ("en", "Cards in hand")):
        pdf = services.export_pdf(table.view.id, lang)
        text = subprocess.run([reader, "-layout", "-", "-"], input=pdf, capture_output=True, check=True).stdout.decode()
        for wanted in ("Ännchen ♥", "=2+2", "740", "175", "3♥", "K♦", "K♠", "4♣", word, "−50", "=ritardo"):
            assert wanted in text, wanted
        sha256 = table.view.confirmed[0].sides[0].photos[0].sha256
        assert sha256[:12] in text
        assert pdf.count(b"/Subtype /Image") == 1  # both photos are the same picture here
    assert services.export_pdf(table.view.id, "it") == services.export_pdf(table.view.id, "it")


@pytest.mark.parametrize("regolamento", ["tre", "cinque", "due", "sei"])
def test_every_formato_has_a_sheet_and_a_picture(services: Services, regolamento: str) -> None:
    from scoring.formato import load_formato

    names = tuple("ABCDEF"[: load_formato(regolamento).parties])
    view = services.create_match(NewMatch(names, regolamento, 1505), device="a")
    assert services.export_pdf(view.id, "it").startswith(b"%PDF")
    with Image.open(io.BytesIO(services.export_png(view.id, "en"))) as image:
        assert (image.format, image.size[0]) == ("PNG", 1080)


def test_the_command_line_takes_a_match_out_and_in(
    table: Table, services: Services, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two, match_id = str(tmp_path / "one"), str(tmp_path / "two"), table.view.id
    for name in ("m.json", "m.csv", "m.pdf", "m.png"):
        assert main(["save", match_id, str(tmp_path / name), "--data", one]) == 0
        assert (tmp_path / name).stat().st_size > 100
    assert main(["save", match_id, str(tmp_path / "m.doc"), "--data", one]) == 2
    assert main(["save", "nope", str(tmp_path / "m.json"), "--data", one]) == 2
    assert main(["load", str(tmp_path / "m.json"), "--data", two]) == 0
    assert main(["load", str(tmp_path / "m.csv"), "--data", two, "--regolamento", "fibur"]) == 0
    assert main(["load", str(tmp_path / "m.png"), "--data", two]) == 2
    capsys.readouterr()
    assert main(["matches", "--data", two]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert len(listed) == 2 and match_id in listed[1] and "Ännchen ♥ 740" in listed[0]
