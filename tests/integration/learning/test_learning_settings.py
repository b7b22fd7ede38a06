"""Whether and how a memory learns is a setting."""

from __future__ import annotations

import pytest

from celestial_engine import CelestialMemory, Settings
from celestial_engine.core.learning.learned_policy import Learned, LearningSettings
from celestial_engine.errors import ConfigError, InvalidInputError


def opened(clock, **more) -> CelestialMemory:
    return CelestialMemory(":memory:", rebalance_interval=None, clock=clock, **more)


def test_learning_can_be_left_out(clock):
    with opened(clock, settings=Settings(learning=LearningSettings(enabled=False))) as memory:
        memory.observe("I like tea")
        memory.observe("perfect")
        status = memory.policy.status()
        assert (status.enabled, status.rewards, sum(status.actions.values())) == (False, 0, 0)


@pytest.mark.parametrize(
    ("said", "enabled", "rich"), [("on", True, False), ("off", False, False), ("rich", True, True)]
)
def test_the_environment_says_whether_it_learns(clock, monkeypatch, said, enabled, rich):
    monkeypatch.setenv("CELESTIAL_LEARNING", said)
    with opened(clock) as memory:
        assert (memory.parts.lessons.settings.enabled, memory.parts.lessons.settings.rich_state) == (enabled, rich)
    with opened(clock, settings=Settings(learning=LearningSettings())) as memory:
        assert memory.policy.status().enabled


def test_an_environment_that_says_something_else_is_refused(clock, monkeypatch):
    monkeypatch.setenv("CELESTIAL_LEARNING", "sometimes")
    with pytest.raises(ConfigError, match="CELESTIAL_LEARNING must be one of on, off, rich"):
        opened(clock)


def test_a_rich_state_adopts_no_plain_policy(clock):
    settings = LearningSettings(rich_state=True)
    with (
        opened(clock, settings=Settings(learning=settings)) as memory,
        pytest.raises(InvalidInputError, match="rich"),
    ):
        memory.policy.adopt(Learned.starting(settings), 100)
