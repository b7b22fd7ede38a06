"""Nobody searches what is no longer so: changes are seen at once, and by whom they should be."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.testing.conformance.base import SOMEBODY, a_course
from celestial_engine.testing.conformance.crowd import CROWD, LONELY, a_memory, add, search_ids


class TestChanges:
    def test_what_is_forgotten_is_not_found_and_what_is_restored_is(self, way, store):
        with store.read() as session:
            item = session.items.get(SOMEBODY, "m40")
        for _ in range(2):
            assert search_ids(store, CROWD[40])[0] == "m40"
            with store.write(SOMEBODY) as session:
                session.items.rewrite(replace(item, state=State.CLIFF), a_course())
            assert "m40" not in search_ids(store, CROWD[40])
            with store.write(SOMEBODY) as session:
                session.items.rewrite(item, a_course())
        assert search_ids(store, CROWD[40])[0] == "m40"
        with store.write(SOMEBODY) as session:
            session.items.purge(SOMEBODY, "m40")
        assert "m40" not in search_ids(store, CROWD[40])

    def test_a_new_vector_takes_the_place_of_the_old(self, way, store):
        assert search_ids(store, CROWD[50])[0] == "m50"
        with store.read() as session:
            item = session.items.get(SOMEBODY, "m50")
        with store.write(SOMEBODY) as session:
            session.items.rewrite(replace(item, embedding=LONELY), a_course())
        assert search_ids(store, LONELY) == ["m50"]
        assert "m50" not in search_ids(store, CROWD[50])
        with store.write(SOMEBODY) as session:
            session.items.rewrite(replace(item, embedding=None), a_course())
        assert search_ids(store, LONELY) == []

    def test_what_has_the_same_vector_is_not_written_again(self, store, path, raw):
        with store.read() as session:
            item = session.items.get(SOMEBODY, "m1")
        with raw(path) as db:
            before = db.execute("SELECT max(number) FROM sign_changes").fetchone()
        with store.write(SOMEBODY) as session:
            session.items.rewrite(replace(item, protection=Protection.PINNED, arbitrary_importance=0.9), a_course())
        with raw(path) as db:
            assert db.execute("SELECT max(number) FROM sign_changes").fetchone() == before

    def test_what_was_rolled_back_leaves_no_trace(self, way, store):
        assert search_ids(store, LONELY) == []
        with pytest.raises(ZeroDivisionError), store.write(SOMEBODY) as session:
            session.items.add(a_memory("never", LONELY), a_course())
            session.items.purge(SOMEBODY, "m60")
            assert [match.item_id for match in session.search.by_vector(SOMEBODY, LONELY, 5)] == ["never"]
            assert "m60" not in [match.item_id for match in session.search.by_vector(SOMEBODY, CROWD[60], 5)]
            raise ZeroDivisionError
        assert search_ids(store, LONELY) == []
        assert search_ids(store, CROWD[60])[0] == "m60"
        add(store, "really", LONELY)
        assert search_ids(store, LONELY) == ["really"]

    def test_a_reader_never_finds_what_came_after_it_began(self, store):
        """Though another thread has followed the change already."""
        with store.read() as session:
            item = session.items.get(SOMEBODY, "m70")
        with store.write(SOMEBODY) as writer:
            writer.items.rewrite(replace(item, state=State.CLIFF), a_course())
        with store.read() as early:
            assert early.search.by_vector(SOMEBODY, CROWD[70], 1)[0].item_id != "m70"
            with store.write(SOMEBODY) as writer:
                writer.items.rewrite(item, a_course())
                writer.items.add(a_memory("later", LONELY), a_course())
            assert search_ids(store, CROWD[70])[0] == "m70"
            assert search_ids(store, LONELY) == ["later"]
            assert early.search.by_vector(SOMEBODY, CROWD[70], 1)[0].item_id != "m70"
            assert early.search.by_vector(SOMEBODY, LONELY, 5) == []


def test_many_threads_search_while_one_writes(way, store):
    """Each search finds what was there from the beginning, and at the end all see the end."""
    stop, failures = threading.Event(), []

    def search(number: int) -> None:
        try:
            while not stop.is_set():
                assert search_ids(store, CROWD[number], 3)[0] == f"m{number}"
        except BaseException as error:  # noqa: BLE001 - told to the test's own thread
            failures.append(error)

    threads = [threading.Thread(target=search, args=(number,)) for number in (100, 200, 300, 400)]
    for thread in threads:
        thread.start()
    try:
        for number in range(24):
            add(store, f"new{number}", LONELY)
            if number % 3 == 0:
                with store.write(SOMEBODY) as session:
                    session.items.purge(SOMEBODY, f"new{number}")
            assert (f"new{number}" in search_ids(store, LONELY, 100)) == (number % 3 != 0)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert failures == []
    assert len(search_ids(store, LONELY, 100)) == 16
