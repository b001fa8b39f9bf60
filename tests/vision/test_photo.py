"""Photos at the border: formats, turning, limits before decoding, broken files."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from vision import photo as photos
from vision.photo import PhotoError, PhotoFault, load_photo


def picture(width=40, height=20) -> Image.Image:
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[:, : width // 2] = [250, 0, 0]
    return Image.fromarray(pixels)


def encoded(image: Image.Image, form: str, **options) -> bytes:
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims a size and holds almost nothing."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "HEIF"])
def test_every_format_is_read_as_rgb(form):
    photo = load_photo(encoded(picture(), form))
    assert photo.size_wh == (40, 20)
    assert photo.image_rgb.shape == (20, 40, 3)
    assert photo.image_rgb[10, 5, 0] > 200 > 60 > photo.image_rgb[10, 35, 0]
    assert len(photo.sha256) == 64


@pytest.mark.parametrize("mode", ["L", "RGBA", "P", "CMYK", "I;16", "1"])
def test_other_modes_become_rgb(mode):
    form = "JPEG" if mode == "CMYK" else "PNG"
    image = Image.new("I;16", (40, 20), 40000) if mode == "I;16" else picture().convert(mode)
    assert load_photo(encoded(image, form)).image_rgb.shape == (20, 40, 3)


@pytest.mark.parametrize("form", ["JPEG", "HEIF"])
def test_exif_turns_the_picture_once(form):
    exif = Image.Exif()
    exif[0x0112] = 6
    photo = load_photo(encoded(picture(), form, exif=exif.tobytes()))
    assert photo.size_wh == (20, 40)
    assert photo.image_rgb[5, 10, 0] > 200 > 60 > photo.image_rgb[35, 10, 0]


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", PhotoFault.EMPTY),
        (b"hello", PhotoFault.NOT_A_PICTURE),
        (b"%PDF-1.7 no picture at all", PhotoFault.NOT_A_PICTURE),
        (encoded(picture(), "GIF"), PhotoFault.NOT_A_PICTURE),
        (encoded(picture(400, 300), "JPEG")[:-400], PhotoFault.TRUNCATED),
        (encoded(picture(400, 300), "JPEG")[:100], PhotoFault.TRUNCATED),
        (encoded(picture(400, 300), "PNG")[:200], PhotoFault.TRUNCATED),
        (encoded(picture(400, 300), "WEBP")[:60], PhotoFault.TRUNCATED),
        (encoded(picture(400, 300), "HEIF")[:-100], PhotoFault.TRUNCATED),
        (png_header(20_000, 20_000), PhotoFault.TOO_LARGE),
        (png_header(9_000, 9_000), PhotoFault.TOO_LARGE),
    ],
)
def test_bad_files_are_refused_with_their_own_code(data, fault):
    with pytest.raises(PhotoError) as caught:
        load_photo(data)
    assert caught.value.code is fault


def test_bytes_are_counted_before_anything_else(monkeypatch):
    monkeypatch.setattr(photos, "MAX_BYTES", 10)
    with pytest.raises(PhotoError) as caught:
        load_photo(b"x" * 11)
    assert caught.value.code is PhotoFault.TOO_LARGE
    assert caught.value.params["max_bytes"] == 10


def test_large_jpegs_are_decoded_at_half_scale(monkeypatch):
    monkeypatch.setattr(photos, "DRAFT_PIXELS", 10_000)
    photo = load_photo(encoded(picture(400, 200), "JPEG"))
    assert photo.size_wh == (400, 200)
    assert photo.image_rgb.shape == (100, 200, 3)
    assert photo.scale == 0.5
