"""Partita: totals, every smazzata's ledger, a new match, and the matches played before."""

from __future__ import annotations

from functools import partial

import streamlit as st

from ui import commands as c
from ui.reasons import pair_shares, recount_message
from ui.roles import may
from ui.seats import seats_signed
from ui.services import ServiceError
from ui.viewmodels import ConfirmedView, MatchSummary, MatchView
from ui.views.chart import show_chart
from ui.views.exchange import show_exchange
from ui.views.ledger import account_of_entries, show_accounts
from ui.views.new_match import party_labels, show_new_match
from ui.views.room import found, show_dealer, show_lead, show_waiting
from ui.views.session import (
    choose_match,
    day,
    do,
    goal_text,
    language,
    names,
    only_match,
    open_match,
    outcome_text,
    plain,
    points,
    role,
    send,
    services,
    show_notices,
    tell,
    totals_text,
    tr,
    warn,
)
from ui.words import said_title

TAVOLO = "views/tavolo.py"
SIDE_PX = 150


def _standing(match: MatchView) -> None:
    st.header(" – ".join(names(match)), anchor=False)
    if match.demo:
        st.info(tr("page.match.demo"), icon=":material/school:")
    title = next((info.title for info in services().regolamenti() if info.name == match.regolamento), match.regolamento)
    st.markdown(
        tr("page.match.rules", title=title, formato=said_title(match.formato, language()), goal=goal_text(match))
    )
    with st.container(horizontal=True):
        for name, total in zip(names(match), match.totals, strict=True):
            with st.container(width=SIDE_PX):
                st.metric(name, points(total))
                if match.target:
                    done = min(100, max(0, round(100 * total / match.target)))
                    left = max(0, match.target - total)
                    st.progress(done, text=tr("page.match.left", points=points(left)))
    for number, turno in enumerate(match.turni, start=1):
        vp = " – ".join(map(str, turno.vp)) if turno.vp else tr("page.match.turno_open")
        st.markdown(tr("page.match.turno", number=number, mp=totals_text(names(match), turno.mp), vp=vp))
    show_lead(match)
    show_waiting(match)
    if match.finished:
        st.success(outcome_text(match), icon=":material/emoji_events:")
    show_dealer(match)
    with st.popover(tr("page.match.rename"), icon=":material/edit:"):
        _rename(match)
    st.page_link(TAVOLO, label=tr("page.match.to_table"), icon=":material/photo_camera:")


def _rename(match: MatchView) -> None:
    with st.form(f"rename_{match.id}", border=False):
        keys = [f"rename_{match.id}_{party}" for party in range(len(match.names))]
        for label, key, name in zip(party_labels(match.formato), keys, match.names, strict=True):
            st.text_input(label, value=name, max_chars=40, key=key)
        st.form_submit_button(tr("page.match.rename_save"), type="primary", on_click=_renamed, args=keys)


def _renamed(*keys: str) -> None:
    do(c.Rename(tuple(st.session_state[key].strip() for key in keys)))


def _ledgers(match: MatchView) -> None:
    st.subheader(tr("page.match.smazzate"), anchor=False)
    if not match.confirmed:
        st.markdown(tr("page.match.no_smazzate"))
        return
    show_chart(match)
    for smazzata in reversed(match.confirmed):
        _smazzata(match, smazzata)
    if match.can_undo_confirmation:
        st.button(
            tr("page.match.undo"),
            key="undo_confirmation",
            icon=":material/undo:",
            on_click=partial(do, c.UndoConfirmation()),
        )


