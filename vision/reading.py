"""The rules choose the most probable legal reading of the table, and say what they changed.

Any card may stay loose. The rules change a card only inside a group of three or more that lies as a meld, and only to
one of its own scored alternatives within a stated likelihood ratio; what they changed is marked `inferred`, and asked
where the points depend on it.
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from scoring.cards import FACES, Card
from scoring.meld import legal, read_meld
from vision.doubts import find_doubts
from vision.layout import Group, Role
from vision.table import (
    Alternative,
    Answer,
    Doubt,
    DoubtKind,
    MeldSeen,
    Quad,
    ReadCard,
    ReadingFormatError,
    Source,
    TableReading,
    quad_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoring.regolamento import Regolamento
    from vision.cards import SeenCard

__all__ = [
    "Alternative",
    "Answer",
    "Doubt",
    "DoubtKind",
    "MeldSeen",
    "Quad",
    "ReadCard",
    "ReadingFormatError",
    "ReadingTuning",
    "Source",
    "TableReading",
    "read_table",
]

JOLLY: Final = 52


@dataclass(frozen=True, slots=True)
class ReadingTuning:
    """How far the rules may go. Costs are nats: log of how much less probable than the best answer."""

    max_cost: float = 2.0
    max_total_cost: float = 5.0
    answers_per_card: int = 4
    changed_share: float = 0.34
    solutions: int = 6
    most_tries: int = 400
    ask_above: float = 0.02


@dataclass(frozen=True, slots=True)
class Solution:
    """Faces for the cards of a group, and how much less probable than the best answers they are."""

    faces: tuple[int, ...]
    cost: float


@dataclass(frozen=True, slots=True)
class _Choice:
    """A group, the legal solutions found for it (the best answers alone where there is none), and the one chosen."""

    cards: tuple[SeenCard, ...]
    crosswise: tuple[int, ...]
    solutions: tuple[Solution, ...]
    is_legal: bool
    chosen: int = 0

    @property
    def faces(self) -> tuple[int, ...]:
        return self.solutions[self.chosen].faces


def read_table(
    groups: Sequence[Group], regolamento: Regolamento, *, rules: bool = True, tuning: ReadingTuning | None = None
) -> TableReading:
    """Names for all cards: their best answers, mended by the rules of `regolamento` unless `rules` is false.

    Quads stay in the pixels of the seen cards.
    """
    tuning = tuning or ReadingTuning()
    loose = [card for group in groups if group.role is Role.LOOSE for card in group.cards]
    choices: list[_Choice] = []
    left_out: list[tuple[int, SeenCard]] = []
    unread: list[tuple[int, Quad, tuple[Card, ...]]] = []
    for group in groups:
        if group.role is not Role.MELD:
            continue
        choice = _plain(group) if not rules else _chosen(group, regolamento, tuning)
        for card in set(group.cards) - set(choice.cards) if len(choice.cards) < len(group.cards) else ():
            left_out.append((len(choices), card))
        for hidden in group.unread:
            unread.append((len(choices), quad_of(hidden.quad), tuple(FACES[face] for face in hidden.faces)))
        choices.append(choice)
    if rules:
        choices = _capped(choices, loose, regolamento)
    melds = tuple(_meld_seen(choice, regolamento, rules) for choice in choices)
    loose_cards = tuple(_read_card(card, card.best) for card in [*loose, *(card for _, card in left_out)])
    reading = TableReading(melds, loose_cards)
    if not rules:
        return reading
    out = [(meld, FACES[card.best]) for meld, card in left_out]
    return replace(reading, doubts=find_doubts(reading, out, unread, regolamento, tuning.ask_above))


def _plain(group: Group) -> _Choice:
    best = Solution(tuple(card.best for card in group.cards), 0.0)
    return _Choice(group.cards, group.crosswise, (best,), False)


def _chosen(group: Group, regolamento: Regolamento, tuning: ReadingTuning) -> _Choice:
    """The group's legal solutions, the most probable first; one end or crosswise card may be left out for it."""
    found = tuple(_legal_solutions(group.cards, regolamento, tuning))
    if found:
        return _Choice(group.cards, group.crosswise, found, True)
    plain = _plain(group)
    ends = dict.fromkeys([*group.crosswise, len(group.cards) - 1, 0])
    if len(group.cards) > 3:
        for out in ends:
            rest = plain.faces[:out] + plain.faces[out + 1 :]
            if legal([FACES[face] for face in rest], regolamento):
                cards = group.cards[:out] + group.cards[out + 1 :]
                crosswise = tuple(at - (at > out) for at in group.crosswise if at != out)
                return _Choice(cards, crosswise, (Solution(rest, 0.0),), True)
    return plain


