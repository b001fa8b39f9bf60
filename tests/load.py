"""A full club: tables send photos, viewers ask for their match (`python -m tests.load`; not part of the tests).

    python -m tests.load                                 starts a server of its own on a fresh folder
    python -m tests.load --pages 10                      so many dashboards open in a Chromium beside them
    python -m tests.load --url http://localhost:8501     uses one that runs, on this machine

Thirty tables send a photo of about three megabytes a minute each, fifty viewers ask every two seconds with ETag. Then
far too many photos come at once, to see whether the server says 503 with a time to come back. Prints one JSON object,
`wanted` last: what holds. With `--pages` the dashboards are loaded anew one after the other and their times told apart;
the viewers' figures are then of a busier server. `python -m tests.scale` measures two servers against one.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from PIL import Image

from tests.ui.browser import Server
from ui.demo import sample_photos

PHOTO_BYTES = 3_000_000
LOOK_EVERY_S = 2.0
PHOTO_EVERY_S = 60.0
PAGE_EVERY_S = 2.0
LOOK_P95_MS = 500
REAL_READER = "ui.scan_worker:table_reader"


@dataclass
class Tally:
    """What happened so far."""

    looks_s: list[float] = field(default_factory=list)
    photos_s: list[float] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)
    sent: int = 0
    longest_queue: int = 0
    by_table: dict[str, list[float]] = field(default_factory=dict)


def table_photo(rng: random.Random, seed: int) -> bytes:
    """The sample table with noise of its own, about as large as a phone's photo, each with other bytes."""
    _, data = sample_photos()[seed % 2]
    image = Image.open(io.BytesIO(data)).convert("RGB").resize((2400, 1800))
    noise = np.random.default_rng(rng.randrange(2**32)).normal(0, 14, (1800, 2400, 1))
    grainy = Image.fromarray((np.asarray(image) + noise).clip(0, 255).astype(np.uint8))
    for quality in range(96, 40, -4):
        buffer = io.BytesIO()
        grainy.save(buffer, "JPEG", quality=quality)
        if buffer.tell() <= PHOTO_BYTES:
            break
    return buffer.getvalue()


async def new_match(client: httpx.AsyncClient, table: int) -> str:
    body = {"names": [f"Coppia {table}A", f"Coppia {table}B"], "regolamento": "fibur", "target": 2005}
    return str((await client.post("/api/matches", json=body)).raise_for_status().json()["id"])


async def photographs(
    client: httpx.AsyncClient, match_id: str, photos: list[bytes], rng: random.Random, until: float, tally: Tally
) -> None:
    """One table: a photo a minute, each followed until it is read; one that is turned away comes back when told."""
    await asyncio.sleep(rng.uniform(0, min(PHOTO_EVERY_S, (until - time.monotonic()) / 2)))
    while time.monotonic() < until:
        began = time.monotonic()
        photo = rng.choice(photos) + rng.randbytes(8)  # bytes after the end of a JPEG change nothing but its hash
        await one_photo(client, match_id, photo, tally)
        await asyncio.sleep(max(0.0, PHOTO_EVERY_S - (time.monotonic() - began)))


async def one_photo(client: httpx.AsyncClient, match_id: str, photo: bytes, tally: Tally, tries: int = 5) -> None:
    began = time.monotonic()
    tally.sent += 1
    form = {"match_id": match_id, "side": "0", "device": match_id}
    for _ in range(tries):
        answer = await client.post("/api/scan", data=form, files={"photo": ("t.jpg", photo, "image/jpeg")})
        tally.answers[f"photo {answer.status_code}"] += 1
        if answer.status_code != 503:
            break
        await asyncio.sleep(float(answer.headers["Retry-After"]))
    while answer.status_code == 202:
        answer = await client.get(f"/api/scan/{answer.json()['id']}", params={"wait": 20})
    if answer.status_code == 200:
        tally.photos_s.append(time.monotonic() - began)
        tally.by_table.setdefault(match_id, []).append(tally.photos_s[-1])
    else:
        tally.errors.append(f"photo {answer.status_code} {answer.json().get('code')}")


async def looks(client: httpx.AsyncClient, match_id: str, rng: random.Random, until: float, tally: Tally) -> None:
    """One viewer: asks for the match every two seconds, and gets 304 while nothing has happened."""
    etag = ""
    await asyncio.sleep(rng.uniform(0, LOOK_EVERY_S))
    while time.monotonic() < until:
        began = time.monotonic()
        answer = await client.get(f"/api/matches/{match_id}", headers={"If-None-Match": etag} if etag else {})
        tally.looks_s.append(time.monotonic() - began)
        tally.answers[f"look {answer.status_code}"] += 1
        if answer.status_code not in (200, 304):
            tally.errors.append(f"look {answer.status_code}")
        etag = answer.headers.get("ETag", etag)
        await asyncio.sleep(max(0.0, LOOK_EVERY_S - (time.monotonic() - began)))


async def watches(client: httpx.AsyncClient, until: float, tally: Tally) -> None:
    """The queue as anybody may see it."""
    while time.monotonic() < until:
        waiting = (await client.get("/api/health")).json()["photos_waiting"]
        tally.longest_queue = max(tally.longest_queue, waiting)
        await asyncio.sleep(1)


