"""Owners moved between databases: everything arrives as it was, and the source stays as it is."""

from __future__ import annotations

import json
import shutil
import sqlite3
import threading

import pytest
from tests.older_databases import before_owner_chains

from celestial_engine import CelestialMemory
from celestial_engine.core.access import Scope
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import MoveError, NotFoundError, OwnerMovingError, StorageError
from celestial_engine.moves import move_memories
from celestial_engine.testing.fakes import FakeClock

CLOCK = FakeClock()
ANNA, BERT = Owner("anna", "a"), Owner("bert", "b")


@pytest.fixture(params=["sqlite", "postgres"])
def target(request, tmp_path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "target.db")
    return str(request.getfixturevalue("postgres").url())


@pytest.fixture
def source(tmp_path) -> str:
    path = str(tmp_path / "source.db")
    fill(path, ANNA)
    fill(path, BERT)
    return path


@pytest.fixture
def older_source(tmp_path) -> str:
    """From before owners had chains of their own, when an entry was about one memory."""
    path = str(tmp_path / "source.db")
    fill(path, ANNA, recalled=1)
    fill(path, BERT, recalled=1)
    before_owner_chains(path)
    return path


def fill(path: str, owner: Owner, count: int = 30, recalled: int = 5) -> None:
    with opened(path, owner) as memory:
        kept = [
            memory.store(
                f"{owner.user_id} 기억 {n}: 커피 coffee \0 {n}", importance=n / 40, tags=("drink", f"t{n % 3}")
            )
            for n in range(count)
        ]
        memory.recall("coffee", limit=recalled)
        memory.update(kept[0].id, content="I live in Busan now")
        memory.update(kept[1].id, metadata={"n": 1})
        memory.forget(kept[2].id)
        memory.pin(kept[3].id)
        memory.observe("내일 회의가 있어", session_id="s1")
        memory.recall("기억 7", limit=min(3, recalled))


def opened(path: str, owner: Owner = ANNA) -> CelestialMemory:
    return CelestialMemory(
        path, user_id=owner.user_id, agent_id=owner.agent_id, embedder="hashed", rebalance_interval=None, clock=CLOCK
    )


def exported(path: str, owner: Owner) -> str:
    with opened(path, owner) as memory:
        return "\n".join(json.dumps(record, ensure_ascii=False) for record in memory.transfer.export())


def search_results(path: str, owner: Owner) -> list[str]:
    with opened(path, owner) as memory:
        return [item.id for query in ("coffee", "기억 7", "Busan") for item in memory.search(query, limit=10)]


def test_everything_is_there_and_the_source_unchanged(source, target):
    before, found = exported(source, ANNA), search_results(source, ANNA)
    report = move_memories(source, target)
    assert [one.owner for one in report.owners] == [ANNA, BERT]
    assert all(one.memories == one.written for one in report.owners)
    for path in (source, target):
        assert exported(path, ANNA) == before
        assert search_results(path, ANNA) == found
        with opened(path, BERT) as memory:
            assert memory.ledger.verify().ok
            assert memory.maintenance.check() == []


def test_there_and_back_is_the_same(source, target, tmp_path):
    again = str(tmp_path / "again.db")
    move_memories(source, target)
    move_memories(target, again)
    for owner in (ANNA, BERT):
        assert exported(again, owner) == exported(source, owner)
        with opened(again, owner) as last, opened(source, owner) as first:
            assert last.ledger.head() == first.ledger.head()
            assert [event.hash for event in last.ledger.history()] == [event.hash for event in first.ledger.history()]
            assert last.ledger.verify().ok


def test_one_owner_of_several(source, target):
    report = move_memories(source, target, [BERT])
    assert [one.owner for one in report.owners] == [BERT]
    with opened(target, ANNA) as memory:
        assert memory.search("coffee") == []


def test_a_dry_run_writes_nothing(source, tmp_path):
    target = tmp_path / "target.db"
    report = move_memories(source, target, dry_run=True)
    assert report.dry_run
    assert [one.memories for one in report.owners] == [31, 31]
    assert not target.exists()


def test_a_second_run_copies_only_what_changed(source, target):
    move_memories(source, target)
    with opened(source, ANNA) as memory:
        newest = memory.store("a memory after the first run")
        gone = memory.search("기억 9", limit=1, floor=0)[0].id
        memory.departures.erase([gone])
        memory.store("takes the key of nobody")
    report = move_memories(source, target)
    anna, bert = report.owners
    assert 2 <= anna.written < 10, "a purge and a recall change some memories"
    assert bert.written == 0
    assert exported(target, ANNA) == exported(source, ANNA)
    with opened(target, ANNA) as memory:
        assert memory.get(newest.id).content == "a memory after the first run"
        with pytest.raises(NotFoundError):
            memory.get(gone)
        assert memory.ledger.verify().ok
        assert memory.maintenance.check() == []


