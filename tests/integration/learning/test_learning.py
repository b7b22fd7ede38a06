"""Learning through the engine: rewards reach decisions and ranks, and survive a restart."""

from __future__ import annotations

import logging
import sqlite3

import pytest

from celestial_engine import CelestialMemory, ReadingSettings, Settings
from celestial_engine.core.learning.checkpoints import digest_of, packed
from celestial_engine.core.learning.credit import PendingHit, PendingTurn
from celestial_engine.core.learning.learned_policy import Exam, Learned, LearningSettings
from celestial_engine.core.learning.seeded_random import mixed, uniforms
from celestial_engine.core.record.item import Category
from celestial_engine.core.record.labels import Lifetime
from celestial_engine.core.record.reading import Reading
from celestial_engine.core.turn.conversation import Utterance
from celestial_engine.core.turn.policy import Action, Phase
from celestial_engine.errors import CheckpointNotFoundError, InvalidInputError
from celestial_engine.testing.fakes import bag_of_words

MIDDLING = "The deploy pipeline of the server feels slow and heavy"


def unsure(text: str, previous: str | None) -> Reading:
    """Neither surely worth keeping nor surely not; the rules would keep it."""
    return Reading(keep=0.5, category=Category.TECHNICAL, lifetime=Lifetime.LASTING)


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "m.db")


def opened(path, clock, **more) -> CelestialMemory:
    settings = more.pop("settings", Settings(reading=ReadingSettings(reader=unsure)))
    return CelestialMemory(path, rebalance_interval=None, clock=clock, settings=settings, **more)


def taught(memory: CelestialMemory, wanted: Action, turns: int = 100, seed: int = 3) -> None:
    """Turns like MIDDLING, each action tried; only one of them pleases."""
    chance, owner = uniforms(seed), memory.owner
    state = memory.decide(MIDDLING).features.state
    for number in range(turns):
        action = list(Action)[int(next(chance) * 3)]
        turn = PendingTurn(f"{seed}-{number}", "s", memory.parts.now(), action, Phase.LEARNED, state, action, action)
        with memory.parts.store.write(memory.owner) as session:
            session.lessons.add_turn(owner, turn, 500)
        memory.feedback(turn.turn_id, reward=1.0 if action is wanted else 0.2)


def usual_decisions(memory: CelestialMemory, count: int = 40) -> dict[Action, int]:
    found = [memory.decide(MIDDLING).action for _ in range(count)]
    return {action: found.count(action) for action in Action}


def test_before_any_reward_the_rules_decide(path, clock):
    with opened(path, clock) as memory:
        assert {memory.decide(MIDDLING).phase for _ in range(50)} == {Phase.RULES}
        assert memory.policy.status().version == 0
        assert memory.policy.versions() == []


def test_what_was_learned_changes_decisions_and_survives_a_restart(path, clock):
    """Proved by what it does, before and after."""
    with opened(path, clock) as memory:
        assert usual_decisions(memory)[Action.SAVE] == 40
        taught(memory, Action.SKIP)
        before = usual_decisions(memory)
        assert before[Action.SKIP] > 26
        status = memory.policy.status()
    with opened(path, clock) as memory:
        after = usual_decisions(memory)
        assert after[Action.SKIP] > 26
        assert memory.decide(MIDDLING).phase is Phase.LEARNED
        assert memory.policy.status() == status
        assert (status.updates, status.rewards) == (100, 100)
        assert 0.1 < status.mean_reward < 1.0


def test_an_owner_learns_for_itself(path, clock):
    with opened(path, clock) as memory:
        taught(memory, Action.SKIP, 60)
        assert memory.of("another").policy.status().rewards == 0
        decided = {memory.of("another").decide(MIDDLING).phase for _ in range(20)}
        assert decided == {Phase.RULES}


