"""An operation, declared once: every surface reads this and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from celestial_engine.core.access import EVERYTHING
from celestial_engine.core.access import Scope as Scope
from celestial_engine.core.record.owner import Owner

if TYPE_CHECKING:  # reading declarations, as `celestial --help` does, needs no engine
    from celestial_engine.core.orbit.zones import ZoneConfig
    from celestial_engine.engine import CelestialMemory
    from celestial_engine.errors import Problem

Request = TypeVar("Request")
Result = TypeVar("Result")

# Named tuples where a dataclass would do: a command that loads these declarations starts sooner.
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Effect(str, Enum):
    """What an operation does to what is stored."""

    NONE = "none"
    ADDS = "adds"  # or changes; nothing is lost by it
    REMOVES = "removes"  # can be undone or restored for a while


class Route(NamedTuple):
    """Where REST offers an operation. Fields in braces are taken from the path, some from headers."""

    method: str
    path: str
    headers: Mapping[str, str] = _NOTHING  # field -> header
    status: int = 200


LOCAL = Route("", "")  # offered at the machine alone, by the command line


class Command(NamedTuple):
    """How the command line offers an operation. Options, choices and help come from the request."""

    name: str  # the words after `celestial`: "recall", "policy feedback"
    main: tuple[str, ...] = ()  # fields that are given without an option, in this order
    each: bool = False  # the main field may be given several times: the operation runs for each
    joined: bool = False  # the last main field takes all the words that are left
    switch: str | None = None  # an option that chooses this operation in place of the command's first one
    options: Mapping[str, str] = _NOTHING  # field -> its option, where that is called otherwise
    hidden: tuple[str, ...] = ()  # fields that only programs give
    values: Mapping[str, Any] = _NOTHING  # what fields are unless given, if not their default
    by_hand: bool = False  # the command line has a command of its own for it


@dataclass(frozen=True, eq=False, repr=False)
class Caller:
    """Who calls an operation, through which channel, and where progress is reported. `memory` is the owner's."""

    memory: CelestialMemory
    owner: Owner
    channel: str
    progress: Callable[[int, int], None] | None = None
    scopes: frozenset[Scope] = EVERYTHING  # a caller cannot grant more than it has
    language: str = "en"  # of what the engine says is wrong
    local: bool = False  # the owner of the machine, at the machine: paths and other owners are no secret
    # Where operations that stream tell what happens, by name and as JSON values. It may raise to stop them.
    on_event: Callable[[str, dict[str, Any]], None] | None = None

    def message(self, problem: Problem | None) -> str | None:
        """What is wrong, in the caller's language."""
        return None if problem is None else problem.message(self.language)

    def messages(self, problems: Iterable[Problem]) -> tuple[str, ...]:
        return tuple(problem.message(self.language) for problem in problems)

    @cached_property
    def zones(self) -> Sequence[ZoneConfig]:
        """The zones of the database, read once per call."""
        return self.memory.orbits.zones()


class About(NamedTuple):
    """What a field means, for people and for models, and its bounds for callers over a network."""

    text: str
    least: float | None = None
    most: float | None = None
    tool: bool = True  # offered to models over MCP, who pay for each field by the token

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        schema = handler(source)
        bounds = {"ge": self.least, "le": self.most}
        return {**schema, **{name: bound for name, bound in bounds.items() if bound is not None}}

    def __get_pydantic_json_schema__(
        self, schema: dict[str, Any], handler: Callable[[Any], dict[str, Any]]
    ) -> dict[str, Any]:
        return {**handler(schema), "description": self.text, **({} if self.tool else {"x-tool": False})}


@dataclass(frozen=True, eq=False, repr=False)
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
    commands: tuple[Command, ...] = ()  # of the command line
    examples: tuple[Mapping[str, Any], ...] = field(default=())
    long: bool = False  # may take minutes; MCP makes a task of it for clients that know tasks
    streams: bool = False  # tells what happens while it runs; REST sends that as server-sent events
