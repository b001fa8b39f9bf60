"""An address that is none, or where nobody answers, becomes a sentence without the password in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.conftest import settings_for
from ui.errors import ServiceError
from ui.i18n import LANGUAGES, say
from ui.stores import open_database


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("nonsense", "store.bad_address"),
        ("mysql://me:secret@localhost/x", "store.bad_address"),
        ("postgresql+psycopg://me:secret@127.0.0.1:9/x", "store.unreachable"),
        ("postgresql+nodriver://me:secret@127.0.0.1:9/x", "store.bad_address"),
    ],
)
def test_an_address(tmp_path: Path, url: str, key: str) -> None:
    if key == "store.unreachable":
        pytest.importorskip("psycopg", reason="comes with the postgres extra")
    with pytest.raises(ServiceError) as error:
        open_database(settings_for(tmp_path, database_url=url))
    assert error.value.message.key == key
    for lang in LANGUAGES:
        said = say(error.value.message, lang)
        assert "secret" not in said and "{" not in said
