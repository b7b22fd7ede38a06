"""The tools in both shapes, and answers to calls: by hand, and with the real client against a scripted server."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys

import openai
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.types.chat import ChatCompletionMessageFunctionToolCall
from openai.types.responses import ResponseFunctionToolCall

from celestial_engine import AsyncCelestialMemory, CelestialMemory, Settings, StorageSettings
from celestial_engine.adapters import OpenAIAdapter
from celestial_engine.errors import InvalidInputError


@pytest.fixture
def adapter(memory):
    return OpenAIAdapter(memory)


def responses_call(name, arguments):
    return {"type": "function_call", "call_id": "call_1", "name": name, "arguments": arguments}


def chat_call(name, arguments):
    return {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}


def test_both_shapes_are_the_same_tools(adapter):
    flat, nested = adapter.as_tools("responses"), adapter.as_tools("chat", strict=True)
    assert [tool["name"] for tool in flat] == ["celestial_store", "celestial_recall"]
    assert [{"type": "function", **tool["function"]} for tool in nested] == flat
    with pytest.raises(InvalidInputError, match="one of responses, chat"):
        adapter.as_tools("assistants")


def test_without_a_word_they_are_chat_functions_that_need_only_what_is_required(adapter):
    """The shape of the original design: nested, not strict."""
    tools = adapter.as_tools()
    assert [tool["type"] for tool in tools] == ["function", "function"]
    store, recall = (tool["function"] for tool in tools)
    assert (store["name"], recall["name"]) == ("celestial_store", "celestial_recall")
    assert store["parameters"]["type"] == "object"
    assert store["parameters"]["properties"].keys() == {"content", "importance"}
    assert store["parameters"]["required"] == ["content"]
    assert recall["parameters"]["properties"].keys() == {"query", "limit"}
    assert recall["parameters"]["required"] == ["query"]
    assert all(tool["function"].keys() == {"name", "description", "parameters"} for tool in tools)
    assert store["parameters"]["properties"]["importance"]["type"] == "number"
    assert all("strict" not in tool for tool in adapter.as_tools("responses", strict=False))


def test_the_schemas_keep_the_rules_of_the_strict_mode(adapter):
    """Everything required, nothing else allowed, null for what may be left out, no keyword that strict refuses."""
    for tool in adapter.as_tools("responses"):
        schema = tool["parameters"]
        assert tool["strict"] is True
        assert schema["additionalProperties"] is False
        assert schema["required"] == list(schema["properties"])
        assert all(one.keys() == {"type", "description"} for one in schema["properties"].values())
    store, recall = (tool["parameters"]["properties"] for tool in adapter.as_tools("responses"))
    assert store["importance"]["type"] == ["number", "null"]
    assert recall["limit"]["type"] == ["integer", "null"]


def test_by_name_and_arguments_it_answers_with_json(memory, adapter):
    """{"id", "zone"} for what is stored, a list for what is recalled, {"error"} else; arguments read or as text."""
    stored = json.loads(adapter.handle_tool_call("celestial_store", {"content": "지수는 녹차를 좋아한다"}))
    item = memory.get(stored["id"])
    assert stored["zone"] == item.zone
    told = adapter.handle_tool_call("celestial_recall", '{"query": "지수는 뭘 좋아해?", "limit": null}')
    assert "녹차" in told  # as it is written, not as \u escapes
    (one,) = json.loads(told)
    assert (one["id"], one["content"], one["zone"]) == (item.id, item.content, item.zone)
    assert json.loads(adapter.handle_tool_call("celestial_fly", {}))["error"].startswith("Unknown tool")


def test_a_call_is_answered_in_its_own_shape(adapter):
    """Objects of the SDK and dicts, of either interface."""
    arguments = '{"content": "likes tea", "importance": null}'
    flat, nested = responses_call("celestial_store", arguments), chat_call("celestial_store", arguments)
    for call in (flat, ResponseFunctionToolCall.model_validate(flat)):
        told = adapter.handle_tool_call(call)
        assert (told["type"], told["call_id"]) == ("function_call_output", "call_1")
        assert json.loads(told["output"]).keys() == {"id", "zone", "score"}
    for call in (nested, ChatCompletionMessageFunctionToolCall.model_validate(nested)):
        told = adapter.handle_tool_call(call)
        assert (told["role"], told["tool_call_id"]) == ("tool", "call_1")
        assert json.loads(told["content"]).keys() == {"id", "zone", "score"}


def test_a_redaction_is_told(memory, adapter):
    told = json.loads(adapter.handle_tool_call("celestial_store", {"content": "my key is AKIAIOSFODNN7EXAMPLE"}))
    assert "Redacted" in told["note"]
    assert "AKIA" not in memory.get(told["id"]).content


@pytest.mark.parametrize("shape", [responses_call, chat_call])
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("celestial_store", ""),
        ("celestial_store", None),
        ("celestial_store", "null"),
        ("celestial_store", "{"),
        ("celestial_store", "{'content': 'x'}"),
        ("celestial_store", "[1, 2]"),
        ("celestial_store", '"likes tea"'),
        ("celestial_store", "{}"),
        ("celestial_store", '{"content": null}'),
        ("celestial_store", '{"content": 5}'),
        ("celestial_store", '{"content": "  "}'),
        ("celestial_store", '{"content": "\\ud800"}'),
        ("celestial_store", '{"content": "x", "importance": "high"}'),
        ("celestial_store", '{"content": "x", "importance": true}'),
        ("celestial_store", '{"content": "x", "importance": 1e999}'),
        ("celestial_store", '{"content": "x", "importance": NaN}'),
        ("celestial_store", '{"content": "x", "importance": 1' + "0" * 400 + "}"),
        ("celestial_store", '{"content": "x", "importance": 1' + "0" * 5000 + "}"),
        ("celestial_store", '{"content": "x", "colour\\ud800": 1}'),
        ("celestial_store", '{"content": "' + "x" * (1 << 21) + '"}'),
        ("celestial_store", '{"content": "' + "x" * (5 << 20) + '"}'),
        ("celestial_store", "[" * 100_000),
        ("celestial_recall", '{"query": "x", "limit": 0}'),
        ("celestial_recall", '{"query": "x", "limit": 2.5}'),
        ("celestial_recall", '{"query": "x", "limit": 1000000}'),
        ("celestial_recall", '{"limit": 5}'),
        ("celestial_forget", '{"id": "x"}'),
        ("drop table", "{}"),
        (None, "{}"),
    ],
)
def test_a_models_mistake_is_answered_and_stores_nothing(memory, adapter, shape, name, arguments):
    told = adapter.handle_tool_call(shape(name, arguments))
    text = told.get("output") or told["content"]
    assert 10 < len(json.loads(text)["error"]) <= 600
    text.encode()
    assert memory.list() == []


@given(
    name=st.sampled_from(["celestial_store", "celestial_recall", "celestial_fly"]),
    arguments=st.one_of(
        st.text(max_size=50),
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=10),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
            max_leaves=6,
        ).map(json.dumps),
        st.fixed_dictionaries(
            {}, optional={key: st.none() | st.text(max_size=9) | st.floats() | st.integers() | st.booleans()
                          for key in ("content", "query", "importance", "limit")},
        ).map(json.dumps),
    ),
)  # fmt: skip
def test_whatever_a_model_writes_is_answered_with_json(shared, name, arguments):
    json.loads(OpenAIAdapter(shared).handle_tool_call(responses_call(name, arguments))["output"])


@pytest.fixture(scope="module")
def shared():
    with CelestialMemory(
        ":memory:",
        rebalance_interval=None,
        embedder="none",
        settings=Settings(storage=StorageSettings(words="pairs")),
    ) as memory:
        yield memory


def test_owners_do_not_meet(memory):
    OpenAIAdapter(memory, user_id="mina").handle_tool_call("celestial_store", {"content": "Mina likes tea"})
    for other in (OpenAIAdapter(memory, user_id="jun"), OpenAIAdapter(memory)):
        assert other.handle_tool_call("celestial_recall", {"query": "tea"}) == "[]"


def test_what_is_no_tool_call_is_the_hosts_mistake(adapter):
    for call in (None, {}, {"type": "message"}, 7):
        with pytest.raises(InvalidInputError, match="function_call item"):
            adapter.handle_tool_call(call)
    with pytest.raises(InvalidInputError, match="await"):
        OpenAIAdapter(AsyncCelestialMemory(":memory:")).handle_tool_call("celestial_recall", {"query": "x"})
    with pytest.raises(InvalidInputError, match="CelestialMemory"):
        OpenAIAdapter("memory.db")


def responses_script(scripted):
    return [
        scripted.responses_answer(
            scripted.function_call("celestial_store", {"content": "The user likes green tea", "importance": None}),
            scripted.function_call("other_tool", {}, "call_2"),
        ),
        scripted.responses_answer(
            scripted.function_call("celestial_recall", {"query": "which tea?", "limit": None}, "call_3")
        ),
        scripted.responses_answer(scripted.output_text("Green tea.")),
    ]


def chat_script(scripted):
    return [
        scripted.chat_answer(None, ("call_1", "celestial_store", {"content": "The user likes green tea"})),
        scripted.chat_answer(None, ("call_3", "celestial_recall", {"query": "which tea?"}), ("call_4", "other", {})),
        scripted.chat_answer("Green tea."),
    ]


def test_the_real_client_talks_with_it_in_responses(adapter, scripted):
    """The SDK's client against a server that speaks the Responses protocol; other tools are left to the host."""
    with (
        scripted.ScriptedServer(responses_script(scripted)) as server,
        openai.OpenAI(api_key="none", base_url=server.url, max_retries=0) as client,
    ):
        turns, answered = [{"role": "user", "content": "I like green tea"}], []
        while True:
            response = client.responses.create(model="scripted", input=turns, tools=adapter.as_tools("responses"))
            results = adapter.answers(response)
            answered += [result["call_id"] for result in results]
            if not results:
                break
            turns += [*response.output, *results]
        assert response.output_text == "Green tea."
        assert answered == ["call_1", "call_3"]
        assert server.requests[0]["tools"] == adapter.as_tools("responses")
        assert [one["content"] for one in json.loads(server.requests[2]["input"][-1]["output"])] == [
            "The user likes green tea"
        ]


