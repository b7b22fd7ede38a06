"""Several processes on one database: tables are created once, chains stay whole, leases go by the server's clock."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.owner import LOCAL_OWNER, Owner
from celestial_engine.errors import StorageError
from celestial_engine.testing.conformance.base import NOON, a_course, an_item


def test_the_tables_are_created_once(url, opened):
    with ThreadPoolExecutor(6) as threads:
        stores = list(threads.map(lambda _: opened(url), range(6)))
    for number, store in enumerate(stores):
        with store.write(LOCAL_OWNER) as session:
            session.items.add(an_item(f"m{number}"), a_course())
    with stores[0].read() as session:
        assert session.orbits.count() == 6


def test_writers_of_one_owner_take_turns(url, opened):
    """Nothing is lost, numbers have no gaps, and readers see positions in order."""
    stores, owners = [opened(url) for _ in range(3)], [Owner(f"u{number}", "a") for number in range(3)]
    seen: list[int] = []

    def write(number):
        owner = owners[number % 3]
        with stores[number % 2].write(owner) as session:
            session.items.add(an_item(f"m{number}", owner=owner), a_course())
            session.ledger.record(Event(EventType.STORED, owner, NOON, f"m{number}"))

    def follow(_):
        after = seen[-1] if seen else 0
        with stores[2].read() as session:
            seen.extend(one.position for one in session.ledger.written(after, 100))

    with ThreadPoolExecutor(6) as threads, ThreadPoolExecutor(1) as follower:
        writes = [threads.submit(write, number) for number in range(60)]
        for _ in range(30):
            follower.submit(follow, 0)
        for done in writes:
            done.result()
    follow(0)
    assert seen == sorted(set(seen))
    assert len(seen) == 60, "a reader that follows the positions misses no entry"
    with stores[2].read() as session:
        for owner in owners:
            assert [entry.number for entry in session.ledger.entries(owner, 0, 99)] == list(range(1, 21))
            assert len(session.items.page(owner, -1, 99)) == 20
    assert stores[0].check() == []


def test_servers_need_no_notification(url):
    """No message between servers can be lost, because there is none: each reads what counts at every request."""
    options = {"rebalance_interval": None, "embedder": "none"}
    with CelestialMemory(url, **options) as one, CelestialMemory(url, **options) as other:
        assert other.recall("green tea") == []
        item = one.store("I drink green tea in the evening")
        assert [found.id for found in other.recall("green tea")] == [item.id]
        one.update(item.id, content="I drink black coffee in the evening")
        assert other.get(item.id).content == "I drink black coffee in the evening"
        token, grant = one.access.grant("other")
        assert other.access.check(token).id == grant.id
        one.access.revoke(grant.id)
        assert other.access.check(token) is None
        one.forget(item.id)
        assert other.recall("black coffee") == []


def test_the_ledger_verifies(url):
    with CelestialMemory(url, rebalance_interval=None) as memory:
        for number in range(5):
            memory.store(f"memory number {number}")
        memory.recall("memory")
        assert memory.ledger.verify().ok


def test_leases_go_by_the_servers_clock(url, opened):
    """A caller whose clock is wrong by hours neither takes a lease over nor runs a job too early."""
    first, second = opened(url), opened(url)
    assert abs(first.jobs.now(0.0) - time.time()) < 60
    assert first.jobs.claim("job", "a", 0.0, every=300, lease=60)
    assert not second.jobs.claim("job", "b", time.time() + 7_200, every=300, lease=60)
    first.jobs.finish("job", "a", first.jobs.now(0.0))
    assert not second.jobs.claim("job", "b", time.time() + 7_200, every=300, lease=60)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_has_its_own_connections(url, opened):
    store = opened(url)
    with store.write(LOCAL_OWNER) as session:
        session.items.add(an_item("m1"), a_course())
    child = os.fork()
    if not child:
        try:
            with store.write(LOCAL_OWNER) as session:
                session.items.add(an_item("m2"), a_course())
            os._exit(0)
        except BaseException:  # noqa: BLE001 - whatever happens, the child ends here
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    with store.read() as session:
        assert session.orbits.count() == 2


def test_the_address_opens_the_same_store_and_sizes_are_the_servers(url, opened):
    """What is shown hides the password; another process needs all of the address."""
    store = opened(url)
    assert store.address == url
    assert store.path != url
    before = store.size_bytes()
    with store.write(LOCAL_OWNER) as session:
        for number in range(200):
            session.items.add(an_item(f"m{number}"), a_course())
    assert store.size_bytes() > before > 0


def test_backups_are_the_servers_own(url, tmp_path):
    with CelestialMemory(url, rebalance_interval=None) as memory:
        with pytest.raises(StorageError) as caught:
            memory.transfer.backup(tmp_path)
        assert "pg_dump" in str(caught.value)
    assert list(tmp_path.iterdir()) == []
