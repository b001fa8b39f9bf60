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
from ui.i18n import LANGUAGES
from ui.settings import ROOT, get_settings


def run(capsys: pytest.CaptureFixture[str], *arguments: str, lang: str = "it") -> tuple[int, str, str]:
    status = main(["--lang", lang, *arguments])
    out, err = capsys.readouterr()
    return status, out, err


def test_melds_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "score", "3H 4H 5H 6H 7H 8H 9H", "K♠ K♥ K♦ JK")
    assert status == 0
    assert "burraco pulito (sette carte e nessuna matta): 45 + 200 = 245" in out
    assert out.endswith("Totale: 305\n")


def test_a_class_has_the_name_of_its_regolamento(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "score", "--regolamento", "feburit", "7H 7H 7S 7S 7D 7D 7C 7C")
    assert "burraco superpulito (otto carte uguali e nessuna matta): 40 + 250 = 290" in out


def test_melds_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "score", "--json", "3H 4H 5H")
    assert (status, json.loads(out)["total"]) == (0, 15)


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["score", "zz"], 2, "«zz» non è una carta"),
        (["score", "3H zz", "3H", "yy"], 2, "«yy» non è una carta"),
        (["score", "3H zz", "yy", "--giocatori", "9"], 2, "--giocatori 9 non va; si gioca in 2, 3, 4, 5 o 6."),
        (["score", "7H 7H 7H", "--giocatori", "4"], 1, "7♥"),
        (["score", "a.txt", "3H 4H 5H"], 2, "Un file va da solo: burraco score FILE. Qui c'è anche altro: 3H 4H 5H"),
        (["score", "3H 4H " * 60], 1, "compare due volte"),
        (["score", "x" * 300], 2, "non è una carta"),
        (["score", "3H 9S QD"], 1, "non valido"),
        (["score", "7H 7H 7H"], 1, "7♥"),
        (["score", "--regolamento", "nope", "3H 4H 5H"], 2, "fibur"),
        (["score", "missing.json"], 2, "missing.json"),
        (["regolamenti", "nope"], 2, "fedibur"),
        (["scan", "missing.jpg"], 2, "missing.jpg"),
        (["scan", "--regolamento", "nope", "missing.jpg"], 2, "fibur"),
        (["score", ""], 2, "Un gioco senza carte non esiste"),
        (["meld", ""], 2, "Un gioco senza carte non esiste"),
        (["meld", "3H 4H 5H", "--set", "foo"], 2, "«foo» non cambia niente: scrivi chiave=valore"),
        (["meld", "3H 4H 5H", "--regolamento", "no.toml"], 2, "Il file no.toml non c'è o non si può leggere"),
        (["vp", "vp-2"], 2, "vp-3, vp-4; oppure un file .toml"),
        (["vp", "no.toml"], 2, "Il file no.toml non c'è"),
        (["vp", "vp-3", "12"], 2, "«12» non va: servono i Match Points dei due lati"),
        (["vp", "vp-3", "12", "x"], 2, "«12 x» non va"),
        (["eval", "no/such"], 2, "labels.json non c'è o non si può leggere"),
    ],
)
def test_bad_input(capsys: pytest.CaptureFixture[str], arguments: list[str], status: int, says: str) -> None:
    found, out, err = run(capsys, *arguments)
    assert found == status
    assert says in out + err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--port", "99999"], "«99999» non è una porta: serve un numero da 1 a 65535"),
        (["--port", "x"], "«x» non è una porta"),
        (["--reader", "x"], "«x» non è un lettore: serve modulo:funzione"),
        (["--host", "no.such.host.invalid"], "L'indirizzo no.such.host.invalid non è di questo computer"),
    ],
)
def test_a_server_that_cannot_start(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str], says: str
) -> None:
    monkeypatch.setattr(os, "environ", dict(os.environ))
    get_settings.cache_clear()
    status, out, err = run(capsys, "serve", *arguments)
    get_settings.cache_clear()
    assert (status, out) == (2, "") and says in err


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


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"sides":\n', "riga 2: non è JSON valido."),
        ("[]", "«[]» non va; servono chiavi con i loro valori."),
        ('{"sides": [{}]}', "i lati sono 1: una smazzata ne ha da 2 a 5."),
        ('{"sides": [{"melds": ["zz"]}, {}]}', "sides.0.melds.0: «zz» non è una carta"),
        ('{"sides": [{"closed": "yes"}, {}]}', "sides.0.closed: «yes» non va; serve true o false, senza virgolette."),
    ],
)
def test_broken_files(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "smazzata.json"
    path.write_text(text, encoding="utf-8")
    status, _, err = run(capsys, "score", str(path))
    assert status == 2
    assert str(path) in err and says in err


ANSWER_KEYS = ["legal", "class", "points", "bonus", "countable", "surplus", "faults", "reason", "questions"]


@pytest.mark.parametrize(
    ("arguments", "status", "expected"),
    [
        (["3♥ 4♥ JK 6♥"], 0, {"legal": True, "class": "none", "points": 45, "bonus": 0, "countable": 45}),
        (["3H", "4H", "5H", "6H", "7H", "8H", "9H", "JK"], 0, {"class": "semipulito", "points": 75, "bonus": 150}),
        (["4H 5H 6H 7H 8H 9H 10H 2C QH", "--set", "semipulito=wild_at_end"], 0, {"class": "sporco", "bonus": 100}),
        (["AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH", "--regolamento", "reale"], 0, {"class": "reale", "bonus": 500}),
        (
            ["9H 10H JK 2C KH"],
            1,
            {"legal": False, "class": None, "points": 0, "bonus": 0, "countable": 50, "surplus": ["2♣", "K♥"]},
        ),
        (["5H 6D 9H JK JK"], 1, {"faults": ["too_many_wilds", "mixed_cards"], "countable": 0}),
    ],
)
def test_a_meld_as_json(
    capsys: pytest.CaptureFixture[str], arguments: list[str], status: int, expected: dict[str, object]
) -> None:
    found, out, _ = run(capsys, "meld", *arguments, "--json")
    answer = json.loads(out)
    assert (found, list(answer)) == (status, ANSWER_KEYS)
    assert {key: answer[key] for key in expected} == expected


NO_MARKS = [part for classe in ("pulito", "semipulito", "sporco") for part in ("--set", f"marks.{classe}=[]")]
ACE_TO_ACE = "AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH"


@pytest.mark.parametrize(
    ("lang", "arguments", "says"),
    [
        ("it", ["3H 4H 5H 6H 7H 8H 9H JK"], "semipulito: sette carte di fila prima del jolly"),
        ("en", ["3H 4H 5H 6H 7H 8H 9H JK"], "semipulito: seven cards in a row before the jolly"),
        ("it", ["3H 4H 5H 6H 7H 8H 9H 2H"], "265 punti (pulito: otto carte e nessuna matta)"),
        ("it", ["QH KH AH 2H"], "Il 2 non può seguire l'asso"),
        (
            "it",
            ["3H 4H 5H 6H 7H 8H 9H JK", "--crosswise", "8"],
            "di traverso dicono burraco sporco, le carte dicono semipulito.",
        ),
        (
            "it",
            ["3H 4H 5H 6H 7H 8H 9H JK", "--crosswise", "4"],
            "Qui il segno è: pulito l'ultima e la penultima; semipulito la penultima; sporco l'ultima.",
        ),
        (
            "it",
            ["3H 4H 5H 6H 7H 8H 9H JK", "--crosswise", "4", *NO_MARKS],
            "Qui il segno è: nessuno. Dalle carte risulta: semipulito.",
        ),
        ("it", ["7H 7S 7D", "--regolamento", "reale"], "non si calano combinazioni (carte dello stesso valore)"),
        ("it", ["7H 7S 7D", "--regolamento", "internazionale"], "si calano combinazioni solo di A, 3."),
        ("it", [ACE_TO_ACE], "L'asso sta a tutti e due i capi della sequenza"),
        ("it", [ACE_TO_ACE, "--regolamento", "reale"], "reale: dall'asso all'asso, nessuna matta"),
        ("it", ["9H 10H JK 2C KH"], "carte in più, che un arbitro può contare in negativo: 2♣ K♥"),
        ("it", ["7H 7S"], "0 punti; la parte regolare varrebbe 0"),
        ("it", ["3H 4H 5H 6H 7H 8H 9H", "--regolamento", "buraco-fechado"], "limpa: sette carte e nessuna matta"),
    ],
)
def test_a_meld_says_why(capsys: pytest.CaptureFixture[str], lang: str, arguments: list[str], says: str) -> None:
    assert says in run(capsys, "meld", *arguments, lang=lang)[1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["3H XX 11H"], ["«XX» non è una carta", "«11H» non è una carta"]),
        (["3H 4H 5H", "--crosswise", "0", "4", "x"], ["Il posto «0»", "Il posto «4»", "Il posto «x»"]),
        (["3H 4H 5H", "--regolamento", "scopa"], ["«scopa» non esiste", "fitab"]),
        (["3H 4H 5H", "--set", "packs=9", "--set", "x=1"], ["packs non può valere 9; ammessi: 2..6", "La chiave x "]),
        (["3H 4H 5H", "--regolamento", "no/such.toml"], ["no/such.toml"]),
    ],
)
def test_a_meld_that_cannot_be_asked(capsys: pytest.CaptureFixture[str], arguments: list[str], says: list[str]) -> None:
    status, out, err = run(capsys, "meld", *arguments)
    assert (status, out) == (2, "")
    assert all(part in err for part in says)


