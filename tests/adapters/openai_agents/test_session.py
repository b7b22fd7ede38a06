"""What a memory adds to a session: owners, redaction, the ledger, the cliff; and real runs of the SDK."""

from __future__ import annotations

import asyncio
import json

import openai
import pytest
from agents import Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, set_tracing_disabled

from celestial_engine import AsyncCelestialMemory, CelestialMemory
from celestial_engine.adapters import CelestialSession, celestial_tools
from celestial_engine.errors import CelestialError, InvalidInputError

SHELF = "default/sessions"
KEY = "sk-ant-api03-" + "aB3_" * 23 + "AA"


@pytest.fixture(autouse=True)
def _untraced():
    set_tracing_disabled(True)


@pytest.fixture
def session(memory):
    return CelestialSession("a chat", memory)


def said(text, role="user"):
    return {"role": role, "content": text}


def done(awaitable):
    return asyncio.run(awaitable)


def test_what_was_said_does_not_answer_for_the_memory(memory, session):
    """Items lie on a shelf beside the owner: recall, lists and statistics are the owner's own memories alone."""
    memory.store("Mina likes green tea")
    done(session.add_items([said("which tea does Mina like?"), said("I do not know which tea", "assistant")]))
    assert [hit.content for hit in memory.recall("which tea does Mina like?")] == ["Mina likes green tea"]
    assert memory.stats()["total"] == 1
    assert memory.browse.sessions() == []


def test_whoever_looks_for_a_talk_finds_it_on_the_shelf(memory, session):
    done(session.add_items([said("우리 여행은 제주로 가자"), said("좋아요, 제주!", "assistant")]))
    (found,) = memory.of(agent_id=SHELF).recall("여행은 어디로?")
    assert found.content == "user: 우리 여행은 제주로 가자\nassistant: 좋아요, 제주!"
    assert found.time.session_id == "a chat"


def test_a_turn_is_one_memory(memory, session):
    """However many items: stored whole or not at all, and judged once."""
    done(session.add_items([said(str(n)) for n in range(50)]))
    assert len(memory.of(agent_id=SHELF).list()) == 1
    done(session.add_items([]))
    assert len(memory.of(agent_id=SHELF).list()) == 1


def test_big_turns_are_spread_and_come_back_whole(memory, session):
    items = [said(f"{n} " + "나" * 20_000) for n in range(20)]
    done(session.add_items(items))
    assert len(memory.of(agent_id=SHELF).list()) > 5
    assert done(session.get_items()) == items
    assert done(session.get_items(3)) == items[-3:]


def test_long_texts_leave_with_their_item(memory, session):
    done(session.add_items([said("short"), said("long " * 60_000)]))
    assert len(memory.of(agent_id=SHELF).list()) == 3
    assert done(session.pop_item()) == said("long " * 60_000)
    assert [record.content for record in memory.of(agent_id=SHELF).list()] == ["user: short"]


def test_owners_have_sessions_of_their_own(memory):
    mine = CelestialSession("a chat", memory)
    others = [CelestialSession("a chat", memory, user_id="jun"), CelestialSession("a chat", memory, agent_id="two")]
    done(mine.add_items([said("mine")]))
    for other in others:
        assert done(other.get_items()) == []
        assert done(other.pop_item()) is None
        done(other.clear_session())
    assert done(mine.get_items()) == [said("mine")]


def test_secrets_are_redacted_and_what_the_protocol_needs_is_not(memory, session):
    """Texts and JSON in texts lose their secrets; ids, encrypted reasoning and pictures stay as they are."""
    kept = [
        {"type": "reasoning", "id": "rs_" + "0a1b" * 12, "summary": [], "encrypted_content": "gAAAAABo" + "xY9_" * 99},
        {"type": "function_call", "id": "fc_68" + "9f3c" * 11, "call_id": "call_Xy12" + "aB" * 10, "name": "send",
         "arguments": '{"to": "mina"}', "status": "completed"},
        {"role": "user", "content": [{"type": "input_image", "image_url": "data:image/png;base64," + "iVBORw0K" * 500}]},
    ]  # fmt: skip
    done(session.add_items([*kept, said(f"my key is {KEY}"), {"type": "function_call_output", "call_id": "call_1",
                            "output": json.dumps({"password": "hunter2hunter2", "port": 80})}]))  # fmt: skip
    *same, message, output = done(session.get_items())
    assert same == kept
    assert message["content"] == "my key is [redacted: API key]"
    assert json.loads(output["output"]) == {"password": "[redacted: password]", "port": 80}
    assert KEY not in json.dumps([*memory.of(agent_id=SHELF).transfer.export()])


