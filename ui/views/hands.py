"""The cards left in hand: one question a side, with zero as one tap; player by player where that is easier."""

from __future__ import annotations

from functools import partial
from html import escape

import streamlit as st

from scoring.sides import Held
from ui import commands as c
from ui.i18n import say_names
from ui.viewmodels import MatchView
from ui.views.asked import Question
from ui.views.held import SUM, held_input, way_of
from ui.views.session import do, language, people, points, side_people, tr

PHOTO_PX = 800


def hands_question(match: MatchView, side: int) -> Question:
    """The question what a side still holds."""
    view = match.table.sides[side]
    hands, by_player = view.draft.hands, _by_player(match, side)
    if by_player:
        busy = bool(view.draft.hands_of) or st.session_state.get(f"each_{side}", False)
    else:
        busy = way_of(together(hands), f"hands_{side}") != SUM
    held = sum(hand.value(match.rules) for hand in (*(hands or ()), *view.shown_hands))
    answer = None if view.hands_open else f"{_label(match, side)}: {points(held)}"
    return Question(f"hands_{side}", partial(_ask, match, side), answer, busy)


def _label(match: MatchView, side: int) -> str:
    """Whose cards they are: the one player who may still hold some, the partner of who closed, else the side."""
    holders, named = match.table.sides[side].holders, people(match, side)
    closed = match.table.closed is not None and match.table.closed.is_side(side)
    if named and len(holders) == 1 < len(named):
        return tr("page.ask.hands", name=named[holders[0]])
    return tr("page.ask.hands_partner" if closed else "page.ask.hands", name=side_people(match, side))


def _by_player(match: MatchView, side: int) -> bool:
    """Whether each player is asked: several by name may hold cards, and somebody wanted it so."""
    several = len(match.table.sides[side].holders) > 1 and bool(people(match, side))
    return several and bool(match.table.sides[side].draft.hands_of or st.session_state.get(f"each_{side}"))


def _ask(match: MatchView, side: int) -> None:
    view = match.table.sides[side]
    if view.shown_hands:
        cards = " ".join(str(card) for held in view.shown_hands for card in held.cards)
        st.markdown(tr("page.ask.shown_hands", cards=cards))
    for photo in view.draft.held_photos:
        alt = escape(tr("page.ask.fan_alt", name=say_names(match.table.names, language())[side]), quote=True)
        st.html(f'<img src="/api/photos/{photo.sha256}.jpg?side={PHOTO_PX}" alt="{alt}" style="max-width:100%">')
    if _by_player(match, side):
        _ask_each(match, side)
        return
    held_input(match, _label(match, side), together(view.draft.hands), f"hands_{side}", partial(_both, side), zero=True)
    if len(view.holders) > 1 and people(match, side):
        st.button(tr("page.ask.each"), key=f"each_key_{side}", on_click=partial(_turn, f"each_{side}", True))


def _ask_each(match: MatchView, side: int) -> None:
    draft, named = match.table.sides[side].draft, people(match, side)
    known = dict(zip(draft.hands_of, draft.hands or (), strict=False))
    for player in match.table.sides[side].holders:
        label = tr("page.ask.hands", name=named[player])
        command = partial(_one, side, known, player)
        held_input(match, label, known.get(player), f"hand_{side}_{player}", command, zero=True)
    st.button(tr("page.ask.together"), key=f"each_key_{side}", on_click=partial(_together_again, side, draft.hands))


def _turn(key: str, value: bool) -> None:
    st.session_state[key] = value


def _together_again(side: int, hands: tuple[Held, ...] | None) -> None:
    st.session_state[f"each_{side}"] = False
    held = together(hands)
    if held is not None:
        do(_both(side, held))


def _both(side: int, held: Held) -> c.AnswerHands:
    return c.AnswerHands(side, (held,))


def _one(side: int, known: dict[int, Held], player: int, held: Held) -> c.AnswerHands:
    hands = dict(sorted({**known, player: held}.items()))
    return c.AnswerHands(side, tuple(hands.values()), tuple(hands))


def together(hands: tuple[Held, ...] | None) -> Held | None:
    """The hands of a side as one answer: cards where all are cards, else one sum is shown for what is known."""
    if not hands:
        return None
    if len(hands) == 1:
        return hands[0]
    if all(held.points is None for held in hands):
        return Held(tuple(card for held in hands for card in held.cards))
    return Held(points=sum(held.points or 0 for held in hands))
