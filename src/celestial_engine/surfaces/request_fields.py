"""The fields of a request, read from its declaration: their type, their notes, and whether they name a memory."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from celestial_engine.surfaces.operations.declaration import About
from celestial_engine.surfaces.operations.fields import MemoryRef

_NO_ABOUT = About("")


class Field(NamedTuple):
    """A field of a request."""

    path: str  # with a dot where it belongs to a filter: where.since
    kind: Any  # str, int, float, bool, dict, datetime, an Enum or a dataclass
    many: bool
    choices: tuple[str, ...]
    about: About
    names_memory: bool
    default: Any  # MISSING if it must be given

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2]

    @property
    def required(self) -> bool:
        return self.default is dataclasses.MISSING


def fields_of(request: Any, within: str = "") -> Iterator[Field]:
    """The fields of a request; those of a filter one by one."""
    hints = typing.get_type_hints(request, include_extras=True)
    for field in dataclasses.fields(request):
        kind, many, notes = _read(hints[field.name])
        if dataclasses.is_dataclass(kind) and not many:
            yield from fields_of(kind, f"{within}{field.name}.")
            continue
        choices = get_args(kind) if get_origin(kind) is Literal else ()
        if isinstance(kind, type) and issubclass(kind, Enum):
            choices = tuple(str(member.value) for member in kind)
        default = () if field.default_factory is not dataclasses.MISSING else field.default
        about = next((note for note in notes if isinstance(note, About)), _NO_ABOUT)
        yield Field(within + field.name, kind, many, choices, about, MemoryRef in notes, default)


def _read(hint: Any) -> tuple[Any, bool, list[Any]]:
    """The type without what is around it, whether there may be several, and the notes on it, outermost first."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        kind, many, notes = _read(inner[0])
        return kind, many, [*inner[1:], *notes]
    if origin in (Union, UnionType):
        return _read(next(part for part in inner if part is not NoneType))
    if origin is tuple:
        kind, _, notes = _read(inner[0])
        return kind, True, notes
    return (dict if origin is dict else hint), False, []
