"""The open smazzata: scored as far as the answers go, with what is missing and what is wrong."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

from scoring.formato import Formato, Seating
from scoring.ledger import FaultCode, Punteggio
from scoring.regolamento import Regolamento, load_regolamento, parse_regolamento
from scoring.smazzata import Laid, Pozzetto, Side, SideMelds, SideSums, score_smazzata
from scoring.smazzata_faults import deck_faults
from scoring.store.edits import all_cards
from scoring.store.state import Closed, GroupRole, MatchState, SmazzataState
from ui.faults import fault_messages
from ui.groups import faces, hands_of, is_covered, meld_view, pozzetto_held, read_groups, shown_hands
from ui.viewmodels import Message, SideName, SideView, TableView


@lru_cache(maxsize=64)
def parsed_regolamento(text: str, name: str) -> Regolamento:
    """The regolamento of a text that a match kept; the preset of this name where the text is empty."""
    return parse_regolamento(text, name) if text else load_regolamento(name)


def regolamento_of(state: MatchState) -> Regolamento:
    """The rules the match is played by, as they were when it began."""
    return parsed_regolamento(state.regolamento_text, state.regolamento)


def seated_names(state: MatchState, seating: Seating) -> tuple[str, ...]:
    """Names of the sides at the table: the names of those who sit together."""
    return tuple(" + ".join(state.names[party] for party in side) for side in seating)


def side_names(state: MatchState) -> tuple[SideName, ...]:
    """Names of the sides of the open smazzata; while nobody has said who sits together, what each side will be."""
    if state.current.seating is not None:
        return seated_names(state, state.current.seating)
    pairs = [place for place, players in enumerate(state.formato.sides) if players > 1]
    names = [Message("name.alone")] * len(state.formato.sides)
    for number, place in enumerate(pairs, start=1):
        names[place] = Message("name.pair_number", {"number": number}) if len(pairs) > 1 else Message("name.pair")
    return tuple(names)


def draft_sides(state: MatchState) -> tuple[Side, ...]:
    """The sides of the open smazzata as scoring takes them."""
    return sides_of(state.current, state.formato, regolamento_of(state))


def sides_of(smazzata: SmazzataState, formato: Formato, regolamento: Regolamento) -> tuple[Side, ...]:
    """The sides of a smazzata, open or confirmed, as scoring takes them."""
    return tuple(_side(smazzata, formato, regolamento, place) for place in range(len(smazzata.sides)))


def score_draft(state: MatchState) -> Punteggio:
    """The score as far as the answers go; what nobody has answered yet counts nothing."""
    return score_of(state.current, state.formato, regolamento_of(state))


def score_of(smazzata: SmazzataState, formato: Formato, regolamento: Regolamento) -> Punteggio:
    """The score of a smazzata, open or confirmed."""
    return score_smazzata(sides_of(smazzata, formato, regolamento), regolamento, smazzata.end, formato)


def _side(smazzata: SmazzataState, formato: Formato, regolamento: Regolamento, place: int) -> Side:
    draft = smazzata.sides[place]
    laid: Laid = SideMelds(tuple(map(faces, smazzata.groups(place, GroupRole.LAID))))
    if draft.counts is not None:
        laid = draft.counts
    elif draft.sums is not None:
        laid = SideSums(draft.sums.card_points, draft.sums.bonus_points)
    closed = _closed(smazzata, place)
    players = formato.players_at(smazzata.seating, place)
    held = pozzetto_held(smazzata, regolamento, place)
    pozzetto = Pozzetto.PLAYED if _pozzetto_follows(smazzata, regolamento, place) else draft.pozzetto
    return Side(
        laid=laid,
        closed=closed,
        pozzetto=Pozzetto.NOT_PLAYED if smazzata.groups(place, GroupRole.POZZETTO) else pozzetto,
        pozzetto_held=held,
        hands=hands_of(smazzata, place, players),
        penalised=draft.penalised,
        adjustments=draft.adjustments,
        last_discard=smazzata.last_discard if closed else None,
        laid_last=smazzata.laid_last and closed,
        players=players,
    )


def table_view(state: MatchState) -> TableView:
    """The open smazzata of a match."""
    smazzata, regolamento = state.current, regolamento_of(state)
    punteggio = score_draft(state)
    names = side_names(state)
    formato = state.formato
    return TableView(
        number=smazzata.number,
        names=names,
        seating=smazzata.seating,
        sides=tuple(_side_view(state, punteggio, place) for place in range(len(smazzata.sides))),
        closed=smazzata.closed,
        closer=smazzata.closer,
        end=smazzata.end,
        last_discard=smazzata.last_discard,
        laid_last=smazzata.laid_last,
        asks_discard=smazzata.closed not in (None, Closed.NOBODY) and regolamento.closing.discard.matters,
        pozzetti=formato.pozzetti_of(smazzata.seating) if smazzata.seating else formato.pozzetti,
        missing=tuple(_missing(names, state)),
        faults=tuple(_faults(names, smazzata, punteggio, regolamento)),
        agreed=_agreed(state),
    )


def fingerprint(punteggio: Punteggio) -> str:
    """What a side agrees to: every line of every account, so that an agreement falls with any change of a point."""
    lines = [[(voce.reason.value, voce.points, voce.text) for voce in side.voci] for side in punteggio.sides]
    return sha256(repr(lines).encode()).hexdigest()[:16]


def _agreed(state: MatchState) -> tuple[int, ...]:
    if not state.current.agreed:
        return ()
    account = fingerprint(score_draft(state))
    return tuple(sorted(side for side, agreed_to in state.current.agreed if agreed_to == account))


def _side_view(state: MatchState, punteggio: Punteggio, place: int) -> SideView:
    draft, score = state.current.sides[place], punteggio.sides[place]
    rules = regolamento_of(state)
    read = read_groups(state.current, punteggio)
    melds = tuple(meld_view(group, place, read, rules) for group in draft.melds)
    return SideView(
        draft,
        draft.photos,
        melds,
        draft.loose,
        draft.doubts,
        score,
        pozzetto_follows=_pozzetto_follows(state.current, rules, place),
        hands_follow=_hands_follow(state, place),
        hands_open=_hands_open(state, place),
        entered=state.current.entered(place),
        shown_hands=shown_hands(state.current, place),
        holders=_holders(state, place),
    )


def _closed(smazzata: SmazzataState, place: int) -> bool:
    return smazzata.closed is not None and smazzata.closed.is_side(place)


def _pozzetto_follows(smazzata: SmazzataState, regolamento: Regolamento, place: int) -> bool:
    """Whether nobody need ask for a side's pozzetto: a photo shows it, or it closed, and that takes one played."""
    if smazzata.groups(place, GroupRole.POZZETTO):
        return True
    known = smazzata.sides[place].pozzetto
    return _closed(smazzata, place) and regolamento.closing.needs_pozzetto and known in (None, Pozzetto.PLAYED)


