"""How a run of personas stores its answers in the engine, and what it reads back."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from celestial_engine.core.personas.registry import PersonaRegistry
from celestial_engine.core.record.coordinate import ContentType
from celestial_engine.core.record.coordinate_document import UNJUDGED, CoordinateDocument, document_fields
from celestial_engine.core.record.events import Event
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.lifetimes import Source, Tier, TierReason, expiry
from celestial_engine.engine.ledger import LedgerArea
from celestial_engine.engine.parts import Parts
from celestial_engine.errors import PersonaRunError, Reason
from celestial_engine.flow.turn import recall, store
from celestial_engine.ports import Writer

REGISTRY = "registry"  # the key in the metadata of a question
_MOST_OF_SESSION = 1_000

FindCases = Callable[..., Sequence[CelestialItem]]


class RunStore:
    """Answers as memories of the owner. It searches by relevance to the question, not by words that must occur."""

    def __init__(self, parts: Parts, find_cases: FindCases, registry: PersonaRegistry) -> None:
        self._parts = parts
        self._find_cases = find_cases
        self._registry = registry

    def add(self, memory: CoordinateDocument) -> CoordinateDocument:
        """Stores a document in one transaction, with its ledger event; a question with the registry of its run.

        PersonaRunError: another run of the session has answered this step.
        """
        parts, now = self._parts, self._parts.now()
        memory.check()
        item = replace(memory.to_item(), source=Source.CONVERSATION)
        if memory.content.type is ContentType.USER_INPUT:
            item = replace(item, metadata={REGISTRY: _origin(self._registry)})
        record = parts.recorder.adopt(item, parts.owner, now, judged=item.importance_source != UNJUDGED)
        parts.be_present(new_owner=True)
        stored = store.store(
            parts.store, parts.law(), _as_said(record.item, now), now, record.fallback_from, loosely=True,
            redacted=record.redacted, before=partial(_check_unanswered, memory),
        )  # fmt: skip
        parts.retention.session_used(stored, parts)
        return _document(stored)

    def search(
        self,
        query: str | None = None,
        *,
        persona_id: str | None = None,
        min_importance: float = 0.0,
        bqi_filters: Mapping[str, Any] | None = None,
        limit: int = 10,
    ) -> Sequence[CoordinateDocument]:
        if not query or not persona_id:
            return []
        items = self._find_cases(
            query, persona_id, min_importance=min_importance, bqi_filters=bqi_filters, limit=limit
        )
        return [_document(item) for item in items]

    def get_by_session(self, session_id: str) -> Sequence[CoordinateDocument]:
        with self._parts.store.read() as session:
            items = session.items.newest(self._parts.owner, ItemFilter(session_id=session_id), _MOST_OF_SESSION)
        return [_document(item) for item in items]

    def note_use(self, item_ids: Sequence[str]) -> None:
        """Reinforces the cases that a prompt quoted."""
        parts = self._parts
        recall.reinforce(
            parts.store, parts.law(), parts.owner, list(item_ids), None, parts.now(), parts.embedding.closeness
        )

    def event_names(self, item_id: str) -> Sequence[str]:
        """Returns the types of the ledger's events about a memory."""
        with self._parts.store.read() as session:
            return [event.name for event in session.ledger.events(self._parts.owner, item_id, 100)]


class RunLedger:
    """The owner's ledger, with the method that a run calls."""

    def __init__(self, parts: Parts) -> None:
        self._ledger = LedgerArea(parts)

    def log_event(
        self,
        session_id: str,
        event_type: str,
        persona_id: str | None = None,
        memory_id: str | None = None,
        bqi_coordinate: dict[str, Any] | None = None,
        evaluation: dict[str, Any] | None = None,
        plan_adjustment: dict[str, Any] | None = None,
    ) -> Event:
        return self._ledger.log(
            session_id, event_type, persona_id, memory_id, bqi_coordinate, evaluation, plan_adjustment
        )


def _origin(registry: PersonaRegistry) -> dict[str, str]:
    """Returns what a run is resumed with: where its registry is, and how to see that it is the same."""
    path = {} if registry.path is None else {"path": os.path.abspath(registry.path)}
    return {"name": registry.name, "digest": registry.digest, **path}


def _check_unanswered(memory: CoordinateDocument, session: Writer, item: CelestialItem) -> None:
    """Two processes may resume one session: the answer that is stored first counts. Failures are no answers."""
    if item.document.type is not ContentType.PERSONA_RESPONSE or item.document.error_occurred:
        return
    where = ItemFilter(session_id=item.time.session_id, persona_id=item.agent.persona_id)
    answers = session.items.newest(item.owner, where, _MOST_OF_SESSION)
    if any(one.time.sequence == item.time.sequence and not one.document.error_occurred for one in answers):
        persona, session_id = memory.agent.persona_id or "", memory.time.session_id or ""
        raise PersonaRunError(persona, session_id, Reason.ANSWERED_ELSEWHERE)


def _as_said(item: CelestialItem, now: float) -> CelestialItem:
    """Returns an answer as what it is: kept for a season, and no statement of the user.

    It replaces no statement and is never distilled or made core, since no person said it.

    A question keeps its own lifetime, but not less than a season: it was asked on purpose.
    """
    if item.document.type is ContentType.PERSONA_RESPONSE:
        item = replace(item, lifetime=None, address=None, trust=Trust.LOW)
    elif item.tier is not Tier.M30:
        return item
    return replace(item, tier=Tier.M90, tier_reason=TierReason.GIVEN, expires_at=expiry(Tier.M90, now))


def _document(item: CelestialItem) -> CoordinateDocument:
    return CoordinateDocument(**document_fields(item))
