"""Free card decks, where their packages are installed, as decks to render with: `python -m datasets.free_decks`.

The pictures belong to their artists and stay out of this project; a pack written here is for the machine that trains.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.card_art import FINE, Source, card_pictures
from datasets.courts import draw_court
from datasets.decks import Deck, halved, rounded_alpha, turn_spot
from datasets.find_index import Box, corner_spots, find_indices, mark_spots
from datasets.fonts import Split, glyph_mask, rank_font
from datasets.spots import Spot
from datasets.style import Image, stamp
from scoring.cards import FACES

JOLLY = len(FACES) - 1
CARD_HEIGHT_MM = 88.0
SHEET_COLUMNS = 11

_KDE_BACK = (("back", "back"),)
_LETTERS = "{value}{letter}"
ROOTS = (Path("/usr/share/aisleriot/cards"), Path("/usr/share/carddecks"), Path("node_modules"))


def _heruka(name: str) -> Source:
    folder = f"@heruka_urgyen/react-playing-cards/src/images/{name}"
    extras = (("jolly", "2J.svg"), ("back", "../back.svg"))
    return Source(f"heruka_{name}", folder, "files", _LETTERS + ".svg", "T", extras)


TRAINED: tuple[Source, ...] = (
    *(
        Source(name, f"{name}.svgz")
        for name in (
            "anglo", "anglo_modern", "anglo_poker", "atlasnye", "dondorf", "gnomangelo", "orell",
            "ornamental", "plastic", "simplistic",  # not tango: its 10 is drawn twice and runs off the card
        )
    ),
    Source("nicu_white", "svg-nicu-white/white.svgz", "ids", extras=_KDE_BACK),
    Source("standard", "svg-standard/standard.svgz", "ids", extras=_KDE_BACK),
    _heruka("2color"),
    _heruka("2color-bf"),
)  # fmt: skip

# Never trained on: other artists, an Italian pattern in two drawings, and each of the three kinds of package.
UNSEEN: tuple[Source, ...] = (
    Source("tigullio", "tigullio.svgz"),
    Source("paris", "paris.svgz"),  # bellot and svg_cards have nearly its courts
    Source("bellot", "bellot.svgz"),
    Source(
        "svg_cards", "svg-cards/png/2x", "files", "{suit}_{rank}.png",
        extras=(
            ("jolly", "joker_red.png"), ("jolly2", "joker_black.png"), ("back", "back-red.png"),
            ("back2", "back-blue.png"),
        ),
    ),
    Source("neoclassical", "neoclassical.svgz"),
    Source(
        "tigullio_international", "svg-tigullio-international/tigullio-international.svgz", "ids", extras=_KDE_BACK
    ),
    Source(
        "cards_js", "cardsJS/cards", "files", _LETTERS + ".svg",
        extras=(("back", "Red_Back.svg"), ("back2", "Blue_Back.svg")),
    ),
)  # fmt: skip

SOURCES: dict[Split, tuple[Source, ...]] = {"train": TRAINED, "val": UNSEEN}


def free_decks(split: Split, roots: Sequence[Path] = ROOTS) -> tuple[Deck, ...]:
    """The free decks of a split that are installed below `roots`, drawn anew (seconds each); empty with none.

    Deck `seed` is the deck's place in `SOURCES[split]`, so that a deck keeps its number wherever some are missing.
    """
    decks = (read_deck(source, roots, split, number) for number, source in enumerate(SOURCES[split]))
    return tuple(d for d in decks if d is not None)


def read_deck(source: Source, roots: Sequence[Path], split: Split, number: int = 0) -> Deck | None:
    """One free deck, or None when it is not installed, cannot be drawn, or its indices are not found."""
    path = next((root / source.path for root in roots if (root / source.path).exists()), None)
    drawn = card_pictures(source, path) if path is not None else {}
    names = [str(c) for c in FACES[:JOLLY]]
    if any(name not in drawn for name in names):
        return None
    spots = find_indices({name: drawn[name] for name in names})
    if spots is None:
        return None
    rng = np.random.default_rng(number)
    jollies = [drawn[key] for key in ("jolly", "jolly2") if key in drawn]
    jolly = jollies[number % len(jollies)] if jollies else None
    if jolly is None:
        jolly, jolly_spots = _own_jolly(rng, split, spots["A♥"], drawn["A♥"])
    else:
        jolly_spots = mark_spots(jolly)
    backs = _backs(drawn, rng)
    height, width = (v // FINE for v in drawn["A♥"].shape[:2])
    size = (width, height)
    pictures = [*(drawn[name] for name in names), jolly, *backs]
    faces = np.stack([cv2.resize(p, size, interpolation=cv2.INTER_AREA) for p in pictures]).astype(np.uint8)
    all_spots = (*(_kept_size(spots[name]) for name in names), _kept_size(jolly_spots))
    return _deck(number, split, faces, all_spots)


def _kept_size(spots: tuple[Spot, ...]) -> tuple[Spot, ...]:
    def small(b: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        return (b[0] / FINE, b[1] / FINE, b[2] / FINE, b[3] / FINE)

    return tuple(Spot(small(s.box_xyxy), small(s.rank_xyxy), s.turned) for s in spots)


def _deck(number: int, split: Split, rgb: Image, spots: tuple[tuple[Spot, ...], ...]) -> Deck:
    """A deck from its faces (55, H, W, 3) and spots; corners get round, since packages draw them in many ways."""
    height, width = rgb.shape[1:3]
    alpha = np.broadcast_to(rounded_alpha((width, height), 0.05 * width), rgb.shape[:3])
    faces = np.concatenate([rgb, alpha[..., None]], 3)
    px_per_mm = height / CARD_HEIGHT_MM
    upright = [s for face in spots[:JOLLY] for s in face if not s.turned]
    tall = float(np.median([s.box_xyxy[3] - s.box_xyxy[1] for s in upright]))
    spots = (*spots[:JOLLY], tuple(_as_tall(s, tall) for s in spots[JOLLY]))
    return Deck(
        number, split, faces, halved(faces), spots, width / px_per_mm, CARD_HEIGHT_MM,
        free_rank_mm=max(s.rank_xyxy[3] for s in upright) / px_per_mm + 0.6,
        free_index_mm=max(s.box_xyxy[3] for s in upright) / px_per_mm + 0.8,
        free_width_mm=max(face[0].rank_xyxy[2] for face in spots[:JOLLY]) / px_per_mm + 0.6,
    )  # fmt: skip


def _as_tall(mark: Spot, index_height: float) -> Spot:
    """A jolly's mark of which no more counts than of other indices: a word that runs down the side is cut short."""
    x0, y0, x1, y1 = mark.box_xyxy
    height = min(y1 - y0, max(index_height, x1 - x0))
    box = (x0, y1 - height, x1, y1) if mark.turned else (x0, y0, x1, y0 + height)
    return Spot(box, box, mark.turned)