def _holders(state: MatchState, place: int) -> tuple[int, ...]:
    """Who of a side may still hold cards."""
    return state.current.holders(place, state.formato.players_at(state.current.seating, place))


def _hands_follow(state: MatchState, place: int) -> bool:
    """Whether nobody need ask what a side holds: nobody of it can, or who closed plays alone."""
    alone = state.formato.players_at(state.current.seating, place) == 1
    nobody = not _holders(state, place) or (alone and _closed(state.current, place))
    return nobody and not state.current.sides[place].hands


def _hands_open(state: MatchState, place: int) -> bool:
    """Whether it must still be said what a side holds: by one answer for all, or by one for each who may hold cards."""
    draft = state.current.sides[place]
    if draft.hands is None:
        return not _hands_follow(state, place) and not state.current.groups(place, GroupRole.HAND)
    return bool(draft.hands_of) and not set(_holders(state, place)) <= set(draft.hands_of)


def _missing(names: tuple[SideName, ...], state: MatchState) -> list[Message]:
    smazzata, rules = state.current, regolamento_of(state)
    found = []
    if smazzata.seating is None:
        found.append(Message("missing.seating"))
    for place, (name, draft) in enumerate(zip(names, smazzata.sides, strict=True)):
        if not smazzata.entered(place):
            found.append(Message("missing.side", {"name": name}))
        if any(meld.twin_of for meld in draft.melds):
            found.append(Message("missing.twin", {"name": name}))
    if smazzata.closed is None:
        found.append(Message("missing.closed"))
    for place, (name, draft) in enumerate(zip(names, smazzata.sides, strict=True)):
        if draft.pozzetto is None and not _pozzetto_follows(smazzata, rules, place):
            found.append(Message("missing.pozzetto", {"name": name}))
        if draft.pozzetto is Pozzetto.NOT_PLAYED and pozzetto_held(smazzata, rules, place) is None:
            found.append(Message("missing.pozzetto_held", {"name": name}))
        if _hands_open(state, place):
            found.append(Message("missing.hands", {"name": name}))
    return found


def _faults(
    names: tuple[SideName, ...], smazzata: SmazzataState, punteggio: Punteggio, regolamento: Regolamento
) -> list[Message]:
    loose = [card.card for draft in smazzata.sides for card in draft.loose]
    aside = [group for draft in smazzata.sides for group in draft.melds if group.role is GroupRole.IGNORED]
    ignored = {card.id for group in aside for card in group.cards}
    laid = [card.card for draft in smazzata.sides for card in all_cards(draft) if card.id not in ignored]
    known = [f for f in punteggio.faults if f.code is not FaultCode.POZZETTO_UNKNOWN]
    too_many = deck_faults(laid, regolamento) if loose else ()
    known += [fault for fault in too_many if not any(f.code is fault.code for f in known)]
    covered = [
        Message("fault.pile", {"name": name})
        for place, name in enumerate(names)
        if any(is_covered(group, regolamento) for group in smazzata.groups(place, GroupRole.LAID))
    ]
    return fault_messages(known, punteggio, names, regolamento) + covered + _open_doubts(names, smazzata)


def _open_doubts(names: tuple[SideName, ...], smazzata: SmazzataState) -> list[Message]:
    """Cards of a side that nobody has looked at yet although another name, or any at all, would change the score."""
    found = []
    for name, draft in zip(names, smazzata.sides, strict=True):
        unread = [unread for meld in draft.melds for unread in meld.unread]
        count = len({doubt.card_id for doubt in draft.doubts}) + len(unread)
        if count:
            stakes = [doubt.points_at_stake for doubt in draft.doubts] + [card.points_at_stake for card in unread]
            found.append(Message("fault.open_doubts", {"name": name, "count": count, "points": max(stakes)}))
    return found
