"""Tavolo: from a photo of each side to a confirmed smazzata."""

from __future__ import annotations

from functools import partial
from zlib import crc32

import streamlit as st

from ui import commands as c
from ui.viewmodels import MatchView
from ui.views.bar import show_bar
from ui.views.compare import show_comparison
from ui.views.held import forget_ways
from ui.views.ledger import accounts_of_table, show_accounts
from ui.views.parts import begin_parts, end_parts, part
from ui.views.questions import show_questions, shown_of_questions
from ui.views.seating import show_seating
from ui.views.session import (
    do,
    follow,
    goal_text,
    names,
    notices,
    open_match,
    outcome_text,
    place,
    plain,
    send,
    show_notices,
    side_names,
    tell,
    totals_text,
    tr,
)
from ui.views.side import show_side, shown_of_side


def _header(match: MatchView) -> None:
    st.header(tr("page.tavolo.title", number=match.table.number), anchor=False)
    if match.demo:
        st.info(tr("page.tavolo.demo"), icon=":material/school:")
    text = tr("page.tavolo.so_far", totals=totals_text(names(match), match.totals), goal=goal_text(match))
    if match.dealer is not None:
        text += " " + tr("page.tavolo.dealer", name=plain(match.table_order[match.dealer]))
    st.markdown(text)


def _account(match: MatchView) -> None:
    with st.container(border=True, key="conto"):
        place("conto")
        provisional = not match.table.ready
        totals = totals_text(side_names(match), (side.score.total for side in match.table.sides))
        key = "page.tavolo.account_so_far" if provisional else "page.tavolo.account"
        with st.expander(f"{tr(key)}: {totals}", key="voci", expanded=not provisional):
            show_accounts(accounts_of_table(match))
            show_comparison(match)
        _confirm(match)
    show_bar(match)


def _confirm(match: MatchView) -> None:
    table = match.table
    anyway = False
    if table.missing:
        first, others = tell(table.missing[0]), len(table.missing) - 1
        more = {0: "", 1: tr("page.tavolo.missing_one_more")}.get(others, tr("page.tavolo.missing_more", count=others))
        st.info(f"{first} {more}", title=tr("page.tavolo.missing"), icon=":material/pending_actions:")
    if table.faults:
        reasons = "\n".join(f"- {tell(message)}" for message in table.faults)
        st.warning(reasons, title=tr("page.tavolo.faults"), icon=":material/warning:")
        known = crc32(reasons.encode())
        anyway = st.checkbox(tr("page.tavolo.anyway"), key=f"anyway_{match.id}_{table.number}_{known}")
    blocked = bool(table.missing) or (bool(table.faults) and not anyway)
    if not match.both_confirm:
        _confirm_button(match, tr("page.tavolo.confirm"), "confirm", blocked, c.Confirm(anyway))
        return
    names = side_names(match)
    if table.agreed:
        agreed = ", ".join(names[side] for side in table.agreed)
        waited = ", ".join(name for side, name in enumerate(names) if side not in table.agreed)
        st.info(tr("page.tavolo.waiting", agreed=agreed, waited=waited), icon=":material/hourglass_top:")
    for side, name in enumerate(names):
        if side not in table.agreed:
            label = tr("page.tavolo.confirm_for", name=name)
            _confirm_button(match, label, f"confirm_{side}", blocked, c.Confirm(anyway, side))


def _confirm_button(match: MatchView, label: str, key: str, blocked: bool, command: c.Confirm) -> None:
    st.button(
        label,
        key=key,
        type="primary",
        width="stretch",
        icon=":material/check:",
        disabled=blocked,
        on_click=partial(_confirmed, match, command),
    )


def _confirmed(match: MatchView, command: c.Confirm) -> None:
    if st.session_state["confirmations"] != len(match.confirmed):
        return  # the second tap of a double one: the first has confirmed already
    done = send(command)
    if done and st.session_state["confirmations"] > len(match.confirmed):
        for side in range(len(match.table.sides)):
            for choice in (f"by_hand_{side}", f"each_{side}"):
                st.session_state.pop(choice, None)
        forget_ways()
        st.session_state["confirmed_number"] = match.table.number
    follow(done)


def _after_confirmation(match: MatchView) -> None:
    """Say what was just confirmed, with the way back."""
    number = st.session_state.get("confirmed_number")
    last = match.confirmed[-1] if match.confirmed else None
    if last is None or last.number != number:
        return
    with st.container(key="confermata"):
        text = totals_text(names(match), match.totals)
        st.success(text, title=tr("page.tavolo.confirmed", number=number), icon=":material/check_circle:")
        if match.can_undo_confirmation:
            st.button(
                tr("page.match.undo"),
                key="undo_confirmation",
                icon=":material/undo:",
                on_click=partial(do, c.UndoConfirmation()),
            )


def show_page() -> None:
    """The page."""
    match = open_match()
    begin_parts(match, _frame)
    _header(match)
    part("avvisi", lambda _: notices(), lambda _: show_notices())
    _after_confirmation(match)
    if match.finished:
        st.success(outcome_text(match), icon=":material/emoji_events:")
        st.page_link("views/partita.py", label=tr("page.tavolo.next_match"), icon=":material/scoreboard:")
        return
    show_seating(match)
    first = st.container(key="prima")
    for side in range(len(match.table.sides)):
        part(f"parte_lato_{side}", partial(shown_of_side, side=side), partial(show_side, side=side))
    entered = [side.entered for side in match.table.sides]
    if any(entered):
        # While a photo is missing the photos come first; then the questions, and below them what was read, to check.
        with first if all(entered) else st.container():
            part("parte_domande", shown_of_questions, show_questions)
        part("parte_conto", lambda now: now.seq, _account)
    end_parts()


def _frame(match: MatchView) -> object:
    """What the page shows outside its parts, and which parts it has."""
    entered = tuple(side.entered for side in match.table.sides)
    told = match.names, match.totals, match.dealer, match.table.seating, match.table.number, match.finished
    return match.id, len(match.confirmed), entered, told


show_page()
