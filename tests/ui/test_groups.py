"""What the groups on a photo are and whose, and whose hands are asked: as the services answer it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoring.cards import parse_cards
from scoring.sides import Held, Pozzetto
from scoring.store.state import Closed, GroupRole
from tests.ui.game import Table
from tests.ui.inline_scan import inline_services
from tests.ui.pictures import NO_CARDS, TABLE, picture
from ui import commands as c
from ui.components.table import Edit, EditKind
from ui.readings import cards_of
from ui.services import Refused
from ui.viewmodels import NewMatch
from ui.views.boxes import side_box
from ui.views.edits import command_of

PLAYERS = NewMatch(("Noi", "Loro"), "fibur", 2005, players=(("Anna", "Bruno"), ("Carla", "Dario")))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with inline_services(tmp_path) as services:
        yield Table(services, new=PLAYERS)


def missing(table: Table) -> list[tuple[str, str]]:
    return [(message.key, str(message.params.get("name", ""))) for message in table.view.table.missing]


def totals(table: Table) -> tuple[int, ...]:
    return tuple(side.score.total for side in table.view.table.sides)


def test_one_photo_of_the_whole_table(table: Table) -> None:
    table.photo(0)
    kings = table.view.table.sides[0].melds[1]
    assert totals(table) == (295, 0) and ("missing.side", "Loro") in missing(table)
    table.do(c.AssignGroup(0, GroupRole.LAID, kings.id, owner=1))
    assert totals(table) == (245, 50) and ("missing.side", "Loro") not in missing(table)
    numbers = [(meld.owner, meld.number) for meld in table.view.table.sides[0].melds]
    assert numbers == [(0, 1), (1, 1)], "melds are counted for each side"
    box = side_box(table.view, 0, "it", 0)
    assert [(group.label, group.usual) for group in box.groups] == [("1", True), ("L1", False), ("–", True)]
    table.do(c.ChangeCard(kings.cards[0].id, parse_cards("K♣")[0]), c.Undo(), c.Undo())
    assert totals(table) == (295, 0)


def test_groups_that_are_no_melds(table: Table) -> None:
    table.photo(0)
    table.do(c.AnswerClosed(Closed.NOBODY), c.NothingLaid(1))
    kings = table.view.table.sides[0].melds[1]
    table.do(c.AssignGroup(0, GroupRole.HAND, kings.id, owner=1))
    assert totals(table) == (245, -50) and ("missing.hands", "Loro") not in missing(table)
    table.do(c.AnswerHands(1, (Held(points=30),)))
    assert totals(table) == (245, -80), "what the photo shows and what was answered both count"
    table.do(c.AssignGroup(0, GroupRole.POZZETTO, kings.id, owner=0))
    assert totals(table) == (195, -30) and ("missing.pozzetto", "Noi") not in missing(table)
    for role in (GroupRole.DISCARDS, GroupRole.IGNORED):
        table.do(c.AssignGroup(0, role, kings.id, owner=1))
        assert totals(table) == (245, -30)
        assert table.view.table.sides[0].melds[1].owner == 0, "what nobody owns stays where it lies"


def test_loose_cards_become_a_group(table: Table) -> None:
    table.photo(0)
    loose = side_box(table.view, 0, "it", 0).groups[2]
    assert loose.role == "ignored", "a proposal; it counts for nobody"
    assert loose.chip == "sciolte: non contano", "said in its one line too"
    table.do(c.AssignGroup(0, GroupRole.HAND, owner=0))
    side = table.view.table.sides[0]
    assert side.loose == () and [str(card.card) for card in side.melds[2].cards] == ["5♣"]
    assert side.shown_hands == (Held(parse_cards("5♣")),) and totals(table)[0] == 290
    with pytest.raises(Refused):
        table.do(c.AssignGroup(0, GroupRole.HAND))


def test_a_squared_pile_is_asked_for_what_it_covers(table: Table) -> None:
    table.do(c.AddMeld(0, parse_cards("7♥ 7♦")))
    pile = table.view.table.sides[0].melds[0].id
    table.do(c.MarkPile(pile))
    assert "fault.pile" in table.keys()[1]
    box = side_box(table.view, 0, "it", 0).groups[0]
    assert box.covered and not box.faults, "too few cards is what is being asked about"
    table.do(c.AddCards(0, pile, parse_cards("7♠ 7♣ 7♠ 7♦ JK")))
    meld = table.view.table.sides[0].melds[0]
    assert meld.pile and not meld.covered and "fault.pile" not in table.keys()[1]
    table.do(c.Undo(), c.MarkPile(pile, False))
    assert "fault.pile" not in table.keys()[1], "somebody said that nothing lies below"


def test_a_loose_card_may_be_the_top_of_a_pile(table: Table) -> None:
    table.photo(0)
    edit = Edit("one", EditKind.PILE, card=table.card("5♣"))
    table.do(command_of(edit, 0, table.view.table.sides[0]))
    side = table.view.table.sides[0]
    pile = side.melds[-1]
    assert side.loose == () and pile.pile and pile.covered and pile.cards[0].quad is not None
    assert "fault.pile" in table.keys()[1], "asked, not guessed"
    table.do(c.AddCards(0, pile.id, parse_cards("6♣ 7♣ 8♣ 9♣ 10♣ J♣")))
    assert totals(table)[0] == 295 + 5 + 5 + 5 + 10 + 10 + 10 + 10 + 200
    assert "fault.pile" not in table.keys()[1]


def test_cards_that_do_not_count_are_no_third_copy(table: Table) -> None:
    table.do(c.AddMeld(0, parse_cards("7♥ 7♥ 7♦")), c.AddMeld(0, parse_cards("7♥ 8♥ 9♥")))
    assert "fault.too_many_equal" in table.keys()[1]
    table.do(c.AssignGroup(0, GroupRole.IGNORED, table.view.table.sides[0].melds[1].id))
    assert "fault.too_many_equal" not in table.keys()[1]


def test_whose_hand_is_asked(table: Table) -> None:
    table.do(c.AnswerClosed(Closed.SIDE_0, player=1))
    sides = table.view.table.sides
    assert (sides[0].holders, sides[1].holders) == ((0,), (0, 1)), "who closed holds nothing"
    table.do(c.AnswerPozzetto(1, Pozzetto.NOT_PLAYED, Held(points=100), player=0))
    assert table.view.table.sides[1].holders == (1,), "who took a pozzetto without playing it had no card left"


def test_hands_player_by_player(table: Table) -> None:
    table.do(c.NothingLaid(0), c.NothingLaid(1), c.AnswerClosed(Closed.NOBODY))
    table.do(c.AnswerHands(1, (Held(points=30),), players=(0,)))
    assert ("missing.hands", "Loro") in missing(table), "Dario may hold cards too"
    table.do(c.AnswerHands(1, (Held(points=30), Held(parse_cards("K♥"))), players=(0, 1)))
    assert ("missing.hands", "Loro") not in missing(table) and totals(table)[1] == -40
    table.do(c.AnswerClosed(Closed.SIDE_1, player=0))
    assert totals(table)[1] == 100 - 10, "the hand of who closed is none"


@pytest.mark.parametrize(
    "command",
    [
        c.AnswerClosed(Closed.SIDE_0, player=2),
        c.AnswerClosed(Closed.NOBODY, player=0),
        c.AnswerPozzetto(0, Pozzetto.NOT_PLAYED, Held(points=5), player=-1),
        c.AnswerHands(0, (Held(points=5),), players=(2,)),
        c.AnswerHands(0, (Held(points=5), Held(points=5)), players=(1, 1)),
        c.AssignGroup(0, GroupRole.HAND, "nowhere"),
        c.AssignGroup(0, GroupRole.HAND, owner=2),
        c.MarkPile("nowhere"),
    ],
)
def test_who_and_what_is_not_there_is_refused(table: Table, command: c.Command) -> None:
    table.do(c.AddCard(0, None, parse_cards("5♣")[0]))
    with pytest.raises(Refused):
        table.do(command)


def test_a_hand_by_the_photo_of_its_fan(table: Table) -> None:
    seq = table.view.seq
    job = table.services.read_hand(picture(TABLE), match_id=table.view.id)
    job = table.services.wait(job.id, 30)
    assert job.reading_json is not None
    assert " ".join(map(str, cards_of(job.reading_json))) == "3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ K♠ K♦ 2♣ K♥ 5♣"
    assert table.services.seq(table.view.id) == seq, "it is laid nowhere"
    assert job.photo is not None
    table.do(c.AnswerHands(1, (Held(cards_of(job.reading_json)),), photo=job.photo))
    table.do(c.AnswerHands(1, (Held(points=20),)))  # mended afterwards: it is still the photo of that hand
    assert table.view.table.sides[1].draft.held_photos == (job.photo,)
    assert table.services.photo_jpeg(job.photo.sha256)
    exported = json.loads(table.services.export_json(table.view.id, photos=True))
    assert list(exported["photos"]) == [job.photo.sha256], "it goes where the photos of what was laid go"
    table.do(c.Undo(), c.Undo())
    assert table.view.table.sides[1].draft.held_photos == ()


def test_a_hand_by_a_photo_without_cards_is_kept_nowhere(table: Table) -> None:
    job = table.services.read_hand(picture(NO_CARDS), match_id=table.view.id)
    job = table.services.wait(job.id, 30)
    assert job.photo is None and table.services._db.photo_rows() == {}
