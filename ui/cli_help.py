"""`--help` in the language of `ui.i18n.speak`: the English words of the code are the keys of `argparse.po`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from gettext import gettext
from typing import Any


class HelpFormatter(argparse.HelpFormatter):
    """argparse's own, with the words of the commands said as argparse says its own."""

    def add_text(self, text: str | None) -> None:
        """A description or an epilog."""
        super().add_text(text and gettext(text))

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return action.help and gettext(action.help)

    def _metavar_formatter(self, action: argparse.Action, default_metavar: str) -> Callable[[int], tuple[str, ...]]:
        words = super()._metavar_formatter(action, default_metavar)
        return lambda size: tuple(map(gettext, words(size)))


class RawHelpFormatter(HelpFormatter, argparse.RawDescriptionHelpFormatter):
    """The same where the lines of a description are to stay as they are."""


class Parser(argparse.ArgumentParser):
    """A parser whose help is in words of the language spoken; its sub-commands are such parsers too."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"formatter_class": HelpFormatter, **kwargs})


def with_comments_said(example: str) -> str:
    """An example file whose comments are in the language spoken.

    >>> with_comments_said("mano: 35  # of nobody").partition("#")[2]
    ' of nobody'
    """
    return re.sub(r"# (.+)", lambda comment: f"# {gettext(comment[1])}", example)
