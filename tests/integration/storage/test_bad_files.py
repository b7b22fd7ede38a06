"""Files that are not ours, damaged, locked, read-only or full: a clear error, and nothing lost."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys

import pytest

from celestial_engine import CelestialMemory, Settings, StorageSettings
from celestial_engine.core.retrieval.ranking import RecallSettings
from celestial_engine.errors import (
    BusyError,
    CorruptDatabaseError,
    DiskFullError,
    ForeignDatabaseError,
    NewerSchemaError,
    ReadOnlyError,
    Reason,
)


def _bytes(path):
    return {file.name: file.read_bytes() for file in path.parent.iterdir()}


def _another_database(path):
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE theirs (x)")
    other.commit()
    other.close()


def _newer_database(path):
    CelestialMemory(str(path), rebalance_interval=None).close()
    newer = sqlite3.connect(path)
    newer.execute("PRAGMA user_version = 99")
    newer.commit()
    newer.close()


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (_another_database, ForeignDatabaseError),
        (
            lambda path: path.write_bytes(b"not a database at all, but long enough to look at" * 40),
            ForeignDatabaseError,
        ),
        (lambda path: path.write_bytes(b"\x00" * 4096), ForeignDatabaseError),
        (lambda path: path.mkdir(), ForeignDatabaseError),
        (_newer_database, NewerSchemaError),
    ],
    ids=["another program's", "not SQLite", "zeros", "a folder", "newer"],
)
def test_files_that_are_not_ours_stay_as_they_are(tmp_path, make, error):
    path = tmp_path / "sub" / "m.db"
    path.parent.mkdir()
    make(path)
    before = {} if path.is_dir() else _bytes(path)
    with pytest.raises(error):
        CelestialMemory(str(path))
    assert path.is_dir() or _bytes(path) == before


def test_another_programs_log_is_not_tidied_up(tmp_path):
    """A database in WAL mode whose owner was killed: its log is the only place where its last changes are."""
    path = tmp_path / "theirs.db"
    script = (
        "import os, sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('PRAGMA journal_mode = WAL');"
        "db.execute('CREATE TABLE theirs (x)'); db.commit(); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], check=True, timeout=60)
    log = (tmp_path / "theirs.db-wal").read_bytes()
    main = path.read_bytes()
    assert log
    with pytest.raises(ForeignDatabaseError, match="another program"):
        CelestialMemory(str(path))
    assert (tmp_path / "theirs.db-wal").read_bytes() == log
    assert path.read_bytes() == main


def test_rows_that_nobody_wrote(tmp_path):
    """Values that SQLite finds sound and we do not: named by check, an error of its own when read."""
    path = str(tmp_path / "m.db")
    with CelestialMemory(path, rebalance_interval=None) as memory:
        item = memory.store("커피")
        db = sqlite3.connect(path)
        db.execute("UPDATE items SET tier = 'M77'")
        db.commit()
        db.close()
        with pytest.raises(CorruptDatabaseError, match="M77"):
            memory.get(item.id)
        assert "M77" in str(memory.maintenance.check()[0])


def test_a_broken_word_index_is_found_and_repaired(tmp_path):
    path = str(tmp_path / "m.db")
    with CelestialMemory(path, rebalance_interval=None, settings=Settings(recall=RecallSettings(graph=0))) as memory:
        memory.store("커피를 좋아한다")
        db = sqlite3.connect(path)
        db.execute("INSERT INTO words (words) VALUES ('delete-all')")
        db.commit()
        db.close()
        assert memory.recall("커피") == []
        assert memory.maintenance.check()[0].reason is Reason.INDEX_MISSES
        assert memory.maintenance.repair() == []
        assert len(memory.recall("커피")) == 1


def test_a_damaged_file_is_named(tmp_path):
    path = tmp_path / "m.db"
    with CelestialMemory(str(path), rebalance_interval=None) as memory:
        memory.store_many([f"memory number {n} about something" for n in range(2000)])
    data = bytearray(path.read_bytes())
    data[8192 : len(data) // 2] = os.urandom(len(data) // 2 - 8192)
    path.write_bytes(bytes(data))
    with (
        pytest.raises((CorruptDatabaseError, ForeignDatabaseError)),
        CelestialMemory(str(path), rebalance_interval=None) as memory,
    ):
        for n in range(2000):
            memory.recall(f"number {n}")


def test_a_folder_that_is_a_file(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(ReadOnlyError, match="CELESTIAL_DB"):
        CelestialMemory(str(tmp_path / "file" / "m.db"))


NOBODY = """
import os, sys
from celestial_engine import CelestialItem, CelestialMemory, ImportanceEvaluator, ZoneManager
from celestial_engine.errors import ReadOnlyError
with CelestialMemory(":memory:", rebalance_interval=None) as memory:
    # Parts are loaded when they are first used, and nobody may not be let in to the sources.
    memory.store("x"), memory.search("x"), memory.list(), memory.stats()
    memory.maintenance.check(), memory.ledger.verify()
