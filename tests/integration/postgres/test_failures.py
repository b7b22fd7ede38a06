"""A primary that is killed, and a network that is cut: acknowledged writes are there, and servers recover."""

from __future__ import annotations

import signal
import threading
import time

import pytest
from tests.postgres_server import Server
from tests.tcp_proxy import proxied

from celestial_engine import CelestialMemory
from celestial_engine.errors import StorageError

pytestmark = pytest.mark.slow
OPTIONS = {"rebalance_interval": None, "embedder": "none"}


class Writer(threading.Thread):
    """Stores until it is told to end; notes what was acknowledged and what failed."""

    def __init__(self, memory: CelestialMemory, name: str) -> None:
        super().__init__(name=name)
        self._memory, self._ended = memory, threading.Event()
        self.acknowledged: list[str] = []
        self.failures: list[StorageError] = []

    def run(self) -> None:
        while not self._ended.is_set():
            try:
                self.acknowledged.append(self._memory.store(f"{self.name} {len(self.acknowledged)}").id)
            except StorageError as error:  # noqa: PERF203 - what the test is about
                self.failures.append(error)
                time.sleep(0.02)

    def wait_for(self, count: int) -> None:
        for _ in range(1_000):
            if len(self.acknowledged) >= count:
                return
            time.sleep(0.05)
        raise AssertionError(f"{len(self.acknowledged)} of {count} written; {self.failures[-1:]}")

    def end(self) -> None:
        self._ended.set()
        self.join()


def test_a_promoted_synchronous_standby_has_every_acknowledged_write():
    """The primary is killed while two clients write; their next requests find the standby by themselves."""
    primary, standby = Server(synchronous_commit="on"), Server(synchronous_commit="on")
    try:
        primary.create()
        url = primary.url()
        CelestialMemory(url, **OPTIONS).close()
        primary.run("pg_basebackup", "-h", str(primary.sockets), "-U", "postgres", "-D", str(standby.data), "-R",
                    "-X", "stream", "--no-sync")  # fmt: skip
        standby.start()
        primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.sql("SELECT pg_reload_conf()")
        hosts = f"{primary.sockets},{standby.sockets}"
        both = url.replace(f"host={primary.sockets}", f"host={hosts}") + "&target_session_attrs=read-write"
        with (
            CelestialMemory(both, user_id="a", **OPTIONS) as one,
            CelestialMemory(both, user_id="b", **OPTIONS) as two,
        ):
            writers = [Writer(memory, name) for memory, name in ((one, "a"), (two, "b"))]
            for writer in writers:
                writer.start()
            for writer in writers:
                writer.wait_for(20)
            primary.stop(signal.SIGKILL)
            kept = [len(writer.acknowledged) for writer in writers]
            standby.run("pg_ctl", "promote", "-D", str(standby.data), "-w")
            for writer, count in zip(writers, kept, strict=True):
                writer.wait_for(count + 5)
            for writer in writers:
                writer.end()
            for memory, writer in ((one, writers[0]), (two, writers[1])):
                assert all(memory.get(item_id) for item_id in writer.acknowledged)
                assert memory.ledger.verify().ok
                assert {type(failure).code for failure in writer.failures} <= {"server_unreachable", "standby"}
            assert one.maintenance.check() == []
    finally:
        primary.remove()
        standby.remove()


def test_a_cut_network_is_told_and_recovered_from(postgres: Server):
    """Clear errors at once while it is cut; afterwards the same process goes on, and nothing is half written."""
    with proxied(f"{postgres.sockets}/.s.PGSQL.5432") as proxy:
        url = postgres.url().replace(f"host={postgres.sockets}", f"host=127.0.0.1&port={proxy.port}")
        with CelestialMemory(url, **OPTIONS) as memory:
            writer = Writer(memory, "writer")
            writer.start()
            writer.wait_for(10)
            for _ in range(2):
                before = len(writer.failures)
                proxy.cut()
                began = time.monotonic()
                while len(writer.failures) < before + 3:
                    assert time.monotonic() - began < 30
                    time.sleep(0.02)
                with pytest.raises(StorageError) as caught:
                    memory.search("writer")
                assert caught.value.code == "server_unreachable"
                assert "connects again by itself" in caught.value.message("en")
                proxy.mend()
                writer.wait_for(len(writer.acknowledged) + 5)
            writer.end()
            assert {failure.code for failure in writer.failures} == {"server_unreachable"}
            there = {record["id"] for record in memory.transfer.export()}
            assert there >= set(writer.acknowledged)
            assert memory.ledger.verify().ok
            assert memory.maintenance.check() == []


def test_a_dump_is_restored_with_everything(postgres: Server):
    """By a superuser: row-level security hides rows from the role of the servers, and pg_dump then refuses."""
    url = postgres.url()
    schema = url.rpartition("search_path%3D")[2].partition("%2C")[0]
    dump, tools = str(postgres.folder / f"{schema}.dump"), ("-h", str(postgres.sockets))
    with CelestialMemory(url, **OPTIONS) as memory:
        memory.store_many([f"기억 {n} about tea" for n in range(20)])
        memory.recall("tea")
        before, head = [record["id"] for record in memory.transfer.export()], memory.ledger.head()
    with pytest.raises(RuntimeError, match="row-level security"):
        postgres.run("pg_dump", *tools, "-U", "celestial", "-n", schema, "-f", dump, "postgres")
    postgres.run("pg_dump", *tools, "-U", "postgres", "-Fc", "-n", schema, "-f", dump, "postgres")
    postgres.sql(f"DROP SCHEMA {schema} CASCADE")
    postgres.run("pg_restore", *tools, "-U", "postgres", "-d", "postgres", dump)
    with CelestialMemory(url, **OPTIONS) as memory:
        assert [record["id"] for record in memory.transfer.export()] == before
        assert memory.ledger.head() == head
        memory.store("written after the restore")
        assert memory.ledger.verify().ok
        assert memory.maintenance.check() == []
