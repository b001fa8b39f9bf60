"""The match out of the program (sheet, picture, tables, file) and another one in."""

from __future__ import annotations

import streamlit as st

from ui.errors import ServiceError
from ui.viewmodels import MatchView, NewMatch
from ui.views.session import choose_match, language, services, tell, tr, warn

_OUT = {
    "pdf": ("export.pdf", ":material/picture_as_pdf:"),
    "png": ("export.png", ":material/image:"),
    "csv": ("export.csv", ":material/table:"),
    "ledgers": ("export.csv?ledgers=true", ":material/receipt_long:"),
    "json": ("export.json", ":material/data_object:"),
    "json_photos": ("export.json?photos=true", ":material/photo_library:"),
}


def show_exchange(match: MatchView) -> None:
    """Links that the API answers, and a place to put a file."""
    with st.expander(tr("page.exchange.title"), key="scambio"):
        st.markdown(tr("page.exchange.out"))
        with st.container(horizontal=True):
            for name, (path, icon) in _OUT.items():
                url = f"/api/matches/{match.id}/{path}{'&' if '?' in path else '?'}lang={language()}"
                st.link_button(tr(f"page.exchange.{name}"), url, icon=icon)
        round_ = st.session_state.setdefault("import_round", 0)
        file = st.file_uploader(tr("page.exchange.in"), type=["json", "csv"], key=f"import_{round_}")
        st.button(
            tr("page.exchange.load"),
            key="import_match",
            icon=":material/upload_file:",
            disabled=file is None,
            on_click=_load,
            args=(file.name, file.getvalue()) if file is not None else (),
        )


def _load(name: str, data: bytes) -> None:
    try:
        if name.lower().endswith(".csv"):
            view = services().import_totals(data.decode("utf-8-sig"), NewMatch((), ""), language())
        else:
            view = services().import_match(data)
    except UnicodeDecodeError:
        warn(tr("page.exchange.not_text"))
        return
    except ServiceError as error:
        warn(tell(error.message))
        return
    st.session_state["import_round"] += 1  # a fresh uploader, empty again
    choose_match(view.id)
