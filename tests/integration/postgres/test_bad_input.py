"""Every way in which a server cannot be used has its own error, and nothing is half written."""

from __future__ import annotations

import logging
import os
import random
import signal
import subprocess
from contextlib import suppress

import pytest
from tests.postgres_server import Server

from celestial_engine import CelestialMemory
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.errors import (
    BusyError,
    ConfigError,
    DiskFullError,
    ForeignDatabaseError,
    NewerSchemaError,
    ServerAccessError,
    ServerFullError,
    ServerUnreachableError,
    SlowStatementError,
    StandbyError,
    StorageError,
)
from celestial_engine.storage.postgres.schema import opening
from celestial_engine.testing.conformance.base import NOON, a_course, an_item

psycopg = pytest.importorskip("psycopg")


def add(store, name):
    with store.write(LOCAL_OWNER) as session:
        session.items.add(an_item(name), a_course())


def test_an_address_that_is_none(opened):
    with pytest.raises(ConfigError) as found:
        opened("postgresql://host/db?nonsense=1")
    assert "address of a PostgreSQL database" in str(found.value)


def test_nobody_listens(opened, tmp_path):
    with pytest.raises(ServerUnreachableError):
        opened(f"postgresql:///postgres?host={tmp_path}")


@pytest.mark.parametrize("wrong", [{"user": "nobody-here"}, {"dbname": "not_there"}])
def test_an_unknown_role_or_database(postgres, opened, wrong):
    with pytest.raises(ServerAccessError):
        opened(postgres.address(**wrong))


def test_a_wrong_password_is_not_shown(postgres, opened):
    with pytest.raises(ServerAccessError) as found:
        opened(postgres.address(user="nobody-here", password="hunter2-secret"))
    assert "hunter2" not in str(found.value)
    assert "hunter2" not in found.value.message("ko")


def test_a_role_without_the_right_to_create_tables(postgres, opened):
    postgres.sql(
        "DROP SCHEMA IF EXISTS locked CASCADE; CREATE SCHEMA locked; GRANT USAGE ON SCHEMA locked TO celestial"
    )
    with pytest.raises(ServerAccessError):
        opened(postgres.url("locked"))


def test_no_schema(postgres, opened):
    with pytest.raises(ServerAccessError):
        opened(postgres.address(options="-csearch_path=nowhere"))


@pytest.mark.parametrize(
    "table", ["items (id int)", "meta (id int)", "meta (key text, value text)"], ids=["items", "meta", "alike"]
)
def test_tables_of_another_program(url, opened, table):
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE TABLE {table}")
        with pytest.raises(ForeignDatabaseError):
            opened(url)
        (tables,) = connection.execute(
            "SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
        ).fetchone()
    assert tables == 1, "nothing was created"


def test_a_newer_schema_that_old_code_cannot_use(url, opened):
    opened(url)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("UPDATE meta SET value = '99' WHERE key = 'schema_version'")
        opened(url)  # only additions: servers of two releases run together
        connection.execute("UPDATE meta SET value = '99' WHERE key = 'readable_from'")
    with pytest.raises(NewerSchemaError):
        opened(url)


def test_without_pgvector_it_works_and_says_so(url, opened, caplog):
    only = url.replace("%2Cpublic", "")  # the extension is in the schema public
    with caplog.at_level(logging.WARNING):
        store = opened(only)
    assert "pgvector is not installed" in caplog.text
    with store.write(LOCAL_OWNER) as session:
        for number in range(5):
            item = an_item(f"m{number}")
            item.embedding = [1.0, number / 4]
            session.items.add(item, a_course())
    with store.read() as session:
        assert [match.item_id for match in session.search.by_vector(LOCAL_OWNER, [1.0, 0.0], 2)] == ["m0", "m1"]
        assert session.items.get(LOCAL_OWNER, "m3").embedding == [1.0, 0.75]
    assert store.check() == []