def test_a_preset_of_ones_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "casa.toml"
    path.write_text('base = "fibur"\n[bonus]\npulito = 210\n', encoding="utf-8")
    status, out, _ = run(capsys, "meld", "3H 4H 5H 6H 7H 8H 9H", "--regolamento", str(path), "--json")
    assert (status, json.loads(out)["bonus"]) == (0, 210)
    path.write_text('base = "fibur"\n[bonus]\npulito = -200\n[values]\njoker = 3\n', encoding="utf-8")
    status, _, err = run(capsys, "meld", "3H 4H 5H", "--regolamento", str(path))
    assert status == 2
    assert "bonus.pulito non può valere -200; ammessi: 0..10000" in err
    assert [line for line in err.splitlines() if not line.startswith(f"{path}: ")] == []
    assert "values.joker (valore 3)" in err


def test_a_preset_file_that_says_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for text, says in (
        ("", "Il regolamento casa è vuoto: scrivi la sua base"),
        ('base = "fibur"\n[bonus\n', "Il regolamento casa non è TOML valido: guarda alla riga 2."),
    ):
        status, _, err = run(capsys, "meld", "3H 4H 5H", "--regolamento", written(tmp_path, text, "casa.toml"))
        assert (status, err.count("\n")) == (2, 1) and says in err


