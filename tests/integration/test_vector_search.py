"""The vector search of the SQLite store: what is found, and that nobody searches what is no longer so."""

from __future__ import annotations

import math
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
from array import array
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from celestial_engine.core.forgetting import Protection, State
from celestial_engine.core.item import CelestialItem
from celestial_engine.core.owner import Owner
from celestial_engine.storage.sqlite import SqliteStore, scans, vectors
from celestial_engine.storage.sqlite.codes import CodeCache
from celestial_engine.storage.sqlite.schema import APPLICATION_ID, MIGRATIONS, OWNER_SHIFT, SCHEMA_VERSION
from celestial_engine.storage.sqlite.signs import code_of, norm_of
from celestial_engine.testing.promises import SOMEBODY, a_course, an_item

SOMEBODY_ELSE = Owner("somebody", "else")
DIMENSION = 48
MANY = 1_200  # more than are all compared exactly, and enough for a centre
WAYS = ["standard library", *(name for name in ("numpy", "faiss") if find_spec(name))]


def crowd(count: int = MANY, seed: int = 1) -> list[list[float]]:
    """Like those of a language model: all lean to one side; groups of ten are near each other."""
    chance = random.Random(seed)

    def direction() -> list[float]:
        drawn = [chance.gauss(0, 1) for _ in range(DIMENSION)]
        return [value / math.hypot(*drawn) for value in drawn]

    common = direction()
    leaders = [direction() for _ in range(-(-count // 10))]
    found = []
    for number in range(count):
        mixed = zip(common, leaders[number // 10], direction(), strict=True)
        vector = [0.88 * shared + 0.4 * group + 0.25 * own for shared, group, own in mixed]
        found.append(array("f", [value / math.hypot(*vector) for value in vector]).tolist())
    return found


CROWD = crowd()
LONELY = [-value for value in CROWD[0]]  # far from everybody


def a_memory(name: str, vector: list[float], owner: Owner = SOMEBODY) -> CelestialItem:
    return replace(an_item(name, f"text of {name}", owner=owner), embedding=vector)


def fill(store: SqliteStore, vectors: list[list[float]] = CROWD, owner: Owner = SOMEBODY) -> None:
    with store.write() as session:
        for number, vector in enumerate(vectors):
            session.add(a_memory(f"m{number}", vector, owner), a_course())


def add(store: SqliteStore, name: str, vector: list[float], owner: Owner = SOMEBODY) -> None:
    with store.write() as session:
        session.add(a_memory(name, vector, owner), a_course())


def found(store: SqliteStore, vector: list[float], limit: int = 10, owner: Owner = SOMEBODY) -> list[str]:
    with store.read() as session:
        return [match.item_id for match in session.by_vector(owner, vector, limit)]


def exact(vector: list[float], limit: int = 10) -> list[str]:
    ranked = sorted(
        range(len(CROWD)), key=lambda number: -sum(a * b for a, b in zip(CROWD[number], vector, strict=True))
    )
    return [f"m{number}" for number in ranked[:limit]]


@contextmanager
def raw(path: str) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path)) as db, db:
        yield db


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("filled") / "m.db"
    with closing(SqliteStore(str(made))) as store:
        fill(store)
        store.checkpoint()
    return made


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "m.db")


@pytest.fixture
def store(filled: Path, path: str) -> Iterator[SqliteStore]:
    shutil.copy(filled, path)
    opened = SqliteStore(path)
    yield opened
    opened.close()


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "standard library":
        monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.setattr(scans, "FAISS_FROM", 0 if request.param == "faiss" else sys.maxsize)
    return str(request.param)


class TestWhatIsFound:
    def test_as_if_all_were_compared(self, way, store):
        """Each way to scan gives the very answers of comparing everything, here where neighbours are clear."""
        for number in range(0, MANY, 150):
            assert found(store, CROWD[number]) == exact(CROWD[number])

    def test_scores_are_cosines(self, way, store):
        with store.read() as session:
            matches = session.by_vector(SOMEBODY, [3 * value for value in CROWD[7]], 3)
            again = session.compared(SOMEBODY, [match.item_id for match in matches] + ["nobody"], CROWD[7])
        assert matches[0].item_id == "m7"
        assert matches[0].score == pytest.approx(1.0, abs=1e-6)
        assert {match.item_id: pytest.approx(match.score, abs=1e-6) for match in again} == {
            match.item_id: match.score for match in matches
        }

    def test_many_are_compared_at_once(self, way, store):
        with store.read() as session:
            judged = session.compared(SOMEBODY, [f"m{number}" for number in range(MANY)], CROWD[0])
        assert len(judged) == MANY

    def test_an_owner_with_few_memories_is_compared_in_full(self, way, store):
        add(store, "only", LONELY, SOMEBODY_ELSE)
        assert found(store, LONELY, owner=SOMEBODY_ELSE) == ["only"]

    def test_owners_never_see_each_other(self, way, store):
        fill(store, crowd(700, seed=2), SOMEBODY_ELSE)
        add(store, "theirs", CROWD[3], SOMEBODY_ELSE)
        for _ in range(2):
            assert found(store, CROWD[3], owner=SOMEBODY_ELSE)[0] == "theirs"
            assert found(store, CROWD[3])[0] == "m3"
            assert "theirs" not in found(store, CROWD[3], 500)

    def test_what_is_asked_with_another_length_finds_nothing(self, way, store):
        assert found(store, [1.0, 0.5]) == []


class TestCentre:
    def test_signs_are_taken_from_the_centre(self, store, path):
        """Bare signs of vectors that lean to one side are nearly the same for all; from the centre they differ."""
        with raw(path) as db:
            ((direction,),) = db.execute("SELECT direction FROM centre").fetchall()
            codes = [bits for (bits,) in db.execute("SELECT bits FROM signs")]
        assert codes == [code_of(vector, norm_of(vector), array("f", direction)) for vector in CROWD]
        ones = [sum(int.from_bytes(code, "big") >> bit & 1 for code in codes) for bit in range(DIMENSION)]
        assert all(0.25 * MANY < count < 0.75 * MANY for count in ones)

    def test_it_stays_when_the_store_is_opened_again(self, store, path):
        with raw(path) as db:
            before = db.execute("SELECT * FROM centre").fetchall()
        store.close()
        with closing(SqliteStore(path)) as again:
            add(again, "late", LONELY)
            assert found(again, CROWD[11]) == exact(CROWD[11])
        with raw(path) as db:
            assert db.execute("SELECT * FROM centre").fetchall() == before
            (bits,) = db.execute("SELECT bits FROM signs ORDER BY seq DESC LIMIT 1").fetchone()
        assert bits == code_of(array("f", LONELY), 1.0, array("f", before[0][1]))

    def test_a_better_one_is_made_once_there_are_more(self, path, monkeypatch):
        monkeypatch.setattr(vectors, "CENTRES_AT", (100, 800))
        with closing(SqliteStore(path)) as small:
            made_of = set()
            for start in range(0, MANY, 100):
                with small.write() as session:
                    for number in range(start, start + 100):
                        session.add(a_memory(f"m{number}", CROWD[number]), a_course())
                with raw(path) as db:
                    made_of |= set(db.execute("SELECT made_of FROM centre").fetchall())
                found(small, CROWD[0])
            assert found(small, CROWD[5]) == exact(CROWD[5])
        assert len(made_of) == 2

    def test_another_embedder_begins_without(self, store, path):
        assert found(store, CROWD[0])
        with store.write() as session:
            session.adopt_embedder("another")
        assert found(store, CROWD[0]) == []
        with raw(path) as db:
            assert db.execute("SELECT count(*) FROM centre").fetchone() == (0,)
        with store.write() as session:
            waiting = session.without_vector(-1, len(CROWD))
            session.set_vectors(
                [(key, text, [*vector, 0.1]) for (key, text), vector in zip(waiting, CROWD, strict=True)]
            )
        with raw(path) as db:
            assert db.execute("SELECT length(direction) / 4 FROM centre").fetchone() == (DIMENSION + 1,)
        assert found(store, [*CROWD[9], 0.1]) == exact(CROWD[9])

    def test_repair_makes_codes_anew(self, store, path):
        with raw(path) as db:
            db.execute("UPDATE signs SET bits = zeroblob(length(bits))")
        store.repair()
        assert found(store, CROWD[20]) == exact(CROWD[20])


class TestOlderDatabases:
    def test_of_the_first_version(self, store, path, tmp_path):
        """Its bare signs are made anew when it is opened; nothing is lost."""
        store.checkpoint()
        old = str(tmp_path / "old.db")
        with raw(old) as db:
            for statement in MIGRATIONS[0]:
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute("PRAGMA user_version = 1")
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("ATTACH ? AS new", (path,))
            for table in ("owners", "items", "texts"):
                db.execute(f"DELETE FROM {table}")
                columns = ", ".join(row[1] for row in db.execute(f"PRAGMA main.table_info({table})"))
                db.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM new.{table}")
            db.execute("UPDATE owners SET orbiting = (SELECT orbiting FROM new.owners)")
            db.execute("INSERT INTO vectors SELECT seq, embedding FROM new.vectors")
            bare = [(seq, code_of(array("f", blob), 1.0, None)) for seq, blob in db.execute("SELECT * FROM vectors")]
            db.executemany("INSERT INTO signs VALUES (?, ?)", bare)
            db.commit()
        with closing(SqliteStore(old)) as upgraded:
            assert upgraded.check() == []
            assert found(upgraded, CROWD[30]) == exact(CROWD[30])
            add(upgraded, "new", LONELY)
            assert found(upgraded, LONELY) == ["new"]
        with raw(old) as db, raw(path) as new:
            assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
            codes = db.execute("SELECT bits FROM signs LIMIT ?", (MANY,)).fetchall()
            assert codes != [(bits,) for _, bits in bare]
            assert len(codes) == new.execute("SELECT count(*) FROM signs").fetchone()[0]


class TestChanges:
    def test_what_is_forgotten_is_not_found_and_what_is_restored_is(self, way, store):
        with store.read() as session:
            item = session.get(SOMEBODY, "m40")
        for _ in range(2):
            assert found(store, CROWD[40])[0] == "m40"
            with store.write() as session:
                session.rewrite(replace(item, state=State.CLIFF), a_course())
            assert "m40" not in found(store, CROWD[40])
            with store.write() as session:
                session.rewrite(item, a_course())
        assert found(store, CROWD[40])[0] == "m40"
        with store.write() as session:
            session.purge(SOMEBODY, "m40")
        assert "m40" not in found(store, CROWD[40])

    def test_a_new_vector_takes_the_place_of_the_old(self, way, store):
        assert found(store, CROWD[50])[0] == "m50"
        with store.read() as session:
            item = session.get(SOMEBODY, "m50")
        with store.write() as session:
            session.rewrite(replace(item, embedding=LONELY), a_course())
        assert found(store, LONELY) == ["m50"]
        assert "m50" not in found(store, CROWD[50])
        with store.write() as session:
            session.rewrite(replace(item, embedding=None), a_course())
        assert found(store, LONELY) == []

    def test_what_has_the_same_vector_is_not_written_again(self, store, path):
        with store.read() as session:
            item = session.get(SOMEBODY, "m1")
        with raw(path) as db:
            before = db.execute("SELECT max(number) FROM sign_changes").fetchone()
        with store.write() as session:
            session.rewrite(replace(item, protection=Protection.PINNED, arbitrary_importance=0.9), a_course())
        with raw(path) as db:
            assert db.execute("SELECT max(number) FROM sign_changes").fetchone() == before

    def test_what_was_rolled_back_leaves_no_trace(self, way, store):
        assert found(store, LONELY) == []
        with pytest.raises(ZeroDivisionError), store.write() as session:
            session.add(a_memory("never", LONELY), a_course())
            session.purge(SOMEBODY, "m60")
            assert [match.item_id for match in session.by_vector(SOMEBODY, LONELY, 5)] == ["never"]
            assert "m60" not in [match.item_id for match in session.by_vector(SOMEBODY, CROWD[60], 5)]
            raise ZeroDivisionError
        assert found(store, LONELY) == []
        assert found(store, CROWD[60])[0] == "m60"
        add(store, "really", LONELY)
        assert found(store, LONELY) == ["really"]

    def test_a_reader_never_finds_what_came_after_it_began(self, store):
        """Though another thread has followed the change already."""
        with store.read() as session:
            item = session.get(SOMEBODY, "m70")
        with store.write() as writer:
            writer.rewrite(replace(item, state=State.CLIFF), a_course())
        with store.read() as early:
            assert early.by_vector(SOMEBODY, CROWD[70], 1)[0].item_id != "m70"
            with store.write() as writer:
                writer.rewrite(item, a_course())
                writer.add(a_memory("later", LONELY), a_course())
            assert found(store, CROWD[70])[0] == "m70"
            assert found(store, LONELY) == ["later"]
            assert early.by_vector(SOMEBODY, CROWD[70], 1)[0].item_id != "m70"
            assert early.by_vector(SOMEBODY, LONELY, 5) == []


class TestOthersOnTheSameFile:
    def test_two_stores_see_each_other(self, way, store, path):
        with closing(SqliteStore(path)) as other:
            assert found(store, LONELY) == found(other, LONELY) == []
            add(other, "from other", LONELY)
            assert found(store, LONELY) == ["from other"]
            with store.write() as session:
                session.purge(SOMEBODY, "from other")
            assert found(other, LONELY) == []
            with store.write() as session:
                session.adopt_embedder("another")
            assert found(other, CROWD[0]) == []

    def test_one_that_is_far_behind_loads_anew(self, way, store, path):
        assert found(store, LONELY) == []
        with closing(SqliteStore(path)) as other:
            add(other, "missed", LONELY)
        with raw(path) as db:
            db.execute("INSERT INTO sign_changes (seq, mark) VALUES (0, random())")
            db.execute("DELETE FROM sign_changes WHERE number < (SELECT max(number) FROM sign_changes)")
        assert found(store, LONELY) == ["missed"]

    def test_the_list_of_changes_stays_short(self, store, path):
        with raw(path) as db:
            for _ in range(8):
                db.execute("UPDATE signs SET bits = bits")
            (kept,) = db.execute("SELECT count(*) FROM sign_changes").fetchone()
        assert 8_192 <= kept < 8_192 + 64
        assert found(store, CROWD[80])[0] == "m80"

    def test_a_database_put_back_to_an_older_state(self, way, store, path, tmp_path):
        """The numbers of changes come again, and mean something else."""
        copy = str(tmp_path / "copy.db")
        with raw(path) as live, raw(copy) as kept:
            live.backup(kept)
        add(store, "undone", LONELY)
        assert found(store, LONELY) == ["undone"]
        with raw(path) as live, raw(copy) as kept:
            kept.backup(live)
        assert found(store, LONELY) == []
        add(store, "instead", LONELY)
        assert found(store, LONELY) == ["instead"]

    def test_another_process(self, store, path):
        """What it stores, forgets and embeds anew is seen by the next search here, and the reverse."""
        with another_process(path) as tell:
            assert found(store, LONELY) == []
            assert tell("find") == "[]"
            tell("add from-there")
            assert found(store, LONELY) == ["from-there"]
            add(store, "from-here", LONELY)
            assert tell("find") == "['from-there', 'from-here']"
            tell("purge from-here")
            assert found(store, LONELY) == ["from-there"]
            tell("adopt another")
            assert found(store, LONELY) == found(store, CROWD[0]) == []

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
    def test_a_forked_child_searches_on_its_own(self, store, path):
        done = subprocess.run([sys.executable, "-c", FORKED, path], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        assert done.stdout.split() == ["child:late", "parent:late"]


def test_many_threads_search_while_one_writes(way, store):
    """Each search finds what was there from the beginning, and at the end all see the end."""
    stop, failures = threading.Event(), []

    def search(number: int) -> None:
        try:
            while not stop.is_set():
                assert found(store, CROWD[number], 3)[0] == f"m{number}"
        except BaseException as error:  # noqa: BLE001 - told to the test's own thread
            failures.append(error)

    threads = [threading.Thread(target=search, args=(number,)) for number in (100, 200, 300, 400)]
    for thread in threads:
        thread.start()
    try:
        for number in range(24):
            add(store, f"new{number}", LONELY)
            if number % 3 == 0:
                with store.write() as session:
                    session.purge(SOMEBODY, f"new{number}")
            assert (f"new{number}" in found(store, LONELY, 100)) == (number % 3 != 0)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert failures == []
    assert len(found(store, LONELY, 100)) == 16


def test_memory_is_bounded(store, path):
    """Only the codes of the owners used last are kept."""
    fill(store, crowd(700, seed=2), SOMEBODY_ELSE)
    low, high = 1 << OWNER_SHIFT, (2 << OWNER_SHIFT) - 1
    with raw(path) as db:
        roomy, narrow = CodeCache(), CodeCache(max_bytes=1)
        for cache, kept in ((roomy, 2), (narrow, 1)):
            first = cache.nearest(db, low, high, CROWD[0], 10)
            cache.nearest(db, low + (1 << OWNER_SHIFT), high + (1 << OWNER_SHIFT), CROWD[0], 10)
            assert len(cache) == kept
            assert cache.nearest(db, low, high, CROWD[0], 10) == first
        roomy.clear()
        assert len(roomy) == 0


def test_numpy_is_not_loaded_by_those_who_do_not_search(store, path):
    """It takes longer than most commands."""
    store.close()
    script = (
        "import sys; from celestial_engine.surfaces.cli import main; code = main(['--db', sys.argv[1], 'stats']); "
        "assert not code and 'numpy' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


COMMON = f"""
import os, sys
from dataclasses import replace
from celestial_engine.storage.sqlite import SqliteStore
from celestial_engine.testing.promises import SOMEBODY, a_course, an_item
lonely = {LONELY!r}
store = SqliteStore(sys.argv[1])

def add(name):
    with store.write() as session:
        session.add(replace(an_item(name), embedding=lonely), a_course())

def find():
    with store.read() as session:
        return [match.item_id for match in session.by_vector(SOMEBODY, lonely, 10)]
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
        with store.write() as session:
            session.purge(SOMEBODY, name)
    else:
        with store.write() as session:
            session.adopt_embedder(name)
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
