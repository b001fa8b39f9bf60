"""Spoils what was good: values of a file, characters of a text, bytes of a picture; always from a seeded `rng`."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 7, 10**6, 10**9, 2**31, 2**63, -(2**64), 10**40, 0.5, 1e308, float("nan"), float("inf")),
    *(
        "",
        "x",
        "♥",
        "K♥",
        "0",
        "nobody",
        "undone",
        "\x00",
        "a\x00b",
        "\ud800",
        "\u202e",
        "'; --",
        "x" * 5000,
        "½",
        "−3",
    ),
    *([], [1], [[0], [1]], {}, {"points": 5}, {"cards": ["K♥"]}, {"cards": "K♥", "points": 5}, [None] * 300),
)
PIECES = (
    *(
        "K♥",
        "10♠",
        "JK",
        "2♣",
        "A",
        "♥",
        "jolly",
        "Noi",
        "Loro",
        "chiusura",
        "pozzetto:",
        "mano:",
        "giocatori:",
        "[",
        "]",
    ),
    *(
        ";",
        ",",
        "\n",
        "1",
        "-5",
        "505",
        '"',
        "'",
        "=",
        "\t",
        " ",
        "½",
        "−3",
        "9999999",
        "\r",
        "\x00",
        "\ufeff",
        "\u202e",
    ),
    *("é", "e\u0301", "😀", "{", "}", "0x1F", "1e999", "null", "\\", "%00", "../", "<b>", "${x}", "١٢٣", "Ⅻ", "²"),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value of a file."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield (*path, key)
        yield from places(part, (*path, key))


def spoilt(data: Any, ways: list[tuple[Any, ...]], rng: random.Random) -> Any:
    """One to three values replaced, removed, or put in another's place."""
    made = copy.deepcopy(data)
    for _ in range(rng.randint(1, 3)):
        *way, last = rng.choice(ways)
        at: Any = made
        try:
            for key in way:
                at = at[key]
            if rng.random() < 0.15:
                del at[last]
            elif rng.random() < 0.3:
                other: Any = data
                for key in rng.choice(ways):
                    other = other[key]
                at[last] = copy.deepcopy(other)
            else:
                at[last] = copy.deepcopy(rng.choice(ODD))
        except (KeyError, IndexError, TypeError):
            continue
    return made


def spoilt_text(text: str, rng: random.Random) -> str:
    """A text cut, repeated, or with pieces put in; or one of pieces alone."""
    if rng.random() < 0.2:
        return "".join(rng.choice(PIECES) for _ in range(rng.randint(0, 40)))
    for _ in range(rng.choice((1, 1, 2, 4))):
        start, end = sorted(rng.randint(0, len(text)) for _ in range(2))
        end = min(end, start + 12)
        choice = rng.random()
        if choice < 0.5:
            text = text[:start] + rng.choice(PIECES) + text[end if choice < 0.25 else start :]
        elif choice < 0.75:
            text = text[:start] + text[end:]
        else:
            text = text[:end] + text[start:]
    return text


def spoilt_bytes(data: bytes, rng: random.Random) -> bytes:
    """Some bytes changed, and now and then cut, repeated, or strange ones at the end."""
    made = bytearray(data)
    for _ in range(rng.choice((1, 2, 8, 64))):
        # the beginning says what a picture is, and how large: it is hit as often as all the rest
        made[rng.randrange(min(len(made), 200) if rng.random() < 0.5 else len(made))] = rng.randrange(256)
    choice = rng.random()
    if choice < 0.15:
        return bytes(made[: rng.randrange(len(made))])
    if choice < 0.2:
        return bytes(made) + rng.randbytes(rng.randrange(2000))
    if choice < 0.25:
        start = rng.randrange(len(made))
        return bytes(made[:start] + made[rng.randrange(len(made)) :])
    return bytes(made)
