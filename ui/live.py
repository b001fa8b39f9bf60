"""Dal vivo: a camera over the table of one match, what it shows, and the moment taken out as a photo."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from scoring.match import Turni
from scoring.regolamento import Regolamento, dump_regolamento, load_regolamento
from scoring.store.state import AttachMode, MatchState
from ui.checks import check_side, refuse
from ui.errors import Refused, ServiceError
from ui.live_process import LiveProcess, LiveView
from ui.photos import Photos
from ui.readings import has_cards
from ui.scan_process import ScanAnswer
from ui.scanning import new_job
from ui.settings import Settings
from ui.viewmodels import Job, JobStatus, Message
from vision.camera_source import CameraError, parse_source
from vision.table import MeldSeen, TableReading

log = logging.getLogger("burraco.live")

Told = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class LiveShown:
    """What a page may show: `on` says that a camera runs, `hidden` that nothing is shown before the smazzata ends,
    `elsewhere` that the camera watches another match."""

    on: bool
    hidden: bool
    elsewhere: bool = False
    view: LiveView | None = None


class Live(Photos):
    """One camera a server, in a process of its own."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._camera: LiveProcess | None = None
        self._camera_match: str | None = None
        self._camera_lock = Lock()
        self._live_chosen: dict[str, bool] = {}

    def close(self) -> None:
        """Let the camera go, then the rest."""
        self.live_stop()
        super().close()

    def live_start(
        self,
        source: str,
        *,
        match_id: str | None = None,
        regolamento: Regolamento | None = None,
        told: Told = lambda line: None,
    ) -> None:
        """Watch a source by the rules of a match, or by a preset until one is opened; another one is let go.

        `told` gets each change that may be seen. Raises ServiceError where the source can be none, NotFound.
        """
        try:
            parsed = parse_source(source)
        except CameraError as error:
            raise ServiceError(Message(f"live.camera_{error.trouble.value}")) from error
        if match_id is None:
            rules = dump_regolamento(regolamento or load_regolamento())
        else:
            rules = self._state(self._events(match_id)).regolamento_text
        self.live_stop()
        with self._camera_lock:
            self._camera = LiveProcess(
                self._settings.live_reader, self._settings.models_dir, source, str(parsed), rules, self._if_seen(told)
            )
            self._camera_match = match_id

    def live_stop(self) -> None:
        """Let the camera go."""
        with self._camera_lock:
            camera, self._camera = self._camera, None
        if camera is not None:
            camera.close()

    def live_begin(self, match_id: str) -> None:
        """Forget what the camera has seen of this match: another smazzata begins. Raises NotFound."""
        rules = self._state(self._events(match_id)).regolamento_text
        with self._camera_lock:
            camera = self._camera if self._camera_match == match_id else None
        if camera is not None:
            camera.begin(rules)

    def _if_seen(self, told: Told) -> Told:
        """Tell a change only where the match lets it be seen now."""

        def tell(line: Mapping[str, Any]) -> None:
            match_id = self._camera_match
            try:
                if match_id is None or not self._live_hidden(self._state(self._events(match_id))):
                    told(line)
            except ServiceError:
                log.exception("whether a change may be told is not known")

        return tell

    def live_view(self, match_id: str) -> LiveShown:
        """What the camera shows, as far as this match lets it be seen now; raises NotFound."""
        hidden = self._live_hidden(self._state(self._events(match_id)))
        camera = self._camera_of(match_id)
        if camera is None or hidden:
            on = self._camera is not None
            return LiveShown(on, hidden, elsewhere=on and camera is None)
        return LiveShown(True, False, view=camera.view)

    def _camera_of(self, match_id: str) -> LiveProcess | None:
        """The camera if it watches this match, or none yet: what is hidden in one match is seen through no other."""
        with self._camera_lock:
            first = self._camera is not None and self._camera_match is None
            if first:
                self._camera_match = match_id
            camera = self._camera if self._camera_match == match_id else None
        if first:
            self.live_begin(match_id)
        return camera

    def live_show(self, match_id: str, shown: bool) -> None:
        """Say whether *Dal vivo* may be seen before the smazzata ends; forgotten when the server ends."""
        self._events(match_id)
        self._live_chosen[match_id] = shown

    def _live_hidden(self, state: MatchState) -> bool:
        """Whether nothing may be seen yet: so matches for VP begin, and others where somebody said so."""
        shown = self._live_chosen.get(state.id, not isinstance(state.goal, Turni))
        return not shown and state.current.closed is None

    def live_freeze(self, match_id: str, sides: Mapping[int, str], *, device: str) -> tuple[Job, ...]:
        """Lay the melds that are seen now on sides of the open smazzata, as a photo of each would.

        `sides`: for each side which melds are its own: `near` and `far` are the lower and the upper half of the
        picture, `all` is all of it. What lay on these sides is replaced. Raises Refused, NotFound.
        """
        state = self._state(self._events(match_id))
        for side in sides:
            check_side(state, side)
        if self._live_hidden(state):
            raise refuse("live.hidden")
        camera = self._camera_of(match_id)
        frozen = camera.freeze() if camera is not None else None
        if frozen is None:
            raise Refused(Message("live.nothing"))
        reading = TableReading.from_json(frozen.reading_json)
        jobs = []
        for side, part in sides.items():
            own = part_of(reading, part).to_json()
            if not has_cards(own):
                continue
            job = replace(
                new_job(match_id, side, hashlib.sha256(frozen.photo).hexdigest()),
                status=JobStatus.DONE,
                reading_json=own,
            )
            answer = ScanAnswer(True, own, _preview(frozen.photo), reading.size_wh)
            jobs.append(self._attach(job, frozen.photo, answer, AttachMode.REPLACE, device, state.current.number))
        if not jobs:
            raise Refused(Message("live.nothing"))
        return tuple(jobs)


def part_of(reading: TableReading, part: str) -> TableReading:
    """The melds of one half of the picture, `near` (lower) or `far` (upper); `all` of them otherwise."""
    if part == "all":
        return reading
    middle = reading.size_wh[1] / 2
    own = [at for at, meld in enumerate(reading.melds) if (_height(meld) > middle) == (part == "near")]
    place = {at: number for number, at in enumerate(own)}
    doubts = tuple(replace(d, meld=place[d.meld]) for d in reading.doubts if d.meld is not None and d.meld in place)
    return replace(reading, melds=tuple(reading.melds[at] for at in own), doubts=doubts)


def _height(meld: MeldSeen) -> float:
    return sum(y for card in meld.cards for _, y in card.quad) / (4 * len(meld.cards))


def _preview(photo: bytes) -> bytes:
    from ui.scan_worker import preview_jpeg
    from vision.photo import load_photo

    return preview_jpeg(load_photo(photo))
