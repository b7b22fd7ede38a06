"""A memory service for Google's Agent Development Kit."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from functools import partial
from hashlib import sha256
from typing import Any

from google.adk.events import Event
from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions import Session
from google.genai import types

from celestial_engine.adapters.shared.offload import AnyMemory, check_memory, in_thread
from celestial_engine.adapters.shared.shapes import memory_json
from celestial_engine.adapters.shared.turns import Keep, check_keep, keep_turn, past_turn
from celestial_engine.core.checks import check_limit
from celestial_engine.core.orbit.zones import ZoneConfig
from celestial_engine.core.record.coordinate import ContentType
from celestial_engine.core.record.events import timestamp
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.retrieval.framing import escape_for_prompt
from celestial_engine.core.turn.conversation import Role, Utterance
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import ProviderError, StorageError

logger = logging.getLogger(__name__)

_EVENT = "adk_event"  # metadata key: the id of the stored event
_USER = "user"
_STATES_NOT_PURGED = tuple(state for state in State if state is not State.PURGED)
_MAX_LISTED = 1_000_000
_MAX_NAME_CHARACTERS = 80


class CelestialMemoryService(BaseMemoryService):
    """`Runner(..., memory_service=CelestialMemoryService(memory))`.

    The owner of a memory is the user, with the app as agent. Each event of a session is stored once, however often
    the session is added; with `keep="worthwhile"` only those that `decide` would save. A search returns at most
    `limit` memories.
    """

    def __init__(self, memory: AnyMemory, *, limit: int = 10, keep: Keep = "everything") -> None:
        self._memory = check_memory(memory)
        self._limit, self._keep = check_limit(limit), check_keep(keep)

    async def add_session_to_memory(self, session: Session) -> None:
        await self.add_events_to_memory(
            app_name=session.app_name, user_id=session.user_id, events=session.events, session_id=session.id
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Store the text of these events; events that are already stored are skipped."""
        spoken = [event for event in events if not event.partial and _text_of(event.content).strip()]
        if spoken:
            await in_thread(
                self._memory, self._store_events, spoken, session_id, dict(custom_metadata or {}), user_id, app_name
            )

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Store each of these texts; one with an id is stored at most once a day."""
        for entry in memories:
            if not (text := _text_of(entry.content)).strip():
                continue
            speaker = {"speaker": entry.author} if entry.author else {}
            date = {"date": entry.timestamp} if entry.timestamp else {}
            store = partial(
                CelestialMemory.store,
                content=text,
                metadata={**speaker, **date, **entry.custom_metadata, **(custom_metadata or {})},
                idempotency_key=None if entry.id is None else _key("memory", entry.id),
            )
            await in_thread(self._memory, _for_owner(store, user_id, app_name))

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """The best matches, each on one line and without markup: ADK shows them to the model unchanged."""
        if not isinstance(query, str) or not query.strip():
            logger.warning("an empty query returns no memories")  # the model sent it: do not end its run
            return SearchMemoryResponse()
        try:
            entries = await in_thread(self._memory, _search, query, self._limit, user_id, app_name)
        except (StorageError, ProviderError) as error:
            logger.warning("a question is answered without memories: %s", error)
            return SearchMemoryResponse()
        return SearchMemoryResponse(memories=entries)

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Forget a memory by the id of its entry; it can be restored for seven days."""
        if memory_id:
            await in_thread(self._memory, lambda memory: memory.of(user_id, app_name).forget(memory_id))

    def _store_events(
        self,
        memory: CelestialMemory,
        events: Sequence[Event],
        session_id: str | None,
        metadata: dict[str, Any],
        user_id: str,
        app_name: str,
    ) -> None:
        history: list[Utterance] = []
        stored_events: dict[str, set[object]] = {}
        for event in events:
            session = session_id or event.invocation_id or None
            if session is not None and session not in stored_events:
                stored_events[session] = _stored_events(memory, session, user_id, app_name)
            role = Role.USER if event.author == _USER else Role.ASSISTANT
            text, event_id = _text_of(event.content), _event_id(event)
            if session is None or event_id not in stored_events[session]:
                keep_turn(
                    memory,
                    Utterance(text, role),
                    history,
                    keep=self._keep,
                    speaker=event.author,
                    metadata={"date": _iso(event.timestamp), **metadata, _EVENT: event_id},
                    # A concurrent call that adds the same session has not seen these events yet.
                    idempotency_key=_key("event", session or "", event_id),
                    session_id=session,
                    user_id=user_id,
                    agent_id=app_name,
                )
            history.append(past_turn(role, text))


def _stored_events(memory: CelestialMemory, session_id: str, user_id: str, app_name: str) -> set[object]:
    """The ids of a session's stored events, including forgotten ones: what was deleted stays deleted."""
    where = ItemFilter(states=_STATES_NOT_PURGED, session_id=session_id)
    items = memory.of(user_id, app_name).list(_MAX_LISTED, where=where)
    return {item.metadata.get(_EVENT) for item in items}


def _for_owner(
    operation: Callable[[CelestialMemory], object], user_id: str, app_name: str
) -> Callable[[CelestialMemory], object]:
    return lambda memory: operation(memory.of(user_id, app_name))


def _search(memory: CelestialMemory, query: str, limit: int, user_id: str, app_name: str) -> list[MemoryEntry]:
    items = memory.of(user_id, app_name).recall(query, limit)
    zones = memory.orbits.zones()
    return [_entry(zones, item) for item in items]


def _entry(zones: Sequence[ZoneConfig], item: CelestialItem) -> MemoryEntry:
    speaker, date = item.metadata.get("speaker"), item.metadata.get("date")
    by_user = item.document.type is ContentType.USER_INPUT
    fields = memory_json(zones, item)
    return MemoryEntry(
        id=item.id,
        content=types.Content(
            role=_USER if by_user else "model", parts=[types.Part.from_text(text=escape_for_prompt(item.content))]
        ),
        author=escape_for_prompt(speaker)[:_MAX_NAME_CHARACTERS] if isinstance(speaker, str) else None,
        timestamp=escape_for_prompt(date)[:_MAX_NAME_CHARACTERS]
        if isinstance(date, str)
        else timestamp(item.created_at),
        custom_metadata={name: fields[name] for name in ("zone", "tier", "score", "importance", "trust", "tags")},
    )


def _text_of(content: types.Content | None) -> str:
    """The text of a message, without thoughts and tool calls."""
    parts = (content.parts if content is not None else None) or []
    return "\n".join(part.text for part in parts if part.text and not part.thought)


def _event_id(event: Event) -> str:
    return event.id or _key(event.author, repr(event.timestamp), _text_of(event.content))


def _key(*parts: str) -> str:
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="seconds")
