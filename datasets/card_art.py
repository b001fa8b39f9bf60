"""Pictures of free card decks that are installed as packages, rendered and cut to the card; none of them is copied."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.style import FACE_HEIGHT_PX
from scoring.cards import FACES, Rank, Suit

Image = NDArray[np.uint8]
Form = Literal["grid", "ids", "files"]

FINE = 2  # faces are drawn this much larger than they are kept, so that index boxes are good to half a pixel
RENDERER = "rsvg-convert"
COLUMNS, ROWS = 13, 5
GRID_SUITS = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)
GRID_EXTRAS = {"jolly": 1, "jolly2": 0, "back": 2, "back2": 3}  # columns of the fifth row
EXTRAS = tuple(GRID_EXTRAS)
COURTS = {"J": "jack", "Q": "queen", "K": "king", "A": "1"}


@dataclass(frozen=True, slots=True)
class Source:
    """Where a deck's pictures are: `path` below a package root, and how they are told apart there.

    `grid`: one picture, suits ♣♦♥♠ down and A..K across, then jollies and backs. `ids`: one SVG with an element a card.
    `files`: a folder. `pattern` names a card's element or file from {rank} {suit} {letter}; `extras` the others.
    """

    name: str
    path: str
    form: Form = "grid"
    pattern: str = "{rank}_{suit}"
    ten: str = "10"
    extras: tuple[tuple[str, str], ...] = ()

    def card_name(self, rank: Rank, suit: Suit) -> str:
        """The name of a card in this source."""
        value = self.ten if rank is Rank.TEN else rank.value
        word = COURTS.get(value, value)
        return self.pattern.format(rank=word, value=value, suit=suit.name.lower()[:-1], letter=suit.letter)


def render_svg(path: Path, *options: str) -> Image | None:
    """Draw an SVG with librsvg: (H, W, 4) uint8 RGBA, or None where the renderer or the element is missing."""
    if shutil.which(RENDERER) is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "card.png"
        done = subprocess.run([RENDERER, *options, "-o", str(out), str(path)], capture_output=True, check=False)
        return _read(out) if done.returncode == 0 else None


def _read(path: Path) -> Image | None:
    image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if image is None:
        return None
    if image.dtype != np.uint8:
        image = (image >> 8).astype(np.uint8)
    if image.ndim == 2 or image.shape[2] < 4:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGRA if image.ndim == 2 else cv2.COLOR_BGR2BGRA)
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGRA2RGBA), np.uint8)


def card_pictures(source: Source, path: Path) -> dict[str, Image]:
    """All faces by their text ("A♥") and the extras by name, as (H, W, 3) uint8 RGB of one size, paper to the edge.

    A card that is missing or empty has no entry.
    """
    drawn = {"grid": _from_grid, "ids": _from_ids, "files": _from_files}[source.form](source, path)
    cut = {name: c for name, image in drawn.items() if (c := _cut(image)) is not None}
    if "A♣" not in cut:
        return {}
    width = round(FINE * FACE_HEIGHT_PX * cut["A♣"].shape[1] / cut["A♣"].shape[0])
    size = (width, FINE * FACE_HEIGHT_PX)
    fine = {name: np.asarray(cv2.resize(c, size, interpolation=cv2.INTER_AREA), np.uint8) for name, c in cut.items()}
    aces = [fine[name] for name in ("A♣", "A♦", "A♥", "A♠") if name in fine]
    edge = max(_outline_px(side) for ace in aces for side in (ace, ace[:, ::-1]))
    return {name: _without_outline(image, edge, name.startswith("back")) for name, image in fine.items()}


def _from_grid(source: Source, path: Path) -> dict[str, Image]:
    sheet = render_svg(path, "-h", str(ROWS * (FINE * FACE_HEIGHT_PX + 20)), "--keep-aspect-ratio")
    if sheet is None:
        return {}
    height, width = sheet.shape[0] / ROWS, sheet.shape[1] / COLUMNS

    def cell(row: int, column: int) -> Image:
        y, x = round(row * height), round(column * width)
        return sheet[y : round((row + 1) * height), x : round((column + 1) * width)]

    cards = {str(c): cell(GRID_SUITS.index(c.suit), c.rank.number - 1) for c in FACES if c.rank and c.suit}
    return cards | {name: cell(ROWS - 1, column) for name, column in GRID_EXTRAS.items()}


def _from_ids(source: Source, path: Path) -> dict[str, Image]:
    def element(name: str, zoom: float) -> Image | None:
        return render_svg(path, f"--export-id={name}", f"--zoom={zoom:.4f}")

    first = element(source.card_name(Rank.ACE, Suit.CLUBS), 1.0)
    cut = None if first is None else _cut(first)
    if cut is None:
        return {}
    zoom = (FINE * FACE_HEIGHT_PX + 20) / cut.shape[0]
    return {name: image for name, key in _names(source) if (image := element(key, zoom)) is not None}


def _from_files(source: Source, path: Path) -> dict[str, Image]:
    size = ("-h", str(FINE * FACE_HEIGHT_PX + 20), "--keep-aspect-ratio")
    out = {}
    for name, key in _names(source):
        file = path / key
        image = render_svg(file, *size) if file.suffix == ".svg" else _read(file)
        if image is not None:
            out[name] = image
    return out


def _names(source: Source) -> list[tuple[str, str]]:
    cards = [(str(c), source.card_name(c.rank, c.suit)) for c in FACES if c.rank and c.suit]
    return cards + list(source.extras)


def _cut(image: Image) -> Image | None:
    """Cut to the opaque part and lay it on white; None where nothing is drawn."""
    solid = image[:, :, 3] > 127
    rows, columns = np.flatnonzero(solid.mean(1) > 0.3 * solid.mean(1).max()), np.flatnonzero(solid.any(0))
    if len(rows) < 20 or len(columns) < 20:
        return None
    columns = np.flatnonzero(solid.mean(0) > 0.3 * solid.mean(0).max())
    part = image[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(np.uint16)
    alpha = part[:, :, 3:]
    return ((part[:, :, :3] * alpha + 255 * (255 - alpha)) // 255).astype(np.uint8)


def _without_outline(image: Image, edge: int, is_back: bool) -> Image:
    """Draw the paper out to the card's edge and into its corners, at the same size; a back is stretched instead."""
    height, width = image.shape[:2]
    inner = image[edge : height - edge, edge : width - edge].copy()
    if is_back:
        return np.asarray(cv2.resize(inner, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    paper = np.median(inner[::8, 2], axis=0)
    square = round(0.12 * width)
    for corner in (inner, inner[::-1], inner[:, ::-1], inner[::-1, ::-1]):
        _wipe_arc(corner[:square, :square], paper)
    return np.asarray(
        cv2.copyMakeBorder(inner, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=paper.tolist()), np.uint8
    )


def _wipe_arc(corner: Image, paper: NDArray[np.float64]) -> None:
    """Paint over what is left of the outline in the top left corner: ink at the edge that does not reach far in."""
    unlike = (np.abs(corner.astype(np.int16) - paper).max(2) > 12).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(unlike, connectivity=8)
    for i in range(1, count):
        x, y, w, h = (int(v) for v in stats[i, :4])
        if min(x, y) == 0 and max(x + w, y + h) < len(corner):
            corner[cv2.dilate((labels == i).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0] = paper


def _outline_px(ace: Image) -> int:
    """Width of the line drawn round a card, which a printed card does not have: at half height the rest is paper."""
    line = ace[ace.shape[0] // 2 - 10 : ace.shape[0] // 2 + 10, : ace.shape[1] // 8].astype(np.int16).mean(0)
    paper = np.median(line, axis=0)
    unlike = np.flatnonzero(np.abs(line - paper).max(1) > 12)
    return int(unlike.max()) + 2 if len(unlike) else 1
