"""A question on the table page, and the row of buttons that answers one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import streamlit as st

from ui import commands as c
from ui.views.session import do, put


@dataclass(frozen=True, slots=True)
class Question:
    """One question; `answer` is what stands in its one line once it is answered, None while it is open.

    `busy` keeps an answered one unfolded, such as a hand that is being entered card by card.
    """

    key: str
    ask: Callable[[], None]
    answer: str | None
    busy: bool = False


def choice(
    label: str, options: Mapping[str, str], value: str | None, key: str, command: Callable[[str], c.Command]
) -> None:
    """One question with a button for each answer; the match decides which is pressed, not the widget."""
    put(key, value)
    st.pills(
        label,
        list(options),
        format_func=lambda option: options[option],
        key=key,
        required=True,
        wrap=True,
        on_change=partial(_answered, key, command),
    )


def _answered(key: str, command: Callable[[str], c.Command]) -> None:
    answer = st.session_state.get(key)
    if answer is not None:
        do(command(answer))
