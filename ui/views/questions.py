"""What no photo shows: who closed, what became of each pozzetto, and the cards left in hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from scoring.cards import Card, CardError, parse_cards
from scoring.sides import End, Held, Pozzetto
from scoring.store.state import Closed
from ui import commands as c
from ui.components.table import EditKind, edit_of, table
from ui.viewmodels import MatchView
from ui.views.boxes import hand_box
from ui.views.referee import show_referee
from ui.views.session import do, language, place, points, put, revision, side_names, side_people, tr, warn

MOST_POINTS = 1000
NOBODY = Closed.NOBODY.value


def show_questions(match: MatchView) -> None:
    """All questions of the open smazzata, each answered in one place and changeable until it is confirmed.

    Who closed comes first: what must be asked of each side depends on it.
    """
    with st.container(border=True, key="domande"):
        place("domande")
        st.subheader(tr("page.ask.title"), anchor=False)
        _closed(match)
        if match.table.closed is not None:
            for side, view in enumerate(match.table.sides):
                with st.container(key=f"domande_{side}"):
                    if not view.pozzetto_follows:
                        _pozzetto(match, side)
                    if not view.hands_follow:
                        _hands(match, side)
        with st.expander(tr("page.ask.referee"), key="arbitro"):
            _end(match)
            show_referee(match, held_input)
        with st.container(horizontal=True):
            for key, able, command in (("undo", match.can_undo, c.Undo()), ("redo", match.can_redo, c.Redo())):
                st.button(
                    tr(f"table.{key}"),
                    key=f"{key}_answer",
                    icon=f":material/{key}:",
                    disabled=not able,
                    on_click=partial(do, command),
                )


def _choice(
    label: str, options: Mapping[str, str], value: str | None, key: str, command: Callable[[str], c.Command]
) -> None:
    """One question with a button for each answer; the match decides which is pressed, not the widget."""
    put(key, value)
    st.pills(
        label,
        list(options),
        format_func=lambda option: options[option],
        key=key,
        required=True,
        wrap=True,
        on_change=partial(_answered, key, command),
    )


def _answered(key: str, command: Callable[[str], c.Command]) -> None:
    answer = st.session_state.get(key)
    if answer is not None:
        do(command(answer))


def _closed(match: MatchView) -> None:
    """Who closed, or how it ended where nobody did: one question."""
    bonus = match.rules.closing.bonus
    options = {str(side): side_people(match, side) for side in range(len(match.table.sides))}
    options |= {NOBODY: tr("page.ask.nobody"), End.TIME.value: tr("page.ask.nobody_time")}
    closed, end = match.table.closed, match.table.end
    value = closed.value if closed else None
    if closed is Closed.NOBODY and end is End.TIME:
        value = End.TIME.value
    _choice(tr("page.ask.closed_points", points=bonus), options, value, "closed", _closed_by)


def _closed_by(answer: str) -> c.Command:
    if answer == End.TIME.value:
        return c.AnswerClosed(Closed.NOBODY, End.TIME)
    return c.AnswerClosed(Closed(answer), End.STOCK if answer == NOBODY else None)


def _end(match: MatchView) -> None:
    """Whether closing earned its bonus: it did unless somebody says otherwise, so it lies among the rare things."""
    closed = match.table.closed
    if closed is None or closed is Closed.NOBODY:
        return
    options = {end.value: tr(f"end.{end.value}") for end in End if end.closes}
    value = (match.table.end or End.CLOSED).value
    _choice(tr("page.ask.end"), options, value, "end", lambda answer: c.AnswerClosed(closed, End(answer)))
    if match.table.asks_discard:
        _discard(match, side_names(match)[int(closed.value)])


def _discard(match: MatchView, name: str) -> None:
    """The last card of who closed: laid, or which one was put down; it may stay unanswered."""
    last, laid = match.table.last_discard, match.table.laid_last
    st.markdown(f"**{tr('page.ask.discard', name=name)}**")
    st.button(
        tr("page.ask.laid_last"),
        key="laid_last",
        type="primary" if laid else "secondary",
        on_click=partial(do, c.AnswerDiscard(None, laid_last=not laid)),
    )
    cards = (last,) if last else ()
    box = hand_box(cards, tr("page.ask.discard_card"), "", language(), revision())
    table(box, key="discard", on_edit=partial(_discard_edited, "discard", cards))


def _discard_edited(key: str, cards: tuple[Card, ...]) -> None:
    _hand_edited(key, cards, lambda held: c.AnswerDiscard(held.cards[-1] if held.cards else None))


def _pozzetto(match: MatchView, side: int) -> None:
    draft = match.table.sides[side].draft
    options = {pozzetto.value: tr(f"pozzetto.{pozzetto.value}") for pozzetto in Pozzetto}
    penalty = match.rules.pozzetto.not_taken_penalty
    if penalty:
        options[Pozzetto.NOT_TAKEN.value] += f" ({points(-penalty)})"
    value = draft.pozzetto.value if draft.pozzetto else None
    label = tr("page.ask.pozzetto", name=side_names(match)[side])
    _choice(label, options, value, f"pozzetto_{side}", lambda answer: c.AnswerPozzetto(side, Pozzetto(answer)))
    if draft.pozzetto is Pozzetto.NOT_PLAYED:
        label = tr("page.ask.pozzetto_held", name=side_names(match)[side])
        held_input(label, draft.pozzetto_held, f"held_{side}", partial(_pozzetto_held, side), zero=False)


def _pozzetto_held(side: int, held: Held) -> c.Command:
    return c.AnswerPozzetto(side, Pozzetto.NOT_PLAYED, held)


def _hands(match: MatchView, side: int) -> None:
    hands = match.table.sides[side].draft.hands
    closed = match.table.closed is not None and match.table.closed.is_side(side)
    label = tr("page.ask.hands_partner" if closed else "page.ask.hands", name=side_people(match, side))
    held_input(label, _together(hands), f"hands_{side}", lambda held: c.AnswerHands(side, (held,)), zero=True)


def _together(hands: tuple[Held, ...] | None) -> Held | None:
    """The hands of both partners as one answer: cards where all are cards, else the first sum."""
    if not hands:
        return None
    if len(hands) == 1:
        return hands[0]
    if all(held.points is None for held in hands):
        return Held(tuple(card for held in hands for card in held.cards))
    return Held(points=sum(held.points or 0 for held in hands))


def held_input(label: str, held: Held | None, key: str, command: Callable[[Held], c.Command], *, zero: bool) -> None:
    """Cards somebody holds: one tap for none, a sum, or card by card."""
    st.markdown(f"**{label}**")
    by_cards = f"by_cards_{key}"
    shown = st.session_state.get(by_cards, bool(held and held.cards))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if zero:
            none = held is not None and not held.cards and not held.points
            st.button(
                tr("page.ask.none_held"),
                key=f"zero_{key}",
                type="primary" if none else "secondary",
                on_click=partial(_zero, command, by_cards),
            )
        st.button(
            tr("page.ask.by_sum" if shown else "page.ask.by_cards"),
            key=f"way_{key}",
            on_click=partial(_turn, by_cards, not shown),
        )
    if shown:
        _by_cards(held, key, command)
    else:
        _sum(held, key, command)


def _turn(key: str, value: bool) -> None:
    st.session_state[key] = value


def _zero(command: Callable[[Held], c.Command], by_cards: str) -> None:
    st.session_state[by_cards] = False
    do(command(Held(points=0)))


def _sum(held: Held | None, key: str, command: Callable[[Held], c.Command]) -> None:
    put(f"sum_{key}", held.points if held and not held.cards else None)
    st.number_input(
        tr("page.ask.sum"),
        min_value=0,
        max_value=MOST_POINTS,
        step=5,
        value=None,
        key=f"sum_{key}",
        on_change=partial(_summed, f"sum_{key}", command),
    )


def _summed(key: str, command: Callable[[Held], c.Command]) -> None:
    value = st.session_state.get(key)
    if value is not None:
        do(command(Held(points=int(value))))


def _by_cards(held: Held | None, key: str, command: Callable[[Held], c.Command]) -> None:
    cards = held.cards if held else ()
    box = hand_box(cards, tr("page.ask.by_cards"), tr("page.ask.cards", count=len(cards)), language(), revision())
    table(box, key=f"hand_{key}", on_edit=partial(_hand_edited, f"hand_{key}", cards, command))


def _hand_edited(key: str, cards: tuple[Card, ...], command: Callable[[Held], c.Command]) -> None:
    try:
        edit = edit_of(key)
        if edit is None:
            return
        changed = list(cards)
        if edit.kind is EditKind.ADD:
            changed.append(Card.parse(edit.face))
        elif edit.kind is EditKind.ADD_MANY:
            changed.extend(parse_cards(edit.faces))
        elif edit.kind is EditKind.REMOVE:
            del changed[int(edit.card)]
        elif edit.kind is EditKind.CHANGE:
            changed[int(edit.card)] = Card.parse(edit.face)
    except (CardError, ValueError, IndexError):
        warn(tr("page.side.edit_failed"))
    else:
        do(command(Held(cards=tuple(changed))), edit.command_id)
