"""Cards, their text, their order, and the deck."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.cards import FACES, JOLLY, NO_CARD_INDEX, Card, CardError, Rank, Suit, cards_text, parse_cards
from scoring.deck import Deck


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("K♥", Card(Rank.KING, Suit.HEARTS)),
        ("KH", Card(Rank.KING, Suit.HEARTS)),
        ("kh", Card(Rank.KING, Suit.HEARTS)),
        ("10♥", Card(Rank.TEN, Suit.HEARTS)),
        ("10H", Card(Rank.TEN, Suit.HEARTS)),
        ("TH", Card(Rank.TEN, Suit.HEARTS)),
        (" A♠\ufe0f ", Card(Rank.ACE, Suit.SPADES)),
        ("2♧", Card(Rank.TWO, Suit.CLUBS)),
        ("JK", JOLLY),
        ("jolly", JOLLY),
        ("JD", Card(Rank.JACK, Suit.DIAMONDS)),
    ],
)
def test_text_names_a_card(text: str, card: Card) -> None:
    assert Card.parse(text) == card


@pytest.mark.parametrize("text", ["", " ", "K", "♥", "1♥", "11♥", "KX", "K♥♥", "♥K", "JKK", "0H"])
def test_other_text_is_an_error_that_shows_it(text: str) -> None:
    with pytest.raises(CardError) as error:
        Card.parse(text)
    assert error.value.text == text


@pytest.mark.parametrize("parts", [(Rank.ACE, None), (None, Suit.CLUBS)])
def test_half_a_card_is_none(parts: tuple[Rank | None, Suit | None]) -> None:
    with pytest.raises(CardError):
        Card(*parts)


def test_faces_in_the_readers_order() -> None:
    assert len(FACES) == NO_CARD_INDEX == 53
    assert [card.index for card in FACES] == list(range(53))
    assert cards_text([FACES[i] for i in (0, 12, 13, 26, 39, 51, 52)]) == "A♥ K♥ A♦ A♣ A♠ K♠ JK"


def test_faces_are_values() -> None:
    assert len(set(FACES)) == 53
    assert all(Card.parse(str(card)) == card == pickle.loads(pickle.dumps(card)) for card in FACES)
    assert FACES[0] != "A♥"
    assert [str(card) for card in FACES if card.is_two] == ["2♥", "2♦", "2♣", "2♠"]


def test_cards_read_and_write() -> None:
    assert parse_cards("") == ()
    assert cards_text(parse_cards(" 3h,4H;  jk\n10♠ ")) == "3♥ 4♥ JK 10♠"
    with pytest.raises(CardError, match="3X"):
        parse_cards("3♥ 3X")


@settings(derandomize=True, deadline=None, max_examples=50)
@given(st.text(max_size=6))
def test_any_text_is_a_card_or_a_card_error(text: str) -> None:
    try:
        assert Card.parse(text) in FACES
    except CardError as error:
        assert error.text == text


def test_deck_counts_and_limits() -> None:
    deck = Deck()
    assert (deck.size, deck.copies(JOLLY), deck.copies(FACES[0])) == (108, 4, 2)
    assert Deck(packs=2, jollies_per_pack=0).size == 104
    assert deck.faults(()) == ()
    assert deck.faults([*FACES, *FACES, JOLLY, JOLLY]) == ()
    assert cards_text(deck.faults(parse_cards("JK JK JK JK JK 7♥ 7♥ 7♥ 3♥ 3♥"))) == "7♥ JK"


def test_every_word_that_is_no_card_is_named() -> None:
    with pytest.raises(CardError) as error:
        parse_cards("3♥ XX 4♥ 11H, zz")
    assert error.value.text == "XX 11H zz"


@settings(derandomize=True, deadline=None, max_examples=500)
@given(st.one_of(st.text(max_size=60), st.text(alphabet="23456789TJQKAHDCS♥♦♣♠ ,;10\ufe0f", max_size=40)))
def test_any_text_is_cards_or_a_card_error(text: str) -> None:
    try:
        cards = parse_cards(text)
    except CardError as error:
        assert error.text and all(word in text for word in error.text.split())
    else:
        assert parse_cards(cards_text(cards)) == cards
