"""Spoilt inputs at every door, counted: `python -m tests.fuzz --inputs 100000` (not part of the tests but in small).

Card text, smazzata files (`burraco score FILE`), uploads, and bodies, paths and queries of the API, a quarter each. A
crash is an exception that is no refusal; every answer of 500 and more counts, except 503 with `Retry-After`. Photos are
really decoded, then "read" by a reader that needs no networks. Prints one JSON object, with a few of what went wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import multiprocessing
import os
import random
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import quote

from fastapi.testclient import TestClient
from PIL import Image

import ui.services
from scoring.cards import Card, parse_cards
from scoring.regolamento import Regolamento
from scoring.smazzata_examples import EXAMPLE_TEXT, EXAMPLE_TOML
from tests.spoil import ODD, places, spoilt, spoilt_bytes, spoilt_text
from tests.ui.conftest import settings_for
from tests.ui.fake_reader import table
from tests.ui.inline_scan import inline_services
from ui.api import build_api
from ui.cli import main as cli
from ui.services import Services
from vision.photo import Photo
from vision.table import TableReading

FRESH_EVERY = 2000  # a list of thousands of matches would only make the rest slow
SHOWN = 10
CARDS = ("3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ JK", "KH 10S TD 2♣", "A♠", "jolly jolly", "10♥,J♥,Q♥")
EXAMPLES = (
    ("txt", EXAMPLE_TEXT),
    ("toml", EXAMPLE_TOML),
    ("json", json.dumps(tomllib.loads(EXAMPLE_TOML), ensure_ascii=False)),
)
QUERIES = ("lang", "at", "device", "deleted", "photos", "wait", "side", "copy", "target", "ledgers", "formato")
CSV = "smazzata;Noi;Loro\n1;505;320\n2;-75;840\n"


class AnyPhoto:
    """Reads the same table in every photo."""

    def read(self, photo: Photo, regolamento: Regolamento, rules: bool = True) -> TableReading:
        return table(photo.size_wh)


def any_photo(_models: Path) -> AnyPhoto:
    return AnyPhoto()


@dataclass
class Tally:
    """What came of it."""

    inputs: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    crashes: int = 0
    other_5xx: int = 0
    shown: list[str] = field(default_factory=list)

    def crashed(self, kind: str, what: object, error: BaseException) -> None:
        self.crashes += 1
        self._show(f"{kind}: {type(error).__name__}: {str(error)[:200]} at {what!r:.400}")

    def answered(self, status: int, retry: bool, what: object, text: str) -> None:
        self.answers[str(status)] += 1
        if status >= 500 and not (status == 503 and retry):
            self.other_5xx += 1
            self._show(f"{status} {text[:300]} at {what!r:.400}")

    def add(self, other: Tally) -> None:
        self.inputs += other.inputs
        self.answers += other.answers
        self.crashes += other.crashes
        self.other_5xx += other.other_5xx
        for text in other.shown:
            self._show(text)

    def _show(self, text: str) -> None:
        if len(self.shown) < SHOWN:
            self.shown.append(text)


class Fuzz:
    """One server at a time, and all that may be sent to it."""

    def __init__(self, folder: Path, rng: random.Random, tally: Tally, db: str = "") -> None:
        self.folder, self.rng, self.tally, self.db = folder, rng, tally, db
        self.pictures = list(_pictures())

    @contextmanager
    def server(self) -> Iterator[None]:
        """A fresh one, with two matches and their photos."""
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=self.folder)))
            url = ""
            if self.db:
                from tests.scoring.places import fresh_database

                url = stack.enter_context(fresh_database(self.db))
            settings = {"reader": "tests.fuzz:any_photo", "database_url": url}
            services = stack.enter_context(inline_services(folder, **settings))
            stack.enter_context(patch.object(ui.services, "_services", services))
            self.client = stack.enter_context(
                TestClient(build_api(settings_for(folder, **settings)), raise_server_exceptions=False)
            )
            self._begin(services)
            yield

    def _begin(self, services: Services) -> None:
        made = self.client.post("/matches", json={"names": ["Noi", "Loro"], "target": 2005}).json()
        self.match = made["id"]
        self._photo(self.pictures[0], self.match, "0", 30)
        self.file = json.loads(services.export_json(self.match))
        self.bodies = list(_bodies(self.client.get("/openapi.json").json(), self.file))

    def cards(self) -> None:
        """Text that is to be cards."""
        text = spoilt_text(self.rng.choice(CARDS), self.rng)
        for parse in (Card.parse, parse_cards):
            try:
                parse(text)
            except ValueError:
                continue
            except Exception as error:
                self.tally.crashed("cards", text, error)

    def files(self) -> None:
        """A smazzata as text, TOML or JSON, scored as the command line does."""
        kind, text = self.rng.choice(EXAMPLES)
        if kind == "json" and self.rng.random() < 0.5:
            data = json.loads(text)
            made = json.dumps(spoilt(data, list(places(data)), self.rng)).encode()
        elif self.rng.random() < 0.1:
            made = spoilt_bytes(text.encode(), self.rng)
        else:
            made = spoilt_text(text, self.rng).encode("utf-8", "surrogatepass")
        path = self.folder / f"smazzata.{kind}"
        path.write_bytes(made)
        options = self.rng.choice(([], ["--json"], ["--confronta"], ["--giocatori", "3"], ["--lang", "en"]))
        try:
            out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                self.tally.answers[f"score {cli(['score', str(path), *options])}"] += 1
        except SystemExit as end:
            self.tally.answers[f"score exit {end.code}"] += 1
        except Exception as error:
            self.tally.crashed("file", (options, made), error)

    def uploads(self) -> None:
        """A photo, or what is none."""
        data = spoilt_bytes(self.rng.choice(self.pictures), self.rng)
        match = self.rng.choice((self.match, self.match, "", str(self.rng.choice(ODD)).replace("\ud800", "?")))
        self._photo(data, match, self.rng.choice(("0", "1", "", "9", "x")), self.rng.choice((0, 30)))

    def _photo(self, data: bytes, match: str, side: str, wait: int) -> None:
        form = {name: value for name, value in (("match_id", match), ("side", side)) if value}
        answer = self.client.post(f"/scan?wait={wait}", files={"photo": ("x.jpg", data)}, data=form)
        what = (form, data[:120])
        self.tally.answered(answer.status_code, "Retry-After" in answer.headers, what, answer.text)

    def bodies_of_the_api(self) -> None:
        """A body that was good, or an odd path or query."""
        method, path, good = self.rng.choice(self.bodies)
        path = path.replace("{match_id}", self.match)
        query = {}
        if self.rng.random() < 0.2:
            odd = self.rng.choice(ODD)
            path = path.replace(self.match, _in_an_address(odd))
        if self.rng.random() < 0.2:
            query = {self.rng.choice(QUERIES): _in_an_address(self.rng.choice(ODD)) for _ in range(2)}
        headers = {"Content-Type": "application/json"}
        if isinstance(good, str):
            content, headers["Content-Type"] = spoilt_text(good, self.rng).encode(), "text/csv"
        elif good is None:
            content = b""
        elif self.rng.random() < 0.1:
            content = spoilt_bytes(json.dumps(good).encode(), self.rng)
        else:
            content = json.dumps(spoilt(good, list(places(good)), self.rng)).encode()
        address = path + "".join(
            f"{'&' if at else '?'}{name}={value}" for at, (name, value) in enumerate(query.items())
        )
        answer = self.client.request(method, address, content=content, headers=headers)
        what = (method, address, content)
        self.tally.answered(answer.status_code, "Retry-After" in answer.headers, what, answer.text)


def _in_an_address(odd: Any) -> str:
    return quote(str(odd)[:60].encode("utf-8", "surrogatepass"), safe="")


def _pictures() -> Iterator[bytes]:
    import pillow_heif

    pillow_heif.register_heif_opener()
    image = Image.effect_noise((96, 72), 40).convert("RGB")
    exif = Image.Exif()
    exif[0x0112] = 6
    for kind, options in (
        *(("JPEG", {"exif": exif}), ("JPEG", {"progressive": True}), ("PNG", {}), ("WEBP", {}), ("HEIF", {})),
        *(("GIF", {}), ("TIFF", {}), ("BMP", {})),
    ):
        buffer = io.BytesIO()
        image.save(buffer, kind, **options)
        yield buffer.getvalue()


def _bodies(openapi: dict[str, Any], file: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Every route with a body that it takes, as far as its examples say; what starts a camera stays out."""
    for path, methods in openapi["paths"].items():
        for method, route in methods.items():
            if path.startswith("/live") or path in ("/scan", "/source"):
                continue
            path = path.replace("{number}", "1").replace("{name}", "fibur").replace("{job_id}", "x")
            path = path.replace("{sha256}", "0" * 64)
            content = route.get("requestBody", {}).get("content", {}).get("application/json")
            if path.endswith("/events"):
                continue  # a stream of a minute
            if content is None:
                yield method.upper(), path, None
            for example in _examples(openapi, content or {}):
                yield method.upper(), path, example
    for command in COMMANDS:
        yield "POST", "/matches/{match_id}/commands", {"seq": 2, "device": "f", "command": command}
    yield "POST", "/matches/import", file
    yield "POST", "/matches/import?copy=true", file
    yield "POST", "/matches/import", CSV


