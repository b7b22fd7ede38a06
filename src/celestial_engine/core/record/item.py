"""CelestialItem: the record of one memory."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from celestial_engine.core.codec import decode, encode
from celestial_engine.core.record.coordinate import (
    AgentCoordinate,
    Document,
    EmotionCoordinate,
    Links,
    Resolution,
    SpaceCoordinate,
    TimeCoordinate,
    Validity,
)
from celestial_engine.core.record.forgetting import Departure, Protection, State
from celestial_engine.core.record.labels import Address, Lifetime
from celestial_engine.core.record.lifetimes import Source, Tier, TierReason, is_lasting
from celestial_engine.core.record.owner import LOCAL_OWNER, Owner
from celestial_engine.errors import InvalidImportanceError


class Category(str, Enum):
    FACT = "fact"
    PREFERENCE = "preference"
    EXPERIENCE = "experience"
    EMOTION = "emotion"
    TECHNICAL = "technical"
    CORE_PRINCIPLE = "core_principle"


class Trust(str, Enum):
    LOW = "low"  # an instruction, or a delicate claim of a tool or page: quoted as data, never Core, never distilled
    DOUBTFUL = "doubtful"  # may be one: marked in prompts and not part of the self, otherwise like any other
    NORMAL = "normal"


class Given(str, Enum):
    """What a caller may say about a text instead of having it read."""

    CATEGORY = "category"
    KEYWORDS = "keywords"


UNPLACED = -1


@dataclass
class CelestialItem:
    """One memory with all its facets. Times are seconds since the Unix epoch."""

    id: str
    content: str
    created_at: float
    last_recalled_at: float
    recall_count: int = 0
    arbitrary_importance: float = 0.5
    zone: int = UNPLACED
    metadata: dict[str, Any] = field(default_factory=dict)
    embedding: list[float] | None = None
    total_score: float = 0.0

    # where A(m) came from, and the similarity to the question that last recalled this memory
    importance_source: str = "given"
    context_score: float = 0.0

    # lifetime and state
    tier: Tier = Tier.M90
    tier_reason: TierReason | None = None  # None: from before reasons were stored
    expires_at: float | None = None
    state: State = State.ACTIVE
    protection: Protection = Protection.NONE
    departure: Departure | None = None
    state_since: float | None = None  # when it faded or went inactive
    idle_since: float | None = None  # on the owner's clock, which stands still in absences; None: its last recall
    validity: Validity = field(default_factory=Validity)

    # use
    mention_count: int = 0
    influence_count: int = 0
    user_rating: int | None = None

    # what it is about
    category: Category | None = None
    lifetime: Lifetime | None = None  # how long it stays true; None: not read yet
    address: Address | None = None
    keywords: tuple[str, ...] = ()
    given: tuple[Given, ...] = ()  # category or keywords that a caller gave: reading the text leaves them
    tags: tuple[str, ...] = ()
    resolution: Resolution = field(default_factory=Resolution)
    document: Document = field(default_factory=Document)

    # coordinate
    time: TimeCoordinate = field(default_factory=TimeCoordinate)
    space: SpaceCoordinate = field(default_factory=SpaceCoordinate)
    agent: AgentCoordinate = field(default_factory=AgentCoordinate)
    emotion: EmotionCoordinate = field(default_factory=EmotionCoordinate)

    # links and provenance
    links: Links = field(default_factory=Links)
    source: Source = Source.USER
    trust: Trust = Trust.NORMAL
    owner: Owner = LOCAL_OWNER

    @classmethod
    def create(cls, content: str, importance: float = 0.5, metadata: dict[str, Any] | None = None) -> CelestialItem:
        """Creates a memory, as fresh as if it had just been recalled. Importance is clamped to 0..1."""
        from uuid import uuid4  # slow to import, and a reader makes none

        if math.isnan(importance):
            raise InvalidImportanceError(value=importance)
        now = time.time()  # the only place below the engine that reads the clock
        return cls(
            id=str(uuid4()),
            content=content,
            created_at=now,
            last_recalled_at=now,
            arbitrary_importance=max(0.0, min(1.0, importance)),
            metadata=metadata or {},
        )

    def with_given(self, category: Category | None, keywords: tuple[str, ...]) -> CelestialItem:
        """Returns the memory with a category and keywords that a caller gave; None and () leave what it has."""
        names = (Given.CATEGORY if category else None, Given.KEYWORDS if keywords else None)
        return replace(
            self,
            category=category or self.category,
            keywords=keywords or self.keywords,
            given=tuple(name for name in Given if name in names or name in self.given),
        )

    @property
    def idle_from(self) -> float:
        """Since when it is idle, on the owner's clock."""
        return self.last_recalled_at if self.idle_since is None else self.idle_since

    @property
    def is_lasting(self) -> bool:
        """Whether it is a lasting fact, which does not fade or expire because of time alone."""
        return is_lasting(self.tier, self.lifetime, self.tier_reason, superseded=self.validity.until is not None)

    @property
    def is_claim(self) -> bool:
        """Whether it is only what its source claims: quoted and marked, but it decides nothing.

        What tools and pages say is a claim; so is a text that instructs its reader, whoever said it.
        """
        return self.trust is Trust.LOW or self.source is Source.OBSERVATION

    @property
    def is_marked(self) -> bool:
        """Whether prompts mark it as unverified: a claim, or what may instruct. The self is not made of it."""
        return self.is_claim or self.trust is Trust.DOUBTFUL

    def to_dict(self, *, sparse: bool = False) -> dict[str, Any]:
        """Returns the memory as JSON values; `sparse` omits facets that have their default value."""
        encoded: dict[str, Any] = encode(self, sparse=sparse)
        return encoded

    @classmethod
    def from_dict(cls, data: object) -> CelestialItem:
        """The inverse of `to_dict`. Wrong types and unknown fields raise InvalidItemError."""
        return decode(cls, data)

    def to_coordinate(self) -> dict[str, Any]:
        """Returns a coordinate document: time, space, agent, emotion, content, metadata, relations."""
        from celestial_engine.core.record.coordinate_document import coordinate_document

        return coordinate_document(self)

    @classmethod
    def from_coordinate(cls, document: object) -> CelestialItem:
        """Parses a coordinate document. Unknown and wrong fields raise InvalidItemError."""
        from celestial_engine.core.record.coordinate_document import from_coordinate

        return from_coordinate(document)
