"""What operations answer with: memories, hits and events as every surface shows them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, Any

from celestial_engine.core.record.events import Event, timestamp
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.versions import version_of
from celestial_engine.core.retrieval.search_result import Hit
from celestial_engine.surfaces.operations.declaration import About, Caller
from celestial_engine.surfaces.operations.fields import Next


@dataclass(frozen=True)
class Memory:
    """One memory, as far as people and models ask for it; `export` gives every field."""

    id: str
    content: str
    zone: str
    tier: str
    state: str
    importance: float
    score: float
    recall_count: int
    mention_count: int
    created_at: str
    last_recalled_at: str
    expires_at: str | None
    category: str | None
    gist: str | None
    facts: tuple[str, ...]
    keywords: tuple[str, ...]
    tags: tuple[str, ...]
    emotions: tuple[str, ...]
    intensity: float
    protection: str
    source: str
    trust: str
    session_id: str | None
    persona_id: str | None
    project: str | None
    domain: str | None
    related: tuple[str, ...]
    user_rating: int | None
    superseded_by: str | None
    purge_at: str | None
    departed_for: str | None
    version: str
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Memories:
    """Some memories, perhaps a page of many."""

    memories: tuple[Memory, ...]
    next: Next = None


@dataclass(frozen=True)
class Found:
    """A memory that was found, and how well it suits."""

    memory: Memory
    relevance: float
    lists: tuple[str, ...] = ()
    parts: Annotated[
        dict[str, float] | None, About("what each part adds to the relevance; null unless asked for")
    ] = None


@dataclass(frozen=True)
class Happening:
    """One entry of the ledger."""

    number: int
    type: str
    at: str
    memory_id: str | None
    detail: dict[str, Any]


def memory_view(caller: Caller, item: CelestialItem) -> Memory:
    zones = caller.zones
    return Memory(
        id=item.id,
        content=item.content,
        zone=zones[item.zone].name if 0 <= item.zone < len(zones) else "none",
        tier=item.tier.value,
        state=item.state.value,
        importance=item.arbitrary_importance,
        score=item.total_score,
        recall_count=item.recall_count,
        mention_count=item.mention_count,
        created_at=timestamp(item.created_at),
        last_recalled_at=timestamp(item.last_recalled_at),
        expires_at=None if item.expires_at is None else timestamp(item.expires_at),
        category=None if item.category is None else item.category.value,
        gist=item.resolution.gist,
        facts=tuple(",".join(triple) for triple in item.resolution.triples),
        keywords=item.keywords,
        tags=item.tags,
        emotions=tuple(tag.value for tag in item.emotion.tags),
        intensity=item.emotion.intensity,
        protection=item.protection.value,
        source=item.source.value,
        trust=item.trust.value,
        session_id=item.time.session_id,
        persona_id=item.agent.persona_id,
        project=item.space.project,
        domain=item.space.domain,
        related=item.links.related,
        user_rating=item.user_rating,
        superseded_by=item.validity.superseded_by,
        purge_at=None if item.departure is None else timestamp(item.departure.purge_at),
        departed_for=None if item.departure is None else item.departure.reason.value,
        version=version_of(item),
        metadata=item.metadata,
    )


def memories_view(caller: Caller, items: Iterable[CelestialItem], cursor: str | None = None) -> Memories:
    return Memories(tuple(memory_view(caller, item) for item in items), cursor)


def found_view(caller: Caller, hit: Hit, *, explain: bool = False) -> Found:
    parts = {name: round(value, 4) for name, value in hit.parts.items()} if explain else None
    return Found(memory_view(caller, hit.item), hit.relevance, tuple(hit.lists), parts)


def event_view(event: Event) -> Happening:
    return Happening(event.number or 0, event.name, timestamp(event.at), event.item_id, event.detail)
