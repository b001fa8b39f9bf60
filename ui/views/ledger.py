"""Scores line by line, as every player can check them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st

from scoring.ledger import Reason, SideScore, Voce
from scoring.store.state import LedgerEntry
from ui.views.session import points, tr


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a ledger: why, how many points, and what explains it (cards, classes, a referee's reason)."""

    reason: str
    points: int
    cards: str = ""


@dataclass(frozen=True, slots=True)
class Account:
    """One side's account: its lines, and the sums players write down (base and carte).

    It is `provisional` while answers are missing that may still change it.
    """

    name: str
    lines: tuple[Line, ...]
    base: int
    carte: int
    provisional: bool = False

    @property
    def total(self) -> int:
        """Base and carte together."""
        return self.base + self.carte


def account_of_score(name: str, score: SideScore, *, provisional: bool = False) -> Account:
    """The account of a side as far as it is known."""
    lines = tuple(Line(voce.reason.value, voce.points, _explained(voce, _names(score))) for voce in score.voci)
    return Account(name, lines, score.base, score.carte, provisional)


def _names(score: SideScore) -> dict[str, str]:
    """What the regolamento calls the classes of a side's melds."""
    return {meld.reading.classe.value: meld.reading.name for meld in score.melds if meld.reading}


def _explained(voce: Voce, names: dict[str, str]) -> str:
    """What stands behind a line: the classes of the burrachi, or the cards in hand; laid cards lie above already."""
    if voce.reason is Reason.BURRACHI:
        classes = ((d.count, names.get(d.key) or tr(f"classe.{d.key}")) for d in voce.detail)
        return ", ".join(tr("page.ledger.of_class", count=count, classe=classe) for count, classe in classes)
    return "" if voce.reason is Reason.CARDS_LAID else voce.text or " ".join(map(str, voce.cards))


def account_of_entries(name: str, entries: Sequence[LedgerEntry], base: int, carte: int) -> Account:
    """The account of a side as it was confirmed."""
    lines = tuple(Line(entry.reason, entry.points, entry.text or entry.cards) for entry in entries)
    return Account(name, lines, base, carte)


def show_accounts(accounts: Iterable[Account]) -> None:
    """Both sides' accounts beside each other, one below the other on a narrow screen."""
    with st.container(horizontal=True):
        for account in accounts:
            st.html(account_html(account))


def account_html(account: Account) -> str:
    """One account as a table, base first as at the table, each part with its sum; texts are escaped."""
    rows = [] if account.lines else [f'<tr><td colspan="2">{escape(tr("page.ledger.empty"))}</td></tr>']
    for in_base, key, value in ((True, "base", account.base), (False, "carte", account.carte)):
        part = [line for line in account.lines if Reason(line.reason).in_base is in_base]
        rows += [_row(tr(f"reason.{line.reason}"), line.points, line.cards) for line in part]
        rows.append(_row(tr(f"page.ledger.{key}"), value, kind="sum"))
    total = _row(
        tr("page.ledger.provisional" if account.provisional else "page.ledger.total"), account.total, kind="total"
    )
    head = f"<caption>{escape(account.name)}</caption>"
    return f'<table class="conto">{head}<tbody>{"".join(rows)}</tbody><tfoot>{total}</tfoot></table>'


def _row(text: str, value: int, cards: str = "", kind: str = "") -> str:
    shown = f'<span class="carte">{escape(cards)}</span>' if cards else ""
    return f'<tr class="{kind}"><th scope="row">{escape(text)}{shown}</th><td>{points(value)}</td></tr>'
