"""The pure fold: a match's events in order → its state. No clock, no database, nothing remembered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from scoring.cards import Card
from scoring.smazzata import Pozzetto
from scoring.store import edits
from scoring.store.events import (
    Event,
    EventKind,
    Payload,
    card_from_json,
    doubt_from_json,
    held_from_json,
    ledger_from_json,
    touched,
)
from scoring.store.state import (
    AttachMode,
    Closed,
    Confirmation,
    DraftMeld,
    MatchState,
    PhotoRef,
    SideDraft,
    SmazzataState,
    Sums,
)

SideEdit = Callable[[SideDraft, Payload], SideDraft]


def active_events(events: Sequence[Event]) -> tuple[Event, ...]:
    """Events that count: neither undone nor undoing."""
    undone: set[int] = set()
    for event in events:
        if event.kind is EventKind.UNDONE:
            undone.add(int(event.payload["target"]))
        elif event.kind is EventKind.REDONE:
            undone.discard(int(event.payload["target"]))
    return tuple(e for e in events if e.seq not in undone and e.kind not in (EventKind.UNDONE, EventKind.REDONE))


def fold(events: Sequence[Event]) -> MatchState:
    """Turn all events of one match, in order of `seq`, into its state.

    Raises ValueError where the first event does not create the match.
    """
    if not events or events[0].kind is not EventKind.MATCH_CREATED:
        raise ValueError("a match begins with the event that creates it")
    state = _created(events[0])
    for event in active_events(events)[1:]:
        state = _apply(state, event)
    state = replace(state, seq=events[-1].seq, updated_at=events[-1].at)
    if all(s.confirmed for s in state.smazzate):
        state = replace(state, smazzate=(*state.smazzate, SmazzataState(len(state.smazzate) + 1)))
    return state


def _created(event: Event) -> MatchState:
    p = event.payload
    players = p.get("players") or ((), ())
    return MatchState(
        id=event.match_id,
        seq=event.seq,
        names=(str(p["names"][0]), str(p["names"][1])),
        players=(tuple(players[0]), tuple(players[1])),
        regolamento=str(p["regolamento"]),
        regolamento_text=str(p.get("regolamento_text", "")),
        target=int(p["target"]),
        created_at=event.at,
        updated_at=event.at,
        smazzate=(SmazzataState(1),),
    )


def _apply(state: MatchState, event: Event) -> MatchState:
    if event.kind is EventKind.RENAMED:
        a, b = event.payload["names"]
        return replace(state, names=(str(a), str(b)))
    if event.kind is EventKind.MATCH_DELETED:
        return replace(state, deleted=True)
    number = event.smazzata
    smazzate = list(state.smazzate)
    while len(smazzate) < number:
        smazzate.append(SmazzataState(len(smazzate) + 1))
    smazzate[number - 1] = _apply_smazzata(smazzate[number - 1], event)
    return replace(state, smazzate=tuple(smazzate))


def _apply_smazzata(smazzata: SmazzataState, event: Event) -> SmazzataState:
    p = event.payload
    if event.kind is EventKind.SMAZZATA_CONFIRMED:
        return replace(smazzata, confirmed=_confirmation(event))
    if event.kind is EventKind.CLOSED_ANSWERED:
        return replace(smazzata, closed=Closed(p["closed"]))
    place = int(p["side"])
    side = SIDE_EDITS[event.kind](smazzata.sides[place], p)
    a, b = smazzata.sides
    return replace(smazzata, sides=(side, b) if place == 0 else (a, side))


def _confirmation(event: Event) -> Confirmation:
    p = event.payload
    a, b = (ledger_from_json(rows) for rows in p["ledgers"])
    return Confirmation(
        seq=event.seq,
        at=event.at,
        device=event.device,
        ledgers=(a, b),
        base=(int(p["base"][0]), int(p["base"][1])),
        carte=(int(p["carte"][0]), int(p["carte"][1])),
        despite=tuple(p.get("despite", ())),
        program=str(p.get("program", "")),
    )


def _attach(side: SideDraft, p: Payload) -> SideDraft:
    photo = PhotoRef(str(p["photo"]), (int(p["size_wh"][0]), int(p["size_wh"][1])))
    melds = tuple(
        DraftMeld(str(m["id"]), tuple(card_from_json(c) for c in m["cards"]), m.get("twin_of")) for m in p["melds"]
    )
    loose = tuple(card_from_json(c) for c in p["loose"])
    doubts = tuple(doubt_from_json(d) for d in p.get("doubts", ()))
    if p["mode"] == AttachMode.ADD:
        return replace(
            side,
            photos=(*side.photos, photo),
            melds=side.melds + melds,
            loose=side.loose + loose,
            doubts=side.doubts + doubts,
            sums=None,
            nothing_laid=False,
        )
    return replace(side, photos=(photo,), melds=melds, loose=loose, doubts=doubts, sums=None, nothing_laid=False)


def _clear(side: SideDraft) -> SideDraft:
    return SideDraft(pozzetto=side.pozzetto, pozzetto_held=side.pozzetto_held, hands=side.hands)


SIDE_EDITS: dict[EventKind, SideEdit] = {
    EventKind.PHOTO_ATTACHED: _attach,
    EventKind.CARD_CHANGED: lambda s, p: edits.change_card(s, p["card_id"], Card.parse(p["to"])),
    EventKind.CARD_ADDED: lambda s, p: replace(
        edits.insert(s, card_from_json(p["card"]), p["meld_id"], p.get("at")), nothing_laid=False
    ),
    EventKind.CARD_REMOVED: lambda s, p: edits.remove_card(s, p["card_id"]),
    EventKind.CARD_MOVED: lambda s, p: edits.move_card(s, p["card_id"], p["meld_id"], p.get("at")),
    EventKind.MELD_REORDERED: lambda s, p: edits.reorder(s, p["meld_id"], p["card_ids"]),
    EventKind.MELD_SPLIT: lambda s, p: edits.split(s, p["meld_id"], int(p["at"]), p["new_id"]),
    EventKind.MELDS_JOINED: lambda s, p: edits.join(s, p["meld_id"], p["other_id"]),
    EventKind.MELD_ADDED: lambda s, p: edits.add_meld(
        s, p["new_id"], p["card_ids"], [card_from_json(c) for c in p["cards"]]
    ),
    EventKind.MELD_REMOVED: lambda s, p: edits.remove_meld(s, p["meld_id"]),
    EventKind.TWIN_KEPT: lambda s, p: edits.keep_twin(s, p["meld_id"]),
    EventKind.SUMS_ENTERED: lambda s, p: replace(_clear(s), sums=Sums(int(p["card_points"]), int(p["bonus_points"]))),
    EventKind.NOTHING_LAID: lambda s, p: replace(_clear(s), nothing_laid=True),
    EventKind.SIDE_CLEARED: lambda s, p: _clear(s),
    EventKind.POZZETTO_ANSWERED: lambda s, p: replace(
        s, pozzetto=Pozzetto(p["pozzetto"]), pozzetto_held=held_from_json(p["held"]) if p.get("held") else None
    ),
    EventKind.HANDS_ANSWERED: lambda s, p: replace(s, hands=tuple(held_from_json(h) for h in p["hands"])),
}


def undo_target(events: Sequence[Event], device: str) -> Event | None:
    """The edit of the open smazzata that this device would take back next."""
    done, _ = _stacks(events, device)
    return done[-1] if done else None


def redo_target(events: Sequence[Event], device: str) -> Event | None:
    """What this device would do again next: its undone edit, or a confirmation that was opened last."""
    opened = _opened_confirmation(events)
    if opened is not None:
        return opened
    _, undone = _stacks(events, device)
    return undone[-1] if undone else None


def last_confirmation(events: Sequence[Event]) -> Event | None:
    """The confirmation that can be taken back: that of the latest smazzata."""
    confirmed = [e for e in active_events(events) if e.kind is EventKind.SMAZZATA_CONFIRMED]
    return max(confirmed, key=lambda e: e.smazzata) if confirmed else None


def in_the_way(events: Sequence[Event], target: Event) -> Event | None:
    """A later edit by another device of something that `target` touches; undoing `target` would disturb it."""
    keys = touched(target)
    for event in active_events(events):
        later_other = event.seq > target.seq and event.device != target.device and event.smazzata == target.smazzata
        if later_other and event.is_edit and touched(event) & keys:
            return event
    return None


def _stacks(events: Sequence[Event], device: str) -> tuple[list[Event], list[Event]]:
    """This device's edits of the open smazzata: those done and those taken back, latest last."""
    number = _open_number(events)
    by_seq = {e.seq: e for e in events}
    done: list[Event] = []
    undone: list[Event] = []
    for event in events:
        if event.device != device:
            continue
        if event.is_edit and event.smazzata == number:
            done.append(event)
            undone.clear()
            continue
        target = by_seq.get(int(event.payload["target"])) if "target" in event.payload else None
        if target in done and event.kind is EventKind.UNDONE:
            done.remove(target)
            undone.append(target)
        elif target in undone and event.kind is EventKind.REDONE:
            undone.remove(target)
            done.append(target)
    return done, undone


def _open_number(events: Sequence[Event]) -> int:
    """Number of the smazzata being entered, without folding anything."""
    confirmed = {e.smazzata for e in active_events(events) if e.kind is EventKind.SMAZZATA_CONFIRMED}
    return next(number for number in range(1, len(confirmed) + 2) if number not in confirmed)


def _opened_confirmation(events: Sequence[Event]) -> Event | None:
    """The confirmation whose undoing is the last thing that happened to its smazzata."""
    by_seq = {e.seq: e for e in events}
    last = events[-1] if events else None
    if last is None or last.kind is not EventKind.UNDONE:
        return None
    target = by_seq[int(last.payload["target"])]
    return target if target.kind is EventKind.SMAZZATA_CONFIRMED else None
