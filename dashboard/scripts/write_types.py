"""Write src/api/operations.ts from the declared operations, so that the page and the API cannot disagree.

Run it with a Python that has the engine: `python dashboard/scripts/write_types.py`.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from celestial_engine.surfaces.operations.catalogue import OPERATIONS

_PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "unknown"}
_PLAIN[datetime] = "string"


class Written:
    """The interfaces met so far, by name."""

    def __init__(self) -> None:
        self.interfaces: dict[str, str] = {}
        self.names: dict[type, str] = {}

    def kind(self, hint: Any) -> str:
        """A type as TypeScript says it."""
        if hint in _PLAIN:
            return _PLAIN[hint]
        origin, inner = get_origin(hint), get_args(hint)
        if origin is Annotated:
            return self.kind(inner[0])
        if origin is Literal:
            return " | ".join(json.dumps(each) for each in inner)
        if origin in (Union, types.UnionType):
            return " | ".join(dict.fromkeys(self.kind(each) for each in inner))
        if origin in (tuple, list, frozenset, set) or (origin and origin.__name__ in ("Sequence", "Iterable")):
            if origin is tuple and inner[-1:] != (...,):
                return f"readonly [{', '.join(self.kind(each) for each in inner)}]"
            each = self.kind(inner[0])
            return f"readonly {each}[]" if each.isidentifier() else f"readonly ({each})[]"
        if origin is dict or (isinstance(origin, type) and issubclass(origin, Mapping)):
            return f"Readonly<Record<string, {self.kind(inner[1])}>>"
        if isinstance(hint, type) and issubclass(hint, Enum):
            return " | ".join(json.dumps(each.value) for each in hint)
        if dataclasses.is_dataclass(hint):
            return self.interface(hint)
        if hint in (dict, Mapping):
            return "Readonly<Record<string, unknown>>"
        if hint in (list, tuple):
            return "readonly unknown[]"
        raise TypeError(f"no TypeScript for {hint!r}")

    def fields(self, declared: Any, *, asked: bool) -> str:
        """The members; what has a default may be left out of a request, and is always there in an answer."""
        hints = typing.get_type_hints(declared, include_extras=True)
        lines = []
        for field in dataclasses.fields(declared):
            optional = field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
            lines.append(f"  {field.name}{'?' if asked and optional else ''}: {self.kind(hints[field.name])};")
        return "{\n" + "\n".join(lines) + "\n}" if lines else "Record<never, never>"

    def interface(self, declared: Any) -> str:
        if declared in self.names:
            return self.names[declared]
        name = declared.__name__
        if name in self.interfaces:  # of another module: both are told apart by the second one's
            name = declared.__module__.rpartition(".")[2].capitalize() + name
        self.names[declared] = name
        self.interfaces[name] = ""
        asked = name in ("MemoryFilter", "EarlierTurn")  # what requests nest
        self.interfaces[name] = f"export interface {name} {self.fields(declared, asked=asked)}\n"
        return name


def text() -> str:
    written = Written()
    pairs, routes = [], []
    for each in OPERATIONS:
        asked = written.fields(each.request, asked=True).replace("\n", "\n    ")
        pairs.append(f"  /** {each.summary} */\n  {each.name}: {{\n    ask: {asked};\n    answer: "
                     f"{written.kind(each.result)};\n  }};")  # fmt: skip
        headers = f", {json.dumps(dict(each.route.headers))}" if each.route.headers else ""
        routes.append(f"  {each.name}: [{json.dumps(each.route.method)}, {json.dumps(each.route.path)}{headers}],")
    return "\n".join([
        "// Written by scripts/write_types.py from the declared operations; do not edit.",
        "",
        *written.interfaces.values(),
        "/** What each operation is asked and answers. */",
        "export interface Operations {",
        *pairs,
        "}",
        "",
        "export type Route = readonly [method: string, path: string, headers?: Readonly<Record<string, string>>];",
        "",
        "export const ROUTES: { readonly [Name in keyof Operations]: Route } = {",
        *routes,
        "};",
        "",
    ])  # fmt: skip


if __name__ == "__main__":
    Path(__file__).parents[1].joinpath("src", "api", "operations.ts").write_text(text(), encoding="utf-8")
