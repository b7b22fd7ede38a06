"""A memory read from another system, before it is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid5

from celestial_engine.core.record.coordinate import Document, Links, Resolution, TimeCoordinate
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.item import Category, CelestialItem
from celestial_engine.core.record.lifetimes import Source
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.text.perception import Perception
from celestial_engine.core.text.tokens import count_tokens
from celestial_engine.core.turn.conversation import Role

# After ninety idle days freshness is at its minimum, so this limit changes no score. Without it an imported memory
# would fade in its first sleep, because it was idle elsewhere.
IDLEST_ARRIVAL = timedelta(days=90)
_IMPORT_NAMESPACE = UUID("6f1d1f3e-5d0b-5b39-9a53-0c2f6b7f4a11")


@dataclass(frozen=True)
class ImportedRecord:
    """The fields that a source has for one memory; missing ones are inferred from the text."""

    origin: str  # the format it was read from
    identity: str  # its id in the source, which recognises repeated imports
    content: str
    where: str = ""  # shown to users: "line 3"
    created_at: float | None = None
    last_recalled_at: float | None = None
    recall_count: int = 0
    importance: float | None = None
    category: Category | None = None
    keywords: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    protection: Protection = Protection.NONE
    active: bool = True
    zone: str | None = None  # the name of its zone in the source
    gist: str | None = None
    triples: tuple[tuple[str, str, str], ...] = ()
    time: TimeCoordinate = field(default_factory=TimeCoordinate)
    parent: str | None = None  # identities in the same source
    related: tuple[str, ...] = ()
    role: Role | None = None  # for conversation turns: then the policy decides whether to keep it
    user: str | None = None  # its user in the source
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def item_id(self) -> str:
        return id_of(self.origin, self.identity)


def id_of(origin: str, identity: str) -> str:
    """Returns a deterministic id, so that importing twice stores once."""
    # A lone surrogate has no UTF-8 form. Such a record is rejected later, but errors need its id.
    name = f"{origin}\n{identity}".encode("utf-8", "backslashreplace").decode()
    return str(uuid5(_IMPORT_NAMESPACE, name))


def item_from_import(arrival: ImportedRecord, owner: Owner, now: float) -> CelestialItem:
    """Builds the item with its history; perception, lifetime, importance and zone are added later."""
    created = min(now, now if arrival.created_at is None else arrival.created_at)
    recalled = min(now, max(created, arrival.last_recalled_at or created))
    return CelestialItem(
        id=arrival.item_id,
        content=arrival.content,
        created_at=created,
        last_recalled_at=max(recalled, now - IDLEST_ARRIVAL.total_seconds()),
        idle_since=now,  # its heat is that of its last use elsewhere; its idle days here begin now
        recall_count=arrival.recall_count,
        metadata={**arrival.metadata, "imported": _provenance(arrival, recalled)},
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
    """Fills in the fields that the source did not have."""
    imported, inferred = item.resolution, perceived.resolution
    return replace(
        item,
        category=item.category or perceived.category,
        keywords=item.keywords or perceived.keywords,
        resolution=Resolution(
            imported.gist or inferred.gist, tuple(dict.fromkeys((*imported.triples, *inferred.triples)))
        ),
        document=replace(item.document, token_count=count_tokens(item.content)),
    )


def _provenance(record: ImportedRecord, recalled: float) -> dict[str, Any]:
    fields = {"zone": record.zone, "user": record.user, "last_recalled_at": recalled}
    present = {name: value for name, value in fields.items() if value is not None}
    return {"from": record.origin, "id": record.identity, **present}


def _links(record: ImportedRecord) -> Links:
    others = (other for other in dict.fromkeys(record.related) if other != record.identity)
    parent = None if record.parent in (None, record.identity) else record.parent
    return Links(
        parent=None if parent is None else id_of(record.origin, parent),
        related=tuple(id_of(record.origin, other) for other in others),
    )
