"""Both stores find and rank alike: the same memories, the same order, the same scores."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

import pytest

from celestial_engine.core.record.coordinate import Resolution
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.providers.functions import HashedEmbedder
from celestial_engine.storage.sqlite import SqliteStore
from celestial_engine.testing.conformance.base import NOON, a_course, an_item

CORPUS = Path(__file__).parents[3] / "corpus"


def texts(most):
    """Sentences of the development set, Korean and English, the same ones in every run."""
    found = [
        line.rpartition("\t")[2]
        for path in sorted(CORPUS.glob("*/development/*.tsv"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    ]
    random.Random(5).shuffle(found)
    return list(dict.fromkeys(found))[:most]


@pytest.fixture
def stores(url, opened):
    sqlite = SqliteStore()
    yield sqlite, opened(url)
    sqlite.close()


def test_the_development_set_is_searched_alike(stores):
    memories, embedder = texts(600), HashedEmbedder()  # above 600, SQLite compares vectors approximately
    assert len(memories) == 600
    vectors = embedder.passages(memories)
    names = ["seoul", "mina", "coffee", "a cat", "work"]
    for store in stores:
        with store.write(LOCAL_OWNER) as session:
            for number, (text, vector) in enumerate(zip(memories, vectors, strict=True)):
                item = replace(
                    an_item(f"m{number}", text), embedding=list(vector), created_at=NOON + number,
                    tags=("even",) if number % 2 else (),
                    resolution=Resolution(triples=((names[number % 5], "likes", names[number * 3 % 4]),)),
                    state=State.INACTIVE if number % 17 == 0 else State.ACTIVE,
                )  # fmt: skip
                session.items.add(item, a_course())
    sqlite, postgres = stores
    questions = [*memories[::9], "커피", "where do I live?", "the the the", "없는말 xyzzy", ""]
    with sqlite.read() as one, postgres.read() as other:
        for question in questions:
            vector = embedder.query(question or "x")
            for where in (
                None,
                ItemFilter(tags=("even",)),
                ItemFilter(time_range=(datetime.fromtimestamp(NOON + 300, timezone.utc), None)),
            ):
                expected = one.search.by_words(LOCAL_OWNER, question, 40, where)
                found = other.search.by_words(LOCAL_OWNER, question, 40, where)
                assert found.matches == expected.matches, question
                assert found.weights.rarities == expected.weights.rarities
                near = one.search.by_vector(LOCAL_OWNER, vector, 20, where)
                assert other.search.by_vector(LOCAL_OWNER, vector, 20, where) == near
            assert other.search.background_sample(LOCAL_OWNER, vector, 30) == list(
                one.search.background_sample(LOCAL_OWNER, vector, 30)
            )
        for hops in (0, 1, 2):
            for name in names:
                assert other.search.by_graph(LOCAL_OWNER, [name], hops, 50) == one.search.by_graph(
                    LOCAL_OWNER, [name], hops, 50
                )
        ids = [f"m{number}" for number in range(0, 600, 7)]
        found, expected = (session.search.candidates(LOCAL_OWNER, ids, 1) for session in (other, one))
        assert [candidate._replace(position=0) for candidate in found] == [
            candidate._replace(position=0) for candidate in expected
        ]
