"""One server on one core against two on two, on one PostgreSQL (`python -m tests.scale --db …`; not part of the tests).

    python -m tests.scale --db postgresql+psycopg://postgres@127.0.0.1:55433/postgres --seconds 60

Each server is pinned to a core (its networks then use one thread) and kept busy by a few tables that send photo after
photo; a device stays with its server. Beside it names are changed through the first server, and it is timed until the
last one shows them. Prints one JSON object, `wanted` last: what holds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import Any

import httpx

from tests.load import REAL_READER, Tally, new_match, one_photo, spread, table_photo
from tests.scoring.places import fresh_database
from tests.ui.browser import Server

LEAST_RATIO = 1.7
SHOWN_WITHIN_S = 2.0
PROBE_EVERY_S = 1.5
LIMITS = httpx.Limits(max_connections=100)


async def sends(client: httpx.AsyncClient, table: int, photos: list[bytes], until: float, tally: Tally) -> None:
    """A table that sends the next photo as soon as the last one is read; what ends too late does not count."""
    rng, match_id = random.Random(table), await new_match(client, table)
    while time.monotonic() < until:
        one = Tally()
        await one_photo(client, match_id, rng.choice(photos) + rng.randbytes(8), one)
        tally.errors += one.errors
        if time.monotonic() < until:
            tally.photos_s += one.photos_s


async def shows(first: httpx.AsyncClient, last: httpx.AsyncClient, until: float) -> list[float]:
    """Seconds from a change acknowledged by one server until another shows it to who asks all the time."""
    match_id, seconds = await new_match(first, 99), []
    while time.monotonic() < until:
        seen = (await first.get(f"/api/matches/{match_id}")).json()["seq"]
        command = {"kind": "rename", "names": [f"A{seen}", f"B{seen}"]}
        body = {"seq": seen, "device": "probe", "command": command}
        answer = (await first.post(f"/api/matches/{match_id}/commands", json=body)).raise_for_status()
        began = time.monotonic()
        while (await last.get(f"/api/matches/{match_id}")).json()["seq"] < answer.json()["seq"]:
            await asyncio.sleep(0.02)
        seconds.append(time.monotonic() - began)
        await asyncio.sleep(PROBE_EVERY_S)
    return seconds


async def busy(urls: list[str], photos: list[bytes], args: argparse.Namespace) -> dict[str, Any]:
    """All servers kept busy for a while, after a photo each to warm them."""
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(httpx.AsyncClient(base_url=url, timeout=120, limits=LIMITS)) for url in urls
        ]
        warming = Tally()
        for client in clients:
            await one_photo(client, await new_match(client, 0), photos[0], warming)
        until, tally = time.monotonic() + args.seconds, Tally()
        tables = [
            sends(client, 100 * at + table, photos, until, tally)
            for at, client in enumerate(clients)
            for table in range(args.tables)
        ]
        shown_s, *_ = await asyncio.gather(shows(clients[0], clients[-1], until), *tables)
    a_minute = 60 * len(tally.photos_s) / args.seconds
    return {
        "servers": len(urls),
        "photos_a_minute": round(a_minute, 1),
        "photo_s": spread(tally.photos_s),
        "shown_elsewhere_s": spread(shown_s),
        "errors": (warming.errors + tally.errors)[:10],
    }


def measure(count: int, photos: list[bytes], args: argparse.Namespace) -> dict[str, Any]:
    """So many servers, each on a core of its own, all on one fresh database."""
    with ExitStack() as stack:
        database = stack.enter_context(fresh_database(args.db))
        servers = []
        for core in range(count):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            server = Server(folder, args.reader, ("--db", database), core)
            stack.callback(server.stop)
            server.start()
            servers.append(server)
        return asyncio.run(busy([server.url for server in servers], photos, args))


def main(argv: list[str] | None = None) -> int:
    """Run both; 1 where something wanted does not hold."""
    parser = argparse.ArgumentParser(prog="tests.scale", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--db", required=True, help="a PostgreSQL where databases may be made")
    parser.add_argument("--reader", default=REAL_READER)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--tables", type=int, default=3, help="that keep each server busy")
    args = parser.parse_args(argv)
    rng = random.Random(1)
    photos = [table_photo(rng, seed) for seed in range(2)]
    one, two = (measure(count, photos, args) for count in (1, 2))
    ratio = two["photos_a_minute"] / max(one["photos_a_minute"], 0.1)
    result = {
        "one": one,
        "two": two,
        "ratio": round(ratio, 2),
        "wanted": {
            f"at least {LEAST_RATIO} times the photos": ratio >= LEAST_RATIO,
            f"shown on the other within {SHOWN_WITHIN_S} s": two["shown_elsewhere_s"].get("worst", 9e9)
            <= SHOWN_WITHIN_S,
            "no error": not one["errors"] + two["errors"],
        },
    }
    print(json.dumps(result, indent=1, ensure_ascii=False))
    return 0 if all(result["wanted"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