def test_match_points_that_cannot_be(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "vp", "vp-3", "1003", "1000")
    assert status == 0 and out.startswith("Differenza 3: 10 - 10 VP")
    assert "! Attenzione: 1003 non può essere un totale di Match Points, perché carte e premi vanno di 5 in 5." in out
    assert "!" not in run(capsys, "vp", "vp-3", "1005", "1000")[1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["regolamenti", "--foo"], "errore: non si conosce: --foo"),
        (["meld"], "errore: manca: cards"),
        (["meld", "3H", "--crosswise"], "errore: --crosswise: serve almeno un valore"),
        (["scan", "x.jpg", "--detector", "zz"], "errore: --detector: 'zz' non va; ammessi: "),
        (["synth", "--count", "x"], "errore: --count: il valore 'x' non va"),
        (["synth", "--index-px", "1"], "errore: --index-px: servono 2 valori"),
        (["boh"], "'boh' non va; ammessi: "),
        (["score"], "errore: manca: MELD|FILE"),
        ([], "errore: manca: COMANDO"),
    ],
)
def test_arguments_that_cannot_be(capsys: pytest.CaptureFixture[str], arguments: list[str], says: str) -> None:
    for lang in LANGUAGES:
        with pytest.raises(SystemExit) as stopped:
            main(["--lang", lang, *arguments])
        err = capsys.readouterr().err
        assert stopped.value.code == 2 and (says in err) == (lang == "it") and ("error: " in err) == (lang == "en")


