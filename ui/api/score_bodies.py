"""A smazzata outside any match as the API takes it in."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, Field, JsonValue, StrictBool
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import PydanticCustomError

from scoring.sides import End
from scoring.smazzata_file import MAX_SIDES, MIN_SIDES
from ui.api.bodies import Body, SideBody, said_fault

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
    the first side plays alone, unless the sides say their own `players`.
    """

    regolamento: str = "fibur"
    players: Annotated[int, Field(ge=2, le=6)] | None = None
    end: End | None = None
    names: Annotated[tuple[str, ...], Field(max_length=5), AfterValidator(_different)] = ()
    sides: Annotated[list[SideBody], Field(json_schema_extra={"minItems": MIN_SIDES, "maxItems": MAX_SIDES})]
    sides_as_sent: Annotated[
        SkipJsonSchema[Any], Field(validation_alias="sides", exclude=True), AfterValidator(_two_to_five)
    ] = None
    anyway: StrictBool = False

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"regolamento": "fibur", "end": "closed", "sides": EXAMPLE_SIDES}, EXAMPLE_OF_THREE]
        },
    )

    @property
    def side_names(self) -> tuple[str, ...]:
        """A name for each side: the one given, else a letter that no other has."""
        given, letters = self.names[: len(self.sides)], "ABCDE"[len(self.names) :] + "ABCDE"[: len(self.names)]
        taken = {name.casefold() for name in given}
        free = [letter for letter in letters if letter.casefold() not in taken]
        return (*given, *free[: len(self.sides) - len(given)])


class CompareBody(ScoreBody):
    """A smazzata to score under every preset, or under those named in `under`, beside the one it was played by."""

    under: Annotated[tuple[str, ...], Field(max_length=60)] = ()

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"regolamento": "fibur", "under": ["fitab", "reale"], "sides": EXAMPLE_SIDES}]},
    )
