"""The service itself: what a search gives, to whom, and on which memory and thread."""

from __future__ import annotations

import asyncio
import threading

import pytest
from google.adk.memory import InMemoryMemoryService

from celestial_engine import AsyncCelestialMemory, State
from celestial_engine.adapters import CelestialMemoryService
from celestial_engine.errors import InvalidInputError, InvalidOwnerError, NotFoundError


def test_a_search_finds_what_the_frameworks_own_service_finds(memory, event, session, found, texts):
    """Beside InMemoryMemoryService, which matches words: every hit of its is one of ours."""
    told = session(*(event(text) for text in ("green tea is calming", "black coffee wakes up", "rooibos tea is red")))
    ours, theirs = CelestialMemoryService(memory), InMemoryMemoryService()

    async def play():
        for service in (ours, theirs):
            await service.add_session_to_memory(told)
        return [(texts(await found(ours, q)), texts(await found(theirs, q))) for q in ("tea", "coffee", "calming")]

    for mine, reference in asyncio.run(play()):
        assert reference
        assert set(reference) <= set(mine)


def test_an_entry_tells_its_id_zone_and_score(memory, event, session, found):
    service = CelestialMemoryService(memory)

    async def play():
        await service.add_session_to_memory(session(event("I like tea.")))
        return await found(service, "tea")

    (entry,) = asyncio.run(play())
    assert memory.of("mina", "app").get(entry.id).content == "I like tea."
    assert entry.custom_metadata["zone"] in {zone.name for zone in memory.orbits.zones()}
    assert isinstance(entry.custom_metadata["score"], float)
    assert (entry.author, entry.content.role, entry.timestamp[:10]) == ("user", "user", "2023-11-14")
    assert entry.model_dump_json()


def test_a_search_gives_at_most_the_limit(memory, found):
    for number in range(5):
        memory.of("mina", "app").store(f"tea number {number}")
    assert len(asyncio.run(found(CelestialMemoryService(memory, limit=3), "tea"))) == 3


def test_users_and_apps_never_see_each_other(memory, event, session, found, texts):
    service = CelestialMemoryService(memory)
    owners = [(user, app) for user in ("a", "b", "c", "d") for app in ("x", "y")]

    async def play():
        await asyncio.gather(
            *(
                service.add_session_to_memory(
                    session(event(f"the secret of {user} in {app}"), user_id=user, app_name=app)
                )
                for user, app in owners
            )
        )
        searches = (found(service, "secret", user_id=user, app_name=app) for user, app in owners)
        return await asyncio.gather(*searches)

    for (user, app), hits in zip(owners, asyncio.run(play()), strict=True):
        assert texts(hits) == [f"the secret of {user} in {app}"]
    assert memory.list() == []


def test_another_users_memory_cannot_be_deleted(memory):
    item = memory.of("b", "app").store("the secret of b")
    service = CelestialMemoryService(memory)
    with pytest.raises(NotFoundError):
        asyncio.run(service.delete_memory(app_name="app", user_id="a", memory_id=item.id))
    asyncio.run(service.delete_memory(app_name="app", user_id="b", memory_id=None))
    assert memory.of("b", "app").get(item.id).state is State.ACTIVE


def test_wrong_settings_and_owners_are_refused(memory, event, session):
    with pytest.raises(InvalidInputError, match="must be a CelestialMemory"):
        CelestialMemoryService("memory.db")
    with pytest.raises(InvalidInputError, match="keep"):
        CelestialMemoryService(memory, keep="some")
    with pytest.raises(InvalidInputError):
        CelestialMemoryService(memory, limit=-1)
    with pytest.raises(InvalidOwnerError):
        asyncio.run(CelestialMemoryService(memory).add_session_to_memory(session(event("tea"), user_id=" ")))


def test_an_async_memory_serves_as_well(tmp_path, event, session, found, texts):
    async def play():
        async with AsyncCelestialMemory(tmp_path / "a.db", rebalance_interval=None) as memory:
            service = CelestialMemoryService(memory)
            await service.add_session_to_memory(session(event("I like tea.")))
            return texts(await found(service, "tea"))

    assert asyncio.run(play()) == ["I like tea."]


def test_the_event_loop_is_never_blocked(memory, threads_of, event, session, found):
    threads = threads_of("recall", "store", "list")
    service = CelestialMemoryService(memory)

    async def play():
        await service.add_session_to_memory(session(event("I like tea.")))
        return await found(service, "tea")

    assert asyncio.run(play())
    assert threading.main_thread() not in threads
