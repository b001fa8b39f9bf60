"""The course of a match as a chart, with its figures in words."""

from __future__ import annotations

import streamlit as st

from ui.viewmodels import MatchView
from ui.views.session import goal_text, points, tr

TEXT_PX = 18
INK, INK_ON_DARK = "#16181d", "#f2f4f1"


def show_chart(match: MatchView) -> None:
    """Running totals after each smazzata, one line a side, and the target if there is one."""
    names = match.names
    rows = [{"n": 0, "who": name, "total": 0} for name in names]
    for smazzata in match.confirmed:
        pairs = zip(names, smazzata.running, strict=True)
        rows.extend({"n": smazzata.number, "who": name, "total": total} for name, total in pairs)
    ends = ", ".join(f"{name} {points(total)}" for name, total in zip(names, match.totals, strict=True))
    alt = tr("page.chart.alt", count=len(match.confirmed), totals=ends, goal=goal_text(match))
    st.vega_lite_chart(_spec(rows, names, match), alt=alt, width="stretch", height=340)


def _spec(rows: list[dict[str, object]], names: tuple[str, ...], match: MatchView) -> dict[str, object]:
    lines = _lines(names, len(match.confirmed))
    if match.target is None:
        return {"data": {"values": rows}, "layer": [lines]}
    target = {
        "data": {"values": [{"target": match.target}]},
        "mark": {"type": "rule", "strokeDash": [2, 6], "strokeWidth": 2, "color": "#5c6470"},
        "encoding": {"y": {"field": "target", "type": "quantitative"}},
    }
    return {"data": {"values": rows}, "layer": [lines, target]}


def _lines(names: tuple[str, ...], last: int) -> dict[str, object]:
    """One line a side, told apart by colour and by dashes; `last` is the number of the last smazzata."""
    ink = INK_ON_DARK if st.context.theme.type == "dark" else INK
    axis = {"labelFontSize": TEXT_PX, "titleFontSize": TEXT_PX, "labelColor": ink, "titleColor": ink, "format": "d"}
    side = {"field": "who", "type": "nominal"}
    text = {"labelFontSize": TEXT_PX, "labelColor": ink, "labelLimit": 260, "symbolSize": 200}
    legend = text | {"title": None, "orient": "top", "direction": "vertical"}
    x = {
        "field": "n",
        "type": "quantitative",
        "axis": axis | {"title": tr("page.chart.smazzata"), "values": list(range(last + 1))},
        "scale": {"domain": [0, max(1, last)]},
    }
    y = {"field": "total", "type": "quantitative", "axis": axis | {"title": tr("page.chart.points"), "tickCount": 5}}
    colour = side | {"scale": {"domain": list(names)}, "legend": legend}
    dash = side | {
        "scale": {"domain": list(names), "range": [[1, 0], [8, 4], [2, 4], [12, 4, 2, 4], [4, 2]][: len(names)]},
        "legend": None,
    }
    return {
        "mark": {"type": "line", "strokeWidth": 4, "point": {"size": 120}},
        "encoding": {"x": x, "y": y, "color": colour, "strokeDash": dash},
    }
