"""Row-level security is the second line of defence; the owner is first in every key, so that it can be distributed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.owner import LOCAL_OWNER, Owner
from celestial_engine.testing.conformance.base import NOON, a_course, an_item

psycopg = pytest.importorskip("psycopg")
tables = pytest.importorskip("celestial_engine.storage.postgres.schema.tables")

OTHER = Owner("other", "default")
SHARED = {"meta", "owners", "anchors", "jobs", "grants", "login_keys", "model_days", "rate_limits", "archive_files"}


def filled(store):
    for owner in (LOCAL_OWNER, OTHER):
        with store.write(owner) as session:
            session.items.add(an_item("m1", owner=owner), a_course())
            session.ledger.record(Event(EventType.STORED, owner, NOON, "m1"))
    return store


def test_a_transaction_sees_the_rows_of_its_owner(url, opened):
    store = filled(opened(url))
    with store.read() as session:
        session.items.get(LOCAL_OWNER, "m1")  # names the owner
        db = session.items._pg.db
        assert db.execute("SELECT count(*) FROM items").fetchone() == (1,), "a query that forgot the owner"
        assert db.execute(
            "SELECT count(*) FROM items WHERE owner <> ?", (session.items._pg.number(OTHER),)
        ).fetchone() == (0,)
        session.items._pg.see_all_owners()
        assert db.execute("SELECT count(*) FROM items").fetchone() == (2,)


def test_a_connection_without_an_owner_sees_nothing(url, opened):
    filled(opened(url))
    with psycopg.connect(url) as connection:
        for table in tables.OWNER_TABLES:
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table


def test_a_transaction_cannot_write_rows_of_another_owner(url, opened):
    store = filled(opened(url))
    from celestial_engine.errors import StorageError

    with pytest.raises(StorageError), store.write(LOCAL_OWNER) as session:
        tx = session.items._pg
        theirs = tx.number(OTHER)
        tx.number(LOCAL_OWNER)
        tx.db.execute("INSERT INTO presence (owner, last_active) VALUES (?, 1)", (theirs,))
    with store.write(LOCAL_OWNER) as session:
        session.items._pg.number(LOCAL_OWNER)
        session.items._pg.db.execute("UPDATE items SET zone = 0")
    with store.read() as session:
        assert session.items.get(OTHER, "m1").zone == 2


def test_it_works_with_row_level_security_off(postgres, opened):
    url = postgres.url()
    store = filled(opened(url))
    with psycopg.connect(url, autocommit=True) as connection:
        for table in tables.OWNER_TABLES:
            connection.execute(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY")
    with store.read() as session:
        assert len(session.items.page(LOCAL_OWNER, -1, 9)) == len(session.items.page(OTHER, -1, 9)) == 1


def test_the_ledger_is_append_only(url, opened):
    store = filled(opened(url))
    from celestial_engine.errors import StorageError

    for change in ("DELETE FROM ledger", "UPDATE ledger SET detail = '{}'"):
        with pytest.raises(StorageError, match="append-only"), store.write_whole_store() as session:
            session.items._pg.db.execute(change)


def test_every_table_is_known(url, opened):
    opened(url)
    with psycopg.connect(url) as connection:
        found = {name for (name,) in connection.execute(
            "SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
        )}  # fmt: skip
    assert found == {*tables.OWNER_TABLES, *SHARED}


def test_the_owner_is_first_in_every_key(url, opened):
    """Citus can distribute a table only if every unique key and every foreign key has the owner in it."""
    opened(url)
    with psycopg.connect(url) as connection:
        keys = connection.execute(
            "SELECT class.relname::text, key.relname::text, column_.attname::text FROM pg_index "
            "JOIN pg_class AS class ON class.oid = indrelid JOIN pg_class AS key ON key.oid = indexrelid "
            "JOIN pg_attribute AS column_ ON column_.attrelid = indrelid AND column_.attnum = indkey[0] "
            "WHERE class.relnamespace = current_schema()::regnamespace AND (indisunique OR indisprimary)"
        ).fetchall()
        foreign = connection.execute(
            "SELECT class.relname::text, target.relname::text, column_.attname::text, other.attname::text "
            "FROM pg_constraint JOIN pg_class AS class ON class.oid = conrelid "
            "JOIN pg_class AS target ON target.oid = confrelid "
            "JOIN pg_attribute AS column_ ON column_.attrelid = conrelid AND column_.attnum = conkey[1] "
            "JOIN pg_attribute AS other ON other.attrelid = confrelid AND other.attnum = confkey[1] "
            "WHERE class.relnamespace = current_schema()::regnamespace AND contype = 'f'"
        ).fetchall()
        first_columns = connection.execute(
            "SELECT relname::text, attname::text FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid "
            "WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND attnum = 1"
        ).fetchall()
        secured = {name for (name,) in connection.execute(
            "SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace "
            "AND relrowsecurity AND relforcerowsecurity"
        )}  # fmt: skip
    assert {table for table, _, _ in keys} == {*tables.OWNER_TABLES, *SHARED}
    assert [key for key in keys if key[0] not in SHARED and key[2] != "owner"] == []
    assert foreign
    assert [key for key in foreign if key[2:] != ("owner", "owner")] == []
    assert [one for one in first_columns if one[0] not in SHARED and one[1] != "owner"] == []
    assert secured == set(tables.OWNER_TABLES)


def test_every_join_has_the_owner():
    """A join without the owner would go over all shards. `anchors` and `owners` are on every node."""
    folder = Path(tables.__file__).parents[1]
    texts = [path.read_text(encoding="utf-8") for path in folder.rglob("*.py")]
    joins = [found for text in texts for found in re.findall(r"USING \(([^)]*)\)", text)]
    assert len(joins) > 10
    assert [columns for columns in joins if not columns.startswith("owner") and "{" not in columns] == []
