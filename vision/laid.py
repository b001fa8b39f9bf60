"""The laid melds, remembered: what the table's cards are before the smazzata ends, and nothing of what players hold.

A meld stays as it was while its cards are out of sight of the rules (a misread card makes no meld vanish), and a
burraco that is squared stays the meld it was while a card is seen at its place; should none be seen there for a while
(an arm that rests on it), it is remembered until one of its own is seen there again, or the table is bare.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from scoring.cards import FACES
from scoring.meld import read_meld
from vision.layout import Group, Role, Shape
from vision.outline import Outline
from vision.reading import read_table
from vision.table import MeldSeen, ReadCard, quad_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from numpy.typing import NDArray

    from scoring.cards import Card
    from scoring.regolamento import Regolamento
    from vision.cards import SeenCard

    Doubles = NDArray[np.float64]

LEAST_CARDS: Final = 3


class ChangeKind(StrEnum):
    """What happened to a meld."""

    LAID = "laid"
    CARDS = "cards"
    SQUARED = "squared"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that happened: to which meld (its number), and which cards it has now."""

    kind: ChangeKind
    meld: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class LaidMeld:
    """A meld on the table, in pixels of the first frame; `number` stays its own, `squared`: its cards are one pile."""

    number: int
    seen: MeldSeen
    squared: bool = False

    @property
    def faces(self) -> tuple[Card, ...]:
        """The names alone."""
        return self.seen.faces


@dataclass(frozen=True, slots=True)
class LaidTuning:
    """Lengths in card widths, times in frames that were read."""

    burraco: int = 7
    border: float = 0.15
    fan_border: float = 1.5
    near_held: float = 1.2
    same_place: float = 0.45
    mostly: float = 0.6
    pile_reach: float = 0.6
    wait: int = 4
    thin: int = 8
    sure_addition: float = 0.9


