"""Remembering, changing, rating, protecting, and the essence of memories."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from celestial_engine.core.record.coordinate import (
    AgentCoordinate,
    ContentType,
    Document,
    Emotion,
    EmotionCoordinate,
    SpaceCoordinate,
)
from celestial_engine.core.record.item import Category
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.errors import InvalidInputError, Reason
from celestial_engine.surfaces.operations.declaration import About, Caller, Command, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import (
    Id,
    IfVersion,
    Importance,
    Limit,
    MemoryIdRequest,
    StrictRequest,
)
from celestial_engine.surfaces.operations.views import Memory, MemoryPage, memory_view, page_view

_MOST_AT_ONCE = 1000
_HALF = 0.5  # the intensity of an emotion of which nothing more is said
Lifetime = Literal["M30", "M90", "M365"]  # M0 is not given but earned
GivenSource = Literal["user", "conversation", "observation", "import"]  # the others are the engine's own


@dataclass(frozen=True)
class SaveRequest(StrictRequest):
    content: Annotated[str, About("what to remember: one fact, preference, event or decision in its own words")]
    importance: Importance | None = None
    metadata: Annotated[dict[str, Any], About("anything else, as a JSON object")] = field(default_factory=dict)
    tags: Annotated[tuple[str, ...], About("tags to find it by")] = ()
    keywords: Annotated[tuple[str, ...], About("what it is about; read from the text if left out")] = ()
    category: Annotated[Category | None, About("what kind of thing it says; read from the text if left out")] = None
    tier: Annotated[Lifetime | None, About("how long it may live; unless given, as long as it stays true")] = None
    pinned: Annotated[bool, About("never forget it on its own")] = False
    immutable: Annotated[bool, About("refuse every change and deletion")] = False
    session_id: Annotated[str | None, About("the conversation it belongs to")] = None
    persona_id: Annotated[str | None, About("the persona that speaks")] = None
    persona_name: Annotated[str | None, About("the persona's name for people", tool=False)] = None
    role: Annotated[str | None, About("the role in which it is said", tool=False)] = None
    backend: Annotated[str | None, About("the model or program that said it", tool=False)] = None
    project: Annotated[str | None, About("the project it belongs to")] = None
    domain: Annotated[str | None, About("the domain it belongs to")] = None
    files: Annotated[tuple[str, ...], About("files it is about", tool=False)] = ()
    depth: Annotated[int | None, About("its depth in a thread of thought, 0 or more", tool=False)] = None
    emotions: Annotated[tuple[Emotion, ...], About("how it felt; felt from the text if left out", tool=False)] = ()
    intensity: Annotated[float | None, About("how strongly that was felt; 0.5 unless given", 0, 1, tool=False)] = None
    type: Annotated[ContentType, About("what kind of text it is", tool=False)] = ContentType.USER_INPUT
    prompt: Annotated[str | None, About("the prompt it answers; 500 characters are kept", tool=False)] = None
    summary: Annotated[str | None, About("a summary to keep with it", tool=False)] = None
    bqi: Annotated[bool, About("read the prompt, else the text, as a BQI coordinate", tool=False)] = False
    parent: Annotated[Id | None, About("the memory it follows", tool=False)] = None
    related: Annotated[tuple[Id, ...], About("memories that it belongs to")] = ()
    source: Annotated[GivenSource, About("where it comes from", tool=False)] = "user"
    idempotency_key: Annotated[str | None, About("sent again within a day with the same key, it is stored once")] = (
        None
    )


@dataclass(frozen=True)
class SaveManyRequest(StrictRequest):
    contents: Annotated[tuple[str, ...], About("what to remember, each a memory of its own; all are stored or none")]
    importance: Importance | None = None
    session_id: Annotated[str | None, About("the conversation they belong to")] = None
    source: Annotated[GivenSource, About("where they come from")] = "import"


@dataclass(frozen=True)
class UpdateRequest(StrictRequest):
    id: Id
    content: Annotated[str | None, About("the new text; the old one stays in the history")] = None
    importance: Annotated[float | None, About("the new importance", 0, 1)] = None
    metadata: Annotated[dict[str, Any] | None, About("the new metadata")] = None
    tags: Annotated[tuple[str, ...] | None, About("the new tags, in place of all it had")] = None
    keywords: Annotated[
        tuple[str, ...] | None,
        About("the new keywords, in place of all it had; an empty list has them read from the text"),
    ] = None
    category: Annotated[Category | None, About("the new category")] = None
    if_version: IfVersion = None
    tier: Annotated[Lifetime | None, About("the new lifetime, which begins its full time again", tool=False)] = None


@dataclass(frozen=True)
class RateRequest(StrictRequest):
    id: Id
    stars: Annotated[int, About("how good this memory is, by the user", 1, 5)]


@dataclass(frozen=True)
class DistillPendingRequest(StrictRequest):
    limit: Limit = 20


@dataclass(frozen=True)
class PendingDistillation:
    token: Annotated[str, About("hand it in with the essence")]
    tier: str
    prompt: Annotated[str, About("what to ask a model; the memories stand in it as data")]
    sources: tuple[str, ...]
    current: Annotated[str | None, About("what rules made of them meanwhile")]


@dataclass(frozen=True)
class PendingDistillations:
    pending: tuple[PendingDistillation, ...]


@dataclass(frozen=True)
class DistillCommitRequest(StrictRequest):
    token: Annotated[str, About("of the pending entry")]
    text: Annotated[str, About("one or two sentences: the person, the relation and the pattern, nothing added")]


def save(caller: Caller, request: SaveRequest) -> Memory:
    item = caller.memory.store(
        request.content,
        request.importance,
        request.metadata or None,
        source=Source(request.source),
        tier=None if request.tier is None else Tier(request.tier),
        pinned=request.pinned,
        immutable=request.immutable,
        tags=request.tags,
        keywords=request.keywords or None,
        category=request.category,
        session_id=request.session_id,
        space=SpaceCoordinate(request.project, request.domain, request.files, request.depth),
        agent=AgentCoordinate(request.persona_id, request.persona_name, request.role, request.backend),
        emotion=_emotion(request),
        document=Document(request.type, request.prompt, request.summary),
        parent=request.parent,
        related=request.related,
        bqi=request.bqi,
        idempotency_key=request.idempotency_key,
    )
    return memory_view(caller, item)


def _emotion(request: SaveRequest) -> EmotionCoordinate | None:
    """A given emotion is certain; None leaves it to be read from the text."""
    if not request.emotions:
        if request.intensity is not None:
            raise InvalidInputError("emotions", Reason.REQUIRED)
        return None
    strength = _HALF if request.intensity is None else request.intensity
    return EmotionCoordinate(tuple(dict.fromkeys(request.emotions)), strength, confidence=1.0)


def save_many(caller: Caller, request: SaveManyRequest) -> MemoryPage:
    if len(request.contents) > _MOST_AT_ONCE and not caller.local:
        raise InvalidInputError("contents", Reason.TOO_MANY, most=_MOST_AT_ONCE, got=len(request.contents))
    items = caller.memory.store_many(
        request.contents, request.importance, source=Source(request.source), session_id=request.session_id
    )  # fmt: skip
    return page_view(caller, items)


def update(caller: Caller, request: UpdateRequest) -> Memory:
    item = caller.memory.update(
        request.id, request.content, request.importance, request.metadata,
        tags=request.tags, keywords=request.keywords, category=request.category,
        tier=None if request.tier is None else Tier(request.tier), if_version=request.if_version,
    )  # fmt: skip
    return memory_view(caller, item)


def pin(caller: Caller, request: MemoryIdRequest) -> Memory:
    return memory_view(caller, caller.memory.pin(request.id))


def unpin(caller: Caller, request: MemoryIdRequest) -> Memory:
    return memory_view(caller, caller.memory.unpin(request.id))


def rate(caller: Caller, request: RateRequest) -> Memory:
    return memory_view(caller, caller.memory.rate(request.id, request.stars))


def remind(caller: Caller, request: MemoryIdRequest) -> Memory:
    return memory_view(caller, caller.memory.remind(request.id))


def influenced(caller: Caller, request: MemoryIdRequest) -> Memory:
    return memory_view(caller, caller.memory.policy.influenced(request.id))


def pending(caller: Caller, request: DistillPendingRequest) -> PendingDistillations:
    found = caller.memory.night.distill_pending(request.limit)
    return PendingDistillations(
        tuple(
            PendingDistillation(
                one.token, one.tier.value, one.prompt, tuple(item.id for item in one.sources), one.current
            )
            for one in found
        )
    )


def commit(caller: Caller, request: DistillCommitRequest) -> Memory:
    return memory_view(caller, caller.memory.night.distill_commit(request.token, request.text))


OPERATIONS = (
    Operation(
        "memory_save",
        "Remember one thing about the user or the work for later conversations; secrets are redacted.",
        SaveRequest, Memory, save, Route("POST", "/memories", {"idempotency_key": "Idempotency-Key"}, 201),
        Scope.WRITE,
        Effect.ADDS, commands=(Command("store", ("content",)),),
        examples=({"content": "The user's cat is called Mochi", "tags": ["pets"]},),
    ),
    Operation(
        "memory_save_many", "Remember many texts at once: all of them, or none.",
        SaveManyRequest, MemoryPage, save_many, Route("POST", "/memories/batch", status=201), Scope.WRITE,
        Effect.ADDS,
        tool=False, commands=(Command("store", ("contents",), switch="--lines", values={"source": "user"}),),
    ),
    Operation(
        "memory_update",
        "Correct or extend a memory; what it said before stays in its history and can be undone.",
        UpdateRequest, Memory, update, Route("PATCH", "/memories/{id}", {"if_version": "If-Match"}), Scope.WRITE,
        Effect.ADDS, True, commands=(Command("update", ("id", "content")),),
    ),
    Operation(
        "memory_pin", "Keep a memory from ever being forgotten on its own.",
        MemoryIdRequest, Memory, pin, Route("PUT", "/memories/{id}/pin"), Scope.WRITE, Effect.ADDS, True,
        commands=(Command("pin", ("id",), each=True),),
    ),
    Operation(
        "memory_unpin", "Let a pinned memory age again.",
        MemoryIdRequest, Memory, unpin, Route("DELETE", "/memories/{id}/pin"), Scope.WRITE, Effect.ADDS, True,
        commands=(Command("unpin", ("id",), each=True),),
    ),
    Operation(
        "memory_rate", "Note the user's stars, 1 to 5, on a memory; they raise or lower its importance.",
        RateRequest, Memory, rate, Route("PUT", "/memories/{id}/rating"), Scope.WRITE, Effect.ADDS, True,
        commands=(Command("rate", ("id", "stars")),),
    ),
    Operation(
        "memory_remind", "Bring one memory to mind: counted and fresh, and whole again if it had faded.",
        MemoryIdRequest, Memory, remind, Route("POST", "/memories/{id}/remind"), Scope.WRITE, Effect.ADDS, tool=False,
    ),
    Operation(
        "memory_influenced", "Note that something was done differently because of a memory.",
        MemoryIdRequest, Memory, influenced, Route("POST", "/memories/{id}/influence"), Scope.WRITE, Effect.ADDS,
        tool=False,
    ),
    Operation(
        "distill_pending", "Memories whose essence is to be written, each with a prompt and a token.",
        DistillPendingRequest, PendingDistillations, pending, Route("GET", "/distillation"),
    ),
    Operation(
        "distill_commit", "Hand in the essence of a pending entry; what no source says is refused.",
        DistillCommitRequest, Memory, commit, Route("POST", "/distillation"), Scope.WRITE, Effect.ADDS,
    ),
)  # fmt: skip
