"""Revision 1: matches, their events, photos by content hash."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the three tables."""
    op.create_table(
        "match",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("created_at", sa.String(40), nullable=False),
    )
    op.create_table(
        "event",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("match_id", sa.String(40), sa.ForeignKey("match.id"), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("command_id", sa.String(64), nullable=False),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("payload_json", sa.Text, nullable=False),
        sa.Column("schema", sa.Integer, nullable=False),
        sa.UniqueConstraint("match_id", "seq", name="uq_event_match_seq"),
        sa.UniqueConstraint("command_id", name="uq_event_command"),
    )
    op.create_index("ix_event_match", "event", ["match_id", "seq"])
    op.create_table(
        "photo",
        sa.Column("sha256", sa.String(64), primary_key=True),
        sa.Column("size_bytes", sa.Integer, nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
    )


def downgrade() -> None:
    """Drop them again."""
    for table in ("photo", "event", "match"):
        op.drop_table(table)
