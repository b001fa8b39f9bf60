"""Geometry only: which cards lie together, in which order, and which of them lie crosswise.

A meld is a chain: each card overlaps the next along one of the card's own axes (columns along the length, rows and fans
along the width). Chains grow from the tightest neighbours outwards, so that a column beside another column stays apart
from it. Names play no part.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.cards import SeenCard

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
    """Cards that lie together, in reading order; `crosswise` are positions in `cards` of those turned by 90°."""

    cards: tuple[SeenCard, ...]
    crosswise: tuple[int, ...] = ()
    role: Role = Role.LOOSE
    shape: Shape = Shape.SINGLE


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
    fan_deg: float = 20.0


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
            groups.append(_ordered(members, len(chain), axes[number], cards, frames, tuning))
    groups.sort(key=lambda group: -len(group.cards))
    return groups + [Group((cards[i],)) for i in sorted(loose)]


def _frames(cards: Sequence[SeenCard]) -> _Frames:
    quads = np.stack([card.quad for card in cards]).astype(np.float64)
    centres = quads.mean(axis=1)
    u = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    v = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    sign = np.where(v @ v.T < 0, -1.0, 1.0)[:, :, None]
    mean_u, mean_v = (u[:, None] + sign * u[None]) / 2, (v[:, None] + sign * v[None]) / 2
    apart = centres[None] - centres[:, None]
    det = mean_u[..., 0] * mean_v[..., 1] - mean_u[..., 1] * mean_v[..., 0]
    det = np.where(np.abs(det) < 1e-6, 1e-6, det)
    shift = np.stack(
        [
            (apart[..., 0] * mean_v[..., 1] - apart[..., 1] * mean_v[..., 0]) / det,
            (mean_u[..., 0] * apart[..., 1] - mean_u[..., 1] * apart[..., 0]) / det,
        ],
        axis=-1,
    )
    angle = np.degrees(np.arctan2(v[:, 1], v[:, 0]))
    turn = np.abs((angle[:, None] - angle[None] + 90) % 180 - 90)
    return _Frames(centres, u, v, shift, turn)


def _edges(frames: _Frames, tuning: LayoutTuning) -> list[tuple[float, int, int, Axis]]:
    """Possible neighbours, the tightest first: step, first, second, axis."""
    across, along = np.abs(frames.shift[..., 0]), np.abs(frames.shift[..., 1])
    parallel = frames.turn_deg < tuning.max_turn_deg
    row = parallel & (across < tuning.row_step) & (along < tuning.row_slip) & (across * 0.65 >= along)
    column = parallel & (along < tuning.column_step) & (across < tuning.column_slip) & ~row
    edges = []
    for allowed, step, axis in ((row, across * 0.8, Axis.ACROSS), (column, along, Axis.ALONG)):
        first, second = np.nonzero(np.triu(allowed, 1))
        edges += [(float(step[i, j]), int(i), int(j), axis) for i, j in zip(first, second, strict=True)]
    return sorted(edges, key=lambda edge: edge[0])


def _chains(frames: _Frames, tuning: LayoutTuning) -> tuple[list[list[int]], list[Axis]]:
    """Cards joined by their tightest neighbours: one axis a card, one neighbour on each side of it."""
    count = len(frames.centres)
    owner, axis_of = list(range(count)), dict[int, Axis]()
    members, steps = {i: [i] for i in range(count)}, {i: list[float]() for i in range(count)}
    sides: set[tuple[int, bool]] = set()
    for step, i, j, axis in _edges(frames, tuning):
        a, b = owner[i], owner[j]
        if a == b or axis_of.get(i, axis) is not axis or axis_of.get(j, axis) is not axis:
            continue
        side_i, side_j = _side(frames, i, j, axis), _side(frames, j, i, axis)
        usual = steps[a] + steps[b]
        limit = max(tuning.uneven * float(np.median(usual)), tuning.least_limit) if usual else np.inf
        if (i, side_i) in sides or (j, side_j) in sides or step > limit:
            continue
        sides |= {(i, side_i), (j, side_j)}
        axis_of[i] = axis_of[j] = axis
        steps[a] += [*steps.pop(b), step]
        for k in members[b]:
            owner[k] = a
        members[a] += members.pop(b)
    keys = sorted(members)
    return [members[key] for key in keys], [axis_of.get(members[key][0], Axis.ALONG) for key in keys]


def _side(frames: _Frames, card: int, other: int, axis: Axis) -> bool:
    direction = (frames.u if axis is Axis.ACROSS else frames.v)[card]
    return bool((frames.centres[other] - frames.centres[card]) @ direction > 0)


def _crosswise(
    chains: list[list[int]], axes: list[Axis], frames: _Frames, tuning: LayoutTuning
) -> dict[int, list[int]]:
    """For each long chain, the cards turned by 90° that lie on or touch one of its ends."""
    attached: dict[int, list[int]] = {}
    short = [number for number, chain in enumerate(chains) if len(chain) <= 3]
    for number, chain in sorted(enumerate(chains), key=lambda item: -len(item[1])):
        if len(chain) < tuning.cross_least_chain:
            continue
        for other in list(short):
            cross = chains[other]
            if all(_lies_across(card, chain, axes[number], frames, tuning) for card in cross):
                attached.setdefault(number, []).extend(cross)
                short.remove(other)
    return attached


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


def _ordered(
    members: list[int], straight: int, axis: Axis, cards: Sequence[SeenCard], frames: _Frames, tuning: LayoutTuning
) -> Group:
    """The group in reading order: left to right or top to bottom as most of its cards read."""
    chain = np.array(members[:straight])
    votes = np.array([1.0 if len(cards[i].indices) == 1 else 0.25 for i in chain])
    lead = frames.v[chain[0]]
    signs = np.where(frames.v[chain] @ lead < 0, -1.0, 1.0)
    upright = 1.0 if float((signs * votes).sum()) >= 0 else -1.0
    main = (frames.u if axis is Axis.ACROSS else frames.v)[chain] * (signs * upright)[:, None]
    direction = _unit(main.mean(axis=0))[0]
    centres = _steady_centres(members, straight, cards, frames)
    order = np.argsort(centres @ direction, kind="stable")
    angles = np.degrees(np.arctan2(main[:, 1], main[:, 0]))
    spread = np.ptp((angles - angles[0] + 180) % 360 - 180)
    shape = Shape.COLUMN if axis is Axis.ALONG else Shape.FAN if spread > tuning.fan_deg else Shape.ROW
    return Group(
        tuple(cards[members[k]] for k in order),
        tuple(position for position, k in enumerate(order) if k >= straight),
        Role.MELD,
        shape,
    )


def _steady_centres(members: list[int], straight: int, cards: Sequence[SeenCard], frames: _Frames) -> Doubles:
    """Centres for ordering: of cards seen by one index, rebuilt from that place with the axes of its neighbours."""
    centres = frames.centres[members].copy()
    chain = np.array(members[:straight])
    for k, i in enumerate(chain):
        if len(cards[i].places_xy) != 1:
            continue
        gaps = np.linalg.norm(frames.centres[chain] - frames.centres[i], axis=1)
        near = chain[np.argsort(gaps)[:5]]
        signs = np.where(frames.v[near] @ frames.v[i] < 0, -1.0, 1.0)[:, None]
        u, v = (frames.u[near] * signs).mean(axis=0), (frames.v[near] * signs).mean(axis=0)
        place = np.array(cards[i].places_xy[0])
        own = np.stack([frames.u[i], frames.v[i]], axis=1)
        local = np.linalg.lstsq(own, frames.centres[i] - place, rcond=None)[0]
        centres[k] = place + local[0] * u + local[1] * v
    return centres