class LaidMelds:
    """Keeps the melds of one smazzata from frame to frame."""

    def __init__(self, regolamento: Regolamento, tuning: LaidTuning | None = None) -> None:
        self._regolamento, self._tuning = regolamento, tuning or LaidTuning()
        self.melds: tuple[LaidMeld, ...] = ()
        self._waiting: tuple[object, int] = (None, 0)
        self._away: dict[int, LaidMeld] = {}
        self._thin: Counter[int] = Counter()
        self._next = 1

    def see(
        self, groups: Sequence[Group], frame: Doubles, unsettled: bool, covered: Collection[int] = ()
    ) -> tuple[Change, ...]:
        """Take in what lies on the table now; `frame` (4, 2) is the border of the camera's picture on the table,
        `covered` the indices whose place looks otherwise now: they keep a meld, and make none.

        A new state counts once two frames agree on it, and nothing on the table is about to change.
        """
        found = self._after(groups, frame, covered)
        if _key(found) == _key(self.melds):
            self._settle(found, self._away.values())
            return ()
        times = self._waiting[1] + 1 if self._waiting[0] == _key(found) else 1
        self._waiting = (_key(found), times)
        if times < (self._tuning.wait if unsettled else 2):
            return ()
        changes = tuple(_changes(self.melds, found))
        self._settle(found, [*self._away.values(), *(meld for meld in self.melds if meld.squared)] if groups else [])
        self._next = max([self._next, *(meld.number + 1 for meld in found)])
        return changes

    def _settle(self, found: tuple[LaidMeld, ...], piles: Iterable[LaidMeld]) -> None:
        """Take `found` as the melds of now, and remember the squared ones that are not among them."""
        here = {meld.number for meld in found}
        self._away = {pile.number: pile for pile in piles if pile.number not in here}
        self.melds, self._waiting = found, (None, 0)

    def doubt(self) -> None:
        """The table looks like another: a squared burraco stays only if one of its own cards is seen at its place."""
        self._away |= {meld.number: meld for meld in self.melds if meld.squared}

    @property
    def waiting(self) -> bool:
        """Whether another state than the known one was seen and is not yet sure."""
        return self._waiting[1] > 0

    def _after(self, groups: Sequence[Group], frame: Doubles, covered: Collection[int]) -> tuple[LaidMeld, ...]:
        """The melds as they would be now."""
        cards = [card for group in groups for card in group.cards]
        known = [meld for meld in self.melds if meld.squared and meld.number not in self._away]
        squared = (self._pile(meld, cards) for meld in known)
        back = (self._pile(meld, cards) for meld in self._away.values() if self._top(meld, cards) is not None)
        piles = [pile for pile in (*squared, *back) if pile is not None]
        kept: dict[int, LaidMeld] = {pile.number: pile for pile in piles}
        new = self._new_melds([_uncovered(group, covered) for group in groups], frame, piles)
        partner = _partners([m for m in self.melds if not m.squared], new)
        for meld in self.melds:
            if meld.squared:
                continue
            after = partner.pop(meld.number, None)
            kept_on = self._carried(meld, after, cards)
            if kept_on is not None:
                kept[meld.number] = kept_on
                new = [other for other in new if other is not after]
        number = self._next
        melds = sorted(kept.values(), key=lambda meld: meld.number)
        for seen in new:
            if not any(_inside_of(seen, meld, self._tuning.same_place) for meld in melds):
                melds.append(LaidMeld(number, seen))
                number += 1
        return tuple(melds)

    def _new_melds(self, groups: Sequence[Group], frame: Doubles, piles: Sequence[LaidMeld]) -> list[MeldSeen]:
        """Groups that lie as legal melds and are neither held nor the pile of a burraco."""
        held = [card for group in groups if self._held(group, frame) for card in group.cards]
        laid = [
            group
            for group in groups
            if group.role is Role.MELD
            and not self._held(group, frame)
            and not any(self._near_held(card, held) for card in group.cards)
            and not any(_in_pile(card, pile, self._tuning.pile_reach) for card in group.cards for pile in piles)
        ]
        for _ in range(2):  # the second time without those that are none, whose cards would count as copies
            reading = read_table(laid, self._regolamento)
            legal = [read_meld(meld.faces, self._regolamento).legal for meld in reading.melds]
            if all(legal):
                return list(reading.melds)
            laid = [group for group, good in zip(laid, legal, strict=True) if good]
        return [meld for meld in reading.melds if read_meld(meld.faces, self._regolamento).legal]

    def _held(self, group: Group, frame: Doubles) -> bool:
        """Whether a group is a hand: cards that reach over the border of the picture, or a fan near it."""
        if group.role is not Role.MELD:
            return False
        tuning = self._tuning
        gaps = [_gap_to_border(card, frame) for card in group.cards]
        over = sum(gap < -tuning.border for gap in gaps)
        return over * 2 >= len(gaps) or (group.shape is Shape.FAN and min(gaps) < tuning.fan_border)

    def _near_held(self, card: SeenCard, held: Sequence[SeenCard]) -> bool:
        return any(_apart(card, other) < self._tuning.near_held for other in held)

    def _pile(self, meld: LaidMeld, cards: Sequence[SeenCard]) -> LaidMeld | None:
        """A squared burraco now: gone where no card lies at its place, longer where one was laid to it."""
        here = [card for card in cards if _in_pile(card, meld, self._tuning.pile_reach)]
        if not here:
            return None
        for card in here:
            face, sure = FACES[card.best], float(np.exp(card.log_probs[card.best]))
            faces = (*meld.faces, face)
            if face in meld.faces or sure < self._tuning.sure_addition:
                continue
            for order in (faces, (face, *meld.faces)):
                if read_meld(order, self._regolamento).legal:
                    added = ReadCard(face, quad_of(card.quad), sure)
                    cards_now = (*meld.seen.cards, added) if order is faces else (added, *meld.seen.cards)
                    return replace(meld, seen=replace(meld.seen, cards=cards_now))
        return meld

    def _carried(self, meld: LaidMeld, after: MeldSeen | None, cards: Sequence[SeenCard]) -> LaidMeld | None:
        """What a meld that was not squared has become."""
        if after is not None and len(after.cards) >= len(meld.seen.cards):
            return replace(meld, seen=after)
        near = self._tuning.same_place
        there = [card for card in meld.seen.cards if any(_same(card, other, near) for other in cards)]
        if len(meld.seen.cards) >= self._tuning.burraco:
            return self._shrunk_burraco(meld, after, len(there), cards)
        self._thin[meld.number] = self._thin[meld.number] + 1 if after is None and len(there) < LEAST_CARDS else 0
        if self._thin[meld.number] > self._tuning.thin:
            return None
        if len(there) >= self._tuning.mostly * len(meld.seen.cards):
            return meld if after is None or len(there) > len(after.cards) else replace(meld, seen=after)
        return None if after is None else replace(meld, seen=after)

    def _shrunk_burraco(
        self, meld: LaidMeld, after: MeldSeen | None, there: int, cards: Sequence[SeenCard]
    ) -> LaidMeld | None:
        """A burraco of which fewer cards are seen is being squared: it stays whole until it is, or until all is gone.

        One card less may be one that was never there.
        """
        count = len(meld.seen.cards)
        if after is not None and len(after.cards) == count - 1 >= self._tuning.burraco:
            return replace(meld, seen=after)
        if there >= self._tuning.mostly * count:
            return meld
        top = self._top(meld, cards)
        if top is None:
            return meld if there else None
        quad = quad_of(top.quad)
        pile = tuple(replace(card, quad=quad) for card in meld.seen.cards)
        return replace(meld, seen=MeldSeen(pile, meld.seen.crosswise), squared=True)

    def _top(self, meld: LaidMeld, cards: Sequence[SeenCard]) -> SeenCard | None:
        """A card of the meld that lies within its outline: what a squared burraco shows."""
        inside = [card for card in cards if _in_pile(card, meld, self._tuning.pile_reach)]
        return next((card for card in inside if FACES[card.best] in meld.faces), None)


