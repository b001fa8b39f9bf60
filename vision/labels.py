"""Labelled photos for measuring: `labels.json` as values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from scoring.cards import Card, CardError, parse_cards
from vision.table import Quad, quad_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

LABELS_FILE: Final = "labels.json"
LOOK_SOURCES: Final = frozenset({"hrdlickajan", "notanumber11", "plaskod", "Sbicen99", "miloshevski"})
BLIND_SOURCES: Final = frozenset({"predrag-njegovanovic", "jonasblanc", "maslana146", "rd-pong", "MrKeSuu"})


class Half(StrEnum):
    """Whether a source's errors may be studied, or only its figures read."""

    LOOK = "look"
    BLIND = "blind"
    OTHER = "other"


class LabelsCode(StrEnum):
    """What is wrong with a labels file."""

    UNREADABLE = "unreadable"
    NOT_JSON = "not_json"
    NOT_A_TABLE = "not_a_table"
    BAD_PHOTO = "bad_photo"


class LabelsError(ValueError):
    """A labels file that cannot be used: what is wrong, at which photo (empty: the file itself), what stood there."""

    def __init__(self, code: LabelsCode, photo: str = "", seen: str = "") -> None:
        super().__init__(f"{code.value}: {photo} {seen}")
        self.code, self.photo, self.seen = code, photo, seen


@dataclass(frozen=True, slots=True)
class TrueCard:
    """A card that is there: `card` is None where only the rank is known (`code` as `7?`).

    `box_xyxy`: its visible index, `quad`: its outline, pixels; `meld`: the position of the meld it lies in. None where
    the file does not say.
    """

    code: str
    card: Card | None
    box_xyxy: tuple[float, float, float, float] | None = None
    quad: Quad | None = None
    meld: int | None = None

    def fits(self, card: Card) -> bool:
        """Whether a read card is this one."""
        if self.card is not None:
            return card == self.card
        return card.rank is not None and code_of(card)[0] == self.code[0]


@dataclass(frozen=True, slots=True)
class LabelledPhoto:
    """One photo and what lies on it; `melds` is None where the file does not say, `complete` false where cards that
    show are not listed. `whole`: the melds with what lies hidden in them; `piles`: melds squared up, of which the last
    card shows."""

    name: str
    kind: str
    complete: bool
    cards: tuple[TrueCard, ...]
    source: str = ""
    melds: tuple[tuple[Card, ...], ...] | None = None
    whole: tuple[tuple[Card, ...], ...] = ()
    piles: tuple[tuple[Card, ...], ...] = ()

    @property
    def laid(self) -> tuple[tuple[Card, ...], ...]:
        """All that counts: the melds with their hidden cards, and the piles."""
        return (self.whole or self.melds or ()) + self.piles

    @property
    def hides(self) -> bool:
        """Whether some of what counts cannot be seen: a covered card in a meld, or a squared pile."""
        return bool(self.piles) or self.laid != (self.melds or ())

    @property
    def half(self) -> Half:
        """Look, blind, or neither, by the owner of the source."""
        owner = self.source.split("/")[0]
        return Half.LOOK if owner in LOOK_SOURCES else Half.BLIND if owner in BLIND_SOURCES else Half.OTHER

    @property
    def has_places(self) -> bool:
        """Whether every card can be matched by place."""
        return bool(self.cards) and all(card.box_xyxy or card.quad for card in self.cards)


def code_of(card: Card) -> str:
    """A card as labels write it: `TS`, `AH`, `JK`."""
    if card.rank is None or card.suit is None:
        return "JK"
    return card.rank.value.replace("10", "T") + card.suit.letter


def load_labels(folder: Path) -> list[LabelledPhoto]:
    """The photos of a folder's `labels.json`, in its order; only kind, complete and cards are required.

    Raises LabelsError.
    """
    path = folder / LABELS_FILE
    try:
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise LabelsError(LabelsCode.UNREADABLE) from error
    except UnicodeDecodeError as error:
        raise LabelsError(LabelsCode.NOT_JSON, seen="1") from error
    except json.JSONDecodeError as error:
        raise LabelsError(LabelsCode.NOT_JSON, seen=str(error.lineno)) from error
    if not isinstance(data, dict):
        raise LabelsError(LabelsCode.NOT_A_TABLE, seen=json.dumps(data)[:40])
    return [_photo(name, entry) for name, entry in data.items()]


def _photo(name: str, entry: Any) -> LabelledPhoto:
    try:
        melds = entry.get("melds")
        return LabelledPhoto(
            name,
            str(entry["kind"]),
            bool(entry["complete"]),
            tuple(_card(card) for card in entry["cards"]),
            str(entry.get("source", "")),
            None if melds is None else _melds(melds),
            _melds(entry.get("whole", ())),
            _melds(pile["cards"] for pile in entry.get("piles", ())),
        )
    except (KeyError, TypeError, ValueError, AttributeError, CardError) as error:
        raise LabelsError(LabelsCode.BAD_PHOTO, name, json.dumps(entry, ensure_ascii=False)[:80]) from error


def _melds(texts: Iterable[str]) -> tuple[tuple[Card, ...], ...]:
    return tuple(tuple(parse_cards(text)) for text in texts)


def _card(entry: Any) -> TrueCard:
    code = str(entry["card"])
    card = None if code.endswith("?") else Card.parse(code)
    if card is None:
        Card.parse(code[0] + "S")
    box, quad = entry.get("box"), entry.get("quad")
    box_xyxy = None
    if box:
        x1, y1, x2, y2 = map(float, box)
        box_xyxy = (x1, y1, x2, y2)
    return TrueCard(code, card, box_xyxy, quad_of(quad) if quad else None, entry.get("meld"))