def test_tables_of_victory_points(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    listed = run(capsys, "vp")[1]
    assert "vp-3" in listed and "vp-4" in listed and "fonte: " in listed
    assert "    1505  20 - 0" in run(capsys, "vp", "vp-3")[1].splitlines()
    assert run(capsys, "vp", "vp-3", "1825", "1000")[1].startswith("Differenza 825: 17 - 3 VP")
    own = 'name = "club"\ntitle = "Club"\nsource = "x"\nsmazzate = 2\nsum = 12\ndifferences = [0, 200]\nvp = [6, 9]\n'
    assert run(capsys, "vp", written(tmp_path, own, "club.toml"), "-50", "150")[:2] == (
        0,
        "Differenza 200: 3 - 9 VP (Club)\n",
    )
    bad = own.replace("[6, 9]", "[6, 13]").replace('"x"', "3")
    status, _, err = run(capsys, "vp", written(tmp_path, bad, "bad.toml"), lang="en")
    assert (status, err) == (2, 'The key source cannot be 3; allowed: "…".\n')


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        ("{", "labels.json non è JSON valido: guarda alla riga 1."),
        ("[]", "servono i nomi delle foto con le loro carte, non []."),
        ('{"a.jpg": {}}', "La foto a.jpg ha etichette che non vanno: servono kind, complete e cards"),
        ("{}", "mancano o non si possono usare"),
    ],
)
def test_photos_that_cannot_be_measured(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, labels: str, says: str
) -> None:
    written(tmp_path, labels, "labels.json")
    status, out, err = run(capsys, "eval", str(tmp_path), "--models", str(tmp_path))
    assert (status, out) == (2, "") and says in err
    assert "«scopa» non esiste" in run(capsys, "eval", str(tmp_path), "--regolamento", "scopa")[2]


def test_help_names_the_folder_in_force(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BURRACO_DATA", str(tmp_path / "100%"))
    with pytest.raises(SystemExit):
        main(["serve", "--help"])
    assert str(tmp_path / "100%") in capsys.readouterr().out.replace("\n", "")


def test_regolamenti(capsys: pytest.CaptureFixture[str]) -> None:
    listed = run(capsys, "regolamenti")[1]
    assert "nessuna cifra propria trovata: conta come fibur" in listed
    assert "fonte: F.I.Bur. Codice di Gara, ed. gennaio 2026" in listed
    assert "over the top 300, superpulito 250, pulito 200" in listed
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


SMAZZATA = """
regolamento: fibur
fine: chiusura
[Noi]
3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ JK
chiusura
[Loro]
pozzetto: non preso
mano: A♥ 4♣
penalizzate: K♣
rettifica: -50 ritardo
"""


def written(tmp_path: Path, text: str, name: str = "smazzata.txt") -> str:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_smazzata_as_plain_text(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = run(capsys, "score", written(tmp_path, SMAZZATA))
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert status == 0
    assert "Base 250" in lines and "Carte 75" in lines and "Totale 325" in lines
    assert "Base −150" in lines and "Carte −30" in lines and "Totale −180" in lines
    assert "semipulito: sette carte di fila prima del jolly" in out and "L'arbitro ha deciso: ritardo." in out
    english = run(capsys, "score", written(tmp_path, SMAZZATA), lang="en")[1]
    assert "seven cards in a row before the jolly" in english


def test_a_smazzata_as_toml_under_other_rules(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = '[[sides]]\nname = "Noi"\nmelds = ["3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ JK"]\n[[sides]]\nhands = [35]\n'
    path = written(tmp_path, text, "smazzata.toml")
    status, out, _ = run(capsys, "score", path, "--regolamento", "fedibur", "--confronta")
    assert status == 0 and "Totale" in out
    assert any(line.split()[:1] == ["reale"] and "non giocabile" in line for line in out.splitlines())
    answer = json.loads(run(capsys, "score", path, "--json", "--confronta", "--set", "bonus.semipulito=160")[1])
    assert [side["total"] for side in answer["sides"]] == [235, -35]
    assert {under["regolamento"]: under["totals"] for under in answer["under"]}["fibur"] == [225, -35]


THREE = "[Anna]\npunti: 100 0\n[Bruno e Carla]\npunti: 305 0\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--giocatori", "3"], "Bruno e Carla: 153 a ciascuno"),
        (["--giocatori", "3", "--set", "match.half=keep"], "Bruno e Carla: 152½ a ciascuno"),
        (["--regolamento", "tre"], "Bruno e Carla: 153 a ciascuno"),
        (["--giocatori", "2"], "Totale"),
    ],
)
def test_how_many_play(capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: list[str], says: str) -> None:
    status, out, _ = run(capsys, "score", written(tmp_path, THREE), *arguments)
    assert status == 0 and says in out


