"""What is asked about a card: of all doubts the one that changes most points, answered with one tap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import streamlit as st

from scoring.cards import Card
from ui import commands as c
from ui.viewmodels import MatchView
from ui.views.faces import spoken
from ui.views.session import do, language, side_names, tr


@dataclass(frozen=True, slots=True)
class _Asked:
    """One question about the card (or what may be one) of this id, and what each button (key, label) does."""

    id: str
    text: str
    points: int
    answers: tuple[tuple[str, str, c.Command], ...]
    hint: str = ""


def show_dearest_doubt(match: MatchView) -> None:
    """The one question about a card that matters most; the others stay marked on the cards."""
    first = max(_asked(match), key=lambda question: question.points, default=None)
    doubtful = {doubt.card_id for side in match.table.sides for doubt in side.doubts}
    unread = [unread for side in match.table.sides for meld in side.melds for unread in meld.unread]
    others = len(doubtful) + len(unread) - (first is not None)
    if first is None and not others:
        return
    with st.container(key="dubbio"):
        if first is not None:
            st.markdown(f"**{first.text}**")
            with st.container(horizontal=True):
                for key, label, command in first.answers:
                    st.button(label, key=f"doubt_{first.id}_{key}", on_click=partial(do, command))
            if first.hint:
                st.markdown(first.hint)
        if others:
            st.markdown(tr("page.side.doubts.one" if others == 1 else "page.side.doubts.more", count=others))


def _asked(match: MatchView) -> Iterator[_Asked]:
    """The questions about cards of melds; what lies loose is only marked."""
    for name, side in zip(side_names(match), match.table.sides, strict=True):
        places = {card.id: (number, card) for number, meld in enumerate(side.melds, 1) for card in meld.cards}
        for doubt in side.doubts:
            if doubt.card_id not in places:
                continue
            number, card = places[doubt.card_id]
            points, now = doubt.points_at_stake, spoken(card.card, language())
            text = tr("page.ask.doubt", name=name, meld=number, card=now, points=points)
            named = dict.fromkeys((card.card, *doubt.alternatives))
            answers = tuple((str(face), _face(face), c.ChangeCard(card.id, face)) for face in named)
            yield _Asked(card.id, text, points, answers)
        for number, meld in enumerate(side.melds, 1):
            for unread in meld.unread:
                points = unread.points_at_stake
                text = tr("page.ask.unread", name=name, meld=number, points=points)
                likely = tuple((str(face), _face(face), c.NameUnread(unread.id, face)) for face in unread.alternatives)
                none = ("none", f"✕ {tr('table.not_a_card')}", c.DismissUnread(unread.id))
                yield _Asked(unread.id, text, points, (*likely, none), tr("page.ask.unread_other"))


def _face(card: Card) -> str:
    return f"{card} {spoken(card, language())}"
