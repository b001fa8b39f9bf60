"""`--help` is in the language spoken, whatever room its words come from."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from gettext import gettext

import pytest

from ui.cli import _ELSEWHERE, build_parser, main
from ui.cli_help import with_comments_said

SAME = {".json", ".csv"}


def texts(parser: argparse.ArgumentParser) -> Iterator[str]:
    """All that a parser and its sub-commands say in their help, as it stands in the code."""
    yield from filter(None, (parser.description,))
    for action in parser._actions:
        yield from filter(None, (action.help,))
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from texts(command)


@pytest.mark.parametrize("command", ["score", *_ELSEWHERE])
def test_every_word_of_the_help_has_an_italian_one(command: str) -> None:
    english = set(texts(build_parser(["--lang", "en", command])))
    build_parser(["--lang", "it", command])
    said = {text for text in english if gettext(text) == text and "Matches are kept in" not in text}
    assert said == set(), "no Italian in ui/locale/it/LC_MESSAGES/argparse.po"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--help"], ["uso: burraco", "conta giochi scritti a mano", "opzioni:"]),
        (
            ["score", "--help"],
            ["# da 2 a 6", "oppure un file", "CHIAVE=VALORE", "GIOCO|FILE", "punti: 180", "heaps"],
        ),
        (["serve", "--help"], ["Le partite si conservano in"]),
        (["meld", "--help"], ["carte [carte ...]"]),
        (["vp", "--help"], ["[tabella]"]),
        (["eval", "--lang", "it", "--help"], ["foto con un labels.json"]),
        (["score", "--lang", "en", "--help"], ["# 2 to 6", "a smazzata as plain text:"]),
    ],
)
def test_help(arguments: list[str], says: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments if "--lang" in arguments else ["--lang", "it", *arguments])
    out = capsys.readouterr().out
    assert (ended.value.code, [text for text in says if text not in out]) == (0, [])


def test_the_comments_of_an_example_and_nothing_else_are_said_anew() -> None:
    build_parser(["--lang", "it"])
    assert with_comments_said("giocatori: 4   # 2 to 6\nmano: 35\n") == "giocatori: 4   # da 2 a 6\nmano: 35\n"
