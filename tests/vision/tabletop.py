"""Tables as geometry: cards laid on a plane, seen through a tilted camera, with the noise of a real detector."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from scoring.cards import FACES, Card
from vision.detector import Detections
from vision.reader import Readings

CARD_W, CARD_H = 57.0, 87.0
INDEX_W, INDEX_H = 8.5, 20.5
PLACE = np.array([-CARD_W / 2 + 6.0, -CARD_H / 2 + 13.0])


@dataclass
class Laid:
    """A card on the table: face, centre in mm, angle in degrees (0 = upright)."""

    card: Card
    x: float
    y: float
    angle: float = 0.0

    @property
    def turn(self) -> np.ndarray:
        a = np.radians(self.angle)
        return np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])

    @property
    def quad(self) -> np.ndarray:
        half = np.array([CARD_W / 2, CARD_H / 2])
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        return corners @ self.turn.T + [self.x, self.y]

    def covers(self, points: np.ndarray) -> np.ndarray:
        local = (points - [self.x, self.y]) @ self.turn
        return (np.abs(local) <= [CARD_W / 2, CARD_H / 2]).all(axis=1)


@dataclass
class Noise:
    angle_deg: float = 5.0
    scale: float = 0.10
    corner: float = 0.12
    place: float = 0.01
    size: float = 0.05
    missed: float = 0.03
    misread: float = 0.01


@dataclass
class View:
    """Detections and readings of a table, and which laid card each row comes from."""

    detections: Detections
    readings: Readings
    owners: list[int]
    laid: list[Laid]
    quads: np.ndarray = field(default_factory=lambda: np.zeros((0, 4, 2)))


def homography(tilt_deg: float, mm_to_px: float, distance_mm: float = 900.0) -> np.ndarray:
    """Table plane (mm) to pixels for a camera tilted about the x axis."""
    t = np.radians(tilt_deg)
    f = mm_to_px * distance_mm
    return np.array([[f, 0, 0], [0, f * np.cos(t), 0], [0, -np.sin(t), distance_mm]])


def project(h: np.ndarray, points: np.ndarray) -> np.ndarray:
    flat = points.reshape(-1, 2)
    out = np.concatenate([flat, np.ones((len(flat), 1))], axis=1) @ h.T
    return (out[:, :2] / out[:, 2:]).reshape(points.shape)


def slots(four: bool) -> list[tuple[np.ndarray, int]]:
    """Index centre in card mm, and how many corners its own frame is rolled by."""
    out = [(PLACE, 0), (-PLACE, 2)]
    if four:
        mirrored = PLACE * [-1, 1]
        out += [(mirrored, 0), (-mirrored, 2)]
    return out


def look(laid: list[Laid], rng: np.random.Generator, *, four=False, tilt=20.0, scale=1.6, noise=None) -> View:
    """What detector and reader would say; later cards lie on earlier ones."""
    noise = noise or Noise()
    h = homography(tilt, scale)
    boxes, corners, scores, owners, log_probs = [], [], [], [], []
    for n, card in enumerate(laid):
        for place, roll in slots(four):
            half = np.array([INDEX_W / 2, INDEX_H / 2])
            patch = place + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
            rank = patch.copy()
            rank[rank[:, 1] > place[1] if place[1] < 0 else rank[:, 1] < place[1], 1] = place[1]
            points = rank @ card.turn.T + [card.x, card.y]
            if any(top.covers(points).any() for top in laid[n + 1 :]) or rng.random() < noise.missed:
                continue
            seen = project(h, patch @ card.turn.T + [card.x, card.y])
            quad = np.roll(project(h, card.quad), -roll, axis=0)
            width = np.linalg.norm(quad[1] - quad[0])
            angle = np.radians(rng.normal(0, noise.angle_deg))
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            centre = seen.mean(axis=0)
            noisy = (quad - centre) @ turn.T * (1 + rng.normal(0, noise.scale)) + centre
            noisy = noisy + rng.normal(0, noise.corner * width, (4, 2))
            low, high = seen.min(axis=0), seen.max(axis=0)
            grow = (high - low) * (1 + rng.normal(0, noise.size, 2)) / 2
            mid = (low + high) / 2 + rng.normal(0, noise.place * width, 2)
            boxes.append(np.concatenate([mid - grow, mid + grow]))
            corners.append(noisy)
            scores.append(rng.uniform(0.5, 0.95))
            owners.append(n)
            log_probs.append(read(card.card, rng, noise.misread))
    count = len(boxes)
    detections = Detections(
        np.array(boxes, np.float32).reshape(count, 4),
        np.array(scores, np.float32),
        np.zeros(count, np.int64),
        np.array(corners, np.float32).reshape(count, 4, 2),
    )
    readings = Readings(np.array(log_probs, np.float32).reshape(count, 54), np.zeros((count, 64), np.float32))
    return View(detections, readings, owners, laid, np.array([project(h, card.quad) for card in laid]))


def read(card: Card, rng: np.random.Generator, misread: float = 0.0) -> np.ndarray:
    probs = np.full(54, 0.02 / 53)
    truth = FACES.index(card)
    if rng.random() < misread:
        probs[int(rng.integers(52))] = 0.5
        probs[truth] = 0.3
    probs[truth] = max(probs[truth], 0.9 if misread == 0 or probs.max() < 0.4 else 0.3)
    return np.log(probs / probs.sum())


def lay_meld(cards, x, y, *, angle=0.0, step=(0.0, 22.0), rng=None, jitter=1.5, turn=2.0) -> list[Laid]:
    """Cards from (x, y) on, each `step` mm further in the meld's own frame, turned by `angle`."""
    a = np.radians(angle)
    out = []
    for i, card in enumerate(cards):
        dx, dy = step[0] * i, step[1] * i
        px, py = dx * np.cos(a) - dy * np.sin(a), dx * np.sin(a) + dy * np.cos(a)
        off = rng.normal(0, jitter, 2) if rng is not None else (0, 0)
        spin = rng.normal(0, turn) if rng is not None else 0.0
        out.append(Laid(card, x + px + off[0], y + py + off[1], angle + spin))
    return out


