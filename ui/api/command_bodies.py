"""The bodies of commands, made from the commands themselves."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields
from typing import Annotated, Any, Literal, Union, get_args, get_type_hints

from pydantic import Field, StrictInt, create_model

from scoring.cards import Card
from scoring.sides import Adjustment, Held
from ui import commands
from ui.api.bodies import AdjustmentBody, Body, CardsText, CardText, CommandId, Device, HeldBody


def _kind(command: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", command.__name__).lower()


_FIELD_TYPES: dict[Any, Any] = {
    int: StrictInt,
    int | None: StrictInt | None,
    Card: CardText,
    tuple[Card, ...]: CardsText,
    Held: HeldBody,
    Held | None: HeldBody | None,
    Card | None: CardText | None,
    tuple[Adjustment, ...]: list[AdjustmentBody],
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
    device: Device = "api"
    command_id: CommandId | None = None


CommandEnvelope: Any = create_model(
    "CommandEnvelope", __base__=CommandEnvelopeBase, __doc__=CommandEnvelopeBase.__doc__, command=(AnyCommand, ...)
)


def command_of(body: Body) -> commands.Command:
    """The command that a body asks for; ServiceError where held cards are given in two ways."""
    values = {name: getattr(body, name) for name in type(body).model_fields if name != "kind"}
    kind: str = body.kind  # type: ignore[attr-defined]
    made: commands.Command = _COMMANDS[kind](**{name: _value(value) for name, value in values.items()})
    return made


def _value(value: Any) -> Any:
    if isinstance(value, HeldBody):
        return value.value()
    if isinstance(value, AdjustmentBody):
        return Adjustment(value.points, value.reason)
    if isinstance(value, list):
        return tuple(_value(part) for part in value)
    return value