def test_a_secret_at_the_border_of_two_parts_is_found(memory, session):
    """A long text is cut at white space: no half of a key gets by."""
    for before in range(249_900, 250_000, 13):
        done(session.add_items([said("x " * (before // 2) + KEY + " y" * 30_000)]))
    assert all(KEY not in item["content"] for item in done(session.get_items()))


def test_clearing_and_popping_are_forgetting(memory, session):
    """Over the cliff, told in the ledger, and back if somebody wants it."""
    done(session.add_items([said("one")]))
    done(session.add_items([said("two")]))
    done(session.clear_session())
    assert done(session.get_items()) == []
    gone = memory.of(agent_id=SHELF).departures.cliff()
    assert len(gone) == 2
    assert {event.type.value for event in memory.of(agent_id=SHELF).ledger.history(gone[0].id)} == {
        "stored",
        "forgotten",
    }
    for record in gone:
        memory.of(agent_id=SHELF).restore(record.id)
    assert done(session.get_items()) == [said("one"), said("two")]


def test_a_history_has_no_holes_however_old_it_is(memory, session, clock):
    """More than a year and many nights later every item is there, those that say the same too."""
    items = [said("ok"), said("remember that I like tea"), said("ok", "assistant"), said("ok")]
    for item in items:
        done(session.add_items([item]))
    for _ in range(5):
        clock.advance(days=100)
        memory.rebalance()
        memory.night.sleep_everybody()
    assert done(session.get_items()) == items


def test_the_order_is_that_of_adding_also_when_the_clock_is_put_back(memory, session, clock):
    for number in range(6):
        done(session.add_items([said(str(number))]))
        clock.advance(seconds=-60)
    assert [item["content"] for item in done(session.get_items())] == list("012345")
    assert [item["content"] for item in done(session.get_items(2))] == list("45")
    assert done(session.pop_item()) == said("5")


def test_a_session_lasts(tmp_path):
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:
        done(CelestialSession("a chat", memory).add_items([said("hello"), said("안녕", "assistant")]))
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:
        assert done(CelestialSession("a chat", memory).get_items()) == [said("hello"), said("안녕", "assistant")]


@pytest.mark.parametrize(
    "items", [["text"], [None], [{"a": object()}], [{"a": float("nan")}], [said("half \ud800")], [{"a": {1, 2}}]]
)
def test_what_is_no_item_is_refused_whole(memory, session, items):
    with pytest.raises(CelestialError):
        done(session.add_items([said("first"), *items]))
    assert done(session.get_items()) == []
    assert memory.of(agent_id=SHELF).list() == []


def test_a_turn_that_fails_halfway_leaves_nothing(memory, session):
    """Spread over several records, and the last cannot be stored: the first ones go again."""
    items = [said(f"{n} " + "x" * 40_000) for n in range(12)]
    with pytest.raises(CelestialError):
        done(session.add_items([*items, said("half \ud800")]))
    assert done(session.get_items()) == []


def test_bad_sessions_are_refused(memory):
    for name in ("", "  ", None, 7):
        with pytest.raises(InvalidInputError):
            CelestialSession(name, memory)
    with pytest.raises(InvalidInputError, match="CelestialMemory"):
        CelestialSession("a chat", "memory.db")


def test_writers_at_once_lose_nothing(tmp_path):
    """Two engines on one file: all turns are there, and every item is popped once."""

    async def burst(sessions):
        await asyncio.gather(*(sessions[n % 2].add_items([said(f"{n}"), said("ok", "assistant")]) for n in range(10)))
        stored = await sessions[0].get_items()
        popped = await asyncio.gather(*(sessions[n % 2].pop_item() for n in range(20)))
        return stored, popped, await sessions[1].pop_item()

    with (
        CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as first,
        CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as second,
    ):
        stored, popped, last = done(burst([CelestialSession("a chat", one) for one in (first, second)]))
    key = json.dumps
    assert sorted(map(key, stored)) == sorted(map(key, popped))
    assert {item["content"] for item in stored} == {*map(str, range(10)), "ok"}
    assert [item["content"] for item in stored[1::2]] == ["ok"] * 10
    assert last is None


def test_runs_of_the_sdk_with_tools_and_session(memory, scripted):
    """Runner, the SDK's Responses model and client, against a scripted server: store, recall, go on the next day."""
    script = [
        scripted.responses_answer(
            scripted.function_call("celestial_store", {"content": "Mina likes green tea", "importance": None})
        ),
        scripted.responses_answer(scripted.output_text("Noted.")),
        scripted.responses_answer(
            scripted.function_call("celestial_recall", {"query": "tea?", "limit": None}, "call_2")
        ),
        lambda asked: scripted.responses_answer(scripted.output_text(asked["input"][-1]["output"])),
    ]

    async def talk(server):
        async with openai.AsyncOpenAI(api_key="none", base_url=server.url, max_retries=0) as client:
            agent = Agent("Assistant", model=OpenAIResponsesModel("scripted", client), tools=celestial_tools(memory))
            await Runner.run(agent, "Mina likes green tea", session=CelestialSession("a chat", memory))
            return await Runner.run(agent, "Which tea?", session=CelestialSession("a chat", memory))

    with scripted.ScriptedServer(script) as server:
        result = done(talk(server))
        assert json.loads(result.final_output)["memories"][0]["content"] == "Mina likes green tea"
        assert [tool["name"] for tool in server.requests[0]["tools"]] == [
            "celestial_store",
            "celestial_recall",
            "celestial_forget",
        ]
        assert all(tool["strict"] for tool in server.requests[0]["tools"])
        assert [item.get("content") for item in server.requests[2]["input"] if item.get("role") == "user"] == [
            "Mina likes green tea",
            "Which tea?",
        ]
    assert len(done(CelestialSession("a chat", memory).get_items())) == 8


def test_a_session_serves_the_chat_model_too(scripted):
    """Chat Completions, and a memory to be awaited."""
    script = [
        scripted.chat_answer(
            None, ("call_1", "celestial_store", {"content": "지수는 녹차를 좋아한다", "importance": 0.9})
        ),
        scripted.chat_answer("알겠어요."),
        lambda asked: scripted.chat_answer(str([turn["role"] for turn in asked["messages"]])),
    ]

    async def talk(server):
        async with (
            openai.AsyncOpenAI(api_key="none", base_url=server.url, max_retries=0) as client,
            AsyncCelestialMemory(":memory:", rebalance_interval=None) as memory,
        ):
            model = OpenAIChatCompletionsModel("scripted", client)
            agent = Agent("Assistant", model=model, tools=celestial_tools(memory))
            session = CelestialSession("대화", memory)
            await Runner.run(agent, "지수는 녹차를 좋아해", session=session)
            result = await Runner.run(agent, "뭘 좋아한다고?", session=session)
            return result.final_output, [item.content for item in await memory.list()]

    with scripted.ScriptedServer(script) as server:
        told, kept = done(talk(server))
    assert told == "['user', 'assistant', 'tool', 'assistant', 'user']"
    assert kept == ["지수는 녹차를 좋아한다"]


@pytest.mark.parametrize("allowed", [True, False])
def test_forgetting_waits_for_approval(memory, scripted, allowed):
    """Nothing is forgotten before somebody says yes, nor when they say no."""
    item = memory.store("Mina plans a party")
    script = [
        scripted.responses_answer(scripted.function_call("celestial_forget", {"id": item.id})),
        scripted.responses_answer(scripted.output_text("Done.")),
    ]

    async def talk(server):
        async with openai.AsyncOpenAI(api_key="none", base_url=server.url, max_retries=0) as client:
            agent = Agent("Assistant", model=OpenAIResponsesModel("scripted", client), tools=celestial_tools(memory))
            result = await Runner.run(agent, "Forget the party", session=CelestialSession("a chat", memory))
            assert [one.name for one in result.interruptions] == ["celestial_forget"]
            assert memory.get(item.id).state.value == "active"
            state = result.to_state()
            (state.approve if allowed else state.reject)(result.interruptions[0])
            return await Runner.run(agent, state, session=CelestialSession("a chat", memory))

    with scripted.ScriptedServer(script) as server:
        assert done(talk(server)).final_output == "Done."
    assert memory.get(item.id).state.value == ("cliff" if allowed else "active")


def test_an_agents_mistakes_are_answered(memory, scripted):
    """Bad arguments go back to the model as an error, and the run goes on."""
    script = [
        scripted.responses_answer(scripted.function_call("celestial_recall", "not JSON")),
        scripted.responses_answer(
            scripted.function_call("celestial_store", {"content": 5, "importance": None}, "call_2")
        ),
        lambda asked: scripted.responses_answer(scripted.output_text(asked["input"][-1]["output"])),
    ]

    async def talk(server):
        async with openai.AsyncOpenAI(api_key="none", base_url=server.url, max_retries=0) as client:
            agent = Agent("Assistant", model=OpenAIResponsesModel("scripted", client), tools=celestial_tools(memory))
            return await Runner.run(agent, "hello")

    with scripted.ScriptedServer(script) as server:
        told = done(talk(server)).final_output
        assert "not JSON" in server.requests[1]["input"][-1]["output"]
    assert "content must be text" in json.loads(told)["error"]


def test_the_example_runs(example):
    assert "It is forgotten. Memories left: 0" in "\n".join(example("openai_agents"))


def test_the_snippet_of_the_documentation_runs(memory, scripted, snippets):
    (code,) = snippets("OpenAI Agents SDK")
    with scripted.ScriptedServer([scripted.responses_answer(scripted.output_text("Hello."))]) as server:

        async def talk():
            async with openai.AsyncOpenAI(api_key="none", base_url=server.url, max_retries=0) as client:
                names = {"memory": memory, "model": OpenAIResponsesModel("scripted", client), "Agent": Agent,
                         "Runner": Runner}  # fmt: skip
                lines = "".join(f"    {line}\n" for line in code.splitlines())
                exec(f"async def told():\n{lines}    return result", names)
                return await names["told"]()

        assert done(talk()).final_output == "Hello."
    assert len(done(CelestialSession("a chat", memory).get_items())) == 2
