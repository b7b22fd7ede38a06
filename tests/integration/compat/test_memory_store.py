"""MemoryStore: memories kept and found as coordinate documents."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

import pytest

from celestial_engine import CelestialMemory, KeepingSettings, Settings
from celestial_engine.compat.memory_store import MemoryCoordinate, MemoryStore
from celestial_engine.core.keeping.retention import RetentionPolicy
from celestial_engine.core.record.coordinate import Emotion
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.errors import InvalidInputError, InvalidItemError, NotFoundError
from celestial_engine.testing.fakes import bag_of_words

START = datetime(2025, 10, 10, 12, tzinfo=timezone.utc)
PERSONAS = ("thesis", "antithesis", "synthesis")


@pytest.fixture
def store(memory: CelestialMemory) -> MemoryStore:
    return MemoryStore(memory=memory)


def document(number: int, **parts) -> MemoryCoordinate:
    persona = PERSONAS[number % 3]
    given = {
        "memory_id": f"mem_20251010_120000_{number:04x}",
        "timestamp": START + timedelta(minutes=number),
        "time": {"session_id": f"sess_{number // 100}"},
        "space": {"project": "persona_orchestration", "domain": "AGI_prototype" if number % 2 else "UI"},
        "agent": {"persona_id": persona, "persona_name": persona.title()},
        "content": {"type": "persona_response", "response_full": f"AGI memory note {number}"},
        "metadata": {"importance": number % 10 / 10, "tags": [persona, "orchestration"]},
    }
    return MemoryCoordinate(**{**given, **parts})


def test_stored_and_got(tmp_path):
    """In a folder that is made for it: what is added is got by its id, and still there after opening it again."""
    with MemoryStore(base_path=tmp_path / "outputs" / "memory") as store:
        memory = document(7)
        store.add(memory)
        retrieved = store.get_by_id(memory.memory_id)
        assert retrieved.memory_id == memory.memory_id == "mem_20251010_120000_0007"
        assert retrieved.agent.persona_id == "antithesis"
    with MemoryStore(tmp_path / "outputs" / "memory") as store:
        assert store.get_by_id(memory.memory_id).content.response_full == "AGI memory note 7"


def test_combined_search(store):
    """Words, persona, time, importance and limit at once; times without a zone are in UTC."""
    for number in range(60):
        store.add(document(number))
    results = store.search(
        query="AGI memory",
        persona_id="synthesis",
        time_range=(datetime(2025, 10, 10), datetime(2025, 10, 12)),
        min_importance=0.5,
        limit=3,
    )
    assert len(results) == 3
    assert all(result.agent.persona_id == "synthesis" for result in results)
    assert all(result.metadata.importance >= 0.5 for result in results)
    assert store.search("AGI memory", time_range=(datetime(2025, 10, 11), None)) == []
    late = store.search(time_range=(START + timedelta(minutes=50), START + timedelta(minutes=52)))
    assert [result.memory_id[-2:] for result in late] == ["34", "33", "32"], "newest first without a query"
    assert [result.memory_id[-2:] for result in store.search(tags=["thesis"], domain="UI", limit=2)] == ["36", "30"]
    assert store.search(tags=["thesis", "synthesis"]) == []


def test_a_thousand_memories_and_their_index(store):
    """The index knows each of 1,000 memories as soon as it is stored; a keyword finds its persona's alone."""
    for number in range(1_000):
        store.add(document(number))
    index = store.export_index()
    assert index["index_version"] == "1.0"
    assert index["total_memories"] == 1_000
    assert {persona: len(ids) for persona, ids in index["persona_index"].items()} == {
        "thesis": 334,
        "antithesis": 333,
        "synthesis": 333,
    }
    assert len(index["keyword_index"]["synthesis"]) == 333
    assert len(index["keyword_index"]["orchestration"]) == 1_000
    assert {day: len(ids) for day, ids in index["time_index"].items()} == {"2025-10-10": 720, "2025-10-11": 280}
    assert len(index["importance_index"]) == 100
    assert {entry["importance"] for entry in index["importance_index"]} == {0.9}
    found = store.search("synthesis", limit=1_000)
    assert len(found) == 333
    assert all(memory.agent.persona_id == "synthesis" for memory in found)
    assert len(store.search(persona_id="synthesis", limit=1_000)) == 333
    assert len(store.get_by_session("sess_4")) == 100
    assert store.get_all_session_ids() == [f"sess_{number}" for number in range(10)]


