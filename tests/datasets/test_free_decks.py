"""Free decks: nothing installed is no fault, and a small deck of our own shows that indices are found and packed."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from datasets.card_art import RENDERER, Source
from datasets.decks import make_deck
from datasets.find_index import find_indices, mark_spots
from datasets.free_decks import ROOTS, SOURCES, free_decks, load_pack, read_deck, save_pack, vary
from scoring.cards import FACES

WIDTH, HEIGHT = 100, 150  # of a card in the small SVG deck
needs_renderer = pytest.mark.skipif(shutil.which(RENDERER) is None, reason=f"{RENDERER} (librsvg2-bin) is missing")


def _glyph(x: int, y: int, number: int, colour: str) -> str:
    """A rank as a bar with `number` notches, a suit as a square below it: shapes are enough for a finder of boxes."""
    wide = 8 + number % 5
    return (
        f'<rect x="{x}" y="{y}" width="{wide}" height="18" fill="{colour}"/>'
        f'<rect x="{x + wide / 2 - 4}" y="{y + 21}" width="8" height="10" fill="{colour}"/>'
    )


def _grid_svg() -> str:
    cards = []
    for row in range(5):
        for column in range(13 if row < 4 else 3):
            colour = ("black", "red", "red", "black", "blue")[row]
            half = _glyph(7, 8, column, colour) if row < 4 else '<circle cx="14" cy="16" r="7" fill="red"/>'
            middle = '<circle cx="50" cy="75" r="12" fill="green"/>' if column % 2 else ""
            cards.append(
                f'<g transform="translate({column * WIDTH},{row * HEIGHT})">'
                f'<rect x="1" y="1" width="98" height="148" rx="6" fill="#fffdf5" stroke="black"/>'
                f'{half}{middle}<g transform="rotate(180 50 75)">{half}</g></g>'
            )
    size = f'width="{13 * WIDTH}" height="{5 * HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(cards)}</svg>'


@pytest.fixture(scope="module")
def small_deck(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("art")
    (folder / "own.svg").write_text(_grid_svg())
    deck = read_deck(Source("own", "own.svg"), [folder], "train", 7)
    assert deck is not None
    return deck


def test_nothing_installed_gives_no_decks(tmp_path: Path) -> None:
    assert free_decks("train", [tmp_path]) == ()


def test_no_deck_is_both_trained_on_and_kept_unseen() -> None:
    train, unseen = ({s.name for s in SOURCES[split]} for split in ("train", "val"))
    assert not train & unseen and len(unseen) >= 5


@needs_renderer
def test_a_small_deck_has_its_indices_where_they_were_drawn(small_deck) -> None:
    assert small_deck.faces.shape[0] == len(FACES) + 2 and small_deck.seed == 7
    scale = small_deck.faces.shape[1] / 148.5  # the SVG's own card with half of its outline
    for face, spots in enumerate(small_deck.spots[:52]):
        wide = 8 + face % 13 % 5
        assert [s.turned for s in spots] == [False, True]
        expected = np.array([7, 8, 7 + wide, 26]) * scale
        assert np.abs(np.array(spots[0].rank_xyxy) - expected).max() < 2.5, FACES[face]
        assert spots[0].box_xyxy[3] == pytest.approx(39 * scale, abs=2.5)
    assert len(small_deck.spots[52]) == 2


@needs_renderer
def test_the_outline_round_a_card_is_gone(small_deck) -> None:
    ace = small_deck.faces[0, :, :, :3]
    assert ace[small_deck.faces.shape[1] // 2, 0].min() > 230 and ace[0, ace.shape[1] // 2].min() > 230


@needs_renderer
def test_a_pack_reads_back(small_deck, tmp_path: Path) -> None:
    save_pack([small_deck], tmp_path / "decks.npz")
    (again,) = load_pack(tmp_path / "decks.npz")
    assert again.spots == small_deck.spots and again.split == "train" and again.seed == 7
    assert np.abs(again.faces.astype(int) - small_deck.faces).mean() < 2
    assert (again.width_mm, again.free_rank_mm) == (small_deck.width_mm, small_deck.free_rank_mm)


def test_the_finder_agrees_with_decks_that_know_their_indices() -> None:
    for seed in (3, 6):  # decks with the suit below the rank, as all the free ones have it
        deck = make_deck(seed, "train", four_indices=seed == 3, joker="star")
        faces = {str(c): deck.faces[i, :, :, :3] for i, c in enumerate(FACES[:52])}
        found = find_indices(faces)
        assert found is not None
        off = [
            np.abs(np.array(a.rank_xyxy) - b.rank_xyxy).max()
            for i, c in enumerate(FACES[:52])
            for a, b in zip(found[str(c)], deck.spots[i], strict=True)
        ]
        assert np.percentile(off, 95) <= 3.0
        assert len(mark_spots(deck.faces[52, :, :, :3])) == len(deck.spots[52])


def test_a_varied_deck_keeps_its_places_and_changes_its_print() -> None:
    deck = make_deck(3)
    other = vary(deck, np.random.default_rng(1))
    assert other.spots == deck.spots and np.array_equal(other.faces[..., 3], deck.faces[..., 3])
    assert not np.array_equal(other.faces, deck.faces) and 85 <= other.height_mm <= 91
    assert np.array_equal(other.faces, vary(deck, np.random.default_rng(1)).faces)
    assert other.free_rank_mm / other.height_mm == pytest.approx(deck.free_rank_mm / deck.height_mm)


@needs_renderer
def test_an_installed_deck_is_read() -> None:
    source = SOURCES["val"][0]
    if not any((root / source.path).exists() for root in ROOTS):
        pytest.skip("the Debian package gnome-cards-data is not installed")
    deck = read_deck(source, ROOTS, "val")
    assert deck is not None and {len(s) for s in deck.spots} == {2}
