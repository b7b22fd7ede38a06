"""StellarMemory: stellar-memory's class, implemented on the engine."""

from __future__ import annotations

import logging
import time
import weakref
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import Any

from celestial_engine.compat.stellar.config import StellarConfig
from celestial_engine.compat.stellar.elsewhere import ALTERNATIVES
from celestial_engine.compat.stellar.event_bus import EventBus
from celestial_engine.compat.stellar.insight import Insight
from celestial_engine.compat.stellar.memory_graph import StoredGraph
from celestial_engine.compat.stellar.models import (
    EMOTIONS,
    EmotionVector,
    HealthStatus,
    MemoryItem,
    MemorySnapshot,
    MemoryStats,
    ReorbitResult,
    SessionInfo,
    TimelineEntry,
    clamped,
)
from celestial_engine.compat.stellar.namespace import NamespaceManager
from celestial_engine.compat.stellar.parts.decay import DecayManager
from celestial_engine.compat.stellar.parts.event_logger import event_logger_for
from celestial_engine.compat.stellar.parts.graph_analyzer import GraphAnalyzer
from celestial_engine.compat.stellar.parts.middleware import MemoryMiddleware
from celestial_engine.compat.stellar.plugin import MemoryPlugin, Plugins
from celestial_engine.compat.stellar.scheduler import Scheduler
from celestial_engine.compat.stellar.serializer import MemorySerializer
from celestial_engine.compat.stellar.session import SessionManager
from celestial_engine.compat.stellar.stream import MemoryStream, Moment
from celestial_engine.compat.stellar.translation import (
    TIER,
    active_items,
    checked_metadata,
    coordinate_of,
    engine_options,
    find_item,
    idle_items,
    ignored_settings,
    notes_for,
    notes_of,
    to_engine_item,
    to_stellar_item,
    usage_of,
    with_notes,
)
from celestial_engine.core.record.coordinate import Emotion
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import CelestialError, InvalidInputError, Reason

logger = logging.getLogger(__name__)


