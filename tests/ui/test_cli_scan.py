"""What `burraco scan` says of a reading."""

from __future__ import annotations

import pytest

from scoring.cards import parse_cards
from scoring.regolamento import load_regolamento
from ui.cli_scan import _print
from vision.table import Answer, Doubt, DoubtKind, MeldSeen, ReadCard, TableReading


def test_something_unread_in_line_with_a_meld_is_said_with_the_points_at_stake(
    capsys: pytest.CaptureFixture[str],
) -> None:
    faces = tuple(parse_cards("3♥ 4♥ 5♥"))
    quad = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    meld = MeldSeen(tuple(ReadCard(card, quad, 0.9) for card in faces))
    doubt = Doubt(DoubtKind.UNREAD, 0, None, (Answer(faces, 15, 1.0),), 5)
    _print(TableReading(melds=(meld,), doubts=(doubt,)), load_regolamento("fibur"), "it")
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == ("Da controllare: in linea con il gioco 1 c'è forse una carta che non ho letto (in gioco 5 punti)")
