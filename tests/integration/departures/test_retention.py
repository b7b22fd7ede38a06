"""Retention carried out on a memory: sessions leave, idle ones are archived and come back as they were."""

from __future__ import annotations

import gzip
import json
import os
import stat
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory, KeepingSettings, Settings, State
from celestial_engine.core.keeping.retention import RetentionPolicy
from celestial_engine.errors import ConfigError, DiskFullError, NothingArchivedError, Reason, StorageError
from celestial_engine.testing.fakes import FakeClock, bag_of_words

pytestmark = pytest.mark.usefixtures("calendar_time")  # their owners do nothing for weeks


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "m.db")


def opened(path, clock, **more):
    return CelestialMemory(path, rebalance_interval=None, clock=clock, **more)


def fill(memory, clock, sessions, each=10, days_apart=0.0):
    for session in sessions:
        for number in range(each):
            memory.store(f"{session} 기억 {number}: Mina likes tea {number}", session_id=session)
        clock.advance(days=days_apart)


def sessions_of(memory):
    return {item.time.session_id for item in memory.list(1_000)}


def files_of(path):
    folder = Path(f"{path}.archive")
    return sorted(folder.iterdir()) if folder.exists() else []


# -- sessions -------------------------------------------------------------------------------------------


def test_five_sessions_of_ten_three_remain(memory, clock):
    """max_sessions=3 and five sessions of ten at once: the last three remain, however new the others are."""
    fill(memory, clock, [f"sess_test_{n}" for n in range(5)])
    result = memory.departures.retain(RetentionPolicy(max_sessions=3))
    assert result.forgotten == 20
    assert sessions_of(memory) == {"sess_test_2", "sess_test_3", "sess_test_4"}
    assert memory.stats()["total"] == 30
    assert {item.departure.reason.value for item in memory.departures.cliff()} == {"displaced"}
    assert memory.ledger.history(memory.departures.cliff()[0].id, 1)[0].detail == {"reason": "displaced"}


def test_a_sixth_session_begins_and_the_oldest_goes(clock):
    """max_sessions=5: by itself, when the sixth is stored in; not what is protected of it."""
    with CelestialMemory(
        ":memory:",
        rebalance_interval=None,
        clock=clock,
        settings=Settings(keeping=KeepingSettings(retention=RetentionPolicy(max_sessions=5))),
    ) as memory:
        pinned = memory.store("kept for good", session_id="sess_0", pinned=True)
        fill(memory, clock, [f"sess_{n}" for n in range(5)], each=2, days_apart=10)
        assert memory.stats()["total"] == 11
        memory.store("the sixth begins", session_id="sess_5")
        assert {item.time.session_id for item in memory.departures.cliff()} == {"sess_0"}
        assert memory.stats()["total"] == 10
        assert memory.get(pinned.id).state is State.ACTIVE
        restored = memory.restore(memory.departures.cliff()[0].id)
        assert restored.state is State.ACTIVE


def test_the_newest_week_is_safe_from_the_size_limit(memory, clock):
    fill(memory, clock, [f"s{n}" for n in range(5)], each=2, days_apart=1)
    assert memory.departures.retain(RetentionPolicy(max_total_size_mb=0.0001)).forgotten == 0
    assert len(sessions_of(memory)) == 5
    clock.advance(days=4)
    assert memory.departures.retain(RetentionPolicy(max_total_size_mb=0.0001)).forgotten > 0


def test_looking_at_the_plan_changes_nothing(memory, clock):
    fill(memory, clock, ["old", "new"], each=3, days_apart=20)
    before = len(memory.ledger.history(limit=1_000))
    result = memory.departures.retain(RetentionPolicy(max_sessions=1), dry_run=True)
    assert (len(result.plan.leaving), result.forgotten, result.dry_run) == (3, 0, True)
    assert memory.stats()["total"] == 6
    assert len(memory.ledger.history(limit=1_000)) == before


