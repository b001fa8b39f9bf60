"""The right scale for each photo: coarse passes find how large the cards are, a fine pass reads them at that scale."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.detector import Detections, Detector, Kind, index_sizes, suppress
from vision.outline import axes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Image = NDArray[np.uint8]
    Floats = NDArray[np.float32]

INDEX_HEIGHT_SHARE: Final = 0.7
"""Height of an index over its width plus height (8.5 x 20.5 mm on a common card)."""
NEARLY: Final = 1.25
"""Scales that differ by less see the same."""


@dataclass(frozen=True, slots=True)
class TilingTuning:
    """The numbers of the search for scale. Heights are index heights in the pixels the network sees.

    Cards so near that an index is `near_from_px` high in the photo are looked at smaller, or their courts and pips show
    so well that they are taken for indices.
    """

    coarse_sides_px: tuple[int, ...] = (640, 1280)
    rescue_side_px: int = 320
    far_side_px: int = 2560
    ideal_height_px: float = 24.0
    near_from_px: float = 60.0
    near_height_px: float = 18.0
    most_looks: int = 4
    good_octaves: float = 0.45
    width_octaves: float = 0.9
    two_scales_ratio: float = 2.0
    largest_zoom: float = 2.0
    tile_px: int = 640
    whole_pixels: int = 2_600_000
    overlap_heights: float = 5.5
    unseen_corner: float = 0.04
    min_score: float = 0.25
    min_hint: float = 0.12
    min_weak: float = 0.08
    unconfirmed: float = 0.5
    clearly_better: float = 1.3
    sure_score: float = 0.6
    size_outlier: float = 1.8
    trust_power: float = 3.0
    most_tiles: int = 40


@dataclass(frozen=True, slots=True, eq=False)
class Pass:
    """One look at the photo: its detections in photo pixels, the scale, and the areas it looked at."""

    scale: float
    detections: Detections
    areas_xyxy: Floats


def detect_photo(detector: Detector, image_rgb: Image, tuning: TilingTuning | None = None) -> Detections:
    """All indices and backs of a photo of any size, each seen at the scale that suits its own size.

    `image_rgb`: (H, W, 3) uint8. Detections are in its pixels, scores discounted where the scale did not suit.
    """
    tuning = tuning or TilingTuning()
    long_side = max(image_rgb.shape[:2])
    passes: list[Pass] = []
    for side in tuning.coarse_sides_px:
        scale = min(side / long_side, 1.0)
        if not passes or scale > passes[-1].scale * 1.05:
            passes.append(whole_pass(detector, image_rgb, scale))
    seen = merged(passes, tuning)
    if _too_large(passes[0], seen, tuning):
        passes.insert(0, whole_pass(detector, image_rgb, min(tuning.rescue_side_px / long_side, 1.0)))
        seen = merged(passes, tuning)
    if not (seen.scores >= tuning.min_score).any():
        passes.append(fine_pass(detector, image_rgb, min(tuning.far_side_px / long_side, tuning.largest_zoom), tuning))
        seen = merged(passes, tuning)
    for _ in range(tuning.most_looks):  # what is too small for a pass looks larger than it is: until that is settled
        looks = [look for look in fine_scales(hints(passes, tuning), tuning) if not _already(passes, *look)]
        if not looks:
            break
        passes += [fine_pass(detector, image_rgb, scale, tuning, wanted) for scale, wanted in looks]
    found = outliers_weakened(merged(passes, tuning), tuning)
    return found[(found.classes == Kind.INDEX) | (found.scores >= tuning.min_score)]


def whole_pass(detector: Detector, image_rgb: Image, scale: float) -> Pass:
    """The whole photo in one go."""
    height, width = image_rgb.shape[:2]
    found = detector.detect(_scaled(image_rgb, scale)).moved(1 / scale)
    return Pass(scale, found, np.array([[0, 0, width, height]], dtype=np.float32))


def suitability(detections: Detections, scale: float, tuning: TilingTuning) -> Floats:
    """How well a scale suits each detection: 1 near the ideal index height, less with every octave away."""
    heights = np.maximum(index_sizes(detections) * INDEX_HEIGHT_SHARE, 1e-3)
    off = np.log2(np.maximum(heights * scale, 1.0) / _ideal(heights, tuning))
    octaves = np.maximum(np.abs(off) - tuning.good_octaves, 0.0)
    fit: Floats = np.exp(-0.5 * (octaves / tuning.width_octaves) ** 2).astype(np.float32)
    return fit


def _ideal(heights: Floats, tuning: TilingTuning) -> Floats:
    """How high an index is seen best that has this height in the photo."""
    return np.where(heights < tuning.near_from_px, tuning.ideal_height_px, tuning.near_height_px)


def hints(passes: Sequence[Pass], tuning: TilingTuning) -> Detections:
    """What the passes may have seen, of every bundle the best suited, with the scores as the network gave them."""
    together = Detections.joined([one.detections for one in passes])
    fits = np.concatenate([suitability(one.detections, one.scale, tuning) for one in passes])
    certain = together.scores >= tuning.min_hint
    return suppress(together[certain], (together.scores * fits)[certain])


def merged(passes: Sequence[Pass], tuning: TilingTuning) -> Detections:
    """The passes together: of every bundle of overlapping boxes the one seen at the most suitable scale.

    Scores come out multiplied by how well the scale suited, and once more by `unconfirmed` where another pass looked
    at the same place at a clearly better scale (what that pass saw too has its own, better row).
    """
    parts = []
    for one in passes:
        found = one.detections
        fit = suitability(found, one.scale, tuning)
        better = np.zeros(len(found), dtype=bool)
        for other in passes:
            if other is not one:
                clearly = suitability(found, other.scale, tuning) > fit * tuning.clearly_better
                better |= clearly & _inside_any(found, other.areas_xyxy)
        worth = found.scores * fit * np.where(better, tuning.unconfirmed, 1.0)
        parts.append(replace(found, scores=worth.astype(np.float32)))
    together = Detections.joined(parts)
    return suppress(together[together.scores >= tuning.min_weak])


def _inside_any(found: Detections, areas_xyxy: Floats) -> NDArray[np.bool_]:
    centres = (found.boxes_xyxy[:, :2] + found.boxes_xyxy[:, 2:]) / 2
    inside = (centres[:, None] > areas_xyxy[None, :, :2]) & (centres[:, None] < areas_xyxy[None, :, 2:])
    whole: NDArray[np.bool_] = np.all(inside, axis=2)
    return np.asarray(np.any(whole, axis=1))


def fine_scales(seen: Detections, tuning: TilingTuning) -> list[tuple[float, Detections]]:
    """The scales that bring the indices to the ideal height, each with the detections it is meant for.

    One scale for a photo whose indices are alike, two where they differ by more than `two_scales_ratio`.
    """
    if not len(seen):
        return []
    heights = (index_sizes(seen) * INDEX_HEIGHT_SHARE).astype(np.float32)
    weights = seen.scores**tuning.trust_power
    low, high = (weighted_quantile(heights, weights, share) for share in (0.1, 0.9))
    groups = [np.ones(len(seen), dtype=bool)]
    if len(seen) >= 4 and high > tuning.two_scales_ratio * low:
        border = float(np.sqrt(low * high))
        groups = [heights >= border / 1.2, heights < border * 1.2]
    scales: list[tuple[float, Detections]] = []
    for group in groups:
        if group.any():
            height = weighted_quantile(heights[group], weights[group], 0.5)
            scale = float(_ideal(np.array(height), tuning)) / height
            scales.append((min(scale, tuning.largest_zoom), seen[group]))
    return scales


def weighted_quantile(values: Floats, weights: Floats, share: float) -> float:
    """The value below which that share of the weight lies."""
    order = np.argsort(values)
    cumulated = np.cumsum(weights[order])
    return float(values[order][min(np.searchsorted(cumulated, cumulated[-1] * share), len(values) - 1)])


def fine_pass(
    detector: Detector, image_rgb: Image, scale: float, tuning: TilingTuning, wanted: Detections | None = None
) -> Pass:
    """Overlapping tiles at one scale, only where a coarse pass saw something wanted, or everywhere."""
    x0, y0, x1, y1 = _region(image_rgb, wanted)
    image = _scaled(image_rgb[y0:y1, x0:x1], scale)
    height, width = image.shape[:2]
    origin = np.array([x0, y0, x0, y0])
    if width * height <= tuning.whole_pixels:
        tiles = np.array([[0, 0, width, height]], dtype=np.int64)
    else:
        tiles = tile_grid((width, height), tuning.tile_px, int(tuning.overlap_heights * tuning.ideal_height_px))
        if wanted is not None:
            tiles = _worth_looking(tiles, wanted.moved(scale, (-x0 * scale, -y0 * scale)), tuning)
    found = []
    for left, top, right, bottom in tiles.tolist():
        part = detector.detect(image[top:bottom, left:right])
        part = part[~_cut_by_border(part.boxes_xyxy, (left, top, right, bottom), (width, height))]
        part = _discounted(part, (left, top, right, bottom), (width, height), tuning)
        found.append(part.moved(1 / scale, (x0 + left / scale, y0 + top / scale)))
    return Pass(scale, Detections.joined(found), (origin + tiles / scale).astype(np.float32))


def _region(image_rgb: Image, wanted: Detections | None) -> tuple[int, int, int, int]:
    """The part of the photo that the wanted cards reach into and a card's length around it; else all of it."""
    height, width = image_rgb.shape[:2]
    if wanted is None or not len(wanted):
        return 0, 0, width, height
    reach = _reach(wanted)
    margin = float(np.median(np.linalg.norm(axes_of(wanted.corners)[2], axis=1)))
    low, high = reach[:, :2].min(axis=0) - margin, reach[:, 2:].max(axis=0) + margin
    x0, y0 = np.maximum(low, 0).astype(int)
    x1, y1 = np.minimum(np.ceil(high), [width, height]).astype(int)
    return int(x0), int(y0), int(x1), int(y1)


