"""What a person can do to a match: one small value per action, sent to `Services.apply`."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.cards import Card
from scoring.sides import Adjustment, End, Held, Pozzetto
from scoring.store.state import Closed, GroupRole, PhotoRef


@dataclass(frozen=True, slots=True)
class ChangeCard:
    """Say what a card really is."""

    card_id: str
    card: Card


@dataclass(frozen=True, slots=True)
class AddCard:
    """Put a card that was not seen into a meld (at the end, or before place `at`), or among the loose cards (None)."""

    side: int
    meld_id: str | None
    card: Card
    at: int | None = None
    photo: str | None = None
    quad: tuple[tuple[float, float], ...] | None = None


@dataclass(frozen=True, slots=True)
class NameUnread:
    """Say which card it is that could not be read: it is laid where it lies, in the meld it lies at."""

    unread_id: str
    card: Card


@dataclass(frozen=True, slots=True)
class DismissUnread:
    """Say that what could not be read is no card."""

    unread_id: str


@dataclass(frozen=True, slots=True)
class AddCards:
    """Add several cards at the end of a meld at once, such as those that lie covered under a pile; None means loose."""

    side: int
    meld_id: str | None
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class RemoveCard:
    """Take a card away: it is not on the table."""

    card_id: str


@dataclass(frozen=True, slots=True)
class MoveCard:
    """Move a card to another meld of its side (or within its own), to place `at` or the end; None means loose."""

    card_id: str
    meld_id: str | None
    at: int | None = None


@dataclass(frozen=True, slots=True)
class ReorderMeld:
    """Give a meld's cards a new order; `card_ids` names each of them once."""

    meld_id: str
    card_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SplitMeld:
    """Cut a meld in two before place `at`."""

    meld_id: str
    at: int


@dataclass(frozen=True, slots=True)
class JoinMelds:
    """Append the second meld's cards to the first."""

    meld_id: str
    other_id: str


@dataclass(frozen=True, slots=True)
class AddMeld:
    """Lay a meld by hand, or out of cards already there (`card_ids`), such as loose ones.

    `pile`: they lie on a squared pile, and it is asked which cards they cover.
    """

    side: int
    cards: tuple[Card, ...] = ()
    card_ids: tuple[str, ...] = ()
    pile: bool = False


@dataclass(frozen=True, slots=True)
class RemoveMeld:
    """Take a whole meld away, such as the twin that a second photo showed again."""

    meld_id: str


@dataclass(frozen=True, slots=True)
class KeepTwin:
    """Say that a meld that looks like another one really lies on the table beside it."""

    meld_id: str


@dataclass(frozen=True, slots=True)
class KeepReading:
    """Say that a meld counts as it lies, though it can be read otherwise; asked again once it lies otherwise."""

    meld_id: str


@dataclass(frozen=True, slots=True)
class AssignGroup:
    """Say what a group on a side's photo is, and whose (None: of that side); without `meld_id` all its loose cards."""

    side: int
    role: GroupRole
    meld_id: str | None = None
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class MarkPile:
    """Say that a meld is a squared pile, so that it is asked which cards lie covered; or that it is none."""

    meld_id: str
    pile: bool = True


@dataclass(frozen=True, slots=True)
class EnterSums:
    """Enter a side without a photo: the points of its laid cards and of its burrachi."""

    side: int
    card_points: int
    bonus_points: int


@dataclass(frozen=True, slots=True)
class EnterCounts:
    """Enter a side without a photo, counted: how many burrachi of each class, how many cards of each value.

    `heaps` are (points, how many) of several cards piled up: heaps of a hundred, the rest of one, or one sum of all.
    """

    side: int
    burrachi: tuple[tuple[str, int], ...] = ()
    cards_by_value: tuple[tuple[int, int], ...] = ()
    heaps: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class NothingLaid:
    """Say that a side laid no meld at all."""

    side: int


@dataclass(frozen=True, slots=True)
class ClearSide:
    """Forget photos, melds and sums of a side; its answers stay."""

    side: int


@dataclass(frozen=True, slots=True)
class AnswerClosed:
    """Say who closed, and how it ended: with the bonus or without, by the stock, by time (None: nobody said).

    `player` is who of the side closed, by place in it, where that is known.
    """

    closed: Closed
    end: End | None = None
    player: int | None = None


@dataclass(frozen=True, slots=True)
class AnswerDiscard:
    """Say which card the closing side put down last, or that it laid its last card and put down none."""

    card: Card | None
    laid_last: bool = False


@dataclass(frozen=True, slots=True)
class AnswerSeating:
    """Say who took the large pozzetto and so plays alone, first, and who plays with whom: numbers of the names."""

    seating: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class AnswerPozzetto:
    """Say whether a side took its pozzetto and played it; `held` are its cards where it was not played.

    `player` is who took one that was not played, by place in the side: nothing else is left in that hand. `photo`
    shows these cards, where they were read from one.
    """

    side: int
    pozzetto: Pozzetto
    held: Held | None = None
    player: int | None = None
    photo: PhotoRef | None = None


@dataclass(frozen=True, slots=True)
class AnswerHands:
    """Say what a side still held: one value for both partners together, or one for each.

    `players` names whose each is, by place in the side; without it they are all the side holds. `photo` shows cards
    of them, where they were read from one.
    """

    side: int
    hands: tuple[Held, ...]
    players: tuple[int, ...] = ()
    photo: PhotoRef | None = None


@dataclass(frozen=True, slots=True)
class AnswerPenalised:
    """Say which cards a referee counts against a side; None takes it back. `photo` shows them, if one does."""

    side: int
    held: Held | None
    photo: PhotoRef | None = None


@dataclass(frozen=True, slots=True)
class Adjust:
    """Give or take points for a reason; these are all the adjustments of the side."""

    side: int
    adjustments: tuple[Adjustment, ...]


@dataclass(frozen=True, slots=True)
class Rename:
    """Give the sides (or players) other names."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswerDealer:
    """Say who deals this smazzata: a place in the order round the table; from there it passes clockwise."""

    dealer: int


@dataclass(frozen=True, slots=True)
class Confirm:
    """Confirm the smazzata; `anyway` takes reported faults knowingly (never missing answers).

    `side` says for whom: where all sides must confirm, the smazzata waits until the last of them has.
    """

    anyway: bool = False
    side: int | None = None


@dataclass(frozen=True, slots=True)
class UndoConfirmation:
    """Open the last confirmed smazzata again."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back this device's last edit of the open smazzata."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Do again what this device's last undo (of an edit or of a confirmation) took back."""


@dataclass(frozen=True, slots=True)
class DeleteMatch:
    """Take the match out of the list; its events stay."""


@dataclass(frozen=True, slots=True)
class UndoDeletion:
    """Put a deleted match back into the list."""


Corrections = (
    ChangeCard
    | AddCard
    | NameUnread
    | DismissUnread
    | AddCards
    | RemoveCard
    | MoveCard
    | ReorderMeld
    | SplitMeld
    | JoinMelds
    | AddMeld
    | RemoveMeld
    | KeepTwin
    | KeepReading
    | AssignGroup
    | MarkPile
)
"""What mends a reading (counted, to see how much there was to mend)."""

Command = (
    Corrections
    | EnterSums
    | EnterCounts
    | NothingLaid
    | ClearSide
    | AnswerClosed
    | AnswerPozzetto
    | AnswerHands
    | AnswerDiscard
    | AnswerSeating
    | AnswerPenalised
    | Adjust
    | AnswerDealer
    | Rename
    | Confirm
    | UndoConfirmation
    | Undo
    | Redo
    | DeleteMatch
    | UndoDeletion
)