def _backs(drawn: dict[str, Image], rng: np.random.Generator) -> list[Image]:
    """Two backs of different colour, as two packs have: the deck's own, and a second one or the first recoloured."""
    first = drawn.get("back", drawn.get("back2"))
    if first is None:
        first = np.broadcast_to(rng.integers(30, 200, 3).astype(np.uint8), drawn["A♥"].shape).copy()
    second = drawn.get("back2", first)
    if np.abs(first.mean((0, 1)) - second.mean((0, 1))).max() < 25:
        second = np.roll(first, 1, axis=2)
        if np.abs(first.astype(np.int16) - second).mean() < 4:  # grey: its black becomes a colour
            second = np.maximum(first, np.array([180, 30, 40], np.uint8))
    return [first, second]


def _own_jolly(
    rng: np.random.Generator, split: Split, like: tuple[Spot, ...], paper: Image
) -> tuple[Image, tuple[Spot, ...]]:
    """A jolly of our own for decks that have none: a figure, and JOLLY standing where the ace has its rank."""
    height, width = paper.shape[:2]
    face = np.empty((height, width, 3), np.uint8)
    face[:] = np.median(paper.reshape(-1, 3), axis=0)
    ink = (25, 25, 30)
    draw_court(face, rng, (0.25 * width, 0.15 * height, 0.75 * width, 0.85 * height), (200, 30, 40), ink)
    x0, y0, x1, y1 = like[0].rank_xyxy
    letters = [glyph_mask(c, rank_font(rng, split, round(0.6 * (y1 - y0)))) for c in "JOLLY"]
    top = y0
    for letter in letters:
        middle = (x0 + x1) / 2 - letter.shape[1] / 2
        for upright in (face, face[::-1, ::-1]):
            stamp(upright, letter, middle, top, ink)
        top += letter.shape[0] + 0.01 * height
    half = max(m.shape[1] for m in letters) / 2
    box: Box = np.array([(x0 + x1) / 2 - half, y0, (x0 + x1) / 2 + half, top - 0.01 * height])
    spot = corner_spots(box, box, width, four=False)[0]
    return face, (spot, turn_spot(spot, (width, height)))


