"""Photos at the border: decoded once, turned once, refused with a reason."""

from __future__ import annotations

import hashlib
import io
import struct
import warnings
import zlib
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np
import pillow_heif
from PIL import Image, JpegImagePlugin, MpoImagePlugin, PngImagePlugin, UnidentifiedImageError, WebPImagePlugin

if TYPE_CHECKING:
    from numpy.typing import NDArray

pillow_heif.register_heif_opener()

PLUGINS: Final = (JpegImagePlugin, MpoImagePlugin, PngImagePlugin, WebPImagePlugin)
"""Imported for their openers: a picture's format is looked up among those registered."""

MAX_BYTES: Final = 64 * 1024 * 1024
MAX_PIXELS: Final = 64_000_000
DRAFT_PIXELS: Final = 24_000_000
TURNS: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
FORMATS: Final = ("JPEG", "PNG", "WEBP", "HEIF")


class PhotoFault(StrEnum):
    """Why a file cannot be used as a photo; `ui.i18n` has the sentences."""

    EMPTY = "empty"
    NOT_A_PICTURE = "not_a_picture"
    TRUNCATED = "truncated"
    TOO_LARGE = "too_large"


class PhotoError(ValueError):
    """A file that is refused: `code` says why, `params` what was seen and what is allowed."""

    def __init__(self, code: PhotoFault, **params: int | str) -> None:
        super().__init__(f"{code.value}: {params}" if params else code.value)
        self.code = code
        self.params = params


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A decoded photo, upright as it was taken.

    `image_rgb`: (H, W, 3) uint8. `sha256`: of the file's bytes. `size_wh`: pixels of the original, upright; the image
    is smaller than that where a very large JPEG was decoded at half scale (`scale` < 1).
    """

    image_rgb: NDArray[np.uint8]
    sha256: str
    size_wh: tuple[int, int]

    @property
    def scale(self) -> float:
        """Image pixels per original pixel."""
        return float(self.image_rgb.shape[1] / self.size_wh[0])


def load_photo(data: bytes) -> Photo:
    """Decode the bytes of a JPEG, PNG, WebP or HEIC file; limits hold before any pixel is decoded.

    Raises PhotoError.
    """
    if not data:
        raise PhotoError(PhotoFault.EMPTY)
    if len(data) > MAX_BYTES:
        raise PhotoError(PhotoFault.TOO_LARGE, bytes=len(data), max_bytes=MAX_BYTES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        with _open(data) as image:
            size_wh = _checked_size(image)
            if size_wh[0] * size_wh[1] > DRAFT_PIXELS and image.format in ("JPEG", "MPO"):
                image.draft("RGB", (size_wh[0] // 2, size_wh[1] // 2))
            upright = _upright(_decode(image), image)
    if (upright.width > upright.height) != (size_wh[0] > size_wh[1]):
        size_wh = (size_wh[1], size_wh[0])
    pixels: NDArray[np.uint8] = np.ascontiguousarray(np.asarray(upright, dtype=np.uint8))
    return Photo(pixels, hashlib.sha256(data).hexdigest(), size_wh)


def _open(data: bytes) -> Image.Image:
    try:
        return Image.open(io.BytesIO(data), formats=FORMATS)
    except Image.DecompressionBombError as error:
        raise PhotoError(PhotoFault.TOO_LARGE, max_pixels=MAX_PIXELS) from error
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, struct.error, RuntimeError) as error:
        fault = PhotoFault.TRUNCATED if _looks_like_picture(data) else PhotoFault.NOT_A_PICTURE
        raise PhotoError(fault) from error


def _looks_like_picture(data: bytes) -> bool:
    return (
        data.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"))
        or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")
        or (data[4:8] == b"ftyp" and data[8:12] in (b"heic", b"heix", b"mif1", b"msf1", b"heim", b"hevc"))
    )


def _checked_size(image: Image.Image) -> tuple[int, int]:
    width, height = image.size
    if width * height > MAX_PIXELS:
        raise PhotoError(PhotoFault.TOO_LARGE, width=width, height=height, max_pixels=MAX_PIXELS)
    if width < 1 or height < 1:
        raise PhotoError(PhotoFault.NOT_A_PICTURE)
    return width, height


def _decode(image: Image.Image) -> Image.Image:
    try:
        image.load()
        if image.mode.startswith("I"):
            sixteen = np.asarray(image).astype(np.int64)
            return Image.fromarray((sixteen >> 8).clip(0, 255).astype(np.uint8)).convert("RGB")
        return image.convert("RGB")
    except (OSError, ValueError, SyntaxError, EOFError, struct.error, zlib.error, RuntimeError) as error:
        raise PhotoError(PhotoFault.TRUNCATED) from error


def _upright(decoded: Image.Image, source: Image.Image) -> Image.Image:
    """Turn by the EXIF orientation once; pillow-heif has already turned and reports 1."""
    try:
        turn = TURNS.get(source.getexif().get(0x0112, 1))
    except (OSError, ValueError, SyntaxError, struct.error, TypeError):
        return decoded
    return decoded if turn is None else decoded.transpose(turn)
