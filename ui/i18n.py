"""Codes into sentences: Italian first, English as a switch (stdlib gettext).

`python -m ui.i18n build` writes the .mo of every .po. The sources are `ui/locale/{it,en}/LC_MESSAGES/burraco.po`; a
msgid is a dotted key such as `page.tavolo.title`, a msgstr the sentence, with `{name}` where a parameter goes. A key
belongs into both files. What argparse itself says (an unknown option, a missing argument) stands in `argparse.po`, its
English words as the keys.
"""

from __future__ import annotations

import gettext
import os
import sys
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

from scoring.formato import Points
from ui.viewmodels import Message, SideName

LANGUAGES = ("it", "en")
DEFAULT_LANGUAGE = "it"
DOMAIN = "burraco"
ARGPARSE_DOMAIN = "argparse"
LOCALE_DIR = Path(__file__).with_name("locale")


class UnknownKey(KeyError):
    """A key that the catalogue lacks (raised under pytest; elsewhere the key itself is shown)."""


@cache
def _catalogue(lang: str) -> gettext.NullTranslations:
    return gettext.translation(DOMAIN, LOCALE_DIR, languages=[lang])


def speak(lang: str) -> None:
    """Have argparse say its errors in a language: it asks gettext's own domain in the language of the environment."""
    gettext.bindtextdomain(ARGPARSE_DOMAIN, LOCALE_DIR)
    gettext.textdomain(ARGPARSE_DOMAIN)
    os.environ["LANGUAGE"] = lang


def has(key: str, lang: str = DEFAULT_LANGUAGE) -> bool:
    """Tell whether the catalogue of a language has a key."""
    return _catalogue(lang).gettext(key) != key


def points_text(value: Points) -> str:
    """A number as people write it, with a true minus sign and a true half.

    >>> points_text(-305), points_text(-152.5), points_text(0.5), points_text(70)
    ('−305', '−152½', '½', '70')
    """
    whole = str(abs(int(value)))
    half = "½" if abs(value) != abs(int(value)) else ""
    return ("−" if value < 0 else "") + ("" if half and whole == "0" else whole) + half


def t(key: str, lang: str = DEFAULT_LANGUAGE, **params: object) -> str:
    """Say a key in a language, parameters filled in; a language we lack falls back to Italian."""
    text = _catalogue(lang if lang in LANGUAGES else DEFAULT_LANGUAGE).gettext(key)
    if text == key:
        if "PYTEST_CURRENT_TEST" in os.environ:
            raise UnknownKey(key)
        return key
    signed = {name: points_text(value) for name, value in params.items() if isinstance(value, int) and value < 0}
    return text.format(**params | signed) if params else text


def say(message: Message, lang: str = DEFAULT_LANGUAGE) -> str:
    """Say a message, and the messages it holds, in a language."""
    params: dict[str, object] = {}
    for name, value in message.params.items():
        parts = value if isinstance(value, tuple) else (value,)
        words = [say(part, lang) if isinstance(part, Message) else part for part in parts]
        params[name] = words[0] if len(words) == 1 else " ".join(map(str, words))
    return t(message.key, lang, **params)


def say_names(names: Iterable[SideName], lang: str) -> tuple[str, ...]:
    """What sides are called, in a language."""
    return tuple(say(name, lang) if isinstance(name, Message) else name for name in names)


@lru_cache(maxsize=256)
def pick_language(accept_language: str | None) -> str:
    """The language to answer in, from an `Accept-Language` header or a browser locale; Italian when in doubt."""
    ranked: list[tuple[float, int, str]] = []
    for place, part in enumerate((accept_language or "").split(",")):
        tag, _, weight = part.strip().partition(";q=")
        try:
            quality = float(weight) if weight else 1.0
        except ValueError:
            continue
        code = tag.strip().lower().replace("_", "-").split("-")[0]
        if code in LANGUAGES and quality > 0:
            ranked.append((-quality, place, code))
    return min(ranked)[2] if ranked else DEFAULT_LANGUAGE


def build() -> list[Path]:
    """Write the .mo beside each .po (needs Babel from the `dev` extra); returns what was written."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    written = []
    for source in sorted(LOCALE_DIR.glob("*/LC_MESSAGES/*.po")):
        with source.open("rb") as file:
            catalogue = read_po(file, locale=source.parts[-3])
        target = source.with_suffix(".mo")
        with target.open("wb") as file:
            write_mo(file, catalogue)
        written.append(target)
    return written


if __name__ == "__main__":
    if sys.argv[1:] != ["build"]:
        sys.exit("usage: python -m ui.i18n build")
    for path in build():
        print(path)
