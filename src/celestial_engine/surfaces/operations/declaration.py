"""An operation, declared once: every surface reads this and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any, Generic, TypeVar

from celestial_engine.core.access import EVERYTHING
from celestial_engine.core.access import Scope as Scope
from celestial_engine.core.orbit.zones import ZoneConfig
from celestial_engine.core.record.owner import Owner
from celestial_engine.engine import CelestialMemory

Request = TypeVar("Request")
Result = TypeVar("Result")


class Effect(str, Enum):
    """What an operation does to what is stored."""

    NONE = "none"
    ADDS = "adds"  # or changes; nothing is lost by it
    REMOVES = "removes"  # can be undone or restored for a while


@dataclass(frozen=True)
class Route:
    """Where REST offers it. Fields that stand in braces are taken from the path, some from headers."""

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)  # field -> header
    status: int = 200


@dataclass(frozen=True)
class Caller:
    """Who asks, through which surface, and where progress is reported. `memory` is the owner's."""

    memory: CelestialMemory
    owner: Owner
    channel: str
    progress: Callable[[int, int], None] | None = None
    scopes: frozenset[Scope] = EVERYTHING  # nobody gives away more than they have

    @cached_property
    def zones(self) -> Sequence[ZoneConfig]:
        """The zones of the database, read once per call."""
        return self.memory.orbits.zones()


@dataclass(frozen=True)
class About:
    """What a field means, for people and for models, and its bounds."""

    text: str
    least: float | None = None
    most: float | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        schema = handler(source)
        bounds = {"ge": self.least, "le": self.most}
        return {**schema, **{name: bound for name, bound in bounds.items() if bound is not None}}

    def __get_pydantic_json_schema__(
        self, schema: dict[str, Any], handler: Callable[[Any], dict[str, Any]]
    ) -> dict[str, Any]:
        return {**handler(schema), "description": self.text}


@dataclass(frozen=True)
class Operation(Generic[Request, Result]):
    """One thing the engine can do, as MCP tool, REST route and command."""

    name: str
    summary: str  # one sentence, for models and people
    request: type[Request]
    result: type[Result]
    run: Callable[[Caller, Request], Result]
    route: Route
    scope: Scope = Scope.READ
    effect: Effect = Effect.NONE
    idempotent: bool = False
    tool: bool = True  # offered to models over MCP
    command: str | None = None  # of the command line, where its name is another
    examples: tuple[Mapping[str, Any], ...] = field(default=())