def test_the_real_client_talks_with_it_in_chat(adapter, scripted):
    with (
        scripted.ScriptedServer(chat_script(scripted)) as server,
        openai.OpenAI(api_key="none", base_url=server.url, max_retries=0) as client,
    ):
        turns = [{"role": "user", "content": "I like green tea"}]
        while True:
            reply = client.chat.completions.create(model="scripted", messages=turns, tools=adapter.as_tools("chat"))
            results = adapter.answers(reply)
            if not results:
                break
            turns += [reply.choices[0].message, *results]
        assert reply.choices[0].message.content == "Green tea."
        assert [turn["tool_call_id"] for turn in server.requests[2]["messages"] if turn["role"] == "tool"] == [
            "call_1",
            "call_3",
        ]
        assert "green tea" in server.requests[2]["messages"][-1]["content"]


def test_the_real_async_client_talks_with_it(scripted):
    async def talk(responses, chat):
        async with AsyncCelestialMemory(":memory:", rebalance_interval=None) as memory:
            adapter = OpenAIAdapter(memory)
            async with openai.AsyncOpenAI(api_key="none", base_url=responses.url, max_retries=0) as client:
                turns = [{"role": "user", "content": "I like green tea"}]
                for _ in range(2):
                    response = await client.responses.create(
                        model="scripted", input=turns, tools=adapter.as_tools("responses")
                    )
                    turns += [*response.output, *await adapter.aanswers(response)]
            async with openai.AsyncOpenAI(api_key="none", base_url=chat.url, max_retries=0) as client:
                reply = await client.chat.completions.create(
                    model="scripted", messages=turns[:1], tools=adapter.as_tools("chat")
                )
                (call,) = reply.choices[0].message.tool_calls
                message = await adapter.ahandle_tool_call(call)
            return turns[-1], message

    with (
        scripted.ScriptedServer(responses_script(scripted)) as responses,
        scripted.ScriptedServer(chat_script(scripted)) as chat,
    ):
        item, message = asyncio.run(talk(responses, chat))
    assert "green tea" in item["output"]
    assert message["tool_call_id"] == "call_1"


