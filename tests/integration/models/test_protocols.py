"""What both protocols ask for and how their answers are read."""

from __future__ import annotations

import json

import pytest

from celestial_engine.ports import Ending, LanguageModel
from celestial_engine.providers.anthropic import AnthropicModel
from celestial_engine.providers.openai_compatible import OpenAICompatibleModel

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
GOOD = '{"city": "Busan"}'


def test_a_question_is_answered(make, server, key):
    """The answer, what it cost, and who gave it; the key in the header alone."""
    server.plan = ["안녕하세요"]
    model = make()
    answer = model.complete("Say hello", system="Be polite", max_tokens=99, temperature=0.2)
    assert (answer.text, answer.input_tokens, answer.output_tokens) == ("안녕하세요", 11, 7)
    assert answer.ending is Ending.DONE
    assert answer.model == model.name == f"{server.url.removeprefix('http://')}/m"
    assert isinstance(model, LanguageModel)
    (body,), (headers,) = server.seen, server.headers
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("m", 99, 0.2)
    assert body["messages"][-1] == {"role": "user", "content": "Say hello"}
    assert "Be polite" in json.dumps(body)
    if make.protocol == "chat":
        assert headers["authorization"] == f"Bearer {key}"
    else:
        assert (headers["x-api-key"], headers["anthropic-version"]) == (key, "2023-06-01")
    assert key not in json.dumps(body)


def test_json_is_asked_for_by_the_servers_own_means(make, server):
    server.plan = [GOOD]
    assert json.loads(make().complete("Where?", schema=SCHEMA).text) == {"city": "Busan"}
    (body,) = server.seen
    assert body["messages"][-1]["content"] == "Where?"
    if make.protocol == "chat":
        assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    else:
        assert body["tools"][0]["input_schema"] == SCHEMA
        assert body["tool_choice"] == {"type": "tool", "name": "answer"}


def test_what_a_server_refuses_is_left_out_from_then_on(make, server):
    """Temperature first, then every JSON mode; the schema is put in words instead."""
    server.refused = {"temperature", "json_schema", "json_object", "tools"}
    model = make()
    server.plan = [GOOD] * 9
    assert model.complete("Where?", schema=SCHEMA, temperature=0.0).text == GOOD
    asked = len(server.seen)
    assert asked == (4 if make.protocol == "chat" else 3)
    assert json.dumps(SCHEMA) in server.seen[-1]["messages"][-1]["content"]
    assert model.complete("And now?", schema=SCHEMA, temperature=0.0).text == GOOD
    assert len(server.seen) == asked + 1


def test_only_what_is_refused_is_left_out(server):
    server.refused = {"json_schema"}
    server.plan = [GOOD] * 9
    model = OpenAICompatibleModel(f"{server.url}/v1", "m")
    model.complete("Where?", schema=SCHEMA)
    assert [body["response_format"]["type"] for body in server.seen] == ["json_schema", "json_object"]
    assert "Authorization" not in server.headers[0]


@pytest.mark.parametrize(
    ("answer", "ending"),
    [
        ({"choices": [{"message": {"content": "half a sen"}, "finish_reason": "length"}]}, Ending.CUT),
        ({"choices": [{"message": {"content": None, "refusal": "No."}, "finish_reason": "stop"}]}, Ending.REFUSED),
        ({"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]}, Ending.REFUSED),
        ({"content": [{"type": "text", "text": "half"}], "stop_reason": "max_tokens"}, Ending.CUT),
        ({"content": [], "stop_reason": "refusal"}, Ending.REFUSED),
    ],
)
def test_how_an_answer_ends_is_told(server, answer, ending):
    server.plan = [answer]
    chat = OpenAICompatibleModel(f"{server.url}/v1", "m")
    model = chat if "choices" in answer else AnthropicModel("m", url=server.url)
    said = model.complete("What is the meaning of it?")
    assert said.ending is ending
    assert said.input_tokens > 3, "estimated, where the server does not count"
