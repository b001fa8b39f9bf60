"""Formati, tables of Victory Points, and the classifica of a turn or an evening."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from scoring.classifica import TableResult, classifica
from scoring.formato import dump_formato, formato_names, load_formato
from scoring.vp import dump_vp_table, load_vp_table, vp_table_names
from ui.api.bodies import StandingsBody
from ui.api.deps import LangDep
from ui.api.models import ErrorOut, StandingOut, StandingsOut
from ui.api.shown import all_said
from ui.faults import odd_match_points
from ui.new_match import vp_table_chosen
from ui.viewmodels import GoalChoice

router = APIRouter(tags=["turni"])

_ERRORS: dict[int | str, dict[str, object]] = {status: {"model": ErrorOut} for status in (400, 422)}


@router.get("/formati")
def formati() -> list[dict[str, Any]]:
    """How many may play, and how: packs, sides, pozzetti, with their sources."""
    return [dump_formato(load_formato(name)) for name in formato_names()]


@router.get("/vp-tables")
def vp_tables() -> list[dict[str, Any]]:
    """The tables of Victory Points that ship (turns of 3 and of 4 smazzate); none was found for 2 or for teams."""
    return [dump_vp_table(load_vp_table(name)) for name in vp_table_names()]


@router.post("/classifica", response_model=StandingsOut, responses=_ERRORS)
def standings(body: StandingsBody, lang: LangDep) -> StandingsOut:
    """Rank pairs by Victory Points, then by Match Points, and say by which table and which count."""
    own = body.own_vp_table.model_dump() if body.own_vp_table else None
    table = vp_table_chosen(GoalChoice(vp_table=body.vp_table, own_vp_table=own))
    results = [TableResult(result.names, result.mp) for result in body.results]
    ranked = classifica(results, table, body.mp_count, body.bye)
    return StandingsOut(
        vp_table=table.name,
        mp_count=body.mp_count.value,
        standings=[StandingOut(place=s.place, name=s.name, vp=s.vp, mp=s.mp, turni=s.turni) for s in ranked],
        remarks=all_said(odd_match_points(mp for result in results for mp in result.mp), lang),
    )
