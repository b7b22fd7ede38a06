"""stellar-memory's standalone components and StellarMemory's analysis calls, on the engine."""

from __future__ import annotations

import json
import warnings
from itertools import pairwise

import pytest

from celestial_engine.compat.stellar import StellarConfig, StellarMemory, old_names
from celestial_engine.compat.stellar.config import (
    AdaptiveDecayConfig,
    DecayConfig,
    EmotionConfig,
    EventLoggerConfig,
    ZoneConfig,
)
from celestial_engine.compat.stellar.models import EmotionVector, MemoryItem
from celestial_engine.compat.stellar.parts.embedder import Embedder, create_embedder
from celestial_engine.compat.stellar.parts.event_logger import EventLogger
from celestial_engine.compat.stellar.parts.middleware import MemoryMiddleware
from celestial_engine.compat.stellar.parts.orbit_manager import OrbitManager
from celestial_engine.compat.stellar.parts.persistent_graph import PersistentMemoryGraph
from celestial_engine.compat.stellar.parts.storage import InMemoryStorage, SqliteStorage, StorageFactory
from celestial_engine.compat.stellar.parts.vectors import deserialize_embedding
from celestial_engine.errors import InvalidInputError, InvalidItemError, InvalidMetadataError


@pytest.fixture
def stellar(clock):
    with StellarMemory(StellarConfig(db_path=":memory:"), clock=clock) as memory:
        yield memory


def opened(clock, **settings):
    return StellarMemory(StellarConfig(db_path=":memory:", **settings), clock=clock)


class TestStorages:
    def test_a_storage_has_no_capacity_limit(self):
        """Zone 0 of an engine has 20 slots; a standalone storage must not evict."""
        storage = InMemoryStorage()
        for number in range(30):
            storage.store(MemoryItem.create(f"memory {number}"))
        assert storage.count() == 30

    def test_it_keeps_times_counts_scores_and_vectors(self):
        storage = InMemoryStorage()
        item = MemoryItem.create("as it was", metadata={"a": [1]})
        item.last_recalled_at, item.recall_count, item.total_score = item.created_at - 500, 7, 0.25
        item.embedding = [0.5, 0.25]
        storage.store(item)
        kept = storage.get(item.id)
        assert (kept.last_recalled_at, kept.recall_count) == (item.last_recalled_at, 7)
        assert (kept.total_score, kept.embedding, kept.metadata) == (0.25, [0.5, 0.25], {"a": [1]})

    def test_several_zones_of_one_file(self, tmp_path):
        path = str(tmp_path / "m.db")
        inner, outer = SqliteStorage(path, 1), SqliteStorage(path, 3)
        inner.store(MemoryItem.create("tea in the inner zone"))
        outer.store(MemoryItem.create("tea in the outer zone"))
        assert [item.content for item in inner.search("tea")] == ["tea in the inner zone"]
        assert (inner.count(), outer.count()) == (1, 1)
        inner.close()
        outer.close()

    def test_opening_a_storage_on_an_engine_database_keeps_its_zones(self, tmp_path, clock):
        path = str(tmp_path / "m.db")
        zones = [ZoneConfig(0, "core", 2, 0.8), ZoneConfig(1, "rest", None, 0.0, 0.8)]
        with StellarMemory(StellarConfig(db_path=path, zones=zones), clock=clock) as memory:
            stored = memory.store("seen from both sides")
            storage = SqliteStorage(path, stored.zone)
            assert storage.get(stored.id).content == "seen from both sides"
            storage.close()
            assert memory.stats().zone_capacities == {0: 2, 1: None}

    def test_updating_keeps_the_fields_that_stellar_memory_does_not_have(self, tmp_path, clock):
        path = str(tmp_path / "m.db")
        with StellarMemory(StellarConfig(db_path=path), clock=clock) as memory:
            one, two = memory.store("first"), memory.store("second")
            memory.link(one.id, two.id)
            memory.engine.pin(one.id)
            storage = SqliteStorage(path, one.zone)
            item = storage.get(one.id)
            item.content, item.recall_count = "the first, corrected", 5
            storage.update(item)
            storage.close()
            kept = memory.engine.get(one.id)
            assert (kept.content, kept.recall_count, kept.protection.value) == ("the first, corrected", 5, "pinned")
            assert [edge.target_id for edge in memory.graph.get_edges(one.id)] == [two.id]
            assert memory.recall("corrected")[0].id == one.id

    def test_updating_an_unknown_id_does_nothing(self):
        storage = InMemoryStorage()
        storage.update(MemoryItem.create("nobody"))
        assert storage.count() == 0

    def test_secrets_are_redacted(self):
        storage = InMemoryStorage()
        item = MemoryItem.create("the key is sk-ant-api03-" + "a1B2" * 23 + "AA")
        storage.store(item)
        assert "a1B2a1B2" not in storage.get(item.id).content

    def test_reserved_metadata_key_is_refused(self):
        with pytest.raises(InvalidMetadataError):
            InMemoryStorage().store(MemoryItem.create("odd", metadata={"stellar_memory": {"score": 9.0}}))

    def test_the_outermost_zone_evicts_nothing(self):
        zones = [ZoneConfig(0, "core", 1, 0.8), ZoneConfig(1, "rest", 1, 0.0, 0.8)]
        manager = OrbitManager(zones, StorageFactory(":memory:"))
        for number in range(4):
            manager.place(MemoryItem.create(f"memory {number}"), 0, 0.9)
        assert (manager.get_zone_count(0), manager.get_zone_count(1)) == (1, 3)
        assert len(manager.get_all_items()) == 4

    def test_a_vector_of_another_length_is_refused(self):
        with pytest.raises(InvalidInputError):
            deserialize_embedding(bytes(8), dim=3)