def test_many_calls_at_once(memory):
    """Calls from many tasks are all answered, and all of them stored."""

    async def burst():
        adapter = OpenAIAdapter(memory)
        calls = [responses_call("celestial_store", json.dumps({"content": f"fact {n}"})) for n in range(20)]
        return await asyncio.gather(*(adapter.ahandle_tool_call(call) for call in calls))

    told = asyncio.run(burst())
    assert len({json.loads(one["output"])["id"] for one in told}) == 20
    assert memory.stats()["total"] == 20


def test_the_tools_need_no_package():
    """Where openai is not installed, tools and answers work on dicts."""
    code = (
        "import sys; sys.modules['openai'] = None\n"
        "from celestial_engine import CelestialMemory\n"
        "from celestial_engine.adapters import OpenAIAdapter\n"
        "with CelestialMemory(':memory:', rebalance_interval=None) as memory:\n"
        "    adapter = OpenAIAdapter(memory)\n"
        "    print(len(adapter.as_tools()), adapter.handle_tool_call('celestial_recall', {'query': 'x'}))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("2 []\n", "")


def test_the_example_runs(example):
    assert "You like green tea." in "\n".join(example("openai"))


def test_the_snippet_of_the_documentation_runs(memory, scripted, snippets):
    (code,) = snippets("OpenAI")
    with (
        scripted.ScriptedServer(responses_script(scripted)) as server,
        openai.OpenAI(api_key="none", base_url=server.url, max_retries=0) as client,
    ):
        turns = [{"role": "user", "content": "I like green tea"}]
        exec(code, {"memory": memory, "client": client, "turns": turns, "model": "scripted"})
    assert turns[-1]["type"] == "function_call_output"
    assert [item.content for item in memory.list()] == ["The user likes green tea"]