def test_it_is_off_unless_somebody_sets_it(memory, clock, monkeypatch):
    with pytest.raises(ConfigError, match="no retention policy"):
        memory.departures.retain()
    with pytest.raises(ConfigError, match="coordinates-v1"):
        memory.departures.retain("no such preset")
    memory.store("x", session_id="s")
    clock.advance(days=400)
    memory.maintenance.rebalance_if_due()
    assert memory.ledger.history(limit=1)[0].type.value != "archived"
    monkeypatch.setenv("CELESTIAL_RETENTION", "coordinates-v1")
    with CelestialMemory(":memory:", rebalance_interval=None) as other:
        assert other.departures.retain(dry_run=True).plan.memories == 0


def test_it_runs_after_the_periodic_rebalance(clock):
    policy = RetentionPolicy(max_memories_per_session=3)
    with CelestialMemory(
        ":memory:", rebalance_interval=None, clock=clock, settings=Settings(keeping=KeepingSettings(retention=policy))
    ) as memory:
        fill(memory, clock, ["s"], each=5, days_apart=10)
        memory.maintenance.rebalance_if_due()
        assert memory.stats()["total"] == 3
        fill(memory, clock, ["t"], each=5, days_apart=0.001)
        memory.maintenance.rebalance_if_due()
        assert memory.stats()["total"] == 8, "not again within the hour"


def test_owners_have_limits_of_their_own(memory, clock):
    fill(memory, clock, ["a", "b"], each=2, days_apart=10)
    memory.of("other").store("somebody else's", session_id="a")
    memory.of("other").store("somebody else's", session_id="b")
    clock.advance(days=10)
    memory.departures.retain(RetentionPolicy(max_sessions=1))
    assert memory.of("other").stats()["total"] == 2


# -- archives -------------------------------------------------------------------------------------------

ARCHIVE = RetentionPolicy(archive_after_days=30)


def test_an_archived_session_comes_back_byte_for_byte(path, clock):
    with opened(path, clock, embed_fn=bag_of_words) as memory:
        item = memory.store("Mina moved to 부산 in 2021", metadata={"k": [1, "값"]}, tags=["집"], session_id="s")
        other = memory.store("Mina likes 커피", session_id="s", importance=0.9)
        memory.recall("커피")
        before = {line["id"]: line for line in memory.transfer.export()}
        clock.advance(days=31)
        result = memory.departures.retain(ARCHIVE)
        assert (result.archived, result.forgotten) == (2, 0)
        assert memory.recall("부산") == []
        assert memory.maintenance.check() == []
        assert memory.get(item.id).content == "Mina moved to 부산 in 2021", "it is read from the file"
        assert {line["id"]: line["content"] for line in memory.transfer.export()} == {
            key: line["content"] for key, line in before.items()
        }
        (file,) = files_of(path)
        if os.name != "nt":
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
        header, *lines = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
        assert (header["session"], header["count"], len(lines)) == ("s", 2, 2)

        back = memory.departures.bring_back("s")
        assert (len(back.items), back.problems) == (2, ())
        assert files_of(path) == []
        after = {line["id"]: line for line in memory.transfer.export()}
        moving = ("last_recalled_at", "expires_at", "zone", "total_score", "context_score", "state")
        for key in (item.id, other.id):
            assert {k: v for k, v in after[key].items() if k not in moving} == {
                k: v for k, v in before[key].items() if k not in moving
            }
        assert after[item.id]["last_recalled_at"] == clock.now, "coming back counts as being thought of"
        assert [hit.id for hit in memory.recall("부산")] == [item.id]
        assert memory.maintenance.check() == []
        kinds = [event.type.value for event in memory.ledger.history(item.id)]
        assert kinds[-3:] == ["unarchived", "archived", "stored"] or {"unarchived", "archived"} <= set(kinds)


