"""A picture of a match's totals to share, upright as phones show it."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from ui.exchange.typeset import BOLD, REGULAR
from ui.i18n import points_text, t
from ui.viewmodels import MatchView
from ui.words import said_title

WIDTH_PX, LEAST_PX = 1080, 1080
MARGIN_PX = 72
ROWS = 9
ROW_PX, TOP_PX, FOOT_PX = 62, 186, 150
FELT, PAPER, INK, GREY, RED = (11, 92, 59), (252, 250, 244), (24, 24, 24), (112, 112, 112), (179, 0, 27)


def picture_png(view: MatchView, lang: str) -> bytes:
    """Names, totals, who has won, and the last smazzate; as PNG."""
    rows = max(1, min(ROWS, len(view.confirmed)))
    height = TOP_PX + len(view.names) * _name_px(view) + 100 + rows * ROW_PX + FOOT_PX
    height = max(LEAST_PX, height)
    image = Image.new("RGB", (WIDTH_PX, height), FELT)
    draw = ImageDraw.Draw(image)
    left, right = MARGIN_PX, WIDTH_PX - MARGIN_PX
    draw.rounded_rectangle((left - 32, 150, right + 32, height - 110), 36, fill=PAPER)
    draw.text((left, 58), "Burraco", font=_font(BOLD, 54), fill=PAPER)
    suits = (("♥", RED), ("♦", RED), ("♣", INK), ("♠", INK))
    draw.rounded_rectangle((right - 236, 52, right + 4, 124), 18, fill=PAPER)
    for place, (suit, colour) in enumerate(suits):
        draw.text((right - 216 + 54 * place, 56), suit, font=_font(REGULAR, 50), fill=colour)
    y = _standings(draw, view, left, right)
    y = _outcome(draw, view, lang, left, right, y + 8)
    _rows(draw, view, lang, left, right, y + 26)
    foot = f"{view.regolamento} · {said_title(view.formato, lang)}"
    draw.text((left, height - 82), foot, font=_fitting(foot, REGULAR, 30, right - left), fill=PAPER)
    buffer = io.BytesIO()
    image.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _name_px(view: MatchView) -> int:
    """Room for a name with its total."""
    return 118 if len(view.names) <= 2 else 78


def _standings(draw: ImageDraw.ImageDraw, view: MatchView, left: int, right: int) -> int:
    """Each name with its total, the best first among equals as they sit."""
    size = round(_name_px(view) / 1.4)
    y = TOP_PX
    for party, (name, total) in enumerate(zip(view.names, view.totals, strict=True)):
        colour = FELT if party == view.winner else INK
        text = points_text(total)
        font = _font(BOLD, size)
        width = draw.textlength(text, font=font)
        middle = y + size // 2
        draw.text((right, middle), text, font=font, fill=colour, anchor="rm")
        name_font = _fitting(name, BOLD, size, right - left - width - 40)
        draw.text((left, middle), name, font=name_font, fill=colour, anchor="lm")
        y += _name_px(view)
    return y


def _outcome(draw: ImageDraw.ImageDraw, view: MatchView, lang: str, left: int, right: int, y: int) -> int:
    if view.draw:
        said = t("sheet.draw", lang)
    elif view.winner is not None:
        said = t("sheet.winner", lang, name=view.names[view.winner])
    else:
        said = t("sheet.open", lang)
    for number, turno in enumerate(view.turni, start=1):
        if turno.vp:
            vp = " : ".join(map(str, turno.vp))
            said += "  ·  " + t("sheet.turno", lang, number=number, mp=" : ".join(map(points_text, turno.mp)), vp=vp)
    draw.text((left, y), said, font=_fitting(said, REGULAR, 34, right - left), fill=FELT)
    return y + 52


def _rows(draw: ImageDraw.ImageDraw, view: MatchView, lang: str, left: int, right: int, y: int) -> None:
    """The last smazzate, one a row."""
    font = _font(REGULAR, 32)
    first = 110
    each = (right - left - first) / len(view.names)
    for smazzata in view.confirmed[-ROWS:]:
        draw.line((left, y - 8, right, y - 8), fill=(222, 216, 202), width=2)
        draw.text((left, y), str(smazzata.number), font=font, fill=GREY)
        for party, points in enumerate(smazzata.confirmation.points):
            text = points_text(points)
            x = left + first + each * (party + 1) - draw.textlength(text, font=font)
            draw.text((x, y), text, font=font, fill=RED if points < 0 else INK)
        y += ROW_PX
    if not view.confirmed:
        draw.text((left, y), t("page.match.no_smazzate", lang)[:60], font=font, fill=GREY)


@cache
def _font(path: Path, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), size)


def _fitting(text: str, path: Path, size: int, width: float) -> ImageFont.FreeTypeFont:
    """The largest font, up to a size, in which a text has room."""
    while size > 14 and _font(path, size).getlength(text) > width:
        size -= 2
    return _font(path, size)
