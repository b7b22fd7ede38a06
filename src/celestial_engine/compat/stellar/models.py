"""The result types of stellar-memory's calls."""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass, field, fields
from typing import Any
from uuid import uuid4

from celestial_engine.errors import InvalidImportanceError


@dataclass
class EmotionVector:
    """Six emotions, each from 0 to 1."""

    joy: float = 0.0
    sadness: float = 0.0
    anger: float = 0.0
    fear: float = 0.0
    surprise: float = 0.0
    disgust: float = 0.0

    @property
    def intensity(self) -> float:
        return max(self.to_list())

    @property
    def dominant(self) -> str:
        """The strongest emotion; the first of equals."""
        felt = self.to_dict()
        return max(felt, key=felt.__getitem__)

    def to_dict(self) -> dict[str, float]:
        return asdict(self)

    def to_list(self) -> list[float]:
        return list(self.to_dict().values())

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> EmotionVector:
        return cls(**{name: float(data.get(name, 0.0)) for name in EMOTIONS})

    @classmethod
    def from_list(cls, values: list[float]) -> EmotionVector:
        return cls(*values[: len(EMOTIONS)])


EMOTIONS = tuple(emotion.name for emotion in fields(EmotionVector))


@dataclass
class MemoryItem:
    """A copy of one memory; changing it does not change what is stored."""

    id: str
    content: str
    created_at: float
    last_recalled_at: float
    recall_count: int = 0
    arbitrary_importance: float = 0.5
    zone: int = -1
    metadata: dict[str, Any] = field(default_factory=dict)
    embedding: list[float] | None = None
    total_score: float = 0.0
    encrypted: bool = False
    source_type: str = "user"
    source_url: str | None = None
    ingested_at: float | None = None
    vector_clock: dict[str, int] | None = None
    emotion: EmotionVector | None = None
    content_type: str = "text"
    user_id: str | None = None

    @classmethod
    def create(
        cls,
        content: str,
        importance: float = 0.5,
        metadata: dict[str, Any] | None = None,
        user_id: str | None = None,
    ) -> MemoryItem:
        """A new item, created now and not stored yet."""
        now = time.time()
        return cls(
            str(uuid4()), content, now, now,
            arbitrary_importance=clamped(importance), metadata=metadata or {}, user_id=user_id,
        )  # fmt: skip


def clamped(importance: float) -> float:
    """Clamp an importance to 0..1; raises InvalidImportanceError if it is not a number."""
    if isinstance(importance, bool) or not isinstance(importance, (int, float)) or math.isnan(importance):
        raise InvalidImportanceError(value=importance)
    return max(0.0, min(1.0, float(importance)))


@dataclass
class ScoreBreakdown:
    recall_score: float
    freshness_score: float
    arbitrary_score: float
    context_score: float
    total: float
    target_zone: int
    emotion_score: float = 0.0


@dataclass
class ReorbitResult:
    moved: int = 0
    evicted: int = 0
    total_items: int = 0
    duration: float = 0.0  # seconds


@dataclass
class MemoryStats:
    zone_counts: dict[int, int] = field(default_factory=dict)
    zone_capacities: dict[int, int | None] = field(default_factory=dict)
    total_memories: int = 0


@dataclass
class HealthStatus:
    healthy: bool = True
    db_accessible: bool = True
    scheduler_running: bool = False
    total_memories: int = 0
    graph_edges: int = 0
    zone_usage: dict[int, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


@dataclass
class SessionInfo:
    session_id: str = ""
    started_at: float = 0.0
    ended_at: float | None = None
    memory_count: int = 0
    summary: str | None = None


@dataclass
class MemorySnapshot:
    timestamp: float = 0.0
    total_memories: int = 0
    zone_distribution: dict[int, int] = field(default_factory=dict)
    items: list[dict[str, Any]] = field(default_factory=list)
    version: str = "0.3.0"


@dataclass
class MemoryEdge:
    source_id: str
    target_id: str
    edge_type: str
    weight: float = 1.0
    created_at: float = 0.0


@dataclass
class TimelineEntry:
    timestamp: float = 0.0
    memory_id: str = ""
    content: str = ""
    zone: int = -1
    emotion: EmotionVector | None = None
    importance: float = 0.0


@dataclass
class EvaluationResult:
    """Importance of a text, with the score of each kind of evidence."""

    importance: float
    factual_score: float
    emotional_score: float
    actionable_score: float
    explicit_score: float
    method: str


@dataclass
class DecayResult:
    """Memories due to be demoted, as (id, from_zone, to_zone), and ids due to be forgotten."""

    to_demote: list[tuple[str, int, int]] = field(default_factory=list)
    to_forget: list[str] = field(default_factory=list)
    demoted: int = 0
    forgotten: int = 0


@dataclass
class IntrospectionResult:
    """What is stored about a topic, and what is missing."""

    topic: str = ""
    confidence: float = 0.0
    coverage: list[str] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    memory_count: int = 0
    avg_freshness: float = 0.0
    zone_distribution: dict[int, int] = field(default_factory=dict)


@dataclass
class ConfidentRecall:
    """Recall results with a confidence."""

    memories: list[MemoryItem] = field(default_factory=list)
    confidence: float = 0.0
    warning: str | None = None


@dataclass
class ReasoningResult:
    """Insights drawn from several memories."""

    query: str = ""
    source_memories: list[MemoryItem] = field(default_factory=list)
    insights: list[str] = field(default_factory=list)
    contradictions: list[dict[str, Any]] = field(default_factory=list)
    confidence: float = 0.0
    reasoning_chain: list[str] = field(default_factory=list)


@dataclass
class Contradiction:
    """Two memories that cannot both be true."""

    memory_a_id: str = ""
    memory_b_id: str = ""
    description: str = ""
    severity: float = 0.0
