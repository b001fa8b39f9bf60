"""A card's outline as a frame: its middle and its two sides, and places measured in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Doubles = NDArray[np.float64]


def axes_of(corners: ArrayLike) -> tuple[Doubles, Doubles, Doubles]:
    """Centre, width vector and height vector of card quads: each (N, 2) from (N, 4, 2)."""
    quads = np.asarray(corners, dtype=np.float64)
    tl, tr, br, bl = (quads[:, i] for i in range(4))
    return quads.mean(axis=1), (tr - tl + br - bl) / 2, (bl - tl + br - tr) / 2


def local_shares(vectors: Doubles, u: Doubles, v: Doubles) -> Doubles:
    """Vectors (..., 2) in the frames of card axes u and v: components in card widths and heights."""
    det = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
    det = np.where(np.abs(det) < 1e-6, 1e-6, det)
    x = (vectors[..., 0] * v[..., 1] - vectors[..., 1] * v[..., 0]) / det
    y = (u[..., 0] * vectors[..., 1] - u[..., 1] * vectors[..., 0]) / det
    return np.stack([x, y], axis=-1)


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """One card's outline: its middle, and the vectors along its width and its height, pixels."""

    centre: Doubles
    u: Doubles
    v: Doubles

    @classmethod
    def of(cls, quad: ArrayLike) -> Outline:
        """The outline of four corners (4, 2), top-left first, clockwise."""
        centres, u, v = axes_of(np.asarray(quad)[None])
        return cls(centres[0], u[0], v[0])

    @property
    def corners(self) -> Doubles:
        """Its four corners (4, 2), as a parallelogram."""
        return np.array([self.centre + x * self.u + y * self.v for x in (-0.5, 0.5) for y in (-0.5, 0.5)])

    def shares(self, places_xy: ArrayLike) -> Doubles:
        """Places (..., 2) in widths and heights from the middle; inside where both are less than a half."""
        return local_shares(np.asarray(places_xy, dtype=np.float64) - self.centre, self.u, self.v)
