"""The engine beside the naive oracle, on one meld."""

from __future__ import annotations

from scoring.cards import Card
from scoring.meld import legal, read_meld
from scoring.regolamento import Regolamento
from tests.scoring.oracle import alternatives, answer, read_any_order


def difference(cards: tuple[Card, ...], rules: Regolamento, full: bool = False) -> str | None:
    """What the engine says of a meld and the oracle does not; None where they agree.

    `full` lets the oracle try every permutation instead of the orders among which it finds them all.
    """
    meld, expected = read_meld(cards, rules), answer(cards, rules)
    others = [(reading.classe.value, reading.points) for reading in meld.alternatives]
    pairs = {
        "answer": (
            (meld.classe.value, meld.card_points, meld.bonus) if meld.legal else None,
            expected[:3] if expected else None,
        ),
        "alternatives": (sorted(others), sorted(alternatives(cards, rules, full))),
        "legal in some order": (legal(cards, rules), bool(read_any_order(cards, rules, full))),
        "legal without faults": (meld.legal, not meld.faults),
    }
    wrong = [f"{what}: {got}, expected {want}" for what, (got, want) in pairs.items() if got != want]
    return "; ".join(wrong) or None
