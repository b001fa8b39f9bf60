"""Small things said in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.formato import formato_names, load_formato
from ui.faults import shown
from ui.words import pozzetti_text, said_title


@pytest.mark.parametrize(
    ("sizes", "lang", "says"),
    [
        ((18, 11), "it", "due pozzetti: uno di 18 carte e uno di 11"),
        ((11, 18, 11), "it", "tre pozzetti: uno di 18 carte e due di 11"),
        ((11, 11), "it", "due pozzetti di 11 carte"),
        ((18, 11, 11), "en", "three pozzetti: one of 18 cards and two of 11"),
        ((11, 11, 11), "en", "three pozzetti of 11 cards"),
    ],
)
def test_pozzetti(sizes: tuple[int, ...], lang: str, says: str) -> None:
    assert pozzetti_text(sizes, lang) == says


def test_a_formato_in_the_language_of_whoever_looks() -> None:
    formato = load_formato("quattro")
    assert said_title(formato, "en") == "Four players, in pairs"
    assert said_title(formato, "it") == formato.title
    assert said_title(replace(formato, name="casa", title="Come a casa"), "en") == "Come a casa", "its own words"


def test_every_formato_has_its_words() -> None:
    for name in formato_names():
        formato = load_formato(name)
        for sizes in filter(None, (formato.pozzetti, formato.alone_pozzetti)):
            assert "pozzetti" in pozzetti_text(sizes, "it")


@pytest.mark.parametrize(
    ("value", "text"), [("x", '"x"'), ([0, True], "[0, true]"), (None, "null"), ("è" * 200, '"' + "è" * 79)]
)
def test_values_as_their_file_writes_them(value: object, text: str) -> None:
    assert shown(value) == text
