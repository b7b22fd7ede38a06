"""The index of filters where it takes another way, because memories or those who have a word are many."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timezone

import pytest

from celestial_engine.core.orbit.memory_function import Course
from celestial_engine.core.record.coordinate import AgentCoordinate
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.storage.sqlite import SqliteStore
from celestial_engine.storage.sqlite.schema.migrations import APPLICATION_ID, MIGRATIONS, OWNER_SHIFT, ZONED_SINCE
from celestial_engine.storage.sqlite.search import facets, word_ranking, words

NOON = 1_750_000_000.0


@pytest.mark.parametrize("looked_at", [0, 50, 20_000])
def test_every_way_gives_the_same(monkeypatch, looked_at):
    """However few rows may be looked at one by one, the same memories are chosen."""
    monkeypatch.setattr(facets, "_MOST_ROWS_CHECKED", looked_at)
    store = SqliteStore()
    items = [
        CelestialItem(
            f"m{number}",
            "coffee",
            NOON + number * 7 % 300,
            NOON,
            zone=4 if number % 10 else number % 3,
            arbitrary_importance=number / 300,
            state=State.FADED if number % 11 == 0 else State.CLIFF if number % 13 == 0 else State.ACTIVE,
            embedding=[1.0, 0.0],
        )
        for number in range(300)
    ]
    with store.write(LOCAL_OWNER) as session:
        for item in items:
            session.items.add(item, Course(0, 0.0, None))
    middle = (datetime.fromtimestamp(NOON + 50, timezone.utc), datetime.fromtimestamp(NOON + 250, timezone.utc))
    for where in (
        ItemFilter(zone=4),
        ItemFilter(zone=0),
        ItemFilter(zone=1, min_importance=0.33),
        ItemFilter(zone=4, min_importance=0.512, time_range=middle),
        ItemFilter(min_importance=0.777),
        ItemFilter(time_range=middle),
        ItemFilter(zone=4, states=(State.CLIFF,)),
        ItemFilter(zone=4, states=tuple(State)),
    ):
        chosen = [item for item in items if where.accepts(item)]
        newest = sorted(chosen, key=lambda item: (item.created_at, int(item.id[1:])), reverse=True)
        with store.read() as session:
            listed = [item.id for item in session.items.newest(LOCAL_OWNER, where, None)]
            near = session.search.by_vector(LOCAL_OWNER, [1.0, 0.0], 300, where)
        assert listed == [item.id for item in newest]
        assert {match.item_id for match in near} == {item.id for item in chosen if item.state.in_orbit}
    store.close()


def scattered(count: int) -> list[CelestialItem]:
    """Everybody has a common word, every third a rarer one; every hundredth is of the one persona."""
    return [
        CelestialItem(
            f"m{number}",
            "coffee" if number % 3 else "coffee cardamom",
            NOON + number,
            NOON,
            agent=AgentCoordinate("me" if number % 100 == 0 else "you"),
        )
        for number in range(count)
    ]


@pytest.mark.parametrize("ranges", [0, 64])
def test_words_within_a_filter(monkeypatch, ranges):
    """All of the few that are meant are found among the many that are not, whether in one range or in several."""
    monkeypatch.setattr(words, "_MOST_RANGES", ranges)
    store, items = SqliteStore(), scattered(3_000)
    with store.write(LOCAL_OWNER) as session:
        for item in items:
            session.items.add(item, Course(0, 0.0, None))
    with store.read() as session:
        found = session.search.by_words(LOCAL_OWNER, "coffee cardamom", 100, ItemFilter(persona_id="me")).matches
        assert {match.item_id for match in found} == {f"m{number}" for number in range(0, 3_000, 100)}
        assert {match.item_id for match in found[:10]} == {f"m{number}" for number in range(0, 3_000, 300)}
        assert session.search.by_words(LOCAL_OWNER, "coffee", 5, ItemFilter(persona_id="nobody")).matches == []
    store.close()


@pytest.mark.parametrize(("walked", "found"), [(2_000, 10), (10_000, 30)])
def test_a_common_word_is_not_gone_through_for_nothing(monkeypatch, walked, found):
    """Where the rarer word found enough, a word of everybody only weighs; where it did not, it finds too."""
    monkeypatch.setattr(word_ranking, "_MOST_WALKED", walked)
    store, items = SqliteStore(), scattered(3_000)
    with store.write(LOCAL_OWNER) as session:
        for item in items:
            session.items.add(item, Course(0, 0.0, None))
    with store.read() as session:
        where = ItemFilter(persona_id="me")
        assert len(session.search.by_words(LOCAL_OWNER, "coffee cardamom", 10, where).matches) == 10
        assert len(session.search.by_words(LOCAL_OWNER, "coffee cardamom", 11, where).matches) == 11
        weights = session.search.by_words(LOCAL_OWNER, "coffee cardamom", 10, where).weights
        assert len(weights.sums) == found
    store.close()


def test_a_database_of_before_gets_its_zones(tmp_path):
    """The index of an older version knew no zones and coarser importances: it is made again when it is opened."""
    path = str(tmp_path / "m.db")
    db = sqlite3.connect(path)
    for statement in (statement for migration in MIGRATIONS[: ZONED_SINCE - 1] for statement in migration):
        db.execute(statement)
    db.execute("INSERT INTO meta VALUES ('analyser', 'pairs-and-stems-1')")
    db.execute("INSERT INTO owners (owner, user_id, agent_id) VALUES (1, 'local', 'default')")
    seq = (1 << OWNER_SHIFT) + 1
    db.execute(
        "INSERT INTO items (seq, owner, id, state, zone, piece, level, tier, protection, created_at, last_recalled_at,"
        " recall_count, mention_count, arbitrary_importance, importance_source, context_score)"
        " VALUES (?, 1, 'm1', 'active', 3, 0, 0.0, 'M90', 'none', 1.75e9, 1.75e9, 0, 0, 0.6, 'given', 0.0)",
        (seq,),
    )
    db.execute("INSERT INTO texts (seq, content, metadata, facets) VALUES (?, 'coffee', '{}', '{}')", (seq,))
    db.execute("INSERT INTO words (rowid, body) VALUES (?, 'coffee')", (seq,))
    db.execute("INSERT INTO facets VALUES (1, 1, 'importance', '12')")
    db.execute("INSERT INTO facet_bits VALUES (1, ?, x'02')", (seq >> 10,))
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {ZONED_SINCE - 1}")
    db.commit()
    db.close()
    store = SqliteStore(path)
    with store.read() as session:
        assert [item.id for item in session.items.newest(LOCAL_OWNER, ItemFilter(zone=3, min_importance=0.6), 5)] == [
            "m1"
        ]
        assert session.items.newest(LOCAL_OWNER, ItemFilter(min_importance=0.61), 5) == []
    assert [problem for problem in store.check() if "filter index" in problem] == []
    store.close()