@pytest.mark.parametrize(
    ("text", "arguments", "each"),
    [
        (THREE, ["--giocatori", "3"], [100, 153]),
        (THREE, ["--giocatori", "3", "--set", "match.half=keep"], [100, 152.5]),
        ("[A]\n[B e C]\nmano: 305", ["--giocatori", "3"], [0, -152]),
        ("[B e C]\ngiocatori: 2\nmano: 305\n[A]", ["--giocatori", "3"], [-152, 0]),
        ("[B e C]\ngiocatori: 2\nmano: 305\n[A]\ngiocatori: 1", [], [-152, 0]),
        ("giocatori: 3\n[A]\nmano: 305\n[B]\n[C]", [], [-305, 0, 0]),
        (THREE, [], [None, None]),
    ],
)
def test_what_each_of_a_pair_gets(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, arguments: list[str], each: list[float | None]
) -> None:
    out = run(capsys, "score", written(tmp_path, text), "--json", *arguments)[1]
    assert [side["each"] for side in json.loads(out)["sides"]] == each


def test_one_alone_has_closed_and_needs_no_hand(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = "giocatori: 3\n[A]\n3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥\nchiusura\nscarto: 9♣\n[B e C]\nmano: 35\nmano: 20"
    status, out, _ = run(capsys, "score", written(tmp_path, text))
    assert status == 0 and "!" not in out


OTHER_READING = "3H 4H 5H 6H 7H 8H 9H 2H"


def test_a_reading_that_counts_otherwise_is_asked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = written(tmp_path, f"[A]\n{OTHER_READING}\n[B]")
    for lang, says in (("it", "265 punti (pulito: otto carte e nessuna matta)."), ("en", "265 points (pulito: eight")):
        for given in (OTHER_READING, path):
            assert says in run(capsys, "score", given, lang=lang)[1]
    asked = json.loads(run(capsys, "meld", OTHER_READING, "--json")[1])["questions"]
    assert [(question["class"], question["points"], question["bonus"]) for question in asked] == [("pulito", 65, 200)]
    assert json.loads(run(capsys, "score", OTHER_READING, "--json")[1])["melds"][0]["questions"] == asked
    assert json.loads(run(capsys, "score", path, "--json")[1])["sides"][0]["melds"][0]["questions"] == asked


@pytest.mark.parametrize("cards", ["4H 5H 6H 7H 8H 9H JK", "4H 5H 6H 7H 8H 9H 10H JK QH", "7H 7S 7D 7C 7H 7S JK"])
def test_score_and_meld_give_the_same_reason(capsys: pytest.CaptureFixture[str], cards: str) -> None:
    reason = json.loads(run(capsys, "meld", cards, "--json")[1])["reason"]
    [meld] = json.loads(run(capsys, "score", cards, "--json")[1])["melds"]
    assert meld["reason"] == reason
    assert f"({reason.partition(': ')[2]})" in run(capsys, "score", cards)[1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["K♥ 2♥ 2♣"], ["Nella sequenza manca una carta.", "più di una matta"]),
        (["3♥ 4♥ JK", "--set", "wilds.per_meld=0"], ["un gioco non può avere matte"]),
        (["A23456789TJQKA", "--set", "runs.aces=both_ends"], ["troppo lunga: qui al massimo 14 carte in tutto, 13"]),
    ],
)
def test_an_illegal_meld_says_what_is_wrong(
    capsys: pytest.CaptureFixture[str], arguments: list[str], says: list[str]
) -> None:
    cards = arguments[0]
    arguments[0] = cards if " " in cards else " ".join(f"{rank}H" for rank in cards)
    status, out, _ = run(capsys, "meld", *arguments)
    assert status == 1 and [part for part in says if part not in out] == []


