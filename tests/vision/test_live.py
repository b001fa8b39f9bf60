"""What a live table remembers: hands that pass, nudges, squared burraci, hands of cards, darkness."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from scoring.cards import parse_cards
from scoring.regolamento import load_regolamento
from tests.vision.filmed import SIZE_WH, Filmed, film
from tests.vision.tabletop import Laid, lay_meld
from vision.camera import Frame
from vision.camera_source import CameraTrouble
from vision.laid import Change, ChangeKind
from vision.live import LiveState, LiveTable
from vision.quality import PhotoTrouble
from vision.tracking import Tracker
from vision.veiling import veiled
from vision.watching import watch

FIBUR = load_regolamento("fibur")
RUN = "3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥"


class Line:
    """Stands in for the networks: finds and names what the present frame holds."""

    def __init__(self) -> None:
        self.frame: Filmed | None = None

    def find(self, image_rgb, tiling=None):
        return self.frame.found

    def name(self, image_rgb, indices, look=0):
        return self.frame.name(indices)


class Watched:
    """A live table fed with frames."""

    def __init__(self) -> None:
        self.line, self.rng = Line(), np.random.default_rng(1)
        self.table = LiveTable(self.line, FIBUR)
        self.changes: list[Change] = []

    def show(self, laid: list[Laid], frames: int = 5, **how) -> LiveState:
        for _ in range(frames):
            self.line.frame = film(laid, self.rng, **how)
            state = self.table.see(self.line.frame.image_rgb)
            self.changes += state.changes
        return state


def run(text: str = RUN, x: float = -200, y: float = -120) -> list[Laid]:
    return lay_meld(parse_cards(text), x, y, step=(0, 26))


def kings(x: float = 0, y: float = -100) -> list[Laid]:
    return lay_meld(parse_cards("K♥ K♥ K♠"), x, y, step=(0, 26))


def melds(state: LiveState) -> Counter:
    return Counter(" ".join(map(str, meld.faces)) for meld in state.melds)


def test_melds_are_found_once_two_frames_agree_and_told_once():
    watched = Watched()
    assert watched.show(run() + kings(), frames=1).melds == ()
    state = watched.show(run() + kings(), frames=4)
    assert melds(state) == Counter([RUN, "K♥ K♥ K♠"])
    assert [change.kind for change in watched.changes] == [ChangeKind.LAID, ChangeKind.LAID]


def test_two_equal_cards_stay_two():
    state = Watched().show(kings(), frames=8)
    assert melds(state) == Counter(["K♥ K♥ K♠"])


def test_cards_laid_on_are_one_change():
    watched = Watched()
    watched.show(run("3♥ 4♥ 5♥"))
    state = watched.show(run("3♥ 4♥ 5♥ 6♥ 7♥"))
    assert melds(state) == Counter(["3♥ 4♥ 5♥ 6♥ 7♥"])
    assert [(c.kind, c.meld) for c in watched.changes] == [(ChangeKind.LAID, 1), (ChangeKind.CARDS, 1)]


@pytest.mark.parametrize("frames", [3, 12])
def test_a_hand_over_the_table_takes_no_card_away(frames):
    watched = Watched()
    watched.show(run() + kings())
    state = watched.show(run() + kings(), frames=frames, hand=(200, 250, 700, 720))
    assert melds(state) == Counter([RUN, "K♥ K♥ K♠"])
    assert melds(watched.show(run() + kings())) == Counter([RUN, "K♥ K♥ K♠"])
    assert len(watched.changes) == 2


def test_a_meld_that_is_taken_away_is_gone_once_its_place_was_seen_clear():
    watched = Watched()
    watched.show(run() + kings())
    assert len(watched.show(run(), frames=2).melds) == 2
    state = watched.show(run(), frames=8)
    assert melds(state) == Counter([RUN])
    assert watched.changes[-1].kind is ChangeKind.GONE


@pytest.mark.parametrize("nudge", [(40.0, 0.0, 0.0), (-55.0, 30.0, 0.0), (25.0, -60.0, 1.2)])
def test_a_nudge_of_the_camera_is_followed(nudge):
    watched = Watched()
    before = watched.show(run() + kings())
    state = watched.show(run() + kings(), moved=nudge)
    assert melds(state) == Counter([RUN, "K♥ K♥ K♠"])
    assert len(watched.changes) == 2
    moved = np.array(state.melds[0].seen.cards[0].quad) - np.array(before.melds[0].seen.cards[0].quad)
    turned = nudge[2] * np.pi / 180 * 400
    assert np.abs(moved.mean(axis=0) - nudge[:2]).max() < 3 + turned
    extended = watched.show(run() + kings() + [Laid(parse_cards("K♣")[0], 0, -22, 0)], moved=nudge)
    assert melds(extended) == Counter([RUN, "K♥ K♥ K♠ K♣"])


def test_a_camera_that_is_set_up_anew_is_followed_with_its_burraco():
    watched = Watched()
    watched.show(run() + kings())
    pile = lay_meld(parse_cards(RUN), -200, -60, step=(0, 0.3))
    watched.show(pile + kings() + run("4♠ 5♠ 6♠", x=80), frames=12)
    state = watched.show(pile + kings() + run("4♠ 5♠ 6♠", x=80), frames=20, moved=(60.0, -40.0, -75.0))
    assert melds(state) == Counter([RUN, "K♥ K♥ K♠", "4♠ 5♠ 6♠"])
    assert ChangeKind.GONE not in {change.kind for change in watched.changes}


def test_a_burraco_squared_while_another_meld_is_laid_is_no_other_table():
    watched = Watched()
    watched.show(run() + kings())
    pile = lay_meld(parse_cards(RUN), -200, -60, step=(0, 0.3))
    state = watched.show(pile + kings() + run("4♠ 5♠ 6♠", x=80), frames=8)
    assert [(meld.number, meld.squared, len(meld.faces)) for meld in state.melds] == [
        (1, True, 7),
        (2, False, 3),
        (3, False, 3),
    ]


def test_another_table_is_begun_anew():
    watched = Watched()
    watched.show(run() + kings())
    state = watched.show(run("4♠ 5♠ 6♠", x=100) + run("Q♦ Q♠ Q♣", x=-100), frames=30)
    assert melds(state) == Counter(["4♠ 5♠ 6♠", "Q♦ Q♠ Q♣"])


def test_the_next_smazzata_begins_with_nothing():
    watched = Watched()
    watched.show(run() + kings())
    watched.show(lay_meld(parse_cards(RUN), -200, -60, step=(0, 0.3)) + kings(), frames=8)
    watched.table.begin(load_regolamento("wikipedia"))
    state = watched.show(kings(), frames=5)
    assert melds(state) == Counter(["K♥ K♥ K♠"])
    assert watched.changes[-1] == Change(ChangeKind.LAID, 1, parse_cards("K♥ K♥ K♠"))


def test_a_squared_burraco_stays_the_meld_it_was():
    watched = Watched()
    watched.show(run() + kings())
    watched.show(run() + kings(), frames=3, hand=(200, 200, 500, 700))
    pile = lay_meld(parse_cards(RUN), -200, -60, step=(0, 0.3))
    state = watched.show(pile + kings(), frames=8)
    assert melds(state) == Counter([RUN, "K♥ K♥ K♠"])
    assert [meld.squared for meld in state.melds] == [True, False]
    assert watched.changes[-1] == Change(ChangeKind.SQUARED, 1, parse_cards(RUN))


def test_a_burraco_that_is_squared_on_a_brown_table_stays_too():
    watched = Watched()
    watched.show(run() + kings(), table=(190, 140, 112))
    pile = lay_meld(parse_cards(RUN), -200, -120, step=(0, 0.3))
    state = watched.show(pile + kings(), frames=12, table=(190, 140, 112))
    assert [(meld.squared, len(meld.faces)) for meld in state.melds] == [(True, 7), (False, 3)]
    assert [change.kind for change in watched.changes[2:]] == [ChangeKind.SQUARED]


def test_a_squared_burraco_under_a_resting_arm_comes_back():
    watched = Watched()
    watched.show(run() + kings())
    pile = lay_meld(parse_cards(RUN), -200, -60, step=(0, 0.3))
    watched.show(pile + kings(), frames=8)
    state = watched.show(kings(), frames=8)  # nothing of it is seen at its place, as under a sleeve
    assert melds(state) == Counter(["K♥ K♥ K♠"])
    state = watched.show(pile + kings(), frames=6)
    assert [(meld.number, meld.squared, len(meld.faces)) for meld in state.melds] == [(1, True, 7), (2, False, 3)]


def test_a_table_that_is_cleared_at_once_is_bare():
    watched = Watched()
    watched.show(run() + kings())
    assert watched.show([], frames=30).melds == ()


def test_a_bare_table_has_no_burraco_that_comes_back():
    watched = Watched()
    watched.show(run() + kings())
    pile = lay_meld(parse_cards(RUN), -200, -60, step=(0, 0.3))
    watched.show(pile + kings(), frames=8)
    assert watched.show([], frames=30).melds == ()
    assert melds(watched.show(run("7♥ 8♥ 9♥", y=-60), frames=6)) == Counter(["7♥ 8♥ 9♥"])


def test_a_hand_that_rests_on_a_brown_table_takes_no_card_away():
    brown = (190, 140, 112)
    watched = Watched()
    watched.show(run() + kings(), table=brown)
    state = watched.show(run() + kings(), frames=15, table=brown, hand=(200, 250, 520, 720), skin=(140, 96, 78))
    assert melds(state) == Counter([RUN, "K♥ K♥ K♠"])
    assert len(watched.changes) == 2


def test_a_card_laid_to_a_squared_burraco_counts():
    watched = Watched()
    watched.show(run())
    pile = lay_meld(parse_cards(RUN), -200, -60, step=(0, 0.3))
    watched.show(pile, frames=8)
    state = watched.show([*pile, Laid(parse_cards("10♥")[0], -190, -40, 0)], frames=8)
    assert melds(state) == Counter([RUN + " 10♥"])


def test_cards_at_the_border_are_a_hand_and_never_shown():
    watched = Watched()
    hand = lay_meld(parse_cards("5♣ 6♣ 7♣ 8♣"), 100, 205, step=(22, 0))
    state = watched.show(kings() + hand, frames=8)
    assert melds(state) == Counter(["K♥ K♥ K♠"])
    assert "5♣" not in state.reading.to_json()


def covers(quads, point) -> bool:
    return any(cv2.pointPolygonTest(np.array(quad, np.float32), point, False) >= 0 for quad in quads)


def test_cards_held_over_a_meld_are_in_no_picture():
    watched = Watched()
    state = watched.show(run() + kings())
    assert len(state.shown) == 10
    fan = lay_meld(parse_cards("5♣ 9♦ J♠"), -210, -60, step=(20, 4))
    state = watched.show(run() + kings() + fan, frames=1)
    assert len(state.melds) == 2
    for card in fan:
        middle = tuple(float(v) for v in card.quad.mean(axis=0) * 1.6 + np.array(SIZE_WH) / 2)
        assert covers(state.others, middle), card
    held = watched.rng.integers(0, 256, (SIZE_WH[1], SIZE_WH[0], 3), np.uint8)
    x, y = np.array(fan[1].quad.mean(axis=0) * 1.6 + np.array(SIZE_WH) / 2).astype(int)
    seen = veiled(held, state.shown, state.others)[y - 15 : y + 15, x - 15 : x + 15]
    assert seen.std() < 15  # of 74


def test_in_the_dark_nothing_is_shown_and_a_covered_card_is_not_either():
    watched = Watched()
    watched.show(run() + kings())
    state = watched.show(run() + kings(), frames=3, hand=(200, 250, 520, 720))
    assert 3 <= len(state.shown) < 10
    assert watched.show(run() + kings(), frames=3, light=0.08).shown == ()


def test_a_row_that_is_no_meld_is_not_shown():
    watched = Watched()
    state = watched.show(kings() + lay_meld(parse_cards("5♣ 9♦ J♠ 2♥"), 150, 0, step=(24, 0)), frames=8)
    assert melds(state) == Counter(["K♥ K♥ K♠"])


class Cable:
    """A camera whose cable comes loose after some frames of one table, and is plugged in again over a nudged one."""

    fps = 0.0

    def __init__(self, watched: Watched, frames: int, **how) -> None:
        self.watched, self.left, self.how = watched, frames, how

    def read(self):
        if not self.left:
            return None
        self.left -= 1
        self.watched.line.frame = film(run() + kings(), self.watched.rng, **self.how)
        return self.watched.line.frame.image_rgb[:, :, ::-1]

    def skip(self) -> bool:
        return self.read() is not None

    def close(self) -> None:
        """Nothing to let go."""


def test_a_pulled_cable_is_said_and_the_table_is_known_when_it_is_back():
    watched = Watched()
    feeds = [Cable(watched, 6), None, Cable(watched, 10, moved=(40.0, 0.0, 0.0)), None]

    class Camera:  # in step with the frames, so that no machine is too slow for it
        trouble, number, feed = None, 0, feeds.pop(0)

        def newest(self, after, timeout_s):
            image = self.feed.read() if self.feed else None
            self.trouble = None if image is not None else CameraTrouble.UNPLUGGED
            if image is None:
                self.feed = feeds.pop(0) if feeds else None
                return None
            self.number += 1
            return Frame(image, self.number, 0.0)

    steps = list(watch(Camera(), watched.table, lambda: bool(feeds)))
    said = [seen.camera for seen in steps]
    states = [seen.state for seen in steps if seen.state is not None]
    assert said[:6] == [None] * 6
    assert CameraTrouble.UNPLUGGED in said[6:8]
    assert said[8:17] == [None] * 9
    assert melds(states[-1]) == Counter([RUN, "K♥ K♥ K♠"])
    assert sum(len(state.changes) for state in states) == 2


def test_in_the_dark_nothing_is_forgotten_and_it_is_said():
    watched = Watched()
    watched.show(run() + kings())
    state = watched.show(run() + kings(), frames=10, light=0.08)
    assert state.trouble is PhotoTrouble.TOO_DARK
    assert melds(state) == Counter([RUN, "K♥ K♥ K♠"])
    after = watched.show(run() + kings())
    assert after.trouble is None
    assert len(watched.changes) == 2


def test_a_still_table_is_not_read_again_and_again():
    watched = Watched()
    frame = film(kings(), watched.rng)
    watched.line.frame = frame
    states = [watched.table.see(frame.image_rgb) for _ in range(12)]
    assert [state.read for state in states[-3:]] == [False] * 3
    assert states[0].read


def test_names_get_surer_with_each_look():
    tracker, rng = Tracker(), np.random.default_rng(2)
    sure = []
    for _ in range(3):
        frame = film(kings(), rng)
        tracker.see(frame.image_rgb, frame.found, frame.name)
        if tracker.kept:
            sure.append(float(np.exp(tracker.indices()[1].log_probs.max(axis=1)).min()))
    assert sure == sorted(sure)
    assert sure[-1] > 0.99


def test_the_frame_is_as_large_as_tests_say():
    assert film(kings(), np.random.default_rng(0)).image_rgb.shape == (SIZE_WH[1], SIZE_WH[0], 3)
