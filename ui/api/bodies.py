"""What the API takes in: checked by pydantic, turned into the values the services know."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    StrictBool,
    StrictInt,
    WithJsonSchema,
    field_validator,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from scoring.cards import Card, parse_cards
from scoring.classes import BurracoClass
from scoring.classifica import MpCount
from scoring.sections import Rounding
from scoring.sides import Adjustment, Held, Laid, Pozzetto, Side, SideCounts, SideMelds, SideSums
from scoring.smazzata_text import clean_name
from ui.exchange.match_file import PLAIN
from ui.viewmodels import GoalChoice

MAX_CARDS = 200
MAX_POINTS = 100_000

Points = Annotated[StrictInt, Field(ge=0, le=MAX_POINTS)]
Device = Annotated[str, Field(max_length=64, pattern=PLAIN)]
CommandId = Annotated[str, Field(min_length=8, max_length=64, pattern=PLAIN)]
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

SettingsText = Annotated[
    tuple[Annotated[str, Field(max_length=200)], ...],
    Field(max_length=100, description="fields of the regolamento to change, each `key=value`"),
]


def _cards(text: object) -> tuple[Card, ...]:
    if isinstance(text, list | tuple):
        text = " ".join(map(str, text))
    cards = parse_cards(str(text))
    if len(cards) > MAX_CARDS:
        raise PydanticCustomError("too_many_cards", "too many cards", {"seen": len(cards), "limit": MAX_CARDS})
    return cards


def _name(text: object) -> object:
    try:
        return clean_name(text) if isinstance(text, str) else text
    except ValueError as error:
        raise said_fault("refused.hidden_name", name=str(error)) from error


AnyName = Annotated[str, BeforeValidator(_name)]
NameText = Annotated[AnyName, Field(min_length=1)]


def said_fault(key: str, **params: str | int) -> PydanticCustomError:
    """A fault of a body that has a sentence of its own."""
    return PydanticCustomError("said", "{key}", {"key": key, **params})


class Body(BaseModel):
    """Root of the bodies: what is not known is refused."""

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


class HeldBody(Body):
    """Cards somebody still holds: as cards, or as the sum of their points; either may stand alone, as in a file."""

    cards: CardsText = ()
    points: Points | None = None

    @model_validator(mode="before")
    @classmethod
    def _alone(cls, value: object) -> object:
        if isinstance(value, str | list):
            return {"cards": value}
        return {"points": value} if isinstance(value, int) and not isinstance(value, bool) else value

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The table, and the two ways without one."""
        return {"anyOf": [handler(schema), {"type": "string", "examples": ["A♥ 4♣"]}, {"type": "integer"}]}

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.points is not None and self.cards:
            raise said_fault("invalid.held_twice")
        return self

    def value(self) -> Held:
        """The same for scoring."""
        return Held(self.cards, self.points)


class SumsBody(Body):
    """A side as two sums."""

    card_points: Points = 0
    bonus_points: Points = 0


class CountsBody(Body):
    """A side counted: cards by value (`{"10": 4}`), burrachi by class (`{"pulito": 1}`).

    `heaps` are the points of several cards piled up, and how many such heaps (`{"100": 2, "45": 1}`).
    """

    cards_by_value: dict[int, Annotated[StrictInt, Field(ge=0, le=MAX_CARDS)]] = {}
    burrachi: dict[BurracoClass, Annotated[StrictInt, Field(ge=0, le=MAX_CARDS)]] = {}
    heaps: dict[int, Annotated[StrictInt, Field(ge=0, le=MAX_CARDS)]] = {}


class AdjustmentBody(Body):
    """Points a referee gives or takes, and why."""

    points: Annotated[StrictInt, Field(ge=-MAX_POINTS, le=MAX_POINTS)]
    reason: Annotated[str, Field(max_length=200)] = ""