@pytest.mark.parametrize(
    "command", [["meld", "3H 4H 5H", "--regolamento"], ["regolamenti"], ["score", "3H", "--regolamento"]]
)
def test_a_preset_with_a_formato_that_does_not_exist(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: list[str]
) -> None:
    preset = tmp_path / "casa.toml"
    preset.write_text('base = "fibur"\nformato = "sette"')
    status, _, err = run(capsys, *command, str(preset))
    says = "La chiave formato non può valere sette; ammessi: due, tre, quattro, cinque, sei."
    assert (status, err) == (2, f"{preset}: {says}\n")


OF_FIVE = (
    "regolamento: fibur\ngiocatori: 5\n[Anna]\n7♥ 7♥ 7♠\n[Bruno e Carla]\n3♥ 4♥ 5♥ 6♥ 7♥ 8♥\nmano: 310\n[Dora e Ugo]"
)


def test_a_comparison_says_what_the_ledger_says(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = written(tmp_path, OF_FIVE)
    status, out, _ = run(capsys, "score", path, "--confronta", "--json")
    said = json.loads(out)
    under = {row["regolamento"]: row for row in said["under"]}
    for name in ("fibur", "fitab", "quattro"):
        alone = json.loads(run(capsys, "score", path, "--regolamento", name, "--json")[1])
        assert under[name]["totals"] == [side["total"] for side in alone["sides"]]
        assert under[name]["each"] == [side["each"] for side in alone["sides"]]
    assert status == 0 and "non giocabile" not in under["fibur"]["text"]
    why = "Bruno e Carla −275, −137 a ciascuno (metà di −275, arrotondata per eccesso)"
    assert why in under["fibur"]["text"] and "−137 a ciascuno (metà di −275" in run(capsys, "score", path)[1]


def test_in_four_other_packs_are_another_game_whoever_says_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for said in ("", "giocatori: 4\n"):
        out = run(capsys, "score", written(tmp_path, said + "[A]\n3♥ 4♥ 5♥\n[B]"), "--confronta")[1]
        unplayable = [line.split()[0] for line in out.splitlines() if "non giocabile: qui 2 mazzi" in line]
        assert unplayable == ["cinque", "sei"]


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_a_file_that_is_not_utf_8(capsys: pytest.CaptureFixture[str], tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "casa.txt"
    path.write_bytes("[Perché no]\n[Loro]".encode(encoding))
    status, _, err = run(capsys, "score", str(path))
    assert status == 2 and "c'è, ma non è scritto in UTF-8" in err
    preset = tmp_path / "casa.toml"
    preset.write_bytes('base = "fibur"\nsource = "è"'.encode(encoding))
    assert "c'è, ma non è scritto in UTF-8" in run(capsys, "regolamenti", str(preset))[2]
    assert "c'è, ma non è scritto in UTF-8" in run(capsys, "vp", str(preset))[2]


def test_a_preset_named_in_a_file_is_sought_beside_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "casa.toml").write_text('base = "fibur"\n[bonus]\npulito = 210')
    path = written(tmp_path, "regolamento: casa.toml\n[A]\n3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥\n[B]")
    status, out, _ = run(capsys, "score", path)
    assert status == 0 and "45 + 210 = 255" in out


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[A]\nmano: 5000\n[B]", "A: 5000 punti di carte sono troppi: tutti i mazzi insieme ne contengono 1080."),
        ("[A]\npunti: 100 75\n[B]", "A: 75 punti di burraco non possono venire da nessuna somma di burrachi"),
        ("[A]\npunti: 30000 13\n[B]", "(qui un burraco vale 200, 150, 100)"),
        ("regolamento: reale\n[A]\nmano: JK\n[B]", "i mazzi non hanno jolly"),
    ],
)
def test_figures_that_cannot_be_are_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, says: str
) -> None:
    path = written(tmp_path, text)
    status, out, _ = run(capsys, "score", path)
    assert status == 1 and says in out
    assert run(capsys, "score", path, lang="en")[0] == 1


def test_comparing_goes_with_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "score", "3H 4H 5H", "--confronta")
    assert status == 2 and "--confronta serve con un file" in err


