"""Decoding stays bounded whatever the file says: pixels, frames, text, time; and what phones send is read."""

from __future__ import annotations

import io
import struct
import time
import zlib

import numpy as np
import pytest
from PIL import Image

from vision.photo import DRAFT_PIXELS, MAX_PIXELS, PhotoError, PhotoFault, load_photo

SOON_S = 20.0


def encoded(image: Image.Image, form: str, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()


def marked(width: int, height: int) -> Image.Image:
    """A picture whose left edge is red."""
    pixels = np.full((height, width, 3), 90, np.uint8)
    pixels[:, : width // 4] = (220, 20, 20)
    return Image.fromarray(pixels)


def png(*chunks: tuple[bytes, bytes], size: tuple[int, int] = (40, 20)) -> bytes:
    head = struct.pack(">IIBBBBB", *size, 8, 2, 0, 0, 0)
    rows = zlib.compress(b"".join(b"\0" + b"\x50" * size[0] * 3 for _ in range(size[1])))
    out = b"\x89PNG\r\n\x1a\n"
    for kind, body in ((b"IHDR", head), *chunks, (b"IDAT", rows), (b"IEND", b"")):
        out += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return out


@pytest.mark.parametrize("form", ["WEBP", "PNG"])
def test_only_the_first_of_many_frames_is_decoded(form: str) -> None:
    frames = [Image.new("RGB", (300, 200), (place, 200, 20)) for place in range(200)]
    data = encoded(frames[0], form, save_all=True, append_images=frames[1:], duration=40)
    started = time.monotonic()
    photo = load_photo(data)
    assert time.monotonic() - started < SOON_S / 4
    assert photo.image_rgb.shape == (200, 300, 3)
    assert photo.image_rgb[0, 0, 0] < 30


def test_a_text_that_unpacks_to_a_gigabyte_is_refused_soon() -> None:
    bomb = b"note\0\0" + zlib.compress(b"\0" * 300_000_000, 9)
    started = time.monotonic()
    try:
        assert load_photo(png((b"zTXt", bomb))).size_wh == (40, 20)
    except PhotoError as error:
        assert error.code in (PhotoFault.NOT_A_PICTURE, PhotoFault.TRUNCATED)
    assert time.monotonic() - started < SOON_S


@pytest.mark.parametrize(("width", "height"), [(65_535, 65_535), (8_001, 8_000), (1, 65_000_000)])
def test_pixels_are_counted_before_any_is_decoded(width: int, height: int) -> None:
    assert width * height > MAX_PIXELS
    data = bytearray(png())
    data[16:24] = struct.pack(">II", width, height)
    data[29:33] = struct.pack(">I", zlib.crc32(bytes(data[12:29])))
    started = time.monotonic()
    with pytest.raises(PhotoError) as caught:
        load_photo(bytes(data))
    assert caught.value.code is PhotoFault.TOO_LARGE
    assert time.monotonic() - started < 1.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "width", "height"), [("JPEG", 4032, 3024), ("HEIF", 4032, 3024), ("JPEG", 8160, 6120)]
)
def test_photos_as_phones_take_them_upright(form: str, width: int, height: int) -> None:
    """12 and 50 megapixels, held upright: the file lies on its side and says how to turn it."""
    exif = Image.Exif()
    exif[0x0112] = 6
    data = encoded(marked(width, height), form, exif=exif.tobytes(), quality=80)
    started = time.monotonic()
    photo = load_photo(data)
    assert time.monotonic() - started < SOON_S
    assert photo.size_wh == (height, width)
    assert photo.image_rgb.shape[0] > photo.image_rgb.shape[1]
    assert photo.image_rgb.shape[0] * photo.image_rgb.shape[1] <= max(DRAFT_PIXELS, width * height // 4)
    red, green, _ = (int(channel) for channel in photo.image_rgb[10, photo.image_rgb.shape[1] // 2])
    assert red > 180 > 80 > green, "what was on the left is on top now"
