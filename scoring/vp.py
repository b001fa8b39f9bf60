"""Victory Points: how the difference of two totals is shared out, by a table a club can replace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

from scoring.datafile import (
    DataCode,
    DataError,
    DataFault,
    Numbers,
    Words,
    file_text,
    read_toml,
    read_value,
    shipped_names,
)
from scoring.options import Whole

_FOLDER = "vp_tables"


@dataclass(frozen=True, slots=True)
class VpTable:
    """Which difference gives the winner how many VP: `vp[i]` from `differences[i]` on; both sides add up to `sum`."""

    name: Annotated[str, Words()]
    title: Annotated[str, Words()]
    source: Annotated[str, Words()]
    smazzate: Annotated[int, Whole(1, 20)]
    sum: Annotated[int, Whole(1, 1000)]
    differences: Annotated[tuple[int, ...], Numbers(0, 100_000)]
    vp: Annotated[tuple[int, ...], Numbers(0, 1000)]

    def of(self, first: float, second: float) -> tuple[int, int]:
        """VP of two sides with these Match Points.

        >>> load_vp_table("vp-3").of(1825, 1000), load_vp_table("vp-4").of(0, 505)
        ((17, 3), (7, 13))
        """
        difference = abs(first - second)
        won = max(vp for start, vp in zip(self.differences, self.vp, strict=True) if difference >= start)
        return (won, self.sum - won) if first >= second else (self.sum - won, won)


def vp_table_names() -> tuple[str, ...]:
    """Names of the tables that ship."""
    return shipped_names(_FOLDER)


@lru_cache(maxsize=64)
def load_vp_table(name: str) -> VpTable:
    """A table that ships by its name, or a club's own from the path of a `.toml` file; DataError lists all faults."""
    return parse_vp_table(file_text(name, _FOLDER), name)


def vp_table_for(smazzate: int) -> VpTable:
    """The table that ships for turns of so many smazzate; DataError where none was found.

    >>> vp_table_for(4).name
    'vp-4'
    """
    tables = [load_vp_table(name) for name in vp_table_names()]
    for table in tables:
        if table.smazzate == smazzate:
            return table
    known = ", ".join(str(table.smazzate) for table in tables)
    raise DataError((DataFault("smazzate", smazzate, known),))


def parse_vp_table(text: str, name: str = "vp") -> VpTable:
    """A table from TOML text."""
    return vp_table_from(read_toml(text, name))


def vp_table_from(data: Mapping[str, object]) -> VpTable:
    """A table from plain values; DataError lists all faults."""
    table = read_value(VpTable, data)
    faults = []
    if len(table.vp) != len(table.differences):
        faults.append(DataFault("vp", list(table.vp), str(len(table.differences)), DataCode.NOT_ONE_EACH))
    if table.differences[0] or list(table.differences) != sorted(set(table.differences)):
        faults.append(DataFault("differences", list(table.differences), "0, …", DataCode.NOT_FROM_ZERO))
    if list(table.vp) != sorted(table.vp) or table.vp[-1] > table.sum or 2 * table.vp[0] != table.sum:
        faults.append(DataFault("vp", list(table.vp), str(table.sum), DataCode.NOT_FROM_HALF))
    if faults:
        raise DataError(tuple(faults))
    return table


def dump_vp_table(table: VpTable) -> dict[str, object]:
    """All of it as plain values, so that a match can keep the table it was played by."""
    values = {name: getattr(table, name) for name in VpTable.__dataclass_fields__}
    return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}