def _smazzata(match: MatchView, smazzata: ConfirmedView) -> None:
    made = smazzata.confirmation
    sides = tuple(map(plain, smazzata.names))
    text = totals_text(sides, made.totals)
    label = tr("page.match.smazzata", number=smazzata.number, totals=text)
    last = smazzata.number == len(match.confirmed)
    shares = pair_shares(made.totals, seats_signed(match, smazzata), match.rules, language())
    with st.expander(label, expanded=last, key=f"smazzata_{match.id}_{smazzata.number}"):
        show_accounts(
            account_of_entries(name, made.ledgers[side], made.base[side], made.carte[side], shares[side])
            for side, name in enumerate(smazzata.names)
        )
        if match.formato.halves:
            st.markdown(tr("page.match.shared", points=totals_text(names(match), made.points)))
        after = totals_text(names(match), smazzata.running)
        st.markdown(tr("page.match.after", totals=after, when=day(made.at)))
        if made.despite:
            st.warning(tr("page.match.despite"), icon=":material/warning:")
        if smazzata.recount:
            st.warning(tell(recount_message(smazzata.recount, sides)), icon=":material/rule:")


def _history(current: MatchView) -> None:
    st.subheader(tr("page.history.title"), anchor=False)
    played = sorted(services().matches(), key=lambda match: match.updated_at, reverse=True)
    if not played:
        st.markdown(tr("page.history.empty"))
    for match in found(played):
        _match_row(match, current)
    _deleted()
    if not current.demo:
        st.button(tr("page.history.demo"), key="open_demo", on_click=_open_demo, icon=":material/school:")


def _deleted() -> None:
    """Matches that were taken out of the list, each one tap from being back."""
    gone = services().matches(deleted=True) if may(role(), c.UndoDeletion) else ()
    if not gone:
        return
    with st.expander(tr("page.history.deleted", count=len(gone)), key="eliminate"):
        for match in gone:
            with st.container(horizontal=True, key=f"eliminata_{match.id}"):
                st.markdown(totals_text(names(match), match.totals))
                st.button(
                    tr("page.history.restore"),
                    key=f"restore_{match.id}",
                    icon=":material/undo:",
                    on_click=partial(_restore, match.id),
                )


def _match_row(match: MatchSummary, current: MatchView) -> None:
    with st.container(border=True, key=f"riga_{match.id}"):
        st.markdown(totals_text((f"**{name}**" for name in names(match)), match.totals))
        state = tr("page.history.finished" if match.finished else "page.history.open")
        st.markdown(tr("page.history.row", when=day(match.updated_at), count=match.smazzate, state=state))
        with st.container(horizontal=True):
            st.button(
                tr("page.history.shown" if match.id == current.id else "page.history.reopen"),
                key=f"open_{match.id}",
                disabled=match.id == current.id,
                on_click=partial(choose_match, match.id),
            )
            if not may(role(), c.DeleteMatch):
                return
            with st.popover(tr("page.history.delete")):
                st.markdown(tr("page.history.delete_sure"))
                st.button(tr("page.history.delete_yes"), key=f"delete_{match.id}", on_click=partial(_delete, match.id))


def _open_demo() -> None:
    choose_match(services().demo_match())


def _delete(match_id: str) -> None:
    shown = st.session_state.get("match_id")
    if _send_to(match_id, c.DeleteMatch()) and shown == match_id:
        st.session_state["match_id"] = None
        st.query_params.clear()


def _restore(match_id: str) -> None:
    _send_to(match_id, c.UndoDeletion())


def _send_to(match_id: str, command: c.Command) -> bool:
    """Send a command for a match that need not be the one on screen."""
    shown = st.session_state.get("match_id"), st.session_state.get("seq")
    st.session_state["match_id"] = match_id
    try:
        st.session_state["seq"] = services().match(match_id).seq
    except ServiceError as error:
        warn(tell(error.message))
        return False
    sent = send(command)
    if shown[0] != match_id:
        st.session_state["match_id"], st.session_state["seq"] = shown
    return sent


def show_page() -> None:
    """The page."""
    match = open_match()
    show_notices()
    _standing(match)
    _ledgers(match)
    show_exchange(match)
    if only_match():
        st.markdown(tr("door.needs_match"))
    else:
        show_new_match()
    _history(match)


show_page()
