"""The dashboard: its pages, the way between them, the language, and the licence below every page."""

from __future__ import annotations

from importlib.resources import files

import streamlit as st

from ui.components.frame import PHOTO_UPLOADERS, frame
from ui.doors.doors import PHONES
from ui.errors import ServiceError
from ui.i18n import LANGUAGES
from ui.roles import Role
from ui.settings import SOURCE_URL, get_settings
from ui.views.parts import forget_parts
from ui.views.session import device, language, put, role, services, tr
from ui.views.theme import THEME

# A page's own icon would become its favicon, which Streamlit fetches from outside; the menu's icons come with it.
PAGES = {
    "tavolo": ":material/photo_camera:",
    "dal_vivo": ":material/videocam:",
    "partita": ":material/scoreboard:",
    "informazioni": ":material/info:",
}
# What a viewer may see. (A bare text below would be shown on the page.)
LOOKING = {"guarda": ":material/scoreboard:", "informazioni": ":material/info:"}
FOLLOW_S = 1.5  # what another phone did is on screen within two seconds
LANGUAGE_NAMES = {"it": "Italiano", "en": "English"}
UPLOAD_BUTTON = '[data-testid="stFileUploaderDropzone"] button [data-testid="stMarkdownContainer"]'
UPLOAD_HINT = '[data-testid="stFileUploaderDropzoneInstructions"]'
UPLOAD_FAILED = '.stApp [data-testid="stFileUploader"]:has([role="alert"])'


ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
<rect x="12" y="4" width="40" height="56" rx="7" fill="#fff" stroke="#0b5c3b" stroke-width="5"/>
<path fill="#b3001b" d="M32 47C22 38 17 33 17 27c0-4 3-7 7-7 3 0 6 2 8 5 2-3 5-5 8-5 4 0 7 3 7 7 0 6-5 11-15 20z"/>
</svg>"""


def _style() -> None:
    """The style sheet, and our own words where Streamlit's file input speaks English."""
    css = files("ui.views").joinpath("style.css").read_text("utf-8")
    words = "".join(
        f'{where} {part}::after {{ content: "{tr(key)}"; }}'
        for where, button, hint in (
            (".stApp", "page.upload.file", "page.upload.file_hint"),
            (f".stApp {PHOTO_UPLOADERS}", "page.upload.button", "page.upload.hint"),
        )
        for part, key in ((UPLOAD_BUTTON, button), (UPLOAD_HINT, hint))
    )
    words += f'{UPLOAD_FAILED}::after {{ content: "{tr("page.upload.failed")}"; }}'
    ground = THEME[f"theme.{st.context.theme.type or 'light'}.backgroundColor"]
    st.html(f"<style>{css}{words}.stApp {{ --barra: {ground}; }}</style>")


def _choose_language() -> None:
    st.session_state["language"] = st.session_state.get("language_choice") or language()


def _footer() -> None:
    with st.container(key="piede"):
        st.divider()
        connect = f" · [{tr('page.connect')}]({PHONES})" if role() is Role.HOST and get_settings().lan else ""
        st.markdown(f"{tr('footer.licence')} · [{tr('footer.source')}]({SOURCE_URL}){connect}")
        put("language_choice", language())
        st.segmented_control(
            tr("page.language"),
            LANGUAGES,
            format_func=lambda code: LANGUAGE_NAMES[code],
            key="language_choice",
            required=True,
            on_change=_choose_language,
        )


@st.fragment(run_every=FOLLOW_S)
def _follow(match_id: str) -> None:
    """Show what another phone did to the same match."""
    try:
        now = services().seq(match_id)
    except ServiceError:
        return
    if now != st.session_state["seq"]:
        st.rerun()


def _page() -> None:
    """The page that was asked for, inside what every page has."""
    shown = LOOKING if role() is Role.VIEWER else PAGES
    pages = [
        st.Page(f"views/{name}.py", title=tr(f"page.{name}.name"), default=at == 0) for at, name in enumerate(shown)
    ]
    page = st.navigation(pages, position="hidden")
    st.set_page_config(page_title=f"{page.title} · {tr('app.title')}", page_icon=ICON, layout="wide")
    _style()
    with st.container(horizontal=True, key="menu", gap="small"):
        for target, icon in zip(pages, shown.values(), strict=True):
            st.page_link(target, icon=icon)
    forget_parts()
    page.run()
    _footer()
    match_id = st.session_state.get("match_id")
    state = st.session_state
    what = f"{page.url_path} {match_id} {state.get('confirmed_number')} {state.get('photos_read')}"
    frame(language(), what, device(), tr("page.upload.button"), tr("page.upload.file"), tr("page.upload.drop"))
    if match_id is not None:
        _follow(match_id)


_page()
