"""The bookmark on a phone's home screen: icon, manifest, and the page that names both."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser

import pytest
from PIL import Image
from starlette.applications import Starlette
from starlette.testclient import TestClient

from ui.doors.home import SIZES, home_routes, unknown_route
from ui.i18n import t


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(Starlette(routes=[*home_routes(("partita",)), unknown_route()]))


@pytest.mark.parametrize("side", SIZES)
def test_an_icon_is_a_card_on_green_with_room_for_a_round_cut(client: TestClient, side: int) -> None:
    answer = client.get(f"/icone/{side}.png")
    image = Image.open(io.BytesIO(answer.content)).convert("RGB")
    assert (answer.headers["content-type"], image.size) == ("image/png", (side, side))
    middle, edge = image.getpixel((side // 2, side // 2)), image.getpixel((side // 20, side // 2))
    assert isinstance(middle, tuple) and isinstance(edge, tuple)
    assert middle[0] > 150 > middle[1] and edge[1] > edge[0]


def test_other_sizes_are_not_drawn(client: TestClient) -> None:
    assert client.get("/icone/100000.png").status_code == 404


@pytest.mark.parametrize("path", ["/", "/partita"])
def test_a_page_names_icon_and_manifest_and_what_it_names_is_there(client: TestClient, path: str) -> None:
    html = client.get(path).text
    assert '<div id="root">' in html
    named = re.findall(r'<link rel="(?:manifest|apple-touch-icon)" href="([^"]+)"', html)
    assert len(named) == 2
    assert [client.get(url).status_code for url in named] == [200, 200]
    icons = client.get("/burraco.webmanifest").json()["icons"]
    assert [client.get(icon["src"]).status_code for icon in icons] == [200, 200]


@pytest.mark.parametrize(("lang", "text"), [("it", "Il browser è troppo vecchio"), ("en", "This browser is too old")])
def test_a_browser_without_scripts_is_told_in_its_language(client: TestClient, lang: str, text: str) -> None:
    html = client.get("/", headers={"Accept-Language": lang}).text
    assert text in html.partition('<div id="root">')[2].partition("</div>")[0], "what the dashboard will take away"
    assert "<noscript>" not in html, "Streamlit's own words are English"


@pytest.mark.parametrize(("lang", "text"), [("it", "Questa pagina non c&#x27;è"), ("en", "There is no such page")])
def test_a_page_nobody_knows_says_so_in_the_language_asked_for(client: TestClient, lang: str, text: str) -> None:
    answer = client.get("/xyz", headers={"Accept-Language": lang})
    assert answer.status_code == 404 and text in answer.text and 'href="/"' in answer.text
    assert "no such page" not in client.get("/favicon.png").text, "what holds a dot is Streamlit's"


class _Words(HTMLParser):
    """The words that a page shows before any script has run."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if data.strip() and not {"title", "style", "script"} & set(self.open):
            self.words.append(data.strip())


def test_a_page_shows_no_word_but_ours_before_its_scripts_run(client: TestClient) -> None:
    seen = _Words()
    seen.feed(client.get("/", headers={"Accept-Language": "en"}).text)
    assert seen.words == [t("door.no_script", "en")]
