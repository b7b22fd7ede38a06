"""What operations answer with: memories, hits and events as every surface shows them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar

from celestial_engine.core.record.coordinate import EmotionCoordinate
from celestial_engine.core.record.events import Event, timestamp
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.versions import version_of
from celestial_engine.core.retrieval.search_result import Hit
from celestial_engine.errors import NotFoundError
from celestial_engine.surfaces.operations.declaration import About, Caller
from celestial_engine.surfaces.operations.fields import Next

View = TypeVar("View")

# Neither compared nor printed: a recall at the command line makes these classes each time, and half is quicker.


@dataclass(frozen=True, eq=False, repr=False)
class Replaced:
    """A statement that a newer one made outdated."""

    id: str
    content: Annotated[str | None, About("null if it was forgotten since")]


@dataclass(frozen=True, eq=False, repr=False)
class Memory:
    """One memory, as far as people and models ask for it; `export` gives every field."""

    id: str
    content: str
    zone: str
    tier: str
    tier_reason: Annotated[str | None, About("why it has this tier, such as lasting, asked or given")]
    lasting: Annotated[bool, About("a lasting fact: time alone does not end it")]
    attribute: Annotated[str | None, About("what the text says about its subject, such as health or home")]
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
    importance_source: Annotated[
        str, About("what rated the importance: given, rules, llm, evidence, base or default")
    ]
    source: str
    trust: str
    session_id: str | None
    persona_id: str | None
    persona_name: str | None
    role: str | None
    backend: str | None
    project: str | None
    domain: str | None
    files: tuple[str, ...]
    depth: int | None
    type: str
    prompt: str | None
    summary: str | None
    bqi: dict[str, Any] | None
    parent: str | None
    children: tuple[str, ...]
    related: tuple[str, ...]
    user_rating: int | None
    valid_until: str | None
    superseded_by: str | None
    replaces: Annotated[tuple[Replaced, ...], About("the statements that this one made outdated")]
    purge_at: str | None
    departed_for: str | None
    version: str
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, repr=False)
class MemoryPage:
    """Some memories, perhaps a page of many."""

    memories: tuple[Memory, ...]
    next: Next = None


@dataclass(frozen=True, eq=False, repr=False)
class SearchHit:
    """A memory that was found, and how well it suits."""

    memory: Memory
    relevance: float
    lists: tuple[str, ...] = ()
    ranks: Annotated[dict[str, int | None] | None, About("its rank in each list; null unless requested")] = None
    parts: Annotated[
        dict[str, float] | None, About("what each part adds to the relevance; null unless requested")
    ] = None
    probability: Annotated[float, About("how likely it answers the question, 0 to 1")] = 1.0
    known: Annotated[bool, About("whether that reaches the standard floor")] = True
    same_as: Annotated[
        str | None, About("with explain: a hit above it that says the same; else null", tool=False)
    ] = None
    outdated_by: Annotated[str | None, About("a later memory that likely ended what this one says")] = None


@dataclass(frozen=True, eq=False, repr=False)
class LedgerEvent:
    """One entry of the ledger."""

    number: int
    type: str
    at: str
    memory_id: str | None
    detail: dict[str, Any]
    memory_ids: Annotated[tuple[str, ...], About("of a recall of several: those memories, then those displaced")] = ()


@dataclass(frozen=True, eq=False, repr=False)
class Feeling:
    """What memories feel like together."""

    emotions: Annotated[tuple[str, ...], About("the most frequent first; neutral if there are none")]
    mixed: Annotated[str | None, About("what the first two emotions make together, such as nostalgia")]
    intensity: Annotated[float, About("of the strongest, 0 to 1")]
    sentiment: Annotated[float, About("their mean, from -1 to 1")]


def feeling_view(feeling: EmotionCoordinate | None) -> Feeling | None:
    if feeling is None:
        return None
    from celestial_engine.core.emotion.mixes import mixed  # long lists, which a search does not need

    mixture = mixed(feeling.tags)
    return Feeling(
        tuple(tag.value for tag in feeling.tags),
        None if mixture is None else mixture.name_en,
        feeling.intensity,
        feeling.sentiment_score,
    )


def view_of(kind: type[View], source: object, /, **others: Any) -> View:
    """Return a view whose fields are the attributes of the same name, except those that are given."""
    same = {name: getattr(source, name) for name in kind.__annotations__ if name not in others}
    return kind(**same, **others)


def moment_view(at: float | None) -> str | None:
    return None if at is None else timestamp(at)


def memory_view(caller: Caller, item: CelestialItem) -> Memory:
    zones = caller.zones
    return Memory(
        id=item.id,
        content=item.content,
        zone=zones[item.zone].name if 0 <= item.zone < len(zones) else "none",
        tier=item.tier.value,
        tier_reason=None if item.tier_reason is None else item.tier_reason.value,
        lasting=item.is_lasting,
        attribute=None if item.address is None else item.address.attribute.value,
        state=item.state.value,
        importance=item.arbitrary_importance,
        score=item.total_score,
        recall_count=item.recall_count,
        mention_count=item.mention_count,
        created_at=timestamp(item.created_at),
        last_recalled_at=timestamp(item.last_recalled_at),
        expires_at=moment_view(item.expires_at),
        category=None if item.category is None else item.category.value,
        gist=item.resolution.gist,
        facts=tuple(",".join(triple) for triple in item.resolution.triples),
        keywords=item.keywords,
        tags=item.tags,
        emotions=tuple(tag.value for tag in item.emotion.tags),
        intensity=item.emotion.intensity,
        protection=item.protection.value,
        importance_source=item.importance_source,
        source=item.source.value,
        trust=item.trust.value,
        session_id=item.time.session_id,
        persona_id=item.agent.persona_id,
        persona_name=item.agent.persona_name,
        role=item.agent.role,
        backend=item.agent.backend,
        project=item.space.project,
        domain=item.space.domain,
        files=item.space.file_context,
        depth=item.space.depth_index,
        type=item.document.type.value,
        prompt=item.document.prompt_digest,
        summary=item.document.summary,
        bqi=item.document.bqi_snapshot,
        parent=item.links.parent,
        children=item.links.children,
        related=item.links.related,
        user_rating=item.user_rating,
        valid_until=moment_view(item.validity.until),
        superseded_by=item.validity.superseded_by,
        replaces=tuple(_replaced(caller, item_id) for item_id in item.validity.replaces),
        purge_at=None if item.departure is None else timestamp(item.departure.purge_at),
        departed_for=None if item.departure is None else item.departure.reason.value,
        version=version_of(item),
        metadata=item.metadata,
    )


def _replaced(caller: Caller, item_id: str) -> Replaced:
    try:
        return Replaced(item_id, caller.memory.get(item_id).content)
    except NotFoundError:
        return Replaced(item_id, None)


def page_view(caller: Caller, items: Iterable[CelestialItem], cursor: str | None = None) -> MemoryPage:
    return MemoryPage(tuple(memory_view(caller, item) for item in items), cursor)


def hit_view(caller: Caller, hit: Hit, *, explain: bool = False, same_as: str | None = None) -> SearchHit:
    ranks = {name: place.rank for name, place in hit.lists.items()} if explain else None
    parts = {name: round(value, 4) for name, value in hit.parts.items()} if explain else None
    chance = round(hit.probability, 4)
    return SearchHit(
        memory_view(caller, hit.item), hit.relevance, tuple(hit.lists), ranks, parts, chance, hit.is_known, same_as,
        hit.outdated_by,
    )  # fmt: skip


def event_view(event: Event) -> LedgerEvent:
    return LedgerEvent(
        event.number or 0, event.name, timestamp(event.at), event.item_id, event.detail, event.memory_refs
    )
