"""What a phone does to a table: perspective, light, glare, shadow, blur, noise, colour, JPEG."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Conditions:
    """What of a picture is fixed beforehand, None as it comes: glare, blur, bounds of the JPEG's quality."""

    glare: bool | None = None
    blur: bool | None = None
    quality: tuple[int, int] | None = None


AS_IT_COMES = Conditions()


def _happens(rng: np.random.Generator, share: float, fixed: bool | None) -> bool:
    return bool(rng.random() < share) if fixed is None else fixed


def homography(
    rng: np.random.Generator,
    size_wh: tuple[int, int],
    px_per_mm: float,
    tilt_deg: float | None = None,
    roll_rad: float | None = None,
) -> Matrix:
    """A pinhole view of the table plane (mm) in pixels: (3, 3), with `px_per_mm` in the middle of the picture.

    The tilt is up to 55°, the roll any angle, the lens between a wide phone and a long one.
    """
    tilt = np.radians(rng.choice([rng.uniform(0, 15), rng.uniform(0, 55)]) if tilt_deg is None else tilt_deg)
    roll = rng.uniform(0, 2 * np.pi) if roll_rad is None else roll_rad
    turn = rng.normal(0, 0.1)
    # The picture may be a small tile of a larger photo: the focal length belongs to the whole.
    focal = max(size_wh) * rng.uniform(0.9, 3.5)
    distance = focal / px_per_mm
    axes = _rotation(2, turn) @ _rotation(0, tilt) @ _rotation(2, roll)
    camera = np.diag([focal, focal, 1.0])
    camera[:2, 2] = np.array(size_wh) / 2
    plane = np.column_stack([axes[:, 0], axes[:, 1], [0.0, 0.0, distance]])
    matrix: Matrix = camera @ plane
    matrix /= matrix[2, 2]
    return matrix


def _rotation(axis: int, angle: float) -> Matrix:
    cos, sin = np.cos(angle), np.sin(angle)
    i, j = [k for k in range(3) if k != axis]
    matrix = np.eye(3)
    matrix[i, i], matrix[j, j], matrix[i, j], matrix[j, i] = cos, cos, -sin, sin
    return matrix


def project(matrix: Matrix, points_xy: Matrix) -> Matrix:
    """Apply a homography to (..., 2) points."""
    shape = points_xy.shape
    flat = points_xy.reshape(-1, 2) @ matrix[:, :2].T + matrix[:, 2]
    return (flat[:, :2] / flat[:, 2:]).reshape(shape)


GAIN_ONE = 140  # the byte that stands for a gain of one: bytes are stretched and multiplied faster than floats
FIELD_PX = 80  # light varies slowly: its fields are drawn this small and stretched over the picture


def light(rng: np.random.Generator, image: Image, conditions: Conditions = AS_IT_COMES) -> Image:
    """Uneven light, a hard or soft shadow, lamp glare, and the white balance of the room: (H, W, 3) uint8."""
    size_wh = (image.shape[1], image.shape[0])
    cells = rng.uniform(rng.uniform(0.55, 0.95), rng.uniform(0.95, 1.2), (int(rng.integers(2, 4)),) * 2)
    gain = cv2.resize(cells.astype(np.float32), (FIELD_PX, FIELD_PX), interpolation=cv2.INTER_CUBIC)
    gain *= rng.uniform(0.6, 1.1) if rng.random() < 0.4 else 1.0
    tint = rng.normal(1.0, 0.06, 3)
    if rng.random() < 0.15:
        tint *= [1.15, 1.0, rng.uniform(0.6, 0.9)]  # a warm lamp
    out = image
    if rng.random() < 0.3:
        out = _shaded(rng, out)
    if rng.random() < 0.4:
        middle, contrast = rng.uniform(90, 160), rng.uniform(0.6, 1.25)
        levels = (np.arange(256) - middle) * contrast + middle
        out = np.asarray(cv2.LUT(out, levels.clip(0, 255).astype(np.uint8)), np.uint8)
    field = cv2.resize((gain * GAIN_ONE).clip(0, 255).astype(np.uint8), size_wh)
    fields = cv2.merge([cv2.convertScaleAbs(field, alpha=t) for t in tint])
    out = np.asarray(cv2.multiply(out, fields, scale=1 / GAIN_ONE), np.uint8)
    if _happens(rng, 0.3, conditions.glare):
        spot = cv2.resize(_glare(rng), size_wh)
        out = np.asarray(cv2.add(out, cv2.cvtColor(spot, cv2.COLOR_GRAY2RGB)), np.uint8)
    return out


