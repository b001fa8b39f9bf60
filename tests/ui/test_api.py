"""The API: the same use cases for programs, and every bad input as a clear sentence."""

from __future__ import annotations

import asyncio
import io
import struct
import tomllib
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

import ui.services
from scoring.smazzata_examples import EXAMPLE_TOML
from tests.ui.conftest import settings_for
from tests.ui.fake_reader import MELDS
from tests.ui.pictures import CROSSWISE, DIES, HANGS, NO_CARDS, picture
from ui.api import build_api
from ui.i18n import say
from ui.services import Services
from ui.viewmodels import Job, JobStatus, Message

SMALL_LIMIT = 200_000


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    settings = settings_for(tmp_path, max_upload_bytes=SMALL_LIMIT)
    services = Services(settings)
    monkeypatch.setattr(ui.services, "_services", services)
    with TestClient(build_api(settings), raise_server_exceptions=False) as made:
        yield made
    services.close()


def send(client: TestClient, data: bytes, wait: int = 30, lang: str = "it", **form: str) -> httpx.Response:
    return client.post(
        f"/scan?wait={wait}", files={"photo": ("x.jpg", data)}, data=form, headers={"Accept-Language": lang}
    )


def create(client: TestClient, **changes: Any) -> dict[str, Any]:
    body = {"names": ["Noi", "Loro"], "regolamento": "fibur", "target": 2005, **changes}
    response = client.post("/matches", json=body)
    assert response.status_code == 201, response.text
    made: dict[str, Any] = response.json()
    return made


def command(client: TestClient, match: dict[str, Any], kind: str, **fields: Any) -> httpx.Response:
    envelope = {key: fields.pop(key) for key in ("seq", "device", "command_id") if key in fields}
    body = {"seq": match["seq"], "device": "a", **envelope, "command": {"kind": kind, **fields}}
    return client.post(f"/matches/{match['id']}/commands", json=body)


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims a size and has next to no pixels."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")
    )


def test_a_photo_is_read(client: TestClient) -> None:
    response = send(client, picture())
    assert response.status_code == 200
    job = response.json()
    assert (job["status"], len(job["reading"]["melds"])) == ("done", 2)
    assert client.get(f"/scan/{job['id']}").json() == job


def test_a_photo_may_be_asked_for_later(client: TestClient) -> None:
    response = send(client, picture(), wait=0)
    assert response.status_code == 202
    assert client.get(f"/scan/{response.json()['id']}?wait=30").status_code == 200


