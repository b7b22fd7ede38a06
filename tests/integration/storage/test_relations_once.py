"""A relation is one row, and a gist that begins its text a length; older files keep what they say."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from tests.older_databases import before_relations_once

from celestial_engine import CelestialMemory

TEXTS = [
    "Ann works at Acme in Lisbon.",
    "Ann likes jasmine tea. She drinks it every morning before she goes to the office by the river.",
    "민수는 서울에서 고양이를 키운다.",
    "Bob does not like Ann's cat.",
    "Bob works at Acme.",
]
LONG = (
    "Well, you know how it is, one thing after another. I moved to Berlin on 5 May 2023 because of my new job at "
    "Acme. It rained all day long, and nobody was there to help me carry the boxes up."
)
NAMES = ("ann", "acme", "bob", "민수", "서울", "nobody")


def opened(path: Path) -> CelestialMemory:
    return CelestialMemory(path, embedder="none", rebalance_interval=None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    with opened(path) as memory:
        memory.store_many(TEXTS)
    return path


def known(memory: CelestialMemory):
    """What the memories say, what the graph holds of each, and what it finds."""
    items, owner = sorted(memory.list(), key=lambda item: item.content), memory.owner
    with memory.parts.store.read() as session:
        told = [set(session.search.relations(owner, item.id)) for item in items]
        found = [session.search.by_graph(owner, [name], hops, 10) for name in NAMES for hops in (0, 1, 2)]
    return [(item.content, item.resolution) for item in items], told, found


def rows(path: Path, statement: str):
    db = sqlite3.connect(path)
    try:
        return db.execute(statement).fetchall()
    finally:
        db.close()


def test_an_older_file_says_the_same_when_it_is_opened(path):
    with opened(path) as memory:
        before = known(memory)
    (once,) = rows(path, "SELECT count(*) FROM relations")[0]
    degrees = rows(path, "SELECT name, degree FROM entities ORDER BY name")
    before_relations_once(path)
    assert rows(path, "SELECT count(*) FROM relations") == [(2 * once,)]
    with opened(path) as memory:
        assert known(memory) == before
        assert memory.parts.store.check() == []
    assert rows(path, "SELECT count(*) FROM relations") == [(once,)]
    assert rows(path, "SELECT name, degree FROM entities ORDER BY name") == degrees
    assert any(before[1])
    assert any(before[2])


def test_what_leaves_an_older_file_takes_its_relations_with_it(path):
    before_relations_once(path)
    with opened(path) as memory:
        memory.departures.erase([item.id for item in memory.list()])
        assert memory.parts.store.check() == []
    assert rows(path, "SELECT count(*) FROM relations") == [(0,)]
    assert rows(path, "SELECT count(*) FROM entities") == [(0,)]


def test_a_gist_that_begins_its_text_is_a_length(path):
    stored = dict(rows(path, "SELECT content, facets FROM texts"))
    gists = {content: json.loads(facets)["resolution"]["gist"] for content, facets in stored.items()}
    with opened(path) as memory:
        for item in memory.list():
            gist = item.resolution.gist
            assert gists[item.content] == (len(gist) if item.content.startswith(gist) else gist)
    assert gists[TEXTS[0]] == len(TEXTS[0])


def test_a_gist_in_other_words_stays(path):
    with opened(path) as memory:
        item = memory.store(LONG)
        gist = item.resolution.gist
        assert gist is not None
        assert not item.content.startswith(gist)
        assert memory.get(item.id).resolution.gist == gist
