"""What pydantic finds wrong with a request, as sentences of our own: where, what stood there, what is expected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.cards import CardError
from ui.faults import shown
from ui.viewmodels import Message

_KINDS = {
    "string": "text",
    "int": "whole_number",
    "float": "number",
    "bool": "flag",
    "list": "list",
    "tuple": "list",
    "dict": "table",
    "model": "table",
}
_LIMITS = {
    "greater_than_equal": ("invalid.least", "ge"),
    "less_than_equal": ("invalid.most", "le"),
    "too_short": ("invalid.too_few", "min_length"),
    "too_long": ("invalid.too_many", "max_length"),
    "string_too_short": ("invalid.too_short", "min_length"),
    "string_too_long": ("invalid.too_long", "max_length"),
    "too_many_cards": ("invalid.too_many", "limit"),
}
_CHOICES = {"enum": "expected", "literal_error": "expected", "union_tag_invalid": "expected_tags"}


def where(fault: Mapping[str, Any]) -> str:
    """The place of a fault as its keys, such as `sides.0.melds`; tags of a union and the body itself are no place."""
    parts = [str(part) for part in fault["loc"] if part not in ("body", "query", "path", "header", "[key]")]
    return ".".join(parts)


def body_fault(fault: Mapping[str, Any]) -> Message:
    """One fault of a request as a message."""
    kind: str = fault["type"]
    context: Mapping[str, Any] = fault.get("ctx", {})
    place = where(fault) or Message("invalid.the_body")
    said: dict[str, str | int | Message] = {"where": place, "seen": shown(fault.get("input"))}
    if isinstance(context.get("error"), CardError):
        return Message("invalid.no_card", {**said, "seen": context["error"].text[:60]})
    if kind == "said":
        own = Message(context["key"], {name: value for name, value in context.items() if name != "key"})
        return Message("invalid.at", {**said, "what": own})
    if kind in ("missing", "extra_forbidden", "json_invalid"):
        return Message(f"invalid.{kind}", said)
    if kind == "union_tag_not_found":
        return Message(
            "invalid.missing", {**said, "where": f"{where(fault)}.{context['discriminator']}".replace("'", "")}
        )
    if kind in _LIMITS:
        key, limit = _LIMITS[kind]
        return Message(key, {**said, "limit": context[limit]})
    if kind in _CHOICES:
        allowed = str(context[_CHOICES[kind]]).replace(" or ", ", ").replace("'", "")
        return Message("invalid.choice", {**said, "allowed": allowed})
    if kind == "string_pattern_mismatch":
        return Message("invalid.value", said)
    expected = _KINDS.get(kind.partition("_")[0])
    if expected:
        return Message("invalid.kind", {**said, "kind": Message(f"invalid.kind.{expected}")})
    return Message("invalid.value", said)
