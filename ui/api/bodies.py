"""What the API takes in: checked by pydantic, turned into the values the services know."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields
from typing import Annotated, Any, Literal, Union, get_args, get_type_hints

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, create_model

from scoring.cards import Card, parse_cards
from scoring.classes import BurracoClass
from scoring.smazzata import Held, Laid, Pozzetto, Side, SideCounts, SideMelds, SideSums
from ui import commands

MAX_CARDS = 200
MAX_POINTS = 100_000

Points = Annotated[int, Field(ge=0, le=MAX_POINTS)]
CardText = Annotated[
    Card,
    BeforeValidator(lambda text: text if isinstance(text, Card) else Card.parse(str(text))),
    WithJsonSchema({"type": "string", "examples": ["K♥", "10S", "JK"], "description": "rank and suit, or JK"}),
]
CardsText = Annotated[
    tuple[Card, ...],
    BeforeValidator(lambda text: _cards(text)),
    WithJsonSchema({"type": "string", "examples": ["3♥ 4♥ 2♠ 6♥"], "description": "cards, blank between them"}),
]


def _cards(text: object) -> tuple[Card, ...]:
    if isinstance(text, list | tuple):
        text = " ".join(map(str, text))
    cards = parse_cards(str(text))
    if len(cards) > MAX_CARDS:
        raise ValueError(f"{len(cards)} cards; at most {MAX_CARDS}")
    return cards


class Body(BaseModel):
    """Root of the bodies: what is not known is refused."""

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


class HeldBody(Body):
    """Cards somebody still holds: as cards, or as the sum of their points."""

    cards: CardsText = ()
    points: Points | None = None

    def value(self) -> Held:
        """The same for scoring; ValueError where both are given."""
        return Held(self.cards, self.points)


class SumsBody(Body):
    """A side as two sums."""

    card_points: Points = 0
    bonus_points: Points = 0


class CountsBody(Body):
    """A side counted: cards by value (`{"10": 4}`) and burrachi by class (`{"pulito": 1}`)."""

    cards_by_value: dict[int, Annotated[int, Field(ge=0, le=MAX_CARDS)]] = {}
    burrachi: dict[BurracoClass, Annotated[int, Field(ge=0, le=MAX_CARDS)]] = {}


class SideBody(Body):
    """One side of a smazzata: `melds`, or `counts`, or `sums`, and what no photo shows."""

    melds: Annotated[list[CardsText], Field(max_length=50)] | None = None
    counts: CountsBody | None = None
    sums: SumsBody | None = None
    closed: bool = False
    pozzetto: Pozzetto = Pozzetto.PLAYED
    pozzetto_held: HeldBody | None = None
    hands: Annotated[list[HeldBody], Field(max_length=3)] = []

    def value(self) -> Side:
        """The same for scoring; ValueError where it is entered in two ways at once."""
        if sum(entry is not None for entry in (self.melds, self.counts, self.sums)) > 1:
            raise ValueError("a side is entered as melds, or as counts, or as sums")
        laid: Laid = SideMelds(tuple(self.melds or ()))
        if self.counts is not None:
            laid = SideCounts.of(self.counts.cards_by_value, self.counts.burrachi)
        elif self.sums is not None:
            laid = SideSums(self.sums.card_points, self.sums.bonus_points)
        held = self.pozzetto_held.value() if self.pozzetto_held else None
        return Side(laid, self.closed, self.pozzetto, held, tuple(hand.value() for hand in self.hands))


class ScoreBody(Body):
    """A smazzata to score: both sides under a regolamento; `anyway` scores it in spite of faults."""

    regolamento: str = "fibur"
    names: tuple[str, str] = ("A", "B")
    sides: tuple[SideBody, SideBody]
    anyway: bool = False

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "regolamento": "fibur",
                    "sides": [
                        {"melds": ["3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥", "K♠ K♥ K♦"], "closed": True},
                        {"melds": ["Q♠ Q♥ Q♦"], "pozzetto": "not_taken", "hands": [{"cards": "A♥ 4♣"}]},
                    ],
                }
            ]
        },
    )


class NewMatchBody(Body):
    """A new match; the same `command_id` again gives the match it made."""

    names: tuple[str, str]
    regolamento: str = "fibur"
    target: int = 2005
    players: tuple[list[str], list[str]] = ([], [])
    device: Annotated[str, Field(max_length=64)] = "api"
    command_id: Annotated[str, Field(min_length=8, max_length=64)] | None = None


def _kind(command: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", command.__name__).lower()


_FIELD_TYPES: dict[Any, Any] = {
    Card: CardText,
    tuple[Card, ...]: CardsText,
    Held: HeldBody,
    Held | None: HeldBody | None,
    tuple[Held, ...]: list[HeldBody],
}


def _body_of(command: type) -> type[Body]:
    """The body of one command: its fields, and `kind`, which names it."""
    hints = get_type_hints(command)
    defined: dict[str, Any] = {"kind": (Literal[_kind(command)], ...)}
    for entry in fields(command):
        hint = _FIELD_TYPES.get(hints[entry.name], hints[entry.name])
        defined[entry.name] = (hint, ... if entry.default is MISSING else entry.default)
    return create_model(f"{command.__name__}Body", __base__=Body, __doc__=command.__doc__, **defined)


_COMMANDS: dict[str, type] = {_kind(command): command for command in get_args(commands.Command)}
_BODIES = tuple(_body_of(command) for command in _COMMANDS.values())
AnyCommand: Any = Annotated[Union[_BODIES], Field(discriminator="kind")]  # noqa: UP007


class CommandEnvelopeBase(Body):
    """Who sends a command, what they saw, and the id that makes a retry the same command."""

    seq: Annotated[int, Field(ge=0)]
    device: Annotated[str, Field(max_length=64)] = "api"
    command_id: Annotated[str, Field(min_length=8, max_length=64)] | None = None


CommandEnvelope: Any = create_model(
    "CommandEnvelope", __base__=CommandEnvelopeBase, __doc__=CommandEnvelopeBase.__doc__, command=(AnyCommand, ...)
)


def command_of(body: Body) -> commands.Command:
    """The command that a body asks for; ValueError where held cards are given in two ways."""
    values = {name: getattr(body, name) for name in type(body).model_fields if name != "kind"}
    kind: str = body.kind  # type: ignore[attr-defined]
    made: commands.Command = _COMMANDS[kind](**{name: _value(value) for name, value in values.items()})
    return made


def _value(value: Any) -> Any:
    if isinstance(value, HeldBody):
        return value.value()
    if isinstance(value, list):
        return tuple(_value(part) for part in value)
    return value