def test_the_text_leaves_the_database(path, clock):
    """Also the ledger's versions of it: they go into the file and come back with it."""
    with opened(path, clock) as memory:
        item = memory.store("unmistakable-first words", session_id="s")
        memory.update(item.id, content="unmistakable-second words")
        clock.advance(days=31)
        memory.departures.retain(ARCHIVE)
    raw = Path(path).read_bytes()
    assert b"unmistakable" not in raw
    with opened(path, clock) as memory:
        memory.departures.bring_back("s")
        assert memory.get(item.id).content == "unmistakable-second words"
        with memory.parts.store.read() as session:
            assert session.ledger.damaged_versions() == []


def test_one_memory_comes_back_alone_and_one_is_forgotten_for_good(path, clock):
    """What leaves an archive leaves its file: nothing that is purged is left there."""
    with opened(path, clock) as memory:
        one, two, three = (memory.store(f"memory of {name}", session_id="s") for name in ("peach", "plum", "pear"))
        clock.advance(days=31)
        memory.departures.retain(ARCHIVE)
        assert memory.restore(one.id).state is State.ACTIVE
        gone = memory.forget(two.id)
        assert (gone.state, gone.content) == (State.CLIFF, "memory of plum")
        (file,) = files_of(path)
        left = gzip.decompress(file.read_bytes()).decode()
        assert "pear" in left
        assert "plum" not in left
        assert "peach" not in left
        clock.advance(days=8)
        memory.rebalance()
        assert {line["id"] for line in memory.transfer.export()} == {one.id, three.id}
        assert memory.maintenance.check() == []


def test_a_purge_in_the_store_removes_it_from_the_file(path, clock):
    with opened(path, clock) as memory:
        items = [memory.store(f"memory of {name}", session_id="s") for name in ("peach", "plum")]
        clock.advance(days=31)
        memory.departures.retain(ARCHIVE)
        with memory.parts.store.write(memory.owner) as session:
            session.items.purge(items[0].owner, items[0].id)
        memory.departures.retain(ARCHIVE)
        (file,) = files_of(path)
        assert b"peach" not in gzip.decompress(file.read_bytes())
        assert memory.maintenance.check() == []


def test_archived_memories_expire_over_the_cliff(path, clock):
    policy = RetentionPolicy(archive_after_days=30, delete_after_days=180)
    with opened(path, clock) as memory:
        item = memory.store("old news", session_id="s")
        clock.advance(days=31)
        memory.departures.retain(policy)
        clock.advance(days=150)
        assert memory.departures.retain(policy).forgotten == 1
        assert [(gone.id, gone.content) for gone in memory.departures.cliff()] == [(item.id, "old news")]
        assert memory.restore(item.id).content == "old news"
        assert files_of(path) == []


def test_protected_memories_stay_in_orbit(memory, clock):
    pinned = memory.store("pinned one", session_id="s", pinned=True)
    memory.store("another one", session_id="s")
    clock.advance(days=31)
    assert memory.departures.retain(ARCHIVE).archived == 1
    assert memory.get(pinned.id).state is State.ACTIVE


