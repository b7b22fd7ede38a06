"""Remembering, changing, protecting, letting go and bringing back."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from celestial_engine.core.checks import (
    check_id,
    check_ids,
    check_importance,
    check_metadata,
    check_tags,
    check_text,
)
from celestial_engine.core.guard.guard import Guard
from celestial_engine.core.record.coordinate import (
    AgentCoordinate,
    Coordinate,
    Document,
    EmotionCoordinate,
    Links,
    SpaceCoordinate,
    TimeCoordinate,
    digest_of,
)
from celestial_engine.core.record.coordinate_checks import check_facet
from celestial_engine.core.record.forgetting import Protection
from celestial_engine.core.record.importance import Evaluation, ImportanceEvaluator
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.facade.looking import Looking
from celestial_engine.flow.base.embed import Embedding
from celestial_engine.flow.departures import forget
from celestial_engine.flow.turn import store

if TYPE_CHECKING:
    from celestial_engine.core.text.perception import Feeler, Perceiver

logger = logging.getLogger(__name__)


class Remembering(Looking):
    """What changes a memory on somebody's word."""

    _embedding: Embedding
    _evaluator: ImportanceEvaluator
    _perceiver: Perceiver
    _feeler: Feeler | None

    def store(
        self,
        content: str,
        importance: float | None = None,
        metadata: dict[str, Any] | None = None,
        *,
        source: Source = Source.USER,
        tier: Tier | None = None,
        pinned: bool = False,
        immutable: bool = False,
        tags: Iterable[str] = (),
        session_id: str | None = None,
        space: SpaceCoordinate | None = None,
        agent: AgentCoordinate | None = None,
        emotion: EmotionCoordinate | None = None,
        document: Document | None = None,
        parent: str | None = None,
        related: Iterable[str] = (),
        bqi: bool = False,
        idempotency_key: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> CelestialItem:
        """Remembers a text. Without an importance the evaluator judges it; without an emotion it is felt.

        `space`, `agent` and `document` say where, by whom and to what prompt it was said; `parent` and `related`
        are ids of memories that it follows or belongs to. With `bqi` the prompt is read as a coordinate.
        Sent again within a day with the same `idempotency_key`, it is stored once.
        """
        from celestial_engine.core.record.versions import check_key

        owner, now, key = self._owner.but(user_id, agent_id), self._now(), check_key(idempotency_key)
        guard = Guard(self._guard_policy)
        content = guard.text(check_text(content))
        perceived = self._perceiver.perceive(content)
        document = guard.facet(document or Document(), "document")
        coordinate = Coordinate(
            self._time(session_id),
            guard.facet(space or SpaceCoordinate(), "space"),
            guard.facet(agent or AgentCoordinate(), "agent"),
            emotion or self._felt(content),
            _digested(document, content if bqi else None, now),
            Links(parent, related=check_ids(related, "related")),
        )
        checked = guard.metadata(check_metadata(metadata))
        item = store.build(content, perceived, checked, source, tier, coordinate, owner, now)
        judged = self._judged(item, importance)
        item.arbitrary_importance, item.importance_source = judged.score, judged.source
        item.tags = guard.tags(check_tags(tags))
        item.embedding = self._embedding.passage(item.content)
        if immutable or pinned:
            item.protection = Protection.IMMUTABLE if immutable else Protection.PINNED
        fallback = judged.fallback_from or perceived.fallback_from
        _warn(guard)
        return store.store(
            self._store, self._zones.law, item, item.created_at, fallback, redacted=guard.notes, key=key
        )

    def store_many(
        self,
        contents: Iterable[str],
        importance: float | None = None,
        *,
        source: Source = Source.IMPORT,
        session_id: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> list[CelestialItem]:
        """Remembers many texts in one transaction: all of them or, on any error, none."""
        owner = self._owner.but(user_id, agent_id)
        items, plain, redacted = [], Coordinate(self._time(session_id)), {}
        for given in contents:
            guard = Guard(self._guard_policy)
            content = guard.text(check_text(given))
            perceived = self._perceiver.perceive(content)
            coordinate = replace(plain, emotion=self._felt(content))
            items.append(store.build(content, perceived, None, source, None, coordinate, owner, self._now()))
            redacted[items[-1].id] = guard.notes
            _warn(guard)
        vectors = self._embedding.passages([item.content for item in items])
        for item, vector in zip(items, vectors, strict=True):
            judged = self._judged(item, importance)
            item.arbitrary_importance, item.importance_source = judged.score, judged.source
            item.embedding = vector
        if items:
            store.store_many(self._store, self._zones.law, items, self._now(), redacted)
        return items

    def update(
        self,
        item_id: str,
        content: str | None = None,
        importance: float | None = None,
        metadata: dict[str, Any] | None = None,
        *,
        tags: Iterable[str] | None = None,
        if_version: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> CelestialItem:
        """Changes a memory's text, importance, metadata or tags; a new text is judged anew unless A was given.

        With `if_version` only if it is as it was when it had that version.
        """
        from celestial_engine.core.record.versions import check_version
        from celestial_engine.flow.turn.evaluate import evaluate

        owner = self._owner.but(user_id, agent_id)
        judged = None if importance is None else Evaluation(check_importance(importance), "given")
        vector = perceived = felt = None
        guard = Guard(self._guard_policy)
        if content is not None:
            content = guard.text(check_text(content))
            vector, perceived = self._embedding.passage(content), self._perceiver.perceive(content)
            old = self.get(item_id, user_id=user_id, agent_id=agent_id)
            if self._feeler is not None or old.emotion == store.felt(old.content):  # what somebody said of it stays
                old.emotion = felt = self._felt(content) or store.felt(content)
            if judged is None and old.importance_source != "given":
                old.content = content
                judged = evaluate(self._evaluator, old)
        checked = None if metadata is None else guard.metadata(check_metadata(metadata))
        tagged = None if tags is None else guard.tags(check_tags(tags))
        change = store.ItemChange(content, vector, perceived, judged, checked, felt, tagged, guard.notes)
        _warn(guard)
        if not change.fields():
            item = self.get(item_id, user_id=user_id, agent_id=agent_id)
            check_version(item, if_version)
            return item
        with self._telling_refusals(owner, item_id):
            return store.update(
                self._store, self._zones.law, owner, check_id(item_id), change, self._now(), if_version
            )

    def pin(self, item_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> CelestialItem:
        """Keeps a memory from ever being forgotten on its own."""
        owner = self._owner.but(user_id, agent_id)
        with self._telling_refusals(owner, item_id):
            return store.protect(self._store, self._zones.law, owner, check_id(item_id), pinned=True, now=self._now())

    def unpin(self, item_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> CelestialItem:
        owner = self._owner.but(user_id, agent_id)
        with self._telling_refusals(owner, item_id):
            return store.protect(
                self._store, self._zones.law, owner, check_id(item_id), pinned=False, now=self._now()
            )

    def delete(
        self,
        item_id: str,
        *,
        if_version: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> CelestialItem:
        """Lets a memory go over the cliff, where it can be restored for seven days."""
        owner = self._owner.but(user_id, agent_id)
        with self._telling_refusals(owner, item_id):
            return forget.forget(
                self._store, self._zones.law, owner, check_id(item_id), self._now(), if_version=if_version
            )

    forget = delete

    def restore(self, item_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> CelestialItem:
        """Brings a forgotten memory back, with the full time of its tier."""
        owner = self._owner.but(user_id, agent_id)
        item = forget.restore(self._store, self._zones.law, owner, check_id(item_id), self._now())
        vector = self._embedding.passage(item.content) if item.embedding is None else None
        if vector is not None:  # the model changed while it was away
            with self._store.write(owner) as session:
                session.vectors.put_missing(owner, [(session.items.key_of(owner, item_id), item.content, vector)])
            item.embedding = vector
        return item

    def _felt(self, text: str) -> EmotionCoordinate | None:
        """The mood by the feeler that was given; None leaves it to the rules."""
        return None if self._feeler is None else self._feeler.feel(text)

    def _time(self, session_id: str | None) -> TimeCoordinate:
        return TimeCoordinate(self._session_id if session_id is None else session_id)

    def _judged(self, item: CelestialItem, importance: float | None) -> Evaluation:
        from celestial_engine.flow.turn.evaluate import evaluate

        if importance is None:
            return evaluate(self._evaluator, item)
        return Evaluation(check_importance(importance), "given")


def _warn(guard: Guard) -> None:
    if guard.notes:
        logger.warning("redacted before it was remembered: %s", guard.kinds)


def _digested(document: Document, to_read: str | None, now: float) -> Document:
    """The prompt cut to a digest; read as a coordinate first, where `to_read` says what stands in for it."""
    from celestial_engine.core.record.bqi import read_bqi

    prompt = document.prompt_digest if isinstance(document, Document) else None
    digest = digest_of(prompt) if isinstance(prompt, str) else None
    checked = check_facet(Document, replace(document, prompt_digest=digest) if digest else document, "document")
    if to_read is None or checked.bqi_snapshot is not None:
        return checked
    return replace(checked, bqi_snapshot=read_bqi(prompt or to_read, now).to_dict())
