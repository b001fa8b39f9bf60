"""HTTPS by a certificate of the machine's own: the authority, what it issues, the page to install it, the way in."""

from __future__ import annotations

import base64
import hashlib
import re
import ssl
import stat
import sys
import urllib.request
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.ui.browser import Server, browsing, chromium
from tests.ui.conftest import settings_for
from ui.doors.authority import can_issue, certificates
from ui.doors.doors import KEY_FILE
from ui.doors.install import CERTIFICATE, install_app, install_port
from ui.doors.links import links
from ui.doors.pairing import Pairing

pytestmark = pytest.mark.skipif(not can_issue(), reason="no certificates: cryptography is missing (the extra https)")


def test_the_authority_is_made_once_and_its_keys_are_private(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, lan=True, https=True, host="192.168.1.5")
    first = certificates(settings)
    authority, server = first.authority.read_bytes(), first.server.read_bytes()
    again = certificates(settings)
    assert again.authority.read_bytes() == authority and again.server.read_bytes() != server
    if sys.platform != "win32":
        for key in (again.key, tmp_path / "https" / "authority.key"):
            assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_it_vouches_for_home_networks_only(tmp_path: Path) -> None:
    from cryptography import x509

    settings = settings_for(tmp_path, lan=True, https=True, host="192.168.1.5", names=("circolo.lan", "example.com"))
    made = certificates(settings)
    server = x509.load_pem_x509_certificate(made.server.read_bytes())
    names = server.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {"circolo.lan", "localhost"} <= set(names.get_values_for_type(x509.DNSName))
    assert "example.com" not in names.get_values_for_type(x509.DNSName)
    assert {"192.168.1.5", "127.0.0.1"} <= set(map(str, names.get_values_for_type(x509.IPAddress)))
    authority = x509.load_der_x509_certificate(made.authority.read_bytes())
    allowed = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert allowed.critical and allowed.value.permitted_subtrees


def test_the_page_says_the_steps_and_carries_the_code_on(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, lan=True, https=True, host="192.168.1.5", port=8600)
    made = certificates(settings)
    client = TestClient(install_app(settings, made.authority), base_url="http://192.168.1.5:8601")
    html = client.get("/", headers={"Accept-Language": "it"}).text
    assert "Attendibilità certificati" in html and "Android" in html
    assert set(re.findall(r'class="go enter" href="([^"]+)"', html)) == {"https://192.168.1.5:8600/entra"}
    got = client.get(CERTIFICATE)
    assert got.headers["content-type"] == "application/x-x509-ca-cert" and got.content == made.authority.read_bytes()
    onward = client.get("/partita", follow_redirects=False)
    assert onward.headers["location"] == "https://192.168.1.5:8600/partita"
    _, link = links(settings, Pairing(tmp_path / KEY_FILE))[0]
    assert link.startswith(f"http://192.168.1.5:{install_port(settings)}/#")


@pytest.mark.browser
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux answers on all of 127.0.0.0/8")
def test_a_phone_that_trusts_the_authority_comes_in(tmp_path: Path) -> None:
    server = Server(tmp_path, options=("--lan", "--https"))
    server.start()
    try:
        authority = tmp_path / "https" / "authority.crt"
        trusting = ssl.create_default_context(cadata=authority.read_bytes())
        with urllib.request.urlopen(f"{server.url}/api/health", timeout=20, context=trusting) as answer:
            assert answer.status == 200
        with pytest.raises(OSError, match="CERTIFICATE"):
            urllib.request.urlopen(f"{server.url}/api/health", timeout=20, context=ssl.create_default_context())
        if chromium():
            _in_the_browser(server, tmp_path / "browser", (tmp_path / "https" / "server.pem").read_bytes())
    finally:
        server.stop()


def _in_the_browser(server: Server, folder: Path, certificate: bytes) -> None:
    """Chromium has no switch to install an authority: it is told to take this very certificate."""
    pytest.importorskip("playwright.sync_api", reason="no browser: playwright is not installed")
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    known = x509.load_pem_x509_certificate(certificate).public_key()
    spki = known.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    pin = base64.b64encode(hashlib.sha256(spki).digest()).decode()
    with browsing(server, folder, flags=(f"--ignore-certificate-errors-spki-list={pin}",)) as walk:
        walk.go("/", "Smazzata")
        assert walk.page.evaluate("isSecureContext && 'wakeLock' in navigator")
        manifest = walk.page.locator("link[rel=manifest]").get_attribute("href")
        assert walk.page.evaluate("url => fetch(url).then((answer) => answer.status)", manifest) == 200
