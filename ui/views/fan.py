"""A hand by the photo of its fan: all cards found become that hand, to be mended card by card."""

from __future__ import annotations

from functools import partial

import streamlit as st

from scoring.cards import Card
from scoring.store.state import PhotoRef
from ui.readings import cards_of
from ui.services import NotFound, ServiceError
from ui.viewmodels import WORKING, Job, MatchView
from ui.views.photo_input import POLL_S, progress_bar, uploader
from ui.views.session import device, follow, services, tell, tr, warn

JOBS = "fan_jobs"


def show_fan(match: MatchView, key: str) -> None:
    """Take the photo, or show how far it is."""
    job = _job(key)
    if job is None:
        uploader(f"hand_{key}", tr("page.ask.fan"), partial(_send, match.id, key))
    else:
        _waiting(job.id)


def read_fan(key: str) -> tuple[tuple[Card, ...], PhotoRef | None] | None:
    """The cards of a photo just read (none of a bad one, which is told) and the photo, once; None for no news."""
    job = _job(key)
    if job is None or job.status in WORKING:
        return None
    _jobs().pop(key, None)
    cards = cards_of(job.reading_json) if job.reading_json else ()
    if not cards:
        warn(tell(job.message) if job.message else tr("scan.no_cards"))
    return cards, job.photo


def _jobs() -> dict[str, str]:
    jobs: dict[str, str] = st.session_state.setdefault(JOBS, {})
    return jobs


def _job(key: str) -> Job | None:
    known = _jobs().get(key)
    if known is None:
        return None
    try:
        return services().job(known)
    except NotFound:
        _jobs().pop(key, None)
        return None


def _send(match_id: str, key: str, data: bytes) -> None:
    try:
        _jobs()[key] = services().read_hand(data, match_id=match_id, device=device()).id
    except ServiceError as error:
        warn(tell(error.message))
        follow(False)


@st.fragment(run_every=POLL_S)
def _waiting(job_id: str) -> None:
    """The waiting line; asks for a whole rerun once the photo is read."""
    try:
        job = services().job(job_id)
    except NotFound:
        st.rerun()
    if job.status not in WORKING:
        st.rerun()
    progress_bar(job)
