"""Words by Kiwi or by pairs: an index holds the words of one analyser, and everybody knows which."""

from __future__ import annotations

import sqlite3

import pytest

from celestial_engine import CelestialMemory, Settings, StorageSettings
from celestial_engine.core.retrieval.ranking import RecallSettings
from celestial_engine.core.text.words import PairsAndStems
from celestial_engine.errors import AnalyserMissingError, ConfigError
from celestial_engine.providers.kiwi import KiwiAnalyser
from celestial_engine.storage.sqlite import SqliteStore
from celestial_engine.storage.sqlite.search.words import WordIndex

BY_WORDS_ALONE = RecallSettings(graph=0)


@pytest.fixture(scope="module")
def kiwi() -> KiwiAnalyser:
    return KiwiAnalyser()


@pytest.fixture
def path(tmp_path) -> str:
    return str(tmp_path / "m.db")


def opened(path: str, words: str | None = None) -> CelestialMemory:
    settings = Settings(StorageSettings(words=words), recall=BY_WORDS_ALONE)
    return CelestialMemory(path, rebalance_interval=None, settings=settings)


def found(memory: CelestialMemory, question: str) -> list[str]:
    return [item.content for item in memory.search(question, floor=0)]


def analyser_of(path: str) -> str:
    db = sqlite3.connect(path)
    (name,) = db.execute("SELECT value FROM meta WHERE key = 'analyser'").fetchone()
    db.close()
    return name


def test_morphemes_find_what_pairs_cannot(path):
    """A verb is found by another form of itself that shares no two syllables with it."""
    with opened(path, words="kiwi") as memory:
        memory.store("어제 강변을 오래 걸었다")
        memory.store("I walked along the river")
        assert found(memory, "걷는 사람") == ["어제 강변을 오래 걸었다"]
        assert found(memory, "강변") == ["어제 강변을 오래 걸었다"], "pairs are there as before"
        assert found(memory, "walking") == ["I walked along the river"]
        assert memory.maintenance.check() == []
    with opened(":memory:", words="pairs") as memory:
        memory.store("어제 강변을 오래 걸었다")
        assert found(memory, "걷는 사람") == []


def test_a_database_keeps_its_analyser(path):
    """Who opens it with another wish does not mix: the words stay as they are until they are made again."""
    with opened(path, words="pairs") as memory:
        memory.store("어제 강변을 오래 걸었다")
    with opened(path, words="kiwi") as memory:
        memory.store("내일도 강변을 오래 걸었다")
        assert analyser_of(path) == PairsAndStems.name
        assert memory.maintenance.check() == []
        told: list[tuple[int, int]] = []
        memory.store_many([f"{n}번째 산책" for n in range(200)])
        assert memory.maintenance.reindex_words(lambda done, total: told.append((done, total))) == 202
        assert told == [(100, 202), (200, 202)]
        assert analyser_of(path).startswith("kiwi-")
        assert len(found(memory, "걷는 사람")) == 2
        assert memory.maintenance.check() == []


def test_a_process_follows_what_another_decided(path):
    with (
        opened(path, words="pairs") as one,
        opened(path, words="kiwi") as other,
    ):
        item = one.store("어제 강변을 오래 걸었다")
        other.maintenance.reindex_words()
        one.store("그제도 산길을 오래 걸었다")
        one.update(item.id, "어제 산길을 오래 걸었다")
        assert len(found(one, "걷는 사람")) == 2
        assert found(other, "강변") == []
        assert other.maintenance.check() == []


def test_without_kiwi_its_words_are_not_guessed(path, kiwi):
    """Where Kiwi is missing, a database of its words is refused with advice, or made again if asked for."""
    store = SqliteStore(path, words=WordIndex({"kiwi": lambda: kiwi}, "kiwi"))
    store.close()
    with pytest.raises(AnalyserMissingError, match=r"kiwi-.*korean.*reindex --words pairs"):
        SqliteStore(path, words=WordIndex())
    SqliteStore(path, words=WordIndex(insists=True)).close()
    assert analyser_of(path) == PairsAndStems.name


def test_another_version_makes_its_words_anew(path):
    with opened(path) as memory:
        memory.store("커피를 좋아한다")
    db = sqlite3.connect(path)
    db.execute("UPDATE meta SET value = 'pairs-and-stems-0' WHERE key = 'analyser'")
    db.execute("INSERT INTO words (words) VALUES ('delete-all')")
    db.commit()
    db.close()
    with opened(path) as memory:
        assert found(memory, "커피") == ["커피를 좋아한다"]
    assert analyser_of(path) == PairsAndStems.name


def test_an_interrupted_reindex_leaves_the_old_words(path):
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with opened(path, words="kiwi") as memory:
        memory.store_many([f"{n}번째로 강변을 오래 걸었다" for n in range(150)])
        with pytest.raises(KeyboardInterrupt):
            memory.maintenance.reindex_words(stop)
        assert len(found(memory, "걷는")) == 5
        assert memory.maintenance.check() == []


def test_an_unknown_analyser_is_named(path):
    with pytest.raises(ConfigError, match="auto, pairs, kiwi"):
        opened(path, words="mecab")