def test_a_damaged_archive_gives_what_can_be_read_and_says_the_rest(path, clock):
    with opened(path, clock) as memory:
        fill(memory, clock, ["s"], each=200)
        clock.advance(days=31)
        memory.departures.retain(ARCHIVE)
        (file,) = files_of(path)
        whole = file.read_bytes()
        file.write_bytes(whole[: len(whole) * 2 // 3])
        (view,) = memory.departures.archives()
        assert view.problems[0].reason is Reason.ARCHIVE_LOST
        assert any(file.name in str(problem) for problem in memory.maintenance.check())
        back = memory.departures.bring_back("s")
        assert 0 < len(back.items) < 200
        assert back.problems
        assert all("기억" in item.content for item in back.items)
        lost = [line["id"] for line in memory.transfer.export() if line["state"] == "archived"]
        assert len(lost) == 200 - len(back.items), "they stay archived"
        assert files_of(path) == [file], "the damaged file is kept as it is"
        with pytest.raises(StorageError, match="cannot be read"):
            memory.restore(lost[0])
        file.write_bytes(whole)
        assert len(memory.departures.bring_back("s").items) == len(lost)
        assert memory.maintenance.check() == []


def test_flipped_bits_are_never_taken_for_text(path, clock):
    with opened(path, clock) as memory:
        fill(memory, clock, ["s"], each=30)
        texts = {line["content"] for line in memory.transfer.export()}
        clock.advance(days=31)
        memory.departures.retain(ARCHIVE)
        (file,) = files_of(path)
        whole = file.read_bytes()
        for place in range(20, len(whole) - 8, len(whole) // 25):
            file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :])
            found = memory.parts.store.archive_files.read(file.name)
            assert {one.item.content for one in found.memories} <= texts


def test_nothing_is_called_so(memory):
    with pytest.raises(NothingArchivedError, match="neither a session nor a memory"):
        memory.departures.bring_back("nobody")


def test_a_full_disk_archives_nothing_and_loses_nothing(path, clock, monkeypatch):
    """The system's own error for a file that may not grow: the memories stay where they are."""
    resource = pytest.importorskip("resource")
    with opened(path, clock) as memory:
        fill(memory, clock, ["s"], each=300)
        clock.advance(days=31)
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        archives = memory.parts.store.archive_files
        write = archives.write

        def on_a_full_disk(name, lines):
            resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, limits[1]))
            try:
                write(name, lines)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, limits)

        monkeypatch.setattr(archives, "write", on_a_full_disk)
        with pytest.raises(DiskFullError):
            memory.departures.retain(ARCHIVE)
        monkeypatch.undo()
        assert memory.stats()["total"] == 300
        assert files_of(path) == []
        assert memory.maintenance.check() == []
        assert memory.departures.retain(ARCHIVE).archived == 300


def test_vectors_of_another_model_do_not_come_back(path):
    clock = FakeClock()
    with opened(path, clock, embed_fn=bag_of_words) as memory:
        item = memory.store("Mina likes tea", session_id="s")
        clock.advance(days=31)
        memory.departures.retain(ARCHIVE)

    def another(text):
        return bag_of_words(text, 32)

    with opened(path, clock, embed_fn=another) as memory:
        memory.maintenance.reindex()
        memory.departures.bring_back("s")
        assert memory.get(item.id).embedding is None
        memory.maintenance.reindex()
        assert len(memory.get(item.id).embedding) == 32


def test_what_a_kill_leaves_is_tidied_by_the_day(path, clock, monkeypatch):
    """A file that was not whole yet, and the note of it, go with the daily run, policy or not."""
    with opened(path, clock) as memory:
        fill(memory, clock, ["s"], each=3, days_apart=40)
        with monkeypatch.context() as killed:
            killed.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
            killed.setattr(os, "unlink", lambda *_: (_ for _ in ()).throw(OSError))
            with pytest.raises(KeyboardInterrupt):
                memory.departures.retain(RetentionPolicy(archive_after_days=30))
        assert len(files_of(path)) == 1
        memory.maintenance.rebalance_if_due()
        assert files_of(path) == []
        with memory.parts.store.read() as session:
            assert session.archives.notes() == []
        assert memory.stats()["total"] == 3


def test_links_to_what_was_purged_meanwhile_do_not_come_back(path, clock):
    """Nobody could tell the file of it; links to those who are there, or never were, stay."""
    with opened(path, clock) as memory:
        first, second = (memory.store(text, session_id="s", pinned=True) for text in ("first", "second"))
        item = memory.store("between", session_id="t", parent=first.id, related=[second.id])
        clock.advance(days=40)
        memory.departures.retain(RetentionPolicy(archive_after_days=30))
        assert memory.get(item.id).state is State.ARCHIVED
        memory.forget(second.id)
        clock.advance(days=8)
        memory.rebalance()
        (back,) = memory.departures.bring_back("t").items
        assert (back.links.parent, back.links.related) == (first.id, ())
        assert memory.get(item.id).links == back.links