def _examples(openapi: dict[str, Any], content: dict[str, Any]) -> list[Any]:
    schema = content.get("schema", {})
    named = openapi["components"]["schemas"].get(schema.get("$ref", "").rpartition("/")[2], schema)
    return list(named.get("examples", []))


COMMANDS: tuple[dict[str, Any], ...] = (
    {"kind": "enter_sums", "side": 0, "card_points": 100, "bonus_points": 200},
    {"kind": "enter_counts", "side": 0, "burrachi": [["pulito", 1]], "cards_by_value": [[10, 4]]},
    {"kind": "add_meld", "side": 1, "cards": "3♥ 4♥ 5♥", "card_ids": []},
    {"kind": "keep_reading", "meld_id": "m"},
    {"kind": "add_cards", "side": 0, "meld_id": None, "cards": ["K♥", "2♣"]},
    {"kind": "add_card", "side": 0, "meld_id": None, "card": "K♥", "at": 0, "photo": None, "quad": [[0, 0], [1, 1]]},
    {"kind": "nothing_laid", "side": 1},
    {"kind": "answer_closed", "closed": "nobody", "end": None, "player": None},
    {"kind": "answer_pozzetto", "side": 0, "pozzetto": "not_played", "held": {"points": 20}, "player": 0},
    {"kind": "answer_hands", "side": 0, "hands": [{"cards": "K♥"}, {"points": 35}], "players": [0, 1]},
    {"kind": "answer_penalised", "side": 0, "held": {"cards": "K♥"}},
    {"kind": "answer_discard", "card": "K♥", "laid_last": False},
    {"kind": "answer_seating", "seating": [[0], [1]]},
    {"kind": "answer_dealer", "dealer": 1},
    {"kind": "adjust", "side": 0, "adjustments": [{"points": -50, "reason": "ritardo"}]},
    {"kind": "rename", "names": ["A", "B"]},
    {"kind": "confirm", "anyway": True, "side": None},
    *({"kind": kind} for kind in ("undo", "redo", "undo_confirmation", "delete_match", "undo_deletion")),
)


