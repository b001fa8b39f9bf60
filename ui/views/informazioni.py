"""Informazioni: how to photograph, what the program does with a photo, licence and source."""

from __future__ import annotations

import streamlit as st

from ui.settings import LICENCE, SOURCE_URL
from ui.views.session import services, tr

HINTS = ("before", "straight", "light", "corners", "side", "rows")
PRIVATE = ("stays", "certain")


def show_page() -> None:
    """The page."""
    st.header(tr("page.info.title"), anchor=False)
    st.subheader(tr("page.info.photo"), anchor=False)
    st.markdown("\n".join(f"{place}. {tr(f'page.info.photo_{hint}')}" for place, hint in enumerate(HINTS, 1)))
    st.subheader(tr("page.info.rules"), anchor=False)
    rows = "\n".join(f"- **{info.title}**  \n  {info.source}" for info in services().regolamenti())
    st.markdown(rows)
    st.subheader(tr("page.info.private"), anchor=False)
    st.markdown("\n".join(f"- {tr(f'page.info.{line}')}" for line in PRIVATE))
    st.subheader(tr("page.info.licence"), anchor=False)
    st.markdown(tr("page.info.licence_text", licence=LICENCE))
    st.markdown(f"[{tr('footer.source')}]({SOURCE_URL}) · [{tr('page.info.api')}](/api/docs)")


show_page()
