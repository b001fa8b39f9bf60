"""Scores line by line, as every player can check them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st

from scoring.ledger import Reason
from scoring.store.state import LedgerEntry
from ui.i18n import say_names
from ui.reasons import pair_shares, signed_voce, why_voce
from ui.seats import seats_at
from ui.viewmodels import MatchView
from ui.views.session import language, points, tr


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a ledger: its reason in a word, how many points, and the sentence that says why."""

    reason: str
    points: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class Account:
    """One side's account: its lines, and the sums players write down (base and carte).

    It is `provisional` while answers are missing that may still change it; `each` says what each of a pair that
    halves gets, and is empty elsewhere.
    """

    name: str
    lines: tuple[Line, ...]
    base: int
    carte: int
    provisional: bool = False
    each: str = ""

    @property
    def total(self) -> int:
        """Base and carte together."""
        return self.base + self.carte


def accounts_of_table(match: MatchView) -> Iterator[Account]:
    """The accounts of the open smazzata as far as they are known."""
    table, rules = match.table, match.rules
    scores = [side.score for side in table.sides]
    names = say_names(table.names, language())
    shares = pair_shares([score.total for score in scores], seats_at(match), rules, language())
    for name, score, each in zip(names, scores, shares, strict=True):
        whys = [why_voce(voce, language(), score.melds, rules) for voce in score.voci]
        lines = tuple(Line(v.reason.value, v.points, why) for v, why in zip(score.voci, whys, strict=True))
        yield Account(name, lines, score.base, score.carte, provisional=not table.ready, each=each)


def account_of_entries(name: str, entries: Sequence[LedgerEntry], base: int, carte: int, each: str = "") -> Account:
    """The account of a side as it was confirmed."""
    lines = tuple(Line(entry.reason, entry.points, why_voce(signed_voce(entry), language())) for entry in entries)
    return Account(name, lines, base, carte, each=each)


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
        rows += [_row(tr(f"reason.{line.reason}"), line.points, line.why) for line in part]
        rows.append(_row(tr(f"page.ledger.{key}"), value, kind="sum"))
    key = "page.ledger.provisional" if account.provisional else "page.ledger.total"
    total = _row(tr(key), account.total, account.each, kind="total")
    head = f"<caption>{escape(account.name)}</caption>"
    return f'<table class="conto">{head}<tbody>{"".join(rows)}</tbody><tfoot>{total}</tfoot></table>'


def _row(text: str, value: int, why: str = "", kind: str = "") -> str:
    shown = f'<span class="perche">{escape(why)}</span>' if why else ""
    return f'<tr class="{kind}"><th scope="row">{escape(text)}{shown}</th><td>{points(value)}</td></tr>'
