"""Where the store's tests keep things: a folder, and a PostgreSQL where BURRACO_TEST_POSTGRES names a server."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from scoring.store.database import Database

SERVER = os.environ.get("BURRACO_TEST_POSTGRES", "")


@dataclass(frozen=True)
class Place:
    """One store, empty at first; opened as often as a test likes, from other processes too."""

    folder: Path
    url: str = ""

    def open(self, clock: Callable[[], str] | None = None) -> Database:
        if clock is None:
            return Database(self.folder, url=self.url)
        return Database(self.folder, clock, url=self.url)


@contextmanager
def fresh_database(server: str) -> Iterator[str]:
    """The address of an empty database on a PostgreSQL server, gone again afterwards."""
    name = f"burraco_{uuid.uuid4().hex[:12]}"
    admin = create_engine(server, isolation_level="AUTOCOMMIT", pool_pre_ping=True)
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    try:
        yield make_url(server).set(database=name).render_as_string(hide_password=False)
    finally:
        with admin.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        admin.dispose()


@pytest.fixture(
    params=[
        "sqlite",
        pytest.param(
            "postgresql",
            marks=pytest.mark.skipif(not SERVER, reason="BURRACO_TEST_POSTGRES names no server"),
        ),
    ]
)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """A store of its own for each test."""
    if request.param == "sqlite":
        yield Place(tmp_path)
        return
    with fresh_database(SERVER) as url:
        yield Place(tmp_path, url)
