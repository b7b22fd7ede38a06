"""An arrival: a memory as another system tells of it, before it is one of ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid5

from celestial_engine.core.record.coordinate import Document, Links, Resolution, TimeCoordinate
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.item import Category, CelestialItem
from celestial_engine.core.record.lifetimes import Source, expiry
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.text.perception import Perception
from celestial_engine.core.text.tokens import count_tokens
from celestial_engine.core.turn.conversation import Role

# Ninety idle days are where freshness is gone: nobody's score changes by it. Idler than that nothing arrives, or it
# would fade in its first night here for what happened elsewhere.
IDLEST_ARRIVAL = timedelta(days=90)
_ARRIVALS = UUID("6f1d1f3e-5d0b-5b39-9a53-0c2f6b7f4a11")


@dataclass(frozen=True)
class ImportedRecord:
    """What a source says of one memory; what it leaves out is found out from the text."""

    origin: str  # the format it was read from
    identity: str  # what the source calls it: the same one again is known by this
    content: str
    where: str = ""  # for people: "line 3"
    created_at: float | None = None
    last_recalled_at: float | None = None
    recall_count: int = 0
    importance: float | None = None
    category: Category | None = None
    keywords: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    protection: Protection = Protection.NONE
    active: bool = True
    zone: str | None = None  # the name of its orbit there
    gist: str | None = None
    triples: tuple[tuple[str, str, str], ...] = ()
    time: TimeCoordinate = field(default_factory=TimeCoordinate)
    parent: str | None = None  # identities of others of the same source
    related: tuple[str, ...] = ()
    role: Role | None = None  # who said it, if it was said: then it is weighed whether it is worth keeping
    user: str | None = None  # whose it was there
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def item_id(self) -> str:
        return id_of(self.origin, self.identity)


def id_of(origin: str, identity: str) -> str:
    """The id under which a memory of a source is kept: always the same, so that twice is once."""
    # Half of a pair has no UTF-8: who has one in its name is refused later, and told by an id all the same.
    named = f"{origin}\n{identity}".encode("utf-8", "backslashreplace").decode()
    return str(uuid5(_ARRIVALS, named))


def item_from_import(arrival: ImportedRecord, owner: Owner, now: float) -> CelestialItem:
    """The record of an arrival, with its history there; not yet read, judged or placed."""
    created = min(now, now if arrival.created_at is None else arrival.created_at)
    recalled = min(now, max(created, arrival.last_recalled_at or created))
    tier = Source.IMPORT.first_tier
    return CelestialItem(
        id=arrival.item_id,
        content=arrival.content,
        created_at=created,
        last_recalled_at=max(recalled, now - IDLEST_ARRIVAL.total_seconds()),
        recall_count=arrival.recall_count,
        metadata={**arrival.metadata, "imported": _provenance(arrival, recalled)},
        tier=tier,
        expires_at=expiry(tier, now),
        state=State.ACTIVE if arrival.active else State.INACTIVE,
        state_since=None if arrival.active else now,
        protection=arrival.protection,
        category=arrival.category,
        keywords=arrival.keywords,
        tags=tuple(dict.fromkeys(arrival.tags)),
        resolution=Resolution(arrival.gist, arrival.triples),
        document=Document(token_count=count_tokens(arrival.content)),
        time=arrival.time,
        links=_links(arrival),
        source=Source.IMPORT,
        owner=owner,
    )


def completed(item: CelestialItem, perceived: Perception) -> CelestialItem:
    """The same with what its source did not tell of it."""
    told, read = item.resolution, perceived.resolution
    return replace(
        item,
        category=item.category or perceived.category,
        keywords=item.keywords or perceived.keywords,
        resolution=Resolution(told.gist or read.gist, tuple(dict.fromkeys((*told.triples, *read.triples)))),
        document=replace(item.document, token_count=count_tokens(item.content)),
    )


def _provenance(arrival: ImportedRecord, recalled: float) -> dict[str, Any]:
    told = {"zone": arrival.zone, "user": arrival.user, "last_recalled_at": recalled}
    known = {name: value for name, value in told.items() if value is not None}
    return {"from": arrival.origin, "id": arrival.identity, **known}


def _links(arrival: ImportedRecord) -> Links:
    others = (other for other in dict.fromkeys(arrival.related) if other != arrival.identity)
    parent = None if arrival.parent in (None, arrival.identity) else arrival.parent
    return Links(
        parent=None if parent is None else id_of(arrival.origin, parent),
        related=tuple(id_of(arrival.origin, other) for other in others),
    )
