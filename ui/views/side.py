"""One side of the open smazzata: its photo, its melds, and the ways to enter them without a photo."""

from __future__ import annotations

from functools import partial

import streamlit as st

from scoring.cards import CardError
from scoring.store.state import AttachMode
from ui import commands as c
from ui.components.table import edit_of, table
from ui.services import ServiceError
from ui.viewmodels import WORKING, MatchView
from ui.views.boxes import side_box
from ui.views.by_count import counts_text, show_counts
from ui.views.edits import command_of
from ui.views.photo_input import POLL_S, progress_bar, uploader
from ui.views.session import (
    device,
    do,
    edited,
    follow,
    language,
    place,
    points,
    revision,
    send,
    services,
    side_names,
    tell,
    tr,
    warn,
)


def shown_of_side(match: MatchView, side: int) -> object:
    """What `show_side` shows, for telling whether it must be drawn again."""
    table = match.table
    return table.sides[side], table.ready, match.can_undo, match.can_redo, revision(_table(side))


def _table(side: int) -> str:
    return f"table_{side}"


def show_side(match: MatchView, side: int) -> None:
    """Everything about what one side laid."""
    view = match.table.sides[side]
    name = side_names(match)[side]
    with st.container(border=True, key=f"lato_{side}"):
        place(f"lato-{side}")
        with st.container(horizontal=True, vertical_alignment="center", key=f"testa_{side}"):
            st.subheader(tr("page.side.title", name=name), anchor=False)
            if view.entered:
                label = tr("page.side.total" if match.table.ready else "page.side.provisional", name=name)
                st.metric(label, points(view.score.total), label_visibility="collapsed", width="content")
        if not _reading(match, side):
            _show_failures(side)
            if view.draft.sums or view.draft.counts or view.draft.nothing_laid:
                _entered_without_cards(match, side)
            elif view.draft.entered or st.session_state.get(f"by_hand_{side}"):
                _cards(match, side)
            else:
                _nothing_yet(match, side, name)


def _nothing_yet(match: MatchView, side: int, name: str) -> None:
    st.markdown(tr("page.side.elsewhere" if match.table.sides[side].entered else "page.side.photo_first"))
    _uploader(side, AttachMode.REPLACE, tr("page.side.photo", name=name))
    st.markdown(tr("page.side.or"))
    with st.container(horizontal=True):
        st.button(tr("page.side.by_hand"), key=f"start_by_hand_{side}", on_click=partial(_set, f"by_hand_{side}", True))
        st.button(tr("page.side.nothing_laid"), key=f"nothing_{side}", on_click=partial(do, c.NothingLaid(side)))
    show_counts(match, side)


def _set(key: str, value: object) -> None:
    st.session_state[key] = value


def _entered_without_cards(match: MatchView, side: int) -> None:
    draft = match.table.sides[side].draft
    if draft.counts is not None:
        st.markdown(counts_text(match, draft.counts))
    elif draft.sums is None:
        st.markdown(tr("page.side.laid_nothing"))
    else:
        st.markdown(tr("page.side.sums", cards=draft.sums.card_points, bonus=draft.sums.bonus_points))
    st.button(tr("page.side.change"), key=f"change_{side}", on_click=partial(_clear, side))


def _clear(side: int) -> None:
    cleared = send(c.ClearSide(side))
    if cleared:
        _set(f"by_hand_{side}", False)
    follow(cleared)


def _cards(match: MatchView, side: int) -> None:
    key = _table(side)
    table(side_box(match, side, language(), revision(key)), key=key, on_edit=partial(_edited, key, match, side))
    with st.expander(tr("page.side.other_photo"), key=f"more_{side}"):
        if match.table.sides[side].photos:
            _uploader(side, AttachMode.REPLACE, tr("page.side.replace_photo"))
            _uploader(side, AttachMode.ADD, tr("page.side.add_photo"))
        else:
            _uploader(side, AttachMode.REPLACE, tr("page.side.photo", name=side_names(match)[side]))
        st.button(tr("page.side.clear"), key=f"clear_{side}", on_click=partial(_clear, side))


def _edited(key: str, match: MatchView, side: int) -> None:
    edited(key)
    try:
        edit = edit_of(key)
        command = command_of(edit, side, match.table.sides[side]) if edit else None
    except ValueError as error:
        warn(tr("refused.no_card", text=error.text) if isinstance(error, CardError) else tr("page.side.edit_failed"))
        follow(False)
    else:
        if edit and command:
            do(command, edit.command_id)


def _uploader(side: int, mode: AttachMode, label: str) -> None:
    uploader(f"{mode.value}_{side}", label, partial(_send, side, mode))


def _send(side: int, mode: AttachMode, data: bytes) -> None:
    _failures(side).clear()
    try:
        job = services().read_photo(data, match_id=st.session_state["match_id"], side=side, mode=mode, device=device())
    except ServiceError as error:
        warn(tell(error.message))
        follow(False)
    else:
        st.session_state.setdefault("own_jobs", {})[job.id] = side


def _failures(side: int) -> dict[str, tuple[str, bool]]:
    """Sentences about photos that could not be read, or (True) only with trouble, kept until the next photo."""
    failures: dict[str, tuple[str, bool]] = st.session_state.setdefault(f"failures_{side}", {})
    return failures


def _show_failures(side: int) -> None:
    for text, was_read in _failures(side).values():
        if was_read:
            st.warning(text, icon=":material/photo_camera:")
        else:
            st.error(text, icon=":material/no_photography:")


def _reading(match: MatchView, side: int) -> bool:
    """Show how far the photo of this side is; True while one is being read."""
    own: dict[str, int] = st.session_state.setdefault("own_jobs", {})
    jobs = [job for job in services().jobs(match.id) if job.side == side]
    for job in jobs:
        if job.status not in WORKING and job.id in own:
            del own[job.id]
            st.session_state["photos_read"] = st.session_state.get("photos_read", 0) + 1
            if job.message is not None:
                _failures(side)[job.id] = tell(job.message), job.photo is not None
    if not any(job.status in WORKING for job in jobs):
        return False
    _progress(match.id, side)
    return True


@st.fragment(run_every=POLL_S)
def _progress(match_id: str, side: int) -> None:
    """The waiting line; asks for a whole rerun once the photo is read."""
    jobs = [job for job in services().jobs(match_id) if job.side == side and job.status in WORKING]
    if not jobs:
        st.rerun()
    progress_bar(jobs[-1])
