"""Remembering, changing, rating and protecting."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from celestial_engine.core.record.coordinate import AgentCoordinate, SpaceCoordinate
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.surfaces.operations.declaration import About, Caller, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import Id, IfVersion, Importance, One, Strict, Tags
from celestial_engine.surfaces.operations.views import Memory, memory_view


@dataclass(frozen=True)
class Save(Strict):
    content: Annotated[str, About("what to remember: one fact, preference, event or decision in its own words")]
    importance: Importance | None = None
    tags: Tags = ()
    tier: Annotated[Tier | None, About("how long it may live: M30, M90 or M365; M90 unless given")] = None
    pinned: Annotated[bool, About("never forget it on its own")] = False
    immutable: Annotated[bool, About("refuse every change and deletion")] = False
    session_id: Annotated[str | None, About("the conversation it belongs to")] = None
    persona_id: Annotated[str | None, About("the persona that speaks")] = None
    project: Annotated[str | None, About("the project it belongs to")] = None
    domain: Annotated[str | None, About("the domain it belongs to")] = None
    related: Annotated[tuple[str, ...], About("ids of memories that it belongs to")] = ()
    metadata: Annotated[dict[str, Any], About("anything else, as a JSON object")] = field(default_factory=dict)
    idempotency_key: Annotated[str | None, About("sent again within a day with the same key, it is stored once")] = (
        None
    )


@dataclass(frozen=True)
class Update(Strict):
    id: Id
    content: Annotated[str | None, About("the new text; the old one stays in the history")] = None
    importance: Importance | None = None
    metadata: Annotated[dict[str, Any] | None, About("the new metadata")] = None
    tags: Annotated[tuple[str, ...] | None, About("the new tags, in place of all it had")] = None
    if_version: IfVersion = None


@dataclass(frozen=True)
class Rate(Strict):
    id: Id
    stars: Annotated[int, About("how good this memory is, by the user", 1, 5)]


def save(caller: Caller, asked: Save) -> Memory:
    item = caller.memory.store(
        asked.content,
        asked.importance,
        asked.metadata or None,
        source=Source.USER,
        tier=asked.tier,
        pinned=asked.pinned,
        immutable=asked.immutable,
        tags=asked.tags,
        session_id=asked.session_id,
        space=SpaceCoordinate(project=asked.project, domain=asked.domain),
        agent=AgentCoordinate(persona_id=asked.persona_id),
        related=asked.related,
        idempotency_key=asked.idempotency_key,
    )
    return memory_view(caller, item)


def update(caller: Caller, asked: Update) -> Memory:
    item = caller.memory.update(asked.id, asked.content, asked.importance, asked.metadata,
        tags=asked.tags, if_version=asked.if_version)  # fmt: skip
    return memory_view(caller, item)


def pin(caller: Caller, asked: One) -> Memory:
    return memory_view(caller, caller.memory.pin(asked.id))


def unpin(caller: Caller, asked: One) -> Memory:
    return memory_view(caller, caller.memory.unpin(asked.id))


def rate(caller: Caller, asked: Rate) -> Memory:
    return memory_view(caller, caller.memory.rate(asked.id, asked.stars))


OPERATIONS = (
    Operation(
        "memory_save",
        "Remember one thing about the user or the work for later conversations; secrets are redacted.",
        Save, Memory, save, Route("POST", "/memories", {"idempotency_key": "Idempotency-Key"}, 201), Scope.WRITE,
        Effect.ADDS, command="store",
        examples=({"content": "The user's cat is called Mochi", "tags": ["pets"]},),
    ),
    Operation(
        "memory_update",
        "Correct or extend a memory; what it said before stays in its history and can be undone.",
        Update, Memory, update, Route("PATCH", "/memories/{id}", {"if_version": "If-Match"}), Scope.WRITE,
        Effect.ADDS, True, command="update",
    ),
    Operation(
        "memory_pin", "Keep a memory from ever being forgotten on its own.",
        One, Memory, pin, Route("PUT", "/memories/{id}/pin"), Scope.WRITE, Effect.ADDS, True, command="pin",
    ),
    Operation(
        "memory_unpin", "Let a pinned memory age again.",
        One, Memory, unpin, Route("DELETE", "/memories/{id}/pin"), Scope.WRITE, Effect.ADDS, True, command="unpin",
    ),
    Operation(
        "memory_rate", "Note the user's stars, 1 to 5, on a memory; they raise or lower its importance.",
        Rate, Memory, rate, Route("PUT", "/memories/{id}/rating"), Scope.WRITE, Effect.ADDS, True, command="rate",
    ),
)  # fmt: skip
