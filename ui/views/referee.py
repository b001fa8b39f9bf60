"""What a referee decides: cards counted against a side, and points given or taken for a reason."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

import streamlit as st

from scoring.sides import Adjustment, Held
from ui import commands as c
from ui.roles import may
from ui.viewmodels import MatchView
from ui.views.session import do, follow, points, role, side_names, tr, warn


class HeldInput(Protocol):
    """The widget for cards somebody holds."""

    def __call__(
        self,
        match: MatchView,
        label: str,
        held: Held | None,
        key: str,
        command: Callable[[Held], c.AnswerPenalised],
        *,
        zero: bool,
    ) -> None: ...


def show_referee(match: MatchView, held_input: HeldInput) -> None:
    """Both for every side; folded away, since most smazzate need neither."""
    if not may(role(), c.Adjust):
        st.markdown(tr("door.needs_referee"))
        return
    for side, name in enumerate(side_names(match)):
        draft = match.table.sides[side].draft
        label = tr("page.ask.penalised", name=name)
        held_input(match, label, draft.penalised, f"penalised_{side}", partial(c.AnswerPenalised, side), zero=True)
        for adjustment in draft.adjustments:
            st.text(f"{points(adjustment.points)}  {adjustment.reason}")
        _form(side, name, draft.adjustments)


def _form(side: int, name: str, adjustments: tuple[Adjustment, ...]) -> None:
    with st.form(f"adjust_{side}", border=False, clear_on_submit=True):
        st.number_input(
            tr("page.ask.adjustment", name=name), value=None, step=5, key=f"adjust_points_{side}", format="%d"
        )
        st.text_input(tr("page.ask.adjustment_reason"), max_chars=120, key=f"adjust_reason_{side}")
        save = partial(_adjusted, side, adjustments)
        st.form_submit_button(tr("page.ask.adjustment_save"), on_click=save, key=f"adjust_save_{side}")
    if adjustments:
        remove = partial(do, c.Adjust(side, ()))
        st.button(tr("page.ask.adjustment_remove"), key=f"adjust_remove_{side}", on_click=remove)


def _adjusted(side: int, adjustments: tuple[Adjustment, ...]) -> None:
    value, reason = st.session_state[f"adjust_points_{side}"], st.session_state[f"adjust_reason_{side}"].strip()
    if not value or not reason:
        warn(tr("refused.adjustment_reason"))
        follow(False)
        return
    do(c.Adjust(side, (*adjustments, Adjustment(int(value), reason))))
