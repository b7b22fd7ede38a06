"""CelestialMemory: the facade. A short method per operation, in the order of the flow."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from types import EllipsisType
from typing import Any

from celestial_engine.bootstrap import function_embedder, open_embedder, open_store
from celestial_engine.config import Environment, StorageConfig
from celestial_engine.core.checks import (
    check_choice,
    check_id,
    check_importance,
    check_limit,
    check_metadata,
    check_positive,
    check_tags,
    check_text,
    check_time,
)
from celestial_engine.core.events import Event
from celestial_engine.core.forgetting import Protection, State
from celestial_engine.core.importance import Evaluation, ImportanceEvaluator, RuleBasedEvaluator
from celestial_engine.core.item import CelestialItem
from celestial_engine.core.lifetimes import Source, Tier
from celestial_engine.core.memory_function import (
    Explanation,
    MemoryFunctionConfig,
)
from celestial_engine.core.sky import Sky
from celestial_engine.core.zones import ZoneConfig
from celestial_engine.errors import (
    AmbiguousIdError,
    BusyError,
    DiskFullError,
    InvalidInputError,
    NotFoundError,
    ReadOnlyError,
)
from celestial_engine.flow import forget, govern, recall, store
from celestial_engine.flow.embed import Embedding, ReindexResult
from celestial_engine.flow.evaluate import evaluate
from celestial_engine.flow.rebalance import RebalanceResult
from celestial_engine.ports import Clock, Embedder, EmbedFunction, ItemFilter, ItemStore
from celestial_engine.rebalancer import Rebalancer
from celestial_engine.zone_manager import ZoneManager

logger = logging.getLogger(__name__)

_EXPORT_PAGE = 500


class CelestialMemory:
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
        item_store: ItemStore | None = None,
    ) -> None:
        """Opens the memory at `db_path` (default: CELESTIAL_DB, else the user's data folder).

        `zones`, `memory_fn_config` and `auto_forget_days` (90; None: never) are the memory's law and kept in it:
        what is not given is as it was. `rebalance_interval` in seconds, None for no background work;
        `durability` "full" or "normal"; `embedder` a name or an object, `embed_fn` any function instead
        (default: CELESTIAL_EMBEDDER, else what is installed); `item_store` replaces the file.
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
        self._store = item_store or open_store(
            StorageConfig(
                env.db_path if db_path is None else os.path.expanduser(os.fspath(db_path)),
                env.durability if durability is None else durability,
                busy_timeout,
                max_bytes,
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

    @property
    def path(self) -> str:
        return self._store.path

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
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> CelestialItem:
        """Remembers a text. Without an importance the evaluator judges it."""
        owner = self._owner.but(user_id, agent_id)
        item = store.build(content, metadata, source, tier, owner, self._now())
        judged = self._judged(item, importance)
        item.arbitrary_importance, item.importance_source = judged.score, judged.source
        item.tags = check_tags(tags)
        item.embedding = self._embedding.passage(item.content)
        if immutable or pinned:
            item.protection = Protection.IMMUTABLE if immutable else Protection.PINNED
        return store.store(self._store, self._zones.sky, item, item.created_at, judged.fallback_from)

    def store_many(
        self,
        contents: Iterable[str],
        importance: float | None = None,
        *,
        source: Source = Source.IMPORT,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> list[CelestialItem]:
        """Remembers many texts in one transaction: all of them or, on any error, none."""
        owner = self._owner.but(user_id, agent_id)
        items = [store.build(content, None, source, None, owner, self._now()) for content in contents]
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
        vector = None
        if content is not None:
            vector = self._embedding.passage(check_text(content))
            old = self.get(item_id, user_id=user_id, agent_id=agent_id)
            if judged is None and old.importance_source != "given":
                old.content = content
                judged = evaluate(self._evaluator, old)
        change = store.Change(content, vector, judged, None if metadata is None else check_metadata(metadata))
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

    def recall(
        self, query: str, limit: int = 5, *, user_id: str | None = None, agent_id: str | None = None
    ) -> list[CelestialItem]:
        """The memories that answer best. Each is reinforced: counted, fresh again, closer to the sun."""
        owner = self._owner.but(user_id, agent_id)
        vector = self._embedding.query(check_text(query, "query"))
        sky, now = self._zones.sky, self._now()
        found = recall.search(self._store, sky, owner, query, vector, check_limit(limit), now)
        try:
            return recall.reinforce(
                self._store, sky, owner, [item.id for item in found], vector, now, self._embedding.closeness
            )
        except (DiskFullError, ReadOnlyError, BusyError) as error:
            # An answer is worth more than its count.
            logger.warning("recalled without being reinforced: %s", error)
            return [*self._scored(found)]

    def search(
        self, query: str, limit: int = 5, *, user_id: str | None = None, agent_id: str | None = None
    ) -> list[CelestialItem]:
        """The same answer without reinforcing: for looking around."""
        owner = self._owner.but(user_id, agent_id)
        vector = self._embedding.query(check_text(query, "query"))
        found = recall.search(self._store, self._zones.sky, owner, query, vector, check_limit(limit), self._now())
        return [*self._scored(found)]

    # -- looking ------------------------------------------------------------------------------------

    def get(self, item_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> CelestialItem:
        """One memory by its id, wherever it is; looking does not reinforce."""
        with self._store.read() as session:
            item = session.get(self._owner.but(user_id, agent_id), check_id(item_id))
        if item is None:
            raise NotFoundError(item_id=item_id)
        return self._scored([item])[0]

    def find_id(self, prefix: str, *, user_id: str | None = None, agent_id: str | None = None) -> str:
        """The id that starts with these characters, if there is exactly one."""
        owner, prefix = self._owner.but(user_id, agent_id), check_id(prefix)
        with self._store.read() as session:
            if session.get(owner, prefix) is not None:
                return prefix
            ids = session.ids_starting(owner, prefix, 100) if prefix else []
        if not ids:
            raise NotFoundError(item_id=prefix)
        if len(ids) > 1:
            raise AmbiguousIdError(count=len(ids), prefix=prefix)
        return ids[0]

    def list(
        self,
        limit: int = 20,
        *,
        zone: int | None = None,
        tier: Tier | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> list[CelestialItem]:
        """The newest memories."""
        if zone is not None and zone not in range(self._zones.sky.function.zones.outermost + 1):
            raise InvalidInputError(field="zone", reason=f"there is no zone {zone!r}")
        chosen = ItemFilter(zone=zone, tier=None if tier is None else check_choice(Tier, tier, "tier"))
        with self._store.read() as session:
            items = session.newest(self._owner.but(user_id, agent_id), chosen, check_limit(limit))
        return [*self._scored(items)]

    def explain(self, item_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> Explanation:
        """The parts of a memory's score, and when it will drift to which zone."""
        return self._zones.sky.function.explain(self.get(item_id, user_id=user_id, agent_id=agent_id), self._now())

    def history(
        self,
        item_id: str | None = None,
        limit: int = 100,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Sequence[Event]:
        """What the ledger says, newest first; of one memory, or of all."""
        with self._store.read() as session:
            return session.events(
                self._owner.but(user_id, agent_id), item_id and check_id(item_id), check_limit(limit)
            )

    def stats(self, *, user_id: str | None = None, agent_id: str | None = None) -> dict[str, Any]:
        """How many memories there are, by zone and by state."""
        owner = self._owner.but(user_id, agent_id)
        configs = self._zones.sky.function.zones.configs
        with self._store.read() as session:
            counts = session.zone_counts(owner, [zone.zone_id for zone in configs])
            states = session.state_counts(owner)
        return {
            "zones": {
                zone.zone_id: {"name": zone.name, "count": counts[zone.zone_id], "capacity": zone.max_slots}
                for zone in configs
            },
            "total": sum(count for state, count in states.items() if state.in_orbit),
            "cliff": states.get(State.CLIFF, 0),
        }

    def export(self, *, user_id: str | None = None, agent_id: str | None = None) -> Iterator[dict[str, Any]]:
        """Every memory as a JSON object, oldest first, those on the cliff too."""
        owner = self._owner.but(user_id, agent_id)
        key = -1
        while True:
            # Page by page: the caller may take its time, and must not hold up anybody meanwhile.
            with self._store.read() as session:
                page = session.page(owner, key, _EXPORT_PAGE)
            if not page:
                return
            for item in self._scored(item for _, item in page):
                yield item.to_dict()
            key = page[-1][0]

    # -- forgetting ---------------------------------------------------------------------------------

    def delete(self, item_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> CelestialItem:
        """Lets a memory go over the cliff, where it can be restored for seven days."""
        return forget.forget(
            self._store, self._zones.sky, self._owner.but(user_id, agent_id), check_id(item_id), self._now()
        )

    forget = delete

    def cliff(
        self, limit: int = 100, *, user_id: str | None = None, agent_id: str | None = None
    ) -> Sequence[CelestialItem]:
        """What was forgotten and can still be restored."""
        with self._store.read() as session:
            return session.newest(self._owner.but(user_id, agent_id), forget.ON_THE_CLIFF, check_limit(limit))

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

    def _now(self) -> float:
        return check_time(self._clock())

    def _judged(self, item: CelestialItem, importance: float | None) -> Evaluation:
        if importance is None:
            return evaluate(self._evaluator, item)
        return Evaluation(check_importance(importance), "given")

    def _scored(self, items: Iterable[CelestialItem]) -> Sequence[CelestialItem]:
        function, now = self._zones.sky.function, self._now()
        return [replace(item, total_score=function.score(item, now)) for item in items]
