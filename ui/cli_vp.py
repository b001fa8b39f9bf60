"""`burraco vp`: the tables of Victory Points, a club's own among them, and what a turn gives by one."""

from __future__ import annotations

import argparse
import sys

from scoring.datafile import DataCode, DataError
from scoring.vp import VpTable, load_vp_table, vp_table_names
from ui.faults import data_fault, odd_match_points
from ui.i18n import say, t


def add_vp_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `burraco vp`."""
    parser.add_argument(
        "table", nargs="?", help="name of a table, or a TOML file of your own; without it all are listed"
    )
    parser.add_argument("mp", nargs="*", metavar="MP", help="Match Points of both sides after a turn")


def victory_points(args: argparse.Namespace) -> int:
    """List the tables, print one, or share out a turn's Match Points by it; 2 where that cannot be."""
    if args.table is None:
        for name in vp_table_names():
            _print_head(load_vp_table(name), args.lang)
        return 0
    try:
        table = load_vp_table(args.table)
    except DataError as error:
        for fault in error.faults:
            print(say(data_fault(fault), args.lang), file=sys.stderr)
        if any(fault.code is DataCode.UNKNOWN_NAME for fault in error.faults):
            print(t("cli.vp.not_found", args.lang), file=sys.stderr)
        return 2
    if not args.mp:
        _print_head(table, args.lang)
        for start, won in zip(table.differences, table.vp, strict=True):
            print(f"{start:8}  {won} - {table.sum - won}")
        return 0
    mp = [int(text) for text in args.mp if text.removeprefix("-").isdecimal()]
    if len(mp) != 2 or len(args.mp) != 2:
        print(t("cli.vp.two_mp", args.lang, seen=" ".join(args.mp)[:80]), file=sys.stderr)
        return 2
    first, second = table.of(*mp)
    print(t("cli.vp.shared", args.lang, difference=abs(mp[0] - mp[1]), first=first, second=second, title=table.title))
    for remark in odd_match_points(mp):
        print(f"! {say(remark, args.lang)}")
    return 0


def _print_head(table: VpTable, lang: str) -> None:
    print(f"{table.name:8}  {table.title}")
    print(f"{'':8}  {t('cli.vp.source', lang, source=table.source)}")
