"""What the open smazzata would score under other rules."""

from __future__ import annotations

import streamlit as st

from ui.i18n import say_names
from ui.reasons import differing_text, what_if_text
from ui.seats import seats_at
from ui.viewmodels import MatchView
from ui.views.session import language, plain, services, tr

SHOWN = "compare_shown"


def show_comparison(match: MatchView) -> None:
    """Every preset on one line, on demand."""
    st.button(tr("page.compare.show"), key="compare", icon=":material/compare_arrows:", on_click=_turn)
    if not st.session_state.get(SHOWN):
        return
    names, seats = say_names(match.table.names, language()), seats_at(match)
    lines = [] if match.table.ready else [tr("page.compare.provisional"), ""]
    for answer in services().compare(match.id):
        text = plain(what_if_text(answer, names, language(), seats))
        more = differing_text(answer, names, language())
        lines.append(f"- **{plain(answer.regolamento.title)}**: {text}" + (f" ({plain(more)})" if more else ""))
    st.markdown("\n".join(lines))


def _turn() -> None:
    st.session_state[SHOWN] = not st.session_state.get(SHOWN)
