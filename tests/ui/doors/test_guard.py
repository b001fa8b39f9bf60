"""The guard: who gets in, from where, with which role; each test is named in SECURITY.md beside its threat."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.ui.conftest import settings_for
from ui.doors.doors import CHANGING, MOST_SOCKETS_EACH, STRANGERS, Doors
from ui.doors.guard import FRAME_BYTES, UPLOADS, Guard
from ui.doors.pairing import LASTS_S, Pairing
from ui.roles import MATCH_HEADER, ROLE_HEADER, Role
from ui.viewmodels import MatchSummary

PORT = 8501
HERE, PHONE, OURS = "127.0.0.1", "192.168.1.77", "192.168.1.5"
NOW = 1_800_000_000.0
TEXT = "text/html,application/xhtml+xml"


class Clock:
    """A clock that tests turn."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


class Behind:
    """What stands behind the guard: says which role it was told, and reads the body as an upload route would."""

    def __init__(self) -> None:
        self.roles: list[str | None] = []
        self.matches: list[str] = []
        self.read = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope["headers"])
        for name in (ROLE_HEADER, MATCH_HEADER):
            assert len([key for key, _ in scope["headers"] if key == name.encode()]) <= 1
        self.matches.append(headers.get(MATCH_HEADER.encode(), b"").decode())
        self.roles.append(headers.get(ROLE_HEADER.encode(), b"").decode() or None)
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            while (await receive())["type"] == "websocket.receive":
                pass
            return
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            self.read += len(message.get("body", b""))
            if not message.get("more_body"):
                break
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"inside"})


class Knock:
    """Sends requests to a guard as an ASGI server would."""

    def __init__(
        self, folder: Path, matches: Callable[[], tuple[MatchSummary, ...]] = tuple, **changes: object
    ) -> None:
        self.clock = Clock()
        settings = settings_for(folder, **{"host": "0.0.0.0", "port": PORT, **changes})
        self.pairing = Pairing(folder / "pairing.key", self.clock) if settings.lan else None
        self.doors = Doors(settings, self.pairing, self.clock, matches)
        self.behind = Behind()
        self.guard = Guard(self.behind, self.doors)

    def cookie(self, role: Role) -> str:
        assert self.pairing is not None
        return f"{self.doors.cookie}={self.pairing.enter(self.pairing.code(role))}"

    def scope(self, path: str, method: str, client: str, host: str, headers: dict[str, str], kind: str) -> Any:
        path, _, query = path.partition("?")
        pairs = [("host", host), *headers.items()]
        return {
            "type": kind,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "scheme": "http",
            "method": method,
            "client": (client, 50000),
            "server": (HERE if client == HERE else OURS, PORT),
            "headers": [(key.lower().encode(), value.encode()) for key, value in pairs if value],
        }

    def ask(
        self,
        path: str = "/",
        method: str = "GET",
        *,
        client: str = PHONE,
        host: str = f"{OURS}:{PORT}",
        body: list[bytes] | None = None,
        **headers: str,
    ) -> tuple[int, dict[str, str], str]:
        """Status, headers and body of an answer; `headers` with `_` for `-`."""
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        scope = self.scope(path, method, client, host, named, "http")
        pieces = [*(body or [b""])]
        sent: list[Any] = []

        async def receive() -> Any:
            if not pieces:
                return {"type": "http.disconnect"}
            piece = pieces.pop(0)
            return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

        async def send(message: Any) -> None:
            sent.append(message)

        asyncio.run(self.guard(scope, receive, send))
        head = {key.decode(): value.decode() for key, value in sent[0]["headers"]}
        return sent[0]["status"], head, b"".join(part.get("body", b"") for part in sent[1:]).decode()

    def socket(
        self, *, client: str = PHONE, host: str = f"{OURS}:{PORT}", taps: int = 0, on_tap: Any = None, **headers: str
    ) -> list[str]:
        """What the server does with a websocket: its messages' types; each tap may do something first."""
        scope = self.scope("/_stcore/stream", "GET", client, host, headers, "websocket")
        del scope["method"]
        coming = [{"type": "websocket.connect"}, *[{"type": "websocket.receive", "bytes": b"tap"}] * taps]
        sent: list[Any] = []
        self.taps = 0

        async def receive() -> Any:
            if not coming:
                return {"type": "websocket.disconnect", "code": 1000}
            message = coming.pop(0)
            if message["type"] == "websocket.receive":
                self.taps += 1
                if on_tap is not None:
                    on_tap(self.taps)
            return message

        async def send(message: Any) -> None:
            sent.append(message)

        asyncio.run(self.guard(scope, receive, send))
        return [message["type"] for message in sent]


