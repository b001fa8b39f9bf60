"""How a page takes a photo and shows that it is being read."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from ui.viewmodels import Job, JobStatus
from ui.views.session import tr

PHOTO_TYPES = ["image/*", "heic", "heif"]
POLL_S = 0.5


def uploader(name: str, label: str, send: Callable[[bytes], None]) -> None:
    """A file input that opens the phone's own camera; empty again after each photo."""
    times = st.session_state.setdefault(f"uploads_{name}", 0)
    key = f"photo_{name}_{times}"
    with st.container(key=f"uploader_{name}"):
        st.file_uploader(label, type=PHOTO_TYPES, key=key, on_change=partial(_uploaded, key, name, send))


def _uploaded(key: str, name: str, send: Callable[[bytes], None]) -> None:
    file = st.session_state.get(key)
    if file is None:
        return
    st.session_state[f"uploads_{name}"] += 1
    st.session_state["notices"] = []
    send(file.getvalue())


def progress_bar(job: Job) -> None:
    """How far a photo is, with what it waits for."""
    if job.status is JobStatus.QUEUED:
        text = tr("page.side.queued", ahead=job.ahead) if job.ahead else tr("scan.waiting")
        st.progress(10, text=text)
    else:
        st.progress(min(95, 30 + int(job.seconds * 20)), text=tr("page.side.reading"))
