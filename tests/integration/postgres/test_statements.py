"""What keeps a call cheap for the server: statements are planned once, and vectors are stored in their rows."""

from __future__ import annotations

from dataclasses import replace

import psycopg

from celestial_engine import CelestialMemory
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.testing.conformance.base import a_course, an_item

_BYTES_APART = "SELECT pg_relation_size(reltoastrelid) FROM pg_class WHERE oid = 'vectors'::regclass"


def prepared(store) -> set[str]:
    with store.read() as session:
        rows = session.transaction.raw("SELECT statement FROM pg_prepared_statements", ())
    return {statement for (statement,) in rows}


def test_statements_stay_prepared_from_one_call_to_the_next(url):
    """A rollback makes psycopg forget them, so reading must not end with one."""
    with CelestialMemory(url, rebalance_interval=None) as memory:
        memory.store("I was in Busan with Anna")
        for _ in range(12):
            memory.search("Where was I with Anna?")
        before = prepared(memory.parts.store)
        memory.search("Where was I with Anna?")
        memory.recall("Where was I with Anna?")
        after = prepared(memory.parts.store)
    assert len(before) > 5
    assert before <= after


def test_a_call_sends_few_statements(url, monkeypatch):
    """Each costs CPU at both ends, whatever it does. Five recalled memories are written by one statement, not five."""
    sent: list[bytes] = []
    execute = psycopg.Connection.execute

    def counted(self, query, *values, **options):
        sent.append(query)
        return execute(self, query, *values, **options)

    monkeypatch.setattr(psycopg.Connection, "execute", counted)
    with CelestialMemory(url, rebalance_interval=None, embedder="hashed") as memory:
        for number in range(12):
            memory.store(f"I was in Busan with Anna, day {number}")
        for call, most in ((memory.search, 36), (memory.recall, 60), (memory.store, 38)):
            sent.clear()
            found = call("Where was I with Anna in Busan?")
            assert len(sent) <= most, [query[:60] for query in sent]
            if call == memory.recall:
                assert len(found) == 5
                assert sum(query.startswith(b"UPDATE items") for query in sent) == 1


def test_a_vector_of_usual_length_is_stored_in_its_row(url, opened):
    """Stored apart, each would be looked up by an index for every comparison."""
    store = opened(url)
    with store.write(LOCAL_OWNER) as session:
        for number, length in enumerate((384, 512, 768)):
            item = replace(an_item(f"m{number}", "text"), embedding=[0.5] * length)
            session.items.add(item, a_course())
    with psycopg.connect(url) as connection:
        assert connection.execute(_BYTES_APART).fetchone() == (0,)


def test_a_vector_that_was_stored_apart_is_read_all_the_same(url, opened):
    """As databases of the release before have it; VACUUM FULL brings it into its row."""
    store = opened(url)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER TABLE vectors RESET (toast_tuple_target)")
        with store.write(LOCAL_OWNER) as session:
            session.items.add(replace(an_item("m1", "text"), embedding=[0.5] * 512), a_course())
        assert connection.execute(_BYTES_APART).fetchone() != (0,)
        with store.read() as session:
            assert session.items.get(LOCAL_OWNER, "m1").embedding == [0.5] * 512
        connection.execute("ALTER TABLE vectors SET (toast_tuple_target = 4080)")
        connection.execute("VACUUM FULL vectors")
        assert connection.execute(_BYTES_APART).fetchone() == (0,)
    with store.read() as session:
        assert session.items.get(LOCAL_OWNER, "m1").embedding == [0.5] * 512
