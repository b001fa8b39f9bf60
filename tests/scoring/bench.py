"""`make bench`, the rules' half: engine against oracle on many melds, and how long a reading takes.

`python -m tests.scoring.bench [--melds 200000]` prints a table; exit status 1 where the two disagree or the worst meld
takes 1 ms or more.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from multiprocessing import Pool

from scoring.cards import Card, cards_text, parse_cards
from scoring.meld import legal, read_meld
from scoring.surplus import legal_part
from tests.scoring.compare import difference
from tests.scoring.draws import random_meld
from tests.scoring.rulesets import FIBUR, MELD_RULESETS

WORST_MS = 1.0
SMALL_RULESETS = ("fibur", "internazionale", "onmadesoft", "reale")  # no class yet: only what is legal differs
SMALL_DECK = parse_cards("A♥ 2♥ 3♥ 4♥ K♥ 2♠ JK")
RUN = parse_cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠ Q♠ K♠ A♠")
WORST = {
    "two 2s of the suit": "2♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠ Q♠ K♠ A♠",
    "two 2s, ace low": "A♠ 2♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠ Q♠ K♠",
    "natural 2 and jolly": "A♠ 2♠ 3♠ 4♠ 5♠ 6♠ JK 7♠ 8♠ 9♠ 10♠ J♠ Q♠ K♠",
    "two wilds, illegal": "JK 2♣ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠ Q♠ K♠ A♠",
}


def larger_melds(seed: str, count: int) -> Iterator[tuple[Card, ...]]:
    """Melds of more than five cards."""
    rng = random.Random(seed)
    while count:
        cards = random_meld(rng)
        if len(cards) > 5:
            count -= 1
            yield cards


def check(job: tuple[str, int, int]) -> list[str]:
    """Differences of one share: ruleset, part, melds (none: every small meld that begins with card `part`)."""
    name, part, count = job
    rules = MELD_RULESETS[name]
    melds = larger_melds(f"{name} {part}", count)
    if not count:
        rests = (rest for size in range(5) for rest in product(SMALL_DECK, repeat=size))
        melds = ((SMALL_DECK[part], *rest) for rest in rests)
    found = ((cards, difference(cards, rules)) for cards in melds)
    return [f"{name}: {cards_text(cards)}: {why}" for cards, why in found if why]


def compare(melds: int) -> int:
    """Compare engine and oracle on all cores; how often they disagree."""
    share = -(-melds // (len(MELD_RULESETS) * 10))
    jobs = [(name, part, share) for part in range(10) for name in MELD_RULESETS if share]
    jobs += [(name, part, 0) for name in SMALL_RULESETS for part in range(len(SMALL_DECK))]
    start, wrong, done = time.perf_counter(), 0, 0
    with Pool(os.cpu_count()) as pool:
        for differences in pool.imap_unordered(check, jobs):
            done += 1
            wrong += len(differences)
            for line in differences[:5]:
                print(line)
            print(f"\r{done}/{len(jobs)} shares", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    small = sum(len(SMALL_DECK) ** size for size in range(1, 6))
    print(
        f"{share * 10 * len(MELD_RULESETS)} random melds of 6 or more cards under {len(MELD_RULESETS)} rule sets, "
        f"all {small} melds of 1 to 5 of {cards_text(SMALL_DECK)} under {len(SMALL_RULESETS)}: {wrong} differences "
        f"({time.perf_counter() - start:.0f} s)"
    )
    return wrong


def best_ms(call: Callable[[], object], seconds: float = 0.3) -> float:
    """The shortest time of a call, in ms: what the work costs where nothing else disturbs it."""
    best, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best * 1000


def ambiguous(length: int, twos: int) -> tuple[Card, ...]:
    """A run of `length` cards of which some are 2s of its suit, out of their place as far as there are two."""
    rest = [card for card in RUN[:13] if not card.is_two][: length - twos]
    return (*rest, *(RUN[1],) * twos)


def speed() -> float:
    """Print how long readings take; the worst meld's time in ms."""
    print("\nbest of many, ms              read   legal  surplus")
    worst = 0.0
    for name, text in WORST.items():
        cards = parse_cards(text)
        read, any_order, surplus = (best_ms(partial(call, cards, FIBUR)) for call in (read_meld, legal, legal_part))
        print(f"{name:28} {read:6.3f}  {any_order:6.3f}  {surplus:6.3f}")
        worst = max(worst, read)
    print("\ncards          " + "".join(f"{length:7}" for length in range(3, 15)))
    for twos in range(3):
        melds = [ambiguous(length, twos) for length in range(3, 15)]
        times = [best_ms(partial(read_meld, cards, FIBUR), 0.1) for cards in melds]
        print(f"{twos} 2s of the suit" + "".join(f"{ms:7.3f}" for ms in times))
    print(f"\nworst meld: {worst:.3f} ms (to stay under {WORST_MS:g} ms)")
    return worst


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.scoring.bench")
    parser.add_argument("--melds", type=int, default=200_000)
    args = parser.parse_args()
    worst = speed()
    return int(compare(args.melds) > 0 or worst >= WORST_MS)


if __name__ == "__main__":
    sys.exit(main())