def test_any_number_may_wait_for_a_photo_without_holding_up_others(client: TestClient) -> None:
    """Threads are forty: where who waits holds one, the forty-first request of any kind would wait too."""
    hanging = send(client, picture(HANGS), wait=0).json()["id"]

    async def all_at_once() -> tuple[list[bool], int]:
        transport = httpx.ASGITransport(client.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as many:
            waiting = [asyncio.create_task(many.get(f"/scan/{hanging}?wait=10")) for _ in range(60)]
            await asyncio.sleep(0.5)
            health = (await many.get("/health")).status_code
            done = [task.done() for task in waiting]
            for task in waiting:
                task.cancel()
            return done, health

    done, health = asyncio.run(all_at_once())
    assert (any(done), health) == (False, 200)


@pytest.mark.parametrize(("key", "retry"), [("scan.failed", True), ("scan.timeout", True), ("scan.crashed", False)])
def test_a_photo_that_was_not_read_is_never_another_5xx(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, key: str, retry: bool
) -> None:
    failed = Job("x", JobStatus.FAILED, None, None, message=Message(key))
    monkeypatch.setattr(Services, "job", lambda *_: failed)
    response = client.get("/scan/x")
    assert (response.status_code, "Retry-After" in response.headers) == ((503, True) if retry else (422, False))


def test_a_photo_sent_again_after_a_restart_needs_no_job(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    match = create(client)
    first = send(client, picture(), match_id=match["id"], side="0").json()
    monkeypatch.setattr(ui.services.get_services().scanner, "_entries", {})  # jobs end with the server
    again = send(client, picture(), match_id=match["id"], side="0")
    assert (again.status_code, again.json()["id"]) == (200, first["id"])


@pytest.mark.parametrize("sent", [0.0, 0.5, 0.999])
def test_a_phone_that_is_gone_in_the_middle_of_a_photo_leaves_nothing(
    client: TestClient, tmp_path: Path, sent: float
) -> None:
    match = create(client)
    form = {"photo": ("x.jpg", picture()), "match_id": (None, match["id"]), "side": (None, "0")}
    request = client.build_request("POST", "/scan?wait=30", files=form)
    body = request.read()
    messages = [
        {"type": "http.request", "body": body[: int(sent * len(body))], "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def receive() -> Any:
        return messages.pop(0)

    async def send_back(_message: Any) -> None:
        """Nobody is there."""

    headers = [(key.lower(), value) for key, value in request.headers.raw]
    scope = {"type": "http", "method": "POST", "path": "/scan", "query_string": b"wait=30", "headers": headers}
    asyncio.run(client.app(scope, receive, send_back))  # type: ignore[arg-type]
    assert client.get(f"/matches/{match['id']}").json() == match
    assert list((tmp_path / "photos").iterdir()) == []
    assert client.get("/health").json()["photos_waiting"] == 0
    again = send(client, picture(), match_id=match["id"], side="0")
    assert (again.status_code, again.json()["status"]) == (200, "done")
    assert client.get(f"/matches/{match['id']}").json()["seq"] == match["seq"] + 1


@pytest.mark.parametrize("sums", [{"card_points": True}, {"card_points": "100"}, {"bonus_points": 1.5}])
def test_points_are_whole_numbers_and_nothing_else(client: TestClient, sums: dict[str, object]) -> None:
    assert client.post("/score", json={"sides": [{"sums": sums}, {}]}).status_code == 422


@pytest.mark.parametrize(
    ("data", "status", "code", "says"),
    [
        (b"", 422, "photo.empty", "vuoto"),
        (b"hello", 422, "photo.not_a_picture", "non è una foto"),
        (b"\x00" * 5000, 422, "photo.not_a_picture", "non è una foto"),
        (picture(size=(400, 300))[:700], 422, "photo.truncated", "incompleta"),
        (png_header(20_000, 20_000), 413, "photo.too_large", "troppo grande"),
        (b"x" * (SMALL_LIMIT + 1), 413, "upload.too_large", "troppo grande"),
        (picture(DIES), 422, "scan.crashed", "Niente è andato perso"),
    ],
)
def test_bad_photos(client: TestClient, data: bytes, status: int, code: str, says: str) -> None:
    response = send(client, data)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert says in response.json()["message"]
    assert client.get("/health").json()["status"] == "ok"
    assert send(client, picture()).status_code == 200


def test_a_photo_without_cards_is_no_error(client: TestClient) -> None:
    response = send(client, picture(NO_CARDS), lang="en")
    assert response.status_code == 200
    assert response.json()["message"] == {
        "code": "scan.no_cards",
        "message": say(Message("scan.no_cards"), "en"),
    }


def test_the_upload_limit_counts_what_is_not_announced(client: TestClient) -> None:
    def chunks() -> Iterator[bytes]:
        yield b'--b\r\nContent-Disposition: form-data; name="photo"; filename="x"\r\n\r\n'
        for _ in range(100):
            yield b"x" * 10_000

    response = client.post("/scan", content=chunks(), headers={"Content-Type": "multipart/form-data; boundary=b"})
    assert (response.status_code, response.json()["code"]) == (413, "upload.too_large")


def test_no_photo_in_the_form(client: TestClient) -> None:
    response = client.post("/scan", data={"device": "x"})
    assert (response.status_code, response.json()["code"]) == (422, "invalid.body")


def test_a_smazzata_is_scored(client: TestClient) -> None:
    sides = [
        {"melds": ["3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥"], "closed": True},
        {"counts": {"cards_by_value": {"10": 3}}, "pozzetto": "not_taken", "hands": [{"cards": "A♥"}, {"points": 5}]},
    ]
    out = client.post("/score", json={"sides": sides}).json()
    assert [side["total"] for side in out["sides"]] == [345, -90]
    assert [voce["reason"] for voce in out["sides"][0]["voci"]] == ["burrachi", "chiusura", "cards_laid"]
    assert out["sides"][0]["melds"][0]["classe"] == "pulito"


EMPTY: dict[str, Any] = {}


@pytest.mark.parametrize(
    ("body", "status", "code", "says"),
    [
        ({"sides": [EMPTY, EMPTY], "regolamento": "nope"}, 400, "invalid.preset", "fibur"),
        ({"sides": [EMPTY, EMPTY], "regolamento": "../fibur"}, 400, "invalid.preset", "fibur"),
        ({"sides": [{"melds": ["3♥ 5♠ 9♦"]}, EMPTY]}, 422, "invalid.faults", "3♥ 5♠ 9♦"),
        ({"sides": [{"melds": ["7♥ 7♥ 7♥"]}, EMPTY]}, 422, "invalid.faults", "7♥"),
        ({"sides": [{"melds": ["7♥ zz"]}, EMPTY]}, 422, "invalid.body", "zz"),
        ({"sides": [{"melds": [], "sums": EMPTY}, EMPTY]}, 422, "invalid.body", "melds"),
        ({"sides": [{"hands": [{"cards": "K♥", "points": 5}]}, EMPTY]}, 422, "invalid.body", "cards"),
        ({"sides": [{"sums": {"card_points": -5}}, EMPTY]}, 422, "invalid.body", "card_points"),
        ({"sides": [EMPTY]}, 422, "invalid.body", "sides"),
        ({"sides": [EMPTY, EMPTY], "nonsense": 1}, 422, "invalid.body", "nonsense"),
        ([], 422, "invalid.body", ""),
    ],
)
def test_bad_smazzate(client: TestClient, body: Any, status: int, code: str, says: str) -> None:
    response = client.post("/score", json=body)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert says in response.json()["message"]


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ({"sides": [{"melds": ["7♥ zz"]}, EMPTY]}, ["sides.0.melds.0"]),
        ({"sides": [{"melds": ["7♥ zz"]}]}, ["sides.0.melds.0", "sides"]),
        (
            {"sides": [{"closed": "yes", "melds": ["zz"]}, {"sums": EMPTY, "counts": EMPTY}], "names": ["A", "a"]},
            ["sides.0.melds.0", "sides.0.closed", "sides.1", "names"],
        ),
        (
            {"sides": [EMPTY, {"last_discard": "zz"}], "players": 9, "fun": 1},
            ["players", "sides.1.last_discard", "fun"],
        ),
        ({"sides": [EMPTY] * 6}, ["sides"]),
        ({"sides": 3}, ["sides"]),
    ],
)
def test_all_true_faults_of_a_request_and_no_others(client: TestClient, body: Any, places: list[str]) -> None:
    faults = client.post("/score", json=body).json()["details"]["faults"]
    assert [fault["where"] for fault in faults] == places


def test_a_name_for_each_side(client: TestClient) -> None:
    closed = {"closed": True, "sums": {"bonus_points": 200}}
    message = client.post("/score", json={"sides": [closed, closed], "names": ["B"]}).json()["message"]
    assert "(B, C)" in message


def test_a_reading_that_counts_otherwise_is_asked(client: TestClient) -> None:
    cards = "3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 2♥"
    for lang, says in (("it", "265 punti (pulito: otto carte e nessuna matta)."), ("en", "265 points (pulito: eight")):
        [side, _] = client.post(f"/score?lang={lang}", json={"sides": [{"melds": [cards]}, EMPTY]}).json()["sides"]
        [asked] = side["melds"][0]["questions"]
        assert (asked["class"], asked["points"], asked["bonus"]) == ("pulito", 65, 200) and says in asked["text"]
        assert client.post(f"/meld?lang={lang}", json={"cards": cards}).json()["questions"] == [asked]


def test_broken_json(client: TestClient) -> None:
    response = client.post("/score", content=b"{", headers={"Content-Type": "application/json"})
    assert (response.status_code, response.json()["code"]) == (422, "invalid.body")


@pytest.mark.parametrize(
    ("route", "body", "it", "en"),
    [
        ("/score", {"sides": [EMPTY, EMPTY], "names": ["A"] * 6}, "names: al massimo 2.", "names: at most 2."),
        ("/score", {"sides": [EMPTY]}, "sides: ce ne vogliono almeno 2.", "sides: at least 2 are needed."),
        ("/score", EMPTY, "Manca sides.", "sides is missing."),
        ("/score", {"sides": [EMPTY, EMPTY], "fun": 1}, "fun non si conosce (1).", "fun is not known (1)."),
        ("/score", {"sides": [EMPTY, EMPTY], "players": 9}, "players: 9 è troppo, al massimo 6.", "9 is too much"),
        (
            "/score",
            {"sides": [EMPTY, EMPTY], "players": "x"},
            'players: serve un numero intero, non "x".',
            "whole number",
        ),
        (
            "/score",
            {"sides": [EMPTY, EMPTY], "players": 2.5},
            "players: serve un numero intero, non 2.5.",
            "whole number",
        ),
        ("/score", {"sides": [EMPTY, EMPTY], "anyway": "x"}, 'anyway: serve true o false, non "x".', "true or false"),
        ("/score", {"sides": 3}, "sides: serve una lista, non 3.", "sides: a list is needed, not 3."),
        ("/score", {"sides": [3, EMPTY]}, "sides.0: serve un oggetto con le sue chiavi, non 3.", "an object"),
        (
            "/score",
            {"sides": [EMPTY, EMPTY], "regolamento": 3},
            "regolamento: serve un testo, non 3.",
            "text is needed",
        ),
        (
            "/score",
            {"sides": [EMPTY, EMPTY], "end": "mai"},
            'end: "mai" non va; ammessi: closed, closed_with',
            "allowed: closed",
        ),
        (
            "/score",
            {"sides": [{"melds": ["7♥ zz"]}, EMPTY]},
            "sides.0.melds.0: «zz» non è una carta",
            "“zz” is no card",
        ),
        ("/score", {"sides": [{"last_discard": "zz"}, EMPTY]}, "sides.0.last_discard: «zz» non è", "“zz” is no card"),
        ("/score", {"sides": [{"melds": ["K♥ " * 201]}, EMPTY]}, "sides.0.melds.0: al massimo 200.", "at most 200."),
        (
            "/score",
            {"sides": [{"sums": {"card_points": -5}}, EMPTY]},
            "card_points: -5 è troppo poco, almeno 0.",
            "at least 0",
        ),
        (
            "/score",
            {"sides": [EMPTY] * 2, "names": ["Noi", "noi"]},
            "Due non possono chiamarsi tutti e due «Noi».",
            "Noi",
        ),
        ("/score", {"sides": [{"melds": [], "sums": EMPTY}, EMPTY]}, "Un lato si dà in un modo solo", "in one way"),
        (
            "/meld",
            {"cards": "3♥", "settings": ["x" * 201]},
            "settings.0: il testo è troppo lungo, al massimo 200",
            "too long",
        ),
        ("/meld", {"cards": "3♥", "settings": ["foo", "x=1"]}, "«foo» non cambia niente: scrivi chiave=valore", "foo"),
        ("/meld", {"cards": "3♥", "settings": ["foo", "x=1"]}, "La chiave x (valore 1) non esiste", "x"),
        (
            "/matches",
            {"names": ["A", "B"], "command_id": "x"},
            'command_id: "x" è troppo corto, almeno 8',
            "at least 8",
        ),
        ("/matches", {"names": ["A", "B"], "target": 0}, "0", "0"),
        (
            "/matches",
            {"names": ["A", "B"], "rounding": "x"},
            'rounding: "x" non va; ammessi: up, down, keep.',
            "up, down",
        ),
        (
            "/matches/x/commands",
            {"seq": 1, "command": {"kind": "x"}},
            'command: {"kind": "x"} non va; ammessi: ',
            "allowed",
        ),
        ("/matches/x/commands", {"seq": 1, "command": EMPTY}, "Manca command.kind.", "command.kind is missing."),
    ],
)
def test_what_is_wrong_with_a_request_is_a_sentence(
    client: TestClient, route: str, body: dict[str, Any], it: str, en: str
) -> None:
    for lang, says in (("it", it), ("en", en)):
        message = client.post(f"{route}?lang={lang}", json=body).json()["message"]
        assert says in message
        assert "Input should" not in message and "should have" not in message and "Value error" not in message


def test_json_and_forms_that_cannot_be_read(client: TestClient) -> None:
    broken = client.post("/score?lang=en", content=b'{"a": ', headers={"Content-Type": "application/json"}).json()
    assert broken["message"] == "The request is not valid: The content is not valid JSON (look at character 6)."
    form = client.post("/scan", content=b"x", headers={"Content-Type": "multipart/form-data"}).json()
    assert form["message"].startswith("La richiesta non") and "boundary" not in form["message"]


def test_the_last_discard_and_an_open_table(client: TestClient) -> None:
    match = create(client, regolamento="burako")
    match = command(client, match, "enter_sums", side=0, card_points=10, bonus_points=200).json()
    table = match["table"]
    assert (table["provisional"], table["asks_discard"], table["sides"][0]["score"]["total"]) == (True, False, 210)
    match = command(client, match, "answer_closed", closed="0").json()
    assert (match["table"]["asks_discard"], match["table"]["sides"][0]["score"]["total"]) == (True, 410)


def test_a_meld_has_the_name_its_regolamento_gives_it(client: TestClient) -> None:
    sides = [{"melds": ["7♥ 7♥ 7♠ 7♠ 7♦ 7♦ 7♣ 7♣", "3♥ 4♥ 5♥"]}, EMPTY]
    out = client.post("/score", json={"sides": sides, "regolamento": "feburit"}).json()
    assert [(meld["classe"], meld["name"]) for meld in out["sides"][0]["melds"]] == [
        ("super", "superpulito"),
        ("none", None),
    ]
    assert [meld["marks"] for meld in out["sides"][0]["melds"]] == [None, None]


def test_the_forms_of_a_file_are_those_of_the_api(client: TestClient) -> None:
    """The TOML of the README, sent as JSON."""
    out = client.post("/score", json=tomllib.loads(EXAMPLE_TOML)).json()
    assert [side["total"] for side in out["sides"]] == [405, -215]
    schema = client.get("/openapi.json").json()["components"]["schemas"]["HeldBody"]
    assert [way.get("type") for way in schema["anyOf"]] == ["object", "string", "integer"]


def test_rules_of_the_house(client: TestClient) -> None:
    sides = [{"melds": ["3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ JK"]}, EMPTY]
    house = ["bonus.semipulito=170"]
    out = client.post("/score", json={"sides": sides, "settings": house}).json()
    assert out["sides"][0]["total"] == 75 + 170
    under = client.post("/compare", json={"sides": sides, "settings": house, "under": ["fibur"]}).json()
    assert [under[0]["differing"][0][0][key] for key in ("points", "at_home")] == [150, 170]
    response = client.post("/matches", json={"names": ["Noi", "Loro"], "settings": house})
    assert response.status_code == 201
    match = command(client, response.json(), "add_meld", side=0, cards="3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ JK").json()
    assert match["table"]["sides"][0]["score"]["total"] == 75 + 170
    bodies: dict[str, dict[str, Any]] = {"/score": {"sides": sides}, "/matches": {"names": ["Noi", "Loro"]}}
    for route, body in bodies.items():
        bad = client.post(route, json={**body, "settings": ["bonus.semipulito=-1"]})
        assert bad.status_code == 400 and "bonus.semipulito" in bad.json()["message"]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"sides": [EMPTY, EMPTY], "names": ["A", "B", "C"]}, "names"),
        ({"sides": [{"name": "A"}, {"name": "a"}]}, "Due non possono chiamarsi tutti e due «A»"),
        ({"sides": [{"name": "No\u202ei"}, EMPTY]}, "Nel nome «No\ufffdi» ci sono caratteri che non si vedono"),
        ({"sides": [EMPTY, EMPTY], "names": ["A\0"]}, "Nel nome «A\ufffd» ci sono caratteri che non si vedono"),
        ({"sides": [EMPTY, EMPTY], "players": True}, "players: serve un numero intero"),
        ([], "il corpo della richiesta: serve"),
    ],
)
def test_what_is_wrong_with_a_smazzata_is_said_where_it_is(client: TestClient, body: Any, says: str) -> None:
    answer = client.post("/score", json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid.body")
    assert says in answer.json()["message"]


@pytest.mark.parametrize("name", ["A\0", "A\u202e"])
def test_a_match_has_no_name_that_cannot_be_seen(client: TestClient, name: str) -> None:
    answer = client.post("/matches", json={"names": [name, "Loro"]})
    assert (answer.status_code, answer.json()["code"]) == (422, "refused.hidden_name")
    players = client.post("/matches", json={"names": ["Noi", "Loro"], "players": [[name], []]})
    assert (players.status_code, players.json()["code"]) == (422, "refused.hidden_name")


def test_an_illegal_meld_says_what_would_count_and_what_is_left_over(client: TestClient) -> None:
    out = client.post("/score", json={"sides": [{"melds": ["4♥ 5♥ 6♥ 9♠", "3♥ 4♥ 5♥"]}, EMPTY], "anyway": True}).json()
    melds = out["sides"][0]["melds"]
    assert [(meld["card_points"], meld["countable"], meld["surplus"]) for meld in melds] == [
        (0, 15, ["9♠"]),
        (15, 15, []),
    ]


def test_crosswise_cards_that_say_another_class(client: TestClient) -> None:
    match = create(client)
    send(client, picture(CROSSWISE), match_id=match["id"], side="0")
    for lang, says in (
        ("it", "Le carte di traverso dicono burraco sporco, le carte dicono pulito."),
        ("en", "The crosswise cards say burraco sporco, the cards say pulito."),
    ):
        table = client.get(f"/matches/{match['id']}?lang={lang}").json()["table"]
        marks = [meld["marks"] for meld in table["sides"][0]["melds"]]
        assert marks == [{"verdict": "disagree", "stated": ["sporco"], "message": says}, None]
    match = client.get(f"/matches/{match['id']}").json()
    cards = match["table"]["sides"][0]["cards"]
    [run, _] = match["table"]["sides"][0]["melds"]
    match = command(client, match, "change_card", card_id=cards[run["id"]][2]["id"], card="JK").json()
    [run, _] = match["table"]["sides"][0]["melds"]
    assert (run["classe"], run["marks"]) == ("sporco", {"verdict": "agree", "stated": ["sporco"], "message": None})


def test_faults_may_be_taken_knowingly(client: TestClient) -> None:
    body = {"sides": [{"melds": ["7♥ 7♥ 7♥"]}, EMPTY], "anyway": True}
    response = client.post("/score?lang=en", json=body)
    assert response.status_code == 200
    assert {fault["code"] for fault in response.json()["faults"]} >= {"fault.too_many_equal"}


def test_a_meld(client: TestClient) -> None:
    body = {"cards": "3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ JK", "crosswise": [8]}
    answer = client.post("/meld", json=body, headers={"Accept-Language": "en"}).json()
    assert list(answer) == [
        "legal",
        "class",
        "points",
        "bonus",
        "countable",
        "surplus",
        "faults",
        "reason",
        "questions",
    ]
    assert (answer["class"], answer["points"], answer["bonus"]) == ("semipulito", 75, 150)
    assert answer["reason"] == "semipulito: seven cards in a row before the jolly"
    assert [question["class"] for question in answer["questions"]] == ["sporco"]
    illegal = client.post("/meld", json={"cards": "7♥ 7♥ 7♥", "settings": ["packs=3"], "regolamento": "internazionale"})
    assert (illegal.status_code, illegal.json()["class"], illegal.json()["faults"]) == (200, None, ["rank_not_allowed"])


@pytest.mark.parametrize(
    ("body", "status", "code", "says"),
    [
        ({"cards": "3♥", "regolamento": "nope"}, 400, "invalid.preset", "fibur"),
        ({"cards": "3♥", "settings": ["packs=9"]}, 400, "preset.wrong_value", "2..6"),
        ({"cards": "3♥", "crosswise": [2]}, 400, "cli.meld.crosswise", "2"),
        ({"cards": "XX"}, 422, "invalid.body", "XX"),
    ],
)
def test_a_meld_that_cannot_be_asked(
    client: TestClient, body: dict[str, object], status: int, code: str, says: str
) -> None:
    found = client.post("/meld", json=body)
    assert (found.status_code, found.json()["code"]) == (status, code)
    assert says in found.json()["message"]


def test_regolamenti(client: TestClient) -> None:
    names = [entry["name"] for entry in client.get("/regolamenti").json()]
    assert names[0] == "fibur"
    entries = {entry["name"]: entry for entry in client.get("/regolamenti").json()}
    assert (entries["uisp"]["counts_as"], entries["tre"]["formato"]) == ("fibur", "tre")
    assert entries["feburit"]["classes"][0] == {"key": "reale", "name": "over the top", "bonus": 300}
    assert "[bonus]" in client.get("/regolamenti/fibur").text
    assert client.get("/regolamenti/nope").status_code == 400


def test_a_match_from_photo_to_total(client: TestClient) -> None:
    match = create(client)
    for side in ("0", "1"):
        assert send(client, picture(), match_id=match["id"], side=side).status_code == 200
    match = client.get(f"/matches/{match['id']}").json()
    assert [meld["cards"] for meld in match["table"]["sides"][0]["melds"]] == list(MELDS)
    steps: list[tuple[str, dict[str, Any]]] = [("answer_closed", {"closed": "0"})]
    for side in (0, 1):
        steps += [("answer_pozzetto", {"side": side, "pozzetto": "played"})]
        steps += [("answer_hands", {"side": side, "hands": [{"cards": "3♠"}]})]
    for kind, fields in [*steps, ("confirm", {})]:
        response = command(client, match, kind, **fields)
        assert response.status_code == 200, response.text
        match = response.json()
    assert (match["totals"], match["table"]["number"]) == ([390, 290], 2)
    assert [entry["totals"] for entry in client.get("/matches").json()] == [[390, 290]]


def test_a_photo_of_a_match_is_shown(client: TestClient) -> None:
    match = create(client)
    send(client, picture(), match_id=match["id"], side="0")
    (sha,) = client.get(f"/matches/{match['id']}").json()["table"]["sides"][0]["photos"]
    response = client.get(f"/photos/{sha}.jpg?side=100")
    assert (response.status_code, response.headers["content-type"]) == (200, "image/jpeg")
    assert client.get(f"/photos/{'0' * 64}.jpg").status_code == 404
    assert client.get("/photos/..%2Fburraco.sqlite3.jpg").status_code in (404, 422)


def test_etag(client: TestClient) -> None:
    match = create(client)
    url = f"/matches/{match['id']}"
    etag = client.get(url).headers["etag"]
    assert client.get(url, headers={"If-None-Match": etag}).status_code == 304
    command(client, match, "nothing_laid", side=0)
    assert client.get(url, headers={"If-None-Match": etag}).status_code == 200


def test_a_stale_seq_is_a_conflict_with_the_current_match(client: TestClient) -> None:
    match = create(client)
    command(client, match, "nothing_laid", side=0)
    response = command(client, match, "nothing_laid", side=1)
    assert (response.status_code, response.json()["code"]) == (409, "conflict.stale")
    assert response.json()["details"]["current"]["seq"] == 2


def test_a_retried_command_is_one_event(client: TestClient) -> None:
    match = create(client)
    for _ in range(2):
        response = command(client, match, "add_meld", side=0, cards="3♥ 4♥ 5♥", command_id="retry-me-1")
        assert (response.status_code, response.json()["seq"]) == (200, 2)


@pytest.mark.parametrize(
    ("kind", "fields", "status", "code"),
    [
        ("nonsense", {}, 422, "invalid.body"),
        ("change_card", {"card_id": "x", "card": "zz"}, 422, "invalid.body"),
        ("change_card", {"card_id": "x", "card": "K♥"}, 422, "refused.no_such_card"),
        ("change_card", {"card_id": "x"}, 422, "invalid.body"),
        ("confirm", {}, 422, "refused.missing"),
        ("answer_hands", {"side": 0, "hands": [{"cards": "K♥", "points": 1}]}, 422, "invalid.body"),
        ("answer_hands", {"side": 3, "hands": []}, 422, "refused.no_such_side"),
    ],
)
def test_bad_commands(client: TestClient, kind: str, fields: dict[str, Any], status: int, code: str) -> None:
    match = create(client)
    response = command(client, match, kind, **fields)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert client.get(f"/matches/{match['id']}").json()["seq"] == 1


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"regolamento": "nope"}, 400, "invalid.preset"),
        ({"names": ["", "x"]}, 422, "refused.empty_name"),
        ({"names": ["x"]}, 422, "refused.names_count"),
        ({"target": 0}, 422, "refused.target"),
        ({"target": "many"}, 422, "invalid.body"),
    ],
)
def test_bad_matches(client: TestClient, changes: dict[str, Any], status: int, code: str) -> None:
    body = {"names": ["Noi", "Loro"], "regolamento": "fibur", "target": 2005, **changes}
    response = client.post("/matches", json=body)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert client.get("/matches").json() == []


