"""Services on a fresh folder with a reader that needs no networks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ui.browser import Server
from tests.ui.game import Table
from ui.services import Services
from ui.settings import Settings


def settings_for(folder: Path, **changes: object) -> Settings:
    values = {"data_dir": folder, "reader": "tests.ui.fake_reader:make", "scan_timeout_s": 20.0, **changes}
    return Settings(**values)  # type: ignore[arg-type]


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    made = Services(settings_for(tmp_path))
    yield made
    made.close()


@pytest.fixture
def table(services: Services) -> Table:
    return Table(services)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    running.start()
    yield running
    running.stop()


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    """Where pictures of pages go: BURRACO_SHOTS keeps them after the run."""
    folder = Path(os.environ.get("BURRACO_SHOTS", tmp_path / "shots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
