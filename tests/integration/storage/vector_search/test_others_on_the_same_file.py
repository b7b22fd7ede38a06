"""Several stores, processes and forks search one file, and see what the others did."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from celestial_engine.storage.sqlite import SqliteStore
from celestial_engine.testing.conformance.base import SOMEBODY
from celestial_engine.testing.conformance.crowd import CROWD, LONELY, add, search_ids

COMMON = f"""
import os, sys
from dataclasses import replace
from celestial_engine.storage.sqlite import SqliteStore
from celestial_engine.testing.conformance.base import SOMEBODY, a_course, an_item
lonely = {LONELY!r}
store = SqliteStore(sys.argv[1])

def add(name):
    with store.write(SOMEBODY) as session:
        session.items.add(replace(an_item(name), embedding=lonely), a_course())

def find():
    with store.read() as session:
        return [match.item_id for match in session.search.by_vector(SOMEBODY, lonely, 10)]
"""

FORKED = (
    COMMON
    + """
find()
child = os.fork()
if child == 0:
    add("late")
    print("child:" + find()[0], flush=True)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
print("parent:" + find()[0])
"""
)

OBEYING = (
    COMMON
    + """
for line in sys.stdin:
    verb, _, name = line.strip().partition(" ")
    if verb == "find":
        print(find(), flush=True)
        continue
    if verb == "add":
        add(name)
    elif verb == "purge":
        with store.write(SOMEBODY) as session:
            session.items.purge(SOMEBODY, name)
    else:
        with store.write_whole_store() as session:
            session.vectors.adopt_embedder(name)
    print("done", flush=True)
"""
)


@contextmanager
def another_process(path: str) -> Iterator:
    child = subprocess.Popen(
        [sys.executable, "-c", OBEYING, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )

    def tell(command: str) -> str:
        child.stdin.write(command + "\n")
        child.stdin.flush()
        return child.stdout.readline().strip()

    try:
        yield tell
    finally:
        child.communicate(timeout=60)
    assert child.returncode == 0


class TestOthersOnTheSameFile:
    def test_two_stores_see_each_other(self, way, store, path):
        with closing(SqliteStore(path)) as other:
            assert search_ids(store, LONELY) == search_ids(other, LONELY) == []
            add(other, "from other", LONELY)
            assert search_ids(store, LONELY) == ["from other"]
            with store.write(SOMEBODY) as session:
                session.items.purge(SOMEBODY, "from other")
            assert search_ids(other, LONELY) == []
            with store.write_whole_store() as session:
                session.vectors.adopt_embedder("another")
            assert search_ids(other, CROWD[0]) == []

    def test_one_that_is_far_behind_loads_anew(self, way, store, path, raw):
        assert search_ids(store, LONELY) == []
        with closing(SqliteStore(path)) as other:
            add(other, "missed", LONELY)
        with raw(path) as db:
            db.execute("INSERT INTO sign_changes (seq, mark) VALUES (0, random())")
            db.execute("DELETE FROM sign_changes WHERE number < (SELECT max(number) FROM sign_changes)")
        assert search_ids(store, LONELY) == ["missed"]

    def test_the_list_of_changes_stays_short(self, store, path, raw):
        with raw(path) as db:
            for _ in range(8):
                db.execute("UPDATE signs SET bits = bits")
            (kept,) = db.execute("SELECT count(*) FROM sign_changes").fetchone()
        assert 8_192 <= kept < 8_192 + 64
        assert search_ids(store, CROWD[80])[0] == "m80"

    def test_a_database_put_back_to_an_older_state(self, way, store, path, tmp_path, raw):
        """The numbers of changes come again, and mean something else."""
        copy = str(tmp_path / "copy.db")
        with raw(path) as live, raw(copy) as kept:
            live.backup(kept)
        add(store, "undone", LONELY)
        assert search_ids(store, LONELY) == ["undone"]
        with raw(path) as live, raw(copy) as kept:
            kept.backup(live)
        assert search_ids(store, LONELY) == []
        add(store, "instead", LONELY)
        assert search_ids(store, LONELY) == ["instead"]

    def test_another_process(self, store, path):
        """What it stores, forgets and embeds again is seen by the next search here, and the reverse."""
        with another_process(path) as tell:
            assert search_ids(store, LONELY) == []
            assert tell("find") == "[]"
            tell("add from-there")
            assert search_ids(store, LONELY) == ["from-there"]
            add(store, "from-here", LONELY)
            assert tell("find") == "['from-there', 'from-here']"
            tell("purge from-here")
            assert search_ids(store, LONELY) == ["from-there"]
            tell("adopt another")
            assert search_ids(store, LONELY) == search_ids(store, CROWD[0]) == []

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
    def test_a_forked_child_searches_on_its_own(self, store, path):
        done = subprocess.run([sys.executable, "-c", FORKED, path], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        assert done.stdout.split() == ["child:late", "parent:late"]
