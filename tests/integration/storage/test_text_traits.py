"""What ranking needs of a text is in columns: filled when an older file is opened, up to a limit, then at night."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from tests.older_databases import before_traits

from celestial_engine import CelestialMemory
from celestial_engine.storage.sqlite import store as sqlite_store

TEXTS = [
    "[2023-05-08] Mel: When did you move to the new flat?",
    "[2023-05-08] Ann: On Monday, and it cost 900 euros.",
    "제 생일은 5월 8일이에요.",
    "I like jasmine tea.",
]


@pytest.fixture
def older(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    with CelestialMemory(path, embedder="none", rebalance_interval=None) as memory:
        memory.store_many(TEXTS)
    before_traits(path)
    return path


def opened(path: Path) -> CelestialMemory:
    return CelestialMemory(path, embedder="none", rebalance_interval=None)


def unread(path: Path) -> int:
    db = sqlite3.connect(path)
    (count,) = db.execute("SELECT count(*) FROM texts WHERE traits_by IS NULL").fetchone()
    db.close()
    return count


def candidates(memory: CelestialMemory):
    ids = [item.id for item in memory.list()]
    with memory.parts.store.read() as session:
        return [candidate._replace(item_id="") for candidate in session.search.candidates(memory.owner, ids)]


def test_an_older_file_is_read_when_it_is_opened(older, tmp_path):
    with opened(older) as memory:
        found = candidates(memory)
        assert memory.parts.store.check() == []
    assert unread(older) == 0
    assert [candidate.speaker for candidate in found] == ["Mel", "Ann", None, None]


def test_what_is_not_read_yet_ranks_the_same(older, monkeypatch):
    """Above the limit, a search reads the texts itself until the night has."""
    monkeypatch.setattr(sqlite_store, "_READ_AT_OPENING", 1)
    with opened(older) as memory:
        assert unread(older) == len(TEXTS) - 1
        before = candidates(memory)
        answers = memory.search("When is my birthday? 생일이 언제야?", explain=True, floor=0)
        memory.parts.store.sweep()
        assert unread(older) == 0
        assert candidates(memory) == before
        after = memory.search("When is my birthday? 생일이 언제야?", explain=True, floor=0)
    assert [(hit.item.id, hit.relevance) for hit in after.hits] == [
        (hit.item.id, pytest.approx(hit.relevance, abs=1e-6)) for hit in answers.hits
    ]


def test_a_search_reads_no_text_that_was_read(older, monkeypatch):
    with opened(older) as memory:

        def refuse(*_: object) -> None:
            raise AssertionError("parsed for a candidate")

        monkeypatch.setattr("celestial_engine.storage.sqlite.rows.text_traits", refuse)
        monkeypatch.setattr("celestial_engine.storage.sqlite.rows.ranking_values", refuse)
        assert memory.search("When did Ann move?", floor=0)
