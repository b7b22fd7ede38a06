"""The profile of a user: from day one, without a search, the same until a fact changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from celestial_engine import CelestialMemory, Profile
from celestial_engine.core.record.labels import Address, Attribute, Lifetime, Subject
from celestial_engine.core.turn.conversation import Action
from celestial_engine.core.turn.policy import DecisionReason
from celestial_engine.errors import InvalidInputError
from celestial_engine.storage.sqlite.items import items as sqlite_items
from celestial_engine.testing.conformance.base import a_course, an_item
from celestial_engine.testing.fakes import FakeClock

DANIEL = (
    "My name is Daniel",
    "I live in Lisbon",
    "I'm allergic to peanuts",
    "My daughter Ana is five years old",
    "I like jazz",
)
MINSU = ("내 이름은 김민수야", "나는 부산에 살아", "매일 아침 혈압약 먹어", "나는 재즈를 좋아해")


@pytest.fixture
def memory(tmp_path):
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None, embedder="none", clock=FakeClock()) as opened:
        yield opened


def told(memory: CelestialMemory, *turns: str) -> Profile:
    for turn in turns:
        memory.observe(turn)
    return memory.profile()


def recalls(memory: CelestialMemory) -> dict[str, int]:
    return {item.content: item.recall_count for item in memory.list(100)}


def test_what_was_told_today_is_known_today(memory):
    profile = told(memory, *DANIEL, "bye, talk tomorrow", "What is the capital of France?")
    assert [(fact.attribute, fact.text) for fact in profile.facts] == [
        (Attribute.NAME, "My name is Daniel"),
        (Attribute.HOME, "I live in Lisbon"),
        (Attribute.ALLERGY, "I'm allergic to peanuts"),
        (Attribute.LIKES, "I like jazz"),
        (Attribute.CHILD, "My daughter Ana is five years old"),
    ]
    assert memory.get(profile.facts[0].item_id).content == "My name is Daniel"


def test_an_empty_memory_has_an_empty_profile(memory):
    assert (memory.profile().text, memory.profile().facts, memory.profile().tokens) == ("", (), 0)


@pytest.mark.parametrize(
    ("turns", "question"),
    [
        (DANIEL, "what do you know about me?"),
        (DANIEL, "Tell me what you remember about me please"),
        (MINSU, "나에 대해 뭘 알아?"),
        (MINSU, "제가 누군지 기억하세요?"),
    ],
)
def test_the_question_what_is_known_is_answered_with_the_profile(memory, turns, question):
    profile = told(memory, *turns)
    observed = memory.observe(question)
    assert observed.decision.action is Action.RETRIEVE
    assert observed.decision.reason is DecisionReason.ASKS_FOR_PROFILE
    assert observed.context == profile.text
    assert observed.hits == tuple(fact.item_id for fact in profile.facts)
    assert all(used.background for used in observed.composed.used)
    assert memory.compose(question).text == profile.text
    assert set(recalls(memory).values()) == {0}  # looking reinforces nothing
    assert len(memory.list(100)) == len(turns)  # and the question is not stored


def test_nothing_is_invented_for_somebody_unknown(memory):
    observed = memory.observe("what do you know about me?")
    assert observed.decision.reason is DecisionReason.NOTHING_STORED
    assert observed.context == ""


def test_without_lasting_facts_the_newest_memories_answer(memory):
    memory.observe("I have a dentist appointment next Tuesday at 3pm")
    assert memory.profile().facts == ()
    context = memory.observe("what do you know about me?").context
    assert "dentist appointment" in context
    assert set(recalls(memory).values()) == {0}


def test_a_filtered_question_is_searched_for(memory):
    from celestial_engine import ItemFilter

    told(memory, *DANIEL)
    assert "<profile>" not in memory.compose("what do you know about me?", where=ItemFilter(tags=("x",))).text


def test_only_what_is_true_now_is_in_the_profile(memory):
    profile = told(memory, *DANIEL)
    forgotten = next(fact.item_id for fact in profile.facts if fact.attribute is Attribute.LIKES)
    memory.forget(forgotten)
    moved = next(fact.item_id for fact in profile.facts if fact.attribute is Attribute.HOME)
    memory.update(moved, content="I live in Porto")
    assert [fact.text for fact in memory.profile().facts] == [
        "My name is Daniel", "I live in Porto", "I'm allergic to peanuts", "My daughter Ana is five years old",
    ]  # fmt: skip
    memory.restore(forgotten)
    assert "I like jazz" in memory.profile().text


def test_every_owner_has_a_profile_of_their_own(memory):
    told(memory, *DANIEL)
    told(memory.of("minsu"), *MINSU)
    assert [fact.text for fact in memory.profile().facts if fact.attribute is Attribute.HOME] == ["I live in Lisbon"]
    assert "부산" not in memory.profile().text
    assert [fact.text for fact in memory.of("minsu").profile().facts][:2] == [
        "내 이름은 김민수야",
        "나는 부산에 살아",
    ]
    assert "Lisbon" not in memory.of("minsu").profile().text
    assert memory.of("nobody").profile().text == ""


def test_the_text_stays_the_same_until_a_fact_changes(memory):
    """A prompt that begins with the profile can be cached: neither use nor time nor other memories change it."""
    before = told(memory, *DANIEL).text
    memory.recall("Where do I live?")
    memory.observe("I have a dentist appointment next Tuesday at 3pm")
    memory.parts.clock.advance(days=3)
    memory.rebalance()
    assert memory.profile().text == before
    questions = ("Where do I live?", "What is the capital of France?", "점심 뭐 먹지?")
    texts = [memory.compose(question, profile=True).text for question in questions]
    prefix = texts[1]  # nothing answers this question
    assert prefix.endswith("</profile>")
    assert all(text.startswith(prefix) for text in texts)
    memory.observe("I'm a nurse")
    assert memory.profile().text != before


def test_a_prompt_begins_with_the_profile_and_says_nothing_twice(memory):
    told(memory, *DANIEL)
    memory.store("I have a dentist appointment next Tuesday at 3pm")
    memory.store("I live in Lisbon.")  # told again, in a memory of its own
    composed = memory.compose("When is my dentist appointment in Lisbon?", 1_200, profile=True)
    assert composed.text.startswith("<profile>\n")
    assert composed.text.count("I live in Lisbon") == 1
    assert composed.text.index("</profile>") < composed.text.index("<memories>")
    assert composed.tokens <= 1_200
    assert [memory.get(used.item_id).content for used in composed.used if not used.background] == [
        "I have a dentist appointment next Tuesday at 3pm"
    ]
    assert "<profile>" not in memory.compose("When is my dentist appointment?").text


def test_background_is_never_reinforced(memory):
    told(memory, *DANIEL)
    memory.store("I have a dentist appointment next Tuesday at 3pm")
    for question in ("What is the capital of France?", "Which peanuts?", "When is the dentist appointment?"):
        memory.compose(question, 4_000, profile=True)
    counts = recalls(memory)
    assert {counts[text] for text in DANIEL} == {0}
    assert counts["I have a dentist appointment next Tuesday at 3pm"] > 0


def test_the_profile_of_the_past(memory):
    told(memory, *DANIEL)
    moment = memory.parts.now()
    memory.parts.clock.advance(days=1)
    memory.observe("I'm a nurse")
    past = memory.ledger.as_of(moment)
    assert "nurse" in memory.profile().text
    assert [fact.text for fact in past.profile().facts] == [
        "My name is Daniel", "I live in Lisbon", "I'm allergic to peanuts", "I like jazz",
        "My daughter Ana is five years old",
    ]  # fmt: skip


@pytest.mark.parametrize("budget", [-1, True, 10**9, "400"])
def test_a_budget_is_checked(memory, budget):
    with pytest.raises(InvalidInputError):
        memory.profile(budget)


def test_ten_thousand_memories_are_not_read(memory, monkeypatch):
    """Of 10,000 memories, most of them lasting, 64 ids are read by index, and as many texts as may fit."""
    store, owner = memory.parts.store, memory.owner
    attributes = (Attribute.LIKES, Attribute.HABIT, Attribute.OTHER, Attribute.HOME)
    with store.write(owner) as session:
        for number in range(10_000):
            item = replace(
                an_item(f"m{number}", f"fact {number}"),
                created_at=1_750_000_000.0 + number,
                lifetime=Lifetime.LASTING if number % 10 else Lifetime.SEASON,
                address=Address(Subject.USER, attributes[number % 4]),
            )
            session.items.add(item, a_course())
        plan = session.items._tx.db.execute("EXPLAIN QUERY PLAN " + sqlite_items._LASTING, (1, 0, 4, 16)).fetchall()
    assert "USING INDEX items_lasting (owner=? AND subject=? AND attribute=?)" in str(plan)
    assert "TEMP B-TREE" not in str(plan)  # the index gives the order: no more than 16 rows are read

    read = []
    original = sqlite_items.item_from
    monkeypatch.setattr(sqlite_items, "item_from", lambda row, owner: read.append(row[1]) or original(row, owner))
    profile = memory.profile()
    assert len(read) == 4 * 16
    assert len(memory.profile(80).facts) == 1
    assert len(read) == 4 * 16 + 26
    assert profile.facts[0].text == "fact 9999"
    assert profile.tokens <= 400
