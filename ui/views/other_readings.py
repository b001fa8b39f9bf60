"""Melds that can be read in another way: each reading with its points, taken with one tap, never chosen silently."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import streamlit as st

from scoring.cards import Card, parse_cards
from scoring.meld import Meld
from scoring.store.state import DraftCard, GroupRole
from ui import commands as c
from ui.melds import questions, reading_reason
from ui.viewmodels import MatchView, MeldView
from ui.views.session import do, language, plain, side_names, tr


def show_other_readings(match: MatchView) -> None:
    """What a person should decide about each meld: as it lies it counts so, in another order otherwise."""
    for meld in (meld for view in match.table.sides for meld in view.melds):
        asked = list(_asked(match, meld))
        if asked:
            with st.container(key=f"letture_{meld.id}"):
                st.markdown(f"**{_as_it_lies(match, meld)}**")
                for text, order in asked:
                    st.markdown(plain(text))
                    if order:
                        st.button(
                            tr("page.ask.read_so", cards=" ".join(str(card.card) for card in order)),
                            key=f"lettura_{meld.id}_{'_'.join(card.id for card in order)}",
                            on_click=partial(do, c.ReorderMeld(meld.id, tuple(card.id for card in order))),
                        )
                if meld.meld.legal:
                    st.button(
                        tr("page.ask.as_it_is", points=meld.meld.points),
                        key=f"come_sta_{meld.id}",
                        on_click=partial(do, c.KeepReading(meld.id)),
                    )


def _asked(match: MatchView, meld: MeldView) -> Iterator[tuple[str, Sequence[DraftCard]]]:
    """Each question of a meld; with the cards in the order of the reading it is about, where they lie otherwise."""
    if meld.role is not GroupRole.LAID or meld.settled:
        return
    for question in questions(meld.meld, match.rules, language()):
        order = in_order(meld.cards, parse_cards(question["cards"]))
        yield question["text"], order if order != meld.cards else ()


def _as_it_lies(match: MatchView, meld: MeldView) -> str:
    read: Meld = meld.meld
    said = reading_reason(read.reading, match.rules, language()) if read.reading else tr("page.meld.unclear")
    name = side_names(match)[meld.owner]
    return tr("page.ask.as_it_lies", name=name, meld=meld.number, points=read.points, why=plain(said))


def in_order(cards: Sequence[DraftCard], faces: Sequence[Card]) -> tuple[DraftCard, ...]:
    """The cards of a meld in the order of these faces; of equal cards the one that lies first comes first."""
    left = list(cards)
    ordered = []
    for face in faces:
        card = next(card for card in left if card.card == face)
        left.remove(card)
        ordered.append(card)
    return tuple(ordered)
