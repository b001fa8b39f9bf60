"""What games are made of: the melds that will be laid, the camera above the table, and the hands that reach in."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Matrix, project
from datasets.tables import JOLLY, RANKS, SUIT_COUNT, face_id
from datasets.two_packs import COPIES, JOLLIES

Image = NDArray[np.uint8]
SIZE_WH = (1920, 1080)
COVERED_S = 0.7  # before and after a change, while the hand that makes it covers its place


@dataclass(frozen=True, slots=True)
class Reach:
    """A hand that comes from the border to a place (mm) and goes again; it is there at `at_s`."""

    at_s: float
    from_xy: tuple[float, float]
    to_xy: tuple[float, float]
    travel_s: float = 1.0

    def share(self, now_s: float) -> float:
        """How far the hand is in: 0 outside, 1 at its place."""
        away = max(0.0, abs(now_s - self.at_s) - COVERED_S)
        return max(0.0, 1 - away / self.travel_s)


def meld_plan(rng: np.random.Generator, cards: int) -> list[list[int]]:
    """Legal melds of two packs with at least so many cards together, one of them a burraco that will be squared."""
    counts: Counter[int] = Counter()
    melds: list[list[int]] = []
    while sum(map(len, melds)) < cards or len(melds) < 3:
        length = int(rng.integers(7, 9)) if not melds else int(rng.integers(3, 8))
        if not melds or rng.random() < 0.6:
            suit, start = int(rng.integers(SUIT_COUNT)), int(rng.integers(2, RANKS + 1 - length))
            faces = [face_id(suit, start + i) for i in range(length)]
        else:
            rank = int(rng.integers(2, RANKS + 1)) % RANKS
            pack = [face_id(s, rank) for s in range(SUIT_COUNT) for _ in range(COPIES)]
            faces = sorted(int(f) for f in rng.permutation(pack)[: min(length, 5)])
        if melds and len(faces) > 3 and rng.random() < 0.3:
            faces[int(rng.integers(1, len(faces) - 1))] = JOLLY
        after = counts + Counter(faces)
        if all(n <= (JOLLIES if f == JOLLY else COPIES) for f, n in after.items()):
            counts = after
            melds.append(faces)
    return melds


def view(px_per_mm: float, tilt_deg: float) -> Matrix:
    """A camera above the table that looks down almost straight: mm to px."""
    focal = 1.3 * SIZE_WH[0]
    tilt = np.radians(tilt_deg)
    axes = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    camera = np.array([[focal, 0, SIZE_WH[0] / 2], [0, focal, SIZE_WH[1] / 2], [0, 0, 1]])
    matrix: Matrix = camera @ np.column_stack([axes[:, 0], axes[:, 1], [0.0, 0.0, focal / px_per_mm]])
    matrix /= matrix[2, 2]
    return matrix


def draw_hand(image: Image, reach: Reach, share: float, matrix: Matrix, skin: tuple[int, int, int]) -> None:
    """A forearm, a palm and four fingers, as far in as `share` says."""
    start, end = np.array(reach.from_xy), np.array(reach.to_xy)
    tip = start + (end - start) * share
    along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
    across = np.array([-along[1], along[0]])
    palm = tip - along * 70
    px_per_mm = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2]))))
    dark = (int(skin[0] * 0.88), int(skin[1] * 0.88), int(skin[2] * 0.88))

    def line(a: NDArray[np.float64], b: NDArray[np.float64], mm: float, colour: tuple[int, int, int]) -> None:
        p, q = np.round(project(matrix, np.stack([a, b]))).astype(int).tolist()
        cv2.line(image, (p[0], p[1]), (q[0], q[1]), colour, max(2, round(mm * px_per_mm)), cv2.LINE_AA)

    line(palm - along * 600, palm, 66, dark)
    line(palm - along * 10, palm + along * 10, 86, skin)
    for k in range(4):
        root = palm + across * (k - 1.5) * 20
        line(root, root + along * (78 - 8 * abs(k - 1)), 17, skin)
