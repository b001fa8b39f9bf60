"""The tables of the ledger; their history is in `migrations`."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Integer, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """Common root of the tables."""


class MatchRow(Base):
    """A match is no more than an id; all else is in its events."""

    __tablename__ = "match"

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    created_at: Mapped[str] = mapped_column(String(40))


class EventRow(Base):
    """One event; `(match_id, seq)` and `command_id` are unique, so that no writer overtakes and no retry doubles."""

    __tablename__ = "event"
    __table_args__ = (
        UniqueConstraint("match_id", "seq", name="uq_event_match_seq"),
        UniqueConstraint("command_id", name="uq_event_command"),
    )

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    match_id: Mapped[str] = mapped_column(ForeignKey("match.id"))
    seq: Mapped[int] = mapped_column(Integer)
    command_id: Mapped[str] = mapped_column(String(64))
    device: Mapped[str] = mapped_column(String(64))
    at: Mapped[str] = mapped_column(String(40))
    kind: Mapped[str] = mapped_column(String(40))
    payload_json: Mapped[str] = mapped_column(Text)
    schema: Mapped[int] = mapped_column(Integer)


class PhotoRow(Base):
    """A photo by content hash; its bytes lie in a folder under that name, or in `photo_content`."""

    __tablename__ = "photo"

    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    size_bytes: Mapped[int] = mapped_column(Integer)
    at: Mapped[str] = mapped_column(String(40))


class PhotoContentRow(Base):
    """The bytes of a photo where there is no folder that all servers share."""

    __tablename__ = "photo_content"

    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)
    preview_jpeg: Mapped[bytes] = mapped_column(LargeBinary)
