"""Who sits with whom, where pairs change from smazzata to smazzata: in three and in five."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from ui import commands as c
from ui.viewmodels import MatchView
from ui.views.session import do, names, place, put, tr


def show_seating(match: MatchView) -> None:
    """The first fact of such a smazzata: who took the large pozzetto and plays alone, and who plays with whom."""
    formato = match.formato
    if not formato.halves or formato.fixed_seating(match.totals):
        return
    seating = match.table.seating
    with st.container(border=True, key="posti"):
        place("posti")
        alone = seating[0][0] if seating else st.session_state.get(_key(match))
        put("alone", alone)
        st.pills(
            tr("page.ask.alone"),
            range(len(match.names)),
            format_func=lambda party: names(match)[party],
            key="alone",
            required=True,
            wrap=True,
            on_change=partial(_alone, match),
        )
        if alone is not None and len(formato.sides) > 2:
            _pairs(match, alone)


def _key(match: MatchView) -> str:
    return f"alone_{match.id}_{match.table.number}"


def _alone(match: MatchView) -> None:
    alone = st.session_state.get("alone")
    if alone is None:
        return
    st.session_state[_key(match)] = alone
    rest = tuple(party for party in range(len(match.names)) if party != alone)
    if len(match.formato.sides) == 2:
        do(c.AnswerSeating(((alone,), rest)))
    elif match.table.seating:
        do(c.AnswerSeating(((alone,), *pairings(rest)[0])))


def _pairs(match: MatchView, alone: int) -> None:
    rest = [party for party in range(len(match.names)) if party != alone]
    options = pairings(rest)
    seated = match.table.seating
    chosen = next((at for at, pairs in enumerate(options) if seated and set(seated[1:]) == set(pairs)), None)
    put("pairs", chosen)
    st.pills(
        tr("page.ask.pair"),
        range(len(options)),
        format_func=lambda at: " · ".join(" + ".join(names(match)[party] for party in pair) for pair in options[at]),
        key="pairs",
        required=True,
        wrap=True,
        on_change=partial(_paired, alone, options),
    )


def _paired(alone: int, options: Sequence[tuple[tuple[int, ...], ...]]) -> None:
    at = st.session_state.get("pairs")
    if at is not None:
        do(c.AnswerSeating(((alone,), *options[at])))


def pairings(players: Sequence[int]) -> list[tuple[tuple[int, ...], ...]]:
    """All ways to make two pairs of four."""
    first, *others = players
    return [((first, mate), tuple(other for other in others if other != mate)) for mate in others]
