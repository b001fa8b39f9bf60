"""A club that never gives up: every command is sent again, under its own id, until it is acknowledged."""

from __future__ import annotations

import threading
import time
import uuid
from dataclasses import dataclass, field
from typing import Any

import httpx

from scoring.store.database import Database
from scoring.store.events import EventKind

A_MATCH = 25
PATIENCE_S = 300.0


@dataclass
class Ledger:
    """What the club was told is kept: command ids by match, confirmed totals by match."""

    acknowledged: dict[str, list[str]] = field(default_factory=dict)
    totals: dict[str, list[int]] = field(default_factory=dict)
    confirmed: int = 0
    sent_again: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)


class Table:
    """One table, sending the commands of one smazzata after the other."""

    def __init__(self, url: str, ledger: Ledger, number: int) -> None:
        self._url, self._ledger, self._device = url, ledger, f"table-{number}"
        self._match: dict[str, Any] = {}
        self._client = httpx.Client(timeout=30)

    def play(self, count: int) -> None:
        for played in range(count):
            if played % A_MATCH == 0:
                body = {"names": ["Noi", "Loro"], "regolamento": "fibur", "target": 100_000, "device": self._device}
                self._post("/matches", body)
                with self._ledger.lock:
                    self._ledger.totals[self._match["id"]] = [0, 0]
            self._smazzata(played)

    def _smazzata(self, number: int) -> None:
        points = 5 * (number % 40)
        self.command("enter_sums", side=0, card_points=points, bonus_points=200)
        self.command("nothing_laid", side=1)
        self.command("answer_closed", closed="nobody")
        for side in (0, 1):
            self.command("answer_pozzetto", side=side, pozzetto="played")
            self.command("answer_hands", side=side, hands=[])
        self.command("confirm", anyway=True)
        with self._ledger.lock:
            self._ledger.confirmed += 1
            self._ledger.totals[self._match["id"]][0] += points + 200

    def command(self, kind: str, **fields: Any) -> None:
        body = {"seq": self._match["seq"], "device": self._device, "command": {"kind": kind, **fields}}
        self._post(f"/matches/{self._match['id']}/commands", body)

    def _post(self, path: str, body: dict[str, Any]) -> None:
        command_id = uuid.uuid4().hex
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            try:
                response = self._client.post(self._url + path, json={**body, "command_id": command_id})
            except httpx.HTTPError:
                with self._ledger.lock:
                    self._ledger.sent_again += 1
                time.sleep(0.05)
                continue
            if response.status_code in (200, 201):
                self._match = response.json()
                with self._ledger.lock:
                    self._ledger.acknowledged.setdefault(self._match["id"], []).append(command_id)
                return
            code = str(response.json()["code"])
            with self._ledger.lock:
                self._ledger.refused[code] = self._ledger.refused.get(code, 0) + 1
            if response.status_code != 503:
                raise AssertionError(f"{response.status_code}: {response.text[:300]}")
            time.sleep(0.1)
        raise AssertionError("nobody answered")


@dataclass(frozen=True)
class Verdict:
    """What the database holds against what the club was told."""

    acknowledged: int
    found: int
    lost: int
    doubled: int
    unknown: int
    confirmed: int
    wrong_totals: int

    @property
    def good(self) -> bool:
        return not (self.lost or self.doubled or self.unknown or self.wrong_totals)


def compare(db: Database, ledger: Ledger, finished: bool = True) -> Verdict:
    """Read every event back; `finished` says that no command was left without an answer."""
    from scoring.store.fold import fold

    ids = [event.command_id for event in db.all_events()]
    told = [command for commands in ledger.acknowledged.values() for command in commands]
    confirmed = sum(event.kind is EventKind.SMAZZATA_CONFIRMED for event in db.all_events())
    wrong = 0
    for match_id, totals in ledger.totals.items():
        events = db.events(match_id)
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        wrong += finished and list(fold(events).totals) != totals
    return Verdict(
        acknowledged=len(told),
        found=len(set(told) & set(ids)),
        lost=len(set(told) - set(ids)),
        doubled=len(ids) - len(set(ids)),
        unknown=len(set(ids) - set(told)) if finished else 0,
        confirmed=confirmed,
        wrong_totals=wrong,
    )
