"""Hostile texts: twice the text is at most twice the work, counted in calls, and nothing is too long to finish."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.core.record.importance import _WEIGHTS, LANGUAGES
from celestial_engine.core.retrieval.signals import Question

TEXTS: dict[str, Callable[[int], str]] = {
    "one word, repeated": lambda size: "buffalo " * (size // 8),
    "one Korean word, repeated": lambda size: "커피를 " * (size // 4),
    "no space": lambda size: "x" * size,
    "no space, Korean": lambda size: "가나다라" * (size // 4),
    "digits": lambda size: "7" * size,
    "questions": lambda size: "what did I do last Monday? " * (size // 27),
    "brackets": lambda size: "[2023-05-08] (((Mel: " * (size // 21),
}


def steps(operation: Callable[..., object], *values: object) -> int:
    """Counts the calls of Python and C functions."""
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        operation(*values)
    finally:
        sys.setprofile(None)
    return count


@pytest.fixture
def memory(tmp_path):
    with CelestialMemory(tmp_path / "memory.db", embedder="none", rebalance_interval=None) as memory:
        memory.store_many([f"I drink coffee number {number} on Monday, 커피 {number}잔." for number in range(50)])
        memory.store("the first text loads what reading needs")
        memory.recall("what did I drink?")
        yield memory


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_storing_twice_the_text_is_at_most_twice_the_work(memory, text):
    memory.store(text(1_000) + "!")  # compiles the patterns that such a text needs
    once, twice = (steps(memory.store, text(size)) for size in (20_000, 40_000))
    assert twice <= 2.2 * once + 2_000


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_asking_twice_the_question_is_at_most_twice_the_work(memory, text):
    memory.search(text(1_000) + "!")
    once, twice = (steps(memory.search, text(size)) for size in (25_000, 50_000))
    assert twice <= 2.2 * once + 2_000


VERBS: dict[str, Callable[[CelestialMemory, str], object]] = {
    "store_many": lambda memory, text: memory.store_many([text, text + "."]),
    "update": lambda memory, text: memory.update(memory.store("short").id, content=text),
    "observe": lambda memory, text: memory.observe(text),
    "decide": lambda memory, text: memory.decide(text),
    "compose": lambda memory, text: memory.compose(text),
    "recall": lambda memory, text: memory.recall(text),
    "judge_answer": lambda memory, text: memory.judge_answer(text, True),
    "feedback": lambda memory, text: (memory.observe("I like tea"), memory.feedback(text=text)),
}


@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_twice_the_text_is_at_most_twice_the_work_of_every_verb(memory, verb, text):
    verb(memory, text(1_000) + "!")
    once, twice = (steps(verb, memory, text(size)) for size in (10_000, 20_000))
    assert twice <= 2.2 * once + 2_000


def test_of_a_long_question_its_ends_are_matched(monkeypatch):
    """Calls do not count what a pattern does: some go back over the whole text for every word of it."""
    lengths: list[int] = []

    class Recorded:
        def search(self, text: str) -> None:
            lengths.append(len(text))

    monkeypatch.setattr("celestial_engine.core.patterns.compiled", lambda *_: Recorded())
    Question.read("what did I do, and where? " * 1_923, 1_700_000_000.0)
    assert lengths
    assert max(lengths) <= 4_001


def test_no_pattern_of_importance_begins_with_a_repetition():
    """Ten thousand digits took seconds: the digits behind each one of them were read again."""
    patterns = [pattern for known in LANGUAGES for kind, _ in _WEIGHTS for pattern in getattr(known, kind)]
    assert [pattern for pattern in patterns if re.match(r"(?:\\[dws]|\[[^]]*\]|\.)[+*]", pattern)] == []


@pytest.mark.parametrize(
    "text",
    ["word " * 100_000, "x" * 200_000, "가" * 200_000, "7" * 10_000, "what did I do, and where? " * 1_923],
    ids=["one word 100,000 times", "no space", "no space, Korean", "digits", "a question of 50,000 characters"],
)
def test_the_longest_texts_are_stored_found_and_forgotten(memory, text):
    item = memory.store(text)
    assert memory.get(item.id).content == text
    memory.recall(text[:50_000], floor=0)
    memory.forget(item.id)
    assert all(hit.id != item.id for hit in memory.search(text[:50_000], floor=0))