def _shaded(rng: np.random.Generator, image: Image) -> Image:
    """The shadow of something beyond the picture, its edge hard or soft."""
    height, width = image.shape[:2]
    radius = float(rng.choice([0.0, 4.0, 16.0]))
    shrink = 1 if radius == 0 else 4
    shade = np.zeros((height // shrink, width // shrink), np.uint8)
    points = rng.uniform(-0.3, 1.3, (int(rng.integers(3, 6)), 2)) * shade.shape[::-1]
    cv2.fillPoly(shade, [points.astype(np.int32)], int(255 * rng.uniform(0.2, 0.6)), cv2.LINE_AA)
    if shrink > 1:
        shade = cv2.resize(cv2.GaussianBlur(shade, (0, 0), radius / shrink), (width, height))
    return np.asarray(cv2.multiply(image, cv2.cvtColor(255 - shade, cv2.COLOR_GRAY2RGB), scale=1 / 255), np.uint8)


def _glare(rng: np.random.Generator) -> Image:
    """A blurred bright spot, small: (80, 80) uint8."""
    spot = np.zeros((FIELD_PX, FIELD_PX), np.float32)
    centre = (int(rng.uniform(0, FIELD_PX)), int(rng.uniform(0, FIELD_PX)))
    axes = (int(rng.uniform(0.03, 0.25) * FIELD_PX), int(rng.uniform(0.03, 0.2) * FIELD_PX))
    cv2.ellipse(spot, centre, axes, rng.uniform(0, 180), 0, 360, float(rng.uniform(40, 150)), -1)
    return np.asarray(cv2.GaussianBlur(spot, (0, 0), max(axes) * 0.5 + 1), np.uint8)


@dataclass(frozen=True, slots=True)
class NoiseBank:
    """Gaussian noise drawn once and cut at random places, since drawing it anew costs more than the rest.

    Bytes round `MEAN` with a deviation of `SIGMA`: byte pictures are added many times faster than floats.
    """

    field: Image
    MEAN: ClassVar[int] = 128
    SIGMA: ClassVar[int] = 28

    @classmethod
    def make(cls, rng: np.random.Generator, size: int = 1024) -> NoiseBank:
        # Each byte stands for one of 256 equally likely parts of the normal distribution.
        parts = np.array([NormalDist(cls.MEAN, cls.SIGMA).inv_cdf((i + 0.5) / 256) for i in range(256)])
        raw = np.frombuffer(rng.bytes(size * size * 3), np.uint8).reshape(size, size, 3)
        return cls(np.asarray(cv2.LUT(raw, np.rint(parts).astype(np.uint8)), np.uint8))

    def over(self, rng: np.random.Generator, image: Image, strength: float) -> Image:
        """The picture with noise of so many grey levels; pictures larger than the bank see it mirrored."""
        height, width = image.shape[:2]
        tall, wide = min(height, self.field.shape[0]), min(width, self.field.shape[1])
        y, x = (int(rng.integers(n - m + 1)) for n, m in zip(self.field.shape, (tall, wide), strict=False))
        grain = self.field[y : y + tall, x : x + wide]
        if (tall, wide) != (height, width):
            grain = cv2.copyMakeBorder(grain, 0, height - tall, 0, width - wide, cv2.BORDER_REFLECT)
        share = strength / self.SIGMA
        return np.asarray(cv2.addWeighted(image, 1.0, grain, share, -share * self.MEAN), np.uint8)


def sensor(
    rng: np.random.Generator,
    image: Image,
    index_px: float,
    noise: NoiseBank,
    conditions: Conditions = AS_IT_COMES,
) -> tuple[Image, NDArray[np.uint8] | None]:
    """Focus and motion blur (in proportion to the index height in pixels), lost resolution, noise, sharpening, JPEG.

    Returns the picture, and the bytes of its JPEG file where the camera made one.
    """
    size_wh = (image.shape[1], image.shape[0])
    if _happens(rng, 0.45, conditions.blur):
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 0.055 * index_px + 0.35)), np.uint8)
    sharp = False if conditions.blur is False else None
    if _happens(rng, 0.15, sharp):
        image = _motion(rng, image, rng.uniform(1.5, 0.14 * index_px + 1.6))
    if _happens(rng, 0.2, sharp):
        share = rng.uniform(max(0.4, min(0.9, 9 / index_px)), 1.0)
        small = cv2.resize(image, (round(size_wh[0] * share), round(size_wh[1] * share)), interpolation=cv2.INTER_AREA)
        image = np.asarray(cv2.resize(small, size_wh, interpolation=int(rng.choice([1, 2]))), np.uint8)
    if rng.random() < 0.25:
        soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.7, 1.6))
        strength = rng.uniform(0.3, 1.2)
        image = np.asarray(cv2.addWeighted(image, 1 + strength, soft, -strength, 0), np.uint8)
    if rng.random() < 0.6:
        image = noise.over(rng, image, rng.uniform(1, 12))
    if rng.random() < 0.05:
        image = np.repeat(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)[:, :, None], 3, 2).astype(np.uint8)
    if rng.random() < 0.7:
        bounds = conditions.quality
        quality = int(rng.integers(*bounds) if bounds else rng.choice([rng.integers(25, 60), rng.integers(60, 96)]))
        bgr = cv2.cvtColor(image, cv2.COLOR_RGB2BGR)
        packed = np.asarray(cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], np.uint8)
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR_RGB), np.uint8), packed
    return image, None


def _motion(rng: np.random.Generator, image: Image, length: float) -> Image:
    size = int(length) * 2 + 1
    kernel = np.zeros((size, size), np.float32)
    angle, middle = rng.uniform(0, np.pi), size // 2
    offset = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    cv2.line(
        kernel,
        tuple(np.round(middle - offset).astype(int).tolist()),
        tuple(np.round(middle + offset).astype(int).tolist()),
        1.0,
    )
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)
