"""The match room beside the figures: who is ahead, who deals, and the matches played before, found by name."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ui import commands as c
from ui.viewmodels import MatchSummary, MatchView
from ui.views.session import day, do, names, plain, points, put, side_names, tr

MOST_ROWS = 20


def show_lead(match: MatchView) -> None:
    """Who is ahead and by how much; nothing before the first smazzata."""
    if not match.confirmed or match.finished:
        return
    ranked = sorted(zip(match.totals, names(match), strict=True), key=lambda pair: -pair[0])
    (best, name), (second, _) = ranked[:2]
    if best == second:
        st.markdown(f"**{tr('page.match.level')}**")
    else:
        st.markdown(f"**{tr('page.match.lead', name=name, points=points(best - second))}**")


def show_waiting(match: MatchView) -> None:
    """That the open smazzata waits for somebody's agreement."""
    if match.table.agreed:
        waited = ", ".join(name for side, name in enumerate(side_names(match)) if side not in match.table.agreed)
        st.info(tr("page.match.waiting", number=match.table.number, waited=waited), icon=":material/hourglass_top:")


def show_dealer(match: MatchView) -> None:
    """Who deals the open smazzata: asked once, passed on clockwise, changeable at any time."""
    if match.finished:
        return
    put("dealer", match.dealer)
    st.pills(
        tr("page.match.dealer"),
        range(len(match.table_order)),
        format_func=lambda place: plain(match.table_order[place]),
        key="dealer",
        required=True,
        wrap=True,
        on_change=_dealt,
    )


def _dealt() -> None:
    place = st.session_state.get("dealer")
    if place is not None:
        do(c.AnswerDealer(place))


def found(played: Sequence[MatchSummary]) -> Sequence[MatchSummary]:
    """The matches whose names or day hold all words of the search field; all of them (the newest) while it is empty."""
    if len(played) < 2:
        return played
    words = st.text_input(tr("page.history.search"), key="history_search", max_chars=60).casefold().split()
    hits = [match for match in played if all(word in _text(match) for word in words)]
    if not hits:
        st.markdown(tr("page.history.none_found"))
    elif len(hits) > MOST_ROWS:
        st.markdown(tr("page.history.more", shown=MOST_ROWS, count=len(hits)))
    return hits[:MOST_ROWS]


def _text(match: MatchSummary) -> str:
    return f"{' '.join(match.names)} {day(match.updated_at)}".casefold()
