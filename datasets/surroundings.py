"""Table tops, and the things that lie on tables or cover cards."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.fonts import Split, glyph_mask, rank_font
from datasets.paint import lay_over

Image = NDArray[np.uint8]
TEXTURE_PX, TOP_PX = 768, 1280


def _noise(rng: np.random.Generator, cells_wh: tuple[int, int], size: int = TEXTURE_PX) -> NDArray[np.float32]:
    small = rng.standard_normal((cells_wh[1], cells_wh[0]), np.float32)
    return np.asarray(cv2.resize(small, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)


def table_top(rng: np.random.Generator) -> Image:
    """One random table top: felt, wood, cloth with checks, stripes or dots, stone, plain: (1280, 1280, 3) uint8."""
    size = TEXTURE_PX
    kind = rng.choice(["felt", "felt", "wood", "wood", "checks", "stripes", "dots", "stone", "plain"])
    base = _base_colour(rng, str(kind))
    field = np.zeros((size, size), np.float32)
    if kind == "felt":
        field += _noise(rng, (size, size)) * rng.uniform(3, 9) + _noise(rng, (6, 6)) * 5
    elif kind == "wood":
        field += _noise(rng, (int(rng.integers(3, 8)), int(rng.integers(40, 140)))) * rng.uniform(8, 22)
        field += _noise(rng, (12, 384)) * rng.uniform(2, 9)
        planks = int(rng.integers(0, 6))
        for y in rng.integers(0, size, planks):
            field[max(0, y - 1) : y + 2] -= 40
    elif kind == "stone":
        for cells in (4, 16, 64, 256):
            field += _noise(rng, (cells, cells)) * rng.uniform(3, 12)
    else:
        field += _noise(rng, (size // 2, size // 2)) * rng.uniform(0, 6)
    angle = float(rng.uniform(0, 360))
    grain = _turned(np.asarray(cv2.add(field, MIDDLE, dtype=cv2.CV_8U), np.uint8), angle)
    shades = (np.arange(256)[:, None] - MIDDLE) * rng.uniform(0.7, 1.2, 3) + base
    shaded = cv2.LUT(cv2.cvtColor(grain, cv2.COLOR_GRAY2RGB), shades.clip(0, 255).astype(np.uint8)[None])
    image = np.asarray(shaded, np.uint8)
    if kind in ("checks", "stripes", "dots"):
        paint = np.empty_like(image)
        paint[:] = rng.integers(0, 256, 3)
        lay_over(image, paint, _turned(_pattern(rng, str(kind)), angle))
    return image


MIDDLE = 128  # the byte of a texture's mean shade; colours come last, since one channel is turned fastest


def _turned(texture: Image, angle_deg: float) -> Image:
    """The texture (768, 768) at an angle, going on mirrored (as wood can), so that `lay_texture` need only cut it."""
    rim = math.ceil((TOP_PX * math.sqrt(2) - TEXTURE_PX) / 2) + 2
    wide = cv2.copyMakeBorder(texture, rim, rim, rim, rim, cv2.BORDER_REFLECT)  # or each pixel asks where it lies
    matrix = cv2.getRotationMatrix2D((wide.shape[1] / 2, wide.shape[0] / 2), angle_deg, 1.0)
    matrix[:, 2] += (TOP_PX - wide.shape[0]) / 2
    return np.asarray(cv2.warpAffine(wide, matrix, (TOP_PX, TOP_PX)), np.uint8)


def _base_colour(rng: np.random.Generator, kind: str) -> NDArray[np.float32]:
    if kind == "wood":
        shade = rng.uniform(70, 220)
        return np.array([shade, shade * rng.uniform(0.65, 0.85), shade * rng.uniform(0.35, 0.7)], np.float32)
    if kind == "felt" and rng.random() < 0.7:
        return np.array([rng.uniform(10, 60), rng.uniform(70, 140), rng.uniform(30, 90)], np.float32)
    if rng.random() < 0.4:
        return np.full(3, rng.uniform(20, 250), np.float32) + rng.normal(0, 8, 3).astype(np.float32)
    return rng.uniform(20, 240, 3).astype(np.float32)


def _pattern(rng: np.random.Generator, kind: str) -> Image:
    """Where stripes, checks or dots are printed on a cloth, and how strongly: (768, 768) uint8."""
    step = int(rng.integers(12, 90))
    line = np.arange(TEXTURE_PX)
    xs, ys = line[None, :], line[:, None]
    mask: NDArray[Any]
    if kind == "stripes":
        mask = (xs % step < step * rng.uniform(0.2, 0.6)) + np.zeros_like(ys, np.float32)
    elif kind == "checks":
        mask = (xs % step < step / 2) * np.float32(0.5) + (ys % step < step / 2) * np.float32(0.5)
    else:
        shift = (ys // step % 2) * step // 2
        off = ((xs + shift) % step - step / 2) ** 2 + (ys % step - step / 2) ** 2
        mask = (off < (step * 0.28) ** 2) * np.float32(1)
    return np.asarray(mask * np.float32(255 * rng.uniform(0.2, 0.9)), np.uint8)


def lay_texture(rng: np.random.Generator, texture: Image, size_wh: tuple[int, int]) -> Image:
    """Cut, mirror, scale and tint a texture to fill a picture; where it ends too soon it goes on mirrored."""
    wide, tall = size_wh
    scale = rng.uniform(0.6, 2.0) * max(size_wh) / TEXTURE_PX * rng.choice([1.0, 0.6])
    w, h = (min(TOP_PX, math.ceil(side / scale)) for side in size_wh)
    x, y = (int(rng.integers(TOP_PX - side + 1)) for side in (w, h))
    tint = np.arange(256)[None, :, None] * rng.uniform(0.8, 1.2, 3)
    part = texture[y : y + h, x : x + w]
    part = cv2.resize(part, (math.ceil(w * scale), math.ceil(h * scale)), interpolation=cv2.INTER_LINEAR)
    part = cv2.LUT(cv2.flip(part, int(rng.integers(-1, 2))), tint.clip(0, 255).astype(np.uint8))
    lack_x, lack_y = max(0, wide - part.shape[1]), max(0, tall - part.shape[0])
    left, top = int(rng.integers(lack_x + 1)), int(rng.integers(lack_y + 1))
    if lack_x or lack_y:
        part = cv2.copyMakeBorder(part, top, lack_y - top, left, lack_x - left, cv2.BORDER_REFLECT)
    return np.ascontiguousarray(part[:tall, :wide], np.uint8)


# --- things ---


THINGS = ("coin", "glass", "pen", "phone", "paper", "hand", "hand")


def draw_thing(
    rng: np.random.Generator,
    image: Image,
    cover: NDArray[np.int16],
    code: int,
    px_per_mm: float,
    split: Split,
    within_xyxy: tuple[float, float, float, float] | None = None,
) -> None:
    """Draw a coin, glass, pen, phone, paper or hand at a random place and mark what it covers in `cover`."""
    height, width = image.shape[:2]
    x0, y0, x1, y1 = within_xyxy or (0, 0, width, height)
    centre = (int(rng.uniform(x0, x1)), int(rng.uniform(y0, y1)))
    kind = THINGS[rng.integers(len(THINGS))]
    colour = tuple(int(v) for v in rng.integers(0, 256, 3))
    mask = np.zeros((height, width), np.uint8)
    if kind in ("coin", "glass"):
        radius = int(px_per_mm * (rng.uniform(9, 14) if kind == "coin" else rng.uniform(25, 42)))
        cv2.circle(mask, centre, max(3, radius), 255, -1, cv2.LINE_AA)
    elif kind == "hand":
        _hand(rng, mask, centre, px_per_mm)
        colour = tuple(
            int(v) for v in np.array([rng.uniform(120, 240)] * 3) * [1, rng.uniform(0.65, 0.85), rng.uniform(0.5, 0.75)]
        )
    else:
        size = {"pen": (140, 9), "phone": (150, 72), "paper": (rng.uniform(60, 200), rng.uniform(50, 150))}[kind]
        corners = cv2.boxPoints((centre, (size[0] * px_per_mm, size[1] * px_per_mm), float(rng.uniform(0, 360))))
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 255, cv2.LINE_AA)
        if kind == "paper":
            colour = (int(rng.integers(200, 256)),) * 3
    x, y, w, h = cv2.boundingRect(mask)
    if not w:
        return
    box = np.s_[y : y + h, x : x + w]
    ramp = np.linspace(rng.uniform(0.7, 1), rng.uniform(1, 1.25), w)[:, None]
    shaded = (np.asarray(colour) * ramp).clip(0, 255).astype(np.uint8)[None]
    lay_over(image[box], np.asarray(cv2.repeat(shaded, h, 1), np.uint8), mask[box])
    if kind == "paper":
        _writing(rng, image, mask, px_per_mm, split)
    if kind == "glass":
        cv2.circle(
            image, centre, max(2, int(radius * 0.85)), tuple(int(v) for v in rng.integers(0, 256, 3)), 2, cv2.LINE_AA
        )
    cover[box][mask[box] > 96] = code


def _hand(rng: np.random.Generator, mask: Image, centre: tuple[int, int], px_per_mm: float) -> None:
    """Four fingers and a palm, coming in from a random side."""
    angle = rng.uniform(0, 2 * np.pi)
    along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    thick = max(2, int(rng.uniform(14, 19) * px_per_mm))
    for k in range(int(rng.integers(1, 5))):
        tip = np.array(centre) + across * k * thick * 1.1 - along * abs(k - 1) * thick * 0.4
        root = tip - along * px_per_mm * rng.uniform(60, 80) + across * rng.normal(0, 3)
        cv2.line(mask, tuple(tip.astype(int).tolist()), tuple(root.astype(int).tolist()), 255, thick, cv2.LINE_AA)
    palm = np.array(centre) - along * px_per_mm * 95 + across * thick * 1.6
    cv2.circle(mask, tuple(palm.astype(int).tolist()), int(42 * px_per_mm), 255, -1, cv2.LINE_AA)


SIGNS = "0123456789AKQJabcde+=-"


def _writing(rng: np.random.Generator, image: Image, mask: Image, px_per_mm: float, split: Split) -> None:
    """Letters and figures on paper: they look like ranks and are none."""
    places = np.flatnonzero(mask)
    if len(places) < 50:
        return
    height = max(5, int(px_per_mm * rng.uniform(4, 14)))
    font = rank_font(rng, split, height)
    for _ in range(int(rng.integers(1, 7))):
        y, x = divmod(int(places[rng.integers(len(places))]), mask.shape[1])
        glyph = glyph_mask("".join(SIGNS[i] for i in rng.integers(0, len(SIGNS), int(rng.integers(1, 5)))), font)
        if rng.random() < 0.5:
            glyph = np.ascontiguousarray(np.rot90(glyph, int(rng.integers(4))))
        h, w = min(glyph.shape[0], image.shape[0] - y), min(glyph.shape[1], image.shape[1] - x)
        place = np.s_[y : y + h, x : x + w]
        alpha = np.where(mask[place] > 0, glyph[:h, :w], np.uint8(0))
        ink = np.empty((h, w, 3), np.uint8)
        ink[:] = rng.integers(0, 120, 3)
        lay_over(image[place], ink, np.asarray(alpha, np.uint8))
