"""Cards somebody holds: none with one tap, a sum, card by card, counted by value, or from a photo of the fan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from scoring.cards import Card, CardError, parse_cards
from scoring.sides import Held
from ui import commands as c
from ui.components.table import EditKind, edit_of, table
from ui.viewmodels import MatchView
from ui.views.boxes import hand_box
from ui.views.fan import read_fan, show_fan
from ui.views.session import do, edited, follow, language, put, revision, send, tr, warn

MOST_POINTS = 1000
MOST_CARDS = 50
FIELD_PX = 132
HANDS = "hands"  # what all components for held cards count their edits under
SUM, CARDS, VALUES, FAN = "sum", "cards", "values", "fan"

AboutHeld = c.AnswerHands | c.AnswerPozzetto | c.AnswerPenalised
ToCommand = Callable[[Held], AboutHeld]


def held_input(match: MatchView, label: str, held: Held | None, key: str, command: ToCommand, *, zero: bool) -> None:
    """One question about held cards; a sum is written at once, the other ways are a tap away."""
    if (read := read_fan(key)) is not None:
        cards, photo = read
        if cards:
            _turn_to(key, CARDS)
            send(replace(command(Held(cards=cards)), photo=photo))
        st.rerun()
    st.session_state[f"way_{key}"] = st.session_state.get(f"chosen_{key}")  # what a run that is cut short forgets
    st.markdown(f"**{label}**")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if zero:
            none = held is not None and not held.cards and not held.points
            st.button(
                tr("page.ask.none_held"),
                key=f"zero_{key}",
                type="primary" if none else "secondary",
                on_click=partial(_zero, command, key),
            )
        st.pills(
            tr("page.ask.way"),
            (SUM, CARDS, VALUES, FAN),
            format_func=lambda way: tr(f"page.ask.way_{way}"),
            key=f"way_{key}",
            on_change=partial(_chose, key),
            label_visibility="collapsed",
            wrap=True,
        )
    way = way_of(held, key)
    if way == CARDS:
        _by_cards(held, key, command)
    elif way == VALUES:
        _by_values(match, key, command)
    elif way == FAN:
        show_fan(match, key)
    else:
        _sum(held, key, command)


def _turn_to(key: str, way: str | None) -> None:
    """Have the next drawing enter these cards in another way."""
    st.session_state[f"chosen_{key}"] = way


def _chose(key: str) -> None:
    _turn_to(key, st.session_state[f"way_{key}"])


def way_of(held: Held | None, key: str) -> str:
    """How these cards are being entered: as somebody chose, else as they were."""
    chosen = st.session_state.get(f"chosen_{key}")
    return str(chosen) if chosen else CARDS if held and held.cards else SUM


def forget_ways() -> None:
    """Ask the next smazzata afresh: how the cards of the last one were entered says nothing about it."""
    for key in [key for key in st.session_state if str(key).startswith(("way_", "chosen_"))]:
        del st.session_state[key]


def _zero(command: ToCommand, key: str) -> None:
    _turn_to(key, None)
    do(command(Held(points=0)))


def _sum(held: Held | None, key: str, command: ToCommand) -> None:
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


def _summed(key: str, command: ToCommand) -> None:
    value = st.session_state.get(key)
    if value is not None:
        do(command(Held(points=int(value))))


def _by_values(match: MatchView, key: str, command: ToCommand) -> None:
    values = tuple(value for value in match.rules.values.distinct if value)
    with st.form(f"values_{key}", border=False):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            for value in values:
                label = tr("page.count.cards_of", points=value)
                name = f"value_{value}_{key}"
                st.number_input(label, min_value=0, max_value=MOST_CARDS, step=1, value=0, key=name, width=FIELD_PX)
        use = partial(_counted, values, key, command)
        st.form_submit_button(tr("page.side.sums_use"), type="primary", key=f"values_use_{key}", on_click=use)


def _counted(values: tuple[int, ...], key: str, command: ToCommand) -> None:
    points = sum(value * int(st.session_state[f"value_{value}_{key}"]) for value in values)
    _turn_to(key, None)
    do(command(Held(points=points)))


def _by_cards(held: Held | None, key: str, command: ToCommand) -> None:
    cards = held.cards if held else ()
    box = hand_box(cards, tr("page.ask.way_cards"), tr("page.ask.cards", count=len(cards)), language(), revision(HANDS))
    table(box, key=f"hand_{key}", on_edit=partial(hand_edited, f"hand_{key}", cards, command))


def hand_edited(key: str, cards: tuple[Card, ...], command: Callable[[Held], c.Command]) -> None:
    """Send the cards as the component under `key` changed them."""
    edited(HANDS)
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
        follow(False)
    else:
        do(command(Held(cards=tuple(changed))), edit.command_id)