class TestForgetting:
    def test_adaptive_decay_keeps_important_memories_longer(self, clock):
        decay = DecayConfig(auto_forget_days=10, min_zone_for_decay=0, adaptive=AdaptiveDecayConfig(enabled=True))
        with opened(clock, decay=decay) as memory:
            trivial, weighty = memory.store("trivial", importance=0.0), memory.store("weighty", importance=0.9)
            clock.advance(days=4)
            memory.reorbit()
            assert memory.get(trivial.id) is not None
            clock.advance(days=2)  # half of ten days are over
            memory.reorbit()
            assert memory.get(trivial.id) is None
            clock.advance(days=7)  # and thirteen of fourteen
            memory.reorbit()
            assert memory.get(weighty.id) is not None
            clock.advance(days=2)
            memory.reorbit()
            assert memory.get(weighty.id) is None

    def test_strong_emotions_extend_the_days_and_weak_ones_do_not_shorten_them(self, clock):
        decay = DecayConfig(auto_forget_days=10, min_zone_for_decay=0)
        with opened(clock, decay=decay, emotion=EmotionConfig(enabled=True)) as memory:
            strong = memory.store("the wedding", emotion=EmotionVector(joy=0.9))
            weak = memory.store("the receipt", emotion=EmotionVector(joy=0.1))
            clock.advance(days=9)
            memory.reorbit()
            assert memory.get(weak.id) is not None
            clock.advance(days=2)
            memory.reorbit()
            assert (memory.get(weak.id), memory.get(strong.id) is not None) == (None, True)

    def test_zone_change_event(self, stellar, clock):
        heard = []
        stellar.on("on_zone_change", lambda item, before, after: heard.append((item.id, before, after)))
        item = stellar.store("drifts", importance=0.6)
        clock.advance(days=2)
        stellar.reorbit()
        assert heard == [(item.id, item.zone, stellar.get(item.id).zone)]


class TestEventLog:
    def test_the_default_path_writes_no_log(self, tmp_path, clock, monkeypatch):
        monkeypatch.chdir(tmp_path)
        with opened(clock) as memory:
            memory.store("no file in every folder")
        assert list(tmp_path.iterdir()) == []

    def test_logs_ids_and_no_content(self, tmp_path, clock):
        path = tmp_path / "events.jsonl"
        with opened(clock, event_logger=EventLoggerConfig(log_path=str(path))) as memory:
            item = memory.store("a private text")
            memory.reorbit()
            memory.forget(item.id)
        assert [entry["event"] for entry in EventLogger(str(path)).read_logs()] == ["store", "reorbit", "forget"]
        assert "private" not in path.read_text(encoding="utf-8")

    def test_incomplete_lines_are_skipped(self, tmp_path):
        path = tmp_path / "events.jsonl"
        path.write_text('{"event": "store"}\n{"event": "rec', encoding="utf-8")
        assert EventLogger(str(path)).read_logs() == [{"event": "store"}]


