"""Directions and outlines corrected by the shape of the boxes: an upright index has a tall box, one turned by 45° a
square one; on a table seen aslant an index lying across is shorter than one standing up.

The network's boxes are much surer than its far card corners. These it lays as if it looked straight down, while crop
and merging stand or fall with where the card really lies.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from vision.crops import index_angles
from vision.detector import Detections, Kind
from vision.outline import axes_of, local_shares

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]

STEP_DEG = 1.5


@dataclass(frozen=True, slots=True)
class StraightenTuning:
    """How far box and corners are trusted: spread of the log of a box's shape, of a predicted direction (degrees), the
    possible shapes of an upright index (width over height) and the largest correction (degrees); for a view aslant that
    spread again (wider, it would explain any slant), how much better it must explain the boxes (half of that in nats),
    the shapes considered, indices with the suit beside the rank among them, and how many indices are enough to tell."""

    sigma_shape: float = 0.14
    sigma_angle_deg: float = 18.0
    tilt_sigma_deg: float = 4.0
    shapes: tuple[float, float] = (0.34, 0.70)
    max_turn_deg: float = 45.0
    tilt_margin: float = 12.0
    tilt_shapes: tuple[float, float] = (0.3, 1.5)
    tilt_enough: int = 100


class View(NamedTuple):
    """How the camera sees the table: lengths along `across_deg` shrunk to `shrunk`, others as they are."""

    shrunk: float = 1.0
    across_deg: float = 0.0

    @property
    def matrix(self) -> Doubles:
        """From the table to the picture (2, 2)."""
        cos, sin = np.cos(np.radians(self.across_deg)), np.sin(np.radians(self.across_deg))
        turn = np.array([[cos, sin], [-sin, cos]])
        return np.asarray(turn.T @ np.diag([self.shrunk, 1.0]) @ turn)

    def axes(self, turns: Doubles) -> tuple[Doubles, Doubles]:
        """Across and along (N, 2) a card that lies on the table turned by (N,) radians, as the picture shows them."""
        across, along = np.stack([np.cos(turns), np.sin(turns)], 1), np.stack([-np.sin(turns), np.cos(turns)], 1)
        return across @ self.matrix.T, along @ self.matrix.T

    def turns(self, angles: Doubles) -> Doubles:
        """How cards lie on the table whose indices read in those directions (N,) of the picture, radians."""
        lying = np.radians(np.arange(-360, 721, STEP_DEG))
        return np.interp(angles % (2 * np.pi), np.unwrap(index_angles(_squares(*self.axes(lying)))), lying)


STRAIGHT_DOWN = View()
# A phone is held upright before the table: lengths shrink along the picture's height, give or take a little.
ASLANT = tuple(View(shrunk, across) for shrunk in (0.9, 0.8, 0.7, 0.6) for across in (75, 90, 105))


def straightened(detections: Detections, tuning: StraightenTuning | None = None) -> Detections:
    """The detections with each index's card corners turned about the index to the direction its box asks for, and
    foreshortened where the boxes together say that the table is seen aslant.

    One shape of upright index and one view are fitted to the whole photo. Backs stay as they are.
    """
    tuning = tuning or StraightenTuning()
    rows = np.flatnonzero(detections.classes == Kind.INDEX)
    if not len(rows):
        return detections
    indices = detections[rows]
    sides = np.maximum(indices.boxes_xyxy[:, 2:] - indices.boxes_xyxy[:, :2], 1.0).astype(np.float64)
    seen, angles = np.log(sides[:, 0] / sides[:, 1]), index_angles(indices.corners)
    surest = np.argsort(-indices.scores, kind="stable")[: tuning.tilt_enough]
    view = fitted_view(seen[surest], angles[surest], tuning)
    shapes = np.linspace(*tuning.shapes, 13)
    offsets = np.radians(np.arange(-tuning.max_turn_deg, tuning.max_turn_deg + 1, STEP_DEG))
    costs = _costs(view, shapes, seen, angles, offsets, tuning.sigma_shape, tuning.sigma_angle_deg)
    best = costs[costs.min(axis=2).sum(axis=1).argmin()].argmin(axis=1)
    corners = detections.corners.copy()
    corners[rows] = _laid(indices, offsets[best], view)
    return replace(detections, corners=corners)


def fitted_view(seen: Doubles, angles: Doubles, tuning: StraightenTuning) -> View:
    """The view that explains best the shapes (N,) of boxes whose indices read in those directions (N,): straight down
    unless one aslant is clearly better. Where all cards lie alike no shape of index tells of a slant."""
    shapes, offsets = np.geomspace(*tuning.tilt_shapes, 12), np.radians(np.arange(-30, 31, 6.0))

    def misfit(view: View) -> float:
        costs = _costs(view, shapes, seen, angles, offsets, tuning.sigma_shape, tuning.tilt_sigma_deg)
        return float(costs.min(axis=2).sum(axis=1).min())

    costs = {view: misfit(view) for view in ASLANT}
    best = min(costs, key=lambda view: costs[view])
    return best if costs[best] + tuning.tilt_margin < misfit(STRAIGHT_DOWN) else STRAIGHT_DOWN


def _costs(
    view: View,
    shapes: Doubles,
    seen: Doubles,
    angles: Doubles,
    offsets: Doubles,
    sigma_shape: float,
    sigma_deg: float,
) -> Doubles:
    """How badly (S, N, T) boxes of those shapes fit indices of S shapes whose directions (N,) are off by T angles."""
    table = _box_shapes(view, tuple(shapes.tolist()))
    steps = np.round(np.degrees(angles[:, None] + offsets[None]) / STEP_DEG).astype(np.int64) % table.shape[1]
    off = (table[:, steps] - seen[:, None]) / sigma_shape
    return np.asarray(np.minimum(off**2, 16) + (np.degrees(offsets) / sigma_deg) ** 2)


@cache
def _box_shapes(view: View, shapes: tuple[float, ...]) -> Doubles:
    """`box_shape` (S, A) for directions all round, `STEP_DEG` apart."""
    angles = np.radians(np.arange(0, 360, STEP_DEG))
    return np.stack([box_shape(angles, shape, view) for shape in shapes])


def box_shape(angles: Doubles, shape: float, view: View = STRAIGHT_DOWN) -> Doubles:
    """Log of width over height of the upright box round an index of width `shape` and height 1 that reads in those
    directions of the picture."""
    across, along = view.axes(np.atleast_1d(view.turns(angles)))
    sides = shape * np.abs(across) + np.abs(along)
    return np.asarray(np.log(sides[:, 0] / sides[:, 1]).reshape(np.shape(angles)))


def _laid(indices: Detections, by: Doubles, view: View) -> NDArray[np.float32]:
    """Card corners (N, 4, 2) turned about their indices by (N,) radians, their outlines as the view shows them."""
    places = (indices.boxes_xyxy[:, :2] + indices.boxes_xyxy[:, 2:]).astype(np.float64) / 2
    if view == STRAIGHT_DOWN:
        return _turned(indices.corners, places, by)
    centres, u, v = axes_of(indices.corners)
    wide, tall = np.linalg.norm(u, axis=1), np.linalg.norm(v, axis=1)
    across, along = view.axes(view.turns(index_angles(indices.corners) + by))
    across, along = across * wide[:, None], along * tall[:, None]
    extent = np.linalg.norm(across, axis=1) + np.linalg.norm(along, axis=1)
    as_large = ((wide + tall) / np.maximum(extent, 1e-6))[:, None]
    across, along = across * as_large, along * as_large
    shares = local_shares(places - centres, u, v)
    middles = places - shares[:, :1] * across - shares[:, 1:] * along
    return np.asarray(middles[:, None] + _squares(across, along), np.float32)


def _squares(across: Doubles, along: Doubles) -> Doubles:
    """The corners (N, 4, 2) of outlines with those sides (N, 2) round the origin."""
    return np.stack([x * across + y * along for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))], axis=1)


def _turned(corners: NDArray[np.float32], about_xy: Doubles, by: Doubles) -> NDArray[np.float32]:
    cos, sin = np.cos(by)[:, None], np.sin(by)[:, None]
    away = corners - about_xy[:, None]
    x, y = away[..., 0], away[..., 1]
    turned = np.stack([x * cos - y * sin, x * sin + y * cos], axis=-1) + about_xy[:, None]
    return np.asarray(turned, dtype=np.float32)
