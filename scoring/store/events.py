"""Events: the only thing the ledger keeps, and the codec between their payloads and values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scoring.cards import Card, parse_cards
from scoring.classes import BurracoClass
from scoring.match import Goal, OneHand, ToTarget, Turni
from scoring.sides import Adjustment, Held, SideCounts
from scoring.store.state import CardSource, DraftCard, DraftDoubt, DraftUnread, LedgerEntry, PhotoRef, Point
from scoring.vp import dump_vp_table, vp_table_from

SCHEMA = 1

Payload = Mapping[str, Any]


class EventKind(StrEnum):
    """Everything that can happen to a match."""

    MATCH_CREATED = "match_created"
    RENAMED = "renamed"
    MATCH_DELETED = "match_deleted"
    PHOTO_ATTACHED = "photo_attached"
    CARD_CHANGED = "card_changed"
    CARD_ADDED = "card_added"
    CARDS_ADDED = "cards_added"
    CARD_REMOVED = "card_removed"
    CARD_MOVED = "card_moved"
    MELD_REORDERED = "meld_reordered"
    MELD_SPLIT = "meld_split"
    MELDS_JOINED = "melds_joined"
    MELD_ADDED = "meld_added"
    MELD_REMOVED = "meld_removed"
    TWIN_KEPT = "twin_kept"
    READING_KEPT = "reading_kept"
    GROUP_ASSIGNED = "group_assigned"
    PILE_MARKED = "pile_marked"
    UNREAD_DISMISSED = "unread_dismissed"
    SUMS_ENTERED = "sums_entered"
    COUNTS_ENTERED = "counts_entered"
    NOTHING_LAID = "nothing_laid"
    SIDE_CLEARED = "side_cleared"
    CLOSED_ANSWERED = "closed_answered"
    POZZETTO_ANSWERED = "pozzetto_answered"
    HANDS_ANSWERED = "hands_answered"
    SEATING_ANSWERED = "seating_answered"
    DISCARD_ANSWERED = "discard_answered"
    PENALISED_ANSWERED = "penalised_answered"
    ADJUSTED = "adjusted"
    DEALER_ANSWERED = "dealer_answered"
    SIDE_AGREED = "side_agreed"
    SMAZZATA_CONFIRMED = "smazzata_confirmed"
    UNDONE = "undone"
    REDONE = "redone"


NOT_EDITS = frozenset(
    {
        EventKind.MATCH_CREATED,
        EventKind.RENAMED,
        EventKind.MATCH_DELETED,
        EventKind.SMAZZATA_CONFIRMED,
        EventKind.UNDONE,
        EventKind.REDONE,
    }
)


@dataclass(frozen=True, slots=True)
class Event:
    """One event of one match; `seq` counts from 1 without gaps and is the only order there is."""

    match_id: str
    seq: int
    command_id: str
    device: str
    at: str
    kind: EventKind
    payload: Payload
    schema: int = SCHEMA

    @property
    def is_edit(self) -> bool:
        """Tell whether this edits an open smazzata (and so can be undone by the device that made it)."""
        return self.kind not in NOT_EDITS

    @property
    def smazzata(self) -> int:
        """Number of the smazzata it belongs to (0: the match as a whole)."""
        return int(self.payload.get("smazzata", 0))


_OF_THE_SMAZZATA = (
    EventKind.CLOSED_ANSWERED,
    EventKind.SEATING_ANSWERED,
    EventKind.DISCARD_ANSWERED,
    EventKind.DEALER_ANSWERED,
)
_OF_A_SIDE = (
    EventKind.POZZETTO_ANSWERED,
    EventKind.HANDS_ANSWERED,
    EventKind.PENALISED_ANSWERED,
    EventKind.ADJUSTED,
    EventKind.SIDE_AGREED,
)
WHOLE_SIDE = (
    EventKind.SUMS_ENTERED,
    EventKind.COUNTS_ENTERED,
    EventKind.NOTHING_LAID,
    EventKind.SIDE_CLEARED,
    EventKind.PHOTO_ATTACHED,
)


def touched(event: Event) -> frozenset[str]:
    """Cards and answers an event changes; two events are in each other's way where these meet."""
    payload = event.payload
    keys = {str(c) for c in payload.get("card_ids", ())}
    keys.update(str(payload[key]) for key in ("card_id", "unread_id") if key in payload)
    if "card" in payload:
        keys.add(str(payload["card"]["id"]))
    for meld in payload.get("melds", ()):
        keys.update(str(lying["id"]) for lying in (*meld["cards"], *meld.get("unread", ())))
    keys.update(str(card["id"]) for card in payload.get("loose", ()))
    keys.update(str(card["id"]) for card in payload.get("cards", ()))
    if event.kind in _OF_THE_SMAZZATA:
        keys.add(event.kind.value)
    if event.kind in _OF_A_SIDE:
        keys.add(f"{event.kind}:{payload['side']}")
    if event.kind in WHOLE_SIDE:
        keys.add(f"side:{payload['side']}")
    return frozenset(keys)


def _corners_to_json(corners: Iterable[Point]) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in corners]


def _corners_from_json(points: Sequence[Sequence[float]]) -> tuple[Point, ...]:
    """The corners of a card; an event that was tampered with may have others than four."""
    corners = tuple((float(x), float(y)) for x, y in points)
    if len(corners) != 4:
        raise ValueError(f"a card has four corners, not {len(corners)}")
    return corners


def card_to_json(card: DraftCard) -> dict[str, Any]:
    """A draft card as JSON; corners in photo pixels, rounded to a tenth."""
    return {
        "id": card.id,
        "card": str(card.card),
        "source": card.source.value,
        "p": round(card.probability, 4),
        "quad": _corners_to_json(card.quad) if card.quad else None,
        "alternatives": [[str(c), round(p, 4)] for c, p in card.alternatives],
        "photo": card.photo,
    } | ({"crosswise": True} if card.crosswise else {})


