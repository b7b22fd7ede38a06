"""Gists that are missing or wrong, and importance that follows what happened."""

from __future__ import annotations

from dataclasses import replace

import pytest

from celestial_engine.core.orbit.memory_function import RESTING
from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.flow.night import appraise, regenerate
from celestial_engine.flow.turn.evaluate import evaluate


def test_missing_gists_are_made(memory, clock, night, kinds):
    item = memory.store("민수는 김치찌개를 좋아한다")
    bare = type(item.resolution)()
    with memory.parts.store.write(memory.owner) as session:
        stored = session.items.get(item.owner, item.id)
        stored.resolution = bare
        session.items.rewrite(stored, RESTING)
    assert night.plan(regenerate).item_ids == (item.id,)
    assert night.do(regenerate, memory.parts.recorder.perceiver.perceive) == {"regenerated": 1}
    assert memory.get(item.id).resolution == item.resolution
    assert kinds(memory, item.id)[0] is EventType.APPRAISED
    assert night.plan(regenerate).item_ids == night.plan(regenerate, thorough=True).item_ids == ()


def test_a_gist_that_says_what_its_text_does_not_is_made_anew(memory, clock, night):
    item = memory.store("민수는 김치찌개를 좋아한다")
    with memory.parts.store.write(memory.owner) as session:
        stored = session.items.get(item.owner, item.id)
        stored.content = "수진은 라면을 싫어한다"
        session.items.rewrite(stored, RESTING)
    plan = night.plan(regenerate, thorough=True)
    assert plan.item_ids == (item.id,)
    night.do(regenerate, memory.parts.recorder.perceiver.perceive, plan=plan)
    assert memory.get(item.id).resolution.gist == "수진은 라면을 싫어한다"
    assert night.plan(regenerate, thorough=True).item_ids == ()


def test_what_was_stored_before_texts_were_read_is_read_before_it_can_expire(calendar_time, memory, clock, kinds):
    """A name from such a time has no lifetime, and the tier of a passing remark."""
    name = memory.store("My name is Mina Park.")
    assert name.is_lasting
    with memory.parts.store.write(memory.owner) as session:
        old = replace(name, lifetime=None, address=None, tier_reason=None, tier=Tier.M30)
        session.items.rewrite(replace(old, expires_at=name.created_at + 30 * 86_400), RESTING)
    clock.advance(days=30)
    memory.sleep()
    kept = memory.get(name.id)
    assert (kept.lifetime, kept.tier, kept.address) == (name.lifetime, name.tier, name.address)
    assert kept.is_lasting
    assert EventType.APPRAISED in kinds(memory, name.id)
    assert memory.departures.cliff() == []


def test_importance_follows_what_happened_and_what_was_given_stays(memory, clock, night):
    """Links raise it, their absence lowers it again; one entry tells of all."""
    judge = lambda item: evaluate(memory.parts.recorder.evaluator, item)  # noqa: E731
    plain = memory.store("the printer is upstairs")
    given = memory.store("the scanner is upstairs", importance=0.1)
    for number in range(4):
        memory.store(f"note {number}", related=[plain.id, given.id])
    before = memory.get(plain.id).arbitrary_importance
    assert plain.id in night.plan(appraise).item_ids
    assert given.id not in night.plan(appraise).item_ids
    night.do(appraise, judge)
    raised = memory.get(plain.id)
    assert (raised.arbitrary_importance, raised.importance_source) == (pytest.approx(0.5), "evidence")
    assert raised.arbitrary_importance > before
    assert memory.ledger.history(limit=1)[0].type is EventType.APPRAISED
    assert night.plan(appraise).item_ids == ()
    assert memory.get(given.id).arbitrary_importance == 0.1
