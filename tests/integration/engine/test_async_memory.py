"""The memory for asyncio hosts: the same operations, to be awaited, and a loop that goes on meanwhile."""

from __future__ import annotations

import asyncio
import inspect
import threading

import pytest

from celestial_engine import AsyncCelestialMemory, CelestialMemory
from celestial_engine.engine.parts import Area
from celestial_engine.errors import ClosedError, EmptyContentError
from celestial_engine.testing.fakes import bag_of_words


def public(kind):
    return {name for name in dir(kind) if not name.startswith("_")}


def same_to_await(own, its):
    awaited = inspect.iscoroutinefunction(own) or inspect.isasyncgenfunction(own)
    return awaited and inspect.signature(own) == inspect.signature(its)


def test_every_operation_is_offered():
    """With the same arguments; whoever adds one to CelestialMemory adds a line here too."""
    assert public(AsyncCelestialMemory) - {"opened"} == public(CelestialMemory) - {"parts"}
    for name in public(CelestialMemory) - {"parts"}:
        own, its = getattr(AsyncCelestialMemory, name), getattr(CelestialMemory, name)
        if callable(its) and name not in ("close", "of"):
            assert same_to_await(own, its), name


def test_every_area_is_offered():
    """With the same operations."""

    async def run():
        async with AsyncCelestialMemory(":memory:", rebalance_interval=None) as memory:
            engine = await memory.opened()
            areas = [name for name in public(CelestialMemory) if isinstance(getattr(engine, name), Area)]
            assert len(areas) == 15
            pairs = [(name, getattr(memory, name), getattr(engine, name)) for name in areas]
            pairs.append(("propose", memory.self.propose, engine.self.propose))
            for name, own, its in pairs:
                offered = {one for one in public(type(own)) if one != "opened"}
                assert offered == public(type(its)) - {"runner"}, name
                for one in offered:
                    assert same_to_await(getattr(type(own), one), getattr(type(its), one)), f"{name}.{one}"

    asyncio.run(run())


def test_settings_are_those_of_the_memory():
    assert inspect.signature(AsyncCelestialMemory) == inspect.signature(CelestialMemory)


def test_a_day_of_it(tmp_path):
    async def run():
        async with AsyncCelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:
            item = await memory.store("The user's cat is called Mochi", importance=0.9)
            assert [hit.id for hit in await memory.recall("what is the cat called?")] == [item.id]
            assert (await memory.recall("cat", explain=True)).hits
            assert (await memory.compose("cat", 200)).used
            await memory.forget(item.id)
            assert [gone.id for gone in await memory.departures.cliff()] == [item.id]
            assert memory.path == str(tmp_path / "m.db")
            assert (await memory.orbits.zones())[0].name == "core"
            return item.id

    item_id = asyncio.run(run())
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:
        assert memory.get(item_id).recall_count == 3


def test_the_loop_goes_on_meanwhile():
    """The embedder waits for something that only the loop can do."""
    released = threading.Event()

    def patient(text):
        assert released.wait(30), "the loop stood still"
        return bag_of_words(text)

    async def run():
        async with AsyncCelestialMemory(":memory:", rebalance_interval=None, embed_fn=patient) as memory:
            storing = asyncio.create_task(memory.store("slow to embed"))
            await asyncio.sleep(0)
            released.set()
            return await storing

    assert asyncio.run(run()).content == "slow to embed"


def test_many_at_once():
    async def run():
        async with AsyncCelestialMemory(":memory:", rebalance_interval=None) as memory:
            await asyncio.gather(*(memory.store(f"memory number {number}") for number in range(40)))
            return (await memory.stats())["total"], [record["content"] async for record in memory.transfer.export()]

    total, exported = asyncio.run(run())
    assert total == 40
    assert sorted(exported) == sorted(f"memory number {number}" for number in range(40))


def test_nothing_is_opened_before_it_is_needed(tmp_path):
    async def run():
        memory = AsyncCelestialMemory(tmp_path / "m.db", rebalance_interval=None)
        assert not (tmp_path / "m.db").exists()
        with pytest.raises(ClosedError):
            _ = memory.owner
        first, second = await asyncio.gather(memory.opened(), memory.opened())
        assert first is second
        await memory.close()
        await memory.close()
        with pytest.raises(ClosedError):
            await memory.store("too late")
        never = AsyncCelestialMemory(tmp_path / "n.db")
        await never.close()
        with pytest.raises(ClosedError):
            await never.stats()

    asyncio.run(run())


def test_errors_come_through():
    async def run():
        async with AsyncCelestialMemory(":memory:", rebalance_interval=None) as memory:
            with pytest.raises(EmptyContentError):
                await memory.store(" ")

    asyncio.run(run())
