"""What becomes of the events of a session: each remembered once, as it was said, or not at all."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timezone

from google.adk.events import Event
from google.adk.memory.memory_entry import MemoryEntry
from google.genai import types

from celestial_engine import CelestialMemory, Source, State, Tier
from celestial_engine.adapters import CelestialMemoryService


def test_a_session_is_remembered_once_however_often_it_is_added(memory, clock, event, session, kept):
    """At once, days later, grown by a turn, and together with others at the same moment."""
    service = CelestialMemoryService(memory)
    events = [event("I live in Busan."), event("Noted.", "assistant")]

    async def add(*added, times=1):
        await asyncio.gather(*(service.add_session_to_memory(session(*added)) for _ in range(times)))

    asyncio.run(add(*events, times=8))
    assert kept(memory) == ["I live in Busan.", "Noted."]
    clock.advance(days=3)
    events.append(event("I moved to Seoul."))
    asyncio.run(add(*events, times=3))
    assert kept(memory) == ["I live in Busan.", "Noted.", "I moved to Seoul."]


def test_several_processes_on_one_file_remember_a_session_once(tmp_path, event, session, kept):
    """Each with a memory of its own, as servers behind one address have."""
    told = session(*(event(f"I have {number} apples.") for number in range(5)))
    memories = [CelestialMemory(tmp_path / "a.db", rebalance_interval=None) for _ in range(3)]

    async def play():
        services = [CelestialMemoryService(memory) for memory in memories]
        await asyncio.gather(*(service.add_session_to_memory(told) for service in services))

    asyncio.run(play())
    assert sorted(kept(memories[0])) == [f"I have {number} apples." for number in range(5)]
    for memory in memories:
        memory.close()


def test_the_same_words_said_twice_are_two_events(memory, event, session, kept):
    asyncio.run(CelestialMemoryService(memory).add_session_to_memory(session(event("yes"), event("yes"))))
    assert kept(memory) == ["yes", "yes"]


def test_what_was_deleted_does_not_come_back_with_its_session(memory, clock, event, session, found, texts, kept):
    service, told = CelestialMemoryService(memory), session(event("I like tea."), event("I like cake."))

    async def play():
        await service.add_session_to_memory(told)
        entry = (await found(service, "tea"))[0]
        await service.delete_memory(app_name="app", user_id="mina", memory_id=entry.id)
        clock.advance(days=2)
        await service.add_session_to_memory(told)
        return await found(service, "tea")

    assert "I like tea." not in texts(asyncio.run(play()))
    assert kept(memory, states=(State.ACTIVE,)) == ["I like cake."]


def test_thoughts_calls_pictures_and_parts_of_a_stream_are_not_remembered(memory, event, session, kept):
    parts = [
        types.Part(text="let me think", thought=True),
        types.Part.from_function_call(name="load_memory", args={}),
        types.Part.from_bytes(data=b"png", mime_type="image/png"),
    ]
    silent = Event(author="assistant", invocation_id="i", content=types.Content(role="model", parts=parts))
    nothing = Event(author="assistant", invocation_id="i")
    partial = event("I li", "assistant", partial=True)
    asyncio.run(CelestialMemoryService(memory).add_session_to_memory(session(silent, nothing, partial)))
    assert kept(memory) == []


def test_a_memory_keeps_who_said_it_when_and_in_which_session(memory, event, session):
    asyncio.run(CelestialMemoryService(memory).add_session_to_memory(session(event("Noted.", "nurse"))))
    (item,) = memory.of("mina", "app").list()
    assert (item.metadata["speaker"], item.time.session_id, item.tier) == ("nurse", "s-1", Tier.M30)
    assert (item.source, item.agent.role) == (Source.CONVERSATION, "assistant")
    assert datetime.fromisoformat(item.metadata["date"]) == datetime.fromtimestamp(1_700_000_000, timezone.utc)


def test_an_event_that_cannot_be_remembered_does_not_hold_up_the_others(memory, caplog, event, session, kept):
    told = session(event("I like tea."), event("x" * 2_000_000), event("I like cake."))
    with caplog.at_level(logging.WARNING):
        asyncio.run(CelestialMemoryService(memory).add_session_to_memory(told))
    assert kept(memory) == ["I like tea.", "I like cake."]
    assert "a turn was not remembered" in caplog.text


def test_worthwhile_keeps_what_the_memory_would(memory, event, session, kept):
    told = session(
        event("안녕!"), event("내 이름은 민아야."), event("반가워요, 민아님.", "assistant"), event("오늘 몇 시야?")
    )
    service = CelestialMemoryService(memory, keep="worthwhile")

    async def play():
        await service.add_session_to_memory(told)
        await service.add_session_to_memory(told)

    asyncio.run(play())
    assert kept(memory) == ["내 이름은 민아야."]
    assert memory.of("mina", "app").list()[0].mention_count == 0


def test_events_alone_can_be_added_with_or_without_a_session(memory, event, kept):
    service, told = CelestialMemoryService(memory), [event("I like tea.")]

    async def play():
        for _ in range(2):
            await service.add_events_to_memory(app_name="app", user_id="mina", events=told, session_id="s-1")
            await service.add_events_to_memory(
                app_name="other", user_id="mina", events=told, custom_metadata={"topic": "drinks"}
            )

    asyncio.run(play())
    assert kept(memory) == ["I like tea."]
    (other,) = memory.of("mina", "other").list()
    assert other.metadata["topic"] == "drinks"


def test_texts_can_be_remembered_on_purpose(memory, found, texts):
    service = CelestialMemoryService(memory)
    content = types.Content(role="user", parts=[types.Part.from_text(text="민아는 녹차를 좋아한다")])
    entries = [MemoryEntry(id="m-1", content=content, author="user"), MemoryEntry(content=types.Content(parts=[]))]

    async def play():
        for _ in range(2):
            await service.add_memory(app_name="app", user_id="mina", memories=entries)
        return await found(service, "민아가 좋아하는 차")

    assert texts(asyncio.run(play())) == ["민아는 녹차를 좋아한다"]
    assert [item.tier for item in memory.of("mina", "app").list()] == [Tier.M365]
