"""Operations over a wire: JSON in, JSON out, errors that say what to do. What MCP and REST share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from celestial_engine.errors import InvalidInputError
from celestial_engine.surfaces.operations.declaration import Caller, Operation

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
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        field = ".".join(map(str, first["loc"])) or operation.name
        raise InvalidInputError(field=field, reason=_reason(first["msg"])) from None


def answer_of(operation: Operation[Any, Any], result: Any) -> dict[str, Any]:
    answer: dict[str, Any] = _adapter(operation.result).dump_python(result, mode="json")
    return answer


def call(operation: Operation[Any, Any], caller: Caller, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Runs one operation: the arguments and the answer are JSON objects."""
    return answer_of(operation, operation.run(caller, request_of(operation, arguments)))


def _reason(message: str) -> str:
    return message[:1].lower() + message[1:]


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
