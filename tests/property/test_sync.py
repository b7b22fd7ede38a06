"""Three devices: whatever they do, and in whatever order they meet, they end with equal memories and lose none."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.integration.sync.conftest import Clock, contents

from celestial_engine import CelestialMemory
from celestial_engine.core.sync.item_state import ItemState
from celestial_engine.core.sync.registers import Register
from celestial_engine.engine.sync import remote
from celestial_engine.errors import CelestialError

DEVICES = ("laptop", "phone", "desk")
TEXTS = (
    "Mina lives in Busan",
    "내 고양이 이름은 나비야",
    "The report is due on Friday",
    "I like green tea",
    "커피는 안 마셔",
)
ACTIONS = ("store", "update", "recall", "forget", "restore", "erase", "pin", "rate", "core", "link", "folder", "meet")


def some(actions: tuple[str, ...]) -> st.SearchStrategy[list[tuple[str, int, int, int]]]:
    step = st.tuples(st.sampled_from(actions), st.integers(0, 2), st.integers(0, 7), st.integers(0, 4))
    return st.lists(step, min_size=4, max_size=24)


steps, steps_with_nights = some(ACTIONS), some((*ACTIONS, "night", "night", "days"))


class InProcess:
    """A device that answers without a network."""

    def __init__(self, memory: CelestialMemory) -> None:
        self._memory = memory

    def status(self) -> dict[str, Any]:
        return {"device": self._memory.sync.status().device}

    def exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        given = {name: request[name] for name in ("previous", "token", "received")}
        return self._memory.sync.answer(request["device"], request["bundle"], **given)._asdict()


class World:
    def __init__(self, memories: list[CelestialMemory], folder: str, clock: Clock) -> None:
        self.memories, self.folder, self.clock = memories, folder, clock
        self.stored: list[str] = []
        self.erased: set[str] = set()

    def act(self, action: str, who: int, which: int, number: int) -> None:
        memory = self.memories[who]
        self.clock.tick()
        if action == "store":
            self.stored.append(memory.store(f"{TEXTS[number]} ({len(self.stored)})").id)
            return
        if action == "folder":
            self.through_folder(memory)
            return
        if action == "meet":
            self.meet(memory, self.memories[(who + 1 + which % 2) % 3])
            return
        if action == "recall":
            memory.recall(TEXTS[number])
            return
        if action == "days":
            self.clock.tick(86_400.0 * (1 + 10 * number))
            return
        if action == "night":
            memory.recall(TEXTS[number])
            memory.sleep(force=True, allow_large=True)
            memory.rebalance(allow_large=True)
            return
        if not self.stored:
            return
        item_id = self.stored[which % len(self.stored)]
        try:
            self._change(memory, action, item_id, number)
        except CelestialError:
            return  # not here, forgotten or protected

    def _change(self, memory: CelestialMemory, action: str, item_id: str, number: int) -> None:
        match action:
            case "update":
                memory.update(item_id, content=f"{TEXTS[number]}, {self.clock.now}")
            case "forget":
                memory.forget(item_id)
                self.erased.add(item_id)
            case "restore":
                memory.restore(item_id)
            case "erase":
                self.erased |= set(memory.departures.erase([item_id]))
            case "pin":
                memory.pin(item_id)
            case "rate":
                memory.rate(item_id, 1 + number)
            case "core":
                memory.self.approve_core(item_id, by="Mina")
            case "link":
                memory.store("linked", related=[item_id])

    def through_folder(self, memory: CelestialMemory) -> bool:
        """Returns whether anything was sent or read."""
        report = memory.sync.with_folder(self.folder, plaintext=True)
        assert report.problems == ()
        assert report.waiting == ()
        return bool(report.sent or report.read)

    def meet(self, memory: CelestialMemory, other: CelestialMemory) -> None:
        device = memory.sync._device(None)
        remote.exchange(memory.parts, device, InProcess(other), "other", None)

    def settle(self) -> None:
        for _ in range(8):
            told = [self.through_folder(memory) for memory in self.memories]
            if not any(told):
                return
        raise AssertionError("the devices keep telling each other something new")


@contextmanager
def world() -> Iterator[World]:
    clock, folder = Clock(), tempfile.mkdtemp(prefix="sync-")
    with ExitStack() as stack:
        memories = [
            stack.enter_context(CelestialMemory(":memory:", rebalance_interval=None, clock=clock, embedder="none"))
            for _ in DEVICES
        ]
        for memory, name in zip(memories, DEVICES, strict=True):
            memory.sync.status(name=name)
        yield World(memories, folder, clock)
    shutil.rmtree(folder)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(steps)
def test_any_order_of_changes_and_exchanges_ends_in_equal_memories(taken: list[tuple[str, int, int, int]]) -> None:
    with world() as now:
        for step in taken:
            now.act(*step)
        now.settle()
        first, second, third = (contents(memory) for memory in now.memories)
        assert first == second == third
        for item_id in now.stored:
            assert item_id in first or item_id in now.erased, "a store that nobody forgot is lost"
        for memory in now.memories:
            assert memory.ledger.verify().ok
            assert list(memory.maintenance.check()) == []


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(steps_with_nights)
def test_nights_on_every_device_end_in_equal_memories_too(taken: list[tuple[str, int, int, int]]) -> None:
    """Each device merges, promotes, fades and forgets for itself."""
    with world() as now:
        for step in taken:
            now.act(*step)
        now.settle()
        first, second, third = (contents(memory) for memory in now.memories)
        assert first == second == third


registers = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.booleans()), max_size=12)


@given(registers)
def test_joining_registers_is_commutative_associative_and_idempotent(
    writes: list[tuple[int, int, bool]],
) -> None:
    replicas = [Register(), Register(), Register()]
    for number, (who, value, join) in enumerate(writes, 1):
        if join:
            replicas[who] = replicas[who].join(replicas[(who + 1) % 3])
        else:
            replicas[who] = replicas[who].write(str(who), number, float(value), value)
    one, two, three = replicas
    assert one.join(two) == two.join(one)
    assert one.join(two).join(three) == one.join(two.join(three))
    assert one.join(one) == one
    assert Register.from_json(one.to_json()) == one


def test_a_state_survives_its_bytes() -> None:
    state = ItemState().with_count("recall_count", "laptop", 1, 3)
    assert ItemState.from_json(state.marks_json(), state.texts_json()) == state
    assert state.count("recall_count") == 3
