"""Partita dal vivo: what a viewer sees, and nothing that could be touched."""

from __future__ import annotations

from html import escape

import streamlit as st

from scoring.store.state import GroupRole
from ui.settings import get_settings
from ui.viewmodels import MatchSummary, MatchView
from ui.views.faces import meld_title, spoken
from ui.views.ledger import account_of_entries, show_accounts
from ui.views.session import (
    choose_match,
    goal_text,
    language,
    names,
    open_match,
    outcome_text,
    points,
    services,
    side_names,
    totals_text,
    tr,
)

LOOK_EVERY_S = 2.0
PHOTO_PX = 1000


def _matches() -> list[MatchSummary]:
    return sorted(services().matches(), key=lambda match: match.updated_at, reverse=True)


@st.fragment(run_every=LOOK_EVERY_S)
def _wait_for_a_match() -> None:
    st.info(tr("page.guarda.nothing"))
    if _matches():
        st.rerun()


def _choose(matches: list[MatchSummary], shown: str) -> None:
    """Which match to look at, where several are played."""
    titles = {match.id: totals_text(names(match), match.totals) for match in matches}
    if len(titles) < 2 or shown not in titles:
        return
    key = f"guarda_{shown}"
    st.selectbox(
        tr("page.guarda.match"),
        list(titles),
        index=list(titles).index(shown),
        format_func=lambda match_id: titles[match_id],
        key=key,
        on_change=lambda: choose_match(st.session_state[key]),
    )


def _standing(match: MatchView) -> None:
    st.header(" – ".join(names(match)), anchor=False)
    with st.container(horizontal=True):
        for name, total in zip(names(match), match.totals, strict=True):
            st.metric(name, points(total))
    st.markdown(goal_text(match))
    if match.finished:
        st.success(outcome_text(match), icon=":material/emoji_events:")


def _open_smazzata(match: MatchView) -> None:
    st.subheader(tr("page.guarda.now", number=match.table.number), anchor=False)
    for side, name in enumerate(side_names(match)):
        view = match.table.sides[side]
        with st.container(border=True, key=f"guarda_lato_{side}"):
            st.markdown(f"**{tr('page.guarda.total', name=name, points=points(view.score.total))}**")
            laid = [meld for meld in view.melds if meld.role is GroupRole.LAID]
            if not laid:
                st.markdown(tr("page.guarda.empty"))
            rows = "".join(
                f"<li>{escape(meld_title(meld.meld, language()))}: "
                + " ".join(
                    f'<span role="img" aria-label="{escape(spoken(card.card, language()))}">{card.card}</span>'
                    for card in meld.cards
                )
                + "</li>"
                for meld in laid
            )
            st.html(f"<ol>{rows}</ol>")
            for photo in view.photos:
                text = escape(tr("page.side.title", name=match.table.names[side]), quote=True)
                st.html(
                    f'<img src="/api/photos/{photo.sha256}.jpg?side={PHOTO_PX}" alt="{text}" style="max-width:100%">'
                )


def _last(match: MatchView) -> None:
    for smazzata in reversed(match.confirmed):
        made = smazzata.confirmation
        st.subheader(tr("page.guarda.last", number=smazzata.number), anchor=False)
        show_accounts(
            account_of_entries(name, made.ledgers[side], made.base[side], made.carte[side])
            for side, name in enumerate(smazzata.names)
        )


def show_page() -> None:
    """The page."""
    matches = _matches()
    if not matches and not get_settings().demo:
        _wait_for_a_match()
        return
    match = open_match()
    _choose(matches, match.id)
    _standing(match)
    if not match.finished:
        _open_smazzata(match)
    _last(match)


show_page()
