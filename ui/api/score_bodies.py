"""A smazzata outside any match as the API takes it in."""

from __future__ import annotations

from itertools import zip_longest
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    JsonValue,
    StrictBool,
    StrictInt,
    ValidationInfo,
    model_validator,
)
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import PydanticCustomError

from scoring.sides import End
from scoring.smazzata_file import MAX_SIDES, MIN_SIDES
from ui.api.bodies import Body, NameText, SettingsText, SideBody, said_fault

EXAMPLE_SIDES: list[JsonValue] = [
    {
        "melds": ["3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥", "K♠ K♥ K♦ JK"],
        "closed": True,
        "last_discard": "9♣",
        "hands": [{"points": 35}],
    },
    {
        "melds": ["Q♠ Q♥ Q♦"],
        "pozzetto": "not_played",
        "pozzetto_held": {"points": 95},
        "hands": [{"cards": "A♥ 4♣"}],
        "penalised": {"cards": "K♣"},
        "adjustments": [{"points": -50, "reason": "ritardo"}],
    },
]
EXAMPLE_OF_THREE: JsonValue = {
    "players": 3,
    "end": "closed",
    "names": ["Anna + Bruno", "Carla"],
    "sides": [
        {"players": 2, "pozzetto": "not_taken", "hands": [{"points": 35}, {"points": 20}]},
        {"melds": ["3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥"], "closed": True, "last_discard": "9♣"},
    ],
}


def _different(names: tuple[str, ...]) -> tuple[str, ...]:
    """Two sides of one name could not be told apart."""
    seen = [name.casefold() for name in names]
    for name in names:
        if seen.count(name.casefold()) > 1:
            raise said_fault("refused.equal_names", name=name[:60])
    return names


def _one_a_side(names: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
    """A name that no side would bear is a mistake."""
    sides = info.data.get("sides_as_sent")
    if isinstance(sides, list) and len(names) > len(sides):
        raise PydanticCustomError("too_long", "too many names", {"max_length": len(sides)})
    return names


def _two_to_five(sides: object) -> object:
    """Count the sides as they were sent: a bad card in one must neither hide nor make a fault of their number."""
    if isinstance(sides, list) and len(sides) < MIN_SIDES:
        raise PydanticCustomError("too_short", "too few sides", {"min_length": MIN_SIDES})
    if isinstance(sides, list) and len(sides) > MAX_SIDES:
        raise PydanticCustomError("too_long", "too many sides", {"max_length": MAX_SIDES})
    return sides


class ScoreBody(Body):
    """A smazzata to score: two to five sides under a regolamento; `anyway` scores it in spite of faults.

    `players` (2 to 6) takes that formato instead of the regolamento's own: its packs, its sides, who halves. In three
    the first side plays alone, unless the sides say their own `players`. `settings` change figures of the regolamento
    (`bonus.semipulito=170`). A side may say its own `name`, or all stand in `names`.
    """

    regolamento: str = "fibur"
    settings: SettingsText = ()
    players: Annotated[StrictInt, Field(ge=2, le=6)] | None = None
    end: End | None = None
    sides: Annotated[list[SideBody], Field(json_schema_extra={"minItems": MIN_SIDES, "maxItems": MAX_SIDES})]
    sides_as_sent: Annotated[
        SkipJsonSchema[Any], Field(validation_alias="sides", exclude=True), AfterValidator(_two_to_five)
    ] = None
    names: Annotated[tuple[NameText, ...], AfterValidator(_one_a_side), AfterValidator(_different)] = ()
    anyway: StrictBool = False

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"regolamento": "fibur", "end": "closed", "sides": EXAMPLE_SIDES}, EXAMPLE_OF_THREE]
        },
    )

    @model_validator(mode="after")
    def _none_twice(self) -> Self:
        _different(self.side_names)
        return self

    @property
    def side_names(self) -> tuple[str, ...]:
        """A name for each side: the one given, else a letter that no other has, its own where that is free."""
        named = [side.name or name or "" for side, name in zip_longest(self.sides, self.names)]
        for at, name in enumerate(named):
            taken = {other.casefold() for other in named}
            letters = "ABCDE"[at:] + "ABCDE"[:at]
            named[at] = name or next(letter for letter in letters if letter.casefold() not in taken)
        return tuple(named)


class CompareBody(ScoreBody):
    """A smazzata to score under every preset, or under those named in `under`, beside the one it was played by."""

    under: Annotated[tuple[str, ...], Field(max_length=60)] = ()

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"regolamento": "fibur", "under": ["fitab", "reale"], "sides": EXAMPLE_SIDES}]},
    )
