"""Renders the sample pictures anew: `python -m ui.sample.render`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scoring.cards import parse_cards

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from datasets.decks import Deck
    from datasets.scene import Studio
    from datasets.tables import Lay

SIDES = (
    ("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥", "K♠ K♥ K♦ JK", "4♣ 5♣ 2♠ 7♣", "Q♦ K♦ A♦"),
    ("8♠ 8♥ 8♦ 8♣ JK 8♠ 8♣", "5♦ 6♦ 7♦ 8♦ 9♦ 10♦ J♦ 2♣", "J♣ J♠ J♥", "9♠ 10♠ J♠ Q♠"),
)
DECK_SEED = 33
LIGHT_SEEDS = (10, 7)
"""One a side: table top, lamp, sharpness."""
SIZE_WH = (1600, 1280)
PX_PER_MM = 3.7
TILT_DEG = 14.0


def render_side(side: int, light_seed: int) -> NDArray[np.uint8]:
    """The picture of one side, (H, W, 3) uint8 BGR; the same seed gives the same picture."""
    import numpy as np

    from datasets.decks import make_deck
    from datasets.scene import Studio

    rng = np.random.default_rng(light_seed)
    deck = make_deck(DECK_SEED, "train")
    studio = Studio.make(rng, [deck], "train", tops=1)
    bgr: NDArray[np.uint8] = _picture(rng, studio, deck, SIDES[side])[:, :, ::-1].copy()
    return bgr


def main(folder: Path) -> None:
    """Write `side0.jpg` and `side1.jpg`."""
    import cv2

    for side, light_seed in enumerate(LIGHT_SEEDS):
        path = folder / f"side{side}.jpg"
        cv2.imwrite(str(path), render_side(side, light_seed), [cv2.IMWRITE_JPEG_QUALITY, 88])


def _picture(rng: np.random.Generator, studio: Studio, deck: Deck, melds: tuple[str, ...]) -> NDArray[np.uint8]:
    from datasets.scene import render
    from datasets.tables import place

    gap_mm = (SIZE_WH[0] / PX_PER_MM - 20) / len(melds)
    lays = []
    for group, text in enumerate(melds):
        centre = ((group - (len(melds) - 1) / 2) * gap_mm, float(rng.normal(0, 3)))
        lays += place(_column(rng, deck, text), centre, float(rng.normal(0, 0.03)), group, 0)
    scene = render(rng, studio, [deck], lays, _view(), SIZE_WH, things=0)
    if len(scene.lays) != len(lays):
        raise ValueError(f"{len(lays) - len(scene.lays)} cards fell out of the picture; try another seed")
    return scene.image


def _column(rng: np.random.Generator, deck: Deck, text: str) -> list[Lay]:
    from datasets.tables import Lay

    step_mm = deck.free_index_mm * 1.15
    return [
        Lay(card.index, float(rng.normal(0, 0.5)), i * step_mm, float(rng.normal(0, 0.01)), 0)
        for i, card in enumerate(parse_cards(text))
    ]


def _view() -> NDArray[np.float64]:
    """A pinhole camera in front of the table, looking down a little aslant: mm → px."""
    import numpy as np

    focal = 1.4 * max(SIZE_WH)
    tilt = np.radians(TILT_DEG)
    axes = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    camera = np.array([[focal, 0, SIZE_WH[0] / 2], [0, focal, SIZE_WH[1] / 2], [0, 0, 1]])
    plane = np.column_stack([axes[:, 0], axes[:, 1], [0.0, 0.0, focal / PX_PER_MM]])
    matrix: NDArray[np.float64] = camera @ plane
    matrix /= matrix[2, 2]
    return matrix


if __name__ == "__main__":
    main(Path(__file__).parent)
