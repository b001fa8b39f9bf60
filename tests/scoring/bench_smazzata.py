"""`make bench`, the smazzata's half: how long a whole smazzata takes, and how that grows with what was laid.

`python -m tests.scoring.bench_smazzata` prints a table; exit status 1 where the heaviest takes 2 ms or more.
"""

from __future__ import annotations

import sys
from functools import partial

from scoring.cards import cards_text, parse_cards
from scoring.smazzata import Held, Pozzetto, Side, SideMelds, score_smazzata
from tests.scoring.bench import best_ms
from tests.scoring.rulesets import FIBUR

WORST_MS = 2.0
SUITS = "♥♦♣♠"
USUAL = (
    ("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥", "K♠ K♥ K♦ JK", "4♣ 5♣ 2♠ 7♣", "Q♦ K♦ A♦"),
    ("8♠ 8♥ 8♦ 8♣ JK 8♠ 8♣", "5♦ 6♦ 7♦ 8♦ 9♦ 10♦ J♦ 2♣", "J♣ J♠ J♥", "9♠ 10♠ J♠ Q♠"),
)


def run(suit: str, length: int) -> str:
    """A run with a 2 of its suit out of its place, which may be natural or wild."""
    ranks = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")[: length - 1]
    return " ".join(f"{rank}{suit}" for rank in (*ranks, "2"))


def sides(melds: tuple[tuple[str, ...], ...]) -> tuple[Side, ...]:
    """Both sides with these melds, the first of which closed."""
    laid = [SideMelds(tuple(parse_cards(text) for text in texts)) for texts in melds]
    hands = (Held(parse_cards("A♥ 4♣")), Held(points=35))
    return Side(laid[0], closed=True), Side(laid[1], pozzetto=Pozzetto.NOT_TAKEN, hands=hands)


def main() -> int:
    print("a whole smazzata of both sides, best of many, ms")
    usual = best_ms(partial(score_smazzata, sides(USUAL), FIBUR))
    print(f"  a usual table, {sum(map(len, USUAL))} melds        {usual:6.3f}")
    worst = 0.0
    for length in (4, 7, 10, 13):
        melds = (tuple(run(suit, length) for suit in SUITS),) * 2
        cards = sum(len(parse_cards(text)) for texts in melds for text in texts)
        taken = best_ms(partial(score_smazzata, sides(melds), FIBUR))
        print(f"  8 ambiguous runs of {length:2}, {cards:3} cards {taken:6.3f}")
        worst = max(worst, taken)
    print(f"  such as {cards_text(parse_cards(run('♥', 13)))}")
    print(f"heaviest smazzata: {worst:.3f} ms (to stay under {WORST_MS:g} ms)")
    return int(worst >= WORST_MS)


if __name__ == "__main__":
    sys.exit(main())
