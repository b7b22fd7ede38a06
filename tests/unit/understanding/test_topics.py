"""Topics: what two texts are about, even if they share no word."""

from __future__ import annotations

import pytest

from celestial_engine import CelestialMemory, Settings
from celestial_engine.core.retrieval.ranking import RecallSettings
from celestial_engine.understanding import topics
from celestial_engine.understanding.topics import same_topic

STATEMENT, OTHER, QUESTION = "혈압약이랑 고지혈증약 먹고 있어", "주말마다 북한산에 올라가", "무슨 약 복용 중이지?"


@pytest.fixture
def without_topics(monkeypatch):
    monkeypatch.setattr(topics, "_model", lambda: None)
    topics._topics_of.cache_clear()
    yield
    topics._topics_of.cache_clear()


def test_a_statement_and_a_question_about_the_same_share_a_topic():
    assert same_topic(QUESTION, STATEMENT) > 10 * same_topic(QUESTION, OTHER)


@pytest.mark.parametrize("text", ["", "?", "日本語の文章です", "Ω" * 5_000, "a " * 5_000])
def test_any_text_can_be_compared(text):
    assert 0.0 <= same_topic(text, STATEMENT) <= 1.0


def test_without_the_file_nothing_is_about_the_same(without_topics):
    assert same_topic(QUESTION, STATEMENT) == 0.0


def searched(count: int) -> list[str]:
    """Asks a question that shares no word with its answer, among so many other memories."""
    with CelestialMemory(":memory:", rebalance_interval=None, embedder="none") as memory:
        memory.store(STATEMENT)
        memory.store_many([f"{number}번 버스를 타고 나갔다" for number in range(count)])
        return [hit.item.content for hit in memory.search(QUESTION, 3, explain=True, floor=0).hits]


def test_a_memory_is_found_by_its_topic_among_few():
    assert searched(20)[0] == STATEMENT


def test_among_many_words_alone_find():
    assert searched(250) == []


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("I take ramipril and a statin", "Which pills am I on?"),
        ("I catch the 7:10 tram", "How do I get to work?"),
        ("나는 해운대에 살아.", "내가 어디 살지?"),
        (STATEMENT, QUESTION),
    ],
)
def test_an_answer_without_a_common_word_is_returned(told, asked):
    with CelestialMemory(":memory:", rebalance_interval=None, embedder="none") as memory:
        memory.store_many([told, OTHER, "My sister Jo plays the cello", "우리 팀은 수요일마다 회의해"])
        assert [item.content for item in memory.search(asked, 1)] == [told]


def test_a_weight_of_zero_turns_topics_off():
    settings = Settings(recall=RecallSettings(topics=0.0))
    with CelestialMemory(":memory:", embedder="none", settings=settings) as memory:
        memory.store(STATEMENT)
        assert memory.search(QUESTION, 3) == []