async def flood(client: httpx.AsyncClient, matches: list[str], photo: bytes, rng: random.Random) -> dict[str, Any]:
    """Far too many photos at once: how many are taken, how many told when to come back, anything else."""
    asked = [
        client.post(
            "/api/scan",
            data={"match_id": rng.choice(matches), "side": "1"},
            files={"photo": ("t.jpg", photo + rng.randbytes(8), "image/jpeg")},
        )
        for _ in range(max(40, 4 * len(matches)))
    ]
    answers = await asyncio.gather(*asked)
    counts = Counter(str(answer.status_code) for answer in answers)
    untold = sum(answer.status_code == 503 and "Retry-After" not in answer.headers for answer in answers)
    began = time.monotonic()
    alive = (await client.get("/api/health")).status_code
    return {"answers": counts, "503_without_time": untold, "health": alive, "health_s": time.monotonic() - began}


async def drive(url: str, args: argparse.Namespace) -> dict[str, Any]:
    """All of it against one server."""
    rng, tally = random.Random(args.seed), Tally()
    photos = [table_photo(rng, seed) for seed in range(4)]
    limits = httpx.Limits(max_connections=500)
    async with httpx.AsyncClient(base_url=url, timeout=120, limits=limits) as client:
        matches = [await new_match(client, table) for table in range(args.tables)]
        until = time.monotonic() + 60 * args.minutes
        tables = [photographs(client, match, photos, random.Random(rng.random()), until, tally) for match in matches]
        viewers = [
            looks(client, rng.choice(matches), random.Random(rng.random()), until, tally) for _ in range(args.viewers)
        ]
        await asyncio.gather(*tables, *viewers, watches(client, until, tally))
        past_the_limit = await flood(client, matches, photos[0], rng)
    look_ms = spread([1000 * seconds for seconds in tally.looks_s])
    return {
        "tables": args.tables,
        "viewers": args.viewers,
        "pages": args.pages,
        "minutes": args.minutes,
        "photo_mb": round(statistics.mean(map(len, photos)) / 1e6, 1),
        "photos_sent": tally.sent,
        "photos_read": len(tally.photos_s),
        "photo_s": spread(tally.photos_s),
        "slowest_table_s": round(max(map(statistics.mean, tally.by_table.values()), default=0.0), 2),
        "longest_queue": tally.longest_queue,
        "look_ms": look_ms,
        "answers": dict(tally.answers),
        "errors": tally.errors[:20],
        "past_the_limit": past_the_limit,
        "wanted": {
            "no error": not tally.errors,
            "every photo answered": tally.sent == len(tally.photos_s) > 0,
            f"viewers' p95 under {LOOK_P95_MS} ms": look_ms.get("p95", 9e9) < LOOK_P95_MS,
            "past the limit 503 with a time, and alive": set(past_the_limit["answers"]) <= {"202", "503"}
            and "503" in past_the_limit["answers"]
            and not past_the_limit["503_without_time"]
            and past_the_limit["health"] == 200,
        },
    }


def spread(values: list[float]) -> dict[str, float]:
    """Median, 95th percentile and worst of some measurements."""
    if not values:
        return {}
    ordered = sorted(values)
    at = {"p50": 0.5, "p95": 0.95, "worst": 1.0}
    return {name: round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2) for name, share in at.items()}


@contextmanager
def open_pages(url: str, count: int) -> Iterator[list[Any]]:
    """So many dashboards open in one Chromium, as long as this lasts."""
    from playwright.sync_api import sync_playwright

    from tests.ui.browser import FLAGS, chromium

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), headless=True, args=FLAGS)
        try:
            pages = [browser.new_context().new_page() for _ in range(count)]
            for page in pages:
                loaded_s(page, url)
            yield pages
        finally:
            browser.close()


def loaded_s(page: Any, url: str) -> float:
    """How long until a dashboard that is opened shows its last part."""
    began = time.monotonic()
    page.goto(url, wait_until="commit")
    page.locator(".st-key-piede").wait_for(timeout=120_000)
    return time.monotonic() - began


def main(argv: list[str] | None = None) -> int:
    """Run it; 1 where something was answered wrongly."""
    parser = argparse.ArgumentParser(prog="tests.load", description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--url", help="a server that runs on this machine; else one is started")
    parser.add_argument("--reader", default=REAL_READER, help="for the server that is started")
    parser.add_argument("--tables", type=int, default=30)
    parser.add_argument("--viewers", type=int, default=50)
    parser.add_argument("--pages", type=int, default=0, help="dashboards open in a Chromium beside them")
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    with ExitStack() as stack:
        url = args.url
        if url is None:
            server = Server(Path(stack.enter_context(tempfile.TemporaryDirectory())), reader=args.reader)
            server.start()
            stack.callback(server.stop)
            url = server.url
        pages = stack.enter_context(open_pages(url, args.pages)) if args.pages else []
        # in a thread of its own, since playwright's loop runs in this one
        driven = ThreadPoolExecutor(1).submit(lambda: asyncio.run(drive(url, args)))
        reloads = []
        while not driven.done():
            time.sleep(PAGE_EVERY_S)
            if pages:
                reloads.append(loaded_s(pages[len(reloads) % len(pages)], url))
        result = {"pages_loaded_s": spread(reloads), **driven.result()}
    print(json.dumps(result, indent=1, ensure_ascii=False))
    return 0 if all(result["wanted"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