def _reach(found: Detections) -> Floats:
    """Bounds (N, 4) of each detection's index and card together."""
    low = np.minimum(found.corners.min(axis=1), found.boxes_xyxy[:, :2])
    high = np.maximum(found.corners.max(axis=1), found.boxes_xyxy[:, 2:])
    return np.concatenate([low, high], axis=1)


def tile_grid(size_wh: tuple[int, int], tile_px: int, overlap_px: int) -> NDArray[np.int64]:
    """Tiles (N, 4) x0 y0 x1 y1 that cover a picture, spread evenly, overlapping by at least `overlap_px`."""

    def starts(length: int) -> list[int]:
        if length <= tile_px:
            return [0]
        count = -(-(length - overlap_px) // (tile_px - overlap_px))
        return [round(i * (length - tile_px) / (count - 1)) for i in range(count)]

    width, height = size_wh
    corners = [(x, y) for y in starts(height) for x in starts(width)]
    return np.array([(x, y, min(x + tile_px, width), min(y + tile_px, height)) for x, y in corners], dtype=np.int64)


def _worth_looking(tiles: NDArray[np.int64], hints: Detections, tuning: TilingTuning) -> NDArray[np.int64]:
    """The tiles that a hinted card reaches into, those with the most hints first, at most `most_tiles`."""
    reach = _reach(hints)
    low = np.maximum(tiles[:, None, :2], reach[None, :, :2])
    high = np.minimum(tiles[:, None, 2:], reach[None, :, 2:])
    hits = (high > low).all(axis=2).sum(axis=1)
    order = np.argsort(-hits, kind="stable")[: tuning.most_tiles]
    chosen: NDArray[np.int64] = tiles[np.sort(order[hits[order] > 0])]
    return chosen


def _cut_by_border(boxes_xyxy: Floats, tile: tuple[int, int, int, int], size_wh: tuple[int, int]) -> NDArray[np.bool_]:
    x0, y0, x1, y1 = tile
    cut: NDArray[np.bool_] = np.zeros(len(boxes_xyxy), dtype=bool)
    if x0 > 0:
        cut |= boxes_xyxy[:, 0] < 2
    if y0 > 0:
        cut |= boxes_xyxy[:, 1] < 2
    if x1 < size_wh[0]:
        cut |= boxes_xyxy[:, 2] > x1 - x0 - 2
    if y1 < size_wh[1]:
        cut |= boxes_xyxy[:, 3] > y1 - y0 - 2
    return cut


def _discounted(
    part: Detections, tile: tuple[int, int, int, int], size_wh: tuple[int, int], tuning: TilingTuning
) -> Detections:
    """Scores a little lower for every card corner that the photo shows and the tile does not: another tile does."""
    x0, y0, x1, y1 = tile
    corners = part.corners
    outside = np.any((corners < 0) | (corners > np.array([x1 - x0, y1 - y0])), axis=2)
    absolute = corners + np.array([x0, y0])
    inside_photo = np.all((absolute >= 0) & (absolute <= np.array(size_wh)), axis=2)
    factor = 1 - tuning.unseen_corner * (outside & inside_photo).sum(axis=1)
    return replace(part, scores=(part.scores * factor).astype(np.float32))


def _too_large(coarsest: Pass, seen: Detections, tuning: TilingTuning) -> bool:
    """Whether the cards may be too large even for the coarsest pass: nothing sure, or indices far above the ideal."""
    sure = seen[seen.scores >= tuning.min_score]
    if len(sure) == 0:
        return True
    heights = index_sizes(sure) * INDEX_HEIGHT_SHARE * coarsest.scale
    return bool(np.median(heights) > 1.6 * tuning.near_height_px)


def _already(passes: Sequence[Pass], scale: float, wanted: Detections) -> bool:
    """Whether a pass of nearly this scale looked at nearly all that is wanted."""
    near = [one for one in passes if max(one.scale / scale, scale / one.scale) < NEARLY]
    return any(_inside_any(wanted, one.areas_xyxy).mean() > 0.9 for one in near)


def outliers_weakened(found: Detections, tuning: TilingTuning) -> Detections:
    """The detections, the unsure of a size far from their neighbours' set below `min_score`: pips, letters, patterns,
    or a jolly's mark, which only reading can tell."""
    if len(found) < 5:
        return found
    logs = np.log(np.maximum(index_sizes(found), 1e-3))
    centres = axes_of(found.corners)[0]
    distance = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    nearest = np.argsort(distance, axis=1)[:, : min(len(found), 12)]
    trust = found.scores**tuning.trust_power
    usual = np.array([weighted_quantile(logs[near], trust[near], 0.5) for near in nearest])
    away = np.abs(logs - usual)
    outlier = (away >= np.log(tuning.size_outlier)) & (found.scores <= tuning.sure_score)
    weak = np.float32(tuning.min_score) - np.float32(1e-3)
    return replace(found, scores=np.where(outlier, np.minimum(found.scores, weak), found.scores))


def _scaled(image_rgb: Image, scale: float) -> Image:
    if abs(scale - 1) < 1e-3:
        return image_rgb
    size = (max(round(image_rgb.shape[1] * scale), 1), max(round(image_rgb.shape[0] * scale), 1))
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image_rgb, size, interpolation=method), dtype=np.uint8)
