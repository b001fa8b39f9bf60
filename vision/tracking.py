"""What lies on the table over many frames: each corner index is followed, and its names add up.

An index that is no longer found stays as long as its place looks as it did, or moves, or shows skin: only where the
place was seen otherwise and still for several frames is it gone. All places are kept in the pixels of the first
frame; `vision.following` says how the camera has moved since. The cards are then made of the kept indices as those of
a photo are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from vision.crops import index_angles
from vision.detector import Detections, Kind, index_sizes
from vision.following import Pose, pose_of
from vision.patches import Brown, alike, patches, skin_shares
from vision.reader import NONE_ANSWER, Readings
from vision.track import Namer, Track, TrackingTuning

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Doubles = NDArray[np.float64]
    Image = NDArray[np.uint8]


@dataclass(slots=True)
class Tracker:
    """Follows the indices of one table; frames come in order."""

    tuning: TrackingTuning = field(default_factory=TrackingTuning)
    pose: Pose = field(default_factory=Pose.still)
    tracks: list[Track] = field(default_factory=list)
    lost: bool = False
    upset: bool = False
    _strange: int = 0
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

    @property
    def covered(self) -> bool:
        """Whether the place of an index looks otherwise than it did: it may be going, or under a hand."""
        return any(track.covered for track in self.kept)

    def see(self, image_rgb: Image, found: Detections, name: Namer) -> None:
        """Take in one frame: its picture, the indices found in it (its pixels), and a way to read some of them.

        `lost`: it tells nothing, for the camera is moving. `upset`: little is where it was, and no move explains it.
        """
        found = found[np.flatnonzero(found.classes == Kind.INDEX)]
        partner = self._matched(found)
        self.lost = self.upset = False
        if not self._astray(found, partner):
            self._strange = 0
        elif (moved := self._moved(found, readings := name(found))) is not None:
            self.pose, self._strange = moved, 0
            partner = self._matched(found)
        else:
            names = readings.log_probs.argmax(axis=1)
            agreed = sum(int(names[row]) == self.tracks[at].face for row, at in partner.items())
            self._strange += 1
            self.lost = agreed < self.tuning.agreed and self._strange <= self.tuning.lost_frames
            self.upset = not self.lost and agreed < self.tuning.agreed
            if self.lost:
                return
        self._refine(found, partner)
        there = self._in_table(found)
        grown = [self.tracks[i] for i in partner.values()]
        rows = list(partner)
        looks = self._patches(image_rgb, [t.box for t in self.tracks], [t.corners for t in self.tracks])
        changed = {i: alike(looks[i], track.patch) < self.tuning.alike for i, track in enumerate(self.tracks)}
        new = [row for row in range(len(found)) if row not in partner]
        ask = [row for row in rows if self._worth_a_look(self.tracks[partner[row]], changed[partner[row]])] + new
        looked = name(found[np.array(ask, dtype=np.int64)]) if ask else None
        said = {row: looked.log_probs[at].astype(np.float64) for at, row in enumerate(ask)} if looked else {}
        for row, track in zip(rows, grown, strict=True):
            at = partner[row]
            self._hit(track, there, row, said.get(row), changed[at], looks[at])
        brown = Brown.of(np.asarray(image_rgb[::8, ::8], np.uint8), self.tuning.brown_table)
        crowd = not self.upset and self._crowd(set(partner.values()), changed)
        for i, track in enumerate(self.tracks):
            if i not in partner.values():
                self._missed(track, looks[i], changed[i], image_rgb, crowd, brown)
            track.seen = i in partner.values()
            track.covered = changed[i] and not track.seen
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
        names = [track.reading(self.tuning.weight) for track in kept]
        log_probs = np.array(names, np.float32).reshape(len(kept), NONE_ANSWER + 1)
        return _as_detections(kept), Readings(log_probs, np.zeros((len(kept), 0), np.float32))

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
        known = _as_detections(self.tracks)
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

    def _astray(self, found: Detections, partner: dict[int, int]) -> bool:
        """Whether most of what is seen lies elsewhere than what is known: the camera has moved."""
        known = len(self.kept)
        confirmed = sum(self.tracks[i].hits >= self.tuning.confirmed for i in partner.values())
        least = self.tuning.lost_share * min(known, len(found))
        return known >= self.tuning.least_pairs and len(found) >= self.tuning.least_pairs and confirmed < least

    def _moved(self, found: Detections, readings: Readings) -> Pose | None:
        """The pose by which indices of the same name lie on each other again: of a nudge, else of a camera that was
        set up anew, where more of them must agree."""
        tuning, kept = self.tuning, _as_detections(self.kept)
        there = self._in_table(found)
        seen_xy, known_xy = _middles(found), _middles(kept)
        names, known = readings.log_probs.argmax(axis=1), np.array([track.face for track in self.kept], np.int64)
        height = float(np.median(index_sizes(kept))) * 0.7
        turned = index_angles(there.corners)[:, None] - index_angles(kept.corners)[None]
        turned = np.abs((turned + np.pi) % (2 * np.pi) - np.pi)
        moved = np.linalg.norm(_middles(there)[:, None] - known_xy[None], axis=2)
        same = (names[:, None] == known[None]) & (known[None] != NONE_ANSWER)
        nudge = same & (moved < tuning.reach_heights * height) & (turned < tuning.reach_rad)
        for pairs, share, zoom in (
            (nudge, tuning.nudge_share, tuning.largest_zoom),
            (same, tuning.set_up_anew_share, tuning.set_up_anew_zoom),
        ):
            rows, columns = np.nonzero(pairs)
            least = max(tuning.least_pairs, int(share * min(pairs.shape)))
            pose = pose_of(seen_xy[rows], known_xy[columns], 0.4 * height, least, zoom)
            if pose is not None:
                return pose
        return None

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
        other = said is not None and changed and int(said.argmax()) != track.face
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

    def _missed(
        self, track: Track, patch: Floats, changed: bool, image_rgb: Image, crowd: bool, brown: Brown | None
    ) -> None:
        """Count frames in which the place is seen, still, and not as it was; the skin of a hand counts little, that of
        a brown table more."""
        if not changed:
            if track.hits < self.tuning.confirmed:
                track.misses += 1
            else:
                track.misses = 0.0
            return
        if alike(patch, track.last) < self.tuning.still:
            return
        skin, hand = skin_shares(image_rgb, self.pose.to_frame(track.box.reshape(2, 2)).ravel(), brown)
        if hand > self.tuning.skin_share:
            track.misses += self.tuning.skin_counts
        elif skin > self.tuning.skin_share:
            track.misses += self.tuning.brown_counts
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


def _as_detections(tracks: list[Track]) -> Detections:
    count = len(tracks)
    return Detections(
        np.array([t.box for t in tracks], np.float32).reshape(count, 4),
        np.array([t.score for t in tracks], np.float32),
        np.full(count, int(Kind.INDEX), np.int64),
        np.array([t.corners for t in tracks], np.float32).reshape(count, 4, 2),
    )