def test_a_table_of_two_smazzate_was_not_found(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "vp", "vp-2")
    assert status == 2 and "«vp-2» non esiste" in err and "2 smazzate" in err
    assert "99999999999" in run(capsys, "vp", "vp-3", "99999999999", "0")[1]


def test_the_language_may_stand_after_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "it", "meld", "3H 4H 5H", "--lang", "en"]) == 0
    assert "valido" not in capsys.readouterr().out
    assert main(["meld", "3H 4H 5H", "--lang", "it"]) == 0
    assert "valido" in capsys.readouterr().out


@pytest.mark.parametrize("cards", ["3♥4♥5♥", "3h4h5h", "3❤️ 4♥︎ 5♥", "9♥10♥J♥Q♥", "FH DH RH"])
def test_cards_as_people_type_them(capsys: pytest.CaptureFixture[str], cards: str) -> None:
    assert run(capsys, "meld", cards)[0] == 0


def test_a_hand_of_cards_and_one_as_a_sum(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = run(capsys, "score", written(tmp_path, "[A]\nmano: A♥ 4♣\nmano: 35\n[B]\nmano: A♥"))[1]
    assert "costano 55 punti: A♥ 4♣ e 35 dati come somma." in out and "costano 15 punti: A♥." in out


def test_a_comparison_names_both_figures(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = "[A]\n3♥ 4♥ 5♥ 6♥ JK 8♥ 9♥\nchiusura\nscarto: 9♣\n[B]"
    out = run(capsys, "score", written(tmp_path, text), "--confronta")[1]
    [line] = [line for line in out.splitlines() if line.split()[:1] == ["internazionale"]]
    assert line.endswith("A non avrebbe potuto chiudere: i 100 non contano.  (A: Chiusura 0 invece di 100)")


@pytest.mark.parametrize(
    ("text", "arguments", "status", "says"),
    [
        ("[A]\n3♥ zz\ncolore: rosso\n[B]\nmano: x", [], 2, ["riga 2: «zz»", "riga 3: «colore»", "riga 5: «x»"]),
        ("[A]\n3♥ zz\nchiusura\n[B]\nchiusura", [], 2, ["riga 2: «zz»", "aver chiuso in più d'uno (A, B)"]),
        ("regolamento: nope\n[A]\nzz\n[B]", ["--giocatori", "9"], 2, ["«zz»", "«nope»", "--giocatori 9"]),
        ("[A]\nchiusura\npunti: 0 200\n[B]\nchiusura\npunti: 0 200", [], 1, ["A, B", "al massimo una chiusura", "300"]),
        ("[A]\nchiusura\nchiusura\n[B]", [], 2, ["riga 3: «chiusura» c'è già (riga 2)", "una volta sola"]),
        ("[A]\n" + "3♥ " * 40 + "\n[B]", [], 1, ["gioco 1", "non è valido"]),
        ("[A]\n[B]\n[C]", [], 2, ["In 4 si gioca 2 + 2; qui i lati sono 3.", "--giocatori"]),
        ("[A]\ngiocatori: 2\n[B]\ngiocatori: 2", ["--giocatori", "3"], 2, ["1 + 2 oppure 1 + 1 + 1; qui 2 + 2."]),
        ("[A]\n[B]", ["--giocatori", "9"], 2, ["9", "2, 3, 4, 5 o 6"]),
        ("[A]\n[B]", ["--giocatori", "0"], 2, ["--giocatori 0 non va"]),
        ("[A]\n[B]", ["--giocatori", "tre"], 2, ["--giocatori tre non va"]),
        ("[A]\n[A]", [], 2, ["riga 2: due lati non possono chiamarsi tutti e due «A»."]),
        ("[A]\n[B]", ["--giocatori", "6"], 2, ["In 6 si gioca 2 + 2 + 2; qui i lati sono 2."]),
        ("regolamento: nope\n[A]\n[B]", [], 2, ["fibur"]),
        ("", [], 2, ["da 2 a 5"]),
    ],
)
def test_bad_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, arguments: list[str], status: int, says: list[str]
) -> None:
    found, out, err = run(capsys, "score", written(tmp_path, text), *arguments)
    assert found == status
    assert [part for part in says if part not in out + err] == []


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("[A]\n3♥ zz\nchiusura\nscarto: 9♣\n[B]", "«zz»"),
        ("giocatori: sei\n[A]\n[B]\n[C]", "«sei»"),
        ("fine: chiusura\n[A]\nchiusura: forse\nscarto: 9♣\n[B]", "«forse»"),
        ("[A]\npozzetto: forse\n[B]", "«forse»"),
    ],
)
def test_what_could_not_be_read_makes_no_false_fault(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, seen: str
) -> None:
    err = run(capsys, "score", written(tmp_path, text))[2]
    assert err.count("\n") == 1 and seen in err


