"""Seeded games as a camera above the table films them: what lies there at each moment, and each frame drawn.

Cards are laid one turn after the other, hands pass, the monte grows and is picked up, a burraco is squared, players
hold fans at the border, and the camera is nudged. A frame is drawn only when it is asked for.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Matrix, light
from datasets.decks import BACK, Deck, make_deck
from datasets.game_pieces import SIZE_WH, Reach, draw_hand, meld_plan, view
from datasets.scene import Studio, laid_out
from datasets.style import JOLLIES as JOLLY_MARKS
from datasets.surroundings import lay_texture
from datasets.tables import Lay
from datasets.two_packs import COPIES
from scoring.cards import FACES, Card

Image = NDArray[np.uint8]
FPS = 10
INDEX_PX = (20.0, 35.0)
SIDE_STRIP_MM = 330.0  # at the right: tallone, monte, and the fans that players hold
SLOT_MM = 96.0
JPEG_QUALITY = 82


@dataclass(frozen=True, slots=True)
class State:
    """What lies on the table from `at_s` on: cards in drawing order, the laid melds as they count, the camera."""

    at_s: float
    lays: tuple[Lay, ...]
    melds: tuple[tuple[Card, ...], ...]
    matrix: Matrix
    what: str = ""


@dataclass(frozen=True, slots=True)
class GameRecipe:
    """What fixes a game besides its seed: how many cards are laid at least, seconds of a turn, nudges of the camera.

    A game that would end before `least_s` is played slower.
    """

    cards: int = 40
    turn_s: float = 5.2
    least_s: float = 240.0
    nudges: int = 2
    fans: bool = True


@dataclass(eq=False)
class Game:
    """One game; `frame(now_s)` draws what the camera sees, `melds_at` says what is right."""

    seed: int
    deck: Deck
    states: tuple[State, ...]
    reaches: tuple[Reach, ...]
    index_px: float
    skin: tuple[int, int, int]
    _bases: dict[int, Image] = field(default_factory=dict, repr=False)

    @property
    def length_s(self) -> float:
        """The end of the film: some quiet seconds after the last change."""
        return self.states[-1].at_s + 8.0

    @cached_property
    def studio(self) -> Studio:
        """Table top and noise of this game."""
        return Studio.make(np.random.default_rng([self.seed, 7]), [self.deck], "val", 1)

    def at(self, now_s: float) -> int:
        """Number of the state at a moment."""
        return max(i for i, state in enumerate(self.states) if state.at_s <= now_s or i == 0)

    def melds_at(self, now_s: float) -> tuple[tuple[Card, ...], ...]:
        """The melds that lie at a moment."""
        return self.states[self.at(now_s)].melds

    def frame(self, now_s: float) -> Image:
        """What the camera delivers at a moment: (1080, 1920, 3) uint8 RGB, hands in it, compressed as cameras do."""
        packed = np.frombuffer(self.packed(now_s), np.uint8)
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR_RGB), np.uint8)

    def packed(self, now_s: float) -> bytes:
        """The same as the bytes of a JPEG file."""
        number = self.at(now_s)
        image = self._base(number).copy()
        for reach in self.reaches:
            if (share := reach.share(now_s)) > 0:
                draw_hand(image, reach, share, self.states[number].matrix, self.skin)
        rng = np.random.default_rng([self.seed, 11, round(now_s * 1000)])
        noisy = self.studio.noise.over(rng, image, 3.0)
        bgr = cv2.cvtColor(noisy, cv2.COLOR_RGB2BGR)
        return cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()

    def _base(self, number: int) -> Image:
        """The still table of one state; only the last is kept."""
        if number not in self._bases:
            state = self.states[number]
            top = lay_texture(np.random.default_rng([self.seed, 3]), self.studio.tops[0], SIZE_WH)
            drawn = laid_out(np.random.default_rng([self.seed, 4]), top, [self.deck], state.lays, state.matrix)
            lit = light(np.random.default_rng([self.seed, 5]), drawn)
            self._bases.clear()
            self._bases[number] = np.asarray(cv2.GaussianBlur(lit, (0, 0), 0.6), np.uint8)
        return self._bases[number]


def make_game(seed: int, recipe: GameRecipe | None = None) -> Game:
    """The game of a seed, on a deck of the validation split."""
    recipe = recipe or GameRecipe()
    rng = np.random.default_rng([seed, 1])
    deck = make_deck(int(rng.integers(2**31)), "val", joker=str(rng.choice(sorted(set(JOLLY_MARKS) - {"nothing"}))))
    index_px = float(rng.uniform(*INDEX_PX))
    play = _Play(rng, deck, index_px / deck.index_height_mm, recipe)
    play.run()
    slower = max(1.0, recipe.least_s / play.states[-1].at_s)
    states = tuple(replace(state, at_s=state.at_s * slower) for state in play.states)
    reaches = tuple(replace(reach, at_s=reach.at_s * slower) for reach in play.reaches)
    skin = (np.array([rng.uniform(150, 230)] * 3) * [1, 0.75, 0.62]).astype(int).tolist()
    return Game(seed, deck, states, reaches, index_px, (skin[0], skin[1], skin[2]))


class _Play:
    """Plays one game turn by turn and writes down its states."""

    def __init__(self, rng: np.random.Generator, deck: Deck, px_per_mm: float, recipe: GameRecipe) -> None:
        self.rng, self.deck, self.recipe, self.scale = rng, deck, recipe, px_per_mm
        self.half_w, self.half_h = SIZE_WH[0] / px_per_mm / 2, SIZE_WH[1] / px_per_mm / 2
        self.view = view(px_per_mm, float(rng.uniform(0, 8)))
        self.melds: list[tuple[list[int], tuple[float, float], bool]] = []
        self.monte: list[int] = []
        self.now_s = 2.0
        self.reaches: list[Reach] = []
        self.plan = meld_plan(rng, recipe.cards)
        self.step_mm = deck.free_index_mm * 1.08
        self.strip_x = self.half_w - SIDE_STRIP_MM
        self.slots = self._slots()
        self.rest = self._rest()
        self.held = [self.rest.pop() for _ in range(11)] if recipe.fans else []
        self.states = [State(0.0, tuple(self._lays()), (), self.view, "start")]

    def _slots(self) -> list[tuple[float, float]]:
        """Where melds may begin (middle of their first card), alternately near the lower and the upper side."""
        width = self.strip_x + self.half_w - 50
        count = max(4, int(width / SLOT_MM))
        xs = [-self.half_w + 70 + i * width / count for i in range(count)]
        low, high = self.deck.height_mm / 2 + 34 - self.half_h, self.deck.height_mm / 2 + 18
        order = [(x, y) for x in xs for y in (high, low)]
        return [order[i] for i in self.rng.permutation(len(order))]

    def _rest(self) -> list[int]:
        """Cards that are not laid, shuffled: what is discarded and held."""
        counts = Counter(f for meld in self.plan for f in meld)
        rest = [f for f in range(len(FACES) - 1) for _ in range(COPIES - counts[f])]
        return [int(f) for f in self.rng.permutation(rest)]

    def run(self) -> None:
        """Lay all melds, some at once and some in parts; discard after each turn."""
        open_parts: list[tuple[int, list[int]]] = []
        todo = list(self.plan)
        turns = 0
        nudge_turns = {int(n) for n in np.linspace(3, 3 + len(self.plan), self.recipe.nudges + 2)[1:-1]}
        squared = False
        while todo or open_parts or not squared:
            if turns in nudge_turns:
                self._nudge()
            if todo and (not open_parts or self.rng.random() < 0.55):
                faces = todo.pop(0)
                first = min(len(faces), int(self.rng.integers(3, 5)))
                at = len(self.melds)
                self.melds.append((faces[:first], self.slots[at], False))
                if faces[first:]:
                    open_parts.append((at, faces[first:]))
                self._change(self.slots[at], "meld")
            elif open_parts:
                pick = int(self.rng.integers(len(open_parts)))
                at, rest = open_parts[pick]
                count = min(len(rest), int(self.rng.integers(1, 3)))
                faces, spot, _ = self.melds[at]
                self.melds[at] = ([*faces, *rest[:count]], spot, False)
                open_parts[pick] = (at, rest[count:])
                open_parts = [part for part in open_parts if part[1]]
                self._change((spot[0], spot[1] + len(faces) * self.step_mm), "cards")
            elif not squared:
                squared = True
            if not squared and len(self.melds[0][0]) == len(self.plan[0]) and (turns > 4 or not todo):
                self.melds[0] = (*self.melds[0][:2], True)
                squared = True
                self._change(self.melds[0][1], "squared")
            self._discard()
            turns += 1
            if turns % 4 == 0:
                self._pass()
            if len(self.monte) >= 7:
                self.monte.clear()
                self._change((self.strip_x + 100, 0.0), "monte picked up")
        self._pass()

    def _discard(self) -> None:
        if self.rest:
            self.monte.append(self.rest.pop())
            if self.held and len(self.held) > 4 and self.rng.random() < 0.3:
                self.held.pop()
            self._change((self.strip_x + 100, 0.0), "discard")

    def _change(self, place_xy: tuple[float, float], what: str) -> None:
        self.now_s += self.recipe.turn_s / 2 * float(self.rng.uniform(0.8, 1.3))
        border = (float(self.rng.uniform(-0.3, 0.3)) * self.half_w, self.half_h * (1.2 if place_xy[1] >= 0 else -1.2))
        self.reaches.append(Reach(self.now_s, border, place_xy))
        self._write(what)

    def _pass(self) -> None:
        """A hand that reaches over the table and changes nothing."""
        self.now_s += 2.2
        x = float(self.rng.uniform(-0.7, 0.2)) * self.half_w
        self.reaches.append(Reach(self.now_s, (x, self.half_h * 1.2), (x * 0.8, -0.3 * self.half_h), 1.4))
        self.now_s += 1.2

    def _nudge(self) -> None:
        """Move the camera by 1 to 5 cm of table, and turn it a little."""
        far, way = float(self.rng.uniform(10, 50)), float(self.rng.uniform(0, 2 * np.pi))
        turn = float(np.radians(self.rng.uniform(-1.2, 1.2)))
        cos, sin = np.cos(turn), np.sin(turn)
        far *= min(1.0, 30 / max(1.0, abs(far * np.sin(way))))  # rows near the border stay in the picture
        moved = np.array([[cos, -sin, far * np.cos(way)], [sin, cos, far * np.sin(way)], [0, 0, 1]])
        self.view = self.view @ moved
        self.now_s += 2.5
        self._write("nudge")
        self.view = self.view.copy()

    def _write(self, what: str) -> None:
        melds = tuple(tuple(FACES[f] for f in faces) for faces, _, _ in self.melds)
        self.states.append(State(self.now_s, tuple(self._lays()), melds, self.view, what))

    def _lays(self) -> list[Lay]:
        rng = np.random.default_rng(5)  # each card keeps its own small disorder from state to state
        lays: list[Lay] = []
        for group, (faces, (x, y), squared) in enumerate(self.melds):
            off = np.random.default_rng([group, 2]).normal(0, [0.8, 0.5, 0.008], (len(faces), 3))
            for i, (face, (dx, dy, da)) in enumerate(zip(faces, off.tolist(), strict=True)):
                down = 0.0 if squared else i * self.step_mm
                lays.append(Lay(face, x + dx, y + down + dy, da, group, meld=True))
        tallone = [Lay(BACK, self.strip_x + 90, -130 + d, 0.02 * d, 90) for d in rng.normal(0, 1, 4).tolist()]
        spread = [Lay(f, self.strip_x + 80 + 22 * i, 0, 0.03 * (i % 3 - 1), 91) for i, f in enumerate(self.monte)]
        return [*lays, *tallone, *spread, *self._fan()]

    def _fan(self) -> list[Lay]:
        """The hand of a player, open to the camera at the lower right border."""
        radius, step = 150.0, 1.4 * self.deck.free_width_mm / 190
        middle_x, middle_y = self.half_w - 170, self.half_h + radius - 15
        angles = [(i - len(self.held) / 2) * step for i in range(len(self.held))]
        return [
            Lay(f, middle_x + radius * float(np.sin(a)), middle_y - radius * float(np.cos(a)), a, 92)
            for f, a in zip(self.held, angles, strict=True)
        ]


def film(game: Game, path: str, fps: int = FPS, until_s: float | None = None) -> None:
    """Write a game as a video file of JPEG frames, as a webcam delivers them."""
    writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*"MJPG"), fps, SIZE_WH)
    for number in range(int((until_s or game.length_s) * fps)):
        writer.write(cv2.cvtColor(game.frame(number / fps), cv2.COLOR_RGB2BGR))
    writer.release()


def shortened(game: Game, states: int) -> Game:
    """The beginning of a game, for quick looks."""
    kept = game.states[:states]
    reaches = tuple(reach for reach in game.reaches if reach.at_s <= kept[-1].at_s)
    return replace(game, states=kept, reaches=reaches, _bases={})
