"""What of a frame may be shown: the laid melds as far as they are in sight, and nothing that is held over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from scoring.cards import FACES
from vision.outline import Outline
from vision.table import Source, quad_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from vision.following import Pose
    from vision.laid import LaidMeld
    from vision.table import Quad, ReadCard
    from vision.track import Track

    Image = NDArray[np.uint8]

VEIL_PX: Final = 48
"""Side of the blocks that all but the laid melds is shown in; an index, at most 40 px here, is lost in one of them."""
GROWN: Final = 1.08
WITHIN: Final = 0.6


def in_sight(
    melds: Sequence[LaidMeld], tracks: Sequence[Track], pose: Pose
) -> tuple[tuple[Quad, ...], tuple[Quad, ...]]:
    """The cards of the melds (pixels of the table) that nothing covers now, and the cards seen now that are none of
    theirs, both in pixels of the frame that the tracks saw last."""
    cards = [card for meld in melds for card in meld.seen.cards]
    own = {track.number: [card for card in cards if _belongs(track, card)] for track in tracks}
    covered = {id(card) for track in tracks if track.covered for card in own[track.number]}
    others = [track.corners for track in tracks if track.seen and not own[track.number]]
    shown = tuple(quad_of(pose.to_frame(np.array(card.quad))) for card in cards if id(card) not in covered)
    return shown, tuple(quad_of(pose.to_frame(corners)) for corners in others)


def veiled(image_rgb: Image, shown: Iterable[Quad], others: Iterable[Quad] = ()) -> Image:
    """The picture with all but the `shown` cards in coarse blocks, and what the `others` cover of these too: what
    somebody holds is in no picture that is kept."""
    height, width = image_rgb.shape[:2]
    small = (max(1, width // VEIL_PX), max(1, height // VEIL_PX))
    coarse = cv2.resize(image_rgb, small, interpolation=cv2.INTER_AREA)
    out = np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    clear = np.zeros((height, width), np.uint8)
    for quads, level in ((shown, 255), (others, 0)):
        for quad in quads:
            centre = Outline.of(quad).centre
            corners = centre + (np.array(quad) - centre) * GROWN
            cv2.fillConvexPoly(clear, corners.round().astype(np.int32), level)
    return np.asarray(np.where(clear[:, :, None] > 0, image_rgb, out), np.uint8)


def _belongs(track: Track, card: ReadCard) -> bool:
    """Whether an index is one of a laid card's: of its name, unless the rules gave it another, and on it."""
    named = card.source is not Source.SEEN or FACES.index(card.card) == track.face
    middle = (track.box[:2] + track.box[2:]) / 2
    return named and bool(np.abs(Outline.of(card.quad).shares(middle)).max() < WITHIN)