def test_errors_come_in_the_language_asked_for(client: TestClient) -> None:
    italian = client.get("/matches/nope")
    english = client.get("/matches/nope", headers={"Accept-Language": "fr, en;q=0.8, it;q=0.2"})
    assert italian.json()["message"] == "Questa partita non esiste."
    assert english.json()["message"] == "There is no such match."
    assert client.get("/nowhere").json()["code"] == "not_found.route"
    assert client.delete("/health").json()["code"] == "invalid.method"


def test_a_bug_shows_no_stack_trace(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Services, *_: object, **__: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(Services, "matches", broken)
    response = client.get("/matches")
    assert (response.status_code, response.json()["code"]) == (500, "internal.error")
    assert "secret" not in response.text
    assert "Traceback" not in response.text


def test_the_log_of_a_bug_has_the_route_and_not_the_address(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(self: Services, *_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(Services, "match", broken)
    assert client.get("/matches/rosalia").status_code == 500
    assert [line.getMessage() for line in caplog.records if line.name == "burraco.api"] == [
        "/matches/{match_id} failed"
    ]


def test_the_source_and_the_licence_are_offered(client: TestClient) -> None:
    response = client.get("/source")
    names = zipfile.ZipFile(io.BytesIO(response.content)).namelist()
    assert {"burraco/ui/app.py", "burraco/LICENSE", "burraco/pyproject.toml"} <= set(names)
    assert not [name for name in names if "__pycache__" in name or ".venv" in name]
    openapi = client.get("/openapi.json").json()
    assert openapi["info"]["license"]["name"] == "AGPL-3.0-only"
    assert "/api/source" in openapi["info"]["description"]


def test_the_documentation_needs_nothing_from_elsewhere(client: TestClient) -> None:
    page = client.get("/docs")
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "://" not in page.text


def test_what_happened_and_how_it_was(client: TestClient) -> None:
    match = create(client)
    match = command(client, match, "rename", names=["Est", "Ovest"]).json()
    match = command(client, match, "enter_sums", side=0, card_points=100, bonus_points=200).json()
    match = command(client, match, "undo").json()
    entries = client.get(f"/matches/{match['id']}/history").json()
    assert [(e["seq"], e["kind"], e["counts"]) for e in entries[1:]] == [
        (2, "renamed", True),
        (3, "sums_entered", False),
        (4, "undone", False),
    ]
    assert (entries[1]["about"]["was"], entries[3]["target"]) == (["Noi", "Loro"], 3)
    was = client.get(f"/matches/{match['id']}?at=1").json()
    assert (was["names"], was["seq"]) == (["Noi", "Loro"], 1)
    assert command(client, match, "delete_match").status_code == 200
    assert client.get("/matches").json() == []
    (gone,) = client.get("/matches?deleted=true").json()
    assert command(client, {**match, "seq": match["seq"] + 1}, "undo_deletion").status_code == 200
    assert [m["id"] for m in client.get("/matches").json()] == [gone["id"]] == [match["id"]]


@pytest.mark.parametrize("half", ["\\ud800", "a\\u0000b", "\\u001b[2J"])
def test_half_a_character_or_none_at_all_is_refused_with_a_sentence(client: TestClient, half: str) -> None:
    match = create(client)
    bodies = (
        ("/meld", '{"cards": "%s"}'),
        ("/classifica", '{"results": ["%s"]}'),
        ("/matches", '{"names": ["Noi", "Loro"], "device": "%s"}'),
        ("/matches", '{"names": ["Noi", "Loro"], "command_id": "12345678%s"}'),
        (f"/matches/{match['id']}/commands", '{"seq": 1, "command": {"kind": "%s"}}'),
    )
    for path, text in bodies:
        answer = client.post(path, content=text % half, headers={"Content-Type": "application/json"})
        assert answer.status_code == 422, (path, answer.text)
        assert answer.json()["message"]


@pytest.mark.parametrize("odd", ["a%00b", "%F0%9F%83%81", "A", "x.y"])
def test_what_can_be_no_match_is_asked_of_no_database(client: TestClient, odd: str) -> None:
    assert client.get(f"/matches/{odd}").status_code == 404
    assert client.post("/scan", files={"photo": picture()}, data={"match_id": "a\x00b", "side": "0"}).status_code == 404
