"""Fields that several requests share."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal

from celestial_engine.core.record.coordinate import Emotion
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.errors import InvalidInputError, Reason
from celestial_engine.surfaces.operations.declaration import About, Caller


class MemoryRef:
    """Marks a field that names a memory: at the command line the first characters of an id will do."""


Id = Annotated[str, MemoryRef, About("the id of a memory")]
Question = Annotated[str, About("what to look for, as a question, a sentence or words")]
Limit = Annotated[int, About("at most so many", 1, 1000)]
Importance = Annotated[float, About("importance from 0 to 1; leave it out to have it judged", 0, 1)]
Budget = Annotated[int, About("at most so many tokens", 16, 100_000)]
Cursor = Annotated[str | None, About("`next` of the page before; leave it out for the first page")]
Next = Annotated[str | None, About("the cursor of the next page; null after the last")]
IfVersion = Annotated[str | None, About("only if the memory still has this version")]
Zone = Literal["core", "inner", "outer", "belt", "cloud"]


class StrictRequest:
    """A request that refuses fields it does not know."""

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}


@dataclass(frozen=True, repr=False)
class EmptyRequest(StrictRequest):
    """A request that says nothing."""


@dataclass(frozen=True, repr=False)
class MemoryIdRequest(StrictRequest):
    """A request about one memory."""

    id: Id


@dataclass(frozen=True, repr=False)
class MemoryFilter(StrictRequest):
    """Which memories: all that is given must hold."""

    since: Annotated[datetime | None, About("stored at or after this moment")] = None
    until: Annotated[datetime | None, About("stored at or before this moment")] = None
    session_id: Annotated[str | None, About("of this session")] = None
    persona_id: Annotated[str | None, About("recorded by this persona")] = None
    project: Annotated[str | None, About("of this project")] = None
    domain: Annotated[str | None, About("of this domain")] = None
    tags: Annotated[tuple[str, ...], About("with these tags, all of them")] = ()
    min_importance: Annotated[float | None, About("of at least this importance", 0, 1)] = None
    emotion: Annotated[Emotion | None, About("felt with this emotion")] = None
    zone: Annotated[Zone | None, About("in this zone")] = None
    tier: Annotated[Tier | None, About("of this lifetime")] = None


def item_filter(caller: Caller, where: MemoryFilter | None) -> ItemFilter | None:
    """The engine's filter; None where nothing is asked for."""
    if where is None or where == MemoryFilter():
        return None
    return ItemFilter(
        time_range=None if where.since is None and where.until is None else (where.since, where.until),
        session_id=where.session_id,
        persona_id=where.persona_id,
        project=where.project,
        domain=where.domain,
        tags=where.tags,
        min_importance=where.min_importance,
        emotion=where.emotion,
        zone=zone_number(caller, where.zone),
        tier=where.tier,
    )


def zone_number(caller: Caller, name: str | None) -> int | None:
    """The number of a zone; None where none is asked for."""
    if name is None:
        return None
    zones = [zone.name for zone in caller.zones]
    if name not in zones:
        raise InvalidInputError("zone", Reason.UNKNOWN_CHOICE, got=name, choices=tuple(zones))
    return zones.index(name)
