"""Pairing: codes and sessions, the pages that take and show them."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest
import segno

import ui.doors.links
from tests.ui.conftest import settings_for
from tests.ui.doors.test_guard import HERE, NOW, OURS, PHONE, PORT, TEXT, Clock, Knock
from ui.cli import main
from ui.doors.doors import FAILED_CODES
from ui.doors.links import links, qr_svg
from ui.doors.pairing import COOKIE_LASTS_S, LASTS_S, BadCode, CodeFault, Pairing
from ui.doors.visit import own_names
from ui.roles import PAIRED, Role
from ui.viewmodels import MatchSummary

FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def knock(tmp_path: Path) -> Knock:
    return Knock(tmp_path)


def enter(knock: Knock, code: str, **more: str) -> tuple[int, dict[str, str], str]:
    headers = {"accept": TEXT, "content_type": FORM, "origin": f"http://{OURS}:{PORT}", **more}
    return knock.ask("/entra", "POST", body=[f"code={code}".encode()], **headers)


def code(knock: Knock, role: Role = Role.TABLE) -> str:
    assert knock.pairing is not None
    return knock.pairing.code(role)


@pytest.mark.parametrize("role", PAIRED)
def test_a_code_becomes_a_session(knock: Knock, role: Role) -> None:
    status, head, _ = enter(knock, code(knock, role))
    assert (status, head["location"]) == (303, "/")
    cookie = head["set-cookie"]
    assert {"HttpOnly", "SameSite=lax", "Path=/", f"Max-Age={COOKIE_LASTS_S}"} <= {
        part.strip() for part in cookie.split(";")
    }
    assert knock.ask("/", cookie=cookie.split(";")[0])[0] == 200
    assert knock.behind.roles == [role.name]


def test_a_code_typed_by_hand_may_have_capitals_and_spaces(knock: Knock) -> None:
    assert enter(knock, "+" + code(knock).upper() + "+")[0] == 303


def test_several_phones_use_one_code_and_are_told_apart(knock: Knock) -> None:
    cookies = {enter(knock, code(knock))[1]["set-cookie"].split(";")[0] for _ in range(3)}
    assert len(cookies) == 3


@pytest.mark.parametrize("bad", ["", "x", "t", "t.", ".", "t6b0d8b29.aaaaaaaaaaaaaaaaaaaaaaaa", "è", "x" * 5000, "%00"])
def test_a_wrong_code_is_said_to_be_wrong(knock: Knock, bad: str) -> None:
    status, head, body = enter(knock, bad)
    assert (status, "set-cookie" in head) == (403, False)
    assert "non è giusto" in body
    assert "not right" in enter(knock, bad, accept_language="en")[2]


def test_an_expired_code_is_said_to_be_expired(knock: Knock) -> None:
    old = code(knock)
    knock.clock.now += LASTS_S + 1
    status, _, body = enter(knock, old)
    assert (status, "scaduto" in body) == (403, True)
    assert "expired" in enter(knock, old, accept_language="en")[2]


@pytest.mark.parametrize("place", range(0, 30, 3))
def test_a_code_that_was_changed_is_wrong(tmp_path: Path, place: int) -> None:
    pairing = Pairing(tmp_path / "key", Clock())
    good = pairing.code(Role.VIEWER)
    forged = good[:place] + ("a" if good[place] != "a" else "b") + good[place + 1 :]
    with pytest.raises(BadCode) as caught:
        pairing.enter(forged)
    assert caught.value.fault is CodeFault.WRONG


def test_a_code_is_no_session_and_a_session_no_code(tmp_path: Path) -> None:
    pairing = Pairing(tmp_path / "key", Clock())
    made = pairing.code(Role.TABLE)
    assert pairing.session(made) is None
    with pytest.raises(BadCode):
        pairing.enter(pairing.enter(made))


def test_guessing_codes_is_slow(knock: Knock) -> None:
    statuses = [enter(knock, "guess")[0] for _ in range(FAILED_CODES.burst + 2)]
    assert statuses == [403] * FAILED_CODES.burst + [429] * 2
    status, head, body = enter(knock, code(knock))
    assert (status, "set-cookie" in head, int(head["retry-after"]) > 1) == (429, False, True)
    assert "Troppe richieste" in body
    assert knock.ask("/entra", "POST", client="192.168.1.78", body=[f"code={code(knock)}".encode()])[0] == 303


def test_phones_that_pair_in_a_row_are_not_held_back(knock: Knock) -> None:
    assert [enter(knock, code(knock))[0] for _ in range(30)] == [303] * 30


def test_sessions_outlive_a_restart(tmp_path: Path) -> None:
    before = Pairing(tmp_path / "key", Clock())
    cookie = before.enter(before.code(Role.TABLE))
    session = Pairing(tmp_path / "key", Clock()).session(cookie)
    assert session is not None
    assert (session.role, session.until) == (Role.TABLE, int(NOW) + LASTS_S)


def test_the_key_is_its_owners_alone(tmp_path: Path) -> None:
    Pairing(tmp_path / "key", Clock()).forget_all()
    assert os.name == "nt" or (tmp_path / "key").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("kept", ["", "zz", "00", "é" * 64])
def test_a_broken_key_is_replaced(tmp_path: Path, kept: str) -> None:
    (tmp_path / "key").write_text(kept, "utf-8")
    pairing = Pairing(tmp_path / "key", Clock())
    assert pairing.session(pairing.enter(pairing.code(Role.TABLE))) is not None
    assert len((tmp_path / "key").read_text()) == 64


def test_the_pairing_page_keeps_the_code_out_of_the_history(knock: Knock) -> None:
    body = knock.ask("/entra", accept=TEXT)[2]
    assert body.index("location.hash") < body.index("replaceState") < body.index("form.submit")
    assert knock.ask("/entra", accept=TEXT)[1]["cache-control"] == "no-store"


def test_the_codes_are_shown_on_the_machine_itself_only(knock: Knock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ui.doors.links, "lan_address", lambda host: OURS)
    local = {"client": HERE, "host": f"localhost:{PORT}"}
    status, _, body = knock.ask("/telefoni", accept=TEXT, **local)
    assert (status, body.count("<svg"), body.count(f"http://{OURS}:{PORT}/entra#")) == (200, 3, 3)
    monkeypatch.setattr(ui.doors.links, "lan_address", lambda host: None)
    assert "in nessuna rete" in knock.ask("/telefoni", accept=TEXT, **local)[2]
    assert knock.ask("/telefoni", client=PHONE, cookie=knock.cookie(Role.REFEREE))[0] == 404


def test_each_match_that_is_played_has_a_code_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ui.doors.links, "lan_address", lambda host: OURS)
    open_one, over = (
        MatchSummary(f"{at}", (f"A{at}", "B"), "fibur", "quattro", 2005, (0, 0), 0, at == 2, "", "") for at in (1, 2)
    )
    knock = Knock(tmp_path, matches=lambda: (open_one, over))
    body = knock.ask("/telefoni", accept=TEXT, client=HERE, host=f"localhost:{PORT}")[2]
    assert (body.count("<svg"), "A1 – B" in body, "A2 – B" in body) == (4, True, False)
    link = next(part for part in body.split("<") if part.startswith("p class='link'>") and "-1." in part)
    status, head, _ = enter(knock, link.partition("#")[2])
    assert status == 303
    knock.ask("/", cookie=head["set-cookie"].split(";")[0])
    assert (knock.behind.roles, knock.behind.matches) == (["TABLE"], ["1"])


def test_new_codes_put_everybody_out(knock: Knock) -> None:
    old, cookie = code(knock), knock.cookie(Role.TABLE)
    assert knock.ask("/telefoni", "POST", client=HERE, host=f"localhost:{PORT}")[0] == 303
    assert knock.ask("/", cookie=cookie)[0] == 401
    assert enter(knock, old)[0] == 403


def test_each_role_has_a_link_of_its_own_and_its_code_stands_behind_the_hash(tmp_path: Path) -> None:
    pairing = Pairing(tmp_path / "key")
    found = links(settings_for(tmp_path, host="192.168.1.5", port=PORT), pairing)
    assert [role for role, _ in found] == [Role.TABLE, Role.VIEWER, Role.REFEREE]
    for role, link in found:
        assert link.startswith("http://192.168.1.5:8501/entra#")
        session = pairing.session(pairing.enter(link.partition("#")[2]))
        assert session is not None and session.role is role


def test_the_qr_code_holds_the_link() -> None:
    link = "http://192.168.1.5:8501/entra#t6b0d8b29.wifjst2vmyhabnsl7mspdzzp"
    rows = np.array([list(row) for row in segno.make(link, error="m", micro=False).matrix], np.uint8)
    picture = np.kron(np.pad(1 - rows, 4, constant_values=1) * 255, np.ones((8, 8))).astype(np.uint8)
    assert cv2.QRCodeDetector().detectAndDecode(picture)[0] == link
    side = len(rows) + 2 * 4
    assert qr_svg(link).startswith(f'<svg viewBox="0 0 {side} {side}"'), "it shrinks whole, its margin too"


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "circolo.lan"])
def test_no_address_of_the_network_goes_without_pairing(tmp_path: Path, host: str) -> None:
    assert settings_for(tmp_path, host=host).lan
    assert not settings_for(tmp_path, host="127.0.0.1").lan


def test_a_name_is_known_only_where_it_is_ours() -> None:
    assert "localhost" in own_names("127.0.0.1", ())
    assert own_names("127.0.0.1", ()) == {"localhost", "127.0.0.1", "::1"}
    assert {"circolo.lan", "192.168.1.5"} <= own_names("192.168.1.5", ("Circolo.lan",))


def test_serve_names_lan_in_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "--help"])
    assert "--lan" in capsys.readouterr().out
