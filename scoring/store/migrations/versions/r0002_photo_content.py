"""Revision 2: photos may lie in the database; an index goes that only repeated a unique constraint."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """One table more, one index less."""
    op.create_table(
        "photo_content",
        sa.Column("sha256", sa.String(64), primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("preview_jpeg", sa.LargeBinary, nullable=False),
    )
    op.drop_index("ix_event_match", table_name="event")


def downgrade() -> None:
    """The other way round; photos in the table are lost."""
    op.create_index("ix_event_match", "event", ["match_id", "seq"])
    op.drop_table("photo_content")
