"""What ranking needs of a text is in columns, which are used only while they belong to the text."""

from __future__ import annotations

import psycopg
import pytest

from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.storage.postgres.dialect import ALL, SCOPE
from celestial_engine.testing.conformance.base import a_course, an_item

LINE = "[8 May, 2023] Anna: I was in Busan"
_READ = "SELECT speaker, session_id, begins, traits_of FROM texts"


@pytest.fixture
def store(url, opened):
    store = opened(url)
    with store.write(LOCAL_OWNER) as session:
        session.items.add(an_item("m1", LINE), a_course())
    return store


def run(url: str, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url) as connection:
        connection.execute(f"SET LOCAL {SCOPE} = '{ALL}'")
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def candidate(store):
    with store.read() as session:
        (found,) = session.search.candidates(LOCAL_OWNER, ["m1"])
    return found


def test_columns_are_written_with_the_text(url, store):
    ((speaker, _, begins, mark),) = run(url, _READ)
    assert speaker == "Anna"
    assert LINE[begins:] == "I was in Busan"
    assert mark is not None
    assert candidate(store).speaker == "Anna"


def test_a_search_uses_the_columns(url, store):
    run(url, "UPDATE texts SET speaker = 'Ben'")
    assert candidate(store).speaker == "Ben"


def test_a_text_that_an_older_release_changed_is_read_again(url, store):
    """It does not know the columns, and leaves them as they were."""
    run(url, "UPDATE texts SET content = '[8 May, 2023] Carl: I was in Seoul'")
    assert candidate(store).speaker == "Carl"
    run(url, """UPDATE texts SET facets = '{"time": {"session_id": "s9"}}'""")
    assert candidate(store).session_id == "s9"


def test_texts_without_columns_are_read_at_night(url, store):
    before = candidate(store)
    run(url, "UPDATE texts SET traits_by = NULL, speaker = NULL, begins = NULL, traits_of = NULL")
    assert candidate(store) == before
    run(url, "DELETE FROM meta WHERE key = 'read_by'")
    store.sweep()
    ((speaker, _, _, mark),) = run(url, _READ)
    assert (speaker, mark is None) == ("Anna", False)
    assert candidate(store) == before
    with store.read() as session:
        assert not session.search.statement_keys_outdated()


def test_a_database_of_the_release_before_is_read(url, store):
    """The mark of the release before says that its keys are read, not that the columns are."""
    run(url, "UPDATE meta SET value = '1, 1' WHERE key = 'read_by'")
    run(url, "INSERT INTO meta (key, value) VALUES ('read_by', '1, 1') ON CONFLICT DO NOTHING")
    with store.read() as session:
        assert session.search.statement_keys_outdated()
