"""The annotated picture: outlines coloured and numbered by meld, and the name of every card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from scoring.cards import Suit
from vision.table import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.table import Quad, ReadCard, TableReading

    Image = NDArray[np.uint8]
    Doubles = NDArray[np.float64]
    Colour = tuple[int, int, int]

PALETTE: Final[tuple[Colour, ...]] = (
    (0, 114, 178),
    (230, 159, 0),
    (0, 158, 115),
    (204, 121, 167),
    (86, 180, 233),
    (213, 94, 0),
    (148, 103, 189),
    (188, 189, 34),
)
LOOSE_COLOUR: Final[Colour] = (150, 150, 150)
INK: Final[Colour] = (20, 20, 20)
RED: Final[Colour] = (200, 20, 30)
PAPER: Final[Colour] = (255, 255, 255)
FONT: Final = cv2.FONT_HERSHEY_DUPLEX


def annotate(image_rgb: Image, reading: TableReading, longest_px: int = 2000) -> Image:
    """A copy of the photo, at most `longest_px` long, with what was read drawn on it.

    `reading` is in pixels of the original photo (`reading.size_wh`); the image may have any scale.
    """
    height, width = image_rgb.shape[:2]
    scale = min(1.0, longest_px / max(height, width))
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    canvas = np.array(cv2.resize(image_rgb, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    to_canvas = size[0] / max(reading.size_wh[0], 1)
    for back in reading.backs:
        _outline(canvas, back, to_canvas, LOOSE_COLOUR, 1)
    for card in reading.loose:
        _card(canvas, card, to_canvas, LOOSE_COLOUR)
    for number, meld in enumerate(reading.melds, start=1):
        colour = PALETTE[(number - 1) % len(PALETTE)]
        for card in meld.cards:
            _card(canvas, card, to_canvas, colour)
        _badge(canvas, meld.cards[0].quad, to_canvas, str(number), colour)
    return canvas


def annotated_jpeg(image_rgb: Image, reading: TableReading, longest_px: int = 2000, quality: int = 88) -> bytes:
    """The annotated picture as a JPEG file's bytes."""
    bgr = cv2.cvtColor(annotate(image_rgb, reading, longest_px), cv2.COLOR_RGB2BGR)
    return bytes(cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes())


def _points(quad: Quad, scale: float) -> Doubles:
    return np.array(quad, dtype=np.float64) * scale


def _width(points: Doubles) -> float:
    return float(np.linalg.norm(points[1] - points[0]))


def _outline(canvas: Image, quad: Quad, scale: float, colour: Colour, weight: int) -> None:
    points = _points(quad, scale).round().astype(np.int32)
    cv2.polylines(canvas, [points.reshape(-1, 1, 2)], True, colour, weight, cv2.LINE_AA)


def _card(canvas: Image, card: ReadCard, scale: float, colour: Colour) -> None:
    points = _points(card.quad, scale)
    size = float(np.clip(_width(points) * 0.30, 11, 34))
    _outline(canvas, card.quad, scale, colour, 3 if card.source is Source.SEEN else 1)
    centre = points.mean(axis=0)
    corner = points[0] * 0.72 + centre * 0.28
    _name(canvas, card, corner, size, colour)


def _name(canvas: Image, card: ReadCard, centre_xy: Doubles, size: float, colour: Colour) -> None:
    """Rank and suit on a small plate, upright whatever way the card lies; inferred names carry a question mark."""
    rank = card.card.rank.value if card.card.rank else "JK"
    mark = "?" if card.source is Source.INFERRED else ""
    font_scale = size / 30
    weight = max(1, round(size / 14))
    (wide, tall), _ = cv2.getTextSize(rank + mark, FONT, font_scale, weight)
    suit_wide = size if card.card.suit else 0.0
    left, top = centre_xy[0] - (wide + suit_wide) / 2, centre_xy[1] - tall / 2
    plate = [(round(left - 3), round(top - 4)), (round(left + wide + suit_wide + 3), round(top + tall + 4))]
    cv2.rectangle(canvas, plate[0], plate[1], PAPER, -1)
    cv2.rectangle(canvas, plate[0], plate[1], colour, 1, cv2.LINE_AA)
    ink = RED if card.card.suit in (Suit.HEARTS, Suit.DIAMONDS) else INK
    cv2.putText(canvas, rank + mark, (round(left), round(top + tall)), FONT, font_scale, ink, weight, cv2.LINE_AA)
    if card.card.suit:
        middle = np.array([left + wide + suit_wide / 2 + 1, top + tall / 2])
        draw_suit(canvas, card.card.suit, middle, size * 0.8, ink)


def draw_suit(canvas: Image, suit: Suit, centre_xy: Doubles, size: float, colour: Colour) -> None:
    """One suit sign, `size` pixels high, filled."""
    unit = size / 2

    def dot(x: float, y: float, radius: float) -> None:
        at = (round(centre_xy[0] + x * unit), round(centre_xy[1] + y * unit))
        cv2.circle(canvas, at, max(1, round(radius * unit)), colour, -1, cv2.LINE_AA)

    def shape(*points: tuple[float, float]) -> None:
        corners = (np.array(points) * unit + centre_xy).round().astype(np.int32)
        cv2.fillPoly(canvas, [corners.reshape(-1, 1, 2)], colour, cv2.LINE_AA)

    if suit is Suit.DIAMONDS:
        shape((0, -1), (0.75, 0), (0, 1), (-0.75, 0))
    elif suit is Suit.HEARTS:
        dot(-0.42, -0.4, 0.48)
        dot(0.42, -0.4, 0.48)
        shape((-0.86, -0.2), (0.86, -0.2), (0, 1))
    elif suit is Suit.SPADES:
        dot(-0.42, 0.3, 0.46)
        dot(0.42, 0.3, 0.46)
        shape((-0.84, 0.12), (0.84, 0.12), (0, -1))
        shape((0, 0.2), (0.35, 1), (-0.35, 1))
    else:
        dot(0, -0.5, 0.45)
        dot(-0.48, 0.2, 0.45)
        dot(0.48, 0.2, 0.45)
        shape((0, 0), (0.35, 1), (-0.35, 1))


def _badge(canvas: Image, quad: Quad, scale: float, text: str, colour: Colour) -> None:
    """The meld's number on a disc at the outer corner of its first card."""
    points = _points(quad, scale)
    size = float(np.clip(_width(points) * 0.28, 13, 34))
    at = points[0] * 1.06 - points.mean(axis=0) * 0.06
    cv2.circle(canvas, (round(at[0]), round(at[1])), round(size * 0.75), colour, -1, cv2.LINE_AA)
    font_scale = size / 28
    (wide, tall), _ = cv2.getTextSize(text, FONT, font_scale, 2)
    cv2.putText(
        canvas, text, (round(at[0] - wide / 2), round(at[1] + tall / 2)), FONT, font_scale, PAPER, 2, cv2.LINE_AA
    )
