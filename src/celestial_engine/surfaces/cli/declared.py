"""The declared commands: the operations of a command with their fields, read from the requests."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from celestial_engine.surfaces.cli.index import operations_of
from celestial_engine.surfaces.operations.declaration import Command, Operation
from celestial_engine.surfaces.request_fields import Field, fields_of

# Names that are shorter at a prompt than in a request.
_SHORT = {
    "session_id": "session", "persona_id": "persona", "tags": "tag", "keywords": "keyword", "emotions": "emotion",
    "files": "file", "pinned": "pin", "duties": "duty", "idle_minutes": "idle",
}  # fmt: skip


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