def random_table(rng: np.random.Generator, melds=6) -> list[Laid]:
    """Melds of two packs with equal neighbours, in rows and columns, steps between tight and loose."""
    laid: list[Laid] = []
    for m in range(melds):
        x, y = (m % 3 - 1) * 300 + rng.uniform(-20, 20), (m // 3) * 330 - 250 + rng.uniform(-20, 20)
        rank = int(rng.integers(13))
        suit_pairs = [rank + 13 * s for s in range(4)]
        faces = [FACES[suit_pairs[int(s)]] for s in np.repeat(rng.permutation(4)[:3], 2)]
        if rng.random() < 0.5:
            start = int(rng.integers(6))
            faces = [FACES[start + k] for k in range(int(rng.integers(3, 8)))]
        step = [(rng.uniform(14, 30), 0.0), (0.0, rng.uniform(18, 32))][int(rng.integers(2))]
        sign = 1 if rng.random() < 0.5 else -1
        step = (step[0] * (1 if step[1] else sign), step[1])
        angle = float(rng.choice([0, 90, 180, 270])) + rng.normal(0, 6)
        laid += lay_meld(faces, x, y, angle=angle, step=step, rng=rng)
    return laid


def apart(a: Laid, b: Laid, gap: float = 4.0) -> bool:
    """Whether two cards leave at least `gap` mm between them."""
    first = ((a.x, a.y), (CARD_W + gap, CARD_H + gap), a.angle)
    second = ((b.x, b.y), (CARD_W + gap, CARD_H + gap), b.angle)
    return cv2.rotatedRectangleIntersection(first, second)[0] == cv2.INTERSECT_NONE


def spread_table(rng: np.random.Generator, melds=6, loose=4, crosswise=0.5) -> tuple[list[Laid], list[list[int]]]:
    """Melds that do not touch each other, some with a crosswise last card, and single cards; the melds as positions."""
    laid: list[Laid] = []
    truth: list[list[int]] = []
    for number in range(melds + loose):
        for _ in range(60):
            count = int(rng.integers(3, 10)) if number < melds else 1
            faces = [FACES[int(k)] for k in rng.choice(52, count, replace=False)]
            step = [(rng.uniform(14, 30), 0.0), (0.0, rng.uniform(17, 32))][int(rng.integers(2))]
            angle = float(rng.choice([0, 90, 180, 270])) + rng.normal(0, 6)
            x, y = rng.uniform(-450, 450), rng.uniform(-350, 350)
            new = lay_meld(faces, x, y, angle=angle, step=step, rng=rng)
            if count >= 7 and rng.random() < crosswise:
                new[-1].angle += 90
            if all(apart(a, b) for a in laid for b in new):
                if count > 1:
                    truth.append(list(range(len(laid), len(laid) + count)))
                laid += new
                break
    return laid, truth
