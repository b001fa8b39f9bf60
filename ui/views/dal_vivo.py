"""Dal vivo: a camera over the table, the laid melds as they are now, and the moment taken into the correction page."""

from __future__ import annotations

from functools import partial
from html import escape

import streamlit as st

from scoring.meld import read_meld
from ui.errors import ServiceError
from ui.live import LiveShown
from ui.live_process import LiveMeld, LiveView
from ui.roles import Role
from ui.viewmodels import MatchView
from ui.views.faces import meld_title, spoken
from ui.views.session import (
    device,
    language,
    open_match,
    points,
    put,
    role,
    services,
    show_notices,
    side_names,
    tell,
    tr,
    warn,
)
from vision.camera_source import cameras

LOOK_EVERY_S = 1.0
OTHER = "other"


def _stop() -> None:
    _try("live_stop")


def _try(what: str, *args: object, **named: object) -> bool:
    """Do something that may be refused; the reason becomes a notice."""
    st.session_state["notices"] = []
    try:
        getattr(services(), what)(*args, **named)
    except ServiceError as error:
        warn(tell(error.message))
        return False
    return True


def _begin(match: MatchView) -> None:
    _try("live_begin", match.id)


def _start(match: MatchView) -> None:
    chosen = st.session_state.get("live_camera", OTHER)
    source = st.session_state.get("live_source", "") if chosen == OTHER else chosen
    _try("live_start", str(source), match_id=match.id)


def _choose_camera(match: MatchView, shown: LiveShown) -> None:
    """Which camera; only whoever sits at the machine itself may say."""
    if role() is not Role.HOST:
        if not shown.on:
            st.info(tr("page.live.at_the_computer"))
        return
    if shown.on:
        st.button(tr("page.live.stop"), key="live_stop", on_click=_stop)
        return
    known = {str(number): f"{name} ({number})" for number, name in cameras()} or {"0": tr("page.live.first_camera")}
    st.selectbox(
        tr("page.live.camera"),
        [*known, OTHER],
        format_func=lambda key: known.get(key) or tr("page.live.other_source"),
        key="live_camera",
    )
    if st.session_state.get("live_camera") == OTHER:
        st.text_input(tr("page.live.source"), key="live_source", max_chars=500, placeholder="rtsp://192.168.1.20:554/")
        st.markdown(tr("page.live.source_hint"))
    st.button(
        tr("page.live.start"),
        key="live_start",
        type="primary",
        icon=":material/videocam:",
        on_click=partial(_start, match),
    )


def _may_be_seen(match: MatchView, shown: LiveShown) -> None:
    """The setting that keeps it from helping a player."""
    if role() < Role.REFEREE:
        return
    key = f"live_shown_{match.id}"
    put(key, not shown.hidden)
    if match.table.closed is None:
        st.checkbox(tr("page.live.before_the_end"), key=key, on_change=partial(_show, match, key))


def _show(match: MatchView, key: str) -> None:
    _try("live_show", match.id, bool(st.session_state[key]))


@st.fragment(run_every=LOOK_EVERY_S)
def _now(match: MatchView, was: tuple[bool, bool]) -> None:
    """What the camera sees at this moment; the whole page runs again where it was let go or hidden."""
    try:
        shown = services().live_view(match.id)
    except ServiceError as error:
        st.error(tell(error.message))
        return
    if (shown.on, shown.hidden) != was or shown.view is None:
        st.rerun()
    for message in shown.view.messages:
        st.warning(tell(message), icon=":material/videocam_off:")
    _melds(match, shown.view)


def _melds(match: MatchView, view: LiveView) -> None:
    st.metric(tr("page.live.total"), points(view.total))
    if not view.melds:
        st.markdown(tr("page.live.no_melds"))
        return
    st.html(f"<ol>{''.join(_meld_row(match, meld) for meld in view.melds)}</ol>")


def _meld_row(match: MatchView, meld: LiveMeld) -> str:
    lang = language()
    title = escape(meld_title(read_meld(meld.cards, match.rules), lang))
    cards = " ".join(
        f'<span role="img" aria-label="{escape(spoken(card, lang), quote=True)}">{card}</span>' for card in meld.cards
    )
    pile = f" · {escape(tr('page.live.squared'))}" if meld.squared else ""
    worth = escape(tr("table.points", points=meld.points))
    return f'<li value="{meld.number}">{title}: {cards}, <b>{worth}</b>{pile}</li>'


def _freeze(match: MatchView) -> None:
    """Take the moment into the correction page."""
    sides = side_names(match)
    alone = len(sides)
    options = [*range(len(sides)), *range(alone, 2 * len(sides))] if len(sides) == 2 else list(range(alone, 2 * alone))

    def words(option: int) -> str:
        key = "page.live.near" if option < alone else "page.live.all_of"
        return tr(key, name=sides[option % alone])

    st.radio(tr("page.live.whose"), options, format_func=words, key="live_whose")
    st.button(
        tr("page.live.freeze"),
        key="live_freeze",
        type="primary",
        icon=":material/ac_unit:",
        on_click=partial(_frozen, match, alone),
    )


def _frozen(match: MatchView, alone: int) -> None:
    option = int(st.session_state["live_whose"])
    halves = {option: "near", 1 - option: "far"} if option < alone else {option - alone: "all"}
    st.session_state["live_frozen"] = _try("live_freeze", match.id, halves, device=device())


def show_page() -> None:
    """The page."""
    match = open_match()
    if st.session_state.pop("live_frozen", False):
        st.switch_page("views/tavolo.py")
    st.header(tr("page.live.title"), anchor=False)
    show_notices()
    st.markdown(tr("page.live.intro"))
    shown = services().live_view(match.id)
    if shown.elsewhere:
        st.info(tr("page.live.elsewhere"), icon=":material/visibility_off:")
    elif shown.hidden:
        st.info(tr("page.live.hidden"), icon=":material/visibility_off:")
    _may_be_seen(match, shown)
    _choose_camera(match, shown)
    if shown.view is None:
        return
    source = escape(f"/api/live/stream?match_id={match.id}", quote=True)
    st.html(f'<img src="{source}" alt="{escape(tr("page.live.picture"), quote=True)}" style="width:100%">')
    _now(match, (shown.on, shown.hidden))
    _freeze(match)
    st.button(
        tr("page.live.begin"),
        key="live_begin",
        icon=":material/restart_alt:",
        help=tr("page.live.begin_help"),
        on_click=partial(_begin, match),
    )


show_page()
