"""Matches out of the program and back in."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from scoring.regolamento import DEFAULT_REGOLAMENTO
from scoring.store.cleaning import attached
from scoring.store.database import MatchExists
from scoring.store.events import Event
from ui import demo
from ui.checks import refuse
from ui.errors import NotFound
from ui.exchange.from_totals import match_of_totals
from ui.exchange.match_file import check_events, dump_match, parse_match
from ui.exchange.smazzata_file import smazzata_data
from ui.exchange.tables import ledgers_csv, read_totals, totals_csv
from ui.i18n import t
from ui.presenting import match_summary, match_view, seen_by
from ui.settings import Settings, program_version
from ui.stores import Stores, kept, regolamento_named
from ui.viewmodels import MatchSummary, MatchView, Message, NewMatch


class Archive(Stores):
    """Taking matches out, and in again; every method raises NotFound where there is no such match."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._lines: dict[str, tuple[int, bool, MatchSummary]] = {}

    def matches(self, deleted: bool = False) -> tuple[MatchSummary, ...]:
        """The user's matches, the newest first, without those deleted or only those; never the demo.

        A match that has not gone on since it was listed last is not read again.
        """
        with kept():
            seqs = self._db.last_seqs()
        before = self._lines
        lines = {
            match_id: known if (known := before.get(match_id)) and known[0] == seq else self._line(match_id)
            for match_id, seq in seqs.items()
        }
        self._lines = lines
        return tuple(summary for _, gone, summary in lines.values() if gone is deleted)

    def _line(self, match_id: str) -> tuple[int, bool, MatchSummary]:
        state = self._state(self._events(match_id))
        return state.seq, state.deleted, match_summary(state)

    def is_deleted(self, match_id: str) -> bool:
        """Whether a match was taken out of the list."""
        return self._state(self._events(match_id)).deleted

    def export_json(self, match_id: str, photos: bool = False) -> str:
        """A match as a file that can be imported elsewhere, with its photos where asked for."""
        events = self._events(match_id)
        found: dict[str, tuple[bytes, bytes]] = {}
        if photos:
            db = self._database(match_id)
            for sha256 in attached(events):
                try:
                    with kept():
                        found[sha256] = db.photo(sha256), db.preview(sha256)
                except LookupError:
                    continue
        return dump_match(events, self._view(events), program_version(), found)

    def export_smazzata(self, match_id: str, number: int) -> str:
        """A confirmed smazzata as the JSON that `burraco score` reads."""
        state = self._state(self._events(match_id))
        smazzata = next((s for s in state.confirmed if s.number == number), None)
        if smazzata is None or smazzata.confirmed is None:
            raise NotFound(Message("not_found.smazzata", {"number": number}))
        seated = replace(smazzata, seating=smazzata.confirmed.seating)
        return json.dumps(smazzata_data(state, seated), ensure_ascii=False, indent=1)

    def export_csv(self, match_id: str, lang: str, ledgers: bool = False) -> str:
        """The totals of a match, or every line of its ledgers, as CSV."""
        view = self._view(self._events(match_id))
        return ledgers_csv(view, lang) if ledgers else totals_csv(view, lang)

    def export_pdf(self, match_id: str, lang: str) -> bytes:
        """The score sheet to print and sign, with every ledger and the photos as proof."""
        from ui.exchange.sheet import Proof, sheet_pdf

        events = self._events(match_id)
        view, state = self._view(events), self._state(events)
        title = regolamento_named(state.regolamento).title
        proofs = [
            Proof(smazzata.number, name, photo.sha256, self._preview(match_id, photo.sha256))
            for smazzata in view.confirmed
            for name, side in zip(smazzata.names, smazzata.sides, strict=False)
            for photo in side.all_photos
        ]
        return sheet_pdf(view, title, events[-1].at, proofs, lang)

    def export_png(self, match_id: str, lang: str) -> bytes:
        """A picture of the totals to share."""
        from ui.exchange.picture import picture_png

        return picture_png(self._view(self._events(match_id)), lang)

    def import_match(self, text: str | bytes, copy: bool = False) -> MatchView:
        """Put a match of `export_json` in; the same one again changes nothing.

        With `copy` (and always for a demo) it becomes a match of its own. Raises ServiceError for a file that is none,
        Refused where another match has its id.
        """
        events, photos = parse_match(text)
        if copy or events[0].match_id.startswith(demo.DEMO_PREFIX):
            events = _copied(events)
        return self._added(events, photos)

    def import_totals(self, text: str, new: NewMatch, lang: str) -> MatchView:
        """Make a match out of a CSV of totals: the names stand in its first row.

        Names given in `new` win; without a target, that of the regolamento counts. Raises ServiceError, Refused.
        """
        totals = read_totals(text)
        regolamento = regolamento_named(new.regolamento or DEFAULT_REGOLAMENTO)
        new = replace(
            new,
            names=new.names or totals.names,
            regolamento=regolamento.name,
            target=new.target or regolamento.match.default_target,
        )
        if len(new.names) != len(totals.names):
            raise refuse("refused.names_count", count=len(new.names), wanted=len(totals.names))
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        events = match_of_totals(totals, new, _new_match_id(), now, t("import.note", lang), program_version())
        check_events(events)
        return self._added(events, {})

    def _added(self, events: Sequence[Event], photos: dict[str, tuple[bytes, bytes]]) -> MatchView:
        try:
            with kept():
                for data, preview in photos.values():
                    self._db.add_photo(data, preview)
                self._db.add_match(events)
        except MatchExists as error:
            raise refuse("refused.import_exists") from error
        return self._view(self._events(events[0].match_id))

    def _view(self, events: tuple[Event, ...], device: str = "") -> MatchView:
        """A match as `device` sees it; what all devices see alike is made once."""
        match_id, folded = events[0].match_id, self._folded(events)
        view = folded.view
        if view is None:
            view = match_view(events, folded.state, device=device, demo=match_id.startswith(demo.DEMO_PREFIX))
            self._recent.put(match_id, replace(folded, view=view))
        return seen_by(view, events, device)

    def _preview(self, match_id: str, sha256: str) -> bytes | None:
        try:
            with kept():
                return self._database(match_id).preview(sha256)
        except LookupError:
            return None


def _new_match_id() -> str:
    return uuid.uuid4().hex[:12]


def _copied(events: Sequence[Event]) -> tuple[Event, ...]:
    """The same events as a match of their own: a command belongs to one match only."""
    match_id = _new_match_id()
    return tuple(replace(event, match_id=match_id, command_id=f"{match_id}-{event.seq}") for event in events)
