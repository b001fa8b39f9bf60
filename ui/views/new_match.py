"""A new match: how many play, by which rules, and what decides."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from scoring.formato import DEFAULT_FORMATO, Formato, formato_names, load_formato
from scoring.vp import load_vp_table, vp_table_names
from ui.services import ServiceError
from ui.viewmodels import GoalChoice, NewMatch, RegolamentoInfo
from ui.views.session import choose_match, device, services, tell, tr

TAVOLO = "views/tavolo.py"
USUAL_TARGET = 1005
PAIRS = ("page.new.first", "page.new.second", "page.new.third")
REFUSED = "new_match_refused"  # kept, since another phone's change may draw the page anew at any moment
BY_TARGET, ONE_HAND, BY_TURNI = "to_target", "one_hand", "turni"


def party_labels(formato: Formato) -> list[str]:
    """What to call each name that is asked for: pairs where they stay together, else players."""
    if formato.halves or formato.sides[0] == 1:
        return [tr("page.new.player", number=number) for number in range(1, formato.parties + 1)]
    return [tr(key) for key in PAIRS[: formato.parties]]


def show_new_match() -> None:
    """The form; what changes its fields (how many play, what decides) stands above them."""
    st.subheader(tr("page.new.title"), anchor=False)
    presets = [info for info in services().regolamenti() if info.name not in formato_names()]
    with st.container(border=True, key="nuova"):
        formato = _formato()
        decides = _decides(formato)
        with st.form("new_match", border=False):
            names = _names(formato)
            players = _players(formato)
            rules = _rules(presets)
            goal = _goal(decides, formato, presets)
            both = st.checkbox(tr("page.new.both_confirm"), value=decides == BY_TURNI, key=f"both_{decides}")
            if st.form_submit_button(tr("page.new.start"), type="primary", width="stretch"):
                new = NewMatch(names, rules, players=players, formato=formato.name, goal=goal, both_confirm=both)
                _start(new)
        if refused := st.session_state.get(REFUSED):
            st.error(refused, icon=":material/error:")


def _formato() -> Formato:
    players = {load_formato(name).players: name for name in formato_names()}
    usual = load_formato(DEFAULT_FORMATO).players
    chosen = st.segmented_control(
        tr("page.new.players"), list(players), default=usual, required=True, wrap=True, key="players"
    )
    formato = load_formato(players[chosen or usual])
    pozzetti = ", ".join(map(str, formato.pozzetti))
    st.markdown(tr("page.new.formato_hint", title=formato.title, packs=formato.packs, pozzetti=pozzetti))
    return formato


def _decides(formato: Formato) -> str:
    ways = [BY_TARGET, ONE_HAND, *([BY_TURNI] if formato.parties == 2 else [])]
    chosen = st.segmented_control(
        tr("page.new.goal"),
        ways,
        format_func=lambda way: tr(f"page.new.{way}"),
        default=BY_TARGET,
        required=True,
        wrap=True,
        key=f"decides_{len(ways)}",
    )
    return chosen or BY_TARGET


def _names(formato: Formato) -> tuple[str, ...]:
    prefix = "name" if formato.name == DEFAULT_FORMATO else f"name_{formato.name}"
    usual = [tr("page.new.we"), tr("page.new.they")] if formato.parties == 2 else []
    named = []
    for at, label in enumerate(party_labels(formato)):
        default = (
            usual[at]
            if usual
            else tr("page.new.player_default" if formato.halves else "page.new.pair_default", number=at + 1)
        )
        named.append(st.text_input(label, value=default, max_chars=40, key=f"{prefix}_{at}").strip())
    return tuple(named)


def _players(formato: Formato) -> tuple[tuple[str, ...], ...]:
    """The names of the players of each pair, for those who want the deal to pass from hand to hand."""
    if formato.halves or formato.sides[0] == 1:
        return ()
    pairs = len(formato.sides)
    with st.expander(tr("page.new.players_named")):
        st.markdown(tr("page.new.players_hint"))
        return tuple(tuple(_player(formato, pair + at * pairs) for at in range(2)) for pair in range(pairs))


def _player(formato: Formato, place: int) -> str:
    """One name, by its place round the table, clockwise."""
    label = tr("page.new.player", number=place + 1)
    return st.text_input(label, max_chars=40, key=f"player_{formato.name}_{place}").strip()


def _rules(presets: Sequence[RegolamentoInfo]) -> str:
    titles = {info.name: info.title for info in presets}
    default = list(titles).index("fibur") if "fibur" in titles else 0
    return st.selectbox(
        tr("page.new.rules"), list(titles), index=default, format_func=lambda name: titles[name], key="rules"
    )


def _goal(decides: str, formato: Formato, presets: Sequence[RegolamentoInfo]) -> GoalChoice:
    if decides == ONE_HAND:
        return GoalChoice(one_hand=True)
    if decides == BY_TURNI:
        tables = {name: load_vp_table(name).title for name in vp_table_names()}
        table = st.selectbox(
            tr("page.new.vp_table"), list(tables), format_func=lambda name: tables[name], key="vp_table"
        )
        turni = st.number_input(tr("page.new.turni_count"), min_value=1, max_value=20, value=4, key="turni")
        return GoalChoice(turni=int(turni), vp_table=table)
    targets = list(formato.targets) or sorted({target for info in presets for target in info.targets})
    usual = USUAL_TARGET if USUAL_TARGET in targets else targets[0]
    target = st.segmented_control(
        tr("page.new.target"), targets, default=usual, required=True, wrap=True, key=f"target_{formato.name}"
    )
    return GoalChoice(target=int(target or usual))


def _start(new: NewMatch) -> None:
    st.session_state[REFUSED] = None
    try:
        match = services().create_match(new, device=device())
    except ServiceError as error:
        st.session_state[REFUSED] = tell(error.message)
        return
    choose_match(match.id)
    st.switch_page(TAVOLO)
