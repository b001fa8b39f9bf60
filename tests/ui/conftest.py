"""Services on a fresh folder with a reader that needs no networks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

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
