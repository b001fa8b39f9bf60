"""Decks: what is printed lies where the labels say, and nothing else lies there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import datasets.style
from datasets.decks import Deck, make_deck
from datasets.strokes import Hand, stroke_glyph
from datasets.style import FACE_HEIGHT_PX, JOLLIES, random_style
from scoring.cards import FACES, Card

GLYPHS = "A234567891JQK0"
JOLLY = FACES.index(Card.parse("JK"))


def _ink(deck: Deck, face: int, box: tuple[float, float, float, float]) -> np.ndarray:
    """Where a box of a face differs from the paper."""
    x0, y0, x1, y1 = (round(v) for v in box)
    paper = deck.faces[0, FACE_HEIGHT_PX // 2, 8, :3].astype(int)
    return np.asarray(np.abs(deck.faces[face, y0:y1, x0:x1, :3].astype(int) - paper).sum(2) > 60)


@pytest.mark.parametrize("split", ["train", "val"])
def test_same_seed_same_deck(split: str) -> None:
    a, b = make_deck(11, split), make_deck(11, split)
    assert np.array_equal(a.faces, b.faces)
    assert a.spots == b.spots


@pytest.mark.parametrize("seed", range(4))
def test_every_index_is_printed_in_its_box(seed: int) -> None:
    deck = make_deck(seed)
    for face in range(JOLLY):
        for spot in deck.spots[face]:
            assert _ink(deck, face, spot.rank_xyxy).mean() > 0.08
            assert _ink(deck, face, spot.box_xyxy).mean() > 0.08


@pytest.mark.parametrize("kind", sorted(set(JOLLIES)))
@pytest.mark.parametrize("seed", [1, 2])
def test_a_jolly_shows_its_mark_and_no_more_of_it_than_a_rank_and_suit_take(kind: str, seed: int) -> None:
    deck = make_deck(seed, joker=kind)
    spots = deck.spots[JOLLY]
    assert len(spots) == (0 if kind == "nothing" else len(deck.spots[0]))
    for spot in spots:
        x0, y0, x1, y1 = spot.box_xyxy
        assert 0 <= x0 < x1 <= deck.faces.shape[2] and 0 <= y0 < y1 <= FACE_HEIGHT_PX
        assert _ink(deck, JOLLY, spot.box_xyxy).mean() > 0.04
        tallest = deck.free_index_mm * deck.px_per_mm + x1 - x0 + 0.08 * FACE_HEIGHT_PX
        assert y1 - y0 <= tallest


@pytest.mark.parametrize("seed", range(5))
def test_no_pip_lies_under_an_index(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.decks._stamp_index", _measured)
    deck = make_deck(seed, joker="nothing")
    for name in ("A♥", "2♠", "5♦", "8♣", "10♠"):
        face = FACES.index(Card.parse(name))
        for spot in deck.spots[face]:
            x0, y0, x1, y1 = spot.box_xyxy
            assert not _ink(deck, face, (max(x0, 6), max(y0, 6), x1, y1))[:, :-2].any(), name


def _measured(upright: object, style: object, rank: np.ndarray, suit: np.ndarray, centre: float, *_: object) -> object:
    """A spot where an index would be, with nothing printed."""
    from datasets.spots import Spot
    from datasets.style import Style

    assert isinstance(style, Style)
    half = max(rank.shape[1], suit.shape[1]) / 2
    box = (centre - half, style.top, centre + half, style.index_bottom)
    return Spot(box, box, False)


@pytest.mark.parametrize("seed", range(20))
def test_a_hand_draws_each_glyph_differently(seed: int) -> None:
    hand = Hand.random(np.random.default_rng(seed))
    masks = [stroke_glyph(glyph, hand) for glyph in GLYPHS]
    assert all(0.93 < m.shape[0] / masks[0].shape[0] < 1.08 for m in masks)
    for i, a in enumerate(masks):
        assert not any(a.shape == b.shape and np.array_equal(a, b) for b in masks[:i])


def test_a_flat_three_has_a_level_top() -> None:
    hand = replace(Hand.random(np.random.default_rng(0)), stroke=0.1, square=2.0, three_flat=True, seven_tick=False)
    flat, round_ = (stroke_glyph("3", replace(hand, three_flat=f)) for f in (True, False))
    assert (flat[2] > 128).mean() > 0.7 > 0.5 > (round_[2] > 128).mean()


def test_validation_decks_hold_no_drawn_ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    monkeypatch.setattr(datasets.style, "stroke_glyph", lambda g, hand: drawn.append(g) or stroke_glyph(g, hand))
    for seed in range(8):
        random_style(np.random.default_rng(seed), "val")
    assert not drawn
    for seed in range(8):
        random_style(np.random.default_rng(seed), "train")
    assert drawn
