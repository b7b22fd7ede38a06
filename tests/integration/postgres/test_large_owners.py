"""HNSW: an index for each owner with very many vectors, built at night; everybody else is searched exactly."""

from __future__ import annotations

import random
import threading
import time
from contextlib import suppress
from dataclasses import replace

import psycopg
import pytest

from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.owner import LOCAL_OWNER, Owner
from celestial_engine.testing.conformance.base import a_course, an_item

hnsw = pytest.importorskip("celestial_engine.storage.postgres.search.hnsw")
LargeOwner = hnsw.LargeOwner

LARGE, COUNT, DIMS = 1_000, 1_500, 24
SMALL_OWNER = Owner("small", "a")


def vectors(count, seed):
    draw = random.Random(seed)
    return [[draw.gauss(0, 1) for _ in range(DIMS)] for _ in range(count)]


@pytest.fixture
def filled(url, opened):
    store = opened(url, large_owner=LARGE, pool_size=1)  # one connection, so that its counts are all
    for owner, count in ((LOCAL_OWNER, COUNT), (SMALL_OWNER, 100)):
        with store.write(owner) as session:
            for number, vector in enumerate(vectors(count, 1)):
                tags = ("even",) if number % 2 == 0 else ()
                item = replace(an_item(f"{owner.user_id} {number}", "text", owner=owner), embedding=vector, tags=tags)
                session.items.add(item, a_course())
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ANALYZE vectors")
    return store


def indexes(url):
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT relname, indisvalid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid "
            "JOIN pg_am ON pg_am.oid = relam WHERE indrelid = 'vectors'::regclass AND amname = 'hnsw'"
        )
        return dict(rows.fetchall())


def times_used(url):
    with psycopg.connect(url) as connection:
        (count,) = connection.execute(
            "SELECT sum(idx_scan) FROM pg_stat_user_indexes WHERE indexrelname LIKE 'vectors_hnsw%' "
            "AND schemaname = current_schema()"
        ).fetchone()
    return count


def flush_counts(store):
    """Makes the server count what the store's connection did so far; otherwise it does so every second."""
    with store.read() as session:
        session.transaction.raw("SELECT pg_stat_force_next_flush()", ())


def nearest(store, owner, vector, where=None):
    with store.read() as session:
        return session.search.by_vector(owner, vector, 20, where)


def test_the_large_owner_gets_an_index_and_the_small_one_none(filled, url):
    exact = [nearest(filled, LOCAL_OWNER, vector) for vector in vectors(30, 2)]
    filled.index_large_owners()
    with filled.read() as session:
        number = session.transaction.number(LOCAL_OWNER)
    assert indexes(url) == {LargeOwner(number, DIMS).index_name: True}
    by_index = [nearest(filled, LOCAL_OWNER, vector) for vector in vectors(30, 2)]
    flush_counts(filled)
    kept = sum(len(set(one) & set(other)) for one, other in zip(exact, by_index, strict=True))
    assert kept >= 0.98 * sum(map(len, exact)), "cosines are computed exactly; only a few of the nearest are missed"
    assert all(match.item_id.startswith(LOCAL_OWNER.user_id) for found in by_index for match in found)
    assert times_used(url) >= 30


def test_filters_and_small_owners_are_searched_exactly(filled, url):
    even = ItemFilter(tags=("even",))
    questions = vectors(10, 3)
    before = [(nearest(filled, LOCAL_OWNER, one, even), nearest(filled, SMALL_OWNER, one)) for one in questions]
    filled.index_large_owners()
    assert [
        (nearest(filled, LOCAL_OWNER, one, even), nearest(filled, SMALL_OWNER, one)) for one in questions
    ] == before
    flush_counts(filled)
    assert times_used(url) == 0


def test_what_is_stored_and_removed_later_is_in_the_index(filled):
    filled.index_large_owners()
    (vector,) = vectors(1, 4)
    with filled.write(LOCAL_OWNER) as session:
        session.items.add(replace(an_item("new", "text"), embedding=vector), a_course())
    assert nearest(filled, LOCAL_OWNER, vector)[0].item_id == "new"
    with filled.write(LOCAL_OWNER) as session:
        session.items.purge(LOCAL_OWNER, "new")
    assert "new" not in [match.item_id for match in nearest(filled, LOCAL_OWNER, vector)]


def kill_while_building(url, statement):
    """Ends the connection that builds an index, as the end of its server would: while it waits for a writer."""

    def build():
        with suppress(psycopg.OperationalError):
            builder.execute(statement)

    builder = psycopg.connect(url, autocommit=True)
    with psycopg.connect(url) as writer:
        writer.execute("LOCK TABLE vectors IN ROW EXCLUSIVE MODE")
        thread = threading.Thread(target=build)
        thread.start()
        while not indexes(url):
            time.sleep(0.02)
        writer.execute("SELECT pg_terminate_backend(%s)", (builder.info.backend_pid,))
        thread.join()
    builder.close()


def test_an_unfinished_index_is_built_again_and_an_outgrown_one_dropped(filled, url, opened):
    with filled.read() as session:
        name = LargeOwner(session.transaction.number(LOCAL_OWNER), DIMS).index_name
    filled.index_large_owners()
    with psycopg.connect(url, autocommit=True) as connection:
        (definition,) = connection.execute("SELECT pg_get_indexdef(%s::regclass)", (name,)).fetchone()
        connection.execute(f"DROP INDEX {name}")
    kill_while_building(url, definition.replace("CREATE INDEX", "CREATE INDEX CONCURRENTLY"))
    assert indexes(url) == {name: False}
    filled.index_large_owners()
    assert indexes(url) == {name: True}
    opened(url, large_owner=2 * COUNT).index_large_owners()
    assert indexes(url) == {name: True}, "an owner who is a little smaller than large keeps it"
    opened(url, large_owner=3 * COUNT).index_large_owners()
    assert indexes(url) == {}


def test_a_role_that_may_not_change_the_table_searches_without(filled, url, postgres, opened, caplog):
    with psycopg.connect(url) as connection:
        (schema,) = connection.execute("SELECT current_schema()").fetchone()
    role = f"reader_of_{schema}"
    postgres.sql(
        f"CREATE ROLE {role} LOGIN; GRANT USAGE ON SCHEMA {schema} TO {role}; "
        f"GRANT ALL ON ALL TABLES IN SCHEMA {schema} TO {role}"
    )
    store = opened(postgres.url(schema, role), large_owner=LARGE)
    store.index_large_owners()
    assert "searches compare all vectors" in caplog.text
    assert indexes(url) == {}
    assert len(nearest(store, LOCAL_OWNER, vectors(1, 5)[0])) == 20


def test_the_plan_is_limited_and_repeats_what_was_not_finished():
    owners = [LargeOwner(number, 384) for number in range(1, 150)]
    first = hnsw.plan_indexes(owners, [], {})
    assert len(first) == 100
    assert "WHERE owner = 1 AND searchable AND dims = 384" in first[0]
    one, other, third = owners[:3]
    there = {one.index_name: True, other.index_name: False, third.index_name: True, "vectors_hnsw_9_512": True}
    assert hnsw.plan_indexes([one, other], [third], there) == [
        "DROP INDEX CONCURRENTLY IF EXISTS vectors_hnsw_2_384",
        "DROP INDEX CONCURRENTLY IF EXISTS vectors_hnsw_9_512",
        hnsw.plan_indexes([other], [], {})[0],
    ]
