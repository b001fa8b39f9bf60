"""The dashboard: its pages, the way between them, the language, and the licence below every page."""

from __future__ import annotations

from importlib.resources import files

import streamlit as st

from ui.i18n import LANGUAGES
from ui.settings import SOURCE_URL
from ui.views.session import language, tr

PAGES = (
    ("tavolo", ":material/photo_camera:", True),
    ("partita", ":material/scoreboard:", False),
    ("informazioni", ":material/info:", False),
)
LANGUAGE_NAMES = {"it": "Italiano", "en": "English"}


def _style() -> None:
    css = files("ui.views").joinpath("style.css").read_text("utf-8")
    words = "".join(
        f'.stApp [data-testid="stFileUploaderDropzone"] {where}::after {{ content: "{tr(key)}"; }}'
        for where, key in (
            ("button", "page.upload.button"),
            ('[data-testid="stFileUploaderDropzoneInstructions"]', "page.upload.hint"),
        )
    )
    st.html(f"<style>{css}{words}</style>")


def _choose_language() -> None:
    st.session_state["language"] = st.session_state.get("language_choice") or language()


def _footer() -> None:
    with st.container(key="piede"):
        st.divider()
        st.markdown(f"{tr('footer.licence')} · [{tr('footer.source')}]({SOURCE_URL})")
        st.session_state["language_choice"] = language()
        st.segmented_control(
            tr("page.language"),
            LANGUAGES,
            format_func=lambda code: LANGUAGE_NAMES[code],
            key="language_choice",
            required=True,
            on_change=_choose_language,
        )


st.set_page_config(page_title=tr("app.title"), page_icon=":material/playing_cards:", layout="wide")
_style()
pages = [
    st.Page(f"views/{name}.py", title=tr(f"page.{name}.name"), icon=icon, default=default)
    for name, icon, default in PAGES
]
page = st.navigation(pages, position="hidden")
with st.container(horizontal=True, key="menu"):
    for target in pages:
        st.page_link(target)
page.run()
_footer()