def test_a_statement_that_takes_too_long(url, opened):
    store = opened(url, statement_timeout=0.2)
    with pytest.raises(SlowStatementError), store.write(LOCAL_OWNER) as session:
        session.items.add(an_item("m1"), a_course())
        session.items._pg.db.execute("SELECT pg_sleep(5)")
    with store.read() as session:
        assert session.items.get(LOCAL_OWNER, "m1") is None


def test_an_owner_that_another_server_holds(url, opened):
    first, second = opened(url), opened(url, busy_timeout=0.3)
    with first.write(LOCAL_OWNER) as session:
        session.items.add(an_item("m1"), a_course())
        with pytest.raises(BusyError):
            add(second, "m2")
    add(second, "m2")


def test_all_connections_of_the_pool_are_in_use(url, opened):
    store = opened(url, pool_size=1, busy_timeout=0.3)
    with store.read(), pytest.raises(BusyError), store.read():
        pass
    with store.read() as session:
        assert session.orbits.count() == 0


def test_a_read_only_server_is_read_and_not_written(url, opened):
    with opened(url).write(LOCAL_OWNER) as session:
        session.items.add(an_item("m1"), a_course())
        session.ledger.record(Event(EventType.STORED, LOCAL_OWNER, NOON, "m1"))
    store = opened(f"{url}%20-cdefault_transaction_read_only%3Don")
    with store.read() as session:
        assert session.items.get(LOCAL_OWNER, "m1") is not None
    with pytest.raises(StandbyError):
        add(store, "m2")
    with store.read() as session:
        assert session.items.get(LOCAL_OWNER, "m2") is None


def test_a_database_of_an_older_release_is_migrated_and_still_serves_it(url, opened, monkeypatch):
    """Migrations only add: a server of the older release, open meanwhile, goes on."""
    with monkeypatch.context() as older:
        older.setattr(opening, "MIGRATIONS", opening.MIGRATIONS[:-1])
        older.setattr(opening, "SCHEMA_VERSION", len(opening.MIGRATIONS))
        old = opened(url)
        add(old, "m1")
    new = opened(url)
    add(new, "m2")
    add(old, "m3")
    with new.read() as session:
        assert [item.id for _, item in session.items.page(LOCAL_OWNER, -1, 9)] == ["m1", "m2", "m3"]
    with psycopg.connect(url) as connection:
        (version,) = connection.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchone()
    assert int(version) == opening.SCHEMA_VERSION


@pytest.mark.slow
def test_a_wrong_password(opened):
    """On a server that asks for one."""
    server = Server()
    try:
        server.create()
        server.sql("ALTER ROLE celestial PASSWORD 'right'")
        url = server.url()
        rules = server.data / "pg_hba.conf"
        rules.write_text(f"local all celestial scram-sha-256\n{rules.read_text()}")
        server.sql("SELECT pg_reload_conf()")
        for given in ("&password=wrong-secret", ""):
            with pytest.raises(ServerAccessError) as found:
                opened(url + given)
            for language, advice in (
                ("en", "Check user, password and database"),
                ("ko", "비밀번호, 데이터베이스를 확인"),
            ):
                assert "wrong-secret" not in found.value.message(language)
                assert advice in found.value.message(language)
        add(opened(f"{url}&password=right"), "m1")
    finally:
        server.remove()


@pytest.mark.slow
def test_a_full_disk(opened):
    """The tables are on a file system of a few megabytes: nothing is half written, and it goes on once there is room."""
    server = Server()
    small = server.folder / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=9m,mode=777", "tmpfs", small], check=False).returncode:
        server.remove()
        pytest.skip("needs the right to mount a file system")
    try:
        owner = server.folder.stat()
        os.chown(small, owner.st_uid, owner.st_gid)
        server.create()
        server.sql(f"CREATE TABLESPACE small LOCATION '{small}'")
        server.sql("GRANT CREATE ON TABLESPACE small TO celestial")
        store = opened(f"{server.url()}%20-cdefault_tablespace%3Dsmall")
        done = 0
        with pytest.raises(DiskFullError) as found:
            while done < 1_000:
                with store.write(LOCAL_OWNER) as session:
                    session.items.add(an_item(f"m{done}", random.Random(done).randbytes(20_000).hex()), a_course())
                done += 1
        assert found.value.code == "disk_full"
        with store.read() as session:
            assert session.orbits.count() == done
            assert session.items.get(LOCAL_OWNER, f"m{done}") is None
        subprocess.run(["mount", "-o", "remount,size=64m", small], check=True)
        add(store, f"m{done}")
        assert store.check() == []
    finally:
        server.stop(signal.SIGQUIT)
        subprocess.run(["umount", small], check=True)
        server.remove()


