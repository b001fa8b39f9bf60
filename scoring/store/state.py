"""What a match looks like now: plain values that the fold of its events produces."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from scoring.cards import Card
from scoring.formato import Formato, Points, Seating
from scoring.match import Goal
from scoring.sections import Rounding
from scoring.sides import Adjustment, End, Held, Pozzetto, SideCounts

Point = tuple[float, float]


class CardSource(StrEnum):
    """Where a card on the sheet comes from; the same words as the reading uses."""

    SEEN = "seen"
    INFERRED = "inferred"
    USER = "user"


class Closed(StrEnum):
    """Who closed the smazzata; the value of a side is its place (0 to 4)."""

    SIDE_0 = "0"
    SIDE_1 = "1"
    SIDE_2 = "2"
    SIDE_3 = "3"
    SIDE_4 = "4"
    NOBODY = "nobody"

    def is_side(self, side: int) -> bool:
        """Tell whether this side closed."""
        return self.value == str(side)


class GroupRole(StrEnum):
    """What a group of cards on a photo is: a side's meld, what it holds, its pozzetto not played, or none of these."""

    LAID = "laid"
    HAND = "hand"
    POZZETTO = "pozzetto"
    DISCARDS = "discards"
    IGNORED = "ignored"

    @property
    def owned(self) -> bool:
        """Whether it belongs to a side."""
        return self in (GroupRole.LAID, GroupRole.HAND, GroupRole.POZZETTO)


class AttachMode(StrEnum):
    """Whether a further photo of a side takes the place of what lies there or is added to it."""

    REPLACE = "replace"
    ADD = "add"


@dataclass(frozen=True, slots=True)
class DraftCard:
    """One card of a side as it stands now; `quad` are its corners in photo pixels where a photo showed it.

    `crosswise` tells that it lies at right angles to its meld, as players mark the class of a burraco.
    """

    id: str
    card: Card
    source: CardSource = CardSource.USER
    probability: float = 1.0
    quad: tuple[Point, ...] | None = None
    alternatives: tuple[tuple[Card, float], ...] = ()
    photo: str | None = None
    crosswise: bool = False


@dataclass(frozen=True, slots=True)
class DraftUnread:
    """Something on a photo that is probably a card of its meld and could not be read; `quad` is where, in its pixels.

    `alternatives` are the cards it looks most like, with the points at stake.
    """

    id: str
    quad: tuple[Point, ...]
    photo: str
    alternatives: tuple[Card, ...]
    points_at_stake: int


@dataclass(frozen=True, slots=True)
class DraftMeld:
    """Cards that lie together, in laid order; `twin_of` names a meld that a second photo probably shows again.

    `role` says what they are, `owner` whose: None is the side whose photo shows them. `pile` marks a squared pile,
    whose covered cards no photo shows. `unread` are those of which nobody has said yet what they are. `kept` are the
    cards as they lay when a person said that they count so.
    """

    id: str
    cards: tuple[DraftCard, ...]
    twin_of: str | None = None
    role: GroupRole = GroupRole.LAID
    owner: int | None = None
    pile: bool = False
    unread: tuple[DraftUnread, ...] = ()
    kept: str = ""


@dataclass(frozen=True, slots=True)
class DraftDoubt:
    """A question about one card that can change the score: its alternatives and the points at stake."""

    card_id: str
    alternatives: tuple[Card, ...]
    points_at_stake: int


@dataclass(frozen=True, slots=True)
class PhotoRef:
    """A photo of a side, or of cards it held: content hash and upright size in pixels."""

    sha256: str
    size_wh: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Sums:
    """A side entered without a photo: card points and bonus points as two sums."""

    card_points: int
    bonus_points: int