import celestial_engine.storage.ledger_months
if os.getuid() == 0:
    os.setgid(65534), os.setuid(65534)   # root may write everywhere: become nobody
try:
    with CelestialMemory(sys.argv[1], rebalance_interval=None) as memory:
        print("found:", [hit.content for hit in memory.search("before")], len(memory.list()), memory.stats()["total"])
        print("checked:", memory.maintenance.check(), memory.ledger.verify().ok)
        memory.store("x")
except ReadOnlyError as error:
    print("read-only:", error)
"""


@pytest.mark.slow
@pytest.mark.parametrize("existing", [False, True])
def test_a_folder_that_cannot_be_written(tmp_path_factory, existing):
    folder = tmp_path_factory.mktemp("locked")
    path = folder / "m.db"
    if existing:
        with CelestialMemory(str(path), rebalance_interval=None) as memory:
            memory.store("before")
        path.chmod(0o444)
    for part in (folder, *folder.parents):
        if str(part) != "/":
            part.chmod(part.stat().st_mode | 0o555)
    folder.chmod(0o555)
    try:
        run = subprocess.run(
            [sys.executable, "-c", NOBODY, str(path)],
            capture_output=True, text=True, timeout=60, check=False, cwd="/",
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )  # fmt: skip
        assert "read-only:" in run.stdout, run.stderr
        if existing:  # a memory on a read-only mount can be searched
            assert "found: ['before'] 1 1\nchecked: [] True\n" in run.stdout
    finally:
        folder.chmod(0o755)


def test_a_full_disk_changes_nothing(tmp_path):
    """SQLite's own 'database or disk is full', by a limit on the file's size."""
    path = str(tmp_path / "m.db")
    with CelestialMemory(
        path, rebalance_interval=None, settings=Settings(storage=StorageSettings(max_bytes=1 << 20))
    ) as memory:
        first = memory.store("the first one")
        stored = 1
        with pytest.raises(DiskFullError, match="everything before it is safe"):
            for n in range(1000):
                memory.store(f"{n} " + "lorem ipsum dolor " * 500)
                stored += 1
        before = len(memory.ledger.history(limit=10_000))
        assert memory.stats()["total"] == stored == before
        assert memory.get(first.id).content == "the first one"
        assert memory.maintenance.check() == []
    with CelestialMemory(path, rebalance_interval=None) as memory:
        memory.store("there is room again")
        assert memory.stats()["total"] == stored + 1


def test_another_process_that_never_lets_go(tmp_path):
    path = str(tmp_path / "m.db")
    with CelestialMemory(
        path, rebalance_interval=None, settings=Settings(storage=StorageSettings(busy_timeout=0.05))
    ) as memory:
        memory.store("one")
        blocker = sqlite3.connect(path, isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")
        try:
            with pytest.raises(BusyError, match="locked by another process"):
                memory.store("two")
            assert [item.content for item in memory.list()] == ["one"], "reading goes on"
        finally:
            blocker.close()
        memory.store("two")
        assert memory.stats()["total"] == 2


def test_a_committed_store_never_looks_as_if_it_failed(tmp_path, monkeypatch, caplog):
    """What fails after the commit is only told in the log: a retry would store twice."""
    from celestial_engine.storage.sqlite.connections import Connections

    def fails(self):
        raise BusyError(path=self.path, seconds=1.0)

    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None) as memory:
        monkeypatch.setattr(Connections, "checkpoint", fails)
        for n in range(12):
            memory.store(f"{n} " + "lorem ipsum " * 50_000)
        assert memory.stats()["total"] == 12
    assert "write-ahead log could not be moved" in caplog.text


def test_the_log_does_not_grow_for_ever(tmp_path):
    """One engine stays open and reads; many short ones write a little each."""
    path = str(tmp_path / "m.db")
    with CelestialMemory(path, rebalance_interval=None) as reader:
        for number in range(12):
            with CelestialMemory(
                path, rebalance_interval=None, settings=Settings(storage=StorageSettings(durability="normal"))
            ) as writer:
                writer.store(f"{number} " + "lorem ipsum " * 60_000)
            reader.stats()
        assert os.path.getsize(path + "-wal") < 16 << 20


def test_a_relative_path_stays_the_same_file(tmp_path, monkeypatch):
    """A program that changes its working directory goes on with the database that it opened."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    with CelestialMemory("m.db", rebalance_interval=None) as memory:
        memory.store("before")
        monkeypatch.chdir(tmp_path / "elsewhere")
        memory.store("after")
        assert memory.stats()["total"] == 2
    assert not (tmp_path / "elsewhere" / "m.db").exists()