@pytest.fixture
def lan(tmp_path: Path) -> Knock:
    return Knock(tmp_path)


@pytest.fixture
def alone(tmp_path: Path) -> Knock:
    return Knock(tmp_path, host="127.0.0.1")


CLOSED = (
    "/",
    "/partita",
    "/api/matches",
    "/api/docs",
    "/api/openapi.json",
    "/api/metrics",
    "/api/photos/x.jpg",
    "/_stcore/health",
    "/_stcore/host-config",
    "/media/x.png",
    "/static/js/index.js",
    "/component/x",
    "/telefoni",
    "/api/health/../matches",
    "//api/health",
)


@pytest.mark.parametrize("path", CLOSED)
def test_without_a_session_nothing_answers(lan: Knock, path: str) -> None:
    status, _, _ = lan.ask(path)
    assert status == 401
    assert lan.behind.roles == []


@pytest.mark.parametrize("path", ["/api/health", "/api/source", "/icone/180.png", "/burraco.webmanifest"])
def test_health_source_and_icons_answer_a_stranger(lan: Knock, path: str) -> None:
    assert lan.ask(path)[0] == 200
    assert lan.behind.roles == [None]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_what_is_open_is_open_for_looking_only(lan: Knock, method: str) -> None:
    assert lan.ask("/api/health", method)[0] == 401


def test_a_stranger_gets_no_websocket(lan: Knock) -> None:
    assert lan.socket() == ["websocket.close"]
    assert lan.behind.roles == []


def test_a_stranger_sees_the_pairing_page_in_his_language(lan: Knock) -> None:
    status, head, body = lan.ask("/partita", accept=TEXT, accept_language="en-GB")
    assert status == 401
    assert "Join the table" in body and 'action="/entra"' in body
    assert "default-src 'none'" in head["content-security-policy"]
    assert "Entra al tavolo" in lan.ask("/", accept=TEXT)[2]


@pytest.mark.parametrize("role", [Role.TABLE, Role.VIEWER, Role.REFEREE])
def test_a_session_brings_its_role(lan: Knock, role: Role) -> None:
    assert lan.ask("/", cookie=lan.cookie(role))[0] == 200
    assert lan.socket(cookie=lan.cookie(role), origin=f"http://{OURS}:{PORT}") == ["websocket.accept"]
    assert lan.behind.roles == [role.name, role.name]


def test_a_client_cannot_say_its_own_role(lan: Knock) -> None:
    lan.ask("/", cookie=lan.cookie(Role.VIEWER), x_burraco_role="HOST")
    lan.ask("/api/health", x_burraco_role="HOST")
    assert lan.behind.roles == ["VIEWER", None]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_a_viewer_only_looks(lan: Knock, method: str) -> None:
    cookie = lan.cookie(Role.VIEWER)
    assert lan.ask("/api/matches", cookie=cookie)[0] == 200
    for path in ("/api/matches", "/api/scan", f"{UPLOADS}a/b"):
        status, _, body = lan.ask(path, method, cookie=cookie)
        assert (status, "spettatore" in body) == (403, True)


def test_the_machine_itself_needs_no_code(lan: Knock) -> None:
    for host in (f"localhost:{PORT}", f"127.0.0.1:{PORT}", f"[::1]:{PORT}"):
        assert lan.ask("/", client=HERE, host=host)[0] == 200
    assert lan.behind.roles == ["HOST"] * 3