def one_server(inputs: int, seed: str, db: str = "") -> Tally:
    """So many inputs to one server, a quarter of each kind; the same again for the same seed."""
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="burraco-fuzz-") as folder:
        fuzz = Fuzz(Path(folder), random.Random(seed), tally, db)
        kinds: tuple[Callable[[], None], ...] = (fuzz.cards, fuzz.files, fuzz.uploads, fuzz.bodies_of_the_api)
        with fuzz.server():
            for number in range(inputs):
                kind = kinds[number % len(kinds)]
                tally.inputs[kind.__name__] += 1
                kind()
    return tally


def run(inputs: int, seed: int, db: str = "", processes: int = 1) -> dict[str, Any]:
    """So many inputs to one server after the other, or to several at once: the same inputs either way."""
    tally, began = Tally(), time.monotonic()
    counts = [min(FRESH_EVERY, inputs - first) for first in range(0, inputs, FRESH_EVERY)]
    seeds = [f"{seed}-{number}" for number in range(len(counts))]
    with ExitStack() as stack:
        apply: Callable[..., Iterator[Tally]] = map
        if processes > 1:
            context = multiprocessing.get_context("spawn")
            apply = stack.enter_context(ProcessPoolExecutor(processes, context)).map
        for one in apply(one_server, counts, seeds, [db] * len(counts)):
            tally.add(one)
            so_far = f"{sum(tally.inputs.values())} inputs, {tally.crashes} crashes, {tally.other_5xx} other 5xx"
            print(so_far, file=sys.stderr, flush=True)
    return {
        "inputs": sum(tally.inputs.values()),
        "by_kind": dict(tally.inputs),
        "crashes": tally.crashes,
        "other_5xx": tally.other_5xx,
        "answers": dict(sorted(tally.answers.items())),
        "seed": seed,
        "seconds": round(time.monotonic() - began),
        "went_wrong": tally.shown,
    }


def main(argv: list[str] | None = None) -> int:
    """Run it; 1 where something went wrong."""
    parser = argparse.ArgumentParser(prog="tests.fuzz", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--db", default="", help="a PostgreSQL where databases may be made, instead of SQLite")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="servers at once")
    args = parser.parse_args(argv)
    result = run(args.inputs, args.seed, args.db, args.processes)
    print(json.dumps(result, indent=1, ensure_ascii=False))
    return 1 if result["crashes"] or result["other_5xx"] else 0


if __name__ == "__main__":
    sys.exit(main())
