"""CelestialMemory: the facade. A short method per operation, in the order of the flow."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from types import EllipsisType
from typing import Any, Literal, overload

from celestial_engine.bootstrap import function_embedder, open_embedder, open_store
from celestial_engine.config import Environment, StorageConfig
from celestial_engine.core.checks import (
    check_budget,
    check_id,
    check_importance,
    check_limit,
    check_metadata,
    check_positive,
    check_tags,
    check_text,
)
from celestial_engine.core.composition import Composition
from celestial_engine.core.forgetting import Protection
from celestial_engine.core.found import Found
from celestial_engine.core.importance import Evaluation, ImportanceEvaluator, RuleBasedEvaluator
from celestial_engine.core.item import CelestialItem
from celestial_engine.core.lifetimes import Source, Tier
from celestial_engine.core.memory_function import MemoryFunctionConfig
from celestial_engine.core.owner import Owner
from celestial_engine.core.perception import Perceiver, RulePerceiver
from celestial_engine.core.ranking import RecallSettings
from celestial_engine.core.reranker import Reranker
from celestial_engine.core.sky import Sky
from celestial_engine.core.zones import ZoneConfig
from celestial_engine.errors import BusyError, DiskFullError, ReadOnlyError
from celestial_engine.flow import compose, forget, govern, recall, search, store
from celestial_engine.flow.embed import Embedding, ReindexResult
from celestial_engine.flow.evaluate import evaluate
from celestial_engine.flow.rebalance import RebalanceResult
from celestial_engine.flow.search import Asked
from celestial_engine.looking import Looking
from celestial_engine.ports import Clock, Embedder, EmbedFunction, ItemStore
from celestial_engine.rebalancer import Rebalancer
from celestial_engine.zone_manager import ZoneManager

logger = logging.getLogger(__name__)


class CelestialMemory(Looking):
    """A long-term memory. Safe to use from several threads, and from several processes on one file.

    >>> memory = CelestialMemory(":memory:")
    >>> _ = memory.store("Python was released in 1991", importance=0.8)
    >>> [hit.content for hit in memory.recall("When did Python appear?")]
    ['Python was released in 1991']
    >>> memory.close()
    """

    def __init__(
        self,
        db_path: str | os.PathLike[str] | None = None,
        zones: Iterable[ZoneConfig] | None = None,
        memory_fn_config: MemoryFunctionConfig | None = None,
        evaluator: ImportanceEvaluator | None = None,
        rebalance_interval: float | None = 300,
        auto_forget_days: float | EllipsisType | None = ...,
        embed_fn: EmbedFunction | None = None,
        clock: Clock | None = None,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        durability: str | None = None,
        busy_timeout: float = 30.0,
        max_bytes: int | None = None,
        embedder: Embedder | str | None = None,
        words: str | None = None,
        perceiver: Perceiver | None = None,
        recall_settings: RecallSettings | None = None,
        item_store: ItemStore | None = None,
    ) -> None:
        """Opens the memory at `db_path` (default: CELESTIAL_DB, else the user's data folder).

        `zones`, `memory_fn_config` and `auto_forget_days` (90; None: never) are the memory's law and kept in it:
        what is not given is as it was. `rebalance_interval` in seconds, None for no background work;
        `durability` "full" or "normal"; `embedder` a name or an object, `embed_fn` any function instead
        (default: CELESTIAL_EMBEDDER, else what is installed); `words` what makes them: auto, pairs or kiwi; `perceiver` reads texts, by rules unless a
        language model is given; `item_store` replaces the file.
        """
        check_positive(rebalance_interval=rebalance_interval)
        given = govern.Given(memory_fn_config, zones, auto_forget_days)
        env = Environment.read()
        self._owner = env.owner.but(user_id, agent_id)
        self._clock = clock or time.time
        if embed_fn is not None:
            embedder = function_embedder(embed_fn)
        elif embedder is None or isinstance(embedder, str):
            embedder = open_embedder(env.embedder if embedder is None else embedder, env.embedder_key)
        self._evaluator = evaluator or RuleBasedEvaluator()
        self._perceiver = perceiver or RulePerceiver()
        self._recall_settings = recall_settings or RecallSettings()
        self._reranker = Reranker.starting()
        self._store = item_store or open_store(
            StorageConfig(
                env.db_path if db_path is None else os.path.expanduser(os.fspath(db_path)),
                env.durability if durability is None else durability,
                busy_timeout,
                max_bytes,
                env.words if words is None else words,
            )
        )
        try:
            law = given.upon(govern.law_in_force(self._store) or Sky())
            self._zones = ZoneManager(store=self._store, sky=law, owner=self._owner, clock=self._now)
            self._embedding = Embedding(embedder, self._store)
        except BaseException:
            self._store.close()
            raise
        self._rebalancer = Rebalancer(law.function, self._zones, rebalance_interval or 300, law.stale_seconds)
        if rebalance_interval is not None:
            self._rebalancer.start()

    # -- remembering --------------------------------------------------------------------------------

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

    # -- recalling ----------------------------------------------------------------------------------

    @overload
    def recall(
        self,
        query: str,
        limit: int = 5,
        *,
        explain: Literal[False] = False,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> list[CelestialItem]: ...
    @overload
    def recall(
        self, query: str, limit: int = 5, *, explain: Literal[True],
        user_id: str | None = None, agent_id: str | None = None,
    ) -> Found: ...  # fmt: skip
    def recall(
        self,
        query: str,
        limit: int = 5,
        *,
        explain: bool = False,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> list[CelestialItem] | Found:
        """The memories that answer best. Each is reinforced: counted, fresh again, closer to the sun.

        With `explain` each comes with what every list, signal and feature said of it, and the stages that ran.
        """
        owner, asked = self._owner.but(user_id, agent_id), self._asked(query)
        found = self._found(owner, asked, limit)
        recalled = {item.id: item for item in self._reinforced(owner, asked, [hit.item for hit in found.hits])}
        hits = [replace(hit, item=recalled[hit.item.id]) for hit in found.hits if hit.item.id in recalled]
        return replace(found, hits=hits) if explain else [hit.item for hit in hits]

    @overload
    def search(
        self,
        query: str,
        limit: int = 5,
        *,
        explain: Literal[False] = False,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> list[CelestialItem]: ...
    @overload
    def search(
        self, query: str, limit: int = 5, *, explain: Literal[True],
        user_id: str | None = None, agent_id: str | None = None,
    ) -> Found: ...  # fmt: skip
    def search(
        self,
        query: str,
        limit: int = 5,
        *,
        explain: bool = False,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> list[CelestialItem] | Found:
        """The same answer without reinforcing: for looking around."""
        found = self._found(self._owner.but(user_id, agent_id), self._asked(query), limit)
        items = self._scored(hit.item for hit in found.hits)
        if not explain:
            return [*items]
        return replace(found, hits=[replace(hit, item=item) for hit, item in zip(found.hits, items, strict=True)])

    def compose(
        self,
        query: str,
        budget: int = 1024,
        *,
        limit: int = 20,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Composition:
        """What to put before a language model: the memories that matter, within so many tokens, as quoted data.

        Each at the finest resolution that fits, Core first. Only what was used is reinforced.
        """
        owner, asked = self._owner.but(user_id, agent_id), self._asked(query)
        found = self._found(owner, asked, limit)
        composed = compose.composed(self._store, owner, found, query, check_budget(budget))
        used = {used.item_id for used in composed.used}
        self._reinforced(owner, asked, [hit.item for hit in found.hits if hit.item.id in used])
        return composed

    # -- forgetting ---------------------------------------------------------------------------------

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

    # -- keeping order ------------------------------------------------------------------------------

    def rebalance(self) -> RebalanceResult:
        """Everybody where their score puts them, for all owners."""
        return self._rebalancer.rebalance()

    def rebalance_if_due(self, *, most: int | None = None) -> RebalanceResult | None:
        """The periodic rebalance, if nobody has done it lately; `most` bounds how many are visited."""
        return self._rebalancer.run_if_due(most=most)

    def reindex(self, progress: Callable[[int, int], None] | None = None) -> ReindexResult:
        """Gives every memory without a vector one, by this engine's embedder; another model's vectors go.

        Can be cut off and called again. `progress` is told how many are done, of how many.
        """
        return self._embedding.reindex(self._owner, self._now(), progress)

    def reindex_words(self, progress: Callable[[int, int], None] | None = None) -> int:
        """Makes the word index anew, by the analyser that was chosen; until it is done the old one answers."""
        return self._store.reindex_words(progress)

    def check(self) -> Sequence[str]:
        """Problems of the stored data; empty when all is well."""
        return self._store.check()

    def repair(self) -> Sequence[str]:
        """Makes anew what can be derived from the memories, such as the word index; gives what is still wrong."""
        self._store.repair()
        return self._store.check()

    def close(self) -> None:
        """Ends the background work and lets go of the file. Closing twice is fine."""
        self._rebalancer.stop()
        self._store.close()

    def __enter__(self) -> CelestialMemory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- within -------------------------------------------------------------------------------------

    def _judged(self, item: CelestialItem, importance: float | None) -> Evaluation:
        if importance is None:
            return evaluate(self._evaluator, item)
        return Evaluation(check_importance(importance), "given")

    def _asked(self, query: str) -> Asked:
        vector = self._embedding.query(check_text(query, "query"))
        return Asked(query, self._now(), vector, self._embedding.closeness, self._embedding.missing(query))

    def _found(self, owner: Owner, asked: Asked, limit: int) -> Found:
        return search.search(
            self._store, self._zones.sky, self._recall_settings, self._reranker, owner, asked, check_limit(limit)
        )

    def _reinforced(self, owner: Owner, asked: Asked, items: Sequence[CelestialItem]) -> Sequence[CelestialItem]:
        try:
            return recall.reinforce(
                self._store, self._zones.sky, owner, [item.id for item in items],
                asked.vector, asked.now, self._embedding.closeness,
            )  # fmt: skip
        except (DiskFullError, ReadOnlyError, BusyError) as error:
            # An answer is worth more than its count.
            logger.warning("recalled without being reinforced: %s", error)
            return self._scored(items)