def test_a_target_with_changes_of_its_own_is_refused(source, target):
    move_memories(source, target, [ANNA])
    with opened(target, ANNA) as memory:
        memory.store("written at the target")
    before = exported(target, ANNA)
    with pytest.raises(MoveError) as caught:
        move_memories(source, target, [ANNA])
    assert "source.db" in str(caught.value)
    assert exported(target, ANNA) == before


def test_a_falsified_ledger_is_not_moved(source, target):
    with sqlite3.connect(source) as db:
        db.execute("DROP TRIGGER ledger_is_true")
        db.execute("UPDATE ledger SET detail = '{}' WHERE number = 3")
    with pytest.raises(MoveError):
        move_memories(source, target)


def test_bad_addresses(source, tmp_path):
    with pytest.raises(MoveError):
        move_memories(source, source)
    with pytest.raises(StorageError):
        move_memories(tmp_path / "nothing.db", tmp_path / "target.db")
    assert not (tmp_path / "nothing.db").exists()
    with pytest.raises(MoveError):
        move_memories(source, tmp_path / "target.db", [Owner("nobody", "x")])


def test_archives_tokens_and_the_self_come_along(source, target):
    with opened(source, ANNA) as memory:
        for number in range(3):
            memory.store(f"said in a session {number}", session_id="old")
        memory.access.grant("phone", [Scope.READ])
        (token,) = memory.access.tokens()
        before = memory.stats()
    move_memories(source, target)
    with opened(target, ANNA) as memory:
        assert [one.id for one in memory.access.tokens()] == [token.id]
        assert memory.stats() == before


@pytest.mark.parametrize("partial", [False, True])
def test_the_part_of_a_sealed_chain_that_comes_along_is_witnessed(older_source, target, partial):
    """Every owner's part of the old common chain is covered by an anchor, and changes of it are noticed."""
    source = older_source
    shutil.rmtree(f"{source}.ledger")
    for owner in (ANNA, BERT):
        with opened(source, owner) as memory:
            memory.store("written since")
    move_memories(source, target, [ANNA] if partial else None)
    with opened(target, ANNA) as memory, opened(source, ANNA) as first:
        assert memory.ledger.verify().ok
        assert memory.ledger.head() == first.ledger.head()
        assert len(memory.ledger.history(limit=500)) == len(first.ledger.history(limit=500))
    if target.startswith("postgresql"):
        return
    with sqlite3.connect(target) as db:
        db.execute("DROP TRIGGER ledger_is_true")
        (number,) = db.execute("SELECT min(number) FROM ledger WHERE owner = 1").fetchone()
        db.execute("UPDATE ledger SET at = at + 1 WHERE owner = 1 AND number = ?", (number,))
    with opened(target, ANNA) as memory:
        assert not memory.ledger.verify().ok
        assert not memory.ledger.verify(all_owners=False).ok


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_writes_are_refused_only_for_the_owner_and_only_at_the_end(kind, source, request, tmp_path):
    """Others write all the time; the owner is told what to do, and loses nothing that was acknowledged."""
    if kind == "postgres":
        here: str = request.getfixturevalue("postgres").url()
        move_memories(source, here)
    else:
        here = source
    from celestial_engine.bootstrap import open_movable
    from celestial_engine.config import StorageConfig

    store = open_movable(StorageConfig(here), must_exist=True)
    with opened(here, ANNA) as anna, opened(here, BERT) as bert:
        with store.refuse_writes(ANNA) as stay:
            stay()
            with pytest.raises(OwnerMovingError) as caught:
                anna.store("refused")
            assert "another database" in caught.value.message("en")
            bert.store("written meanwhile")
            assert anna.search("coffee")
        anna.store("accepted again")
    store.close()


def test_a_writer_goes_on_while_its_owner_is_moved(source, target):
    """Every acknowledged write is in the source; those before the end of the move are in the target."""
    acknowledged: list[str] = []
    refused: list[OwnerMovingError] = []
    ended = threading.Event()

    def write() -> None:
        with opened(source, ANNA) as memory:
            while not ended.is_set():
                try:
                    acknowledged.append(memory.store(f"written during the move {len(acknowledged)}").id)
                except OwnerMovingError as error:  # noqa: PERF203 - it is what the test waits for
                    refused.append(error)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        move_memories(source, target, [ANNA])
    finally:
        ended.set()
        writer.join()
    move_memories(source, target, [ANNA])
    assert exported(target, ANNA) == exported(source, ANNA)
    with opened(target, ANNA) as memory:
        assert all(memory.get(item_id) for item_id in acknowledged)
