"""Work on all owners: in steps that are short whatever the size of the store, or without a limit of time."""

from __future__ import annotations

from dataclasses import replace

import psycopg

from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.postgres import store as store_module
from celestial_engine.storage.postgres.dialect import ALL, SCOPE
from celestial_engine.storage.postgres.search import vectors
from celestial_engine.testing.conformance.base import a_course, an_item

OWNERS = [Owner(name) for name in ("anna", "bert", "chris")]


def filled(store, *, each: int):
    for owner in OWNERS:
        with store.write(owner) as session:
            for number in range(each):
                item = replace(
                    an_item(f"{owner.user_id}{number}", f"Anna: tea {number}", owner=owner), embedding=[1.0]
                )
                session.items.add(item, a_course())
    return store


def test_unread_texts_of_all_owners_are_read_in_steps(url, opened, monkeypatch):
    monkeypatch.setattr(store_module, "_READ_AT_ONCE", 2)
    store = filled(opened(url), each=3)
    with psycopg.connect(url) as connection:
        connection.execute(f"SET LOCAL {SCOPE} = '{ALL}'")
        connection.execute("UPDATE texts SET traits_by = NULL, traits_of = NULL")
        connection.execute("DELETE FROM sayings")
        connection.execute("DELETE FROM meta WHERE key = 'read_by'")
    store.sweep()
    with psycopg.connect(url) as connection:
        connection.execute(f"SET LOCAL {SCOPE} = '{ALL}'")
        assert connection.execute("SELECT count(*) FROM texts WHERE traits_of IS NOT NULL").fetchone() == (9,)
        assert connection.execute("SELECT count(*) FROM sayings").fetchone() == (9,)


def test_missing_vectors_are_found_step_by_step(url, opened, monkeypatch):
    monkeypatch.setattr(vectors, "_KEYS_AT_ONCE", 2)
    store = filled(opened(url), each=3)
    with psycopg.connect(url) as connection:
        connection.execute(f"SET LOCAL {SCOPE} = '{ALL}'")
        # The last memory of the last owner, and the first of the first.
        connection.execute(
            "DELETE FROM vectors WHERE seq IN (SELECT max(seq) FROM items UNION SELECT min(seq) FROM items)"
        )
    with store.read() as session:
        assert session.vectors.count_missing(None) == 2
        (first,) = session.vectors.missing(None, 1)
        (second,) = session.vectors.missing(first.key, 5)
        assert (first.text, second.text) == ("Anna: tea 0", "Anna: tea 2")
        assert session.vectors.missing(second.key, 5) == []


def test_a_rebuilt_index_may_take_longer_than_a_statement_otherwise_may(url, opened):
    store = filled(opened(url, statement_timeout=0.5), each=1)
    with psycopg.connect(url) as connection:
        connection.execute(
            "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1); RETURN NULL; END $$"
        )
        connection.execute("CREATE TRIGGER slow BEFORE DELETE ON words EXECUTE FUNCTION slow()")
    store.repair()
    assert store.check() == []
