"""How to lay the cards for a good photo, drawn: one picture that is right and three that are not, as SVG."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.resources import files

from scoring.cards import Card, parse_cards

SIZE_WH = (320, 200)
CARD_WH = (56, 80)
RUN, KINGS = "3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥", "K♠ K♥ K♦"
PICTURES = ("columns", "covered", "far", "glare")
RIGHT = PICTURES[0]


def picture_html(name: str, words: str) -> str:
    """A picture with its words below; as an image, since Streamlit takes bare SVG out of a page's HTML."""
    data = b64encode(picture(name).encode()).decode()
    text = escape(words)
    return f'<figure><img src="data:image/svg+xml;base64,{data}" alt="{text}"><figcaption>{text}</figcaption></figure>'


def picture(name: str) -> str:
    """One of PICTURES as SVG, its frame green where it is right and red where it is not."""
    width, height = SIZE_WH
    drawn = "".join(_DRAWN[name]())
    colour, mark = ("#1e7a34", "M20 184l10 10 20-26") if name == RIGHT else ("#b3261e", "M22 168l26 26m0-26l-26 26")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        f'<rect x="3" y="3" width="{width - 6}" height="{height - 6}" rx="10" fill="#2f6b4a" stroke="{colour}" '
        f'stroke-width="6"/>{drawn}<circle cx="35" cy="181" r="18" fill="#fff"/>'
        f'<path d="{mark}" fill="none" stroke="{colour}" stroke-width="6"/></svg>'
    )


def _columns() -> Iterator[str]:
    yield from _column(RUN, 70, 14, 16)
    yield from _column(KINGS, 150, 14, 24)
    yield from _column("8♣ 8♠ 8♦ JK", 230, 14, 24)


def _covered() -> Iterator[str]:
    """The indices lie under the next card."""
    yield from _column(RUN, 70, 34, 3)
    yield from _column(KINGS, 150, 34, 2)
    yield from _column("8♣ 8♠ 8♦ JK", 230, 34, 4)


def _far() -> Iterator[str]:
    """The same table from too far away."""
    yield f'<g transform="translate(110 62) scale(.38)">{"".join(_columns())}</g>'


def _glare() -> Iterator[str]:
    """A lamp in the cards."""
    yield from _columns()
    yield '<ellipse cx="120" cy="70" rx="80" ry="46" fill="#fff" opacity=".88"/>'


_DRAWN = dict(zip(PICTURES, (_columns, _covered, _far, _glare), strict=True))


def _column(cards: str, x: int, y: int, step: int) -> Iterator[str]:
    for at, card in enumerate(parse_cards(cards)):
        yield _card(card, x, y + at * step)


def _card(card: Card, x: int, y: int) -> str:
    width, height = CARD_WH
    red = card.suit is not None and card.suit.value in "♥♦"
    ink = "#b3001b" if red else "#16181d"
    rank = card.rank.value if card.rank else "J"
    suit = f'<path transform="translate(22 4) scale(.5)" d="{_suits()[card.suit.value]}"/>' if card.suit else ""
    return (
        f'<g transform="translate({x} {y})" fill="{ink}">'
        f'<rect width="{width}" height="{height}" rx="5" fill="#fff" stroke="#5c6470"/>'
        f'<text x="4" y="15" font-size="15" font-weight="700" font-family="sans-serif">{rank}</text>{suit}</g>'
    )


@cache
def _suits() -> dict[str, str]:
    """The outlines of the suits, as the table component draws them."""
    script = files("ui.components").joinpath("table_faces.js").read_text("utf-8")
    return dict(re.findall(r'"([♥♦♣♠])": "(M[^"]+)"', script))
