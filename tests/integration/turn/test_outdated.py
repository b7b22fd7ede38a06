"""Two memories answer a question, and the later one tells that the earlier one has ended: it comes first.

Nothing is stored by that: the earlier one is found by other questions, and by one about the past.
"""

from __future__ import annotations

from importlib import import_module

import pytest

from celestial_engine import CelestialMemory, Source

CHANGES = [
    ("I drive an old red Fiat Panda.", "Sold the car last week, I take the tram now.", "Which car do I drive?"),
    ("i work at a bakery on the corner", "quit the bakery, i start at the library on monday", "where do i work"),
    ("차는 아반떼 타", "아반떼 팔고 카니발로 바꿨어", "나 무슨 차 타?"),
]
BESIDE = ["My dog is called Rex.", "I am allergic to peanuts.", "매주 화요일에 수영을 다녀"]


@pytest.fixture
def memory(clock, monkeypatch):
    """A memory in which storing the later one ends nothing: the question has to show it."""
    monkeypatch.setattr(import_module("celestial_engine.flow.turn.store"), "replaced_by", lambda *_: [])
    with CelestialMemory(":memory:", clock=clock, embedder="none", rebalance_interval=None) as opened:
        yield opened


def told(memory, clock, texts):
    for text in texts:
        yield memory.store(text)
        clock.advance(days=7)


@pytest.mark.parametrize(("before", "after", "question"), CHANGES)
def test_the_later_one_comes_first_and_only_it_is_quoted(memory, clock, before, after, question):
    old, new, *_ = told(memory, clock, [before, after, *BESIDE])
    hits = memory.search(question, explain=True).hits
    places = [hit.item.id for hit in hits]
    assert places.index(new.id) < places.index(old.id)
    assert hits[places.index(new.id)].is_known
    quoted = memory.compose(question, reinforce=False).text
    assert after in quoted
    assert before not in quoted
    assert before in [item.content for item in memory.list()]


def test_what_is_only_likely_outdated_keeps_its_validity(memory, clock):
    """It is named in the hit; the memory itself, and a search for its own words, stay as they are."""
    before, after, question = CHANGES[0]
    old, new, *_ = told(memory, clock, [before, after, *BESIDE])
    (hit,) = (hit for hit in memory.search(question, explain=True).hits if hit.item.id == old.id)
    assert (hit.outdated_by, hit.is_valid) == (new.id, False)
    assert memory.get(old.id).validity.superseded_by is None
    assert memory.search(before)[0].id == old.id


def test_a_recall_does_not_reinforce_it(memory, clock):
    before, after, question = CHANGES[0]
    old, new, *_ = told(memory, clock, [before, after, *BESIDE])
    memory.recall(question)
    assert (memory.get(old.id).recall_count, memory.get(new.id).recall_count) == (0, 1)


def test_a_question_about_the_past_gets_what_was_true_then(memory, clock):
    before, after, _ = CHANGES[0]
    tuple(told(memory, clock, [before, after, *BESIDE]))
    assert before in memory.compose("Which car did I drive before?", reinforce=False).text


def test_what_a_page_says_ends_nothing(memory, clock):
    before, after, question = CHANGES[0]
    memory.store(before)
    clock.advance(days=7)
    memory.store(after, source=Source.OBSERVATION)
    assert [hit.outdated_by for hit in memory.search(question, explain=True).hits if hit.item.content == before] == [
        None
    ]


def test_the_lines_of_a_dialogue_are_left_alone(memory, clock):
    """What one says does not end what the other one said."""
    lines = ["Mina: I drive an old red Fiat Panda.", "Tom: Sold the car last week, I take the tram now."]
    tuple(told(memory, clock, lines))
    hits = memory.search("Which car does Mina drive?", explain=True, floor=0).hits
    assert {hit.outdated_by for hit in hits} == {None}