def card_from_json(data: Mapping[str, Any]) -> DraftCard:
    """The inverse of `card_to_json`."""
    quad = data.get("quad")
    return DraftCard(
        id=str(data["id"]),
        card=Card.parse(data["card"]),
        source=CardSource(data.get("source", "user")),
        probability=float(data.get("p", 1.0)),
        quad=_corners_from_json(quad) if quad else None,
        alternatives=tuple((Card.parse(c), float(p)) for c, p in data.get("alternatives", ())),
        photo=data.get("photo"),
        crosswise=bool(data.get("crosswise")),
    )


def doubt_to_json(doubt: DraftDoubt) -> dict[str, Any]:
    """A doubt as JSON."""
    return {
        "card_id": doubt.card_id,
        "alternatives": [str(c) for c in doubt.alternatives],
        "points": doubt.points_at_stake,
    }


def doubt_from_json(data: Mapping[str, Any]) -> DraftDoubt:
    """The inverse of `doubt_to_json`."""
    return DraftDoubt(str(data["card_id"]), tuple(Card.parse(c) for c in data["alternatives"]), int(data["points"]))


def unread_to_json(unread: DraftUnread) -> dict[str, Any]:
    """Where a card lies that could not be read, as JSON; corners in photo pixels, rounded to a tenth."""
    return {
        "id": unread.id,
        "quad": _corners_to_json(unread.quad),
        "photo": unread.photo,
        "alternatives": [str(card) for card in unread.alternatives],
        "points": unread.points_at_stake,
    }


def unread_from_json(data: Mapping[str, Any]) -> DraftUnread:
    """The inverse of `unread_to_json`."""
    alternatives = tuple(Card.parse(card) for card in data["alternatives"])
    corners = _corners_from_json(data["quad"])
    return DraftUnread(str(data["id"]), corners, str(data["photo"]), alternatives, int(data["points"]))


def held_to_json(held: Held) -> dict[str, Any]:
    """What a hand or a pozzetto held, as cards or as a sum."""
    if held.points is not None:
        return {"points": held.points}
    return {"cards": [str(card) for card in held.cards]}


def held_from_json(data: Mapping[str, Any]) -> Held:
    """The inverse of `held_to_json`."""
    if "cards" in data:
        return Held(cards=parse_cards(" ".join(data["cards"])))
    return Held(points=int(data["points"]))


def photo_to_json(photo: PhotoRef | None) -> dict[str, Any]:
    """The photo that an event brings, as fields of its payload; none where it brings none."""
    return {"photo": photo.sha256, "size_wh": list(photo.size_wh)} if photo else {}


def photo_from_json(payload: Payload) -> PhotoRef | None:
    """The inverse of `photo_to_json`."""
    if "photo" not in payload:
        return None
    width, height = payload["size_wh"]
    return PhotoRef(str(payload["photo"]), (int(width), int(height)))


def counts_to_json(counts: SideCounts) -> dict[str, Any]:
    """What was counted instead of read: rows of card value, of a heap's points, and of class, each with its number."""
    heaps = {"heaps": [list(row) for row in counts.heaps]} if counts.heaps else {}
    return {
        "cards": [list(row) for row in counts.cards_by_value],
        "burrachi": [[classe.value, count] for classe, count in counts.burrachi],
        **heaps,
    }


def counts_from_json(data: Mapping[str, Any]) -> SideCounts:
    """The inverse of `counts_to_json`."""
    cards, heaps = (tuple((int(value), int(count)) for value, count in data.get(key, ())) for key in ("cards", "heaps"))
    return SideCounts(cards, tuple((BurracoClass(key), int(count)) for key, count in data["burrachi"]), heaps)


def ledger_to_json(entries: Iterable[LedgerEntry]) -> list[list[str | int]]:
    """A signed ledger as rows of reason, points, cards, text."""
    return [[entry.reason, entry.points, entry.cards, entry.text] for entry in entries]


def ledger_from_json(rows: Sequence[Sequence[Any]]) -> tuple[LedgerEntry, ...]:
    """The inverse of `ledger_to_json`; rows of older programs have no text."""
    return tuple(LedgerEntry(str(row[0]), int(row[1]), str(row[2]), *map(str, row[3:4])) for row in rows)


def adjustments_to_json(adjustments: Iterable[Adjustment]) -> list[list[str | int]]:
    """What a referee decided, as rows of points and reason."""
    return [[adjustment.points, adjustment.reason] for adjustment in adjustments]


def adjustments_from_json(rows: Sequence[Sequence[Any]]) -> tuple[Adjustment, ...]:
    """The inverse of `adjustments_to_json`."""
    return tuple(Adjustment(int(points), str(reason)) for points, reason in rows)


def goal_to_json(goal: Goal) -> dict[str, Any]:
    """What a match is played to, with the very table of its Victory Points."""
    match goal:
        case ToTarget(target):
            return {"kind": "target", "target": target}
        case OneHand(draw):
            return {"kind": "one_hand", "draw": draw}
        case Turni(turni, table, draw):
            return {"kind": "turni", "turni": turni, "table": dump_vp_table(table), "draw": draw}


def goal_from_json(data: Mapping[str, Any]) -> Goal:
    """The inverse of `goal_to_json`."""
    if data["kind"] == "target":
        return ToTarget(int(data["target"]))
    if data["kind"] == "one_hand":
        return OneHand(bool(data["draw"]))
    return Turni(int(data["turni"]), vp_table_from(data["table"]), bool(data.get("draw", True)))
