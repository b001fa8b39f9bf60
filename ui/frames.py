"""Messages between the server and the scan process: one JSON header and one body of bytes, each with its length."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import IO, Any

_LENGTHS = struct.Struct(">II")


def write_frame(stream: IO[bytes], header: Mapping[str, Any], body: bytes = b"") -> None:
    """Send one message; raises OSError where the other side is gone."""
    head = json.dumps(header).encode()
    stream.write(_LENGTHS.pack(len(head), len(body)) + head)
    stream.write(body)
    stream.flush()


def read_frame(stream: IO[bytes]) -> tuple[dict[str, Any], bytes] | None:
    """Receive one message, or None where the other side is gone."""
    lengths = _read_exactly(stream, _LENGTHS.size)
    if lengths is None:
        return None
    head_length, body_length = _LENGTHS.unpack(lengths)
    head, body = _read_exactly(stream, head_length), _read_exactly(stream, body_length)
    if head is None or body is None:
        return None
    return json.loads(head), body


def _read_exactly(stream: IO[bytes], length: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < length:
        part = stream.read(length - len(parts))
        if not part:
            return None
        parts += part
    return bytes(parts)
