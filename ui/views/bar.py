"""The bar at the lower edge of the page: the totals of the open smazzata, and the way to what comes next."""

from __future__ import annotations

from html import escape

import streamlit as st

from ui.i18n import say, say_names
from ui.viewmodels import MatchView, Message
from ui.views.session import PLACE, language, points, tr

OF_A_SIDE = ("missing.side", "missing.twin")


def show_bar(match: MatchView) -> None:
    """Always in sight while the page is scrolled, so that nobody searches for the question that is still open."""
    table = match.table
    totals = "".join(
        f"<span>{escape(name)} <b>{points(side.score.total)}</b></span>"
        for name, side in zip(say_names(table.names, language()), table.sides, strict=True)
    )
    where, text = _next(match)
    link = f'<a href="#{PLACE}{where}">{escape(text)}</a>'
    with st.container(key="barra"):
        st.html(f'<div class="totali">{totals}</div>{link}')


def _next(match: MatchView) -> tuple[str, str]:
    """The place on the page of what is still to be done, and its words."""
    for message in match.table.missing:
        return _place_of(message, match), say(message, language())
    if match.table.faults:
        count = len(match.table.faults)
        return "conto", tr("page.bar.fault") if count == 1 else tr("page.bar.faults", count=count)
    return "conto", tr("page.bar.confirm")


def _place_of(message: Message, match: MatchView) -> str:
    if message.key in OF_A_SIDE:
        side = next(at for at, name in enumerate(match.table.names) if name == message.params["name"])
        return f"lato-{side}"
    return "posti" if message.key == "missing.seating" else "domande"