@dataclass(frozen=True, slots=True)
class SideDraft:
    """All that is known of one side of a smazzata; None marks what nobody has answered yet.

    `hands_of` names the player of each of `hands` by place in the side, empty where one answer is for all together;
    `pozzetto_by` is the player who took a pozzetto that was not played, where somebody said so. `held_photos` show
    cards that were held, as answers were read from them.
    """

    photos: tuple[PhotoRef, ...] = ()
    melds: tuple[DraftMeld, ...] = ()
    loose: tuple[DraftCard, ...] = ()
    doubts: tuple[DraftDoubt, ...] = ()
    sums: Sums | None = None
    counts: SideCounts | None = None
    nothing_laid: bool = False
    pozzetto: Pozzetto | None = None
    pozzetto_held: Held | None = None
    pozzetto_by: int | None = None
    hands: tuple[Held, ...] | None = None
    hands_of: tuple[int, ...] = ()
    penalised: Held | None = None
    adjustments: tuple[Adjustment, ...] = ()
    held_photos: tuple[PhotoRef, ...] = ()

    @property
    def all_photos(self) -> tuple[PhotoRef, ...]:
        """Every photo that belongs to this side of the smazzata."""
        return self.photos + self.held_photos

    @property
    def entered(self) -> bool:
        """Tell whether anything says what this side laid."""
        return bool(self.photos or self.melds or self.loose or self.sums or self.counts or self.nothing_laid)


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One line of a confirmed score as it was signed: reason code, points, the cards, what was written about it."""

    reason: str
    points: int
    cards: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What was confirmed: the event's seq, the ledgers of that moment, and which faults were taken knowingly.

    `seating` says which parties each side was, `points` what each party got (a pair's total may be halved).
    """

    seq: int
    at: str
    device: str
    ledgers: tuple[tuple[LedgerEntry, ...], ...]
    base: tuple[int, ...]
    carte: tuple[int, ...]
    despite: tuple[str, ...]
    program: str
    seating: Seating
    points: tuple[Points, ...]

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of the sides: the sums of their ledgers."""
        return tuple(sum(entry.points for entry in ledger) for ledger in self.ledgers)


@dataclass(frozen=True, slots=True)
class SmazzataState:
    """One smazzata: the drafts of its sides, who closed and how, and its confirmation once there is one.

    `seating` says which parties sit together; None where the formato lets pairs change and nobody has said yet.
    `closer` is who of the closing side closed, by place in it, where somebody said so.
    `agreed` holds the sides that agreed, each with the fingerprint of the account it agreed to; `dealer` is the place
    (in the order of play) of who deals, where somebody said so of this smazzata.
    """

    number: int
    sides: tuple[SideDraft, ...] = (SideDraft(), SideDraft())
    closed: Closed | None = None
    closer: int | None = None
    end: End | None = None
    last_discard: Card | None = None
    laid_last: bool = False
    seating: Seating | None = None
    agreed: tuple[tuple[int, str], ...] = ()
    dealer: int | None = None
    confirmed: Confirmation | None = None

    def groups(self, place: int, role: GroupRole) -> tuple[DraftMeld, ...]:
        """The groups that are a side's in this role, whichever side's photo shows them."""
        return tuple(
            group
            for home, side in enumerate(self.sides)
            for group in side.melds
            if group.role is role and (home if group.owner is None else group.owner) == place
        )

    def entered(self, place: int) -> bool:
        """Tell whether anything says what a side laid: its own photo or numbers, or another side's photo."""
        return self.sides[place].entered or bool(self.groups(place, GroupRole.LAID))

    def holders(self, place: int, players: int) -> tuple[int, ...]:
        """Those of a side's `players` who may hold cards: not who closed, nor who never played the pozzetto it took."""
        side = self.padded(place + 1).sides[place]
        closer = self.closer if self.closed is not None and self.closed.is_side(place) else None
        taker = side.pozzetto_by if side.pozzetto is Pozzetto.NOT_PLAYED else None
        return tuple(player for player in range(players) if player not in (closer, taker))

    def with_side(self, place: int, side: SideDraft) -> SmazzataState:
        """The same with another draft of one side; sides that were not there yet are empty."""
        sides = self.padded(place + 1).sides
        return replace(self, sides=(*sides[:place], side, *sides[place + 1 :]))

    def padded(self, count: int) -> SmazzataState:
        """The same with at least so many sides."""
        return replace(self, sides=self.sides + (SideDraft(),) * (count - len(self.sides)))


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match after `seq` events; `smazzate` ends with the one being played.

    `names` are those whose points are counted: the sides, or each player where pairs change from smazzata to smazzata.
    With `both_confirm` a smazzata counts only once every side has agreed to it.
    """

    id: str
    seq: int
    names: tuple[str, ...]
    players: tuple[tuple[str, ...], ...]
    regolamento: str
    regolamento_text: str
    formato: Formato
    goal: Goal
    rounding: Rounding | None
    created_at: str
    updated_at: str
    smazzate: tuple[SmazzataState, ...]
    both_confirm: bool = False
    deleted: bool = False

    @property
    def current(self) -> SmazzataState:
        """The smazzata being entered: the first that is not confirmed."""
        return next(s for s in self.smazzate if s.confirmed is None)

    @property
    def confirmed(self) -> tuple[SmazzataState, ...]:
        """The confirmed smazzate, oldest first."""
        return tuple(s for s in self.smazzate if s.confirmed is not None)

    @property
    def points(self) -> tuple[tuple[Points, ...], ...]:
        """What each party got in every confirmed smazzata."""
        return tuple(s.confirmed.points for s in self.smazzate if s.confirmed is not None)

    @property
    def table_order(self) -> tuple[str, ...]:
        """Who sits round the table, clockwise: the players where all are named, else those whose points count."""
        if self.players and all(len(side) == len(self.players[0]) > 0 for side in self.players):
            return tuple(player for round_ in zip(*self.players, strict=True) for player in round_)
        return self.names

    @property
    def dealer(self) -> int | None:
        """Place in `table_order` of who deals the open smazzata: the last one named, and one further each time."""
        for smazzata in reversed([s for s in self.smazzate if s.number <= self.current.number]):
            if smazzata.dealer is not None:
                return (smazzata.dealer + self.current.number - smazzata.number) % len(self.table_order)
        return None

    @property
    def totals(self) -> tuple[Points, ...]:
        """What each party has so far."""
        return tuple(sum(got) for got in zip(*self.points, strict=True)) or (0,) * len(self.names)
