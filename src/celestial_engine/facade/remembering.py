"""Remembering, changing, protecting, letting go and bringing back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from celestial_engine.core.checks import check_id, check_importance, check_metadata, check_tags, check_text
from celestial_engine.core.forgetting import Protection
from celestial_engine.core.importance import Evaluation, ImportanceEvaluator
from celestial_engine.core.item import CelestialItem
from celestial_engine.core.lifetimes import Source, Tier
from celestial_engine.core.perception import Perceiver
from celestial_engine.facade.looking import Looking
from celestial_engine.flow import forget, store
from celestial_engine.flow.embed import Embedding
from celestial_engine.flow.evaluate import evaluate


class Remembering(Looking):
    """What changes a memory on somebody's word."""

    _embedding: Embedding
    _evaluator: ImportanceEvaluator
    _perceiver: Perceiver

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
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> CelestialItem:
        """Remembers a text. Without an importance the evaluator judges it."""
        owner = self._owner.but(user_id, agent_id)
        perceived = self._perceiver.perceive(check_text(content))
        item = store.build(content, perceived, metadata, source, tier, session_id, owner, self._now())
        judged = self._judged(item, importance)
        item.arbitrary_importance, item.importance_source = judged.score, judged.source
        item.tags = check_tags(tags)
        item.embedding = self._embedding.passage(item.content)
        if immutable or pinned:
            item.protection = Protection.IMMUTABLE if immutable else Protection.PINNED
        return store.store(
            self._store, self._zones.sky, item, item.created_at, judged.fallback_from or perceived.fallback_from
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
        items = []
        for content in contents:
            perceived = self._perceiver.perceive(check_text(content))
            items.append(store.build(content, perceived, None, source, None, session_id, owner, self._now()))
        vectors = self._embedding.passages([item.content for item in items])
        for item, vector in zip(items, vectors, strict=True):
            judged = self._judged(item, importance)
            item.arbitrary_importance, item.importance_source = judged.score, judged.source
            item.embedding = vector
        if items:
            store.store_many(self._store, self._zones.sky, items, self._now())
        return items

    def update(
        self,
        item_id: str,
        content: str | None = None,
        importance: float | None = None,
        metadata: dict[str, Any] | None = None,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> CelestialItem:
        """Changes a memory's text, importance or metadata; a new text is judged anew unless A was given."""
        owner = self._owner.but(user_id, agent_id)
        judged = None if importance is None else Evaluation(check_importance(importance), "given")
        vector = perceived = None
        if content is not None:
            vector, perceived = self._embedding.passage(check_text(content)), self._perceiver.perceive(content)
            old = self.get(item_id, user_id=user_id, agent_id=agent_id)
            if judged is None and old.importance_source != "given":
                old.content = content
                judged = evaluate(self._evaluator, old)
        checked = None if metadata is None else check_metadata(metadata)
        change = store.Change(content, vector, perceived, judged, checked)
        if not change.fields():
            return self.get(item_id, user_id=user_id, agent_id=agent_id)
        return store.update(self._store, self._zones.sky, owner, check_id(item_id), change, self._now())

    def pin(self, item_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> CelestialItem:
        """Keeps a memory from ever being forgotten on its own."""
        owner = self._owner.but(user_id, agent_id)
        return store.protect(self._store, self._zones.sky, owner, check_id(item_id), pinned=True, now=self._now())

    def unpin(self, item_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> CelestialItem:
        owner = self._owner.but(user_id, agent_id)
        return store.protect(self._store, self._zones.sky, owner, check_id(item_id), pinned=False, now=self._now())

    def delete(self, item_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> CelestialItem:
        """Lets a memory go over the cliff, where it can be restored for seven days."""
        return forget.forget(
            self._store, self._zones.sky, self._owner.but(user_id, agent_id), check_id(item_id), self._now()
        )

    forget = delete

    def restore(self, item_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> CelestialItem:
        """Brings a forgotten memory back, with the full time of its tier."""
        return forget.restore(
            self._store, self._zones.sky, self._owner.but(user_id, agent_id), check_id(item_id), self._now()
        )

    def _judged(self, item: CelestialItem, importance: float | None) -> Evaluation:
        if importance is None:
            return evaluate(self._evaluator, item)
        return Evaluation(check_importance(importance), "given")
