"""One card, one card: merging of noisy indices by geometry."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import pytest

from scoring.cards import FACES, parse_cards
from tests.vision.tabletop import Laid, Noise, View, lay_meld, look, random_table, read
from vision.cards import SeenCard, Slot, is_print, merge_indices
from vision.detector import Detections
from vision.reader import Readings

CLEAN = Noise(angle_deg=1, scale=0.01, corner=0.01, missed=0, misread=0)
GOOD = Noise(angle_deg=3, scale=0.05, corner=0.06)


def owners(view: View, cards) -> list[int]:
    return [view.owners[card.indices[0]] for card in cards]


def test_nothing_makes_no_card():
    assert merge_indices(Detections.empty(), Readings(np.zeros((0, 54), np.float32), np.zeros((0, 64)))) == []


def test_unequal_rows_are_refused():
    with pytest.raises(ValueError, match="1 readings for 0"):
        merge_indices(Detections.empty(), Readings(np.zeros((1, 54), np.float32), np.zeros((1, 64))))


@pytest.mark.parametrize("four", [False, True])
def test_one_card_is_one_card_whatever_its_indices(four):
    view = look([Laid(*parse_cards("K♥"), 0, 0, 30)], np.random.default_rng(0), four=four, noise=CLEAN)
    (card,) = merge_indices(view.detections, view.readings)
    assert len(card.indices) == (4 if four else 2)
    assert FACES[card.best] == parse_cards("K♥")[0]
    assert set(card.slots) == (set(Slot) if four else {Slot.TOP_LEFT, Slot.BOTTOM_RIGHT})
    rolls = [np.abs(np.roll(card.quad, k, axis=0) - view.quads[0]).max() for k in (0, 2)]
    assert min(rolls) < 3


def test_none_and_backs_make_no_card():
    view = look([Laid(*parse_cards("K♥"), 0, 0)], np.random.default_rng(0), noise=CLEAN)
    log_probs = view.readings.log_probs.copy()
    log_probs[:, 53] = 5
    assert merge_indices(view.detections, Readings(log_probs, view.readings.embeddings)) == []
    found = view.detections
    backs = Detections(found.boxes_xyxy, found.scores, found.classes + 1, found.corners)
    assert merge_indices(backs, view.readings) == []


def test_a_misread_index_is_outvoted_on_its_own_card():
    rng = np.random.default_rng(3)
    view = look([Laid(*parse_cards("9♠"), 0, 0)], rng, noise=CLEAN)
    log_probs = view.readings.log_probs.copy()
    log_probs[1] = np.log(np.roll(np.exp(read(FACES[44], rng)) * 0.5 + 0.5 / 54, 1))
    (card,) = merge_indices(view.detections, Readings(log_probs, view.readings.embeddings))
    assert len(card.indices) == 2


@pytest.mark.parametrize("step", [(17.0, 0.0), (22.0, 0.0), (0.0, 22.0), (0.0, 30.0)])
@pytest.mark.parametrize("four", [False, True])
def test_equal_neighbours_stay_two(step, four):
    kept = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        laid = lay_meld(parse_cards("7♠ 7♠ 7♦ 7♦"), 0, 0, step=step, rng=rng)
        view = look(laid, rng, four=four, noise=GOOD)
        kept += set(owners(view, merge_indices(view.detections, view.readings))) == set(view.owners)
    assert kept >= 9


@pytest.mark.parametrize("four", [False, True])
def test_two_pack_tables_keep_pairs_and_count_once(four):
    pairs = kept = cards = twice = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        laid = random_table(rng)
        view = look(laid, rng, four=four, tilt=float(rng.uniform(0, 50)), noise=GOOD)
        seen = Counter(owners(view, merge_indices(view.detections, view.readings)))
        by_face = defaultdict(list)
        for owner in set(view.owners):
            by_face[laid[owner].card].append(owner)
        equal = [two for two in by_face.values() if len(two) == 2]
        pairs += len(equal)
        kept += sum(all(seen[owner] for owner in two) for two in equal)
        cards += len(set(view.owners))
        twice += sum(count > 1 for count in seen.values())
    assert kept >= 0.95 * pairs
    assert twice <= 0.02 * cards


def test_doubles_of_one_index_count_once():
    view = look([Laid(*parse_cards("K♥"), 0, 0)], np.random.default_rng(0), noise=CLEAN)
    doubled = Detections.joined([view.detections, view.detections.moved(1, (2, 1))])
    readings = Readings(np.tile(view.readings.log_probs, (2, 1)), np.tile(view.readings.embeddings, (2, 1)))
    assert len(merge_indices(doubled, readings)) == 1


def card(probs: dict[str, float], score: float = 0.8, indices: tuple[int, ...] = (0,)) -> SeenCard:
    """A card read as stated, the rest of the probability being no card's."""
    log_probs = np.full(54, 1e-6)
    for name, probability in probs.items():
        [face] = parse_cards(name)
        log_probs[FACES.index(face)] = probability
    log_probs[53] = max(1 - sum(probs.values()), 1e-6)
    return SeenCard(np.zeros((4, 2), np.float32), np.log(log_probs).astype(np.float32), indices, score)


