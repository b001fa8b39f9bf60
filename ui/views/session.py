"""What every page shares: the language, the device, the open match, and one way to send a command."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from uuid import uuid4

import streamlit as st

from scoring.formato import Points
from scoring.match import OneHand, ToTarget
from ui.commands import Command
from ui.components.frame import DEVICE_COOKIE
from ui.i18n import pick_language, points_text, say, say_names, t
from ui.roles import Forbidden, Role, for_role, match_of, role_of
from ui.services import Conflict, NotFound, ServiceError, Services, get_services
from ui.settings import get_settings
from ui.viewmodels import MatchSummary, MatchView, Message
from ui.views.parts import draw_again, keep_view

MATCH_PARAM = "partita"
PLACE = "qui-"
DEVICE = re.compile("[0-9a-f]{32}")
MARKDOWN = frozenset(r"\`*_{}[]()#+-.!|~<>:$")


def services() -> Services:
    """The use cases of this process, as this session's role may use them."""
    return for_role(get_services(), role(), only_match())


def role() -> Role:
    """What whoever looks at this page may do."""
    return role_of(st.context.headers)


def only_match() -> str:
    """The one match that whoever looks at this page was let in for, "" for any."""
    return match_of(st.context.headers)


def language() -> str:
    """The language of this browser session: what its user chose, else what the browser asks for."""
    chosen = st.session_state.get("language")
    return chosen if isinstance(chosen, str) else pick_language(st.context.locale)


def tr(key: str, **params: object) -> str:
    """Say a key in this session's language."""
    return t(key, language(), **params)


def tell(message: Message) -> str:
    """Say a message of the services in this session's language; a name in it means nothing to Markdown."""
    name = message.params.get("name")
    safe = replace(message, params={**message.params, "name": plain(name)}) if isinstance(name, str) else message
    return say(safe, language())


def names(match: MatchView | MatchSummary) -> tuple[str, ...]:
    """The names whose points count, for texts that Markdown reads; the component and our own HTML take the bare."""
    return tuple(map(plain, match.names))


def side_names(match: MatchView) -> tuple[str, ...]:
    """The names of the sides at the table, for texts that Markdown reads."""
    return tuple(map(plain, say_names(match.table.names, language())))


def people(match: MatchView, side: int) -> tuple[str, ...]:
    """The players of a side by name, as they sit in it; none where somebody has no name."""
    seating = match.table.seating
    if match.formato.halves:
        named = tuple(match.names[party] for party in seating[side]) if seating else ()
    else:
        named = match.players[side] if len(match.players) == len(match.table.names) else ()
    complete = len(named) == match.formato.players_at(seating, side) and all(named)
    return tuple(map(plain, named)) if complete else ()


def side_people(match: MatchView, side: int) -> str:
    """A side's name with its players, where these are named and sit together all the time."""
    name, named = side_names(match)[side], () if match.formato.halves else people(match, side)
    return f"{name} ({', '.join(named)})" if named else name


def plain(text: str) -> str:
    """A text whose characters mean nothing to Markdown."""
    return "".join(f"\\{char}" if char in MARKDOWN else char for char in text)


def device() -> str:
    """A lasting name for this browser, so that undo takes back its own edits only, also after a reload.

    It comes from the browser's cookie; a browser without one keeps the name that this session makes (`frame`).
    """
    if "device" not in st.session_state:
        kept = st.context.cookies.get(DEVICE_COOKIE, "")
        st.session_state["device"] = kept if DEVICE.fullmatch(str(kept)) else uuid4().hex
    return str(st.session_state["device"])


def open_match() -> MatchView:
    """The match on screen, as it is now; opens the last one played, or the demo where there is none."""
    wanted = st.session_state.get("match_id") or st.query_params.get(MATCH_PARAM)
    view = None
    if wanted:
        try:
            view = services().match(wanted, device=device())
        except NotFound:
            warn(tr("page.match.gone"))
        except Forbidden as refused:  # the address of another match than the one this phone was let in for
            warn(tell(refused.message))
    if view is not None and view.deleted:
        warn(tr("page.match.deleted", names=" – ".join(names(view))))
        view = None
    if view is None:
        view = services().match(_first_match(), device=device())
    show(view)
    if st.query_params.get(MATCH_PARAM) != view.id and not view.demo:
        st.query_params[MATCH_PARAM] = view.id
    return view


