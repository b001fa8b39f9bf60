"""The card that is asked for: of all doubts the one that changes most points, answered with one tap."""

from __future__ import annotations

from functools import partial

import streamlit as st

from ui import commands as c
from ui.viewmodels import MatchView
from ui.views.faces import spoken
from ui.views.session import do, language, side_names, tr


def show_dearest_doubt(match: MatchView) -> None:
    """The one question about a card that matters most; the others stay marked on the cards."""
    asked = [(doubt, side) for side, view in enumerate(match.table.sides) for doubt in view.doubts]
    if not asked:
        return
    doubt, side = max(asked, key=lambda pair: pair[0].points_at_stake)
    melds = match.table.sides[side].melds
    places = {card.id: (number, card) for number, meld in enumerate(melds, 1) for card in meld.cards}
    number, card = places.get(doubt.card_id, (0, None))
    others = len({other.card_id for other, _ in asked}) - (card is not None)
    with st.container(key="dubbio"):
        if card is not None:
            now = spoken(card.card, language())
            name = side_names(match)[side]
            text = tr("page.ask.doubt", name=name, meld=number, card=now, points=doubt.points_at_stake)
            st.markdown(f"**{text}**")
            with st.container(horizontal=True):
                for face in dict.fromkeys((card.card, *doubt.alternatives)):
                    st.button(
                        f"{face} {spoken(face, language())}",
                        key=f"doubt_{card.id}_{face}",
                        on_click=partial(do, c.ChangeCard(card.id, face)),
                    )
        if others:
            st.markdown(tr("page.side.doubts.one" if others == 1 else "page.side.doubts.more", count=others))
