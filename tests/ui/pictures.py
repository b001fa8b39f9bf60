"""Pictures for tests, made on the spot."""

from __future__ import annotations

import io

from PIL import Image

TABLE, DOUBT, NO_CARDS, DIES, HANGS = (40, 40, 40), (255, 255, 255), (255, 0, 0), (0, 0, 255), (0, 255, 0)
CROSSWISE = (130, 130, 130)
UNREAD = (255, 255, 0)


def picture(colour: tuple[int, int, int] = TABLE, size: tuple[int, int] = (640, 480), kind: str = "JPEG") -> bytes:
    """A picture of one colour as a file."""
    buffer = io.BytesIO()
    Image.new("RGB", size, colour).save(buffer, kind)
    return buffer.getvalue()
