"""What no photo shows: who closed, what became of each pozzetto, and the cards left in hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import streamlit as st

from scoring.cards import Card
from scoring.sides import End, Held, Pozzetto
from scoring.store.state import Closed
from ui import commands as c
from ui.components.table import table
from ui.viewmodels import MatchView, SideView
from ui.views.asked import Question, choice
from ui.views.boxes import hand_box
from ui.views.doubts import show_dearest_doubt
from ui.views.hands import hands_question
from ui.views.held import HANDS, SUM, hand_edited, held_input, way_of
from ui.views.other_readings import show_other_readings
from ui.views.referee import show_referee
from ui.views.session import do, language, people, place, points, revision, side_names, side_people, tr

NOBODY = Closed.NOBODY.value


def show_questions(match: MatchView) -> None:
    """All questions of the open smazzata: the open ones first, each answered one folded to a line and changeable."""
    with st.container(border=True, key="domande"):
        place("domande")
        st.subheader(tr("page.ask.title"), anchor=False)
        show_dearest_doubt(match)
        show_other_readings(match)
        asked = list(_questions(match))
        for question in asked:
            if question.answer is None:
                with st.container(key=f"aperta_{question.key}"):
                    question.ask()
        for question in asked:
            if question.answer is not None:
                with st.expander(f"✓ {question.answer}", key=f"risposta_{question.key}", expanded=question.busy):
                    question.ask()
        with st.expander(tr("page.ask.referee"), key="arbitro"):
            _end(match)
            show_referee(match, held_input)
        if not (match.can_undo or match.can_redo):
            return
        with st.container(horizontal=True):
            for key, able, command in (("undo", match.can_undo, c.Undo()), ("redo", match.can_redo, c.Redo())):
                st.button(
                    tr(f"table.{key}"),
                    key=f"{key}_answer",
                    icon=f":material/{key}:",
                    disabled=not able,
                    on_click=partial(do, command),
                )


def shown_of_questions(match: MatchView) -> object:
    """What `show_questions` shows, for telling whether it must be drawn again."""
    table = match.table
    told = table.closed, table.closer, table.end, table.last_discard, table.laid_last
    return told, match.can_undo, match.can_redo, revision(HANDS), tuple(map(_told_of, table.sides))


def _told_of(view: SideView) -> object:
    """What was told of a side, what follows from it, and the melds about which something is asked."""
    told = replace(view.draft, photos=(), melds=(), loose=())
    follows = view.pozzetto_follows, view.hands_follow, view.hands_open, view.shown_hands, view.holders
    asked = bool(view.doubts) or any(meld.unread or (meld.meld.questions and not meld.settled) for meld in view.melds)
    return told, follows, view.melds if asked else ()


def _questions(match: MatchView) -> Iterator[Question]:
    """Who closed comes first: what must be asked of each side depends on it."""
    yield Question("closed", partial(_closed, match), _closed_answer(match))
    if match.table.closed is None:
        return
    for side, view in enumerate(match.table.sides):
        if not view.pozzetto_follows:
            held = view.draft.pozzetto_held
            busy = held is not None and way_of(held, f"held_{side}") != SUM
            yield Question(f"pozzetto_{side}", partial(_pozzetto, match, side), _pozzetto_answer(match, side), busy)
        if not view.hands_follow:
            yield hands_question(match, side)


def _closers(match: MatchView) -> dict[str, str]:
    """Every possible answer: the players by name where they have one, else the sides; or nobody."""
    options: dict[str, str] = {}
    for side in range(len(match.table.sides)):
        named = people(match, side)
        options |= {f"{side}.{player}": name for player, name in enumerate(named)} or {
            str(side): side_people(match, side)
        }
    return options | {NOBODY: tr("page.ask.nobody"), End.TIME.value: tr("page.ask.nobody_time")}


def _closed_value(match: MatchView) -> str | None:
    closed, closer = match.table.closed, match.table.closer
    if closed is None:
        return None
    if closed is Closed.NOBODY:
        return End.TIME.value if match.table.end is End.TIME else NOBODY
    return closed.value if closer is None else f"{closed.value}.{closer}"


def _closed(match: MatchView) -> None:
    """Who closed, or how it ended where nobody did: one question."""
    label = tr("page.ask.closed_points", points=match.rules.closing.bonus)
    options, value = _closers(match), _closed_value(match)
    choice(label, options, value if value in options else None, "closed", _closed_by)


def _closed_answer(match: MatchView) -> str | None:
    value = _closed_value(match)
    if value is None or match.table.closed is None:
        return None
    options = _closers(match)
    name = options[value] if value in options else side_names(match)[int(match.table.closed.value)]
    return tr("page.ask.closed_by", name=name) if value not in (NOBODY, End.TIME.value) else name


def _closed_by(answer: str) -> c.Command:
    if answer == End.TIME.value:
        return c.AnswerClosed(Closed.NOBODY, End.TIME)
    if answer == NOBODY:
        return c.AnswerClosed(Closed.NOBODY, End.STOCK)
    side, _, player = answer.partition(".")
    return c.AnswerClosed(Closed(side), player=int(player) if player else None)


def _end(match: MatchView) -> None:
    """Whether closing earned its bonus: it did unless somebody says otherwise, so it lies among the rare things."""
    closed = match.table.closed
    if closed is None or closed is Closed.NOBODY:
        return
    options = {end.value: tr(f"end.{end.value}") for end in End if end.closes}
    value, player = (match.table.end or End.CLOSED).value, match.table.closer
    choice(tr("page.ask.end"), options, value, "end", lambda answer: c.AnswerClosed(closed, End(answer), player))
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
    box = hand_box(cards, tr("page.ask.discard_card"), "", language(), revision(HANDS))
    table(box, key="discard", on_edit=partial(_discard_edited, "discard", cards))


def _discard_edited(key: str, cards: tuple[Card, ...]) -> None:
    hand_edited(key, cards, lambda held: c.AnswerDiscard(held.cards[-1] if held.cards else None))


def _pozzetti(match: MatchView) -> dict[str, str]:
    options = {pozzetto.value: tr(f"pozzetto.{pozzetto.value}") for pozzetto in Pozzetto}
    penalty = match.rules.pozzetto.not_taken_penalty
    if penalty:
        options[Pozzetto.NOT_TAKEN.value] += f" ({points(-penalty)})"
    return options


def _pozzetto(match: MatchView, side: int) -> None:
    draft, name = match.table.sides[side].draft, side_names(match)[side]
    value = draft.pozzetto.value if draft.pozzetto else None
    label = tr("page.ask.pozzetto", name=name)
    choice(label, _pozzetti(match), value, f"pozzetto_{side}", lambda answer: c.AnswerPozzetto(side, Pozzetto(answer)))
    if draft.pozzetto is not Pozzetto.NOT_PLAYED:
        return
    named, held, taker = people(match, side), draft.pozzetto_held, draft.pozzetto_by
    if len(named) > 1:
        options = {str(player): who for player, who in enumerate(named)}

        def taken_by(answer: str) -> c.Command:
            return c.AnswerPozzetto(side, Pozzetto.NOT_PLAYED, held, int(answer))

        now = str(taker) if taker is not None else None
        choice(tr("page.ask.pozzetto_by"), options, now, f"pozzetto_by_{side}", taken_by)
    label = tr("page.ask.pozzetto_held", name=named[taker] if named and taker is not None else name)

    def command(now: Held) -> c.AnswerPozzetto:
        return c.AnswerPozzetto(side, Pozzetto.NOT_PLAYED, now, taker)

    held_input(match, label, held, f"held_{side}", command, zero=False)


def _pozzetto_answer(match: MatchView, side: int) -> str | None:
    draft = match.table.sides[side].draft
    if draft.pozzetto is None or (draft.pozzetto is Pozzetto.NOT_PLAYED and draft.pozzetto_held is None):
        return None
    value = points(-draft.pozzetto_held.value(match.rules)) if draft.pozzetto_held else ""
    answer = _pozzetti(match)[draft.pozzetto.value] + (f" ({value})" if value else "")
    return f"{tr('page.ask.pozzetto', name=side_names(match)[side])}: {answer}"