def test_a_covered_suit_takes_nothing_from_a_sure_rank():
    seven = card({"7♥": 0.24, "7♦": 0.24, "7♣": 0.24, "7♠": 0.24})
    assert seven.rank_probability == pytest.approx(0.96, abs=0.01)
    assert seven.worth == pytest.approx(0.8 * 0.96, abs=0.01)
    assert card({"7♥": 0.3, "8♥": 0.3, "9♥": 0.3}).rank_probability == pytest.approx(0.3, abs=0.01)


@pytest.mark.parametrize(
    ("seen", "alone"),
    [
        (card({"JK": 0.7}, score=0.7), True),
        (card({"JK": 0.7}, score=0.7, indices=(0, 1)), False),  # two marks that agree
        (card({"JK": 0.95}, score=0.9), False),
        (card({"JK": 0.7}, score=0.8), True),  # as sure as this seven
        (card({"7♥": 0.7}, score=0.8), False),
        (card({"7♥": 0.7}, score=0.6), True),  # lace, embroidery, a word
        (card({"7♥": 0.7}, score=0.6, indices=(0, 1)), False),
    ],
)
def test_a_card_of_one_index_that_lies_alone_must_be_surer_a_jolly_more_so(seen: SeenCard, alone: bool):
    assert is_print(seen) is alone


def with_a_lone_mark(view: View, of: int, shrunk: float, askew_deg: float) -> View:
    """The view with the cards that the indices of one card predict shrunk and turned about these indices."""
    corners = view.detections.corners.copy()
    centres = view.detections.boxes_xyxy.reshape(-1, 2, 2).mean(axis=1)
    turn = np.radians(askew_deg)
    matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * shrunk
    for row in np.flatnonzero(np.array(view.owners) == of):
        corners[row] = (corners[row] - centres[row]) @ matrix + centres[row]
    return replace(view, detections=replace(view.detections, corners=corners.astype(np.float32)))


@pytest.mark.parametrize("askew_deg", [-20.0, 0.0, 20.0])
def test_a_jolly_is_as_large_as_its_neighbours_and_square_to_them_whatever_its_mark_says(askew_deg: float):
    laid = lay_meld(parse_cards("3♥ 4♥ 5♥ JK"), 0, 0, angle=30)
    view = look(laid, np.random.default_rng(1), noise=CLEAN, tilt=10)
    misled = with_a_lone_mark(view, 3, 0.55, askew_deg)
    cards = [card for card in merge_indices(misled.detections, misled.readings) if FACES[card.best].is_jolly]
    assert [len(card.indices) for card in cards] == [2]
    width = np.linalg.norm(view.quads[3][1] - view.quads[3][0])
    off = [np.linalg.norm(np.roll(cards[0].quad, k, axis=0) - view.quads[3], axis=1).max() for k in (0, 2)]
    assert min(off) < 0.25 * width


@pytest.mark.parametrize(("name", "counts"), [("JK", True), ("7♥", False)])
def test_a_weakly_found_index_counts_where_it_is_surely_read_as_a_jolly(name: str, counts: bool):
    view = look([Laid(*parse_cards(name), 0, 0)], np.random.default_rng(0), noise=CLEAN)
    weak = replace(view.detections, scores=np.full(len(view.owners), 0.2, np.float32))
    assert len(merge_indices(weak, view.readings)) == counts
