"""The pure fold: a match's events in order → its state. No clock, no database, nothing remembered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce

from scoring.cards import Card
from scoring.formato import formato_from, load_formato
from scoring.match import ToTarget
from scoring.sections import Rounding
from scoring.sides import End, Pozzetto
from scoring.store import edits
from scoring.store.events import (
    Event,
    EventKind,
    Payload,
    adjustments_from_json,
    card_from_json,
    counts_from_json,
    doubt_from_json,
    goal_from_json,
    held_from_json,
    ledger_from_json,
    photo_from_json,
    touched,
    unread_from_json,
)
from scoring.store.state import (
    AttachMode,
    Closed,
    Confirmation,
    DraftMeld,
    GroupRole,
    MatchState,
    SideDraft,
    SmazzataState,
    Sums,
)

_FROM_THE_START = frozenset({EventKind.UNDONE, EventKind.REDONE})
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
    return opened(gather(events))


def gather(events: Sequence[Event], before: MatchState | None = None) -> MatchState:
    """What the events say, before `opened`; of those that `before` was gathered from, none is applied again.

    Where something later takes an event back, or brings it again, all are applied from the start.
    """
    if not events or events[0].kind is not EventKind.MATCH_CREATED:
        raise ValueError("a match begins with the event that creates it")
    later = events[before.seq :] if before else ()
    if before is None or before.seq > events[-1].seq or any(event.kind in _FROM_THE_START for event in later):
        before, later = _created(events[0]), active_events(events)[1:]
    state = reduce(_apply, later, before)
    return replace(state, seq=events[-1].seq, updated_at=events[-1].at)


def opened(state: MatchState) -> MatchState:
    """A gathered state with a smazzata that is open, and as many sides in it as sit at the table."""
    if all(s.confirmed for s in state.smazzate):
        state = replace(state, smazzate=(*state.smazzate, SmazzataState(len(state.smazzate) + 1)))
    return _seated(state)


def _seated(state: MatchState) -> MatchState:
    """Give the open smazzata as many sides as sit at the table now."""
    current, formato = state.current, state.formato
    fixed = formato.fixed_seating(state.totals)
    count = len(fixed) if fixed else len(formato.sides)
    current = replace(current.padded(count), seating=fixed or current.seating)
    current = replace(current, sides=current.sides[:count])
    return replace(state, smazzate=tuple(current if s.number == current.number else s for s in state.smazzate))


def _created(event: Event) -> MatchState:
    p = event.payload
    formato = formato_from(p["formato"]) if "formato" in p else load_formato()
    return MatchState(
        id=event.match_id,
        seq=event.seq,
        names=tuple(map(str, p["names"])),
        players=tuple(map(tuple, p.get("players") or ((),) * formato.parties)),
        regolamento=str(p["regolamento"]),
        regolamento_text=str(p.get("regolamento_text", "")),
        formato=formato,
        goal=goal_from_json(p["goal"]) if "goal" in p else ToTarget(int(p["target"])),
        rounding=Rounding(p["rounding"]) if p.get("rounding") else None,
        created_at=event.at,
        updated_at=event.at,
        smazzate=(SmazzataState(1),),
        both_confirm=bool(p.get("both_confirm", False)),
    )


def _apply(state: MatchState, event: Event) -> MatchState:
    if event.kind is EventKind.RENAMED:
        return replace(state, names=tuple(map(str, event.payload["names"])))
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
        end = End(p["end"]) if p.get("end") else None
        return replace(smazzata, closed=Closed(p["closed"]), closer=p.get("player"), end=end)
    if event.kind is EventKind.DISCARD_ANSWERED:
        last = Card.parse(p["last_discard"]) if p["last_discard"] else None
        return replace(smazzata, last_discard=last, laid_last=bool(p["laid_last"]))
    if event.kind is EventKind.SEATING_ANSWERED:
        return replace(smazzata, seating=tuple(tuple(map(int, side)) for side in p["seating"]))
    if event.kind is EventKind.DEALER_ANSWERED:
        return replace(smazzata, dealer=int(p["dealer"]))
    place = int(p["side"])
    if event.kind is EventKind.SIDE_AGREED:
        others = tuple(entry for entry in smazzata.agreed if entry[0] != place)
        return replace(smazzata, agreed=(*others, (place, str(p["account"]))))
    return smazzata.with_side(place, SIDE_EDITS[event.kind](smazzata.padded(place + 1).sides[place], p))


def _confirmation(event: Event) -> Confirmation:
    p = event.payload
    ledgers = tuple(ledger_from_json(rows) for rows in p["ledgers"])
    seating = p.get("seating") or [[party] for party in range(len(ledgers))]
    totals = [sum(entry.points for entry in ledger) for ledger in ledgers]
    return Confirmation(
        seq=event.seq,
        at=event.at,
        device=event.device,
        ledgers=ledgers,
        base=tuple(map(int, p["base"])),
        carte=tuple(map(int, p["carte"])),
        despite=tuple(p.get("despite", ())),
        program=str(p.get("program", "")),
        seating=tuple(map(tuple, seating)),
        points=tuple(p.get("points", totals)),
    )


def _attach(side: SideDraft, p: Payload) -> SideDraft:
    photo = photo_from_json(p)
    assert photo is not None
    melds = tuple(
        DraftMeld(
            str(m["id"]),
            tuple(card_from_json(c) for c in m["cards"]),
            m.get("twin_of"),
            unread=tuple(map(unread_from_json, m.get("unread", ()))),
        )
        for m in p["melds"]
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
            counts=None,
            nothing_laid=False,
        )
    return replace(
        side, photos=(photo,), melds=melds, loose=loose, doubts=doubts, sums=None, counts=None, nothing_laid=False
    )


def _held(side: SideDraft, p: Payload) -> SideDraft:
    """With the photo that what is held was read from; one is kept once."""
    photo = photo_from_json(p)
    if photo is None or photo in side.held_photos:
        return side
    return replace(side, held_photos=(*side.held_photos, photo))


SIDE_EDITS: dict[EventKind, SideEdit] = {
    EventKind.PHOTO_ATTACHED: _attach,
    EventKind.CARD_CHANGED: lambda s, p: edits.change_card(s, p["card_id"], Card.parse(p["to"])),
    EventKind.CARD_ADDED: lambda s, p: replace(
        edits.dismiss(edits.insert(s, card_from_json(p["card"]), p["meld_id"], p.get("at")), p.get("unread_id")),
        nothing_laid=False,
    ),
    EventKind.UNREAD_DISMISSED: lambda s, p: edits.dismiss(s, p["unread_id"]),
    EventKind.CARDS_ADDED: lambda s, p: replace(
        reduce(lambda side, card: edits.insert(side, card_from_json(card), p["meld_id"], None), p["cards"], s),
        nothing_laid=False,
    ),
    EventKind.CARD_REMOVED: lambda s, p: edits.remove_card(s, p["card_id"]),
    EventKind.CARD_MOVED: lambda s, p: edits.move_card(s, p["card_id"], p["meld_id"], p.get("at")),
    EventKind.MELD_REORDERED: lambda s, p: edits.reorder(s, p["meld_id"], p["card_ids"]),
    EventKind.MELD_SPLIT: lambda s, p: edits.split(s, p["meld_id"], int(p["at"]), p["new_id"]),
    EventKind.MELDS_JOINED: lambda s, p: edits.join(s, p["meld_id"], p["other_id"]),
    EventKind.MELD_ADDED: lambda s, p: edits.mark_pile(
        edits.add_meld(s, p["new_id"], p["card_ids"], [card_from_json(c) for c in p["cards"]]),
        p["new_id"],
        bool(p.get("pile")),
    ),
    EventKind.MELD_REMOVED: lambda s, p: edits.remove_meld(s, p["meld_id"]),
    EventKind.TWIN_KEPT: lambda s, p: edits.keep_twin(s, p["meld_id"]),
    EventKind.READING_KEPT: lambda s, p: edits.keep_reading(s, p["meld_id"], p["laid"]),
    EventKind.GROUP_ASSIGNED: lambda s, p: edits.assign(
        s, p["meld_id"], p["card_ids"], GroupRole(p["role"]), p.get("owner")
    ),
    EventKind.PILE_MARKED: lambda s, p: edits.mark_pile(s, p["meld_id"], bool(p["pile"])),
    EventKind.SUMS_ENTERED: lambda s, p: replace(
        edits.clear(s), sums=Sums(int(p["card_points"]), int(p["bonus_points"]))
    ),
    EventKind.COUNTS_ENTERED: lambda s, p: replace(edits.clear(s), counts=counts_from_json(p)),
    EventKind.NOTHING_LAID: lambda s, p: replace(edits.clear(s), nothing_laid=True),
    EventKind.SIDE_CLEARED: lambda s, p: edits.clear(s),
    EventKind.POZZETTO_ANSWERED: lambda s, p: replace(
        _held(s, p),
        pozzetto=Pozzetto(p["pozzetto"]),
        pozzetto_held=held_from_json(p["held"]) if p.get("held") else None,
        pozzetto_by=p.get("player"),
    ),
    EventKind.PENALISED_ANSWERED: lambda s, p: replace(
        _held(s, p), penalised=held_from_json(p["held"]) if p.get("held") else None
    ),
    EventKind.ADJUSTED: lambda s, p: replace(s, adjustments=adjustments_from_json(p["adjustments"])),
    EventKind.HANDS_ANSWERED: lambda s, p: replace(
        _held(s, p), hands=tuple(held_from_json(h) for h in p["hands"]), hands_of=tuple(p.get("players", ()))
    ),
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


def last_deletion(events: Sequence[Event]) -> Event | None:
    """The deletion of the match, where it is deleted."""
    return next((e for e in reversed(active_events(events)) if e.kind is EventKind.MATCH_DELETED), None)


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
