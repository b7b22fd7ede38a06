"""The tools as dicts, and answers to tool_use blocks: by hand, and with the real client against a scripted server."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys

import anthropic
import pytest
from anthropic.types import ToolUseBlock

from celestial_engine import AsyncCelestialMemory
from celestial_engine.adapters import AnthropicAdapter
from celestial_engine.errors import InvalidInputError


@pytest.fixture
def adapter(memory):
    return AnthropicAdapter(memory)


def test_the_tools_say_what_they_take(adapter):
    store, recall = adapter.as_mcp_tools()
    assert (store["name"], recall["name"]) == ("celestial_store", "celestial_recall")
    assert store["input_schema"]["required"] == ["content"]
    assert list(store["input_schema"]["properties"]) == ["content", "importance"]
    assert recall["input_schema"]["required"] == ["query"]
    assert list(recall["input_schema"]["properties"]) == ["query", "limit"]
    json.dumps([store, recall])


def test_by_name_and_input_it_answers_with_the_result(memory, adapter):
    """{"id", "zone", "score"} for what is stored, {"memories": [...]} for what is recalled, {"error"} else."""
    stored = adapter.handle("celestial_store", {"content": "지수는 녹차를 좋아한다", "importance": 0.9})
    item = memory.get(stored["id"])
    assert (stored["zone"], item.arbitrary_importance) == (item.zone, 0.9)
    found = adapter.handle("celestial_recall", {"query": "지수는 뭘 좋아해?", "limit": 1})
    (one,) = found["memories"]
    assert (one["id"], one["content"], one["zone"]) == (item.id, item.content, item.zone)
    assert isinstance(one["score"], float)
    assert adapter.handle("celestial_fly", {})["error"].startswith("Unknown tool: celestial_fly")


def test_a_block_is_answered_with_a_block(adapter):
    """Objects of the SDK and dicts alike."""
    use = {"type": "tool_use", "id": "toolu_1", "name": "celestial_store", "input": {"content": "likes tea"}}
    for block in (use, ToolUseBlock.model_validate(use)):
        told = adapter.handle(block)
        assert (told["type"], told["tool_use_id"], told.get("is_error")) == ("tool_result", "toolu_1", None)
        assert json.loads(told["content"]).keys() == {"id", "zone", "score"}
        assert asyncio.run(adapter.ahandle(block))["tool_use_id"] == "toolu_1"


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("celestial_store", {}),
        ("celestial_store", None),
        ("celestial_store", []),
        ("celestial_store", "likes tea"),
        ("celestial_store", {"content": None}),
        ("celestial_store", {"content": 5}),
        ("celestial_store", {"content": " "}),
        ("celestial_store", {"content": "x" * (1 << 21)}),
        ("celestial_store", {"content": "half \ud800"}),
        ("celestial_store", {"content": "x", "importance": "high"}),
        ("celestial_store", {"content": "x", "importance": "h" * 10_000}),
        ("celestial_store", {"content": "x", "importance": 7}),
        ("celestial_store", {"content": "x", "importance": 10**400}),
        ("celestial_store", {"content": "x", "importance": float("nan")}),
        ("celestial_store", {"content": "x", "colour": "red"}),
        ("celestial_recall", {"query": "x", "limit": 0}),
        ("celestial_recall", {"query": "x", "limit": 10**9}),
        ("celestial_recall", {"query": "x", "limit": "five"}),
        ("celestial_recall", {"query": ["x"]}),
        ("celestial_forget", {"id": "x"}),
        ("", {}),
        (None, {}),
    ],
)
def test_a_models_mistake_is_answered_and_stores_nothing(memory, adapter, name, given):
    told = adapter.handle({"type": "tool_use", "id": "toolu_1", "name": name, "input": given})
    assert told["is_error"] is True
    assert 10 < len(json.loads(told["content"])["error"]) <= 600
    told["content"].encode()
    assert memory.list() == []


def test_owners_do_not_meet(memory):
    AnthropicAdapter(memory, user_id="mina").handle("celestial_store", {"content": "Mina likes tea"})
    assert AnthropicAdapter(memory, user_id="jun").handle("celestial_recall", {"query": "tea"}) == {"memories": []}
    assert AnthropicAdapter(memory).handle("celestial_recall", {"query": "tea"}) == {"memories": []}


def test_the_session_is_noted(memory):
    AnthropicAdapter(memory, session_id="monday").handle("celestial_store", {"content": "likes tea"})
    assert memory.browse.sessions() == ["monday"]


def test_what_is_no_tool_call_is_the_hosts_mistake(memory, adapter):
    with pytest.raises(InvalidInputError, match="tool_use block"):
        adapter.handle({"type": "text", "text": "hello"})
    with pytest.raises(InvalidInputError, match="await"):
        AnthropicAdapter(AsyncCelestialMemory(":memory:")).handle("celestial_recall", {"query": "x"})


def talk_script(scripted):
    return [
        scripted.claude_answer(
            scripted.text_block("I will note that."),
            scripted.tool_use("celestial_store", {"content": "The user likes green tea"}, "toolu_1"),
            scripted.tool_use("other_tool", {}, "toolu_2"),
        ),
        scripted.claude_answer(scripted.tool_use("celestial_recall", {"query": "which tea?"}, "toolu_3")),
        scripted.claude_answer(scripted.text_block("Green tea.")),
    ]


def test_the_real_client_talks_with_it(adapter, scripted):
    """The SDK's client against a server that speaks the Messages protocol; other tools are left to the host."""
    with (
        scripted.ScriptedServer(talk_script(scripted)) as server,
        anthropic.Anthropic(api_key="none", base_url=server.url, max_retries=0) as client,
    ):
        turns = [{"role": "user", "content": "I like green tea"}]
        answered = []
        while True:
            reply = client.messages.create(
                model="scripted", max_tokens=100, messages=turns, tools=adapter.as_mcp_tools()
            )
            results = adapter.answers(reply)
            answered += [result["tool_use_id"] for result in results]
            if not results:
                break
            turns += [{"role": "assistant", "content": reply.content}, {"role": "user", "content": results}]
        assert reply.content[0].text == "Green tea."
        assert answered == ["toolu_1", "toolu_3"]
        assert [tool["name"] for tool in server.requests[0]["tools"]] == ["celestial_store", "celestial_recall"]
        last = json.loads(server.requests[2]["messages"][-1]["content"][0]["content"])
        assert [one["content"] for one in last["memories"]] == ["The user likes green tea"]