class StellarMemory(Insight):
    """stellar-memory's public calls. Everything else is on `engine`, the CelestialMemory underneath.

    >>> memory = StellarMemory(StellarConfig(db_path=":memory:"))
    >>> item = memory.store("The meeting is at 3pm tomorrow", importance=0.8)
    >>> [hit.content for hit in memory.recall("when do we meet? the meeting")]
    ['The meeting is at 3pm tomorrow']
    >>> memory.close()
    """

    def __init__(self, config: Any = None, namespace: str | None = None, **engine_settings: Any) -> None:
        """`config` is a StellarConfig of the shim or of stellar-memory; `engine_settings` override it.

        `unheeded` lists the settings that are ignored here.
        """
        config = StellarConfig() if config is None else config
        if namespace and config.namespace.enabled:
            config = replace(config, db_path=NamespaceManager(config.namespace.base_path).get_db_path(namespace))
        self.config: StellarConfig = config
        self.unheeded = ignored_settings(config)
        if self.unheeded:
            logger.info("these settings are ignored: %s", ", ".join(self.unheeded))
        self._clock = engine_settings.get("clock") or time.time
        self._lift = config.memory_function.w_freshness
        self._scheduler = Scheduler(self._run_maintenance, config.reorbit_interval)
        self._plugins = Plugins()
        self._events = EventBus()
        self._session = SessionManager(config.session, self._clock)
        self._stream = MemoryStream(self)
        self.engine = CelestialMemory(**{**engine_options(config), **engine_settings})
        self._graph = StoredGraph(self.engine, self._clock, config.graph.max_edges_per_item)
        self._analyzer = (
            GraphAnalyzer(self._graph, config.graph_analytics) if config.graph_analytics.enabled else None
        )
        self._decay = DecayManager(config.decay, config.emotion)
        self._event_logger = event_logger_for(config, self._events)
        self._last_recall_ids = []
        # stellar-memory has no close(): release the file when the object is garbage collected.
        self._close = weakref.finalize(self, self.engine.close)

    # --- storing and recalling

    def store(
        self,
        content: str,
        importance: float = 0.5,
        metadata: dict[str, Any] | None = None,
        auto_evaluate: bool = False,
        skip_summarize: bool = False,
        encrypted: bool = False,
        role: str | None = None,
        emotion: EmotionVector | None = None,
        content_type: str | None = None,
        user_id: str | None = None,
    ) -> MemoryItem:
        """Store a text. With `auto_evaluate` its importance is estimated from the text."""
        if encrypted:
            raise InvalidInputError("encrypted", Reason.NOT_SUPPORTED, alternative="encrypted")
        own_metadata = dict(checked_metadata(metadata) or {})
        session_id = self._session.current_session_id
        stored = self.engine.of(user_id).store(
            content,
            None if auto_evaluate else clamped(importance),
            with_notes(own_metadata, notes_for(emotion, content_type)),
            tier=TIER,
            pinned=not self.config.decay.enabled,  # without decay nothing is ever forgotten
            session_id=session_id,
            emotion=coordinate_of(emotion),
        )
        item = self._theirs(stored, user_id)
        if session_id is not None:
            self._session.tag_memory(item)
        if self._plugins:
            item = self._apply_plugins(stored, item, user_id)
        self._events.emit("on_store", item)
        return item

    def recall(
        self,
        query: str,
        limit: int = 5,
        role: str | None = None,
        emotion: str | None = None,
        user_id: str | None = None,
        min_score: float | None = None,
    ) -> list[MemoryItem]:
        """Recall the best answers from all zones and reinforce them; memories of the current session come first."""
        query = self._plugins.asked(query)
        is_blank = isinstance(query, str) and not query.strip()
        results = [] if is_blank else self._recall(query, limit, emotion, user_id)
        if min_score:
            results = [item for item in results if item.total_score >= min_score]
        results = self._plugins.recalled(query, results)
        self._last_recall_ids = [item.id for item in results]
        self._events.emit("on_recall", results, query)
        return results

    def get(self, memory_id: str, user_id: str | None = None) -> MemoryItem | None:
        """One memory; None if it is forgotten or unknown."""
        item = find_item(self.engine, memory_id, user_id)
        return None if item is None else self._theirs(item, user_id)

    def forget(self, memory_id: str, user_id: str | None = None) -> bool:
        """Forget a memory; `engine.restore` can restore it for seven days."""
        if find_item(self.engine, memory_id, user_id) is None or not self._plugins.may_forget(memory_id):
            return False
        self.engine.of(user_id).forget(memory_id)
        self._events.emit("on_forget", memory_id)
        return True

    def all_items(self, user_id: str | None = None) -> list[MemoryItem]:
        """Every memory that is not forgotten, oldest first."""
        return [self._theirs(item, user_id) for item in active_items(self.engine, user_id)]

    # --- zones and maintenance

    def reorbit(self) -> ReorbitResult:
        """Move every memory to the zone of its score, and forget what was idle in outer zones for too long."""
        has_listeners = bool(self._plugins) or self._events.has_handlers("on_zone_change")
        before = {item.id: item.zone for item in active_items(self.engine)} if has_listeners else {}
        outcome = self.engine.rebalance()
        if has_listeners:
            moved = [item for item in active_items(self.engine) if before.get(item.id, item.zone) != item.zone]
            self._plugins.reorbited([(item.id, before[item.id], item.zone) for item in moved])
            for item in moved:
                self._events.emit("on_zone_change", self._theirs(item, None), before[item.id], item.zone)
        result = ReorbitResult(outcome.moved, outcome.evicted, outcome.total_items, outcome.duration_ms / 1000)
        self._events.emit("on_reorbit", result)
        self._apply_decay()
        return result

    def stats(self) -> MemoryStats:
        engine_stats = self.engine.stats()
        zones: dict[int, dict[str, Any]] = engine_stats["zones"]
        return MemoryStats(
            {zone: entry["count"] for zone, entry in zones.items()},
            {zone: entry["capacity"] for zone, entry in zones.items()},
            engine_stats["total"],
        )

    def health(self) -> HealthStatus:
        """Check the database, and report how full the zones are."""
        try:
            problems, stats, edges = self.engine.maintenance.check(), self.stats(), self._graph.count_edges()
        except CelestialError as error:
            return HealthStatus(False, False, self._scheduler.running, warnings=[str(error)])
        usage, crowded = usage_of(stats)
        return HealthStatus(
            not problems,
            True,
            self._scheduler.running,
            stats.total_memories,
            edges,
            usage,
            [*map(str, problems), *crowded],
        )

    def start(self) -> None:
        """Start a background thread: reorbit every `reorbit_interval` seconds, and sleep (consolidate) once a day."""
        self._scheduler.start()

    def stop(self) -> None:
        """Stop the background work; the database stays open until `close()`."""
        self._plugins.shut_down()
        self._scheduler.stop()

    def close(self) -> None:
        """Stop and close the database. Can be called twice."""
        if self._close.alive:
            self.stop()
            self._close()

    def __enter__(self) -> StellarMemory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- export and import

    def export_json(self, include_embeddings: bool = True) -> str:
        """Export every memory as JSON for stellar-memory's `import_json`."""
        return MemorySerializer().export_json(self.all_items(), include_embeddings)

    def import_json(self, json_str: str) -> int:
        """Import JSON of stellar-memory or the shim, with ids, times and counts; returns how many were new.

        Nothing is imported unless every record can be read. Vectors are computed again by this engine's embedder.
        """
        now, pinned = self._clock(), not self.config.decay.enabled
        items = [to_engine_item(item, now, pinned=pinned) for item in MemorySerializer().import_json(json_str)]
        records = [item.to_dict() for item in items]
        # Many records take several transactions: check all of them first.
        self.engine.transfer.import_(records, dry_run=True)
        return self.engine.transfer.import_(records).added

    def snapshot(self) -> MemorySnapshot:
        return MemorySerializer().snapshot(self.all_items())

    # --- edges, sessions, time

    @property
    def graph(self) -> StoredGraph:
        return self._graph

    def link(self, source_id: str, target_id: str, relation: str = "related", weight: float = 1.0) -> None:
        """Add an edge between two memories; it is stored with the first."""
        if not self.config.graph.enabled:
            raise RuntimeError("Graph is not enabled: set graph.enabled in the configuration")
        self._graph.add_edge(source_id, target_id, relation, weight)

    def related(self, memory_id: str, depth: int = 2) -> list[MemoryItem]:
        """The memories reachable by edges; `engine.related` also finds memories about the same things."""
        items = (self.get(item_id) for item_id in sorted(self._graph.get_related_ids(memory_id, depth)))
        return [item for item in items if item is not None]

    recall_graph = related

    @property
    def session(self) -> SessionManager:
        return self._session

    session_manager = session

    def start_session(self) -> SessionInfo:
        return self._session.start_session()

    def end_session(self, summarize: bool | None = None) -> SessionInfo | None:
        """End the session; its most important memories are joined and stored as its summary."""
        ended = self._session.end_session()
        if ended is None or not (self.config.session.auto_summarize if summarize is None else summarize):
            return ended
        where = ItemFilter(session_id=ended.session_id)
        items = sorted(self.engine.list(1000, where=where), key=lambda item: -item.arbitrary_importance)
        ended.summary = " | ".join(item.content[:100] for item in items[: self.config.session.summary_max_items])
        if ended.summary:
            metadata = {"type": "session_summary", "session_id": ended.session_id}
            self.store(f"[Session Summary] {ended.summary}", 0.7, metadata)
        return ended

    def create_middleware(self, max_context: int = 5) -> MemoryMiddleware:
        """Chat middleware that adds at most `max_context` memories to a prompt."""
        return MemoryMiddleware(self, recall_limit=max_context)

    @property
    def stream(self) -> MemoryStream:
        return self._stream

    def timeline(
        self,
        start: Moment | None = None,
        end: Moment | None = None,
        limit: int = 100,
        user_id: str | None = None,
    ) -> list[TimelineEntry]:
        return self._stream.timeline(start, end, limit, user_id)

    def narrate(self, topic: str, limit: int = 10, user_id: str | None = None) -> str:
        return self._stream.narrate(topic, limit, user_id)

    # --- events and plugins

    @property
    def events(self) -> EventBus:
        return self._events

    def on(self, event: str, callback: Callable[..., Any]) -> None:
        self._events.on(event, callback)

    def use(self, plugin: MemoryPlugin) -> None:
        self._plugins.register(plugin, self)

    def __getattr__(self, name: str) -> Any:
        advice = f"; {ALTERNATIVES[name]}" if name in ALTERNATIVES else ""
        raise AttributeError(f"the shim of StellarMemory has no {name!r}{advice}")

    def _theirs(self, item: CelestialItem, user_id: str | None) -> MemoryItem:
        return to_stellar_item(item, self._lift, feeling=self.config.emotion.enabled, user_id=user_id)

    def _recall(self, query: str, limit: int, emotion: str | None, user_id: str | None) -> list[MemoryItem]:
        if emotion is not None and emotion not in EMOTIONS:
            raise InvalidInputError("emotion", Reason.UNKNOWN_CHOICE, got=emotion, choices=tuple(EMOTIONS))
        # Filter before ranking if the engine has this emotion: filtered memories must not be reinforced.
        where = ItemFilter(emotion=Emotion(emotion)) if emotion in {known.value for known in Emotion} else None
        recalled = self.engine.of(user_id).recall(query, limit, where=where, floor=0.0)
        results = [self._theirs(item, user_id) for item in recalled]
        if self.config.recall_boost.graph_boost_enabled and self.config.graph.enabled:
            results += self._graph_neighbours(results, limit - len(results), user_id)
        if emotion is not None:
            results = [item for item in results if item.emotion and item.emotion.dominant == emotion]
        session_id = self._session.current_session_id
        if session_id and self.config.session.scope_current_first:
            results.sort(key=lambda item: item.metadata.get("session_id") != session_id)
        return results

    def _graph_neighbours(self, results: list[MemoryItem], room: int, user_id: str | None) -> list[MemoryItem]:
        """Memories reachable by edges, up to `room` of them."""
        if room <= 0 or user_id is not None:
            return []
        result_ids = {item.id for item in results}
        depth = self.config.recall_boost.graph_boost_depth
        neighbour_ids = dict.fromkeys(
            item_id for item in results for item_id in sorted(self._graph.get_related_ids(item.id, depth))
        )
        items = (self.get(item_id) for item_id in neighbour_ids if item_id not in result_ids)
        return [item for item in items if item is not None][:room]

    def _apply_plugins(self, stored: CelestialItem, item: MemoryItem, user_id: str | None) -> MemoryItem:
        """Run the plugins, and store what they changed of the text, the importance or the metadata."""
        before = self._theirs(stored, user_id)
        if self._session.current_session_id is not None:
            before.metadata.setdefault("session_id", self._session.current_session_id)
        item = self._plugins.stored(item)
        content = item.content if item.content != before.content else None
        importance = item.arbitrary_importance if item.arbitrary_importance != before.arbitrary_importance else None
        metadata = with_notes(item.metadata, notes_of(stored)) if item.metadata != before.metadata else None
        if content is None and importance is None and metadata is None:
            return item
        return self._theirs(self.engine.of(user_id).update(stored.id, content, importance, metadata), user_id)

    def _apply_decay(self) -> None:
        if not self.config.decay.enabled:
            return
        now = self._clock()
        idle = (self._theirs(item, None) for item in idle_items(self.engine, now, self._decay.shortest_days))
        for item_id in self._decay.check_decay(idle, now).to_forget:
            if self.forget(item_id):
                self._events.emit("on_auto_forget", item_id)

    def _run_maintenance(self) -> None:
        self.reorbit()
        self.engine.night.sleep_if_due()
