"""One way to read a meld, card by card: what each place holds, the class and why, the points."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scoring.arrangements import SUIT_CARDS, Arrangement, MeldKind
from scoring.cards import FACES, JOLLY_INDEX, Card
from scoring.classes import BurracoClass, ClassReason, class_of_run, class_of_set
from scoring.sections import Regolamento


@dataclass(frozen=True, slots=True)
class Place:
    """A card where it counts: `stands_for` is itself unless it is wild.

    In a combinazione a wild stands for a card of the rank in the first suit the packs can still give.
    """

    card: Card
    stands_for: Card
    wild: bool


@dataclass(frozen=True, slots=True)
class MeldReading:
    """One legal way to read a meld; places run as the cards lie, rising or falling.

    `name` is what the regolamento calls the class.
    """

    kind: MeldKind
    places: tuple[Place, ...]
    classe: BurracoClass
    why: ClassReason
    card_points: int
    bonus: int
    name: str = ""

    @property
    def points(self) -> int:
        """Card points and bonus."""
        return self.card_points + self.bonus

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards in this reading's order; laid so, they read as this."""
        return tuple(place.card for place in self.places)

    @property
    def wild(self) -> Place | None:
        """The place of the wild, if there is one."""
        return next((place for place in self.places if place.wild), None)

    @property
    def naturals_before_wild(self) -> int:
        """Naturals before the wild in the order of the places; all of them without a wild."""
        return next((i for i, place in enumerate(self.places) if place.wild), len(self.places))

    @property
    def naturals_after_wild(self) -> int:
        """Naturals after the wild in the order of the places; none without a wild."""
        return max(0, len(self.places) - self.naturals_before_wild - 1)


def reading_of(arrangement: Arrangement, falling: bool, regolamento: Regolamento) -> MeldReading:
    """An arrangement as a reading; `falling` where the cards lie from the highest place down."""
    size, wild_at = len(arrangement.faces), arrangement.wild_at
    if arrangement.kind is MeldKind.COMBINAZIONE:
        classe, why = class_of_set(size, int(wild_at >= 0), regolamento)
        stands_for = _set_wild(arrangement, regolamento)
    else:
        classe, why = class_of_run(arrangement.low, size, wild_at, regolamento)
        stands_for = _run_wild(arrangement)
    places = [
        Place(FACES[face], FACES[stands_for], True) if i == wild_at else _NATURALS[face]
        for i, face in enumerate(arrangement.faces)
    ]
    if falling:
        places.reverse()
        why = why.seen_falling
    names, bonus = regolamento.names, regolamento.bonus.of(classe)
    return MeldReading(arrangement.kind, tuple(places), classe, why, arrangement.card_points, bonus, names.of(classe))


def unclear_reading(arrangement: Arrangement, reading: MeldReading, regolamento: Regolamento) -> MeldReading | None:
    """Where the words for reale sporco ("A..K or natural 2..A with a wild") can be understood in two ways.

    They leave open a wild on the 2 of 2..A, and thirteen naturals with the wild as a fourteenth (RULES 2, 10).

    >>> from scoring.cards import parse_cards
    >>> from scoring.meld import read_meld
    >>> from scoring.regolamento import load_regolamento
    >>> cards = parse_cards("A♥ 2♥ 3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥ J♥ Q♥ K♥ JK")
    >>> meld = read_meld(cards, load_regolamento("fitab"))
    >>> meld.classe.value, meld.unclear.classe.value, read_meld(cards, load_regolamento("fibur")).unclear
    ('reale_sporco', 'semipulito', None)
    """
    size, rules = len(arrangement.faces), regolamento.classes
    long_run = reading.kind is MeldKind.SEQUENZA and size >= max(SUIT_CARDS, rules.burraco_cards)
    if not (rules.reale_sporco and long_run and reading.wild):
        return None
    if reading.classe is not BurracoClass.REALE_SPORCO:
        return replace(
            reading,
            classe=BurracoClass.REALE_SPORCO,
            why=ClassReason.THIRTEEN_WITH_WILD,
            bonus=regolamento.bonus.reale_sporco,
            name=regolamento.names.reale_sporco,
        )
    if size == SUIT_CARDS:
        return None
    plain = replace(regolamento, classes=replace(rules, reale_sporco=False))
    classe, why = class_of_run(arrangement.low, size, arrangement.wild_at, plain)
    falling = reading.places[0].card != FACES[arrangement.faces[0]]
    return replace(
        reading,
        classe=classe,
        why=why.seen_falling if falling else why,
        bonus=plain.bonus.of(classe),
        name=plain.names.of(classe),
    )


def _run_wild(arrangement: Arrangement) -> int:
    suit = arrangement.faces[0 if arrangement.wild_at else 1] // SUIT_CARDS
    return suit * SUIT_CARDS + (arrangement.low + arrangement.wild_at - 1) % SUIT_CARDS


def _set_wild(arrangement: Arrangement, regolamento: Regolamento) -> int:
    rank = arrangement.faces[0 if arrangement.wild_at else 1] % SUIT_CARDS
    of_rank = range(rank, JOLLY_INDEX, SUIT_CARDS)
    return next((f for f in of_rank if arrangement.faces.count(f) < regolamento.deck.packs), rank)


_NATURALS = tuple(Place(card, card, False) for card in FACES)
