"""From a reading of a photo to the event that lays its melds on a side."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from scoring.cards import Card
from scoring.store.events import card_to_json, doubt_to_json, unread_to_json
from scoring.store.state import (
    AttachMode,
    CardSource,
    DraftCard,
    DraftDoubt,
    DraftMeld,
    DraftUnread,
    MatchState,
    PhotoRef,
)
from vision.reading import Doubt, DoubtKind, ReadCard, TableReading

TWIN_SHARE = 0.8
"""Two melds that share this part of the smaller one's cards are probably one meld in two photos."""


def has_cards(reading_json: str) -> bool:
    """Tell whether a reading holds any card at all."""
    reading = TableReading.from_json(reading_json)
    return bool(reading.melds or reading.loose)


def cards_of(reading_json: str) -> tuple[Card, ...]:
    """All cards of a reading, whatever they seemed to form: a fan in a hand forms no meld."""
    reading = TableReading.from_json(reading_json)
    return tuple(card.card for meld in reading.melds for card in meld.cards) + tuple(c.card for c in reading.loose)


def attach_payload(
    state: MatchState, side: int, mode: AttachMode, photo: PhotoRef, reading_json: str, new_id: Callable[[], str]
) -> dict[str, Any]:
    """The payload of `PHOTO_ATTACHED`: the reading as it came, and the cards it puts on the side, each with an id."""
    reading = TableReading.from_json(reading_json)
    there = state.current.sides[side].melds if mode is AttachMode.ADD else ()
    melds = [
        DraftMeld(
            new_id(),
            tuple(
                _draft_card(card, new_id(), photo.sha256, crosswise=place in meld.crosswise)
                for place, card in enumerate(meld.cards)
            ),
            unread=tuple(
                _unread(doubt, new_id(), photo.sha256)
                for doubt in reading.doubts
                if doubt.kind is DoubtKind.UNREAD and doubt.meld == number and doubt.quad
            ),
        )
        for number, meld in enumerate(reading.melds)
    ]
    return {
        "smazzata": state.current.number,
        "side": side,
        "mode": mode.value,
        "photo": photo.sha256,
        "size_wh": list(photo.size_wh),
        "reading": json.loads(reading_json),
        "melds": [
            {
                "id": m.id,
                "twin_of": twin_of(m, there),
                "cards": [card_to_json(c) for c in m.cards],
                "unread": [unread_to_json(u) for u in m.unread],
            }
            for m in melds
        ],
        "loose": [card_to_json(_draft_card(card, new_id(), photo.sha256)) for card in reading.loose],
        "doubts": [doubt_to_json(doubt) for doubt in _card_doubts(reading, melds)],
    }


def _draft_card(card: ReadCard, card_id: str, sha256: str, crosswise: bool = False) -> DraftCard:
    return DraftCard(
        id=card_id,
        card=card.card,
        source=CardSource(card.source.value),
        probability=float(card.probability),
        quad=tuple((float(x), float(y)) for x, y in card.quad),
        alternatives=tuple((other, float(p)) for other, p in card.alternatives),
        photo=sha256,
        crosswise=crosswise,
    )


def _unread(doubt: Doubt, unread_id: str, sha256: str) -> DraftUnread:
    """What could not be read, with the card that each other answer lays more than now lies there."""
    assert doubt.quad is not None
    now, *others = (Counter(answer.cards) for answer in doubt.answers)
    more = dict.fromkeys(card for other in others for card in other - now)
    return DraftUnread(unread_id, doubt.quad, sha256, tuple(more), doubt.points_at_stake)


def _card_doubts(reading: TableReading, melds: Sequence[DraftMeld]) -> Iterator[DraftDoubt]:
    """The doubts about one card; what is doubtful about a whole meld, scoring says anew after every edit."""
    for doubt in reading.doubts:
        if doubt.meld is None or doubt.card is None:
            continue
        card = melds[doubt.meld].cards[doubt.card]
        same_length = [a.cards for a in doubt.answers[1:] if len(a.cards) == len(melds[doubt.meld].cards)]
        named = dict.fromkeys(cards[doubt.card] for cards in same_length)
        others = named or dict.fromkeys(other for other, _ in card.alternatives)
        yield DraftDoubt(card.id, tuple(other for other in others if other != card.card), doubt.points_at_stake)


def twin_of(meld: DraftMeld, there: Sequence[DraftMeld]) -> str | None:
    """The meld already there that this one probably shows again."""
    own = Counter(card.card for card in meld.cards)
    for other in there:
        shared = sum((own & Counter(card.card for card in other.cards)).values())
        if shared >= TWIN_SHARE * min(len(meld.cards), len(other.cards)) and shared >= 2:
            return other.id
    return None