def test_a_keyword_filters_and_the_newest_come_first_with_an_embedder_too(clock):
    """A search for "synthesis" returns the memories of that persona, and no near ones."""
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, embed_fn=bag_of_words) as memory:
        store = MemoryStore(memory=memory)
        for number in (5, 0, 2, 1, 8, 3):
            store.add(document(number))
        found = store.search("synthesis")
        assert [one.memory_id[-1] for one in found] == ["8", "5", "2"]
        assert all(one.agent.persona_id == "synthesis" for one in found)
        assert [one.memory_id[-1] for one in store.search("SYNTHESIS", limit=2)] == ["8", "5"]
        assert [one.memory_id[-1] for one in store.search("note of synthesis 5")] == ["5"], "in its text or its tags"
        assert store.search("synthesis elsewhere") == []
        assert store.search("what is the capital of France?") == []


def test_a_keyword_in_korean(store):
    store.add(document(1, content={"response_full": "합성 단계에서 메모리를 정리했다"}))
    store.add(document(2, content={"response_full": "메모 한 장"}))
    assert [one.memory_id[-1] for one in store.search("메모리 합성")] == ["1"]


def test_an_index_of_nothing(store):
    index = store.export_index()
    assert index["total_memories"] == 0
    assert index["importance_index"] == []


def test_what_is_old_is_not_forgotten_for_it(store, clock):
    """The time of a document is when it was made; its life here begins when it is added."""
    store.add(document(1, timestamp="2001-01-01T00:00:00Z"))
    clock.advance(days=200)
    store.memory.rebalance()
    assert store.get_recent(5)[0].timestamp == "2001-01-01T00:00:00.000000Z"


def test_the_newest_first(store):
    """By their own time, not by the order of adding."""
    for number in (3, 1, 2):
        store.add(document(number))
    assert [memory.memory_id[-1] for memory in store.get_recent(2)] == ["3", "2"]


def test_its_place_in_the_session_is_filled_in(store):
    """What a document leaves out of its time is found from the session."""
    first = store.add(document(0, time={"session_id": "s", "sequence": 15, "relative_time_minutes": 3.5}))
    second = store.add(document(1, time={"session_id": "s"}))
    assert (first.time.sequence, second.time.sequence) == (15, 16)
    assert second.time.relative_time_minutes == pytest.approx(4.5)
    assert second.content.token_count is not None


def test_an_id_is_taken_once(store):
    store.add(document(1))
    with pytest.raises(InvalidItemError, match="already"):
        store.add(document(1))
    assert len(store.get_recent()) == 1


def test_ids_and_times_of_now(store):
    """What has no id and no timestamp gets them, in the form of the others."""
    memory = MemoryCoordinate(content={"response_full": "새 기억"})
    assert re.fullmatch(r"mem_\d{8}_\d{6}_[0-9a-f]{12}", memory.memory_id)
    assert store.add(memory).memory_id == memory.memory_id
    assert store.get_by_id(memory.memory_id).timestamp == memory.timestamp


def test_many_documents_of_one_second_have_ids_of_their_own():
    ids = {MemoryCoordinate(content={"response_full": "x"}).memory_id for _ in range(5_000)}
    assert len(ids) == 5_000


def test_a_deleted_memory_is_not_got_by_its_id(store):
    store.add(document(1))
    store.delete_by_id(document(1).memory_id)
    with pytest.raises(NotFoundError):
        store.get_by_id(document(1).memory_id)
    store.memory.restore(document(1).memory_id)
    assert store.get_by_id(document(1).memory_id).content.response_full == "AGI memory note 1"


def test_links_to_what_is_here_and_what_is_not(store):
    """A parent that is here learns of its child; one that is elsewhere is remembered by name."""
    parent = store.add(document(1))
    child = store.add(
        document(2, relations={"parent_memory_id": parent.memory_id, "related_memory_ids": ["mem_elsewhere"]})
    )
    assert store.get_by_id(parent.memory_id).relations.child_memory_ids == (child.memory_id,)
    assert child.relations.related_memory_ids == ("mem_elsewhere",)
    with pytest.raises(InvalidItemError, match="itself"):
        store.add(document(3, relations={"parent_memory_id": document(3).memory_id}))


