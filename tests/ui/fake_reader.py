"""A reader for tests: the colour of the picture says what it "reads", so that no network is needed.

Red: no card. Blue: the process dies. Green: it hangs. White: a table with a doubt. Grey: the last card of
the first meld lies crosswise. Yellow: at the end of the first meld lies something that cannot be read. Anything else:
the same small table.
"""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

from scoring.cards import parse_cards
from scoring.regolamento import Regolamento
from vision.photo import Photo
from vision.reading import Alternative, Answer, Doubt, DoubtKind, MeldSeen, Quad, ReadCard, TableReading

MELDS = ("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥", "K♠ K♦ 2♣ K♥")
LOOSE = "5♣"


class FakeReader:
    """Stands in for `vision.line.TableReader`."""

    def read(self, photo: Photo, regolamento: Regolamento, rules: bool = True) -> TableReading:
        red, green, blue = (float(channel) for channel in photo.image_rgb.reshape(-1, 3).mean(axis=0))
        if red > 150 and max(green, blue) < 100:
            return TableReading(size_wh=photo.size_wh)
        if blue > 150 and max(red, green) < 100:
            os._exit(9)
        if green > 150 and max(red, blue) < 100:
            time.sleep(600)
        grey = max(red, green, blue) - min(red, green, blue) < 10 and 100 < red < 160
        read = table(photo.size_wh, doubtful=min(red, green, blue) > 230, crosswise=(6,) if grey else ())
        yellow = min(red, green) > 200 and blue < 100
        return replace(read, doubts=(unread(photo.size_wh),)) if yellow else read


def table(size_wh: tuple[int, int], doubtful: bool = False, crosswise: tuple[int, ...] = ()) -> TableReading:
    """The small table, its cards in rows over the picture."""
    melds = tuple(
        MeldSeen(
            tuple(_card(str(card), row, place, size_wh) for place, card in enumerate(parse_cards(text))),
            crosswise if row == 0 else (),
        )
        for row, text in enumerate(MELDS)
    )
    loose = tuple(_card(str(card), len(MELDS), place, size_wh) for place, card in enumerate(parse_cards(LOOSE)))
    doubts = ()
    if doubtful:
        now, other = parse_cards(MELDS[1]), parse_cards("K♠ K♦ JK K♥")
        doubts = (Doubt(DoubtKind.CARD, 1, 2, (Answer(now, 50, 0.6), Answer(other, 60, 0.4)), 10),)
    return TableReading(melds, loose, doubts, size_wh)


def unread(size_wh: tuple[int, int]) -> Doubt:
    """Something after the nine of hearts, most likely the ten."""
    now, longer = parse_cards(MELDS[0]), parse_cards(f"{MELDS[0]} 10♥")
    place = _card("10♥", 0, len(now), size_wh).quad
    return Doubt(DoubtKind.UNREAD, 0, None, (Answer(now, 245, 1.0), Answer(longer, 255, 0.0)), 10, place)


def _card(text: str, row: int, place: int, size_wh: tuple[int, int]) -> ReadCard:
    width, height = size_wh[0] / 8, size_wh[1] / 4
    left, top = place * width * 0.9 + 2, row * height * 1.1 + 2
    quad: Quad = ((left, top), (left + width, top), (left + width, top + height), (left, top + height))
    card = parse_cards(text)[0]
    return ReadCard(card, quad, 0.97, alternatives=(Alternative(parse_cards("A♠")[0], 0.02),))


def make(models_dir: Path) -> FakeReader:
    """What `--reader tests.ui.fake_reader:make` names."""
    return FakeReader()


def make_broken(models_dir: Path) -> FakeReader:
    """A reader whose networks are missing."""
    raise FileNotFoundError(models_dir / "index.onnx")