@dataclass(frozen=True, slots=True)
class Tint:
    """A change of print: `mix` (3, 3) of the colours, then `curves` (256, 3) uint8, one a channel."""

    mix: NDArray[np.float32]
    curves: NDArray[np.uint8]

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Tint:
        """Inks paler or stronger, of a slightly other hue, on paper of another white."""
        grey = np.full((3, 3), 1 / 3)
        strength = rng.uniform(0.75, 1.15)
        mix = strength * np.eye(3) + (1 - strength) * grey
        hue = rng.normal(0, 0.05, (3, 3))
        mix += hue - hue.mean(1, keepdims=True)  # rows still add up to one: grey stays grey
        white = rng.uniform(225, 255) - np.array([0, rng.uniform(0, 8), rng.uniform(0, 22)])
        black, gamma = rng.uniform(0, 45), rng.uniform(0.8, 1.25)
        steps = np.linspace(0, 1, 256)[:, None] ** gamma
        return cls(mix.astype(np.float32), (black + (white - black) * steps).round().astype(np.uint8))

    def apply(self, faces: Image) -> Image:
        """The same faces (N, H, W, 4) printed anew; alpha stays."""
        count, height, width = faces.shape[:3]
        tall = np.ascontiguousarray(faces).reshape(count * height, width, 4)
        rows = np.zeros((4, 4), np.float32)
        rows[:3, :3], rows[3, 3] = self.mix, 1.0
        curves = np.concatenate([self.curves, np.arange(256, dtype=np.uint8)[:, None]], 1)
        printed = cv2.LUT(cv2.transform(tall, rows), curves[None])
        return np.asarray(printed, np.uint8).reshape(faces.shape)


def vary(deck: Deck, rng: np.random.Generator) -> Deck:
    """The deck as another printer would make it: other paper, inks, contrast, width and height (tens of ms)."""
    tint = Tint.draw(rng)
    wide, tall = rng.uniform(0.93, 1.06), rng.uniform(85, 91) / deck.height_mm
    return replace(
        deck,
        faces=tint.apply(deck.faces),
        small_faces=tuple(tint.apply(faces) for faces in deck.small_faces),
        width_mm=deck.width_mm * wide * tall,
        height_mm=deck.height_mm * tall,
        free_rank_mm=deck.free_rank_mm * tall,
        free_index_mm=deck.free_index_mm * tall,
        free_width_mm=deck.free_width_mm * wide * tall,
    )


