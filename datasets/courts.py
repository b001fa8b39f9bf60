"""Pictures without meaning for the reader: court figures and the backs of cards."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

PALETTE: tuple[Colour, ...] = (
    (210, 30, 40), (230, 190, 40), (30, 70, 160), (20, 20, 25), (240, 225, 200), (40, 120, 70), (150, 90, 40),
    (120, 150, 200),
)  # fmt: skip


def _blob(rng: np.random.Generator, width: float, height: float) -> NDArray[np.int32]:
    angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 9))))
    centre = np.array([rng.uniform(0, width), rng.uniform(0, height)])
    radii = rng.uniform(0.08, 0.35, len(angles)) * width
    return (centre + np.stack([np.cos(angles), np.sin(angles)], 1) * radii[:, None]).astype(np.int32)


def _ornament(half: Image, rng: np.random.Generator, colours: list[Colour]) -> None:
    """One random stroke, patch, stripe field or ring on the upper half of a figure."""
    height, width = half.shape[:2]
    colour = colours[rng.integers(len(colours))]
    kind = rng.integers(5)
    if kind == 0:
        cv2.fillPoly(half, [_blob(rng, width, height)], colour, cv2.LINE_AA)
    elif kind == 1:
        cv2.polylines(
            half, [_blob(rng, width, height)], bool(rng.integers(2)), colour, int(rng.integers(1, 4)), cv2.LINE_AA
        )
    elif kind == 2:
        x, step, slope = rng.uniform(0, width), rng.uniform(3, 8), rng.uniform(-0.6, 0.6)
        for k in range(int(rng.integers(4, 12))):
            top = (int(x + k * step), int(rng.uniform(0, height * 0.3)))
            cv2.line(half, top, (int(top[0] + slope * height * 0.6), int(height * 0.9)), colour, 1, cv2.LINE_AA)
    elif kind == 3:
        centre = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        cv2.circle(half, centre, int(rng.uniform(2, width * 0.12)), colour, int(rng.choice([-1, 1, 2])), cv2.LINE_AA)
    else:
        y = int(rng.uniform(0, height))
        for x in range(0, width, int(rng.integers(5, 12))):
            cv2.circle(half, (x, y), 2, colour, -1, cv2.LINE_AA)


def _head(half: Image, rng: np.random.Generator, colours: list[Colour]) -> None:
    height, width = half.shape[:2]
    cx, cy, r = width * rng.uniform(0.35, 0.65), height * rng.uniform(0.28, 0.42), width * rng.uniform(0.12, 0.2)
    hair = colours[rng.integers(len(colours))]
    cv2.ellipse(half, (int(cx), int(cy)), (int(r * 1.4), int(r * 1.5)), 0, 0, 360, hair, -1, cv2.LINE_AA)
    cv2.ellipse(half, (int(cx), int(cy)), (int(r), int(r * 1.25)), 0, 0, 360, (245, 225, 205), -1, cv2.LINE_AA)
    for side in (-0.4, 0.4):
        cv2.circle(half, (int(cx + side * r), int(cy - 0.2 * r)), max(1, int(r * 0.12)), (20, 20, 20), -1, cv2.LINE_AA)
    crown = np.array(
        [[-1.2, -1.0], [-1.3, -2.2], [-0.6, -1.5], [0, -2.4], [0.6, -1.5], [1.3, -2.2], [1.2, -1.0]]
    ) * r + [cx, cy]
    cv2.fillPoly(half, [crown.astype(np.int32)], colours[rng.integers(len(colours))], cv2.LINE_AA)


def _robe(half: Image, rng: np.random.Generator, colours: list[Colour]) -> None:
    """Slanted bands of strong colour from the shoulders down, some hatched, as court figures wear."""
    height, width = half.shape[:2]
    count, neck = int(rng.integers(3, 7)), rng.uniform(0.3, 0.5)
    top = np.linspace(0.5 - neck * 0.5, 0.5 + neck * 0.5, count + 1) * width
    base = np.linspace(rng.uniform(-0.1, 0.15), rng.uniform(0.85, 1.1), count + 1) * width
    shoulder = height * rng.uniform(0.4, 0.6)
    for k in range(count):
        band = np.array([[top[k], shoulder], [top[k + 1], shoulder], [base[k + 1], height], [base[k], height]])
        cv2.fillPoly(half, [band.astype(np.int32)], colours[rng.integers(len(colours))], cv2.LINE_AA)
        if rng.random() < 0.5:
            ink = colours[rng.integers(len(colours))]
            for s in np.linspace(0.1, 0.9, int(rng.integers(2, 6))):
                low, high = band[0] + s * (band[3] - band[0]), band[1] + s * (band[2] - band[1])
                cv2.line(half, tuple(low.astype(int).tolist()), tuple(high.astype(int).tolist()), ink, 1, cv2.LINE_AA)


def draw_court(
    face: Image,
    rng: np.random.Generator,
    box_xyxy: tuple[float, float, float, float],
    red: Colour,
    black: Colour,
    framed: bool = True,
    plain: bool = False,
) -> None:
    """Fill a box of the face with a figure that reads the same upside down, as court cards do; `plain`: one ink."""
    x0, y0, x1, y1 = (round(v) for v in box_xyxy)
    colours = [red, black, *(PALETTE[i] for i in rng.choice(len(PALETTE), 4, replace=False))]
    if plain:
        colours = [black, black, (235, 235, 230)]
    half = face[y0 : (y0 + y1) // 2, x0:x1].copy()
    if rng.random() < 0.2:
        half[:] = PALETTE[4]
    for _ in range(int(rng.integers(4, 16))):
        _ornament(half, rng, colours)
    if rng.random() < 0.75:
        _robe(half, rng, colours)
    _head(half, rng, colours)
    for _ in range(int(rng.integers(1, 8))):
        _ornament(half, rng, colours)
    face[y0 : (y0 + y1) // 2, x0:x1] = half
    face[y1 - half.shape[0] : y1, x0:x1] = half[::-1, ::-1]
    if framed:
        ink = (black, red, (40, 60, 140), (40, 60, 140))[rng.integers(4)]
        cv2.rectangle(face, (x0, y0), (x1 - 1, y1 - 1), ink, int(rng.integers(1, 3)), cv2.LINE_AA)


def draw_back(rng: np.random.Generator, size_wh: tuple[int, int], paper: Colour) -> Image:
    """A card back: a repeated pattern in one or two colours inside a plain border, (H, W, 3) uint8."""
    width, height = size_wh
    ink = ((170, 20, 35), (25, 50, 130), (20, 90, 60), (30, 30, 35), (120, 40, 110), (200, 120, 20))[rng.integers(6)]
    back = np.empty((height, width, 3), np.uint8)
    back[:] = ink
    step = int(rng.integers(6, 22))
    kind = rng.integers(4)
    for y in range(-step, height + step, step):
        for x in range(-step, width + step, step):
            if kind == 0:
                cv2.line(back, (x, y), (x + step, y + step), paper, 1, cv2.LINE_AA)
                cv2.line(back, (x + step, y), (x, y + step), paper, 1, cv2.LINE_AA)
            elif kind == 1:
                cv2.circle(
                    back, (x, y), max(1, step // 3), paper, int(rng.choice([1, -1])) if x == 0 else 1, cv2.LINE_AA
                )
            elif kind == 2 and (x // step + y // step) % 2:
                cv2.rectangle(back, (x, y), (x + step - 1, y + step - 1), paper, -1)
    if rng.random() < 0.5:
        cv2.ellipse(back, (width // 2, height // 2), (width // 4, height // 4), 0, 0, 360, paper, -1, cv2.LINE_AA)
        cv2.ellipse(back, (width // 2, height // 2), (width // 5, height // 5), 0, 0, 360, ink, -1, cv2.LINE_AA)
    border = int(rng.integers(0, 14))
    if border:
        for s in (np.s_[:border], np.s_[-border:], np.s_[:, :border], np.s_[:, -border:]):
            back[s] = paper
    return back
