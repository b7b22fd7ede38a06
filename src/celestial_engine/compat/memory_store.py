"""MemoryStore and MemoryCoordinate: memories as coordinate documents, for hosts that use that format."""

from __future__ import annotations

import os
import secrets
import time as clock
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from celestial_engine.core.checks import check_limit, check_tags, check_text
from celestial_engine.core.codec import decode, encode
from celestial_engine.core.record.coordinate import AgentCoordinate, SpaceCoordinate, TimeCoordinate, prompt_digest_of
from celestial_engine.core.record.coordinate_document import (
    CoordinateDocument,
    DocumentContent,
    DocumentEmotion,
    DocumentMetadata,
    DocumentRelations,
    document_fields,
)
from celestial_engine.core.record.events import timestamp as iso_utc
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import BqiFilter, ItemFilter
from celestial_engine.core.record.timestamps import new_memory_id
from celestial_engine.core.record.timestamps import new_session_id as session_id_at
from celestial_engine.core.text.words import index_words, query_words, with_tags
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import NotFoundError
from celestial_engine.flow.base.batches import in_batches

Part = Mapping[str, Any]
_MAX_LISTED = 1_000_000
_MAX_IMPORTANT = 100
_ID_BYTES = 6  # a program may make thousands of documents within the second that the rest of an id names


def new_session_id(now: float | None = None) -> str:
    """A session id for the current time: sess_YYYYMMDD_HHMMSS."""
    return session_id_at(clock.time() if now is None else now)


@dataclass(frozen=True, init=False)
class MemoryCoordinate(CoordinateDocument):
    """One memory as a coordinate document. Each part is a mapping with the document's field names, or its class.

    >>> memory = MemoryCoordinate(content={"response_full": "Thesis and antithesis meet"},
    ...                           agent={"persona_id": "synthesis"})
    >>> memory.agent.persona_id
    'synthesis'
    """

    def __init__(
        self,
        memory_id: str | None = None,
        timestamp: str | datetime | None = None,
        time: TimeCoordinate | Part | None = None,
        space: SpaceCoordinate | Part | None = None,
        agent: AgentCoordinate | Part | None = None,
        emotion: DocumentEmotion | Part | None = None,
        content: DocumentContent | Part | None = None,
        metadata: DocumentMetadata | Part | None = None,
        relations: DocumentRelations | Part | None = None,
    ) -> None:
        """Missing ids and timestamps are made from the current time; an overlong prompt becomes a digest."""
        now = clock.time()
        if isinstance(timestamp, datetime):
            timestamp = iso_utc(in_utc(timestamp).timestamp())
        parts = {
            "memory_id": memory_id or new_memory_id(now, secrets.token_hex(_ID_BYTES)),
            "timestamp": timestamp or iso_utc(now),
            "time": time,
            "space": space,
            "agent": agent,
            "emotion": emotion,
            "content": _with_short_prompt(content),
            "metadata": metadata,
            "relations": relations,
        }
        decoded = decode(
            CoordinateDocument,
            {name: _to_plain(part) for name, part in parts.items() if part is not None},
            "coordinate",
        )
        decoded.check()
        for name in parts:
            object.__setattr__(self, name, getattr(decoded, name))

    @classmethod
    def of(cls, item: CelestialItem) -> MemoryCoordinate:
        """The document of a memory."""
        coordinate = cls.__new__(cls)  # skips the checks: a stored memory is valid
        for name, value in document_fields(item).items():
            object.__setattr__(coordinate, name, value)
        return coordinate


def in_utc(moment: datetime) -> datetime:
    """Interpret a time without a time zone as UTC, like all timestamps of the documents."""
    return moment.replace(tzinfo=timezone.utc) if moment.tzinfo is None else moment


def _to_plain(part: object) -> object:
    return dict(part) if isinstance(part, Mapping) else encode(part)


def _with_short_prompt(content: object) -> object:
    plain = _to_plain(content)
    if isinstance(plain, dict) and isinstance(plain.get("prompt_digest"), str):
        return {**plain, "prompt_digest": prompt_digest_of(plain["prompt_digest"])}
    return plain