def test_by_the_reading_of_the_prompt(store):
    """`bqi_filters` look at the snapshot: the phase, and any of the emotions."""
    snapshot = {"rhythm_phase": "integration", "emotion": {"affect": 0.68, "keywords": ["clarity", "risk"]}}
    store.add(document(1, metadata={"bqi_snapshot": snapshot}))
    store.add(document(2))
    for filters in (
        {"rhythm_phase": "integration"},
        {"rhythm_phase": "integration", "emotion": "clarity"},
        {"rhythm_phase": None, "emotion": ["hope", "risk"]},
    ):
        assert [memory.memory_id[-1] for memory in store.search(bqi_filters=filters)] == ["1"]
    assert store.search(bqi_filters={"rhythm_phase": "planning"}) == []
    assert len(store.search(bqi_filters={"rhythm_phase": None, "emotion": None})) == 2
    with pytest.raises(InvalidInputError, match="bqi has no mood"):
        store.search(bqi_filters={"mood": "good"})


def test_importance_is_judged_where_none_is_given(store):
    """And evidence counts: a strong feeling raises it."""
    judged = store.add(document(1, metadata={}, emotion={"sentiment_score": -1.0, "confidence": 0.9}))
    assert judged.metadata.importance == pytest.approx(0.5)
    assert store.memory.get(judged.memory_id).importance_source != "given"


def test_moods_of_documents_can_be_filtered(store):
    """A document has no emotion tags; they are felt from its text."""
    store.add(document(1, content={"response_full": "I am so happy and joyful today!"}))
    assert len(store.memory.list(where=ItemFilter(emotion=Emotion.JOY))) == 1


def test_deleting(store):
    """By id, by session, by conditions; over the cliff each, and never everything by mistake."""
    for number in range(200, 212):
        store.add(document(number))
    store.add(document(1, metadata={"tags": ["test", "temporary"]}))
    store.delete_by_id("mem_20251010_120000_00c8")
    with pytest.raises(NotFoundError):
        store.delete_by_id("mem_nobody")
    assert store.delete_by_query(tags=["test", "temporary"]) == 1
    assert store.delete_by_query(tags=["nothing has this"]) == 0
    assert store.delete_by_query(persona_id="thesis", time_range=(None, datetime(2030, 1, 1))) == 4
    with pytest.raises(InvalidInputError, match="every memory"):
        store.delete_by_query()
    assert store.delete_by_session("sess_2") == 7
    assert store.get_all_session_ids() == []
    assert len(store.memory.departures.cliff()) == 13


@pytest.mark.parametrize(
    "wrong",
    [
        {"content": {"response_full": ""}},
        {"content": {"text": "x"}},
        {"agent": {"persona_id": 5}},
        {"agent": "synthesis"},
        {"metadata": {"importance": 3}},
        {"timestamp": "yesterday"},
        {"emotion": {"sentiment_score": -2}},
    ],
)
def test_wrong_documents_are_refused(store, wrong):
    with pytest.raises(InvalidItemError):
        store.add(document(1, **wrong))
    assert store.get_recent() == []


def test_a_document_needs_a_content():
    with pytest.raises(InvalidItemError, match="content"):
        MemoryCoordinate(memory_id="mem_1")


def opened_with(policy: RetentionPolicy, **more) -> CelestialMemory:
    settings = Settings(keeping=KeepingSettings(retention=policy))
    return CelestialMemory(":memory:", rebalance_interval=None, settings=settings, **more)


def test_retention_keeps_the_newest_sessions(clock):
    """With room for three sessions, five leave three."""
    with opened_with(RetentionPolicy(max_sessions=3), clock=clock) as memory:
        store = MemoryStore(memory=memory)
        for session in range(5):
            for number in range(10):
                store.add(document(session * 10 + number, time={"session_id": f"sess_test_{session}"}))
        store.apply_retention_policy()
        remaining_sessions = store.get_all_session_ids()
        assert len(remaining_sessions) <= 3
        assert remaining_sessions == ["sess_test_2", "sess_test_3", "sess_test_4"]


def test_when_the_sixth_session_begins_the_oldest_goes_by_itself(clock):
    with opened_with(RetentionPolicy(max_sessions=5), clock=clock) as memory:
        store = MemoryStore(memory=memory)
        for session in range(5):
            store.add(document(session, time={"session_id": f"sess_{session}"}))
        assert len(store.get_all_session_ids()) == 5
        store.add(document(5, time={"session_id": "sess_5"}))
        assert store.get_all_session_ids() == [f"sess_{session}" for session in range(1, 6)]