@pytest.mark.slow
def test_too_many_connections():
    server = Server(max_connections="8", superuser_reserved_connections="3", reserved_connections="0")
    from celestial_engine.storage.postgres import PostgresStore

    try:
        server.create()
        url = server.url()
        held: list[psycopg.Connection] = []
        for _ in range(10_000):
            with suppress(psycopg.OperationalError):  # the server is still ending what created the database
                held.append(psycopg.connect(url))
            if len(held) == 5:
                break
        with pytest.raises(ServerFullError):
            PostgresStore(url)
        for connection in held:
            connection.close()
        PostgresStore(url).close()
    finally:
        server.remove()


@pytest.mark.slow
def test_a_server_that_is_gone_and_comes_back():
    """Every error says that the server is gone, and the next request after its return works without a restart."""
    from celestial_engine.storage.postgres import PostgresStore

    server = Server(fsync="on", synchronous_commit="on")
    try:
        server.create()
        store = PostgresStore(server.url(), busy_timeout=5)
        add(store, "before")
        with pytest.raises(StorageError), store.write(LOCAL_OWNER) as session:
            session.items.add(an_item("half"), a_course())
            server.stop(signal.SIGQUIT)
            session.items.get(LOCAL_OWNER, "half")
        for _ in range(2):
            with pytest.raises(ServerUnreachableError), store.read():
                pass
        server.start()
        add(store, "after")
        with store.read() as session:
            assert [item.id for _, item in session.items.page(LOCAL_OWNER, -1, 9)] == ["before", "after"]
        assert store.check() == []
        store.close()
    finally:
        server.remove()


@pytest.mark.slow
def test_a_standby_is_read_and_not_written():
    """A standby answers searches; writing says that it is one. Promoted, it has what it received and can be written."""
    from celestial_engine.storage.postgres import PostgresStore

    primary, standby = Server(wal_level="replica"), Server()
    try:
        primary.create()
        url = primary.url()
        store = PostgresStore(url)
        add(store, "m1")
        CelestialMemory(url, rebalance_interval=None).close()  # adopts a law, which a standby cannot
        primary.run("pg_basebackup", "-h", str(primary.sockets), "-U", "postgres", "-D", str(standby.data), "-R",
                    "-X", "stream", "--no-sync")  # fmt: skip
        standby.start()
        copy = PostgresStore(url.replace(str(primary.sockets), str(standby.sockets)))
        with copy.read() as session:
            assert session.search.by_words(LOCAL_OWNER, "커피", 5).matches
        with pytest.raises(StandbyError):
            add(copy, "m2")
        memory = CelestialMemory(item_store=copy, rebalance_interval=None)
        assert memory.recall("커피"), "a search that cannot be noted is still answered"
        store.close()
        primary.stop(signal.SIGQUIT)
        standby.run("pg_ctl", "promote", "-D", str(standby.data), "-w")
        add(copy, "m2")
        with copy.read() as session:
            assert [item.id for _, item in session.items.page(LOCAL_OWNER, -1, 9)] == ["m1", "m2"]
        memory.close()
    finally:
        primary.remove()
        standby.remove()


def test_a_silent_network_is_noticed_unless_the_address_says_otherwise(url):
    """Parameters of TCP, which a Unix socket ignores."""
    from celestial_engine.storage.postgres.connections import Connections

    with Connections(url).connect() as connection:
        assert connection.info.get_parameters()["tcp_user_timeout"] == "30000"
    with Connections(f"{url}&tcp_user_timeout=5000").connect() as connection:
        found = connection.info.get_parameters()
    assert (found["tcp_user_timeout"], found["keepalives_idle"]) == ("5000", "30")
