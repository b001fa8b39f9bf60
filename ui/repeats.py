"""Photos sent twice: a phone whose upload broke off sends the same bytes again, and that must change nothing twice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from scoring.store.events import Event, EventKind
from scoring.store.state import MatchState, SideDraft
from ui.errors import Refused
from ui.viewmodels import Job, JobStatus, Message


def lies_there(state: MatchState, job: Job) -> bool:
    """Tell whether the job's photo is one of those of its side in the open smazzata."""
    sides = state.current.sides
    return job.side is not None and job.side < len(sides) and _has(sides[job.side], job.sha256)


def known_job(job: Job, events: Sequence[Event], state: MatchState) -> Job | None:
    """The job done before by which this photo lies on its side; None where it does not lie there.

    Raises Refused where the photo belongs to a smazzata that is confirmed.
    """
    for smazzata in state.confirmed:
        if any(_has(side, job.sha256) for side in smazzata.sides):
            raise Refused(Message("photo.of_before", {"number": smazzata.number}))
    if not lies_there(state, job):
        return None
    for event in reversed(events):
        payload = event.payload
        if event.kind is EventKind.PHOTO_ATTACHED and (payload["photo"], payload["side"]) == (job.sha256, job.side):
            photo = next(p for p in state.current.sides[payload["side"]].photos if p.sha256 == job.sha256)
            job_id = event.command_id.removeprefix("scan-")
            reading = json.dumps(payload["reading"], ensure_ascii=False)
            return replace(job, id=job_id, status=JobStatus.DONE, photo=photo, reading_json=reading)
    return None


def _has(side: SideDraft, sha256: str) -> bool:
    return any(photo.sha256 == sha256 for photo in side.photos)
