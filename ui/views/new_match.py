"""A new match: how many play, by which rules, and what decides."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from scoring.formato import DEFAULT_FORMATO, Formato, formato_names, load_formato
from scoring.regolamento import DEFAULT_REGOLAMENTO, Regolamento, load_regolamento
from scoring.sections import Rounding
from scoring.vp import load_vp_table, vp_table_names
from ui.new_match import MAX_TARGET, usual_goal, vp_table_of_file
from ui.services import ServiceError
from ui.viewmodels import GoalChoice, NewMatch
from ui.views.session import choose_match, device, language, services, tell, tr
from ui.words import pozzetti_text, said_title

TAVOLO = "views/tavolo.py"
PAIRS = ("page.new.first", "page.new.second", "page.new.third")
OWN_TABLE = "own_vp_table"
REFUSED = "new_match_refused"  # kept, since another phone's change may draw the page anew at any moment
BY_TARGET, ONE_HAND, BY_TURNI = "to_target", "one_hand", "turni"


def party_labels(formato: Formato) -> list[str]:
    """What to call each name that is asked for: pairs where they stay together, else players."""
    if formato.halves or formato.sides[0] == 1:
        return [tr("page.new.player", number=number) for number in range(1, formato.parties + 1)]
    return [tr(key) for key in PAIRS[: formato.parties]]


def show_new_match() -> None:
    """The form; what changes its fields (how many play, by which rules, what decides) stands above them."""
    st.subheader(tr("page.new.title"), anchor=False)
    with st.container(border=True, key="nuova"):
        formato = _formato()
        regolamento = _rules()
        decides = _decides(formato, regolamento)
        with st.form("new_match", border=False):
            names = _names(formato)
            players = _players(formato)
            goal = _goal(decides, formato, regolamento)
            rounding = _rounding(formato, regolamento)
            words = "page.new.both_confirm" if formato.sides == (2, 2) else "page.new.all_confirm"
            both = st.checkbox(tr(words), value=decides == BY_TURNI, key=f"both_{decides}")
            settings = _settings()
            if st.form_submit_button(tr("page.new.start"), type="primary", width="stretch"):
                new = NewMatch(
                    names,
                    regolamento.name,
                    players=players,
                    formato=formato.name,
                    goal=goal,
                    rounding=rounding,
                    both_confirm=both,
                    settings=settings,
                )
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
    pozzetti = pozzetti_text(formato.pozzetti, language())
    st.markdown(
        tr("page.new.formato_hint", title=said_title(formato, language()), packs=formato.packs, pozzetti=pozzetti)
    )
    return formato


def _rules() -> Regolamento:
    titles = {info.name: info.title for info in services().regolamenti() if info.name not in formato_names()}
    chosen: str = st.selectbox(
        tr("page.new.rules"),
        list(titles),
        index=list(titles).index(DEFAULT_REGOLAMENTO),
        format_func=lambda name: titles[name],
        key="rules",
    )
    return load_regolamento(chosen)


def _decides(formato: Formato, regolamento: Regolamento) -> str:
    ways = [BY_TARGET, ONE_HAND, *([BY_TURNI] if formato.parties == 2 else [])]
    usual = ONE_HAND if usual_goal(regolamento, formato).one_hand else BY_TARGET
    chosen = st.segmented_control(
        tr("page.new.goal"),
        ways,
        format_func=lambda way: tr(f"page.new.{way}"),
        default=usual,
        required=True,
        wrap=True,
        key=f"decides_{len(ways)}_{usual}",
    )
    return chosen or usual


def _names(formato: Formato) -> tuple[str, ...]:
    prefix = "name" if formato.name == DEFAULT_FORMATO else f"name_{formato.name}"
    usual = [tr("page.new.we"), tr("page.new.they")] if formato.sides == (2, 2) else party_labels(formato)
    named = [
        st.text_input(label, value=default, max_chars=40, key=f"{prefix}_{at}")
        for at, (label, default) in enumerate(zip(party_labels(formato), usual, strict=True))
    ]
    return tuple(name.strip() for name in named)


def _players(formato: Formato) -> tuple[tuple[str, ...], ...]:
    """The names of the players of each pair, for those who want the deal to pass from hand to hand."""
    if formato.halves or formato.sides[0] == 1:
        return ()
    pairs = len(formato.sides)
    with st.expander(tr("page.new.players_named")):
        st.markdown(tr("page.new.players_hint"))
        seated = [_player(formato, place) for place in range(2 * pairs)]
    return tuple((seated[pair], seated[pair + pairs]) for pair in range(pairs))


def _player(formato: Formato, place: int) -> str:
    """One name, by its place round the table, clockwise."""
    label = tr("page.new.player", number=place + 1)
    return st.text_input(label, max_chars=40, key=f"player_{formato.name}_{place}").strip()


def _goal(decides: str, formato: Formato, regolamento: Regolamento) -> GoalChoice:
    if decides == ONE_HAND:
        return GoalChoice(one_hand=True)
    if decides == BY_TURNI:
        return _turni()
    usual, *others = formato.targets_under(regolamento)
    target = st.segmented_control(
        tr("page.new.target"),
        sorted((usual, *others)),
        default=usual,
        required=True,
        wrap=True,
        key=f"target_{formato.name}_{regolamento.name}",
    )
    other = st.number_input(
        tr("page.new.other_target"), min_value=1, max_value=MAX_TARGET, step=5, value=None, key="other_target"
    )
    return GoalChoice(int(other or target or usual))


def _rounding(formato: Formato, regolamento: Regolamento) -> Rounding | None:
    """What becomes of an odd half point; nothing is asked where nobody halves."""
    if not formato.halves:
        return None
    chosen = st.segmented_control(
        tr("page.new.rounding"),
        [way.value for way in Rounding],
        format_func=lambda way: tr(f"page.new.rounding.{way}"),
        default=regolamento.match.half.value,
        required=True,
        wrap=True,
        key=f"rounding_{formato.name}_{regolamento.name}",
    )
    return Rounding(chosen) if chosen else None


def _settings() -> tuple[str, ...]:
    """Figures of the house, for a club whose rules differ in some from every preset."""
    with st.expander(tr("page.new.settings")):
        written = st.text_area(tr("page.new.settings_hint"), key="settings", placeholder="bonus.semipulito=170")
    return tuple(line.strip() for line in written.splitlines() if line.strip())


def _turni() -> GoalChoice:
    """How many turns, and a table of Victory Points: one that ships, or a club's own file, which stands before it."""
    tables = {name: load_vp_table(name).title for name in vp_table_names()}
    table = st.selectbox(tr("page.new.vp_table"), list(tables), format_func=lambda name: tables[name], key="vp_table")
    st.file_uploader(tr("page.new.own_vp_table"), type=["toml"], key=OWN_TABLE)
    turni = st.number_input(tr("page.new.turni_count"), min_value=1, max_value=20, value=4, key="turni")
    return GoalChoice(turni=int(turni), vp_table=table)


def _with_own_table(goal: GoalChoice) -> GoalChoice:
    file = st.session_state.get(OWN_TABLE) if goal.turni else None
    return replace(goal, own_vp_table=vp_table_of_file(file.getvalue(), file.name)) if file else goal


def _start(new: NewMatch) -> None:
    st.session_state[REFUSED] = None
    try:
        goal = _with_own_table(new.goal) if new.goal else None
        match = services().create_match(replace(new, goal=goal), device=device())
    except ServiceError as error:
        st.session_state[REFUSED] = tell(error.message)
        return
    choose_match(match.id)
    st.switch_page(TAVOLO)