def _uncovered(group: Group, covered: Collection[int]) -> Group:
    """A group without the cards that are seen by covered indices only."""
    stay = [at for at, card in enumerate(group.cards) if not covered or not set(card.indices) <= set(covered)]
    if len(stay) == len(group.cards):
        return group
    place = {at: number for number, at in enumerate(stay)}
    cards = tuple(group.cards[at] for at in stay)
    crosswise = tuple(place[at] for at in group.crosswise if at in place)
    return replace(
        group, cards=cards, crosswise=crosswise, role=group.role if len(cards) >= LEAST_CARDS else Role.LOOSE
    )


def _key(melds: Iterable[LaidMeld]) -> tuple[object, ...]:
    return tuple((meld.number, meld.squared, meld.faces) for meld in melds)


def _changes(before: Sequence[LaidMeld], now: Sequence[LaidMeld]) -> Iterable[Change]:
    were = {meld.number: meld for meld in before}
    for meld in now:
        was = were.pop(meld.number, None)
        if was is None:
            yield Change(ChangeKind.LAID, meld.number, meld.faces)
        elif meld.squared and not was.squared:
            yield Change(ChangeKind.SQUARED, meld.number, meld.faces)
        elif meld.faces != was.faces:
            yield Change(ChangeKind.CARDS, meld.number, meld.faces)
    for was in were.values():
        yield Change(ChangeKind.GONE, was.number, was.faces)


def _partners(before: Sequence[LaidMeld], now: Sequence[MeldSeen]) -> dict[int, MeldSeen]:
    """Which meld now is which from before: by how many cards they share at the same place."""
    shares = []
    for meld in before:
        for at, other in enumerate(now):
            shared = sum(any(_overlap(a, b) for b in other.cards) for a in meld.seen.cards)
            same = sum((Counter(meld.faces) & Counter(other.faces)).values())
            if shared and same * 2 >= min(len(meld.faces), len(other.faces)):
                shares.append((-(shared + same), meld.number, at))
    partner: dict[int, MeldSeen] = {}
    taken: set[int] = set()
    for _, number, at in sorted(shares):
        if number not in partner and at not in taken:
            partner[number] = now[at]
            taken.add(at)
    return partner


def _overlap(one: ReadCard, other: ReadCard) -> bool:
    a, b = Outline.of(one.quad), Outline.of(other.quad)
    return bool(np.abs(a.shares(b.centre)).max() < 0.5)


def _same(card: ReadCard, seen: SeenCard, near: float) -> bool:
    """Whether a card is still seen: the same name, or one of its indices, at its place."""
    outline = Outline.of(card.quad)
    return FACES[seen.best] == card.card and bool(np.abs(outline.shares(seen.outline.centre)).max() < near)


def _inside_of(seen: MeldSeen, meld: LaidMeld, near: float) -> bool:
    """Whether most cards of a group lie where a kept meld's cards lie."""
    outlines = [Outline.of(card.quad) for card in meld.seen.cards]
    inside = [any(np.abs(o.shares(Outline.of(c.quad).centre)).max() < near for o in outlines) for c in seen.cards]
    return sum(inside) * 2 >= len(inside)


def _in_pile(card: SeenCard, meld: LaidMeld, reach: float) -> bool:
    """Whether a card lies within a meld's outline, a little beyond included."""
    centre = card.outline.centre
    return any(bool(np.abs(Outline.of(c.quad).shares(centre)).max() < reach) for c in meld.seen.cards)


def _apart(one: SeenCard, other: SeenCard) -> float:
    width = float(np.linalg.norm(one.outline.u))
    return float(np.linalg.norm(one.outline.centre - other.outline.centre)) / max(width, 1e-6)


def _gap_to_border(card: SeenCard, frame: Doubles) -> float:
    """How far a card's outermost corner is inside the picture, in card widths; negative beyond its border."""
    edges = np.roll(frame, -1, axis=0) - frame
    inward = np.stack([-edges[:, 1], edges[:, 0]], axis=1)
    inward /= np.maximum(np.linalg.norm(inward, axis=1, keepdims=True), 1e-6)
    gaps = ((card.quad[:, None].astype(np.float64) - frame[None]) * inward[None]).sum(axis=2)
    return float(gaps.min()) / max(float(np.linalg.norm(card.outline.u)), 1e-6)