@pytest.mark.parametrize("header", ["x-forwarded-for", "forwarded", "x-real-ip", "x-forwarded-host"])
def test_what_a_proxy_passes_on_is_not_the_machine_itself(lan: Knock, alone: Knock, header: str) -> None:
    passed = {header: "203.0.113.9"}
    assert lan.ask("/", client=HERE, host=f"localhost:{PORT}", **passed)[0] == 401
    status, _, body = alone.ask("/", client=HERE, host=f"localhost:{PORT}", **passed)
    assert (status, "--lan" in body) == (403, True)


def test_only_this_machine_is_the_machine_itself(lan: Knock) -> None:
    assert lan.ask("/", client=PHONE, host=f"localhost:{PORT}")[0] == 401


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", "localhost.evil.example", "", "a b", "[::1", "x:y"]
)
def test_another_name_for_this_address_is_rebinding(lan: Knock, alone: Knock, host: str) -> None:
    for knock in (lan, alone):
        assert knock.ask("/api/health", client=HERE, host=host)[0] == 421
        assert knock.socket(client=HERE, host=host) == ["websocket.close"]
        assert knock.behind.roles == []


def test_names_given_to_it_are_its_own(tmp_path: Path) -> None:
    knock = Knock(tmp_path, names=("circolo.lan",))
    assert knock.ask("/api/health", host="circolo.lan:8501")[0] == 200


FOREIGN = [
    {"origin": "http://evil.example"},
    {"origin": "null"},
    {"origin": f"http://{OURS}:9999"},
    {"origin": "http://localhost:9999"},
    {"sec_fetch_site": "cross-site"},
    {"sec_fetch_site": "same-site"},
]


@pytest.mark.parametrize("headers", FOREIGN)
@pytest.mark.parametrize("path", ["/api/matches", "/api/scan", f"{UPLOADS}a/b", "/entra", "/telefoni"])
def test_another_sites_page_changes_nothing(lan: Knock, headers: dict[str, str], path: str) -> None:
    for visitor in (
        {"cookie": lan.cookie(Role.TABLE)},
        {"client": HERE, "host": f"localhost:{PORT}"},
    ):
        assert lan.ask(path, "POST", **visitor, **headers)[0] == 403
    assert lan.behind.roles == []


@pytest.mark.parametrize("origin", ["http://evil.example", "null", f"http://{OURS}:9999"])
def test_another_sites_page_opens_no_websocket(lan: Knock, origin: str) -> None:
    assert lan.socket(cookie=lan.cookie(Role.TABLE), origin=origin) == ["websocket.close"]
    assert lan.socket(client=HERE, host=f"localhost:{PORT}", origin=origin) == ["websocket.close"]


def test_our_own_pages_and_programs_may_change_things(lan: Knock) -> None:
    cookie = lan.cookie(Role.TABLE)
    assert lan.ask("/api/matches", "POST", cookie=cookie, origin=f"http://{OURS}:{PORT}")[0] == 200
    assert lan.ask("/api/matches", "POST", cookie=cookie, sec_fetch_site="same-origin")[0] == 200
    assert lan.ask("/api/matches", "POST", cookie=cookie)[0] == 200


