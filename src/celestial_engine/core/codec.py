"""Strict conversion of dataclasses to JSON and back: wrong types and unknown fields are errors."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable
from enum import Enum
from functools import lru_cache, partial
from typing import Any, TypeVar

from celestial_engine.errors import Expected, InvalidItemError, Reason

T = TypeVar("T")
R = TypeVar("R")
Reader = Callable[[object, str], Any]
_EXPECTED: dict[Any, Expected] = {
    str: Expected.TEXT,
    int: Expected.WHOLE_NUMBER,
    float: Expected.NUMBER,
    bool: Expected.YES_OR_NO,
}
_PLAIN = {str, int, float, bool, type(None)}


def _cached(function: Callable[[Any], R]) -> Callable[[Any], R]:
    """Caches one result per class."""
    return lru_cache(maxsize=64)(function)


def encode(value: object, *, sparse: bool = False) -> Any:
    """Returns a dataclass as JSON values; `sparse` omits fields that equal their default."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    names = _names(kind)
    if names:
        # Most fields are plain: a call for each of thousands of them would take most of the time.
        fields = {name: getattr(value, name) for name in names}
        if sparse:
            default = _defaults(kind)
            fields = {
                name: content for name, content in fields.items() if name not in default or content != default[name]
            }
        if _PLAIN.issuperset(map(type, fields.values())):
            return fields
        return {
            name: content if type(content) in _PLAIN else encode(content, sparse=sparse)
            for name, content in fields.items()
        }
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (list, tuple)):
        if set(map(type, value)) <= _PLAIN:  # columns of thousands of numbers need not be looked at one by one
            return list(value)
        return [encode(entry, sparse=sparse) for entry in value]
    if isinstance(value, dict):
        if set(map(type, value.values())) <= _PLAIN:
            return value
        return {key: encode(entry, sparse=sparse) for key, entry in value.items()}
    return value


def decode(cls: type[T], data: object, where: str = "record") -> T:
    """The inverse of `encode`; raises InvalidItemError."""
    if not isinstance(data, dict):
        raise InvalidItemError(where, Reason.WRONG_TYPE, expected=Expected.OBJECT, got=_name(data))
    readers = _readers(cls)
    unknown = [str(key) for key in data if key not in readers]
    if unknown:
        raise InvalidItemError(where, Reason.UNKNOWN_FIELDS, names=tuple(sorted(unknown)))
    values = {key: readers[key](content, f"{where}.{key}") for key, content in data.items()}
    missing = sorted(_required(cls) - values.keys())
    if missing:
        raise InvalidItemError(where, Reason.MISSING, names=tuple(missing))
    return cls(**values)


def _reader(hint: Any) -> Reader:
    """Returns a function that decodes a type. Built once per field, because inspecting types is slow."""
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        (kind,) = (kind for kind in typing.get_args(hint) if kind is not type(None))
        inner = _reader(kind)
        return lambda value, where: None if value is None else inner(value, where)
    if origin is tuple or origin is list:
        return _sequence_reader(hint, origin)
    if origin is dict:
        return _decode_object
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return partial(decode, hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return partial(_decode_enum, hint)
    return partial(_decode_scalar, hint)


def _sequence_reader(hint: Any, origin: Any) -> Reader:
    kinds = typing.get_args(hint)
    readers = [_reader(kind) for kind in kinds if kind is not Ellipsis]
    fixed = origin is tuple and kinds[-1] is not Ellipsis

    def read(value: object, where: str) -> Any:
        if not isinstance(value, (list, tuple)):
            raise InvalidItemError(where, Reason.WRONG_TYPE, expected=Expected.LIST, got=_name(value))
        if not fixed:
            return origin([readers[0](entry, where) for entry in value])
        if len(readers) != len(value):
            raise InvalidItemError(where, Reason.WRONG_COUNT, count=len(readers), got=len(value))
        return tuple([reader(entry, where) for reader, entry in zip(readers, value, strict=True)])

    return read


def _decode_object(value: object, where: str) -> Any:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise InvalidItemError(where, Reason.WRONG_TYPE, expected=Expected.OBJECT, got=_name(value))
    return value


def _decode_enum(hint: type[Enum], value: object, where: str) -> Enum:
    try:
        return hint(value)
    except ValueError:
        raise InvalidItemError(
            where, Reason.UNKNOWN_CHOICE, got=value, choices=tuple(str(member.value) for member in hint)
        ) from None


def _decode_scalar(hint: Any, value: object, where: str) -> Any:
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            raise InvalidItemError(where, Reason.NUMBER_TOO_LARGE) from None
    if hint is Any or (isinstance(value, hint) and (hint is bool or not isinstance(value, bool))):
        return value
    raise InvalidItemError(where, Reason.WRONG_TYPE, expected=_EXPECTED.get(hint, hint.__name__), got=_name(value))


def _name(value: object) -> str:
    return type(value).__name__


@_cached
def _names(kind: Any) -> tuple[str, ...]:
    """Returns the field names of a dataclass; () for any other type."""
    return tuple(field.name for field in dataclasses.fields(kind)) if dataclasses.is_dataclass(kind) else ()


@_cached
def _readers(cls: Any) -> dict[str, Reader]:
    hints = typing.get_type_hints(cls)
    return {field.name: _reader(hints[field.name]) for field in dataclasses.fields(cls)}


@_cached
def _required(cls: Any) -> frozenset[str]:
    return frozenset(field.name for field in dataclasses.fields(cls) if field.name not in _defaults(cls))


@_cached
def _defaults(cls: Any) -> dict[str, Any]:
    defaults: dict[str, Any] = {}
    for field in dataclasses.fields(cls):
        if field.default is not dataclasses.MISSING:
            defaults[field.name] = field.default
        elif field.default_factory is not dataclasses.MISSING:
            defaults[field.name] = field.default_factory()
    return defaults
