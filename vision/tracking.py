"""What lies on the table over many frames: each corner index is followed, and its names add up.

An index that is no longer found stays as long as its place looks as it did, or moves, or shows skin: only where the
place was seen otherwise and still for several frames is it gone. All places are kept in the pixels of the first
frame; `vision.following` says how the camera has moved since. The cards are then made of the kept indices as those of
a photo are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np

from vision.crops import index_angles
from vision.detector import Detections, Kind, index_sizes
from vision.following import Pose, pose_of
from vision.patches import alike, patches, shows_skin, skin_share
from vision.reader import NONE_ANSWER, Readings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Doubles = NDArray[np.float64]
    Image = NDArray[np.uint8]


class Namer(Protocol):
    """Reads indices of the present frame."""

    def __call__(self, indices: Detections) -> Readings:
        """One reading an index."""


@dataclass(frozen=True, slots=True)
class TrackingTuning:
    """The numbers of following. Lengths in index heights, angles in degrees, times in frames that were read."""

    near: float = 0.38
    askew_deg: float = 40.0
    confirmed: int = 2
    forget_new: int = 3
    clear_frames: float = 3.0
    skin_counts: float = 0.15
    brown_table: float = 0.3
    brown_counts: float = 0.5
    crowd_counts: float = 0.15
    crowd_share: float = 0.6
    alike: float = 0.6
    still: float = 0.75
    skin_share: float = 0.5
    looks: int = 5
    sure: float = 0.97
    weight: float = 3.0
    lost_share: float = 0.5
    least_pairs: int = 5
    reach_heights: float = 9.0
    largest_zoom: float = 1.25


@dataclass(slots=True, eq=False)
class Track:
    """One index: its mean box (4,) and card corners (4, 2) on the table, and what all looks at it said (54,)."""

    number: int
    box: Floats
    corners: Floats
    score: float
    log_probs: Doubles
    looks: int
    patch: Floats
    last: Floats
    hits: int = 1
    misses: float = 0.0
    age: int = 0

    def reading(self, weight: float) -> Doubles:
        """Its looks together, the more of them the surer, as far as `weight` independent ones would be."""
        total = self.log_probs / self.looks * min(self.looks, weight)
        total = total - total.max()
        return np.asarray(total - np.log(np.exp(total).sum()))


@dataclass(slots=True)
class Tracker:
    """Follows the indices of one table; frames come in order."""

    tuning: TrackingTuning = field(default_factory=TrackingTuning)
    pose: Pose = field(default_factory=Pose.still)
    tracks: list[Track] = field(default_factory=list)
    lost: bool = False
    _next: int = 0

    @property
    def kept(self) -> list[Track]:
        """The indices that are there."""
        return [track for track in self.tracks if track.hits >= self.tuning.confirmed]

    @property
    def unsettled(self) -> bool:
        """Whether an index has just come or may be going, so that another frame is worth waiting for."""
        return any(
            track.hits < self.tuning.confirmed or 0 < track.misses < self.tuning.clear_frames for track in self.tracks
        )

    def see(self, image_rgb: Image, found: Detections, name: Namer) -> None:
        """Take in one frame: its picture, the indices found in it (its pixels), and a way to read some of them."""
        found = found[np.flatnonzero(found.classes == Kind.INDEX)]
        partner = self._matched(found)
        if self._astray(found, partner):
            moved = self._moved(found, name(found))
            self.lost = moved is None
            if moved is None:
                return
            self.pose = moved
            partner = self._matched(found)
        self.lost = False
        self._refine(found, partner)
        there = self._in_table(found)
        grown = [self.tracks[i] for i in partner.values()]
        rows = list(partner)
        looks = self._patches(image_rgb, [t.box for t in self.tracks], [t.corners for t in self.tracks])
        changed = {i: alike(looks[i], track.patch) < self.tuning.alike for i, track in enumerate(self.tracks)}
        new = [row for row in range(len(found)) if row not in partner]
        ask = [row for row in rows if self._worth_a_look(self.tracks[partner[row]], changed[partner[row]])] + new
        readings = name(found[np.array(ask, dtype=np.int64)]) if ask else None
        said = {row: readings.log_probs[at].astype(np.float64) for at, row in enumerate(ask)} if readings else {}
        for row, track in zip(rows, grown, strict=True):
            at = partner[row]
            self._hit(track, there, row, said.get(row), changed[at], looks[at])
        brown = skin_share(np.asarray(image_rgb[::8, ::8], np.uint8)) > self.tuning.brown_table
        crowd = self._crowd(set(partner.values()), changed)
        for i, track in enumerate(self.tracks):
            if i not in partner.values():
                self._missed(track, looks[i], changed[i], image_rgb, crowd, brown)
            track.last = looks[i]
            track.age += 1
        self.tracks = [track for track in self.tracks if not self._gone(track)]
        if new:
            fresh = self._patches(image_rgb, list(there.boxes_xyxy[new]), list(there.corners[new]))
            for at, row in enumerate(new):
                self.tracks.append(self._born(there, row, said[row], fresh[at]))

    def indices(self) -> tuple[Detections, Readings]:
        """The kept indices as one look at the table would find and read them; its pixels."""
        kept = self.kept
        count = len(kept)
        detections = Detections(
            np.array([t.box for t in kept], np.float32).reshape(count, 4),
            np.array([t.score for t in kept], np.float32),
            np.full(count, int(Kind.INDEX), np.int64),
            np.array([t.corners for t in kept], np.float32).reshape(count, 4, 2),
        )
        names = np.array([t.reading(self.tuning.weight) for t in kept], np.float32).reshape(count, NONE_ANSWER + 1)
        return detections, Readings(names, np.zeros((count, 0), np.float32))

    def _in_table(self, found: Detections) -> Detections:
        """Detections of the frame on the table; boxes stay axis-parallel, for nudges hardly turn."""
        middles = self.pose.to_table(_middles(found))
        halves = (found.boxes_xyxy[:, 2:] - found.boxes_xyxy[:, :2]) / 2 * self.pose.scale
        boxes = np.concatenate([middles - halves, middles + halves], axis=1).astype(np.float32)
        return Detections(boxes, found.scores, found.classes, self.pose.to_table(found.corners).astype(np.float32))

    def _matched(self, found: Detections) -> dict[int, int]:
        """Row of the frame → position of its track, the nearest first."""
        if not len(found) or not self.tracks:
            return {}
        there = self._in_table(found)
        known = self._as_detections()
        heights = index_sizes(known) * 0.7
        apart = np.linalg.norm(_middles(there)[:, None] - _middles(known)[None], axis=2)
        turn = np.degrees(index_angles(there.corners)[:, None] - index_angles(known.corners)[None])
        turn = np.abs((turn + 180) % 360 - 180)
        cost = np.where((apart < self.tuning.near * heights[None]) & (turn < self.tuning.askew_deg), apart, np.inf)
        partner: dict[int, int] = {}
        taken: set[int] = set()
        for flat in np.argsort(cost, axis=None, kind="stable").tolist():
            row, column = divmod(flat, cost.shape[1])
            if not np.isfinite(cost[row, column]):
                break
            if row not in partner and column not in taken:
                partner[row] = column
                taken.add(column)
        return partner

    def _as_detections(self) -> Detections:
        return Detections(
            np.array([t.box for t in self.tracks], np.float32),
            np.array([t.score for t in self.tracks], np.float32),
            np.zeros(len(self.tracks), np.int64),
            np.array([t.corners for t in self.tracks], np.float32),
        )

    def _astray(self, found: Detections, partner: dict[int, int]) -> bool:
        """Whether most of what is seen lies elsewhere than what is known: the camera has moved."""
        known = len(self.kept)
        confirmed = sum(self.tracks[i].hits >= self.tuning.confirmed for i in partner.values())
        least = self.tuning.lost_share * min(known, len(found))
        return known >= self.tuning.least_pairs and len(found) >= self.tuning.least_pairs and confirmed < least

    def _moved(self, found: Detections, readings: Readings) -> Pose | None:
        """The pose by which indices of the same name lie on each other again."""
        kept = self.kept
        names = readings.log_probs.argmax(axis=1)
        known = [int(track.log_probs.argmax()) for track in kept]
        seen_xy, there = _middles(found), self._in_table(found)
        there_xy, angles = _middles(there), index_angles(there.corners)
        height = float(np.median(index_sizes(self._as_detections()))) * 0.7
        pairs = [
            (row, at)
            for row, name in enumerate(names)
            for at, track in enumerate(kept)
            if name == known[at]
            and name != NONE_ANSWER
            and np.linalg.norm(there_xy[row] - _middle(track.box)) < self.tuning.reach_heights * height
            and abs((angles[row] - index_angles(track.corners[None])[0] + np.pi) % (2 * np.pi) - np.pi) < 0.6
        ]
        if not pairs:
            return None
        seen = seen_xy[[row for row, _ in pairs]]
        places = np.array([_middle(kept[at].box) for _, at in pairs])
        least = max(self.tuning.least_pairs, int(0.4 * min(len(found), len(kept))))
        return pose_of(seen, places, 0.4 * height, least, self.tuning.largest_zoom)

    def _refine(self, found: Detections, partner: dict[int, int]) -> None:
        """Follow what is less than a nudge, so that it does not add up."""
        rows = [row for row, at in partner.items() if self.tracks[at].hits >= self.tuning.confirmed]
        if len(rows) < 2 * self.tuning.least_pairs:
            return
        seen = _middles(found)[rows]
        known = np.array([_middle(self.tracks[partner[row]].box) for row in rows])
        height = float(np.median(index_sizes(found))) * 0.7
        pose = pose_of(seen, known, 0.15 * height, len(rows) // 2, self.tuning.largest_zoom)
        if pose is not None:
            away = np.linalg.norm(pose.to_table(seen) - self.pose.to_table(seen), axis=1)
            if float(np.median(away)) > 0.06 * height:
                self.pose = pose

    def _worth_a_look(self, track: Track, changed: bool) -> bool:
        if changed or track.looks < self.tuning.looks:
            return True
        sure = float(np.exp(track.reading(self.tuning.weight).max())) >= self.tuning.sure
        return not sure and track.looks < 4 * self.tuning.looks

    def _hit(
        self, track: Track, there: Detections, row: int, said: Doubles | None, changed: bool, patch: Floats
    ) -> None:
        other = said is not None and changed and int(said.argmax()) != int(track.log_probs.argmax())
        if other and said is not None:
            track.log_probs, track.looks, track.hits = said.copy(), 1, 1
        elif said is not None:
            track.log_probs = track.log_probs + said
            track.looks += 1
        track.hits += not other
        share = max(1 / track.hits, 0.1)
        track.box = (track.box * (1 - share) + there.boxes_xyxy[row] * share).astype(np.float32)
        track.corners = (track.corners * (1 - share) + there.corners[row] * share).astype(np.float32)
        track.score = track.score * (1 - share) + float(there.scores[row]) * share
        track.misses = 0.0
        track.patch = patch if changed else (track.patch * 0.8 + patch * 0.2).astype(np.float32)

    def _missed(self, track: Track, patch: Floats, changed: bool, image_rgb: Image, crowd: bool, brown: bool) -> None:
        """Count frames in which the place is seen, still, and not as it was; on a `brown` table skin tells little."""
        if not changed:
            if track.hits < self.tuning.confirmed:
                track.misses += 1
            else:
                track.misses = 0.0
            return
        if alike(patch, track.last) < self.tuning.still:
            return
        if shows_skin(image_rgb, self.pose.to_frame(track.box.reshape(2, 2)).ravel(), self.tuning.skin_share):
            track.misses += self.tuning.brown_counts if brown else self.tuning.skin_counts
        else:
            track.misses += self.tuning.crowd_counts if crowd else 1.0

    def _crowd(self, found: set[int], changed: dict[int, bool]) -> bool:
        """Whether most of the table is out of sight at once: dark, or something before the camera."""
        known = [i for i, track in enumerate(self.tracks) if track.hits >= self.tuning.confirmed]
        away = [i for i in known if i not in found and changed[i]]
        return len(known) >= self.tuning.least_pairs and len(away) > self.tuning.crowd_share * len(known)

    def _gone(self, track: Track) -> bool:
        if track.hits < self.tuning.confirmed and track.age - track.hits >= self.tuning.forget_new:
            return True
        return track.misses >= self.tuning.clear_frames

    def _patches(self, image_rgb: Image, boxes: list[Floats], corners: list[Floats]) -> list[Floats]:
        """What each place of the table looks like in the frame: small, grey, without its brightness."""
        if not boxes:
            return []
        on_table = np.array(boxes, np.float64)
        middles = self.pose.to_frame((on_table[:, :2] + on_table[:, 2:]) / 2)
        halves = (on_table[:, 2:] - on_table[:, :2]) / 2 / self.pose.scale
        return patches(
            image_rgb, np.hstack([middles - halves, middles + halves]), self.pose.to_frame(np.array(corners))
        )

    def _born(self, there: Detections, row: int, said: Doubles, patch: Floats) -> Track:
        self._next += 1
        return Track(
            self._next, there.boxes_xyxy[row], there.corners[row], float(there.scores[row]), said, 1, patch, patch
        )


def _middles(found: Detections) -> Doubles:
    return np.asarray((found.boxes_xyxy[:, :2] + found.boxes_xyxy[:, 2:]) / 2, dtype=np.float64)


def _middle(box: Floats) -> Doubles:
    return np.asarray((box[:2] + box[2:]) / 2, dtype=np.float64)
