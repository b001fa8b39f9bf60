"""Aiuto: how to photograph, the rules of the match, what the program does with a photo, licence and source."""

from __future__ import annotations

import streamlit as st

from ui.settings import LICENCE, SOURCE_URL
from ui.views.lay_pictures import PICTURES, picture_html
from ui.views.rules_help import rules_lines
from ui.views.session import language, open_match, plain, services, tr

HINTS = ("before", "straight", "light", "corners", "side", "rows")
PICTURE_PX = 300
PRIVATE = ("stays", "certain")


def show_page() -> None:
    """The page."""
    st.header(tr("page.info.title"), anchor=False)
    st.subheader(tr("page.info.photo"), anchor=False)
    st.markdown("\n".join(f"{place}. {tr(f'page.info.photo_{hint}')}" for place, hint in enumerate(HINTS, 1)))
    with st.container(horizontal=True, key="figure"):
        for name in PICTURES:
            st.html(picture_html(name, tr(f"page.info.picture_{name}")), width=PICTURE_PX)
    match = open_match()
    st.subheader(tr("page.info.rules_of", title=plain(match.rules.title)), anchor=False)
    st.markdown("\n".join(f"- {plain(line)}" for line in rules_lines(match.rules, language())))
    with st.expander(tr("page.info.rules")):
        st.markdown("\n".join(f"- **{info.title}**  \n  {info.source}" for info in services().regolamenti()))
    st.subheader(tr("page.info.private"), anchor=False)
    st.markdown("\n".join(f"- {tr(f'page.info.{line}')}" for line in PRIVATE))
    st.subheader(tr("page.info.licence"), anchor=False)
    st.markdown(tr("page.info.licence_text", licence=LICENCE))
    st.markdown(f"[{tr('footer.source')}]({SOURCE_URL}) · [{tr('page.info.api')}](/api/docs)")


show_page()
