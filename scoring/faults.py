"""Why cards are no meld: every fault at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import IntFlag, auto

from scoring.arrangements import HIGH_ACE, LOW_ACE, RANKS, SUIT_CARDS, Parts, parts_of
from scoring.cards import FACES, JOLLY, Suit
from scoring.sections import Aces, Regolamento


class MeldFault(IntFlag):
    """Faults of a meld; VALID is none."""

    VALID = 0
    TOO_FEW_CARDS = auto()
    TOO_MANY_WILDS = auto()
    ONLY_WILDS = auto()
    MIXED_CARDS = auto()
    REPEATED_RANK = auto()
    GAP = auto()
    TURNS_CORNER = auto()
    RUN_TOO_LONG = auto()
    SET_TOO_LARGE = auto()
    RANK_NOT_ALLOWED = auto()
    TOO_MANY_COPIES = auto()
    NO_JOLLY_IN_DECK = auto()
    OUT_OF_ORDER = auto()
    ACE_AT_BOTH_ENDS = auto()


def faults_of(faces: Sequence[int], regolamento: Regolamento) -> MeldFault:
    """All faults of cards that are no meld in any order; never VALID for such cards.

    >>> from scoring.cards import parse_cards
    >>> from scoring.regolamento import load_regolamento
    >>> def faults(text: str, name: str = "fibur") -> list[str]:
    ...     found = faults_of([card.index for card in parse_cards(text)], load_regolamento(name))
    ...     return [str(fault.name).lower() for fault in MeldFault if fault in found]
    >>> faults("7♥ 9♥"), faults("2♥ JK")
    (['too_few_cards', 'gap'], ['too_few_cards', 'too_many_wilds', 'only_wilds'])
    >>> faults("5♥ 6♦ 7♥"), faults("5♥ 5♥ 6♥"), faults("K♥ A♥ 2♥ 3♥")
    (['mixed_cards'], ['repeated_rank'], ['turns_corner'])
    >>> faults("7♥ 7♥ 7♥"), faults("3♥ 4♥ 5♥ JK", "reale"), faults("7♥ 7♠ 7♦", "internazionale")
    (['too_many_copies'], ['no_jolly_in_deck'], ['rank_not_allowed'])
    >>> faults("A♥ 2♥ 3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥ J♥ Q♥ K♥ A♥"), faults("A♥ A♥ 2♥ 3♥")
    (['ace_at_both_ends'], ['repeated_rank'])
    """
    parts = parts_of(faces)
    found = MeldFault.VALID
    if parts.jollies and not regolamento.deck.jollies_per_pack:
        found |= MeldFault.NO_JOLLY_IN_DECK
    elif parts.jollies > regolamento.deck.copies(JOLLY):
        found |= MeldFault.TOO_MANY_COPIES
    if regolamento.deck.faults(FACES[face] for face in (*parts.twos, *parts.others)):
        found |= MeldFault.TOO_MANY_COPIES
    if not parts.others:
        return found | _wild_only_faults(faces, regolamento)
    ranks = Counter(face % SUIT_CARDS for face in parts.others)
    suits = Counter(face // SUIT_CARDS for face in parts.others)
    if len(ranks) > 1 and len(suits) > 1:
        found |= MeldFault.MIXED_CARDS
    one_rank = len(ranks) == 1 and len(parts.others) > 1
    if one_rank or max(ranks.values()) > max(suits.values()):
        return found | _set_faults(faces, parts, regolamento)
    found |= _run_faults(faces, parts, suits.most_common(1)[0][0], regolamento)
    # no card is missing and none lies twice: a 2 that could be the wild fits on its own place only, one natural more
    return found or MeldFault.RUN_TOO_LONG


def _wild_only_faults(faces: Sequence[int], regolamento: Regolamento) -> MeldFault:
    found = MeldFault.ONLY_WILDS if faces else MeldFault.VALID
    if len(faces) < min(regolamento.runs.min_cards, regolamento.sets.min_cards):
        found |= MeldFault.TOO_FEW_CARDS
    if len(faces) > regolamento.wilds.per_meld:
        found |= MeldFault.TOO_MANY_WILDS
    return found


def _set_faults(faces: Sequence[int], parts: Parts, regolamento: Regolamento) -> MeldFault:
    rules, found = regolamento.sets, MeldFault.VALID
    if len(faces) < rules.min_cards:
        found |= MeldFault.TOO_FEW_CARDS
    if parts.jollies + len(parts.twos) > regolamento.wilds.per_meld:
        found |= MeldFault.TOO_MANY_WILDS
    if len(parts.others) > min(rules.max_naturals, len(Suit) * regolamento.deck.packs):
        found |= MeldFault.SET_TOO_LARGE
    if any(RANKS[face % SUIT_CARDS] not in rules.ranks for face in parts.others):
        found |= MeldFault.RANK_NOT_ALLOWED
    return found


def _run_faults(faces: Sequence[int], parts: Parts, suit: int, regolamento: Regolamento) -> MeldFault:
    rules, most = regolamento.runs, regolamento.wilds.per_meld
    own = parts.twos.count(suit * SUIT_CARDS + 1)
    hard = parts.jollies + len(parts.twos) - own
    found = MeldFault.VALID
    if len(faces) < rules.min_cards:
        found |= MeldFault.TOO_FEW_CARDS
    counts = Counter(face % SUIT_CARDS + 1 for face in parts.others)
    if hard + max(own - 1, 0) > most or (hard + own > most and _two_is_far(set(counts), own)):
        found |= MeldFault.TOO_MANY_WILDS
    if len(faces) > HIGH_ACE or len(faces) - min(most, hard + own) > rules.max_naturals:
        found |= MeldFault.RUN_TOO_LONG
    if any(count > 1 for number, count in counts.items() if number != LOW_ACE):
        found |= MeldFault.REPEATED_RANK
    aces, two_ends = counts[LOW_ACE], rules.aces is Aces.BOTH_ENDS
    gap = _gap_faults(set(counts) | ({HIGH_ACE} if aces > 1 else set()), own, hard, most)
    if two_ends:
        return found | gap | (MeldFault.REPEATED_RANK if aces > 2 else MeldFault.VALID)
    if aces == 2 and not gap and not found & MeldFault.REPEATED_RANK:
        return found | MeldFault.ACE_AT_BOTH_ENDS
    return (
        found | _gap_faults(set(counts), own, hard, most) | (MeldFault.REPEATED_RANK if aces > 1 else MeldFault.VALID)
    )


def _two_is_far(numbers: set[int], own: int) -> bool:
    """Whether a 2 of the suit lies too far from the rest to be natural, and so can only be meant as a wild."""
    return bool(own) and _missing(numbers | {2}) > _missing(numbers)


def _gap_faults(numbers: set[int], own: int, hard: int, most: int) -> MeldFault:
    """Missing cards no wild fills; where only the way round past the ace would join them, the corner."""
    choices = [(numbers, hard + own)] + ([(numbers | {2}, hard + own - 1)] if own else [])
    allowed = [choice for choice in choices if choice[1] <= most] or choices
    if any(_missing(places) <= wilds for places, wilds in allowed):
        return MeldFault.VALID
    corner = any(
        places & {LOW_ACE, HIGH_ACE} == {LOW_ACE} and _missing_round(places) <= wilds for places, wilds in allowed
    )
    return MeldFault.TURNS_CORNER if corner else MeldFault.GAP


def _missing(numbers: set[int]) -> int:
    """Cards missing between the lowest and the highest, the ace where it suits best."""
    spans = [numbers]
    if LOW_ACE in numbers and HIGH_ACE not in numbers:
        spans.append(numbers - {LOW_ACE} | {HIGH_ACE})
    return min(max(places) - min(places) + 1 - len(places) for places in spans)


def _missing_round(numbers: set[int]) -> int:
    """The same on a circle, where the king's neighbour is the ace."""
    order = sorted(numbers)
    steps = [
        (after - before) % SUIT_CARDS or SUIT_CARDS for before, after in zip(order, order[1:] + order[:1], strict=True)
    ]
    return SUIT_CARDS - max(steps) + 1 - len(order)
