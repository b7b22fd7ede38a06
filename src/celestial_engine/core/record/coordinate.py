"""The facets of a memory: time, space, agent, emotion, links. All are optional, immutable values."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

MOST_DIGEST = 500


class Emotion(str, Enum):
    JOY = "joy"
    SADNESS = "sadness"
    ANGER = "anger"
    FEAR = "fear"
    DISGUST = "disgust"
    ANXIETY = "anxiety"
    ENVY = "envy"
    ENNUI = "ennui"
    NOSTALGIA = "nostalgia"
    NEUTRAL = "neutral"


class ContentType(str, Enum):
    USER_INPUT = "user_input"
    PERSONA_RESPONSE = "persona_response"
    SYSTEM_EVENT = "system_event"


@dataclass(frozen=True)
class TimeCoordinate:
    session_id: str | None = None
    sequence: int | None = None
    relative_time_minutes: float | None = None


@dataclass(frozen=True)
class SpaceCoordinate:
    project: str | None = None
    domain: str | None = None
    file_context: tuple[str, ...] = ()
    depth_index: int | None = None


@dataclass(frozen=True)
class AgentCoordinate:
    persona_id: str | None = None
    persona_name: str | None = None
    role: str | None = None
    backend: str | None = None


@dataclass(frozen=True)
class EmotionCoordinate:
    tags: tuple[Emotion, ...] = ()
    intensity: float = 0.0
    affect_amplitude: float | None = None
    sentiment_score: float = 0.0
    confidence: float = 0.0
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True)
class Document:
    """What kind of text this is, and what the host knew when it was written."""

    type: ContentType = ContentType.USER_INPUT
    prompt_digest: str | None = None
    summary: str | None = None
    token_count: int | None = None
    phase_injection_applied: bool = False
    error_occurred: bool = False
    bqi_snapshot: dict[str, Any] | None = None
    source_text: str | None = None  # the whole turn, if the memory holds only its statement


@dataclass(frozen=True)
class Resolution:
    """Shorter forms of the text: level 1 is a gist, level 2 is subject-predicate-object triples."""

    gist: str | None = None
    triples: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True)
class Validity:
    """When a statement is valid, the id of the newer one that replaced it, and the ids of those it replaced."""

    since: float | None = None
    until: float | None = None
    superseded_by: str | None = None
    replaces: tuple[str, ...] = ()

    def holds_at(self, moment: float) -> bool:
        return (self.since is None or self.since <= moment) and (self.until is None or moment < self.until)


@dataclass(frozen=True)
class Links:
    parent: str | None = None
    children: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    promoted_from: tuple[str, ...] = ()
    island: str | None = None

    @property
    def count(self) -> int:
        """The number of memories this one is linked to."""
        return len(self.children) + len(self.related) + (self.parent is not None)

    @property
    def tied(self) -> tuple[str, ...]:
        """The ids of the memories this one is linked to, without duplicates."""
        return tuple(dict.fromkeys((*([self.parent] if self.parent else ()), *self.children, *self.related)))

    def without(self, item_id: str) -> Links:
        """Returns a copy without links to a memory; `promoted_from` keeps its provenance."""
        return replace(
            self,
            parent=None if self.parent == item_id else self.parent,
            children=tuple(other for other in self.children if other != item_id),
            related=tuple(other for other in self.related if other != item_id),
        )

    def with_child(self, item_id: str) -> Links:
        return self if item_id in self.children else replace(self, children=(*self.children, item_id))

    def with_related(self, item_id: str) -> Links:
        return self if item_id in self.related else replace(self, related=(*self.related, item_id))


@dataclass(frozen=True)
class Coordinate:
    """The facets a host passes with a new memory; if `emotion` is None, it is inferred from the text."""

    time: TimeCoordinate = field(default_factory=TimeCoordinate)
    space: SpaceCoordinate = field(default_factory=SpaceCoordinate)
    agent: AgentCoordinate = field(default_factory=AgentCoordinate)
    emotion: EmotionCoordinate | None = None
    document: Document = field(default_factory=Document)
    links: Links = field(default_factory=Links)


def prompt_digest_of(prompt: str) -> str:
    """Returns the prompt on one line, cut to at most 500 characters."""
    line = " ".join(prompt.split())
    return line if len(line) <= MOST_DIGEST else line[: MOST_DIGEST - 1].rstrip() + "…"
