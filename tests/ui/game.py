"""A short way to play a match through the services."""

from __future__ import annotations

from scoring.smazzata import Held, Pozzetto
from scoring.store.state import AttachMode, Closed
from tests.ui.pictures import TABLE, picture
from ui import commands as c
from ui.services import Services
from ui.viewmodels import Job, JobStatus, MatchView, NewMatch

NEW = NewMatch(names=("Noi", "Loro"), regolamento="fibur", target=2005)


class Table:
    """One match seen by one device, always sending the seq it saw last."""

    def __init__(self, services: Services, device: str = "a", new: NewMatch = NEW) -> None:
        self.services, self.device = services, device
        self.view = services.create_match(new, device=device)

    def do(self, *commands: c.Command) -> MatchView:
        for command in commands:
            self.view = self.services.apply(self.view.id, command, seq=self.view.seq, device=self.device)
        return self.view

    def photo(self, side: int = 0, colour: tuple[int, int, int] = TABLE, mode: AttachMode = AttachMode.REPLACE) -> Job:
        job = self.services.read_photo(picture(colour), match_id=self.view.id, side=side, mode=mode, device=self.device)
        job = self.services.wait(job.id, 30)
        assert job.status in (JobStatus.DONE, JobStatus.FAILED)
        self.view = self.services.match(self.view.id, device=self.device)
        return job

    def answer(self) -> MatchView:
        self.do(c.AnswerClosed(Closed.SIDE_0))
        for side in (0, 1):
            self.do(c.AnswerPozzetto(side, Pozzetto.PLAYED), c.AnswerHands(side, (Held(points=10 * side),)))
        return self.view

    def text(self, side: int = 0) -> list[str]:
        view = self.view.table.sides[side]
        return [" ".join(str(card.card) for card in meld.cards) for meld in view.melds] + [
            f"({card.card})" for card in view.loose
        ]

    def card(self, name: str, side: int = 0) -> str:
        view = self.view.table.sides[side]
        cards = [card for meld in view.melds for card in meld.cards] + list(view.loose)
        return next(card.id for card in cards if str(card.card) == name)

    def keys(self) -> tuple[set[str], set[str]]:
        table = self.view.table
        return {message.key for message in table.missing}, {message.key for message in table.faults}
