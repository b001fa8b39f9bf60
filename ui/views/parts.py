"""Parts of a page that are drawn anew by themselves: one tap draws what it changed, never the whole page.

A part is a fragment with a key. What it shows is remembered as a value (`shown`); after a command those parts are drawn
again whose value is another one now. What stands outside the parts is the frame: where that changes, all is drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import streamlit as st

from ui.viewmodels import MatchView

Shown = Callable[[MatchView], object]
_DRAWN = "drawn"
_VIEW = "view"


@dataclass(slots=True)
class _Drawn:
    """What is on screen: the value of the frame, that of each part, and whether the page was drawn to its end."""

    frame: Shown
    framed: object
    parts: dict[str, tuple[Shown, object]] = field(default_factory=dict)
    whole: bool = False


def forget_parts() -> None:
    """Begin a page that has no parts, or none yet."""
    st.session_state[_DRAWN] = None


def keep_view(match: MatchView) -> None:
    """Remember the match as this session sees it now; the parts draw it."""
    st.session_state[_VIEW] = match


def begin_parts(match: MatchView, frame: Shown) -> None:
    """Begin a page with parts; `frame` is the value of all that stands outside them."""
    st.session_state[_DRAWN] = _Drawn(frame, frame(match))


def end_parts() -> None:
    """Say that the page is drawn to its end."""
    st.session_state[_DRAWN].whole = True


def part(key: str, shown: Shown, draw: Callable[[MatchView], None]) -> None:
    """Draw one part: whatever `draw` shows of the match, as far as `shown` tells it apart."""
    drawn: _Drawn = st.session_state[_DRAWN]

    @st.fragment(key=key)
    def body() -> None:
        match: MatchView = st.session_state[_VIEW]
        drawn.parts[key] = shown, shown(match)
        draw(match)

    body()


def draw_again() -> None:
    """End a callback that changed the match: have drawn again what shows something else now. It may not return."""
    drawn: _Drawn | None = st.session_state.get(_DRAWN)
    if drawn is None:
        return  # a page without parts is drawn as a whole anyway
    match: MatchView = st.session_state[_VIEW]
    if not drawn.whole or drawn.frame(match) != drawn.framed:
        st.rerun()
    changed = [key for key, (shown, before) in drawn.parts.items() if shown(match) != before]
    if changed:
        st.rerun(changed)
