"""Backups: made while others write, checked, never in the way; and put back without bringing back the purged."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import threading
from itertools import pairwise
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory, KeepingSettings, Settings, State, StorageSettings
from celestial_engine.backups import restore_backup, verify_backup
from celestial_engine.core.keeping.retention import RetentionPolicy
from celestial_engine.errors import (
    BackupExistsError,
    BusyError,
    CorruptDatabaseError,
    DiskFullError,
    ForeignDatabaseError,
    NewerSchemaError,
    Reason,
    StorageError,
)
from celestial_engine.storage.sqlite.schema.migrations import MIGRATIONS
from celestial_engine.testing.fakes import FakeClock, bag_of_words

pytestmark = pytest.mark.usefixtures("calendar_time")  # their owners do nothing for weeks

ARCHIVE = RetentionPolicy(archive_after_days=30)


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "m.db")


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "backups" / "one.db"


def opened(path, clock=None, **more):
    return CelestialMemory(path, rebalance_interval=None, clock=clock or FakeClock(), **more)


def contents(path, **more):
    with opened(path, **more) as memory:
        assert memory.maintenance.check() == []
        return {line["id"]: (line["content"], line["state"]) for line in memory.transfer.export()}


def filled(path, count=3):
    with opened(path) as memory:
        return [memory.store(f"memory number {n}", session_id="s") for n in range(count)]


# -- making ---------------------------------------------------------------------------------------------


def test_a_backup_is_a_whole_private_database(path, target):
    with opened(path, embed_fn=bag_of_words) as memory:
        memory.store("커피를 좋아한다")
        told = []
        report = memory.transfer.backup(target, progress=lambda done, total: told.append((done, total)))
        assert (report.memories, report.owners, report.problems) == (1, 1, ())
        assert told[-1][0] == told[-1][1]
        assert memory.ledger.history(limit=1)[0].type.value == "backed_up"
    if os.name != "nt":
        assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert os.listdir(target.parent) == ["one.db"], "nothing else is left behind"
    assert verify_backup(target).memories == 1
    assert os.listdir(target.parent) == ["one.db"], "looking leaves no trace"
    assert contents(str(target)) == contents(path)


def test_without_a_path_it_goes_to_its_folder_with_the_time(path, tmp_path, monkeypatch, clock):
    with opened(path, clock) as memory:
        assert memory.transfer.backup().path == str(tmp_path / "m-20250615T150640Z.db")
        assert memory.transfer.backup(tmp_path / "other.db").path == str(tmp_path / "other.db")
        (tmp_path / "folder").mkdir()
        assert memory.transfer.backup(tmp_path / "folder").path == str(tmp_path / "folder" / "m-20250615T150640Z.db")
    monkeypatch.setenv("CELESTIAL_BACKUP_PATH", str(tmp_path / "nas"))
    with opened(path, clock) as memory:
        assert memory.transfer.backup().path == str(tmp_path / "nas" / "m-20250615T150640Z.db")


def test_it_overwrites_nothing_unless_told_and_then_only_backups(path, target, tmp_path):
    filled(path)
    with opened(path) as memory:
        memory.transfer.backup(target)
        with pytest.raises(BackupExistsError):
            memory.transfer.backup(target)
        memory.store("one more")
        assert memory.transfer.backup(target, force=True).memories == 4
        with pytest.raises(BackupExistsError):
            memory.transfer.backup(path, force=True)
        letter = tmp_path / "letter.txt"
        letter.write_text("dear somebody " * 20)
        with pytest.raises(ForeignDatabaseError):
            memory.transfer.backup(letter, force=True)
        assert letter.read_text().startswith("dear")


def test_others_write_while_it_is_made(path, target):
    """It is of one moment, and nobody waits for it."""
    filled(path, 50)
    with opened(path) as memory, opened(path) as other:
        done = threading.Event()
        written = []

        def write():
            while not done.is_set():
                written.append(other.store(f"meanwhile {len(written)}").id)

        writer = threading.Thread(target=write)
        writer.start()
        try:
            for n in range(5):
                report = memory.transfer.backup(target.with_name(f"{n}.db"))
                assert report.memories >= 50
        finally:
            done.set()
            writer.join()
        assert written
        kept = [set(contents(str(target.with_name(f"{n}.db")))) for n in range(5)]
        assert all(earlier <= later for earlier, later in pairwise(kept))
        assert set(written) <= {line["id"] for line in memory.transfer.export()}


def test_a_memory_in_ram_can_be_backed_up(target, clock):
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock) as memory:
        memory.store("kept nowhere else", session_id="s")
        clock.advance(days=31)
        memory.departures.retain(ARCHIVE)
        assert memory.transfer.backup(target).archives == 1
    assert [text for text, _ in contents(str(target)).values()] == ["kept nowhere else"]


def test_a_full_disk_leaves_the_old_backup_and_no_remains(path, target):
    """SQLite's own error, and the system's for a file that may not grow."""
    resource = pytest.importorskip("resource")
    filled(path)
    with opened(path) as memory:
        memory.transfer.backup(target)
        before = target.read_bytes()
        for n in range(20):
            memory.store(f"{n} " + "lorem ipsum " * 2_000)
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, limits[1]))
        try:
            with pytest.raises((DiskFullError, StorageError), match="one"):
                memory.transfer.backup(target, force=True)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert target.read_bytes() == before
        assert os.listdir(target.parent) == ["one.db"]
        assert memory.maintenance.check() == []


def test_daily_backups_keep_a_week(path, tmp_path, clock):
    folder = tmp_path / "daily"
    with opened(
        path,
        clock,
        settings=Settings(keeping=KeepingSettings(daily_backups=True), storage=StorageSettings(backup_path=folder)),
    ) as memory:
        memory.store("x")
        for _ in range(9):
            memory.maintenance.rebalance_if_due()
            memory.maintenance.rebalance_if_due()
            clock.advance(days=1, minutes=1)
    assert len(list(folder.glob("m-daily-*.db"))) == 7


# -- verifying ------------------------------------------------------------------------------------------


def test_what_is_not_a_sound_backup_is_refused(path, target, tmp_path):
    filled(path)
    with opened(path) as memory:
        memory.transfer.backup(target)
    letter = tmp_path / "letter.txt"
    letter.write_text("dear somebody " * 20)
    foreign = tmp_path / "foreign.db"
    db = sqlite3.connect(foreign)
    db.execute("CREATE TABLE t (x)")
    db.close()
    newer = tmp_path / "newer.db"
    shutil.copy(target, newer)
    db = sqlite3.connect(newer)
    db.execute("PRAGMA user_version = 999")
    db.close()
    damaged = tmp_path / "damaged.db"
    raw = bytearray(target.read_bytes())
    raw[4096 : len(raw) // 2] = os.urandom(len(raw) // 2 - 4096)
    damaged.write_bytes(raw)
    inconsistent = tmp_path / "inconsistent.db"
    shutil.copy(target, inconsistent)
    db = sqlite3.connect(inconsistent)
    db.execute("UPDATE texts SET content = 'changed by somebody'")
    db.commit()
    db.close()
    before = contents(path)
    for file, kind in (
        (letter, ForeignDatabaseError),
        (foreign, ForeignDatabaseError),
        (newer, NewerSchemaError),
        (damaged, CorruptDatabaseError),
        (inconsistent, CorruptDatabaseError),
        (tmp_path / "missing.db", StorageError),
    ):
        with pytest.raises(kind):
            verify_backup(file)
        with pytest.raises(kind):
            restore_backup(file, path)
        assert contents(path) == before


def test_a_backup_of_an_older_version_is_brought_up_to_date(path, tmp_path):
    old = tmp_path / "old.db"
    db = sqlite3.connect(old, isolation_level=None)
    for statement in MIGRATIONS[0]:
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {0x43454C45}")
    db.execute("PRAGMA user_version = 1")
    db.close()
    assert verify_backup(old).schema == 1
    assert restore_backup(old, path).kept_as is None
    assert contents(path) == {}


# -- restoring ------------------------------------------------------------------------------------------


def test_the_database_is_as_it_was_and_the_present_one_is_kept(path, target, tmp_path):
    items = filled(path)
    with opened(path) as memory:
        memory.transfer.backup(target)
        memory.update(items[0].id, content="changed since")
        later = memory.store("stored since")
    present = contents(path)
    dry = restore_backup(target, path, dry_run=True)
    assert (dry.dry_run, dry.purged, dry.kept_as) == (True, 0, None)
    assert contents(path) == present
    report = restore_backup(target, path)
    assert contents(path) == contents(str(target))
    assert later.id not in contents(path)
    assert contents(report.kept_as) == present
    if os.name != "nt":
        assert stat.S_IMODE(Path(report.kept_as).stat().st_mode) == 0o600
    assert not list(tmp_path.glob(".celestial*"))


def test_the_purged_stay_purged(path, target, clock):
    """Restoring a backup does not bring back what was forgotten for good since."""
    with opened(path, clock) as memory:
        kept, gone = memory.store("peach"), memory.store("plum, a secret")
        memory.transfer.backup(target)
        memory.forget(gone.id)
        clock.advance(days=8)
        memory.rebalance()
    assert restore_backup(target, path, dry_run=True).purged == 1
    report = restore_backup(target, path, clock=clock)
    assert report.purged == 1
    assert set(contents(path, clock=clock)) == {kept.id}
    assert b"a secret" not in Path(path).read_bytes()
    with opened(path, clock) as memory:
        kinds = [event.type.value for event in memory.ledger.history(limit=10)]
        assert kinds[0] == "backup_restored"
        assert "purged" in kinds, "the ledger of today is carried over"
        assert memory.ledger.history(gone.id, 1)[0].type.value == "purged"


def test_the_ledger_stays_whole(path, target, clock):
    """The chain that was mirrored outside the database is still the one that is in it."""
    items = filled(path)
    with opened(path, clock) as memory:
        memory.transfer.backup(target)
        memory.update(items[0].id, content="changed since")
        memory.of("somebody-new").store("stored since")
        memory.ledger.anchor()
        heads = {owner: memory.of(owner).ledger.head() for owner in ("local", "somebody-new")}
    restore_backup(target, path, clock=clock)
    with opened(path, clock) as memory:
        for owner, head in heads.items():
            assert memory.of(owner).ledger.verify(head).ok
        assert memory.ledger.verify(anchor=memory.ledger.newest_anchor()).ok
        assert memory.ledger.head().number > heads["local"].number, "the restore itself is an entry"
        assert memory.ledger.newest_anchor().number == 1


def test_archives_belong_to_a_backup(path, target, clock):
    """Purged memories leave the archives too; what was brought back since is archived again."""
    with opened(path, clock) as memory:
        peach, plum = memory.store("peach", session_id="s"), memory.store("plum, a secret", session_id="s")
        clock.advance(days=31)
        memory.departures.retain(ARCHIVE)
        report = memory.transfer.backup(target)
        assert report.archives == 1
        memory.departures.bring_back("s")
        memory.forget(plum.id)
        clock.advance(days=8)
        memory.rebalance()
    assert verify_backup(target).problems == ()
    assert restore_backup(target, path, clock=clock).purged == 1
    assert contents(path, clock=clock) == {peach.id: ("peach", "archived")}
    with opened(path, clock) as memory:
        assert memory.restore(peach.id).state is State.ACTIVE
    (archive,) = Path(f"{target}.archive").iterdir()
    archive.unlink()
    (found,) = verify_backup(target).problems
    assert (found.reason, found.fields["cause"].reason) == (Reason.IN_ARCHIVE, Reason.FILE_MISSING)


def test_it_is_refused_while_somebody_has_the_database_open(path, target):
    filled(path)
    with opened(path) as memory:
        memory.transfer.backup(target)
        before = len(memory.ledger.history(limit=100))
        with pytest.raises(BusyError):
            restore_backup(target, path)
        assert len(memory.ledger.history(limit=100)) == before
    assert restore_backup(target, path).purged == 0


def test_a_damaged_database_is_replaced_and_kept(path, target):
    filled(path)
    with opened(path) as memory:
        memory.transfer.backup(target)
    raw = bytearray(Path(path).read_bytes())
    raw[100:] = os.urandom(len(raw) - 100)
    Path(path).write_bytes(raw)
    report = restore_backup(target, path)
    assert report.purged is None, "nobody can tell what was purged since"
    assert len(contents(path)) == 3
    assert Path(report.kept_as).read_bytes() == bytes(raw)


def test_somebody_elses_file_is_not_replaced(path, target, tmp_path):
    filled(path)
    with opened(path) as memory:
        memory.transfer.backup(target)
    foreign = tmp_path / "foreign.db"
    db = sqlite3.connect(foreign)
    db.execute("CREATE TABLE t (x)")
    db.close()
    before = foreign.read_bytes()
    with pytest.raises(ForeignDatabaseError):
        restore_backup(target, foreign)
    assert foreign.read_bytes() == before


def test_an_engine_that_comes_back_finds_the_restored_memories(path, target):
    """Also by their vectors: what a process keeps in RAM is of the database that is there."""
    with opened(path, embed_fn=bag_of_words) as memory:
        item = memory.store("Mina likes tea")
        memory.transfer.backup(target)
        memory.forget(item.id)
    restore_backup(target, path)
    with opened(path, embed_fn=bag_of_words) as memory:
        assert [hit.id for hit in memory.recall("tea")] == [item.id]