@pytest.mark.slow
def test_a_rich_state_learns_what_the_ten_numbers_cannot_tell(clock):
    """Two sentences with the same features, one of them unwanted."""
    wanted, unwanted = "The deploy pipeline of the server is heavy", "The render pipeline of the server is heavy"
    settings = LearningSettings(rich_state=True)
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, embed_fn=bag_of_words, settings=Settings(learning=settings, reading=ReadingSettings(reader=unsure))) as memory:  # fmt: skip
        features = memory.decide(wanted).features.state
        assert features == memory.decide(unwanted).features.state
        for number in range(60):
            text = (wanted, unwanted)[number % 2]
            action = (Action.SAVE, Action.SKIP)[mixed(1, number) % 2]
            state = (*memory.parts.lessons.sentence(Utterance(text)), *features)
            turn = PendingTurn(f"t{number}", "s", clock(), action, Phase.RULES, state, action, action)
            with memory.parts.store.write(memory.owner) as session:
                session.lessons.add_turn(memory.owner, turn, 500)
            memory.feedback(turn.turn_id, reward=1.0 if (action is Action.SAVE) == (text is wanted) else -0.2)
        kept = [memory.decide(wanted).action for _ in range(20)].count(Action.SAVE)
        left = [memory.decide(unwanted).action for _ in range(20)].count(Action.SAVE)
        assert kept > 12
        assert left < 8


# -- ranks --------------------------------------------------------------------------------------------


def test_the_reranker_learns_from_feedback_and_recall_uses_it(path, clock):
    """Of two that match alike users prefer the one that was second."""
    question = "coffee beans"
    with opened(path, clock) as memory:
        other = memory.store("water the plants").id
        pair = [
            memory.store("coffee beans from the shop").id,
            memory.store("coffee beans and a shop", related=[other]).id,
        ]
        first = [hit.item.id for hit in memory.search(question, explain=True).hits]
        loser = first[-1]
        hits = {hit.item.id: tuple(hit.features.values()) for hit in memory.search(question, explain=True).hits}
        for number in range(120):
            pleased = number % 2 == 0
            shown = loser if pleased else first[0]
            turn = PendingTurn(f"r{number}", "s", clock(), Action.RETRIEVE, Phase.RULES, (0.0,) * 10, Action.RETRIEVE,
                             Action.RETRIEVE, hits=(PendingHit(shown, hits[shown]),))  # fmt: skip
            with memory.parts.store.write(memory.owner) as session:
                session.lessons.add_turn(memory.owner, turn, 500)
            memory.feedback(turn.turn_id, reward=1.0 if pleased else -1.0)
        assert set(pair) == set(first)
        assert memory.policy.status().reranker_updates > 80
        assert [item.id for item in memory.search(question)] == first[::-1]
    with opened(path, clock) as memory:
        assert [item.id for item in memory.search(question)] == first[::-1]
        memory.policy.rollback(0)
        assert [item.id for item in memory.search(question)] == first


# -- versions -----------------------------------------------------------------------------------------


def damage(path: str, sql: str) -> None:
    db = sqlite3.connect(path)
    with db:
        db.execute(sql)
    db.close()


def test_versions_come_and_go(path, clock):
    settings = LearningSettings(updates_a_checkpoint=5, checkpoints_kept=3)
    with opened(path, clock, settings=Settings(learning=settings, reading=ReadingSettings(reader=unsure))) as memory:
        taught(memory, Action.SKIP, 30)
        assert [one.version for one in memory.policy.versions()] == [6, 5, 4]
        learned = [event for event in memory.ledger.history() if event.type.value == "learned"]
        assert [event.detail["version"] for event in learned] == [6, 5, 4, 3, 2, 1]


