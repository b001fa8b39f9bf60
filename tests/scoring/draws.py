"""Seeded melds as tables show them: legal ones, and legal ones spoilt a little."""

from __future__ import annotations

import random

from scoring.cards import FACES, JOLLY, Card, Rank, Suit

WILDS = [JOLLY, *(Card(Rank.TWO, suit) for suit in Suit)]
RANKS = list(Rank)


def random_run(rng: random.Random) -> list[Card]:
    suit, size = rng.choice(list(Suit)), min(rng.randint(3, 14), rng.randint(3, 14))
    low = rng.randint(1, 15 - size)
    cards = [Card(RANKS[(number - 1) % 13], suit) for number in range(low, low + size)]
    if rng.random() < 0.7:
        own_two = Card(Rank.TWO, suit)
        cards[rng.randrange(size)] = rng.choice([own_two, own_two, rng.choice(WILDS)])
    return cards if rng.random() < 0.6 else cards[::-1]


def random_set(rng: random.Random) -> list[Card]:
    rank = rng.choice(RANKS)
    cards = [Card(rank, rng.choice(list(Suit))) for _ in range(rng.randint(2, 9))]
    return cards + rng.sample(WILDS, rng.choice([0, 1, 1, 2]))


def random_meld(rng: random.Random) -> tuple[Card, ...]:
    cards = random_run(rng) if rng.random() < 0.85 else random_set(rng)
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        change, at = rng.random(), rng.randrange(len(cards))
        if change < 0.45:
            cards.insert(rng.randint(0, len(cards)), cards.pop(at))
        elif change < 0.6:
            wild_at = [i for i, card in enumerate(cards) if card in WILDS] or [at]
            cards.append(cards.pop(rng.choice(wild_at)))
        elif change < 0.75 and len(cards) > 1:
            cards.pop(at)
        elif change < 0.9:
            cards.insert(at, rng.choice(WILDS))
        else:
            cards.insert(at, rng.choice(FACES))
    return tuple(cards)
