"""Geometry only: which cards lie together, in which order, and which of them lie crosswise.

A meld is a chain: each card overlaps the next along one of the card's own axes (columns along the length, rows and fans
along the width). Chains grow from the tightest neighbours outwards, so that a column beside another column stays apart
from it. Names play no part.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, StrEnum
from typing import TYPE_CHECKING

import numpy as np

from vision.outline import axes_of, local_shares

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.cards import SeenCard
    from vision.unread import Unread

    Doubles = NDArray[np.float64]


class Role(StrEnum):
    """What a group is: three cards or more that form a chain, or cards on their own."""

    MELD = "meld"
    LOOSE = "loose"


class Shape(StrEnum):
    """How the cards of a group follow each other."""

    SINGLE = "single"
    COLUMN = "column"
    ROW = "row"
    FAN = "fan"


class Axis(Enum):
    """The card's own axis along which two neighbours are shifted."""

    ACROSS = 0
    ALONG = 1


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that lie together, in reading order; `crosswise` are positions in `cards` of those turned by 90°, `unread`
    the cards in line with them that could not be read."""

    cards: tuple[SeenCard, ...]
    crosswise: tuple[int, ...] = ()
    role: Role = Role.LOOSE
    shape: Shape = Shape.SINGLE
    unread: tuple[Unread, ...] = ()


@dataclass(frozen=True, slots=True)
class LayoutTuning:
    """The numbers of grouping: angles in degrees, shifts in card widths (across) and heights (along)."""

    max_turn_deg: float = 25.0
    row_step: float = 0.94
    row_slip: float = 0.28
    column_step: float = 0.94
    column_slip: float = 0.40
    uneven: float = 3.2
    least_limit: float = 0.45
    cross_turn_deg: float = 30.0
    cross_beyond: float = 1.0
    cross_slip: float = 0.75
    cross_least_chain: int = 4
    cross_most: int = 2
    fan_deg: float = 20.0
    steady_reach: float = 0.8


@dataclass(slots=True)
class _Frames:
    """Centres and axes of all cards, and for each pair the second's centre in the mean frame of both."""

    centres: Doubles
    u: Doubles
    v: Doubles
    shift: Doubles
    turn_deg: Doubles


def group_cards(cards: Sequence[SeenCard], tuning: LayoutTuning | None = None) -> list[Group]:
    """Melds first (largest first), then the loose cards one by one."""
    tuning = tuning or LayoutTuning()
    if not cards:
        return []
    cards = steadied(cards, tuning)
    frames = _frames(cards)
    chains, axes = _chains(frames, tuning)
    crossing = _crosswise(chains, axes, frames, tuning)
    taken = {card for cross in crossing.values() for card in cross}
    groups, loose = [], []
    for number, chain in enumerate(chains):
        if chain[0] in taken:
            continue
        members = chain + crossing.get(number, [])
        if len(members) < 3:
            loose += members
        else:
            groups.append(_ordered(members, axes[number], cards, frames, tuning))
    groups.sort(key=lambda group: -len(group.cards))
    return groups + [Group((cards[i],)) for i in sorted(loose)]