class SideBody(Body):
    """One side of a smazzata: `melds`, or `counts`, or `sums`, and what no photo shows.

    `players` are those of this side, where the formato does not say it: in three the pair may come first.
    """

    name: NameText | None = None
    melds: Annotated[list[CardsText], Field(max_length=50)] | None = None
    counts: CountsBody | None = None
    sums: SumsBody | None = None
    closed: StrictBool = False
    pozzetto: Pozzetto = Pozzetto.PLAYED
    pozzetto_held: HeldBody | None = None
    hands: Annotated[list[HeldBody], Field(max_length=3)] = []
    penalised: HeldBody | None = None
    adjustments: Annotated[list[AdjustmentBody], Field(max_length=10)] = []
    last_discard: CardText | None = None
    laid_last: StrictBool = False
    players: Annotated[StrictInt, Field(ge=1, le=3)] | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if sum(entry is not None for entry in (self.melds, self.counts, self.sums)) > 1:
            raise said_fault("invalid.two_ways")
        return self

    def value(self) -> Side:
        """The same for scoring; who sits there is left to the formato."""
        laid: Laid = SideMelds(tuple(self.melds or ()))
        if self.counts is not None:
            laid = SideCounts.of(self.counts.cards_by_value, self.counts.burrachi, self.counts.heaps)
        elif self.sums is not None:
            laid = SideSums(self.sums.card_points, self.sums.bonus_points)
        return Side(
            laid,
            closed=self.closed,
            pozzetto=self.pozzetto,
            pozzetto_held=self.pozzetto_held.value() if self.pozzetto_held else None,
            hands=tuple(hand.value() for hand in self.hands),
            penalised=self.penalised.value() if self.penalised else None,
            adjustments=tuple(Adjustment(a.points, a.reason) for a in self.adjustments),
            last_discard=self.last_discard,
            laid_last=self.laid_last,
        )


class VpTableBody(Body):
    """A club's own table of Victory Points: `vp[i]` for the winner from `differences[i]` on, `sum` for both."""

    name: str
    title: str
    source: str
    smazzate: StrictInt
    sum: StrictInt
    differences: list[StrictInt]
    vp: list[StrictInt]


class GoalBody(Body):
    """What a match is played to: `target` points, or `one_hand`, or `turni` by a table of Victory Points.

    Without any of them it is what is usual under its regolamento with its formato.
    """

    target: StrictInt | None = None
    one_hand: bool = False
    turni: StrictInt = 0
    vp_table: Annotated[str, Field(max_length=64)] = ""
    own_vp_table: VpTableBody | None = None

    def value(self) -> GoalChoice:
        """The same for the services."""
        own = self.own_vp_table.model_dump() if self.own_vp_table else None
        return GoalChoice(self.target, self.one_hand, self.turni, self.vp_table, own)


class NewMatchBody(Body):
    """A new match; the same `command_id` again gives the match it made.

    `names` has one a side, or one a player in three and in five, where pairs change. `formato` (due, tre, quattro,
    cinque, sei) stands before the regolamento's own; `goal` stands before `target`. Without both it is played to
    what is usual under that regolamento with that formato: one smazzata, or a total.
    With `both_confirm` every side confirms each smazzata (`confirm` with its `side`). `settings` change figures of the
    regolamento (`bonus.semipulito=170`), and the match keeps them.
    """

    names: Annotated[tuple[str, ...], Field(min_length=1, max_length=6)]
    regolamento: str = "fibur"
    formato: Annotated[str, Field(max_length=64)] | None = None
    target: StrictInt | None = None
    goal: GoalBody | None = None
    rounding: Rounding | None = None
    both_confirm: bool = False
    settings: SettingsText = ()
    players: Annotated[tuple[list[str], ...], Field(max_length=6)] = ()
    device: Device = "api"
    command_id: CommandId | None = None

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"names": ["Noi", "Loro"], "regolamento": "fibur", "target": 2005},
                {"names": ["Anna", "Bruno", "Carla"], "regolamento": "starcasino", "formato": "tre", "target": 1505},
                {"names": ["Noi", "Loro"], "goal": {"turni": 4, "vp_table": "vp-3"}},
                {"names": ["Noi", "Loro"], "settings": ["bonus.semipulito=170"]},
            ]
        },
    )


class TableResultBody(Body):
    """One table of a turn: both pairs and their Match Points; an empty name is a pair that rests."""

    names: tuple[AnyName, AnyName]
    mp: tuple[StrictInt, StrictInt]

    @field_validator("names")
    @classmethod
    def _two_pairs(cls, names: tuple[str, str]) -> tuple[str, str]:
        first, second = (" ".join(name.split()).casefold() for name in names)
        if first == second:
            raise said_fault("refused.equal_names" if first else "refused.empty_name", name=names[0][:60])
        return names


class StandingsBody(Body):
    """Tables of one turn, or of several, to rank by Victory Points, then by Match Points."""

    vp_table: Annotated[str, Field(max_length=64)] = "vp-3"
    own_vp_table: VpTableBody | None = None
    mp_count: MpCount = MpCount.OWN
    bye: Annotated[int, Field(ge=0, le=1000)] = 0
    results: Annotated[list[TableResultBody], Field(max_length=2000)]

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "vp_table": "vp-3",
                    "results": [
                        {"names": ["A", "B"], "mp": [2000, 1000]},
                        {"names": ["C", "D"], "mp": [1700, 1650]},
                    ],
                }
            ]
        },
    )