class MemoryStore:
    """Memories as coordinate documents, in their own folder or in an open engine.

    >>> with MemoryStore(memory=CelestialMemory(":memory:")) as store:
    ...     memory = MemoryCoordinate(content={"response_full": "Thesis and antithesis meet"})
    ...     _ = store.add(memory)
    ...     store.get_by_id(memory.memory_id).content.response_full
    'Thesis and antithesis meet'
    """

    def __init__(
        self, base_path: str | os.PathLike[str] | None = None, *, memory: CelestialMemory | None = None
    ) -> None:
        """`base_path` is a folder, created if missing; else `memory` or the user's default database is used."""
        if memory is None:
            path = None if base_path is None else os.path.join(os.path.expanduser(os.fspath(base_path)), "memory.db")
            memory = CelestialMemory(path)
        self.memory = memory

    # -- writing ------------------------------------------------------------------------------------

    def add(self, memory: CoordinateDocument | Part) -> MemoryCoordinate:
        """Store a document; returns it as stored, with its position in the session and its importance."""
        document = memory.to_dict() if isinstance(memory, CoordinateDocument) else memory
        return MemoryCoordinate.of(self.memory.transfer.add_coordinate(document))

    def delete_by_id(self, memory_id: str) -> None:
        """Forget a memory; like the deletions below, it can be restored for seven days."""
        self.memory.forget(memory_id)

    def delete_by_session(self, session_id: str) -> int:
        """Forget a whole session, except immutable memories; returns how many were forgotten."""
        return len(self.memory.departures.forget_where(ItemFilter(session_id=session_id)))

    def delete_by_query(
        self,
        *,
        time_range: tuple[datetime | None, datetime | None] | None = None,
        persona_id: str | None = None,
        domain: str | None = None,
        tags: Iterable[str] = (),
        session_id: str | None = None,
        bqi_filters: BqiFilter | Mapping[str, Any] | None = None,
    ) -> int:
        """Forget all matching memories and return how many; at least one condition is required."""
        where = _filter(time_range, persona_id, domain, 0.0, tags, bqi_filters, session_id)
        return len(self.memory.departures.forget_where(where))

    def apply_retention_policy(self) -> Any:
        """Apply the engine's retention policy: forget what it does not keep."""
        return self.memory.departures.retain()

    # -- reading ------------------------------------------------------------------------------------

    def search(
        self,
        query: str | None = None,
        time_range: tuple[datetime | None, datetime | None] | None = None,
        persona_id: str | None = None,
        domain: str | None = None,
        min_importance: float = 0.0,
        tags: Iterable[str] | None = None,
        bqi_filters: BqiFilter | Mapping[str, Any] | None = None,
        limit: int = 10,
        *,
        session_id: str | None = None,
    ) -> list[MemoryCoordinate]:
        """The newest memories that match all conditions. `query`: every word of it is in the text or the tags.

        It is a condition like the others and does not rank; `memory.search()` answers questions.
        Times without a time zone are in UTC. Results are not reinforced.
        """
        where = _filter(time_range, persona_id, domain, min_importance, tags or (), bqi_filters, session_id)
        if query is None or not query.strip():
            return _documents(self.memory.list(limit, where=where))
        return _documents(self._with_all_words(check_text(query, "query"), check_limit(limit), where))

    def past_cases(
        self,
        query: str,
        persona_id: str,
        min_importance: float = 0.6,
        bqi_filters: BqiFilter | Mapping[str, Any] | None = None,
        limit: int = 2,
    ) -> list[MemoryCoordinate]:
        """The earlier answers of a persona that suit a question best; unlike `search`, not every word must occur."""
        found = self.memory.personas.cases(
            query, persona_id, min_importance=min_importance, bqi_filters=bqi_filters, limit=limit
        )
        return _documents(found)

    def get_recent(self, n: int = 10) -> list[MemoryCoordinate]:
        return _documents(self.memory.list(n))

    def get_by_session(self, session_id: str) -> list[MemoryCoordinate]:
        """All memories of a session, newest first."""
        return _documents(self.memory.list(_MAX_LISTED, where=ItemFilter(session_id=session_id)))

    def get_by_id(self, memory_id: str) -> MemoryCoordinate:
        """One memory, archived ones included; a deleted one raises NotFoundError, although it can be restored."""
        item = self.memory.get(memory_id)
        if item.state is State.CLIFF:
            raise NotFoundError(item_id=memory_id)
        return MemoryCoordinate.of(item)

    def get_all_session_ids(self) -> list[str]:
        return list(self.memory.browse.sessions())

    def export_index(self) -> dict[str, Any]:
        """Memory ids by keyword, day and persona, and the most important ones, as one document.

        It is computed on every call, so it is never out of date.
        """
        keywords: dict[str, list[str]] = {}
        days: dict[str, list[str]] = {}
        personas: dict[str, list[str]] = {}
        items = self.memory.list(_MAX_LISTED)
        for item in items:
            for word in dict.fromkeys((*item.tags, *item.keywords)):
                keywords.setdefault(word, []).append(item.id)
            days.setdefault(iso_utc(item.created_at)[:10], []).append(item.id)
            if item.agent.persona_id is not None:
                personas.setdefault(item.agent.persona_id, []).append(item.id)
        important = sorted(items, key=lambda item: item.arbitrary_importance, reverse=True)[:_MAX_IMPORTANT]
        newest = self.memory.ledger.history(limit=1)
        return {
            "index_version": "1.0",
            "last_updated": iso_utc(newest[0].at) if newest else None,
            "total_memories": len(items),
            "keyword_index": keywords,
            "time_index": days,
            "persona_index": personas,
            "importance_index": [
                {"memory_id": item.id, "importance": item.arbitrary_importance} for item in important
            ],
        }

    def _with_all_words(self, query: str, limit: int, where: ItemFilter) -> list[CelestialItem]:
        parts, wanted = self.memory.parts, set(query_words(query))
        found: list[CelestialItem] = []
        with parts.store.read() as session:
            matches: set[str] | None = None
            for word in dict.fromkeys(query.split()):
                if wanted.intersection(query_words(word)):  # no stop word
                    ids = session.search.by_words(parts.owner, word, _MAX_LISTED, parts.checked(where)).matches
                    having = {match.item_id for match in ids}
                    matches = having if matches is None else matches & having
            newest = sorted(
                session.search.candidates(parts.owner, list(matches or ())),
                key=lambda candidate: (candidate.created_at, candidate.position),
                reverse=True,
            )
            for part in in_batches(newest):
                items = session.items.get_many(parts.owner, [candidate.item_id for candidate in part])
                found += [item for item in items if wanted <= set(index_words(with_tags(item.content, item.tags)))]
                if len(found) >= limit:
                    break
        return parts.scored(found[:limit])

    def close(self) -> None:
        self.memory.close()

    def __enter__(self) -> MemoryStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _documents(items: Iterable[CelestialItem]) -> list[MemoryCoordinate]:
    return [MemoryCoordinate.of(item) for item in items]


def _filter(
    time_range: tuple[datetime | None, datetime | None] | None,
    persona_id: str | None,
    domain: str | None,
    min_importance: float,
    tags: Iterable[str],
    bqi_filters: BqiFilter | Mapping[str, Any] | None,
    session_id: str | None,
) -> ItemFilter:
    if isinstance(time_range, (tuple, list)) and len(time_range) == 2:
        start, end = (in_utc(moment) if isinstance(moment, datetime) else moment for moment in time_range)
        time_range = (start, end)
    bqi = None if bqi_filters is None else BqiFilter.read(bqi_filters)
    return ItemFilter(
        time_range=time_range,
        persona_id=persona_id,
        domain=domain,
        min_importance=min_importance or None,
        tags=check_tags(tags),
        bqi=None if bqi == BqiFilter() else bqi,
        session_id=session_id,
    )
