"""Requests over a network: JSON checked against the declaration, and its schema. What MCP and REST share.

Answers become JSON by `core.codec.encode`, here as on the command line.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum
from typing import Any

from pydantic import TypeAdapter, ValidationError

from celestial_engine.errors import Expected, InvalidInputError, Problem, Reason, problem
from celestial_engine.surfaces.operations.declaration import Operation

_adapters: dict[Any, TypeAdapter[Any]] = {}  # making one takes milliseconds


def _adapter(kind: Any) -> TypeAdapter[Any]:
    if kind not in _adapters:
        _adapters[kind] = TypeAdapter(kind)
    return _adapters[kind]


def request_schema(operation: Operation[Any, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = _titleless(_adapter(operation.request).json_schema())
    return schema


def result_schema(operation: Operation[Any, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = _titleless(_adapter(operation.result).json_schema(mode="serialization"))
    return schema


def request_of(operation: Operation[Any, Any], arguments: Mapping[str, Any]) -> Any:
    """The request, checked; what is wrong with it is said without repeating what it holds."""
    try:
        return _adapter(operation.request).validate_python(dict(arguments))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"])) or operation.name
        raise InvalidInputError(validation_problem(field, first)) from None


def json_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of an error as JSON; what JSON cannot carry is written out."""
    return {name: _json_value(value) for name, value in fields.items()}


def _json_value(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, (list, tuple)) and not isinstance(value, Problem):
        return [_json_value(one) for one in value]
    return str(value).encode("utf-8", "replace").decode()


_WRONG_TYPE = ("type", "parsing", "from_float", "exact_type", "unicode", "parsing_size", "number")
_EXPECTED = {
    "finite": Expected.NUMBER,
    "string": Expected.TEXT,
    "int": Expected.WHOLE_NUMBER,
    "float": Expected.NUMBER,
    "bool": Expected.YES_OR_NO,
    "list": Expected.LIST,
    "tuple": Expected.LIST,
    "dict": Expected.OBJECT,
    "dataclass": Expected.OBJECT,
    "model": Expected.OBJECT,
}


def validation_problem(field: str, found: Mapping[str, Any]) -> Problem:
    """One error of pydantic by our codes; what was sent is not repeated."""
    kind = str(found["type"])
    if kind in ("missing", "missing_argument"):
        return problem(field, Reason.REQUIRED)
    if kind in ("extra_forbidden", "unexpected_keyword_argument"):
        return problem(field, Reason.NO_SUCH_PARAMETER, got=field)
    if kind in ("enum", "literal_error"):
        return problem(field, Reason.ONE_OF, choices=found.get("ctx", {}).get("expected", ""))
    if kind == "greater_than_equal":
        return problem(field, Reason.AT_LEAST, least=found["ctx"]["ge"])
    if kind == "less_than_equal":
        return problem(field, Reason.AT_MOST, most=found["ctx"]["le"])
    if kind.startswith("datetime"):
        return problem(field, Reason.MUST_BE, expected=Expected.MOMENT)
    expected = _EXPECTED.get(kind.partition("_")[0])
    if expected is not None and kind.partition("_")[2] in _WRONG_TYPE:
        return problem(field, Reason.MUST_BE, expected=expected)
    message = str(found["msg"])
    return problem(field, Reason.NOT_ACCEPTED, cause=message[:1].lower() + message[1:])


def _titleless(schema: Any) -> Any:
    """Titles only repeat the names of the fields, and every client pays for them in tokens."""
    if isinstance(schema, dict):
        return {
            name: {field: _titleless(inner) for field, inner in part.items()} if name in ("properties", "$defs")
            else _titleless(part)
            for name, part in schema.items()
            if not (name == "title" and isinstance(part, str))
        }  # fmt: skip
    return [_titleless(part) for part in schema] if isinstance(schema, list) else schema
