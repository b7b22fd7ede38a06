"""Feedback: what a conversation says by itself, what is said of a turn, and that each is credited once."""

from __future__ import annotations

import sqlite3

import pytest

from celestial_engine import CelestialMemory, Settings, StorageSettings
from celestial_engine.core.learning.rewards import RewardKind
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.turn.policy import Action
from celestial_engine.errors import InvalidInputError, TurnNotFoundError


def test_a_conversation_teaches_by_itself(memory):
    """Each turn of the user says something about the one before, in its session."""
    memory.store("Mina is allergic to peanuts")
    memory.observe("What is Mina allergic to?", session_id="a")
    memory.observe("Exactly, thanks!", session_id="a")
    memory.observe("그리고 나는 등산을 좋아해", session_id="b")
    rewarded = [event for event in memory.ledger.history() if event.type.value == "rewarded"]
    assert [(event.detail["reward"], event.detail["kind"]) for event in rewarded] == [(1.0, "praise")]
    assert rewarded[0].session_id == "a"
    assert len(rewarded[0].memory_refs) == 1
    status = memory.policy.status()
    assert (status.rewards, status.reranker_updates) in ((1, 1), (1, 0))  # unless it was an exam of the reranker
    assert sum(status.actions.values()) == 3


def test_no_word_that_was_said_is_kept_for_learning(tmp_path, clock):
    path = str(tmp_path / "m.db")
    with CelestialMemory(
        path, rebalance_interval=None, clock=clock, settings=Settings(storage=StorageSettings(ledger_path="none"))
    ) as memory:
        memory.observe("hmm xylophonequark?", session_id="a")
        memory.observe("wrong, zebrafinchword!", session_id="a")
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        rows = [*db.execute("SELECT * FROM turns"), *db.execute("SELECT * FROM ledger"),
                *db.execute("SELECT * FROM checkpoints")]  # fmt: skip
    db.close()
    assert rows
    assert not any(word in repr(row) for row in rows for word in ("xylophone", "zebra", "wrong"))


def test_a_turn_is_credited_once(memory):
    turn = memory.observe("I like tea").decision.turn_id
    assert memory.feedback(turn, reward=0.5).credited
    again = memory.feedback(turn, reward=-1.0)
    assert (again.credited, again.reward.value) == (False, 0.5)
    assert memory.policy.status().rewards == 1


def test_words_outrank_what_was_guessed(memory):
    turn = memory.observe("I like tea").decision.turn_id
    memory.observe("Tomorrow I fly to Busan with my sister")  # the talk goes on
    credit = memory.feedback(turn, text="no, that's wrong")
    assert (credit.credited, credit.reward.kind) == (True, RewardKind.BLAME)
    assert not memory.feedback(turn, text="perfect").credited


def test_without_an_id_the_last_turn_is_meant(memory):
    memory.observe("I like tea", session_id="a")
    last = memory.observe("I like coffee", session_id="b").decision.turn_id
    assert memory.feedback(reward=1.0).turn_id == last
    assert memory.feedback(text="완벽해", session_id="a").turn_id != last


def test_a_text_that_says_nothing_credits_nothing(memory):
    memory.observe("I like tea")
    credit = memory.feedback(text="Perfect, just perfect, as usual")
    assert (credit.credited, credit.reward.value, credit.reward.kind) == (False, 0.0, RewardKind.UNSURE)
    assert memory.policy.status().rewards == 0


@pytest.mark.parametrize("given", [{"turn_id": "nobody", "reward": 1.0}, {"reward": 1.0}, {"text": "맞아"}])
def test_feedback_on_no_turn_is_a_clear_error(memory, given):
    with pytest.raises(TurnNotFoundError):
        memory.feedback(**given)


@pytest.mark.parametrize(
    "given",
    [{}, {"reward": 1.0, "text": "good"}, {"reward": 2}, {"reward": float("nan")}, {"reward": True},
     {"reward": "1"}, {"text": " "}, {"text": 5}, {"turn_id": 5, "reward": 1.0}],
)  # fmt: skip
def test_bad_feedback_is_refused_and_teaches_nothing(memory, given):
    memory.observe("I like tea")
    with pytest.raises(InvalidInputError):
        memory.feedback(**given)
    assert memory.policy.status().rewards == 0


def test_assistants_teach_nothing(memory):
    memory.observe("I like tea", session_id="a")
    memory.observe({"role": "assistant", "content": "Exactly, that's right!"}, session_id="a")
    assert memory.policy.status().rewards == 0
    assert sum(memory.policy.status().actions.values()) == 1


# -- when it fails ------------------------------------------------------------------------------------


def test_a_failure_between_reward_and_version_leaves_neither(memory, monkeypatch):
    """One transaction: the turn can be credited again."""
    turn = memory.observe("I like tea").decision.turn_id
    with monkeypatch.context() as broken:
        broken.setattr("celestial_engine.flow.turn.feedback.packed", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            memory.feedback(turn, reward=1.0)
    assert memory.policy.status().rewards == 0
    assert "rewarded" not in {event.type.value for event in memory.ledger.history()}
    assert memory.feedback(turn, reward=1.0).credited


def test_trouble_with_learning_costs_no_turn(memory, monkeypatch, caplog):
    memory.observe("I like tea")
    monkeypatch.setattr("celestial_engine.flow.turn.feedback.packed", lambda _: 1 / 0)
    observed = memory.observe("My name is Mina")
    assert (observed.decision.action, observed.problem) == (Action.SAVE, None)
    assert "nothing was learned" in caplog.text


def test_an_answer_is_judged_without_a_conversation(memory):
    """The ranking learns from what was found; nothing is recalled by it, and the question is not kept."""
    item = memory.store("Mina is allergic to peanuts")
    memory.store("The report is due on Friday")
    before = memory.get(item.id)
    credit = memory.judge_answer("What is Mina allergic to?", right=False)
    assert (credit.credited, credit.reward.value, credit.reward.kind) == (True, -1.0, RewardKind.GIVEN)
    assert memory.policy.status().rewards == 1
    (event,) = [event for event in memory.ledger.history() if event.type.value == "rewarded"]
    assert item.id in event.memory_refs
    assert "allergic" not in str(event.detail)
    assert (memory.get(item.id).recall_count, memory.get(item.id).content) == (before.recall_count, before.content)
    again = memory.judge_answer("What is Mina allergic to?", right=True)
    assert again.turn_id != credit.turn_id
    with pytest.raises(InvalidInputError):
        memory.judge_answer("", right=True)


def test_a_judgement_is_only_noted_where_learning_is_off(clock):
    settings = Settings(learning=LearningSettings(enabled=False))
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, settings=settings) as memory:
        memory.store("Mina is allergic to peanuts")
        assert not memory.judge_answer("What is Mina allergic to?", right=True).credited