def _first_match() -> str:
    played = () if get_settings().demo else services().matches()
    return max(played, key=lambda match: match.updated_at).id if played else services().demo_match()


def show(view: MatchView) -> None:
    """Remember which match, and which state of it, this session is looking at."""
    keep_view(view)
    st.session_state["match_id"] = view.id
    st.session_state["seq"] = view.seq
    st.session_state["confirmations"] = len(view.confirmed)


def choose_match(match_id: str) -> None:
    """Put another match on screen from the next rerun on."""
    st.session_state["match_id"] = match_id
    st.session_state["notices"] = []


def do(command: Command, command_id: str | None = None) -> None:
    """Send a command for the match on screen, as the last thing that a button's callback does."""
    follow(send(command, command_id))


def follow(done: bool) -> None:
    """End a callback: draw what it changed, or all of the page with the reason why nothing was done."""
    if not done:
        st.rerun()
    draw_again()


def send(command: Command, command_id: str | None = None) -> bool:
    """Send a command for the match on screen; a refusal or somebody else's earlier change becomes a notice (False)."""
    st.session_state["notices"] = []
    try:
        view = services().apply(
            st.session_state["match_id"],
            command,
            seq=st.session_state["seq"],
            device=device(),
            command_id=command_id or uuid4().hex,
            rebase=True,
        )
    except Conflict as conflict:
        show(conflict.current)
        warn(tell(conflict.message))
        return False
    except ServiceError as error:
        warn(tell(error.message))
        return False
    show(view)
    return True


def revision(key: str) -> int:
    """How many edits the component under `key` has sent; grows with refused ones too."""
    return int(st.session_state.get(f"revision_{key}", 0))


def edited(key: str) -> None:
    """Count an edit that the component under `key` has sent, so that it gets an answer."""
    st.session_state[f"revision_{key}"] = revision(key) + 1


def warn(text: str) -> None:
    """Keep a sentence on screen until the next command."""
    notices = st.session_state.setdefault("notices", [])
    if text not in notices:
        notices.append(text)


def notices() -> tuple[str, ...]:
    """What went wrong with the last command."""
    return tuple(st.session_state.get("notices", ()))


def show_notices() -> None:
    """Show what went wrong with the last command, if anything: in sight wherever the page is scrolled to."""
    if not notices():
        return
    with st.container(key="avvisi"):
        for text in notices():
            st.error(text, icon=":material/error:")
        st.button(tr("page.notice.seen"), key="notices_seen", width="stretch", on_click=_forget_notices)


def _forget_notices() -> None:
    st.session_state["notices"] = []


def put(key: str, value: object) -> None:
    """Make a widget show what the match says; left alone where it already does, so that no tap in flight is undone."""
    if st.session_state.get(key) != value:
        st.session_state[key] = value


def place(name: str) -> None:
    """A place on the page that the bar at its end can lead to."""
    st.html(f'<span id="{PLACE}{name}"></span>')


def points(value: Points) -> str:
    """A number of points with a true minus sign and a true half, such as −100 or 152½."""
    return points_text(value)


def totals_text(names: Iterable[str], totals: Iterable[Points]) -> str:
    """Names with their points on one line."""
    return " · ".join(f"{name} {points(total)}" for name, total in zip(names, totals, strict=True))


def goal_text(match: MatchView) -> str:
    """What the match is played to, in a sentence."""
    goal = match.goal
    if isinstance(goal, ToTarget):
        return tr("page.goal.target", target=goal.target)
    if isinstance(goal, OneHand):
        return tr("page.goal.one_hand")
    return tr("page.goal.turni", turni=goal.turni, smazzate=goal.table.smazzate)


def outcome_text(match: MatchView) -> str:
    """How a finished match ended."""
    if match.winner is None:
        return tr("page.match.drawn")
    return tr("page.match.finished", name=names(match)[match.winner])


def day(iso: str) -> str:
    """A stored moment as day and hour of this machine, such as 28/11 21:30."""
    return datetime.fromisoformat(iso).astimezone().strftime("%d/%m/%Y %H:%M")
