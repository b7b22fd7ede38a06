"""Several engines learn on one file, and no lesson is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from celestial_engine import CelestialMemory, ReadingSettings, Settings
from celestial_engine.core.learning.network import PlainArithmetic
from celestial_engine.core.record.item import Category
from celestial_engine.core.record.labels import Lifetime
from celestial_engine.core.record.reading import Reading

MIDDLING = "The deploy pipeline of the server feels slow and heavy"


def unsure(text: str, previous: str | None) -> Reading:
    """Neither surely worth keeping nor surely not; the rules would keep it."""
    return Reading(keep=0.5, category=Category.TECHNICAL, lifetime=Lifetime.LASTING)


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "m.db")


def opened(path, clock, **more) -> CelestialMemory:
    settings = Settings(reading=ReadingSettings(reader=unsure))
    return CelestialMemory(path, rebalance_interval=None, clock=clock, settings=settings, **more)


class Interrupted:
    """The usual sums, but somebody comes in between, so many times."""

    def __init__(self, times: int, come: Callable[[], object]) -> None:
        self._plain, self._left, self._come = PlainArithmetic(), times, come

    def batch(self, network):
        return self._plain.batch(network)

    def values(self, network, state):
        return self._plain.values(network, state)

    def trained(self, network, samples, training):
        if self._left:
            self._left -= 1
            self._come()
        return self._plain.trained(network, samples, training)


@pytest.mark.parametrize("times", [1, 2])
def test_what_others_learn_meanwhile_is_not_lost(path, clock, times):
    """They do not wait for a lesson to end, either: they learn and store in the midst of it."""
    with opened(path, clock) as memory, opened(path, clock) as other:
        said = [memory.observe(f"{MIDDLING} {number}", session_id=str(number)) for number in range(4)]
        waiting = iter(said[1:])

        def come() -> None:
            assert other.feedback(next(waiting).decision.turn_id, reward=1.0).credited
            other.store("said in between")

        memory.parts.lessons.arithmetic = Interrupted(times, come)
        assert memory.feedback(said[0].decision.turn_id, reward=1.0).credited
        status = other.policy.status()
        assert (status.rewards, status.updates) == (1 + times, 1 + times)


def test_a_turn_that_another_credited_meanwhile_is_credited_once(path, clock):
    with opened(path, clock) as memory, opened(path, clock) as other:
        turn = memory.observe(MIDDLING).decision.turn_id
        memory.parts.lessons.arithmetic = Interrupted(1, lambda: other.feedback(turn, reward=-1.0))
        credit = memory.feedback(turn, reward=1.0)
        assert (credit.credited, credit.reward.value) == (False, -1.0)
        assert memory.policy.status().rewards == 1


def test_two_engines_on_one_file_lose_no_lesson(path, clock):
    with opened(path, clock) as one, opened(path, clock) as other:
        for number in range(20):
            memory = (one, other)[number % 2]
            turn = memory.observe(f"{MIDDLING} {number}", session_id=str(number)).decision.turn_id
            memory.feedback(turn, reward=1.0)
            assert one.policy.status().rewards == other.policy.status().rewards == number + 1
