"""What a text says is read when it comes; what was not read, or by older rules, is read in the night."""

from __future__ import annotations

import sqlite3

import pytest

from celestial_engine import CelestialMemory, Settings, StorageSettings
from celestial_engine.core.sameness import statement_keys as sayings
from celestial_engine.core.sameness.compare import key_of, topics_of
from celestial_engine.core.sameness.statement_keys import statement_keys_of
from celestial_engine.errors import Reason

TEXTS = ("I live in Seoul", "I live in Busan now", "나는 커피를 좋아한다", "나는 커피를 좋아한다.", "The sky is blue")


@pytest.fixture
def path(tmp_path, clock):
    path = tmp_path / "memory.db"
    with opened(path, clock) as memory:
        for text in TEXTS:
            memory.store(text)
            clock.advance(minutes=1)
    return path


def opened(path, clock) -> CelestialMemory:
    return CelestialMemory(
        path,
        rebalance_interval=None,
        clock=clock,
        embedder="none",
        settings=Settings(storage=StorageSettings(ledger_path="none")),
    )


def rows(path, question="SELECT count(*) FROM sayings"):
    with sqlite3.connect(path) as connection:
        (found,) = connection.execute(question).fetchone()
    connection.close()
    return found


def became(path, clock):
    """What a night makes of the memories."""
    clock.advance(days=1)
    with opened(path, clock) as memory:
        report = memory.sleep(allow_large=True)
        assert not report.failed
        assert memory.maintenance.check() == []
        return sorted((item.content, item.validity.superseded_by is not None) for item in memory.list(limit=100))


def test_texts_with_one_key_or_topic_share_a_mark() -> None:
    assert statement_keys_of(TEXTS[2]).key == statement_keys_of(TEXTS[3]).key
    assert set(statement_keys_of(TEXTS[0]).topics) & set(statement_keys_of(TEXTS[1]).topics)
    assert statement_keys_of(TEXTS[1]).changing
    assert not statement_keys_of(TEXTS[4]).changing
    assert len(statement_keys_of(TEXTS[0]).topics) == len(topics_of(TEXTS[0]))
    assert key_of(TEXTS[0]) != key_of(TEXTS[4])
    assert statement_keys_of(TEXTS[0]).key != statement_keys_of(TEXTS[4]).key


def test_marks_are_the_same_in_every_process() -> None:
    """They are kept in the file: a hash that differs from run to run would find nobody."""
    assert statement_keys_of("The sky is blue").key == -1483544276146214011


def test_every_memory_in_orbit_is_read_and_no_other(path, clock) -> None:
    assert rows(path) == len(TEXTS)
    with opened(path, clock) as memory:
        gone, changed, *_ = memory.list(limit=100)
        memory.forget(gone.id)
        memory.update(changed.id, "나는 차를 좋아한다")
    assert rows(path) == len(TEXTS) - 1
    assert rows(path, f"SELECT count(*) FROM sayings WHERE mark = {statement_keys_of('나는 차를 좋아한다').key}") == 1


@pytest.mark.parametrize("how", ["DELETE FROM sayings", "UPDATE sayings SET rules = -1, mark = 0, topics = x''"])
def test_a_file_that_was_not_read_is_read_in_the_night(path, clock, how) -> None:
    """The night does the same as if every text had been read in time, and leaves all of them read."""
    with sqlite3.connect(path) as connection:
        connection.execute(how)
        connection.execute("DELETE FROM meta WHERE key = 'read_by'")
    connection.close()
    after = became(path, clock)
    assert ("I live in Seoul", True) in after
    assert len(after) == len(TEXTS) - 1
    assert rows(path, f"SELECT count(*) FROM sayings WHERE rules = {sayings.RULES}") == len(after)


def test_what_is_left_behind_is_found_and_repaired(path, clock) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE sayings SET seq = seq + 1000 WHERE seq = (SELECT min(seq) FROM sayings)")
    connection.close()
    with opened(path, clock) as memory:
        assert Reason.STILL_READ in [problem.reason for problem in memory.maintenance.check()]
        memory.maintenance.repair()
        assert memory.maintenance.check() == []
    assert rows(path) == len(TEXTS)