def _tiled(faces: Image) -> Image:
    """Faces (55, H, W, 3) side by side: (5·H, 11·W, 3)."""
    count, height, width = faces.shape[:3]
    grid = faces.reshape(count // SHEET_COLUMNS, SHEET_COLUMNS, height, width, 3).transpose(0, 2, 1, 3, 4)
    return np.ascontiguousarray(grid.reshape(-1, SHEET_COLUMNS * width, 3))


def save_pack(decks: Sequence[Deck], file: Path) -> None:
    """Write decks to one .npz: a JPEG sheet of the faces and a table of the spots each."""
    rows: dict[str, NDArray[np.generic]] = {}
    for i, deck in enumerate(decks):
        rgb = deck.faces[..., :3]
        flat = cv2.cvtColor(_tiled(rgb), cv2.COLOR_RGB2BGR)
        options = [
            cv2.IMWRITE_JPEG_QUALITY, 93, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444,
        ]  # fmt: skip
        rows[f"{i:03d}_faces"] = np.asarray(cv2.imencode(".jpg", flat, options)[1], np.uint8)
        rows[f"{i:03d}_spots"] = np.array(
            [(f, *s.box_xyxy, *s.rank_xyxy, s.turned) for f, face in enumerate(deck.spots) for s in face], np.float64
        )
        rows[f"{i:03d}_about"] = np.array([str(deck.seed), deck.split, str(rgb.shape[2]), str(rgb.shape[1])])
    with file.open("wb") as out:
        np.savez(out, **rows)  # type: ignore[arg-type]


def load_pack(file: Path) -> tuple[Deck, ...]:
    """Read back what `save_pack` wrote, within JPEG's rounding; raises OSError or ValueError for another file."""
    decks = []
    with np.load(file, allow_pickle=False) as rows:
        for name in sorted(n[:3] for n in rows.files if n.endswith("_about")):
            number, split, width, height = (str(v) for v in rows[f"{name}_about"])
            printed = cv2.cvtColor(cv2.imdecode(rows[f"{name}_faces"], cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
            cells = printed.reshape(-1, int(height), SHEET_COLUMNS, int(width), 3).transpose(0, 2, 1, 3, 4)
            spots: list[list[Spot]] = [[] for _ in FACES]
            for face, *b, turned in rows[f"{name}_spots"].tolist():
                spots[int(face)].append(Spot((b[0], b[1], b[2], b[3]), (b[4], b[5], b[6], b[7]), bool(turned)))
            faces = cells.reshape(-1, int(height), int(width), 3).astype(np.uint8)
            decks.append(
                _deck(int(number), "train" if split == "train" else "val", faces, tuple(tuple(s) for s in spots))
            )
    return tuple(decks)


def sheet(deck: Deck) -> Image:
    """All faces of a deck with the boxes that were found, to be looked at: (5·H, 11·W, 3) uint8 RGB."""
    faces = deck.faces[..., :3].copy()
    for face, spots in zip(faces, deck.spots, strict=False):
        for spot in spots:
            for box, colour in ((spot.box_xyxy, (0, 170, 0)), (spot.rank_xyxy, (0, 0, 255))):
                x0, y0, x1, y1 = (round(v) for v in box)
                cv2.rectangle(face, (x0 - 1, y0 - 1), (x1, y1), colour, 1)
    return _tiled(faces)


def main(arguments: Sequence[str] | None = None) -> int:
    """Pack the decks of a split into one file, and a sheet of each to be looked at; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the .npz to write")
    parser.add_argument("--split", choices=("train", "val"), default="train", help="val: decks kept from training")
    parser.add_argument("--root", type=Path, action="append", default=[], help="a folder of packages, as node_modules")
    parser.add_argument("--sheets", type=Path, help="folder for a picture of each deck with the boxes found")
    options = parser.parse_args(arguments)
    decks = free_decks(options.split, (*ROOTS, *options.root))
    names = [SOURCES[options.split][d.seed].name for d in decks]
    missing = [s.name for s in SOURCES[options.split] if s.name not in names]
    print(f"{len(decks)} decks: {', '.join(names)}; not found: {', '.join(missing) or 'none'}", file=sys.stderr)
    if not decks:
        return 1
    save_pack(decks, options.out)
    if options.sheets is not None:
        options.sheets.mkdir(parents=True, exist_ok=True)
        for name, deck in zip(names, decks, strict=True):
            cv2.imwrite(str(options.sheets / f"{name}.jpg"), cv2.cvtColor(sheet(deck), cv2.COLOR_RGB2BGR))
    return 0


if __name__ == "__main__":
    sys.exit(main())