def test_the_real_async_client_talks_with_it(scripted):
    async def talk(server):
        async with (
            anthropic.AsyncAnthropic(api_key="none", base_url=server.url, max_retries=0) as client,
            AsyncCelestialMemory(":memory:", rebalance_interval=None) as memory,
        ):
            adapter = AnthropicAdapter(memory)
            turns = [{"role": "user", "content": "I like green tea"}]
            for _ in range(2):
                reply = await client.messages.create(
                    model="scripted", max_tokens=100, messages=turns, tools=adapter.as_mcp_tools()
                )
                turns += [
                    {"role": "assistant", "content": reply.content},
                    {"role": "user", "content": await adapter.aanswers(reply)},
                ]
            return turns[-1]["content"]

    with scripted.ScriptedServer(talk_script(scripted)) as server:
        (result,) = asyncio.run(talk(server))
    assert "green tea" in result["content"]


def test_the_tools_need_no_package():
    """as_mcp_tools and handle work where anthropic is not installed."""
    code = (
        "import sys; sys.modules['anthropic'] = None\n"
        "from celestial_engine import CelestialMemory\n"
        "from celestial_engine.adapters import AnthropicAdapter\n"
        "with CelestialMemory(':memory:', rebalance_interval=None) as memory:\n"
        "    print(AnthropicAdapter(memory).as_mcp_tools()[0]['name'])\n"
        "    from celestial_engine.adapters import CelestialMemoryTool\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "celestial_store\n"
    assert '[anthropic]".' in done.stderr


def test_the_example_runs(example):
    assert "recalled: /memories/user.md says Likes green tea." in "\n".join(example("anthropic"))


def test_the_snippet_of_the_documentation_runs(memory, scripted, snippets):
    with scripted.ScriptedServer(talk_script(scripted)) as server:
        client = anthropic.Anthropic(api_key="none", base_url=server.url, max_retries=0)
        turns = [{"role": "user", "content": "I like green tea"}]
        names = {"memory": memory, "client": client, "turns": turns, "model": "scripted"}
        code, files = snippets("Anthropic")
        exec(code, names)
        client.close()
    assert [item.content for item in memory.list()] == ["The user likes green tea"]
    use = scripted.tool_use("memory", {"command": "create", "path": "/memories/a.md", "file_text": "kept\n"})
    script = [scripted.claude_answer(use), scripted.claude_answer(scripted.text_block("ok"))]
    with (
        scripted.ScriptedServer(script) as server,
        anthropic.Anthropic(api_key="none", base_url=server.url, max_retries=0) as client,
    ):
        exec(files, {"memory": memory, "client": client, "turns": turns[:1], "model": "scripted"})
    assert "kept\n" in [item.content for item in memory.list()]
