"""Answers of a server as the dataclasses that the operations declare."""

from __future__ import annotations

import dataclasses
import types
import typing
from enum import Enum
from functools import cache
from typing import Any


def read_result(hint: Any, value: Any) -> Any:
    """Returns the value in its declared type. Unknown fields are left out: the server may be newer."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if value is None:
        return None
    if origin is typing.Annotated:
        return read_result(inner[0], value)
    if origin in (typing.Union, types.UnionType):
        kinds = [kind for kind in inner if kind is not types.NoneType]
        return read_result(kinds[0], value) if len(kinds) == 1 else value
    if origin in (tuple, list):
        return origin(read_result(inner[0], one) for one in value)
    if origin is dict:
        return {key: read_result(inner[1], one) for key, one in value.items()}
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        fields = _fields(hint)
        return hint(**{name: read_result(fields[name], one) for name, one in value.items() if name in fields})
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint(value)
    return value


@cache
def _fields(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind)