@pytest.mark.parametrize("path", ["/", "/entra", "/api/matches", "/nowhere", "/media/x"])
def test_no_answer_can_be_framed(lan: Knock, path: str) -> None:
    for visitor in ({"cookie": lan.cookie(Role.TABLE)}, {}):
        head = lan.ask(path, **visitor)[1]
        assert head["x-frame-options"] == "DENY"
        assert "frame-ancestors 'none'" in head["content-security-policy"]
        assert head["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("announced", [True, False])
def test_an_upload_is_counted_while_it_comes(lan: Knock, announced: bool) -> None:
    most = lan.doors.settings.max_upload_bytes + FRAME_BYTES
    piece = b"x" * 1_000_000
    pieces = [piece] * (most // len(piece) + 20)
    length = {"content_length": str(len(piece) * len(pieces))} if announced else {}
    status, _, body = lan.ask(f"{UPLOADS}a/b", "PUT", cookie=lan.cookie(Role.TABLE), body=pieces, **length)
    assert (status, "32 MB" in body) == (413, True)
    assert lan.behind.read <= most


def test_other_bodies_are_small(lan: Knock) -> None:
    status, _, _ = lan.ask("/_stcore/other", "POST", cookie=lan.cookie(Role.TABLE), body=[b"x" * FRAME_BYTES, b"x"])
    assert status == 413


def test_an_upload_that_stops_coming_is_let_go(lan: Knock) -> None:
    lan.guard._bounded._pause_s = 0.05
    scope = lan.scope(f"{UPLOADS}a/b", "PUT", PHONE, f"{OURS}:{PORT}", {"cookie": lan.cookie(Role.TABLE)}, "http")
    sent: list[Any] = []
    pieces = [{"type": "http.request", "body": b"x", "more_body": True}]

    async def receive() -> Any:
        if not pieces:
            await asyncio.sleep(60)
        return pieces.pop()

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(asyncio.wait_for(lan.guard(scope, receive, send), 5))
    assert sent[0]["status"] == 408


def test_a_session_ends_after_twelve_hours(lan: Knock) -> None:
    cookie = lan.cookie(Role.TABLE)
    lan.clock.now += LASTS_S - 1
    assert lan.ask("/", cookie=cookie)[0] == 200
    lan.clock.now += 2
    status, _, body = lan.ask("/", cookie=cookie, accept=TEXT)
    assert (status, "dodici ore" in body) == (401, True)


def test_a_session_that_ends_closes_its_websocket(lan: Knock) -> None:
    def later(tap: int) -> None:
        if tap == 3:
            lan.clock.now += LASTS_S + 1

    lan.socket(cookie=lan.cookie(Role.TABLE), taps=10, on_tap=later)
    assert lan.taps == 3


def test_new_codes_end_every_session_and_websocket(lan: Knock) -> None:
    cookie, pairing = lan.cookie(Role.TABLE), lan.pairing
    assert pairing is not None
    lan.socket(cookie=cookie, taps=10, on_tap=lambda tap: pairing.forget_all() if tap == 2 else None)
    assert lan.taps == 2
    assert lan.ask("/", cookie=cookie)[0] == 401


def test_strangers_are_held_back(lan: Knock) -> None:
    answers = [lan.ask("/api/health") for _ in range(STRANGERS.burst + 1)]
    assert [status for status, _, _ in answers[:-1]] == [200] * STRANGERS.burst
    status, head, body = answers[-1]
    assert (status, int(head["retry-after"]) >= 1, "Troppe richieste" in body) == (429, True, True)
    assert lan.ask("/api/health", client="192.168.1.78")[0] == 200


def test_a_device_that_sends_too_much_is_held_back_alone(lan: Knock) -> None:
    cookie = lan.cookie(Role.TABLE)
    statuses = [lan.ask("/api/scan", "POST", cookie=cookie)[0] for _ in range(CHANGING.burst + 1)]
    assert statuses == [200] * CHANGING.burst + [429]
    assert lan.ask("/api/scan", "POST", cookie=lan.cookie(Role.TABLE))[0] == 200
    assert lan.ask("/api/matches", cookie=cookie)[0] == 200


def test_one_device_cannot_take_all_websockets(lan: Knock) -> None:
    cookie = lan.cookie(Role.VIEWER)
    session = lan.pairing.session(cookie.partition("=")[2]) if lan.pairing else None
    assert session is not None
    lan.doors._sockets[session.nonce] = MOST_SOCKETS_EACH
    assert lan.socket(cookie=cookie) == ["websocket.close"]
    assert lan.socket(cookie=lan.cookie(Role.VIEWER)) == ["websocket.accept"]
    assert lan.doors.sockets == MOST_SOCKETS_EACH


def test_streamlits_agent_routes_stay_shut(lan: Knock) -> None:
    assert lan.ask("/_stcore/agent/interact", "POST", client=HERE, host="localhost")[0] == 404


def test_without_lan_only_this_machine_is_answered(alone: Knock) -> None:
    assert alone.ask("/", client=HERE, host=f"localhost:{PORT}")[0] == 200
    assert alone.ask("/entra", client=HERE, host=f"localhost:{PORT}")[0] == 200  # a page like any other of Streamlit's
    assert alone.ask("/telefoni", client=HERE, host=f"localhost:{PORT}")[0] == 404
    assert alone.ask("/", host=f"{OURS}:{PORT}")[0] == 403
