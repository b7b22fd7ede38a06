"""What a vector search finds: the nearest, of one owner, with what is there to scan with."""

from __future__ import annotations

import subprocess
import sys

import pytest

from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.sqlite.schema.migrations import OWNER_SHIFT
from celestial_engine.storage.sqlite.search.codes import CodeCache
from celestial_engine.testing.conformance.base import SOMEBODY
from celestial_engine.testing.conformance.crowd import CROWD, LONELY, MANY, add, crowd, exact, fill, search_ids

SOMEBODY_ELSE = Owner("somebody", "else")


class TestWhatIsFound:
    def test_as_if_all_were_compared(self, way, store):
        """Each way to scan gives the very answers of comparing everything, here where neighbours are clear."""
        for number in range(0, MANY, 150):
            assert search_ids(store, CROWD[number]) == exact(CROWD[number])

    def test_scores_are_cosines(self, way, store):
        with store.read() as session:
            matches = session.search.by_vector(SOMEBODY, [3 * value for value in CROWD[7]], 3)
            again = session.search.cosines(SOMEBODY, [match.item_id for match in matches] + ["nobody"], CROWD[7])
        assert matches[0].item_id == "m7"
        assert matches[0].score == pytest.approx(1.0, abs=1e-6)
        assert {match.item_id: pytest.approx(match.score, abs=1e-6) for match in again} == {
            match.item_id: match.score for match in matches
        }

    def test_many_are_compared_at_once(self, way, store):
        with store.read() as session:
            judged = session.search.cosines(SOMEBODY, [f"m{number}" for number in range(MANY)], CROWD[0])
        assert len(judged) == MANY

    def test_an_owner_with_few_memories_is_compared_in_full(self, way, store):
        add(store, "only", LONELY, SOMEBODY_ELSE)
        assert search_ids(store, LONELY, owner=SOMEBODY_ELSE) == ["only"]

    def test_owners_never_see_each_other(self, way, store):
        fill(store, crowd(700, seed=2), SOMEBODY_ELSE)
        add(store, "theirs", CROWD[3], SOMEBODY_ELSE)
        for _ in range(2):
            assert search_ids(store, CROWD[3], owner=SOMEBODY_ELSE)[0] == "theirs"
            assert search_ids(store, CROWD[3])[0] == "m3"
            assert "theirs" not in search_ids(store, CROWD[3], 500)

    def test_what_is_asked_with_another_length_finds_nothing(self, way, store):
        assert search_ids(store, [1.0, 0.5]) == []


def test_memory_is_bounded(store, path, raw):
    """Only the codes of the owners used last are kept."""
    fill(store, crowd(700, seed=2), SOMEBODY_ELSE)
    low, high = 1 << OWNER_SHIFT, (2 << OWNER_SHIFT) - 1
    with raw(path) as db:
        roomy, narrow = CodeCache(), CodeCache(max_bytes=1)
        for cache, kept in ((roomy, 2), (narrow, 1)):
            first = cache.nearest(db, low, high, CROWD[0], 10)
            cache.nearest(db, low + (1 << OWNER_SHIFT), high + (1 << OWNER_SHIFT), CROWD[0], 10)
            assert len(cache) == kept
            assert cache.nearest(db, low, high, CROWD[0], 10) == first
        roomy.clear()
        assert len(roomy) == 0


def test_numpy_is_not_loaded_by_those_who_do_not_search(store, path):
    """It takes longer than most commands."""
    store.close()
    script = (
        "import sys; from celestial_engine.surfaces.cli import main; code = main(['--db', sys.argv[1], 'stats']); "
        "assert not code and 'numpy' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
