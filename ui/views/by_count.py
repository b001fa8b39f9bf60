"""A side counted at the table, as on the score sheet: base by classes, carte by sum, by heaps or by value."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from scoring.sides import SideCounts
from ui import commands as c
from ui.viewmodels import MatchView
from ui.views.session import do, follow, tr, warn

SUM, HEAPS, VALUES = "sum", "heaps", "values"
HEAP = 100
MOST = 108
FIELD_PX = 132


def show_counts(match: MatchView, side: int) -> None:
    """How many burrachi of each class, then the cards; how these are counted is chosen above the form."""
    with st.expander(tr("page.side.by_count"), key=f"count_box_{side}"):
        way = st.segmented_control(
            tr("page.count.way"),
            (SUM, HEAPS, VALUES),
            format_func=lambda way: tr(f"page.count.{way}"),
            default=SUM,
            required=True,
            wrap=True,
            key=f"count_way_{side}",
        )
        with st.form(f"count_{side}", border=False):
            st.markdown(f"**{tr('page.ledger.base')}**")
            with st.container(horizontal=True, vertical_alignment="bottom"):
                for classe in match.rules.class_keys:
                    name = f"{match.rules.names.of(classe)} ({match.rules.bonus.of(classe)})"
                    _number(name, f"count_{classe.value}_{side}", 20)
            st.markdown(f"**{tr('page.ledger.carte')}**")
            values = _cards(match, side, way or SUM)
            send = partial(_entered, side, [key.value for key in match.rules.class_keys], way or SUM, values)
            st.form_submit_button(tr("page.side.sums_use"), type="primary", key=f"count_use_{side}", on_click=send)


def _cards(match: MatchView, side: int, way: str) -> tuple[int, ...]:
    """The fields of one way to count cards; returns the values they count."""
    if way == SUM:
        st.number_input(tr("page.side.sum_cards"), min_value=0, step=5, value=None, key=f"count_sum_{side}")
        return ()
    if way == HEAPS:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            _number(tr("page.count.full_heaps"), f"count_100_{side}", MOST)
            _number(tr("page.count.rest"), f"count_rest_{side}", HEAP, step=5)
        return ()
    values = tuple(value for value in match.rules.values.distinct if value)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for value in values:
            _number(tr("page.count.cards_of", points=value), f"count_of_{value}_{side}", MOST)
    return values


def _number(label: str, key: str, most: int, step: int = 1) -> None:
    st.number_input(label, min_value=0, max_value=most, step=step, value=0, key=key, width=FIELD_PX)


def _entered(side: int, classes: Sequence[str], way: str, values: Sequence[int]) -> None:
    state = st.session_state
    burrachi = tuple((key, int(state[f"count_{key}_{side}"])) for key in classes)
    if way == SUM:
        written = state[f"count_sum_{side}"]
        if written is None:
            warn(tr("page.count.cards_missing"))
            follow(False)
            return
        do(c.EnterCounts(side, burrachi, heaps=((int(written), 1),)))
    elif way == HEAPS:
        heaps = (HEAP, int(state[f"count_100_{side}"])), (int(state[f"count_rest_{side}"]), 1)
        do(c.EnterCounts(side, burrachi, heaps=heaps))
    else:
        cards = tuple((value, int(state[f"count_of_{value}_{side}"])) for value in values)
        do(c.EnterCounts(side, burrachi, cards))


def counts_text(match: MatchView, counts: SideCounts) -> str:
    """What was counted, in a sentence."""
    burrachi = ", ".join(
        tr("page.ledger.of_class", count=count, classe=match.rules.names.of(classe))
        for classe, count in counts.burrachi
    )
    cards = " + ".join(
        f"{count} × {value}" if count > 1 else str(value) for value, count in counts.cards_by_value + counts.heaps
    )
    return tr("page.count.entered", burrachi=burrachi or "0", cards=cards or "0")
