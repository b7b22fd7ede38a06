"""Topics: what two texts are about, even if they share no word."""

from __future__ import annotations

import logging

import pytest

from celestial_engine import CelestialMemory, Settings
from celestial_engine.core.retrieval.ranking import RecallSettings
from celestial_engine.understanding import topics
from celestial_engine.understanding.model import ModelFileError
from celestial_engine.understanding.topics import Topics, answer_chances, end_odds

STATEMENT, OTHER, QUESTION = "혈압약이랑 고지혈증약 먹고 있어", "주말마다 북한산에 올라가", "무슨 약 복용 중이지?"


@pytest.fixture
def without_topics(monkeypatch):
    monkeypatch.setattr(topics, "default_topics", lambda: None)


def test_a_question_points_to_the_statement_that_is_about_the_same():
    answer, other = answer_chances(QUESTION, [STATEMENT, OTHER])
    assert answer > 10 * other


def test_at_most_one_memory_answers():
    assert 0.0 < sum(answer_chances(QUESTION, [STATEMENT, OTHER, STATEMENT])) <= 1.0


@pytest.mark.parametrize(
    ("newer", "ended", "still_true"),
    [
        ("sold the car, the tram does it for me", "I drive a red Fiat", "my cat is called Tom"),
        ("남자친구랑 헤어졌어", "남자친구랑 사귄 지 3년 됐어", STATEMENT),
    ],
)
def test_a_change_points_to_the_statement_that_it_ends(newer, ended, still_true):
    odds, others = end_odds(newer, ended), end_odds(newer, still_true)
    assert odds is not None
    assert others is not None
    assert odds > others + 2


@pytest.mark.parametrize("text", ["", "?", "日本語の文章です", "Ω" * 5_000, "a " * 5_000])
def test_any_text_can_be_compared(text):
    assert all(0.0 <= chance <= 1.0 for chance in answer_chances(text, [STATEMENT, text]))
    assert all(0.0 <= chance <= 1.0 for chance in answer_chances(QUESTION, [text]))
    odds = end_odds(text, STATEMENT)
    assert odds is None or abs(odds) < 100


def test_nothing_is_likely_among_no_memories():
    assert answer_chances(QUESTION, []) == []


def test_without_the_file_nothing_answers(without_topics):
    assert answer_chances(QUESTION, [STATEMENT]) == [0.0]
    assert end_odds(STATEMENT, OTHER) is None


@pytest.mark.parametrize("damage", ["missing", "foreign", "cut"])
def test_a_damaged_file_is_said_once_and_words_still_find(monkeypatch, tmp_path, caplog, damage):
    raw = (topics.files(topics.__package__) / topics.FILE).read_bytes()
    if damage != "missing":
        (tmp_path / topics.FILE).write_bytes(b"something else" if damage == "foreign" else raw[:5_000])
    monkeypatch.setattr(topics, "files", lambda _: tmp_path)
    topics.default_topics.cache_clear()
    try:
        with (
            caplog.at_level(logging.WARNING),
            CelestialMemory(":memory:", embedder="none") as memory,
        ):
            memory.store("My sister Ana is allergic to peanuts")
            assert len(memory.search("peanuts", 3)) == 1
            assert memory.search(QUESTION, 3) == []
        assert len([record for record in caplog.records if "topics" in record.message]) == 1
    finally:
        topics.default_topics.cache_clear()


def test_the_weights_of_turns_are_not_topics():
    raw = (topics.files(topics.__package__) / "weights.bin").read_bytes()
    with pytest.raises(ModelFileError):
        Topics(raw)


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