def test_a_pozzetto_of_which_nothing_is_said_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also Burako's +100 for taking it: it counts as played, and the account says that it was assumed."""
    file = tmp_path / "serata.txt"
    file.write_text("regolamento: burako\n[Noi]\n3H 4H 5H 6H 7H 8H 9H\nchiusura\n[Loro]\nK♠ K♥ K♦\n", "utf-8")
    status, out, _ = run(capsys, "score", str(file))
    assert (status, out.splitlines()[0]) == (0, "Regolamento: Burako (Argentina)")
    asked = [line for line in out.splitlines() if line.startswith("?")]
    assert len(asked) == 1 and asked[0].startswith("? Loro: del pozzetto non si dice niente"), "Noi closed: it took one"
    answer = json.loads(run(capsys, "score", str(file), "--json")[1])
    assert (answer["regolamento"], [r["code"] for r in answer["remarks"]]) == ("burako", ["remark.pozzetto_assumed"])
    file.write_text(file.read_text("utf-8") + "pozzetto: non preso\n", "utf-8")
    assert "?" not in run(capsys, "score", str(file))[1]


def test_a_file_of_faults_alone_says_the_first_and_how_many_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x.txt"
    file.write_text("boh: 1\n" * 100, "utf-8")
    status, _, err = run(capsys, "score", str(file))
    lines = err.splitlines()
    assert (status, len(lines), lines[-1]) == (2, 41, "… e altri errori: 60.")
    file.write_text("# niente\n" * 200_000, "utf-8")
    status, _, err = run(capsys, "score", str(file))
    assert (status, err) == (2, f"Il file {file} è troppo grande per essere una smazzata: al massimo 1000 kB.\n")


@pytest.mark.parametrize("name", ["circolo.toml", "circolo", "circolo.txt"])
def test_a_preset_of_ones_own_may_have_any_name_and_come_from_windows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    file = tmp_path / name
    file.write_text('base = "fibur"\r\n[bonus]\r\nsemipulito = 170\r\n', "utf-8-sig")
    _, out, _ = run(capsys, "meld", "3H 4H 5H 6H 7H 8H 9H JK", "--json", "--regolamento", str(file))
    assert (json.loads(out)["class"], json.loads(out)["bonus"]) == ("semipulito", 170)


def test_a_preset_without_a_base_is_told_that_one_is_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "circolo.toml"
    file.write_text("[bonus]\npulito = 3\n", "utf-8")
    status, _, err = run(capsys, "meld", "3H 4H 5H", "--regolamento", str(file))
    assert status == 2 and "Manca la chiave bonus.sporco" in err
    assert err.splitlines()[-1].endswith('aggiungi una riga come base = "fibur", e bastano quelle che cambiano.')


def test_an_empty_value_is_seen(capsys: pytest.CaptureFixture[str]) -> None:
    assert "names.pulito non può valere «»;" in run(capsys, "meld", "3H 4H 5H", "--set", "names.pulito=")[2]


def test_a_terminal_that_cannot_show_a_card_gets_an_answer_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text('{"sides": [{"name": "\\ud800", "melds": ["3♥ 4♥ 5♥"]}, {"name": "B"}]}', encoding="utf-8")
    for encoding in ("ascii", "utf-8"):
        run = subprocess.run(
            [sys.executable, "-m", "ui.cli", "score", str(file)],
            env={**os.environ, "PYTHONIOENCODING": encoding},
            capture_output=True,
            check=False,
        )
        assert (b"Traceback" in run.stderr, bool(run.stdout + run.stderr)) == (False, True)
