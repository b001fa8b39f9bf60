"""A picture of a training run: its losses, and what it measured on the way."""

from __future__ import annotations

import csv
from pathlib import Path


def plot_run(table: Path, across: str, curves: tuple[str, ...], picture: Path) -> None:
    """Draw the named columns of a CSV table with a header over the column `across`, one small chart each."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib.figure import Figure

    with table.open(newline="") as file:
        rows = [{name.strip(): value for name, value in row.items()} for row in csv.DictReader(file)]
    if not rows:
        return
    figure = Figure(figsize=(3.2 * len(curves), 3), layout="constrained")
    for axes, name in zip(figure.subplots(1, len(curves), squeeze=False)[0], curves, strict=True):
        axes.plot([float(r[across]) for r in rows], [float(r[name]) for r in rows], marker=".")
        axes.set(title=name, xlabel=across)
        axes.grid(alpha=0.3)
    figure.savefig(picture, dpi=110)
