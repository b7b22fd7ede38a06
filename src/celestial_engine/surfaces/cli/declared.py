"""The declared commands: the operations of a command with their fields, read from the requests."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator
from enum import Enum
from functools import cache
from importlib import import_module
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from celestial_engine.surfaces.cli.index import operations_of
from celestial_engine.surfaces.operations.declaration import About, Command, Operation
from celestial_engine.surfaces.operations.fields import MemoryRef

# Names that are shorter at a prompt than in a request.
_SHORT = {
    "session_id": "session", "persona_id": "persona", "tags": "tag", "keywords": "keyword", "emotions": "emotion",
    "files": "file", "pinned": "pin", "duties": "duty", "idle_minutes": "idle",
}  # fmt: skip
_NO_ABOUT = About("")


class Field(NamedTuple):
    """A field of a request, as the command line sees it."""

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


class Declared(NamedTuple):
    """An operation as one command offers it."""

    operation: Operation[Any, Any]
    command: Command
    fields: tuple[Field, ...]  # those that can be given

    def field(self, path: str) -> Field:
        return next(field for field in self.fields if field.path == path)

    @property
    def options(self) -> tuple[Field, ...]:
        return tuple(field for field in self.fields if field.path not in self.command.main)

    def option(self, field: Field) -> str:
        name = self.command.options.get(field.path)
        if name is not None:
            return name
        words = _SHORT.get(field.name, field.name).replace("_", "-")
        return f"--no-{words}" if field.kind is bool and field.default is True else f"--{words}"


@cache
def declared(command: str) -> dict[str, list[Declared]]:
    """What a command offers, by its full name (`policy status`); the first operation of a name is the usual one."""
    found: dict[str, list[Declared]] = {}
    for module in map(import_module, operations_of(command)):
        for operation in (*module.OPERATIONS, *getattr(module, "LOCAL_OPERATIONS", ())):
            for one in operation.commands:
                if not one.by_hand and one.name.split()[0] == command:
                    found.setdefault(one.name, []).append(Declared(operation, one, tuple(_fields(operation, one))))
    return found


def _fields(operation: Operation[Any, Any], command: Command) -> Iterator[Field]:
    for field in fields_of(operation.request):
        if field.path not in command.hidden:
            if field.path in command.values:
                field = field._replace(default=command.values[field.path])
            yield field


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
