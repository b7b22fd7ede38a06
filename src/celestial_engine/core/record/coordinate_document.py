"""A memory as a coordinate document: time, space, agent, emotion, content, metadata and relations in one object.

It holds what a host knows about a memory. Orbit and lifetime belong to the engine and are not part of it.
See docs/coordinates.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from celestial_engine.core.checks import check_text
from celestial_engine.core.codec import decode, encode
from celestial_engine.core.record.coordinate import (
    AgentCoordinate,
    ContentType,
    Document,
    EmotionCoordinate,
    Links,
    SpaceCoordinate,
    TimeCoordinate,
)
from celestial_engine.core.record.coordinate_checks import check_field
from celestial_engine.core.record.events import timestamp
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import Source
from celestial_engine.core.record.timestamps import seconds_of
from celestial_engine.errors import CelestialError, Expected, InvalidItemError, Reason


@dataclass(frozen=True)
class DocumentEmotion:
    affect_amplitude: float | None = None
    sentiment_score: float = 0.0
    confidence: float = 0.0
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True)
class DocumentContent:
    response_full: str
    type: ContentType = ContentType.USER_INPUT
    prompt_digest: str | None = None
    response_summary: str | None = None
    token_count: int | None = None


@dataclass(frozen=True)
class DocumentMetadata:
    """If `importance` is None, the engine evaluates it."""

    importance: float | None = None
    tags: tuple[str, ...] = ()
    user_rating: int | None = None
    phase_injection_applied: bool = False
    error_occurred: bool = False
    bqi_snapshot: dict[str, Any] | None = None


@dataclass(frozen=True)
class DocumentRelations:
    parent_memory_id: str | None = None
    child_memory_ids: tuple[str, ...] = ()
    related_memory_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class CoordinateDocument:
    """The document as a value; the fields are named like the JSON keys."""

    memory_id: str
    timestamp: str
    content: DocumentContent
    time: TimeCoordinate = field(default_factory=TimeCoordinate)
    space: SpaceCoordinate = field(default_factory=SpaceCoordinate)
    agent: AgentCoordinate = field(default_factory=AgentCoordinate)
    emotion: DocumentEmotion = field(default_factory=DocumentEmotion)
    metadata: DocumentMetadata = field(default_factory=DocumentMetadata)
    relations: DocumentRelations = field(default_factory=DocumentRelations)

    def check(self) -> None:
        """Raises InvalidItemError for values out of range; decoding has already checked the types."""
        check_field("memory_id", "memory_id", self.memory_id)
        self.seconds  # noqa: B018 - raises if it is not a timestamp
        for part in fields(self):
            facet = getattr(self, part.name)
            for inner in fields(facet) if not isinstance(facet, str) else ():
                check_field(f"{part.name}.{inner.name}", inner.name, getattr(facet, inner.name))
        try:
            check_text(self.content.response_full, "content.response_full")
            for tag in self.metadata.tags:
                check_text(tag, "metadata.tags")
        except CelestialError as error:
            raise InvalidItemError(Reason.OTHER_ERROR, cause=error) from None

    @property
    def seconds(self) -> float:
        """The timestamp in seconds since the Unix epoch."""
        try:
            return seconds_of(self.timestamp)
        except ValueError:
            raise InvalidItemError(
                "timestamp", Reason.WRONG_VALUE, expected=Expected.TIMESTAMP, got=self.timestamp
            ) from None

    def to_dict(self) -> dict[str, Any]:
        """Returns the JSON object in schema order; `bqi_snapshot` is left out if it is None."""
        encoded: dict[str, Any] = encode(self)
        if self.metadata.bqi_snapshot is None:
            del encoded["metadata"]["bqi_snapshot"]
        return {name: encoded[name] for name in _ORDER}

    def to_item(self) -> CelestialItem:
        """Returns a record without a zone; if the importance is missing, its source is "unjudged"."""
        content, metadata, emotion = self.content, self.metadata, self.emotion
        return CelestialItem(
            id=self.memory_id,
            content=content.response_full,
            created_at=self.seconds,
            last_recalled_at=self.seconds,
            arbitrary_importance=0.5 if metadata.importance is None else metadata.importance,
            importance_source=UNJUDGED if metadata.importance is None else "given",
            user_rating=metadata.user_rating,
            tags=metadata.tags,
            source=Source.IMPORT,
            time=self.time,
            space=self.space,
            agent=self.agent,
            emotion=EmotionCoordinate(
                affect_amplitude=emotion.affect_amplitude,
                sentiment_score=emotion.sentiment_score,
                confidence=emotion.confidence,
                keywords=emotion.keywords,
            ),
            document=Document(
                type=content.type,
                prompt_digest=content.prompt_digest,
                summary=content.response_summary,
                token_count=content.token_count,
                phase_injection_applied=metadata.phase_injection_applied,
                error_occurred=metadata.error_occurred,
                bqi_snapshot=metadata.bqi_snapshot,
            ),
            links=Links(
                self.relations.parent_memory_id, self.relations.child_memory_ids, self.relations.related_memory_ids
            ),
        )


UNJUDGED = "unjudged"
_ORDER = ("memory_id", "timestamp", "time", "space", "agent", "emotion", "content", "metadata", "relations")


def document_fields(item: CelestialItem) -> dict[str, Any]:
    """Returns the fields of the document for this memory."""
    document, emotion, links = item.document, item.emotion, item.links
    return {
        "memory_id": item.id,
        "timestamp": timestamp(item.created_at),
        "time": item.time,
        "space": item.space,
        "agent": item.agent,
        "emotion": DocumentEmotion(
            emotion.affect_amplitude, emotion.sentiment_score, emotion.confidence, emotion.keywords
        ),
        "content": DocumentContent(
            item.content, document.type, document.prompt_digest, document.summary, document.token_count
        ),
        "metadata": DocumentMetadata(
            item.arbitrary_importance,
            item.tags,
            item.user_rating,
            document.phase_injection_applied,
            document.error_occurred,
            document.bqi_snapshot,
        ),
        "relations": DocumentRelations(links.parent, links.children, links.related),
    }


def coordinate_document(item: CelestialItem) -> dict[str, Any]:
    """Returns the memory as a coordinate document."""
    return CoordinateDocument(**document_fields(item)).to_dict()


def from_coordinate(document: object) -> CelestialItem:
    """Parses a coordinate document. InvalidItemError names unknown fields, wrong types and values out of range."""
    decoded = decode(CoordinateDocument, document, "coordinate")
    decoded.check()
    return decoded.to_item()
