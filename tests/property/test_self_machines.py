"""Islands, beliefs and the whole self as machines: whatever happens in whatever order, their laws hold."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from celestial_engine import CelestialMemory, Settings, StorageSettings
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.self.beliefs import Belief, with_living_supports
from celestial_engine.core.self.islands import (
    COLLAPSES_AFTER,
    Island,
    IslandStatus,
    with_current_founders,
    with_updated_strength,
)
from celestial_engine.core.self.proposals import Part
from celestial_engine.core.self.self_state import MAY_FORM, MOST_CHANGED
from celestial_engine.errors import CelestialError, TooMuchChangeError
from celestial_engine.testing.in_memory.store import DictStore

DAY = 86_400.0
STAY = COLLAPSES_AFTER.total_seconds()
IDS = ("a", "b", "c", "d")


class IslandMachine(RuleBasedStateMachine):
    """Beside it runs a plain model: which founders are core memories, and since when none is."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1_750_000_000.0
        self.core = {"a", "b"}
        self.island = Island("i", "유대", "🏠", "", ("a", "b"), self.now, since=self.now, tended_at=self.now)
        self.joined = {"a", "b"}
        self.recalls = 0
        self.bare_since: float | None = None
        self.fallen = False

    def tend(self) -> None:
        self.island = with_current_founders(self.island, self.core, self.now)
        if self.core & self.joined:
            self.bare_since = None
        elif self.bare_since is None:
            self.bare_since = self.now
        elif self.now >= self.bare_since + STAY:
            self.fallen = True

    @rule(item_id=st.sampled_from(IDS))
    def a_founder_goes(self, item_id: str) -> None:
        self.core.discard(item_id)
        self.tend()

    @rule(item_id=st.sampled_from(IDS))
    def a_founder_returns(self, item_id: str) -> None:
        if item_id in self.joined:
            self.core.add(item_id)
            self.tend()

    @rule(item_id=st.sampled_from(IDS))
    def a_new_founder_joins(self, item_id: str) -> None:
        if item_id not in self.joined:
            self.joined.add(item_id)
            self.core.add(item_id)
            founders = [*self.island.founders, item_id]
            self.island = self.island.with_part({**self.island.part, "founders": founders})
            self.tend()

    @rule(days=st.sampled_from((-3.0, 0.5, 1.0, 6.9, 7.0, 40.0)))
    def time_passes(self, days: float) -> None:
        self.now += days * DAY
        self.tend()

    @rule(recalls=st.integers(0, 30))
    def its_memories_are_recalled(self, recalls: int) -> None:
        self.recalls += recalls
        before = self.island
        self.island = with_updated_strength(before, self.recalls, self.now)
        if recalls and before.status is IslandStatus.ACTIVE and self.now <= before.tended_at:
            assert self.island.strength >= before.strength

    @rule()
    def it_is_left_alone(self) -> None:
        before, self.now = self.island.strength, self.now + DAY
        self.island = with_updated_strength(self.island, self.recalls, self.now)
        assert self.island.strength <= before + 1e-12
        self.tend()

    @invariant()
    def its_laws_hold(self) -> None:
        island = self.island
        assert 0.0 <= island.strength <= 1.0
        assert set(island.founders) == self.core & self.joined
        assert set(island.founders) | set(island.lost) == self.joined
        assert bool(island.founders) == (island.status in (IslandStatus.ACTIVE, IslandStatus.REBUILDING))
        if island.status is IslandStatus.COLLAPSED:
            assert self.fallen
            assert not island.in_behaviour
        if island.status is IslandStatus.SHAKING:
            assert self.bare_since is not None
        if island.status is IslandStatus.REBUILDING:
            assert abs(island.strength - (0.3 + 0.1 * (len(island.founders) - 1))) < 1e-9


class BeliefMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.living = set(IDS)
        self.belief = Belief("b", "나는 소중한 존재다", 0.7, IDS, 0.0)

    @rule(item_id=st.sampled_from(IDS))
    def a_support_goes(self, item_id: str) -> None:
        before = self.belief
        self.living.discard(item_id)
        self.belief = with_living_supports(before, self.living)
        assert self.belief.confidence <= before.confidence
        if item_id not in before.supports:
            assert self.belief == before

    @rule(item_id=st.sampled_from(IDS))
    def it_comes_back(self, item_id: str) -> None:
        before = self.belief
        self.living.add(item_id)
        self.belief = with_living_supports(before, self.living)
        assert self.belief.confidence >= before.confidence

    @invariant()
    def its_laws_hold(self) -> None:
        assert 0.0 <= self.belief.confidence <= 1.0
        assert set(self.belief.supports) == self.living
        assert set(self.belief.supports) | set(self.belief.lost) == set(IDS)
        assert with_living_supports(self.belief, self.living) == self.belief
        if len(self.living) == len(IDS):
            assert self.belief.confidence >= 0.6  # what came back is as sure again, but for the floor at 0


