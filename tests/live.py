"""Rendered games before the live line: `python -m tests.live --games 5` says how each ends, and how late changes show.

A game runs in its own time: the line takes the newest frame, is busy for as long as `--pace` says (or as it really
took, with `--pace real`), and then takes the frame of that moment; frames in between are dropped.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from datasets.games import FPS, Game, GameRecipe, Image, film, make_game
from scoring.cards import Card
from scoring.meld import read_meld
from scoring.regolamento import Regolamento, load_regolamento
from tests.live_kept import KeptFrames, KeptReader
from vision.camera import Camera
from vision.camera_source import Feed, Source, SourceKind, open_source
from vision.line import TableReader
from vision.live import LiveTable
from vision.watching import watch

Melds = tuple[tuple[Card, ...], ...]
ON_TIME_S = 2.0
FAULT_S = 10.0
DIM = 0.08  # of the light
FILM_S = 60.0
QUIET_S = 0.2  # a frame that shows nothing new costs nothing, but there is no need to look at each


@dataclass
class Played:
    """How one game went: the last melds, when each right state was first shown, and what frames cost."""

    melds: Melds = ()
    shown_at: dict[int, float] = field(default_factory=dict)
    frames: int = 0
    read: int = 0
    cpu_s: list[float] = field(default_factory=list)
    troubles: set[str] = field(default_factory=set)


def multiset(melds: Melds) -> Counter[tuple[int, ...]]:
    """Melds without their order."""
    return Counter(tuple(sorted(card.index for card in meld)) for meld in melds)


def points(melds: Melds, regolamento: Regolamento) -> int:
    """What the melds count together, with their bonuses."""
    values = [read_meld(meld, regolamento) for meld in melds]
    return sum(value.points for value in values)


def play(
    game: Game,
    frame: Callable[[float], Image | None],
    reader: TableReader,
    regolamento: Regolamento,
    pace_s: float | None,
    say: bool,
) -> Played:
    """Feed a game to the line in its own time; `frame` gives the picture of a moment."""
    table, played, now_s = LiveTable(reader, regolamento), Played(), 0.0
    while now_s < game.length_s:
        image = frame(now_s)
        if image is None:
            now_s += 1 / FPS
            continue
        spent, began = time.process_time(), time.perf_counter()
        state = table.see(image)
        took_s = time.perf_counter() - began
        busy_s = took_s if pace_s is None else pace_s if state.read else 0.0
        now_s = (int((now_s + max(busy_s, QUIET_S)) * FPS + 1e-6) + 1) / FPS
        played.frames += 1
        played.read += state.read
        if state.trouble is not None:
            played.troubles.add(state.trouble.value)
        if state.read:
            played.cpu_s.append(time.process_time() - spent)
        played.melds = tuple(meld.faces for meld in state.melds)
        number = game.at(now_s)
        if multiset(played.melds) == multiset(game.states[number].melds):
            played.shown_at.setdefault(number, now_s)
        for change in state.changes if say else ():
            print(f"  {now_s:6.1f} {change.kind.value:8} {change.meld} {' '.join(map(str, change.cards))}", flush=True)
    return played


def faulty(game: Game, frame: Callable[[float], Image], fault: str | None) -> Callable[[float], Image | None]:
    """The frames of a game in whose middle there is a fault for `FAULT_S`."""
    middle_s = game.length_s / 2

    def seen(now_s: float) -> Image | None:
        image = frame(now_s)
        if fault is None or not middle_s <= now_s < middle_s + FAULT_S:
            return image
        return None if fault == "cable" else np.asarray((image * DIM).astype(np.uint8))

    return seen


def remembered(game: Game, minutes: float) -> int:
    """Watch a film of a game over and over in real time; say how large the process is at minute 5 and at the end."""
    with TemporaryDirectory() as folder:
        path = str(Path(folder) / "game.avi")
        film(game, path, until_s=min(game.length_s, FILM_S))

        def again(source: Source) -> Feed:
            return Looped(lambda: open_source(source))

        camera = Camera(Source(SourceKind.FILE, path), again)
        began, sizes = time.monotonic(), dict[str, float]()
        for _ in watch(camera, LiveTable(TableReader(), load_regolamento("fibur")), lambda: True):
            gone = (time.monotonic() - began) / 60
            if gone >= 5:
                sizes.setdefault("minute 5", resident_mib())
            if gone >= minutes:
                break
        sizes[f"minute {minutes:g}"] = resident_mib()
        camera.close()
    print(", ".join(f"{when}: {size:.0f} MiB" for when, size in sizes.items()))
    return 0


def resident_mib() -> float:
    """What this process holds in memory (Linux)."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20


