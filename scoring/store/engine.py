"""The connection to a database: SQLite in a file, or PostgreSQL at an address, each set up never to lose a commit."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

BUSY_TIMEOUT_MS = 5000
WRITES = "burraco_writes"
"""The execution option that marks an engine whose transactions write."""


_EXPECTED = "expected postgresql+psycopg://user:password@host/name"


def sqlite_engine(path: Path, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> Engine:
    """SQLite with a write-ahead log that reaches the disk at every commit."""
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": busy_timeout_ms / 1000})

    @event.listens_for(engine, "connect")
    def _pragmas(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # BEGIN is ours, below: writers queue at its start instead of failing later
        cursor = connection.cursor()
        for pragma in (
            f"busy_timeout={busy_timeout_ms}",
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def server_engine(url: str, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> Engine:
    """A PostgreSQL server; a connection that died is noticed before it is used, a lock is not waited for long.

    Raises ValueError for an address of any other kind.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise ValueError(_EXPECTED) from error
    if parsed.get_backend_name() != "postgresql":
        raise ValueError(f"{_EXPECTED}, saw {parsed!r}")
    options = f"-c lock_timeout={busy_timeout_ms} -c synchronous_commit=on"
    try:
        return create_engine(url, pool_pre_ping=True, connect_args={"options": options, "connect_timeout": 5})
    except ArgumentError as error:  # a driver that nobody knows
        raise ValueError(_EXPECTED) from error


def insert_once(engine: Engine, table: Any, row: Mapping[str, Any]) -> Any:
    """The statement that inserts a row unless another one is there already, whoever wrote it."""
    insert: Any = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}[engine.dialect.name]
    return insert(table).values(dict(row)).on_conflict_do_nothing()