def test_rolling_back_is_a_new_version(path, clock):
    learning = LearningSettings(updates_a_checkpoint=50)
    with opened(path, clock, settings=Settings(learning=learning, reading=ReadingSettings(reader=unsure))) as memory:
        taught(memory, Action.SKIP)
        skipping = usual_decisions(memory)[Action.SKIP]
        taught(memory, Action.SAVE, 200, seed=9)
        assert usual_decisions(memory)[Action.SKIP] < skipping
        chosen = next(one for one in memory.policy.versions() if one.metrics["rewards"] == 100)
        assert memory.policy.rollback(chosen.version).version == memory.policy.status().version
        assert usual_decisions(memory)[Action.SKIP] > 26
        memory.policy.rollback(0)
        assert {memory.decide(MIDDLING).phase for _ in range(20)} == {Phase.RULES}
        with pytest.raises(CheckpointNotFoundError):
            memory.policy.rollback(99)
        with pytest.raises(InvalidInputError):
            memory.policy.rollback("1")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "harm",
    [
        "packed = zeroblob(50)",
        "packed = substr(packed, 1, 100)",
        "digest = 'x'",
        "packed = 'text'",
        "metrics = 'no json', digest = ''",
    ],
)
def test_a_damaged_version_is_passed_over(path, clock, caplog, harm):
    """The one before it is used, with a warning; nothing is raised, and learning goes on in a new version."""
    with opened(path, clock, settings=Settings(learning=LearningSettings(updates_a_checkpoint=10))) as memory:
        taught(memory, Action.SKIP, 105)
        newest = memory.policy.status().version
    damage(path, f"UPDATE checkpoints SET {harm} WHERE version = {newest}")
    with caplog.at_level(logging.WARNING), opened(path, clock) as memory:
        status = memory.policy.status()
        assert (status.version, status.damaged) == (newest - 1, (newest,))
        assert usual_decisions(memory)[Action.SKIP] > 26
        with pytest.raises(CheckpointNotFoundError):
            memory.policy.rollback(newest)
        turn = memory.observe("I like tea").decision.turn_id
        assert memory.feedback(turn, reward=1.0).version == newest + 1
        assert memory.policy.status().damaged == ()
    assert sum("is damaged" in record.message for record in caplog.records) == 1


def test_if_every_version_is_damaged_it_begins_anew(path, clock):
    with opened(path, clock, settings=Settings(learning=LearningSettings(updates_a_checkpoint=10))) as memory:
        taught(memory, Action.SKIP, 60)
    damage(path, "UPDATE checkpoints SET packed = x'00'")
    with opened(path, clock) as memory:
        assert memory.policy.status().version == 0
        assert {memory.decide(MIDDLING).phase for _ in range(20)} == {Phase.RULES}
        assert [item.content for item in memory.recall("tea")] == []
        memory.observe("I like tea")
        assert memory.feedback(reward=1.0).credited
        assert memory.policy.status().rewards == 1


# -- the guard rail -----------------------------------------------------------------------------------


def test_a_policy_that_does_worse_is_switched_off_and_says_so(path, clock, caplog):
    """Rules decide again; the user may go back to an earlier version."""
    with opened(path, clock) as memory:
        taught(memory, Action.SKIP)
        good = memory.policy.status().version
        state = memory.decide(MIDDLING).features.state
        with caplog.at_level(logging.WARNING):
            for number in range(40):
                learned_acts = number % 2 == 0
                action = Action.SKIP if learned_acts else Action.SAVE
                turn = PendingTurn(f"e{number}", "s", clock(), action, Phase.LEARNED, state, Action.SAVE, Action.SKIP,
                                 exam=True)  # fmt: skip
                with memory.parts.store.write(memory.owner) as session:
                    session.lessons.add_turn(memory.owner, turn, 500)
                memory.feedback(turn.turn_id, reward=-0.5 if learned_acts else 0.5)
        status = memory.policy.status()
        assert not status.on
        assert status.exams["learned"].mean_reward < status.exams["rules"].mean_reward
        assert {memory.decide(MIDDLING).phase for _ in range(20)} == {Phase.RULES}
        said = [record for record in caplog.records if "switched off" in record.message]
        assert len(said) == 1
        assert memory.ledger.history(limit=100)[0].type.value in ("rewarded", "learned")
        off = [event for event in memory.ledger.history(limit=100) if event.detail.get("switched_off") == "policy"]
        assert len(off) == 1
        memory.policy.rollback(good)
        assert memory.policy.status().on
        assert memory.decide(MIDDLING).phase is Phase.LEARNED


def test_being_off_survives_a_restart(path, clock):
    off = Learned.starting(LearningSettings())
    raw = packed(Learned(off.network, off.reranker, 5, 0, 9, 0.1, 1.0, False, True, (Exam(True, -1.0),)))
    with opened(path, clock) as memory:
        memory.observe("I like tea")
        memory.feedback(reward=1.0)
    db = sqlite3.connect(path)
    with db:
        db.execute("UPDATE checkpoints SET packed = ?, digest = ?", (raw, digest_of(raw)))
    db.close()
    with opened(path, clock) as memory:
        assert not memory.policy.status().on
        assert {memory.decide(MIDDLING).phase for _ in range(20)} == {Phase.RULES}