class Looped:
    """A film that begins again when it is over."""

    def __init__(self, opened: Callable[[], Feed]) -> None:
        self._opened, self._feed = opened, opened()
        self.fps = self._feed.fps

    def read(self) -> Image | None:
        """The next picture."""
        image = self._feed.read()
        if image is None:
            self._feed.close()
            self._feed = self._opened()
            image = self._feed.read()
        return image

    def skip(self) -> bool:
        """Pass over the next picture."""
        return self._feed.skip() or self.read() is not None

    def close(self) -> None:
        """Let the film go."""
        self._feed.close()


def lags(game: Game, played: Played) -> list[float | None]:
    """Seconds from each change of the melds (the hand away) to its being shown; None where it never was."""
    out: list[float | None] = []
    for number, (before, state) in enumerate(pairwise(game.states), start=1):
        if multiset(before.melds) != multiset(state.melds):
            clear = max([state.at_s, *(r.at_s + 0.7 + r.travel_s for r in game.reaches if r.at_s == state.at_s)])
            later = [at for n, at in played.shown_at.items() if n >= number]
            shown = played.shown_at.get(number)
            if shown is None and later:
                shown = min(later)
            out.append(None if shown is None else max(0.0, shown - clear))
    return out


def main() -> int:
    """Play the games and print a line for each."""
    parser = argparse.ArgumentParser(prog="tests.live", description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--first", type=int, default=1, help="seed of the first game")
    parser.add_argument("--cards", type=int, default=40)
    parser.add_argument("--turn", type=float, default=5.2, help="seconds of a turn")
    parser.add_argument("--least", type=float, default=240.0, help="seconds a game lasts at least")
    parser.add_argument("--pace", default="0.5", help="seconds a read frame takes, or real")
    parser.add_argument("--keep", type=Path, help="folder for frames and what the networks said of them, for next time")
    parser.add_argument("--fault", choices=("cable", "light"), help="no frame, or hardly any light, for ten seconds")
    parser.add_argument(
        "--minutes", type=float, help="play the first game over and over for so long and say the memory"
    )
    parser.add_argument("--say", action="store_true", help="print each change")
    args = parser.parse_args()
    regolamento = load_regolamento("fibur")
    pace_s = None if args.pace == "real" else float(args.pace)
    if args.minutes:
        return remembered(make_game(args.first, GameRecipe(cards=args.cards, turn_s=args.turn)), args.minutes)
    right = 0
    for seed in range(args.first, args.first + args.games):
        game = make_game(seed, GameRecipe(cards=args.cards, turn_s=args.turn, least_s=args.least))
        frame, reader = game.frame, TableReader()
        if args.keep:
            name = f"{seed}-{args.cards}-{args.turn:g}-{args.least:g}"
            frame, reader = KeptFrames(game, args.keep / name).frame, KeptReader(args.keep / f"{name}.pickle")
        played = play(game, faulty(game, frame, args.fault), reader, regolamento, pace_s, args.say)
        if args.fault == "light":
            print(f"  said: {', '.join(sorted(played.troubles)) or 'nothing'}")
        if isinstance(reader, KeptReader):
            reader.save()
        truth = game.melds_at(game.length_s)
        exact = multiset(played.melds) == multiset(truth)
        exact &= points(played.melds, regolamento) == points(truth, regolamento)
        right += exact
        late = lags(game, played)
        known = [lag for lag in late if lag is not None]
        print(
            f"game {seed}: {'exact' if exact else 'WRONG'}, {sum(map(len, truth))} cards, {game.length_s:.0f} s, index "
            f"{game.index_px:.0f} px, {len(known)}/{len(late)} changes shown, "
            f"{sum(lag <= ON_TIME_S for lag in known)} within {ON_TIME_S:.0f} s (median "
            f"{statistics.median(known) if known else 0:.1f}), {played.read}/{played.frames} frames read, "
            f"{statistics.median(played.cpu_s):.2f} s of processor time each",
            flush=True,
        )
        for name, extra in (("missing", truth), ("invented", played.melds)):
            other = played.melds if extra is truth else truth
            for meld in extra:
                if multiset((meld,)) - multiset(other):
                    print(f"    {name}: {' '.join(map(str, meld))}")
    print(f"{right} of {args.games} exact")
    return 0


if __name__ == "__main__":
    sys.exit(main())