def steadied(cards: Sequence[SeenCard], tuning: LayoutTuning) -> list[SeenCard]:
    """The cards with steadier outlines: one seen by a single index takes the mean axes of near cards that lie as it
    does, and its centre anew from the place of its index."""
    centres, u, v = axes_of([card.quad for card in cards])
    places = np.array(
        [card.places_xy[0] if card.places_xy else centre for card, centre in zip(cards, centres, strict=True)]
    )
    angle = np.degrees(np.arctan2(v[:, 1], v[:, 0]))
    turn = np.abs((angle[:, None] - angle[None] + 90) % 180 - 90)
    widths = np.linalg.norm(u, axis=1)
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2) / np.maximum(widths, 1e-6)[:, None]
    known = np.array([len(card.places_xy) for card in cards])
    near = (gaps < tuning.steady_reach) & (turn < tuning.max_turn_deg)
    weights = near * np.exp(-gaps) * np.minimum(known, 2)[None]
    np.fill_diagonal(weights, 1.0)
    signs = weights * np.where(v @ v.T < 0, -1.0, 1.0)
    total = weights.sum(axis=1, keepdims=True)
    mean_u, mean_v = signs @ u / total, signs @ v / total
    offset = local_shares(centres - places, u, v)
    moved = places + offset[:, :1] * mean_u + offset[:, 1:] * mean_v
    out = []
    for i, card in enumerate(cards):
        if known[i] == 1:
            half_u, half_v = mean_u[i] / 2, mean_v[i] / 2
            corners = [moved[i] + x * half_u + y * half_v for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            card = replace(card, quad=np.stack(corners).astype(np.float32))
        out.append(card)
    return out


def _frames(cards: Sequence[SeenCard]) -> _Frames:
    centres, u, v = axes_of([card.quad for card in cards])
    sign = np.where(v @ v.T < 0, -1.0, 1.0)[:, :, None]
    mean_u, mean_v = (u[:, None] + sign * u[None]) / 2, (v[:, None] + sign * v[None]) / 2
    apart = centres[None] - centres[:, None]
    shift = local_shares(apart, mean_u, mean_v)
    angle = np.degrees(np.arctan2(v[:, 1], v[:, 0]))
    turn = np.abs((angle[:, None] - angle[None] + 90) % 180 - 90)
    return _Frames(centres, u, v, shift, turn)


def _preferred(frames: _Frames, tuning: LayoutTuning) -> list[Axis]:
    """The axis along which each card's neighbours follow it: near ones count more, those a little further off, where
    noise matters less, not much less."""
    across, along = np.abs(frames.shift[..., 0]), np.abs(frames.shift[..., 1])
    parallel = frames.turn_deg < tuning.max_turn_deg
    row = parallel & (across < tuning.row_step) & (along < tuning.row_slip) & (across * 0.65 >= along)
    column = parallel & (along < tuning.column_step) & (across < tuning.column_slip) & ~row
    apart = np.hypot(across * 0.65, along)
    near = np.maximum(1 - np.maximum(across / tuning.row_step, along / tuning.column_step), 0)
    weight = near * apart / (apart + 0.15)
    np.fill_diagonal(weight, 0.0)
    votes = (weight * row).sum(axis=1) - (weight * column).sum(axis=1)
    return [Axis.ACROSS if vote > 0 else Axis.ALONG for vote in votes]


def _edges(frames: _Frames, tuning: LayoutTuning) -> list[tuple[float, int, int, Axis]]:
    """Possible neighbours that prefer the same axis, the tightest first: step, first, second, axis."""
    across, along = np.abs(frames.shift[..., 0]), np.abs(frames.shift[..., 1])
    parallel = frames.turn_deg < tuning.max_turn_deg
    row = parallel & (across < tuning.row_step) & (along < tuning.row_slip)
    column = parallel & (along < tuning.column_step) & (across < tuning.column_slip)
    preferred = np.array([axis is Axis.ACROSS for axis in _preferred(frames, tuning)])
    row &= preferred[:, None] & preferred[None]
    column &= ~preferred[:, None] & ~preferred[None]
    edges = []
    for allowed, step, axis in ((row, across * 0.8, Axis.ACROSS), (column, along, Axis.ALONG)):
        first, second = np.nonzero(np.triu(allowed, 1))
        edges += [(float(step[i, j]), int(i), int(j), axis) for i, j in zip(first, second, strict=True)]
    return sorted(edges, key=lambda edge: edge[0])


def _chains(frames: _Frames, tuning: LayoutTuning) -> tuple[list[list[int]], list[Axis]]:
    """Cards joined by their tightest neighbours: one axis a card, steps not too uneven."""
    count = len(frames.centres)
    owner, axis_of = list(range(count)), dict[int, Axis]()
    members, steps = {i: [i] for i in range(count)}, {i: list[float]() for i in range(count)}
    for step, i, j, axis in _edges(frames, tuning):
        a, b = owner[i], owner[j]
        if a == b or axis_of.get(i, axis) is not axis or axis_of.get(j, axis) is not axis:
            continue
        usual = steps[a] + steps[b]
        limit = max(tuning.uneven * float(np.median(usual)), tuning.least_limit) if usual else np.inf
        if step > limit:
            continue
        axis_of[i] = axis_of[j] = axis
        steps[a] += [*steps.pop(b), step]
        for k in members[b]:
            owner[k] = a
        members[a] += members.pop(b)
    keys = sorted(members)
    return [members[key] for key in keys], [axis_of.get(members[key][0], Axis.ALONG) for key in keys]


def _crosswise(
    chains: list[list[int]], axes: list[Axis], frames: _Frames, tuning: LayoutTuning
) -> dict[int, list[int]]:
    """For each long chain, the cards turned by 90° that lie on or touch one of its ends."""
    attached: dict[int, list[int]] = {}
    short = [number for number, chain in enumerate(chains) if len(chain) <= tuning.cross_most]
    for number, chain in sorted(enumerate(chains), key=lambda item: -len(item[1])):
        if len(chain) < tuning.cross_least_chain:
            continue
        for other in list(short):
            cross = chains[other]
            if all(_lies_across(card, chain, axes[number], frames, tuning) for card in cross):
                attached.setdefault(number, []).extend(cross)
                short.remove(other)
        for other in [at for at in short if len(chains[at]) == 1] if number in attached else []:
            if _lies_beyond(chains[other][0], attached[number], chain, axes[number], frames, tuning):
                attached[number] += chains[other]
                short.remove(other)
    return attached


def _lies_beyond(
    card: int, cross: list[int], chain: list[int], axis: Axis, frames: _Frames, tuning: LayoutTuning
) -> bool:
    """Whether a card goes on with a chain behind its crosswise cards."""
    nearest = min(chain, key=lambda i: float(np.linalg.norm(frames.centres[i] - frames.centres[card])))
    step, slip = frames.shift[nearest, card][:: 1 if axis is Axis.ACROSS else -1]
    between = max(float(np.linalg.norm(frames.centres[i] - frames.centres[card])) for i in cross)
    reach = float(np.linalg.norm(frames.v[card]))
    return bool(
        frames.turn_deg[card, nearest] < tuning.max_turn_deg
        and abs(step) < (2.0 if axis is Axis.ACROSS else 1.5)
        and abs(slip) < tuning.column_slip
        and between < reach
    )


def _lies_across(card: int, chain: list[int], axis: Axis, frames: _Frames, tuning: LayoutTuning) -> bool:
    """Whether a card lies at right angles on an end of a chain: no further out than a card, not far to the side."""
    nearest = min(chain, key=lambda i: float(np.linalg.norm(frames.centres[i] - frames.centres[card])))
    if frames.turn_deg[card, nearest] < 90 - tuning.cross_turn_deg:
        return False
    main, side = (frames.u, frames.v) if axis is Axis.ACROSS else (frames.v, frames.u)
    unit, length = _unit(main[nearest])
    side_unit, side_length = _unit(side[nearest])
    along = (frames.centres[chain] - frames.centres[nearest]) @ unit
    apart = frames.centres[card] - frames.centres[nearest]
    position = float(apart @ unit)
    reach = (length + side_length) / 2 * tuning.cross_beyond
    steps = np.sort(along)
    near_end = position > steps[-min(3, len(steps))] or position < steps[min(2, len(steps) - 1)]
    beyond = max(position - steps[-1], steps[0] - position)
    return bool(near_end and beyond < reach and abs(apart @ side_unit) < tuning.cross_slip * side_length)


def _unit(vector: Doubles) -> tuple[Doubles, float]:
    length = float(np.linalg.norm(vector))
    return vector / max(length, 1e-9), length


def _ordered(members: list[int], axis: Axis, cards: Sequence[SeenCard], frames: _Frames, tuning: LayoutTuning) -> Group:
    """The group in reading order: left to right or top to bottom as most of its cards read."""
    turned = {i for i in members if frames.turn_deg[i, members[0]] > 45}
    chain = np.array([i for i in members if i not in turned])
    votes = np.array([1.0 if len(cards[i].indices) == 1 else 0.25 for i in chain])
    lead = frames.v[chain[0]]
    signs = np.where(frames.v[chain] @ lead < 0, -1.0, 1.0)
    upright = 1.0 if float((signs * votes).sum()) >= 0 else -1.0
    main = (frames.u if axis is Axis.ACROSS else frames.v)[chain] * (signs * upright)[:, None]
    direction = _unit(main.mean(axis=0))[0]
    order = np.argsort(frames.centres[members] @ direction, kind="stable")
    angles = np.degrees(np.arctan2(main[:, 1], main[:, 0]))
    spread = np.ptp((angles - angles[0] + 180) % 360 - 180)
    shape = Shape.COLUMN if axis is Axis.ALONG else Shape.FAN if spread > tuning.fan_deg else Shape.ROW
    return Group(
        tuple(cards[members[k]] for k in order),
        tuple(position for position, k in enumerate(order) if members[k] in turned),
        Role.MELD,
        shape,
    )
