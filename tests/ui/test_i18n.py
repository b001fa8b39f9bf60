"""Every code has its sentence in both languages, and the committed .mo are those of the .po."""

from __future__ import annotations

import io
import re
import string
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest

from scoring.classes import BurracoClass, ClassReason
from scoring.datafile import DataCode
from scoring.formato import formato_names
from scoring.ledger import FaultCode, Reason
from scoring.marks import MarkVerdict
from scoring.meld import MeldFault, MeldKind, MeldQuestion
from scoring.schema import PresetFault
from scoring.smazzata import Pozzetto
from scoring.smazzata_text import WORDS, FileCode
from ui.faults import fault_keys
from ui.i18n import ARGPARSE_DOMAIN, DOMAIN, LANGUAGES, LOCALE_DIR, UnknownKey, has, pick_language, say, t
from ui.settings import ROOT
from ui.viewmodels import Message
from vision.labels import LabelsCode
from vision.photo import PhotoFault
from vision.quality import PhotoTrouble
from vision.table import Source

babel = pytest.importorskip("babel.messages", reason="Babel comes with the dev extra")


def _codes() -> Iterator[str]:
    yield from (f"fault.{code.value}" for code in FaultCode)
    yield from (f"meldfault.{key}" for key in (*fault_keys(~MeldFault.VALID), "sets.none", "sets.some"))
    yield from (f"reason.{reason.value}" for reason in Reason)
    yield from (f"classe.{classe.value}" for classe in BurracoClass)
    yield from (f"why.{why.value}" for why in ClassReason)
    yield from (f"meld.ask_{question.value}" for question in MeldQuestion)
    yield from (f"meld.marks_{verdict.value}" for verdict in (MarkVerdict.DISAGREE, MarkVerdict.UNKNOWN))
    yield from (f"meld.mark.{place}" for place in range(1, 5))
    yield from (f"preset.{fault.value}" for fault in PresetFault if fault is not PresetFault.UNKNOWN_NAME)
    yield from (f"data.{code.value}" for code in DataCode)
    yield from (f"file.{code.value}" for code in FileCode)
    yield from (f"labels.{code.value}" for code in LabelsCode)
    yield from (f"meld.{form}_{wild}" for form in ("the", "of") for wild in ("jolly", "pinella"))
    yield from (f"kind.{kind.value}" for kind in MeldKind)
    yield from (f"question.{question.value}" for question in MeldQuestion)
    yield from (f"pozzetto.{pozzetto.value}" for pozzetto in Pozzetto)
    yield from (f"photo.{fault.value}" for fault in PhotoFault)
    yield from (f"source.{source.value}" for source in Source)
    yield from (f"scan.{trouble.value}" for trouble in PhotoTrouble)
    yield from (f"formato.{name}" for name in formato_names())


def _literals() -> Iterator[str]:
    """Keys written out in the source: t("…"), tr("…"), Message("…"), refuse("…")."""
    pattern = re.compile(r'\b(?:tr?|Message|refuse)\(\s*"([a-z_]+\.[a-z_.]+)"')
    for path in sorted((ROOT / "ui").rglob("*.py")):
        yield from pattern.findall(path.read_text(encoding="utf-8"))


def _catalogue(lang: str, domain: str = DOMAIN) -> dict[str, str]:
    from babel.messages.pofile import read_po

    with (LOCALE_DIR / lang / "LC_MESSAGES" / f"{domain}.po").open("rb") as file:
        return _sentences(read_po(file, locale=lang))


def _sentences(catalogue: Iterable[Any]) -> dict[str, str]:
    """What a catalogue says by its keys; a plural has several of both, as a list or a tuple."""
    return {str(list(m.id) if m.pluralizable else m.id): "|".join(_forms(m.string)) for m in catalogue if m.id}


def _forms(said: str | Sequence[str]) -> Sequence[str]:
    return [said] if isinstance(said, str) else said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_has_a_sentence(lang: str) -> None:
    missing = [key for key in {*_codes(), *_literals()} if not has(key, lang)]
    assert missing == []


def test_both_languages_have_the_same_keys_and_parameters() -> None:
    italian, english = (_catalogue(lang) for lang in LANGUAGES)
    assert set(italian) == set(english)

    def names(text: str) -> set[str | None]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}

    assert [key for key in italian if names(italian[key]) != names(english[key])] == []


@pytest.mark.parametrize(("lang", "domain"), [*((lang, DOMAIN) for lang in LANGUAGES), ("it", ARGPARSE_DOMAIN)])
def test_the_mo_is_built_from_the_po(lang: str, domain: str) -> None:
    from babel.messages.mofile import read_mo

    committed = (LOCALE_DIR / lang / "LC_MESSAGES" / f"{domain}.mo").read_bytes()
    built = _sentences(read_mo(io.BytesIO(committed)))
    assert built == _catalogue(lang, domain), "run: python -m ui.i18n build"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_words_a_line_may_begin_with_are_known(lang: str) -> None:
    listed = t("file.unknown_word", lang, seen="x").partition(": ")[2].rstrip(".").split(", ")
    assert {WORDS[word] for word in listed} == set(WORDS.values())


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        (None, "it"),
        ("", "it"),
        ("en", "en"),
        ("en-GB,en;q=0.9", "en"),
        ("de, en;q=0.5, it;q=0.4", "en"),
        ("it;q=0.1, en;q=0", "it"),
        ("en_US.UTF-8", "en"),
        ("C.UTF-8", "it"),
        (";;q=x,,", "it"),
    ],
)
def test_the_language_asked_for(header: str | None, lang: str) -> None:
    assert pick_language(header) == lang


def test_messages_hold_messages() -> None:
    inner = (Message("missing.closed"), Message("missing.hands", {"name": "Noi"}))
    assert say(Message("refused.missing", {"what": inner}), "en").endswith(
        "Who closed? Noi: which cards are left in hand?"
    )


def test_an_unknown_key_is_a_bug() -> None:
    with pytest.raises(UnknownKey):
        t("no.such.key")
