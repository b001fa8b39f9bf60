"""Dal vivo as the services and the API give it: a live process with a reader that needs no networks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from scoring.cards import parse_cards
from scoring.regolamento import load_regolamento
from scoring.smazzata import Held, Pozzetto
from scoring.store.state import Closed
from tests.ui.conftest import settings_for
from tests.ui.fake_live import FOUR, SEVEN, film
from ui import commands as c
from ui.errors import Refused, ServiceError
from ui.live import part_of
from ui.live_process import LiveProcess
from ui.roles import Role, for_role
from ui.services import Services
from ui.viewmodels import GoalChoice, MatchView, NewMatch
from vision.table import MeldSeen, ReadCard, TableReading, quad_of
from vision.veiling import veiled

PATIENCE_S = 120.0
NAMES = ("Noi", "Loro")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Services]:
    made = Services(settings_for(tmp_path / "data", live_reader="tests.ui.fake_live:make"))
    yield made
    made.close()


def a_match(served: Services, vp: bool = False) -> MatchView:
    goal = GoalChoice(turni=1, vp_table="vp-4") if vp else None
    return served.create_match(NewMatch(names=NAMES, regolamento="fibur", goal=goal), device="d")


def wait_for(what: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_camera_shows_the_melds_and_freezing_lays_them_on_a_side(served, tmp_path):
    match, told = a_match(served), []
    served.live_start(str(film(tmp_path / "f.avi")), match_id=match.id, told=told.append)
    wait_for(lambda: bool(told and served.live_view(match.id).view.melds))
    view = served.live_view(match.id).view
    assert view.melds[0].cards == parse_cards(FOUR)
    assert view.total == 20
    assert told[0]["cards"] == FOUR
    assert cv2.imdecode(np.frombuffer(view.jpeg, np.uint8), cv2.IMREAD_COLOR) is not None
    (job,) = served.live_freeze(match.id, {1: "all"}, device="d")
    table = served.match(match.id).table
    assert [card.card for card in table.sides[1].melds[0].cards] == list(parse_cards(FOUR))
    assert table.sides[0].melds == ()
    assert job.photo == table.sides[1].photos[0]
    served.apply(match.id, c.Undo(), seq=served.seq(match.id), device="d")
    assert served.match(match.id).table.sides[1].melds == ()


def test_what_is_wrong_with_the_picture_is_said_and_the_melds_stay(served, tmp_path):
    match = a_match(served)
    source = film(tmp_path / "f.avi", levels=(200, 120, 10), seconds=6)
    served.live_start(str(source), match_id=match.id)
    keys = set()

    def dark_and_over() -> bool:
        keys.update(message.key for message in served.live_view(match.id).view.messages)
        return "live.camera_ended" in keys

    wait_for(dark_and_over)
    view = served.live_view(match.id).view
    assert view.melds[0].cards == parse_cards(SEVEN)
    assert view.melds[0].squared


def test_without_networks_it_is_said_and_not_tried_for_ever(tmp_path):
    served = Services(settings_for(tmp_path / "data", live_reader="tests.ui.fake_live:make_broken"))
    try:
        match = a_match(served)
        served.live_start(str(film(tmp_path / "f.avi", seconds=2)), match_id=match.id)
        wait_for(lambda: [m.key for m in served.live_view(match.id).view.messages] == ["scan.no_models"])
    finally:
        served.close()


def test_a_match_for_vp_shows_nothing_until_somebody_closed(served, tmp_path):
    match = a_match(served, vp=True)
    served.live_start(str(film(tmp_path / "f.avi")), match_id=match.id)
    shown = served.live_view(match.id)
    assert (shown.on, shown.hidden, shown.view) == (True, True, None)
    with pytest.raises(Refused, match=r"live\.hidden"):
        served.live_freeze(match.id, {0: "all"}, device="d")
    served.apply(match.id, c.AnswerClosed("0"), seq=served.seq(match.id), device="d")
    assert served.match(match.id).table.closed is Closed("0")
    assert served.live_view(match.id).view is not None


def test_what_one_match_hides_is_seen_through_no_other(served, tmp_path):
    match, other = a_match(served, vp=True), a_match(served)
    served.live_start(str(film(tmp_path / "f.avi")), match_id=match.id)
    shown = served.live_view(other.id)
    assert (shown.on, shown.elsewhere, shown.view) == (True, True, None)
    with pytest.raises(Refused, match=r"live\.nothing"):
        served.live_freeze(other.id, {0: "all"}, device="d")


def test_a_referee_may_show_or_hide_it_and_a_table_may_not(served):
    match = a_match(served)
    with pytest.raises(ServiceError) as refused:
        for_role(served, Role.TABLE).live_show(match.id, False)
    assert refused.value.status == 403
    for_role(served, Role.REFEREE).live_show(match.id, False)
    assert served.live_view(match.id).hidden


@pytest.mark.parametrize(
    ("role", "what", "arguments"),
    [
        (Role.VIEWER, "live_view", ("m",)),
        (Role.VIEWER, "live_freeze", ("m", {})),
        (Role.TABLE, "live_start", ("0",)),
        (Role.REFEREE, "live_start", ("0",)),
        (Role.REFEREE, "live_stop", ()),
    ],
)
def test_who_may_not(served, role, what, arguments):
    with pytest.raises(ServiceError) as refused:
        getattr(for_role(served, role), what)(*arguments)
    assert refused.value.status == 403


@pytest.mark.parametrize(("source", "key"), [("", "live.camera_absent"), ("ftp://x", "live.camera_wrong_address")])
def test_a_source_that_is_none_is_refused(served, source, key):
    with pytest.raises(ServiceError) as refused:
        served.live_start(source)
    assert refused.value.message.key == key


def test_nothing_to_freeze_without_a_camera(served):
    with pytest.raises(Refused, match=r"live\.nothing"):
        served.live_freeze(a_match(served).id, {0: "all"}, device="d")


def test_halves_of_the_picture_are_sides():
    def meld(text: str, y: float) -> MeldSeen:
        quad = quad_of([(0, y), (10, y), (10, y + 10), (0, y + 10)])
        return MeldSeen(tuple(ReadCard(card, quad, 0.9) for card in parse_cards(text)))

    near, far = meld("3♥ 4♥ 5♥", 300), meld("K♥ K♠ K♦", 20)
    reading = TableReading((near, far), size_wh=(640, 400))
    assert part_of(reading, "near").melds == (near,)
    assert part_of(reading, "far").melds == (far,)
    assert part_of(reading, "all").melds == (near, far)


def test_only_the_melds_are_in_a_picture_that_is_kept():
    rng = np.random.default_rng(1)
    image = rng.integers(0, 256, (480, 640, 3), np.uint8)
    quad = quad_of([(100, 100), (200, 100), (200, 250), (100, 250)])
    shown = veiled(image, [quad])
    assert (shown[110:240, 110:190] == image[110:240, 110:190]).all()
    elsewhere = shown[300:, 300:].astype(float)
    assert np.abs(np.diff(elsewhere, axis=1)).max() < 12


def test_the_api_streams_pictures(served, tmp_path, monkeypatch):
    from ui import services as services_module
    from ui.api import build_api

    monkeypatch.setattr(services_module, "_services", served)
    match = a_match(served)
    app = FastAPI()
    app.mount("/api", build_api(served._settings))
    client = TestClient(app)
    assert client.get("/api/live", params={"match_id": match.id}).json()["on"] is False
    assert client.get("/api/live/stream", params={"match_id": match.id}).status_code == 400
    body = {"source": str(film(tmp_path / "f.avi", seconds=30)), "match_id": match.id}
    assert client.post("/api/live/start", json=body).status_code == 204
    wait_for(lambda: bool(client.get("/api/live", params={"match_id": match.id}).json()["melds"]))
    frozen = client.post("/api/live/freeze", json={"match_id": match.id, "sides": {"0": "near", "1": "far"}})
    assert [job["side"] for job in frozen.json()] == [0]
    assert client.post("/api/live/stop").status_code == 204
    assert client.get("/api/live", params={"match_id": match.id}).json()["on"] is False


def test_a_confirmed_smazzata_and_a_tap_begin_the_table_anew(served, tmp_path):
    match = a_match(served)
    served.live_start(str(film(tmp_path / "f.avi")), match_id=match.id)

    def number() -> int:
        view = served.live_view(match.id).view
        return view.melds[0].number if view.melds else 0

    wait_for(lambda: number() == 1)
    served.live_begin(match.id)
    wait_for(lambda: number() == 2)
    for command in (
        c.AddMeld(0, parse_cards("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥")),
        c.AddMeld(1, parse_cards("K♠ K♥ K♦ JK")),
        c.AnswerClosed(Closed.SIDE_0),
        c.AnswerPozzetto(0, Pozzetto.PLAYED),
        c.AnswerHands(0, ()),
        c.AnswerPozzetto(1, Pozzetto.NOT_TAKEN),
        c.AnswerHands(1, (Held(cards=parse_cards("A♥ 4♣")),)),
        c.Confirm(anyway=True),
    ):
        served.apply(match.id, command, seq=served.seq(match.id), device="d")
    wait_for(lambda: number() == 3)


def test_a_change_that_is_hidden_is_not_told(served, tmp_path):
    match, told = a_match(served, vp=True), []
    served.live_start(str(film(tmp_path / "f.avi", levels=(200, 120), seconds=8)), match_id=match.id, told=told.append)
    camera = served._camera
    wait_for(lambda: any(meld.squared for meld in camera.view.melds))
    assert told == []


def test_the_rules_are_those_of_the_match_that_is_opened(served, tmp_path, monkeypatch):
    begun = []
    monkeypatch.setattr(LiveProcess, "begin", lambda self, rules: begun.append(rules))
    served.live_start(str(film(tmp_path / "f.avi")), regolamento=load_regolamento("reale"))
    assert 'name = "reale"' in served._camera._first["regolamento"]
    match = served.create_match(NewMatch(names=NAMES, regolamento="starcasino"), device="d")
    served.live_view(match.id)
    served.live_view(match.id)
    assert len(begun) == 1
    assert 'name = "starcasino"' in begun[0]