def candidates(card: SeenCard, tuning: ReadingTuning) -> list[tuple[float, int]]:
    """The faces a card may be, the best first: cost and face, within the stated likelihood ratio."""
    scores = card.log_probs[: JOLLY + 1]
    order = np.argsort(-scores, kind="stable")[: tuning.answers_per_card]
    costs = scores[order[0]] - scores[order]
    pairs = zip(costs, order, strict=True)
    return [(float(cost), int(face)) for cost, face in pairs if cost <= tuning.max_cost]


def _legal_solutions(cards: Sequence[SeenCard], regolamento: Regolamento, tuning: ReadingTuning) -> Iterator[Solution]:
    """Legal combinations of the cards' answers, by rising cost."""
    options = [candidates(card, tuning) for card in cards]
    most_changed = max(1, int(len(cards) * tuning.changed_share))
    start = (0,) * len(cards)
    queue: list[tuple[float, tuple[int, ...], int]] = [(0.0, start, 0)]
    found = tries = 0
    while queue and found < tuning.solutions and tries < tuning.most_tries:
        cost, picks, first = heapq.heappop(queue)
        tries += 1
        faces = tuple(options[i][pick][1] for i, pick in enumerate(picks))
        if legal([FACES[face] for face in faces], regolamento):
            found += 1
            yield Solution(faces, cost)
        changed = sum(pick > 0 for pick in picks)
        for i in range(first, len(cards)):
            pick = picks[i] + 1
            if pick >= len(options[i]) or (picks[i] == 0 and changed >= most_changed):
                continue
            total = cost - options[i][picks[i]][0] + options[i][pick][0]
            if total <= tuning.max_total_cost:
                heapq.heappush(queue, (total, (*picks[:i], pick, *picks[i + 1 :]), i))


def _capped(choices: list[_Choice], loose: Sequence[SeenCard], regolamento: Regolamento) -> list[_Choice]:
    """Where a face lies there too often, the cheapest other solution of a meld that has it, if one helps."""
    choices = list(choices)
    for _ in range(len(choices) * 2):
        counts = Counter(face for choice in choices for face in choice.faces)
        counts.update(card.best for card in loose)
        excess = _excess(counts, regolamento)
        if not excess:
            break
        moves = []
        for n, choice in enumerate(choices):
            for k, solution in enumerate(choice.solutions):
                after = counts - Counter(choice.faces)
                after.update(solution.faces)
                if choice.is_legal and _excess(after, regolamento) < excess:
                    moves.append((solution.cost - choice.solutions[choice.chosen].cost, n, k))
        if not moves:
            break
        _, n, k = min(moves)
        choices[n] = replace(choices[n], chosen=k)
    return choices


def _excess(counts: Counter[int], regolamento: Regolamento) -> int:
    return sum(max(0, count - regolamento.deck.copies(FACES[face])) for face, count in counts.items())


def _meld_seen(choice: _Choice, regolamento: Regolamento, rules: bool) -> MeldSeen:
    """The chosen names; put into a legal order where the geometry's order is none."""
    cards = [_read_card(card, face) for card, face in zip(choice.cards, choice.faces, strict=True)]
    crosswise = choice.crosswise
    if rules and choice.is_legal:
        meld = read_meld([card.card for card in cards], regolamento)
        if not meld.legal and meld.alternatives:
            order = _order_of(meld.alternatives[0].cards, [card.card for card in cards])
            crosswise = tuple(sorted(order.index(at) for at in crosswise))
            cards = [cards[at] for at in order]
    return MeldSeen(tuple(cards), crosswise)


def _order_of(wanted: Sequence[Card], laid: Sequence[Card]) -> list[int]:
    """Positions in `laid` that spell `wanted`, which has the same cards."""
    free = list(range(len(laid)))
    order = []
    for card in wanted:
        at = next(i for i in free if laid[i] == card)
        free.remove(at)
        order.append(at)
    return order


def _read_card(card: SeenCard, face: int) -> ReadCard:
    probs = np.exp(card.log_probs[: JOLLY + 1].astype(np.float64))
    probs /= max(float(probs.sum()), 1e-12)
    others = [int(i) for i in np.argsort(-probs)[:5] if i != face and probs[i] >= 0.001]
    source = Source.SEEN if face == card.best else Source.INFERRED
    alternatives = tuple(Alternative(FACES[i], float(probs[i])) for i in others)
    return ReadCard(FACES[face], quad_of(card.quad), float(probs[face]), source, alternatives)
