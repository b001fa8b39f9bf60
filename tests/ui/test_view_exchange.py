"""The Partita page takes matches out and in, and brings deleted ones back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.game import Table
from tests.ui.inline_scan import inline_services
from ui.app import MAIN_SCRIPT
from ui.services import Services
from ui.settings import Settings
from ui.views import session


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with inline_services(tmp_path) as made:
        yield made


@pytest.fixture
def page(services: Services, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(session, "get_services", lambda: services)
    monkeypatch.setattr(session, "get_settings", Settings)
    at = AppTest.from_file(str(MAIN_SCRIPT), default_timeout=120)
    at.session_state["language"] = "it"
    at.session_state["match_id"] = Table(services).view.id
    at.run()
    at.switch_page("views/partita.py").run()
    assert not at.exception
    return at


def test_links_and_a_table_taken_in(page: Any, services: Services) -> None:
    links = [link.proto.url for link in page.get("link_button")]
    assert len(links) == 6
    assert links[0].startswith("/api/matches/") and links[0].endswith("/export.pdf?lang=it")
    (uploader,) = page.get("file_uploader")
    uploader.set_value(("totali.csv", b"Est;Ovest\n505;-100\nx;1\n", "text/csv")).run()
    page.button(key="import_match").click().run()
    assert not page.exception
    assert any("Riga 3" in error.value for error in page.error)
    (uploader,) = page.get("file_uploader")
    uploader.set_value(("totali.csv", b"Est;Ovest\n505;-100\n", "text/csv")).run()
    page.button(key="import_match").click().run()
    assert not page.exception and not page.error
    newest = services.matches()[0]
    assert (newest.names, newest.totals) == (("Est", "Ovest"), (505, -100))
    assert page.session_state["match_id"] == newest.id


def test_a_deleted_match_comes_back(page: Any, services: Services) -> None:
    match_id = page.session_state["match_id"]
    page.button(key=f"delete_{match_id}").click().run()
    assert services.matches() == ()
    page.switch_page("views/partita.py").run()
    page.button(key=f"restore_{match_id}").click().run()
    assert not page.exception
    assert [match.id for match in services.matches()] == [match_id]