class TestGraphAnalysis:
    @pytest.fixture
    def chain(self, stellar):
        items = [stellar.store(f"memory {number}") for number in range(4)]
        for one, next_one in pairwise(items):
            stellar.link(one.id, next_one.id)
        return items

    def test_paths_communities_and_degrees_ignore_forgotten_memories(self, stellar, chain):
        ids = [item.id for item in chain]
        assert stellar.graph_path(ids[3], ids[0]) == ids[::-1]
        assert [set(group) for group in stellar.graph_communities()] == [set(ids)]
        assert stellar.graph_centrality(1)[0].degree == 2
        stellar.forget(ids[1])
        assert stellar.graph_path(ids[0], ids[3]) is None
        assert stellar.graph_stats().total_nodes == 2

    def test_dot_labels_are_escaped(self, stellar):
        one, two = stellar.store('say "hi"]; evil'), stellar.store("two")
        stellar.link(one.id, two.id)
        assert '[label="say \\"hi\\"]; evil"]' in stellar.analyzer.export_dot(stellar.get)

    def test_persistent_graph_is_read_back_and_reports_a_damaged_file(self, tmp_path):
        path = str(tmp_path / "own.db")
        PersistentMemoryGraph(path).add_edge("a", "b", "causes", 0.5)
        (edge,) = PersistentMemoryGraph(path).get_edges("a")
        assert (edge.target_id, edge.edge_type, edge.weight) == ("b", "causes", 0.5)
        (tmp_path / "own.db.edges.json").write_text("[{", encoding="utf-8")
        with pytest.raises(InvalidItemError):
            PersistentMemoryGraph(path)


class TestIntrospectionAndReasoning:
    def test_introspection_does_not_reinforce(self, stellar):
        item = stellar.store("Python is a programming language")
        known = stellar.introspect("Python")
        assert (known.memory_count, known.gaps) == (1, [])
        assert 0.0 < known.confidence < 1.0
        stellar.detect_contradictions("Python")
        assert stellar.get(item.id).recall_count == 0

    def test_topics_of_linked_memories_are_gaps(self, stellar):
        one, two = stellar.store("Python is a language"), stellar.store("Kubernetes runs the containers")
        stellar.link(one.id, two.id)
        assert "kubernetes" in {gap.casefold() for gap in stellar.introspect("Python").gaps}
        assert stellar.introspect("   ").gaps == ["   "]

    def test_recall_with_confidence(self, stellar):
        assert stellar.recall_with_confidence("tea").warning is not None
        stellar.store("tea is better than coffee", importance=0.9)
        sure = stellar.recall_with_confidence("tea")
        assert [item.recall_count for item in sure.memories] == [1]
        assert sure.confidence > 0.0

    def test_contradictions_use_the_engine_rules(self, stellar, clock):
        older = stellar.store("I live in Seoul")
        clock.advance(days=1)
        newer = stellar.store("I live in Busan now")
        stellar.store("the kettle is red")
        (found,) = stellar.detect_contradictions()
        assert (found.memory_a_id, found.memory_b_id) == (older.id, newer.id)

    def test_reasoning_includes_linked_memories_up_to_the_limit(self, stellar):
        one, two = stellar.store("Tomatoes need sun"), stellar.store("The balcony faces south")
        stellar.link(one.id, two.id)
        told = stellar.reason("tomatoes")
        assert [item.id for item in told.source_memories] == [one.id, two.id]
        assert stellar.reason("tomatoes", max_sources=1).source_memories[0].id == one.id


class TestFeedbackAndChat:
    def test_feedback_counts_as_influence(self, stellar):
        item = stellar.store("the door code changes monthly")
        stellar.recall("door code")
        stellar.provide_feedback("door code", [item.id, "nobody"])
        assert stellar.engine.get(item.id).influence_count == 1
        assert stellar.auto_tune() is None

    def test_middleware_stores_turns_through_the_memory(self, stellar):
        heard = []
        stellar.on("on_store", heard.append)
        chat = MemoryMiddleware(stellar, recall_limit=2)
        kept = chat.after_chat("Remember that my sister Mina moved to Busan", "I will.")
        assert heard == [kept]
        assert chat.after_chat("thanks!", "You are welcome.") is None
        assert "Mina" in chat.wrap_messages("Where does Mina live?")


def test_create_embedder_uses_the_engine_setting(monkeypatch):
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "hashed")
    embedder = create_embedder()
    assert isinstance(embedder, Embedder)
    one, two = embedder.embed_batch(["tea", "coffee"])
    assert (len(one), embedder.embed("tea")) == (len(two), one)
    assert embedder.embed_batch([]) == []


def test_version_2_names_import_with_a_deprecation_warning():
    for name in ("DecayManager", "EventLogger", "GraphAnalyzer", "MemoryReasoner", "BruteForceIndex"):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert getattr(old_names, name).__name__ == name
        assert "deprecated" in str(caught[0].message)


def test_export_omits_the_internal_notes(stellar):
    one, two = stellar.store("first"), stellar.store("second")
    stellar.link(one.id, two.id)
    assert [item["metadata"] for item in json.loads(stellar.export_json())["items"]] == [{}, {}]
