"""Writes scenes as a YOLO pose data set, and as the label file that `burraco eval` reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.scene import Scene
from scoring.cards import FACES

INDEX, BACK_CLASS = 0, 1
MIN_SIDE_PX = 3.0
SHORTEST_MELD = 3  # fewer readable cards of a meld do not tell that they are one

LINE = "%d %.5f %.5f %.5f %.5f" + " %.5f %.5f %d" * 4


def label_lines(scene: Scene) -> list[str]:
    """The rows of `label_rows` as a YOLO label file has them."""
    return [LINE % tuple(row) for row in label_rows(scene).tolist()]


def label_rows(scene: Scene) -> NDArray[np.float64]:
    """One row (N, 17) an object: class, box centre and size, then the four card corners with visibility, all 0..1.

    Ultralytics drops a whole picture for one coordinate outside it, so those corners are marked unseen at 0, 0.
    """
    size = np.array([scene.image.shape[1], scene.image.shape[0]], float)
    backs = scene.quads[list(scene.backs)]
    quads = np.concatenate([np.array([i.quad for i in scene.indices]).reshape(-1, 4, 2), backs])
    boxes = np.array([i.box_xyxy for i in scene.indices]).reshape(-1, 4)
    low = np.concatenate([boxes[:, :2], backs.min(1)]).clip(0, size)
    high = np.concatenate([boxes[:, 2:], backs.max(1)]).clip(0, size)
    corners = quads / size
    seen = ((corners >= 0) & (corners <= 1)).all(2, keepdims=True)
    kinds = np.repeat([INDEX, BACK_CLASS], [len(boxes), len(backs)])[:, None]
    points = np.concatenate([corners * seen, 2 * seen], 2).reshape(-1, 12)
    rows = np.concatenate([kinds, (low + high) / 2 / size, (high - low) / size, points], 1)
    return np.asarray(rows[(high - low >= MIN_SIDE_PX).all(1)])


def table_entry(scene: Scene, kind: str = "rendered") -> dict[str, Any]:
    """What `burraco eval` needs of a scene: readable cards with box and quad, melds as strings, backs.

    A card of which no index shows its suit is known by its rank alone (`7?`). Hands, piles and cards that lie about are
    no melds. `whole` are the melds with the cards that others hide, `sides` who laid each; `piles` are melds squared
    up, of which the last card shows.
    """
    seen: dict[int, Any] = {}
    suited = {index.lay for index in scene.indices if index.suit_shows}
    for index in scene.indices:
        face = FACES[index.face]
        card = str(face)
        if index.lay not in suited and face.rank is not None:
            card = face.rank.value.replace("10", "T") + "?"
        entry = seen.setdefault(
            index.lay,
            {
                "card": card,
                "what": "index",
                "box": _rounded(index.box_xyxy),
                "quad": _rounded(scene.quads[index.lay]),
                "boxes": [],
            },
        )
        entry["boxes"].append(_rounded(index.box_xyxy))
    melds: dict[int, list[int]] = {}
    for number, lay in enumerate(scene.lays):
        if lay.meld:
            melds.setdefault(lay.group, []).append(number)
    shown = [group for group in melds.values() if sum(n in seen for n in group) >= SHORTEST_MELD]
    piles = [group for group in melds.values() if group not in shown and len(group) >= SHORTEST_MELD]

    for position, group in enumerate(shown):
        for n in group:
            if n in seen:
                seen[n]["meld"] = position

    def text(group: Iterable[int]) -> str:
        return " ".join(str(FACES[scene.lays[n].card]) for n in group)

    return {
        "kind": kind,
        "complete": True,
        "cards": list(seen.values()),
        "melds": [text(n for n in group if n in seen) for group in shown],
        "whole": [text(group) for group in shown],
        "sides": [scene.lays[group[0]].side for group in shown],
        "piles": [
            {"cards": text(g), "quad": _rounded(scene.quads[g[-1]]), "side": scene.lays[g[0]].side} for g in piles
        ],
        "backs": [_rounded(scene.quads[n]) for n in scene.backs],
        "hidden": [str(FACES[c.card]) for n, c in enumerate(scene.lays) if n not in seen and not c.is_back],
        "width": scene.image.shape[1],
        "height": scene.image.shape[0],
        "source": "rendered",
    }


def _rounded(values: Iterable[Any] | NDArray[np.float64]) -> Any:
    return np.round(np.asarray(values, float), 1).tolist()


def data_yaml(root: Path) -> str:
    """The data file that Ultralytics wants: two classes, four corners, one sigma a corner."""
    return (
        f"path: {root}\ntrain: images\nval: images\nnc: 2\nnames: [index, back]\n"
        "kpt_shape: [4, 3]\nflip_idx: [1, 0, 3, 2]\nkpt_oks_sigmas: [1.5, 1.5, 1.5, 1.5]\n"
    )


def shrunk(scene: Scene, widest_px: int) -> Scene:
    """The scene no wider than so many pixels, its labels with it."""
    factor = widest_px / scene.image.shape[1]
    if factor >= 1:
        return scene
    image = np.asarray(cv2.resize(scene.image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    indices = tuple(
        replace(i, box_xyxy=tuple(v * factor for v in i.box_xyxy), quad=i.quad * factor) for i in scene.indices
    )
    return replace(scene, image=image, quads=scene.quads * factor, indices=indices, jpeg=None)


def contact_sheet(scenes: Sequence[Scene], columns: int = 4) -> NDArray[np.uint8]:
    """Scenes side by side with their labels drawn: index boxes, card outlines (top-left corner dotted), backs."""
    tiles = []
    for scene in scenes:
        image = scene.image.copy()
        for index in scene.indices:
            x0, y0, x1, y1 = (round(v) for v in index.box_xyxy)
            cv2.rectangle(image, (x0, y0), (x1, y1), (0, 220, 0) if index.suit_shows else (255, 0, 255), 1)
            cv2.polylines(image, [np.round(index.quad).astype(np.int32)], True, (255, 60, 0), 1)
            cv2.circle(image, (round(index.quad[0, 0]), round(index.quad[0, 1])), 3, (0, 0, 255), -1)
            cv2.putText(image, _ascii(FACES[index.face]), (x0, y0), cv2.FONT_HERSHEY_PLAIN, 0.8, (0, 0, 200), 1)
        for number in scene.backs:
            cv2.polylines(image, [np.round(scene.quads[number]).astype(np.int32)], True, (255, 255, 0), 2)
        tiles.append(image)
    while len(tiles) % columns:
        tiles.append(np.zeros_like(tiles[0]))
    rows = [np.hstack(tiles[i : i + columns]) for i in range(0, len(tiles), columns)]
    return np.asarray(np.vstack(rows), np.uint8)


def _ascii(card: Any) -> str:
    return str(card).translate(str.maketrans("♥♦♣♠", "HDCS"))
