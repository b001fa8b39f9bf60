"""The score sheet as a PDF: totals with base and carte apart, signatures, then every ledger with its photo as proof."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from fpdf import FPDF
from fpdf.enums import XPos, YPos

from scoring.formato import Points
from scoring.ledger import Reason
from scoring.match import OneHand, ToTarget
from scoring.store.state import LedgerEntry
from ui.exchange.typeset import BOLD, REGULAR
from ui.i18n import points_text, say, t
from ui.reasons import recount_message
from ui.viewmodels import ConfirmedView, MatchView
from ui.words import said_title

MARGIN, WIDTH = 12.0, 210.0 - 24.0
LINE = 6.0
PHOTO_W, PHOTO_H = 58.0, 46.0
INK, GREY, RED, FELT = (20, 20, 20), (110, 110, 110), (179, 0, 27), (11, 92, 59)
_RED_SUITS = "♥♦"


@dataclass(frozen=True, slots=True)
class Proof:
    """A photo of a confirmed smazzata: whose side it shows, its hash, and the picture where it is still there."""

    smazzata: int
    name: str
    sha256: str
    jpeg: bytes | None


def sheet_pdf(view: MatchView, regolamento: str, at: str, proofs: Sequence[Proof], lang: str) -> bytes:
    """The sheet of a match whose last event was at `at`; the same match gives the same bytes."""
    sheet = _Sheet(view, datetime.fromisoformat(at), lang)
    sheet.add_page()
    sheet.heading(regolamento)
    sheet.totals()
    sheet.turni()
    sheet.outcome()
    sheet.signatures()
    for smazzata in view.confirmed:
        sheet.smazzata(smazzata, [proof for proof in proofs if proof.smazzata == smazzata.number])
    return bytes(sheet.output())


def moment(at: datetime) -> str:
    """A moment by the clock of this machine."""
    return at.astimezone().strftime("%d/%m/%Y %H:%M")


class _Sheet(FPDF):
    """The pages; every measure in millimetres."""

    def __init__(self, view: MatchView, at: datetime, lang: str) -> None:
        super().__init__(format="A4")
        self.view, self.at, self.lang = view, at, lang
        self.tr = partial(t, lang=lang)
        self.add_font("sheet", "", REGULAR)
        self.add_font("sheet", "B", BOLD)
        self.set_margins(MARGIN, MARGIN)
        self.set_auto_page_break(True, 16)
        self.set_creation_date(at)
        self.set_title(" – ".join(view.names))
        self.set_lang(lang)

    def footer(self) -> None:
        """Which match, as of when, which page."""
        self.set_y(-13)
        self.ink(7, GREY)
        when = moment(self.at)
        self.cell(WIDTH - 20, 5, self.tr("sheet.footer", id=self.view.id, seq=self.view.seq, when=when))
        self.cell(20, 5, f"{self.page_no()} / {{nb}}", align="R")

    def ink(self, size: float, colour: tuple[int, int, int] = INK, bold: bool = False) -> None:
        """Choose size and colour of what is written next."""
        self.set_font("sheet", "B" if bold else "", size)
        self.set_text_color(*colour)

    def line_of(self, text: str, size: float = 9, colour: tuple[int, int, int] = INK, bold: bool = False) -> None:
        """A paragraph of its own."""
        self.ink(size, colour, bold)
        self.multi_cell(WIDTH, size * 0.52, text, new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def heading(self, regolamento: str) -> None:
        """Who plays, by which rules, to what."""
        self.line_of(self.tr("sheet.title"), 9, FELT, bold=True)
        self.line_of(" – ".join(self.view.names), 18, bold=True)
        for name, players in zip(self.view.names, self.view.players, strict=False):
            if players:
                self.line_of(f"{name}: {', '.join(players)}", 8, GREY)
        goal = self.view.goal
        if isinstance(goal, ToTarget):
            played = self.tr("page.goal.target", target=goal.target)
        elif isinstance(goal, OneHand):
            played = self.tr("page.goal.one_hand")
        else:
            played = self.tr("page.goal.turni", turni=goal.turni, smazzate=goal.table.smazzate)
        self.line_of(f"{regolamento} · {said_title(self.view.formato, self.lang)} · {played}", 8, GREY)
        self.ln(3)

    def totals(self) -> None:
        """One row a smazzata: base, carte, points and the running total of each, as Italian sheets have them."""
        parts = ["base", "carte", "points", "running"] if not self.view.formato.halves else ["points", "running"]
        first = 14.0
        each = (WIDTH - first) / (len(self.view.names) * len(parts))
        self.ink(9, bold=True)
        self.cell(first, LINE, "")
        for name in self.view.names:
            self.cell(each * len(parts), LINE, self.fitting(name, each * len(parts)), align="C", border="LR")
        self.ln()
        self.ink(7, GREY)
        self.cell(first, LINE, self.tr("sheet.number"), border="B")
        for _ in self.view.names:
            for part in parts:
                self.cell(
                    each, LINE, self.tr(f"sheet.{part}"), align="R", border="B" + ("L" if part is parts[0] else "")
                )
        self.ln()
        for smazzata in self.view.confirmed:
            self.ink(9)
            self.cell(first, LINE, str(smazzata.number), border="B")
            for party in range(len(self.view.names)):
                for part in parts:
                    self.ink(9, bold=part == "running")
                    text = points_text(_figure(smazzata, party, part))
                    self.cell(each, LINE, text, align="R", border="B" + ("L" if part is parts[0] else ""))
            self.ln()
        self.ink(9, bold=True)
        self.cell(first, LINE + 2, self.tr("sheet.total"))
        self.ink(11, bold=True)
        for total in self.view.totals:
            self.cell(each * len(parts), LINE + 2, points_text(total), align="R", border="L")
        self.ln(LINE + 4)

    def turni(self) -> None:
        """Match Points and Victory Points of each turn, where these decide."""
        for number, turno in enumerate(self.view.turni, start=1):
            mp = " : ".join(map(points_text, turno.mp))
            vp = " : ".join(map(str, turno.vp)) if turno.vp else self.tr("page.match.turno_open")
            self.line_of(self.tr("sheet.turno", number=number, mp=mp, vp=vp), 9)

    def outcome(self) -> None:
        """Who has won, or that it goes on; the difference in Match Points where two play."""
        view = self.view
        if len(view.totals) == 2:
            difference = points_text(abs(view.totals[0] - view.totals[1]))
            self.line_of(self.tr("sheet.difference", points=difference), 9)
        if view.draw:
            said = self.tr("sheet.draw")
        elif view.winner is not None:
            said = self.tr("sheet.winner", name=view.names[view.winner])
        else:
            said = self.tr("sheet.open")
        self.line_of(said, 11, FELT, bold=True)

    def signatures(self) -> None:
        """A line for each party and for the referee."""
        who = [*self.view.names, self.tr("sheet.referee")]
        width = (WIDTH - 6 * (len(who) - 1)) / len(who)
        if self.get_y() > self.h - 50:
            self.add_page()
        self.ln(16)
        top = self.get_y()
        self.set_draw_color(*INK)
        self.ink(8, GREY)
        for place, name in enumerate(who):
            left = MARGIN + place * (width + 6)
            self.line(left, top, left + width, top)
            self.set_xy(left, top + 1)
            self.cell(width, 4, self.fitting(name, width))
        self.set_xy(MARGIN, top + 8)

    def smazzata(self, smazzata: ConfirmedView, proofs: Sequence[Proof]) -> None:
        """A smazzata's ledgers, what was remarked about it, and its photos."""
        if self.get_y() > self.h - 70:
            self.add_page()
        self.ln(4)
        when = moment(datetime.fromisoformat(smazzata.confirmation.at))
        self.set_draw_color(*FELT)
        self.line(MARGIN, self.get_y(), MARGIN + WIDTH, self.get_y())
        self.ln(1.5)
        self.line_of(self.tr("sheet.smazzata", number=smazzata.number, when=when), 11, FELT, bold=True)
        for side, name in enumerate(smazzata.names):
            self.ledger(name, smazzata, side)
        if smazzata.confirmation.despite:
            self.line_of(self.tr("page.match.despite"), 8, RED)
        if smazzata.recount:
            self.line_of(say(recount_message(smazzata.recount, smazzata.names), self.lang), 8, RED)
        self.proofs(proofs)

    def ledger(self, name: str, smazzata: ConfirmedView, side: int) -> None:
        """One side: base with its lines, carte with its lines, the total."""
        signed = smazzata.confirmation
        self.line_of(name, 9, bold=True)
        for in_base, key, value in ((True, "base", signed.base[side]), (False, "carte", signed.carte[side])):
            for entry in signed.ledgers[side]:
                if Reason(entry.reason).in_base is in_base:
                    self.entry(entry)
            self.sum_of(self.tr(f"page.ledger.{key}"), value)
        self.sum_of(self.tr("page.ledger.total"), signed.totals[side])
        self.ln(1.5)

    def entry(self, entry: LedgerEntry) -> None:
        """Why, how many points, and the cards in their colours below."""
        self.ink(8)
        self.cell(WIDTH - 24, 4.5, self.tr(f"reason.{entry.reason}") + (f" ({entry.text})" if entry.text else ""))
        self.cell(24, 4.5, points_text(entry.points), align="R")
        self.ln()
        if entry.cards:
            self.cards(entry.cards)

    def cards(self, cards: str) -> None:
        """Cards in a row, hearts and diamonds red, broken where the line ends."""
        self.set_x(MARGIN + 4)
        for card in cards.split():
            self.ink(8, RED if card[-1] in _RED_SUITS else INK)
            width = self.get_string_width(card) + 1.6
            if self.get_x() + width > MARGIN + WIDTH - 24:
                self.ln(4)
                self.set_x(MARGIN + 4)
            self.cell(width, 4, card)
        self.ln(4.5)

    def sum_of(self, text: str, value: int) -> None:
        """A sum, with a line above."""
        self.ink(8, bold=True)
        self.set_draw_color(*GREY)
        self.cell(WIDTH - 24, 4.5, text)
        self.cell(24, 4.5, points_text(value), align="R", border="T")
        self.ln()

    def proofs(self, proofs: Sequence[Proof]) -> None:
        """The photos, two or three to a row, each with its side and the beginning of its hash."""
        for at in range(0, len(proofs), 3):
            row = proofs[at : at + 3]
            if self.get_y() + PHOTO_H + 8 > self.h - 16:
                self.add_page()
            top = self.get_y() + 1
            for place, proof in enumerate(row):
                left = MARGIN + place * (PHOTO_W + 5)
                if proof.jpeg is not None:
                    self.image(io.BytesIO(proof.jpeg), left, top, PHOTO_W, PHOTO_H, keep_aspect_ratio=True)
                self.set_xy(left, top + PHOTO_H + 0.5)
                self.ink(6.5, GREY)
                missing = "" if proof.jpeg is not None else f" – {self.tr('sheet.photo_gone')}"
                self.cell(PHOTO_W, 3.5, self.fitting(f"{proof.name}{missing} · {proof.sha256[:12]}", PHOTO_W))
            self.set_xy(MARGIN, top + PHOTO_H + 5)

    def fitting(self, text: str, width: float) -> str:
        """A text cut to a width of the present font."""
        if self.get_string_width(text) <= width - 2:
            return text
        while text and self.get_string_width(text + "…") > width - 2:
            text = text[:-1]
        return text + "…"


def _figure(smazzata: ConfirmedView, party: int, part: str) -> Points:
    signed = smazzata.confirmation
    if part == "running":
        return smazzata.running[party]
    if part == "points":
        return signed.points[party]
    side = next(place for place, parties in enumerate(signed.seating) if party in parties)
    return signed.base[side] if part == "base" else signed.carte[side]
