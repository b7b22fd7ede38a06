"""Dataclasses to JSON objects and back, strictly: a wrong type or an unknown field is an error."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar, cast

from celestial_engine.errors import InvalidItemError

T = TypeVar("T")
R = TypeVar("R")


def _cached(function: Callable[[Any], R]) -> Callable[[Any], R]:
    """One answer a class."""
    return lru_cache(maxsize=64)(function)


def encode(value: object, *, sparse: bool = False) -> Any:
    """A dataclass as JSON values. Sparse leaves out what equals its default."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        default = _defaults(type(value)) if sparse else {}
        encoded: dict[str, Any] = {}
        for field in dataclasses.fields(value):
            content = getattr(value, field.name)
            if sparse and field.name in default and content == default[field.name]:
                continue
            encoded[field.name] = encode(content, sparse=sparse)
        return encoded
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (list, tuple)):
        return [encode(entry, sparse=sparse) for entry in value]
    return value


def decode(cls: type[T], data: object, where: str = "record") -> T:
    """The dataclass that `encode` wrote."""
    if not isinstance(data, dict):
        raise InvalidItemError(reason=f"{where} is {_name(data)}, not an object")
    hints = _hints(cls)
    unknown = [str(key) for key in data if key not in hints]
    if unknown:
        raise InvalidItemError(reason=f"{where} has unknown fields: {', '.join(sorted(unknown))}")
    values = {key: _decode_as(hints[key], content, f"{where}.{key}") for key, content in data.items()}
    missing = sorted(_required(cls) - values.keys())
    if missing:
        raise InvalidItemError(reason=f"{where} lacks {', '.join(missing)}")
    return cls(**values)


def _decode_as(hint: Any, value: object, where: str) -> Any:
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        if value is None:
            return None
        (inner,) = (kind for kind in typing.get_args(hint) if kind is not type(None))
        return _decode_as(inner, value, where)
    if origin is tuple or origin is list:
        return _decode_sequence(hint, origin, value, where)
    if origin is dict:
        if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
            raise InvalidItemError(reason=f"{where} is {_name(value)}, not an object")
        return value
    if dataclasses.is_dataclass(hint):
        return decode(cast("type[Any]", hint), value, where)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _decode_enum(hint, value, where)
    return _decode_scalar(hint, value, where)


def _decode_sequence(hint: Any, origin: Any, value: object, where: str) -> Any:
    if not isinstance(value, (list, tuple)):
        raise InvalidItemError(reason=f"{where} is {_name(value)}, not a list")
    kinds = typing.get_args(hint)
    if origin is tuple and kinds[-1] is not Ellipsis:
        if len(kinds) != len(value):
            raise InvalidItemError(reason=f"{where} has {len(value)} entries, not {len(kinds)}")
        pairs = zip(kinds, value, strict=True)
        return tuple(_decode_as(kind, entry, where) for kind, entry in pairs)
    return origin(_decode_as(kinds[0], entry, where) for entry in value)


def _decode_enum(hint: type[Enum], value: object, where: str) -> Enum:
    try:
        return hint(value)
    except ValueError:
        known = ", ".join(str(member.value) for member in hint)
        raise InvalidItemError(reason=f"{where} is {value!r}, not one of {known}") from None


def _decode_scalar(hint: Any, value: object, where: str) -> Any:
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if hint is Any or (isinstance(value, hint) and (hint is bool or not isinstance(value, bool))):
        return value
    raise InvalidItemError(reason=f"{where} is {_name(value)}, not {hint.__name__}")


def _name(value: object) -> str:
    return type(value).__name__


@_cached
def _hints(cls: Any) -> dict[str, Any]:
    return typing.get_type_hints(cls)


@_cached
def _required(cls: Any) -> frozenset[str]:
    return frozenset(field.name for field in dataclasses.fields(cls) if field.name not in _defaults(cls))


@_cached
def _defaults(cls: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field in dataclasses.fields(cls):
        if field.default is not dataclasses.MISSING:
            found[field.name] = field.default
        elif field.default_factory is not dataclasses.MISSING:
            found[field.name] = field.default_factory()
    return found