class SelfMachine(RuleBasedStateMachine):
    """The self is what approvals made of it, and nothing else made anything of it."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1_750_000_000.0
        self.memory = CelestialMemory(
            clock=lambda: self.now,
            item_store=DictStore(),
            embedder="none",
            rebalance_interval=None,
            settings=Settings(storage=StorageSettings(words="pairs")),
        )
        texts = (
            "민지가 이름을 지어줬다",
            "실수해도 괜찮다고 민지가 말했다",
            "민지와 함께 웃었다",
            "새로운 언어를 배웠다",
        )
        self.items = [self.memory.store(text, tier=Tier.M365).id for text in texts]
        self.known: dict[tuple[Part, str], str] = {}
        self.approvals = 0
        self.today: list[float] = []

    def texts(self) -> dict[tuple[Part, str], str]:
        islands = {(Part.ISLAND, one.id): one.name for one in self.memory.self.islands()}
        return {**islands, **{(Part.BELIEF, one.id): one.statement for one in self.memory.self.beliefs()}}

    @rule(
        n=st.integers(0, 3),
        kind=st.sampled_from(("core", "island", "belief", "delete", "drop")),
        name=st.integers(0, 6),
    )
    def somebody_proposes(self, n: int, kind: str, name: int) -> None:
        memory, item = self.memory, self.items[n]
        try:
            if kind == "core":
                memory.self.propose.core(item, by="agent", channel="agent")
            elif kind == "island":
                memory.self.propose.island(f"섬 {name}", [item], by="agent", channel="agent")
            elif kind == "belief":
                memory.self.propose.belief(f"나는 {name}번째 존재다", [item], by="agent", channel="agent")
            elif kind == "delete":
                memory.self.propose.core_deletion(item, by="agent", channel="agent")
            elif memory.self.beliefs():
                memory.self.propose.belief_change(memory.self.beliefs()[0].id, drop=True, by="agent", channel="agent")
        except CelestialError:
            pass

    @rule(n=st.integers(0, 9))
    def the_user_approves(self, n: int) -> None:
        waiting = self.memory.self.inbox()
        if not waiting:
            return
        one = waiting[n % len(waiting)]
        try:
            self.memory.self.approve(one.id, self.memory.self.approval_token(one.id), by="민지")
        except TooMuchChangeError:
            return
        except CelestialError:
            return
        self.approvals += 1
        for change in one.changes:
            if change.on is Part.MEMORY:
                continue
            if change.after is None:
                self.known.pop((change.on, change.id), None)
            else:
                self.known[change.on, change.id] = change.after.get("name") or change.after["statement"]
        formed = sum(change.on is not Part.MEMORY for change in one.changes)
        self.today += [self.now] * formed

    @rule(n=st.integers(0, 9))
    def the_user_rejects(self, n: int) -> None:
        waiting = self.memory.self.inbox()
        if waiting:
            self.memory.self.reject(waiting[n % len(waiting)].id, by="민지")

    @rule(n=st.integers(0, 3))
    def the_agent_lets_go(self, n: int) -> None:
        for attempt in (self.memory.forget, self.memory.restore):
            with suppress(CelestialError):
                attempt(self.items[n])

    @rule(days=st.sampled_from((0.5, 1.0, 8.0)))
    def a_night_passes(self, days: float) -> None:
        self.now += days * DAY
        self.memory.sleep(duties=["reflect"])

    @precondition(lambda self: self.approvals)
    @rule()
    def the_last_token_is_used_again(self) -> None:
        decided = [one for one in self.memory.self.inbox(None) if one.decided_at is not None]
        for one in decided[:1]:
            try:
                self.memory.self.approve(one.id, "0" * 64, by="agent")
            except CelestialError:
                continue
            raise AssertionError(one)

    @invariant()
    def the_self_is_what_was_approved(self) -> None:
        assert self.texts() == self.known
        assert len(self.memory.self.versions()) == self.approvals

    @invariant()
    def no_day_changes_too_much(self) -> None:
        lately = [at for at in self.today if at > self.now - DAY]
        assert len(lately) <= max(MAY_FORM, int(MOST_CHANGED * (len(self.today) + 1)))

    def teardown(self) -> None:
        self.memory.close()


TestIslands = IslandMachine.TestCase
TestIslands.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestBeliefs = BeliefMachine.TestCase
TestBeliefs.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)
TestSelf = SelfMachine.TestCase
TestSelf.settings = settings(max_examples=12, stateful_step_count=25, deadline=None)
