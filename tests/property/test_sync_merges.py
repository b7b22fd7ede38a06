"""Devices that merge duplicates into each other, in circles too, never lose what the duplicates say."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.integration.sync.conftest import contents
from tests.property.test_sync import World, world

from celestial_engine import CelestialMemory
from celestial_engine.errors import CelestialError
from celestial_engine.flow.night import consolidate

DAY = 86_400.0
COPIES = 3
Step = tuple[str, int, int, int]


def some(actions: tuple[str, ...]) -> st.SearchStrategy[list[Step]]:
    step = st.tuples(
        st.sampled_from(actions), st.integers(0, 2), st.integers(0, COPIES - 1), st.integers(1, COPIES - 1)
    )
    return st.lists(step, min_size=3, max_size=16)


class Merge(NamedTuple):
    gone: str
    keeper: str


class Copies:
    """Duplicates that every device has, and what each device knows about merges of them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.ids: list[str] = []
        self.known: list[frozenset[Merge]] = [frozenset()] * 3
        self.published: list[frozenset[Merge]] = [frozenset()] * 3
        self.forgotten: set[str] = set()
        for number in range(COPIES):
            world.clock.tick()
            memory = world.memories[number % 3]
            self.ids.append(memory.store("Mina lives in Busan" + "." * number, tier="M365").id)
        world.settle()
        self.ids.sort()

    def act(self, action: str, who: int, which: int, step: int) -> None:
        memory = self.world.memories[who]
        self.world.clock.tick()
        match action:
            case "merge":
                self._merge(who, self.ids[which], self.ids[(which + step) % COPIES])
            case "folder":
                self.world.through_folder(memory)
                self.published[who] = self.known[who]
                self.known[who] = frozenset().union(self.known[who], *self.published)
            case "meet":
                other = (who + 1 + step % 2) % 3
                self.world.meet(memory, self.world.memories[other])
                self.known[who] = self.known[other] = self.known[who] | self.known[other]
            case "purge":
                for _ in range(8):  # days count on which somebody was there
                    self.world.clock.tick(DAY)
                    memory.recall("something else")
                    memory.rebalance(allow_large=True)
            case "forget":
                self._forget(who, self.ids[which])

    def _merge(self, who: int, gone: str, keeper: str) -> None:
        parts = self.world.memories[who].parts
        plan = consolidate.ConsolidationPlan((consolidate.Merge(keeper, gone),))
        if consolidate.carry_out(parts.store, parts.law(), parts.owner, plan, parts.now())["merged"]:
            self.known[who] |= {Merge(gone, keeper)}

    def _forget(self, who: int, item_id: str) -> None:
        try:
            self.world.memories[who].forget(item_id)
        except CelestialError:
            return
        covered = {item_id}
        for _ in self.ids:
            covered |= {merge.gone for merge in self.known[who] if merge.keeper in covered}
        self.forgotten |= covered


def active(memory: CelestialMemory) -> list[str]:
    return sorted(record["id"] for record in contents(memory).values() if record["state"] == "active")


CIRCLE: list[Step] = [
    ("merge", 0, 0, 1), ("merge", 2, 1, 1), ("merge", 1, 2, 2),
    ("purge", 0, 0, 1), ("purge", 1, 0, 1), ("purge", 2, 0, 1),
]  # fmt: skip


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@example([*CIRCLE, ("folder", 0, 0, 1), ("folder", 2, 0, 1), ("folder", 1, 0, 1)])
@example([*CIRCLE, ("folder", 1, 0, 1), ("folder", 0, 0, 1), ("folder", 2, 0, 1)])
@given(some(("merge", "merge", "merge", "folder", "meet", "purge")))
def test_what_duplicates_say_survives_every_order_of_merges_and_exchanges(taken: list[Step]) -> None:
    with world() as now:
        copies = Copies(now)
        for step in taken:
            copies.act(*step)
        assert all(active(memory) for memory in now.memories), "lost before the devices were done"
        now.settle()
        first, second, third = (contents(memory) for memory in now.memories)
        assert first == second == third
        assert active(now.memories[0])


# One device merges a survivor further, another one forgets it without knowing all that it stands for.
MERGED_ON: list[Step] = [("merge", 1, 1, 1), ("merge", 1, 2, 1), ("merge", 2, 0, 2), ("forget", 2, 2, 1)]


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@example(MERGED_ON)
@given(some(("merge", "merge", "merge", "folder", "meet", "forget")))
def test_forgetting_takes_only_the_duplicates_that_it_knew_of(taken: list[Step]) -> None:
    with world() as now:
        copies = Copies(now)
        for step in taken:
            copies.act(*step)
        now.settle()
        first, second, third = (contents(memory) for memory in now.memories)
        assert first == second == third
        assert active(now.memories[0]) or copies.forgotten == set(copies.ids)
