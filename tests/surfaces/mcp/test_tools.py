"""Every tool, called by a real client, over stdio and HTTP, in both eras of the protocol."""

from __future__ import annotations

import json

import anyio
import pytest
from mcp_types import ElicitResult

from celestial_engine.core.text.tokens import count_tokens
from celestial_engine.surfaces.mcp.tools import TOOLS, tool

WAYS = [("direct", "auto"), ("direct", "legacy")] + [
    pytest.param(way, mode, marks=pytest.mark.slow) for way in ("stdio", "http") for mode in ("auto", "legacy")
]
THE_TWELVE = {
    "auto_search", "memory_save", "memory_search", "memory_update", "memory_delete", "memory_get_related",
    "memory_pin", "memory_unpin", "memory_stats", "sleep_cycle_run", "policy_status", "policy_decide",
}  # fmt: skip

# In this order: arguments by the prepared ids and what was told before; then what the answer must be like.
CASES = {
    "auto_search": (lambda ids, told: {"query": "what is the cat called?"}, lambda a: "Mochi" in a["text"] and a["feeling"]["emotions"]),
    "memory_search": (
        lambda ids, told: {"query": "what is the cat called?", "limit": 2, "where": {"tags": ["pets"]}},
        lambda a: a["hits"][0]["memory"]["content"] == "The user's cat is called Mochi",
    ),
    "memory_profile": (lambda ids, told: {"budget": 200}, lambda a: "Mochi" in a["text"] and a["facts"]),
    "memory_get_related": (
        lambda ids, told: {"id": ids["cat"]},
        lambda a: ids_of(a["related"], "memory"),
    ),
    "memory_save": (
        lambda ids, told: {"content": "사용자는 부산에 산다", "tags": ["home"], "importance": 0.8},
        lambda a: a["tier"] == "M365" and a["tags"] == ["home"],
    ),
    "memory_update": (
        lambda ids, told: {"id": ids["food"], "content": "Mochi the cat likes salmon"},
        lambda a: "salmon" in a["content"],
    ),
    "memory_pin": (lambda ids, told: {"id": ids["cat"]}, lambda a: a["protection"] == "pinned"),
    "memory_unpin": (lambda ids, told: {"id": ids["cat"]}, lambda a: "protection" not in a),
    "memory_rate": (lambda ids, told: {"id": ids["cat"], "stars": 5}, lambda a: a["importance"] > 0),
    "memory_delete": (lambda ids, told: {"id": ids["doomed"]}, lambda a: a["purge_at"]),
    "cliff_list": (lambda ids, told: {}, lambda a: len(a["memories"]) == 2),
    "memory_restore": (lambda ids, told: {"ids": [ids["gone"]]}, lambda a: len(a["memories"]) == 1),
    "memory_get": (lambda ids, told: {"id": ids["cat"]}, lambda a: a["recall_count"] >= 1 and a["user_rating"] == 5),
    "memory_list": (lambda ids, told: {"limit": 3}, lambda a: len(a["memories"]) == 3),
    "memory_stats": (lambda ids, told: {}, lambda a: a["total"] >= 7 and a["tiers"] and a["zones"] and a["categories"]),
    "memory_explain": (lambda ids, told: {"id": ids["cat"]}, lambda a: a["importance"] > 0),
    "memory_history": (
        lambda ids, told: {"id": ids["food"], "limit": 20},
        lambda a: "update" in a["events"][0]["type"],
    ),
    "undo": (
        lambda ids, told: {"event": told["memory_history"]["events"][0]["number"]},
        lambda a: "tuna" in a["content"],
    ),
    "policy_decide": (lambda ids, told: {"content": "내 이름은 민수야"}, lambda a: a["action"] == "save"),
    "turn_observe": (lambda ids, told: {"content": "I moved to Busan last week"}, lambda a: a["decision"]["turn_id"]),
    "feedback": (lambda ids, told: {"reward": 1.0}, lambda a: a["turn_id"] and a["reward"] == 1.0),
    "policy_status": (lambda ids, told: {}, lambda a: a["rewards"] >= 1),
    "core_nominations": (lambda ids, told: {}, lambda a: len(a["memories"]) == 1),
    "inbox_list": (lambda ids, told: {}, lambda a: [one["kind"] for one in a["proposals"]] == ["core_promotion"]),
    "core_approve": (lambda ids, told: {"id": ids["nominee"]}, lambda a: (a["tier"], a["protection"]) == ("M0", "core")),
    "distill_pending": (lambda ids, told: {}, lambda a: a["pending"][0]["prompt"]),
    "distill_commit": (
        lambda ids, told: {
            "token": told["distill_pending"]["pending"][0]["token"],
            "text": "삐돌이는 카페에서 커피를 자주 마신다",
        },
        lambda a: a["metadata"] == {"distilled_by": "host"},
    ),
    "propose_belief": (
        lambda ids, told: {"statement": "I am a friend of cats", "supports": [ids["nominee"]]},
        lambda a: a["status"] == "pending",
    ),
    "proposal_approve": (
        lambda ids, told: {"proposal": told["propose_belief"]["id"]},
        lambda a: a["status"] == "approved",
    ),
    "self_context": (lambda ids, told: {}, lambda a: "friend of cats" in a["text"]),
    "personas_run": (
        lambda ids, told: {"question": "Shall we move?", "depth": 2, "offline": True},
        lambda a: len(a["answers"]) == 6 and len(a["reports"]) == 2,
    ),
    "memory_import": (lambda ids, told: {"records": []}, lambda a: a == {"added": 0, "known": 0}),
    "reindex": (lambda ids, told: {}, lambda a: a["failed"] == 0),
    "purge_proof": (lambda ids, told: {"ids": [ids["cat"]]}, lambda a: False),
    "proof_check": (lambda ids, told: {"document": {}}, lambda a: a["ok"] is False and a["fault"]),
    "sleep_cycle_run": (lambda ids, told: {"dry_run": True, "force": True}, lambda a: a["dry_run"] and a["duties"]),
}  # fmt: skip


# What these need is not there: an embedder, a memory that was purged. They say so.
REFUSED = {"purge_proof", "reindex"}


def ids_of(entries, key):
    return [entry[key]["id"] for entry in entries]


async def agree(context, params):
    return ElicitResult(action="accept", content={"approve": True})


def test_every_tool_has_a_case_here():
    """A tool that nobody calls is not offered."""
    assert CASES.keys() == TOOLS.keys()


def test_the_twelve_are_there():
    assert TOOLS.keys() >= THE_TWELVE


@pytest.mark.parametrize(("way", "mode"), WAYS)
def test_every_tool_answers(way, mode, prepared, ways):
    """Each by its own output schema, which the client checks."""

    async def run():
        async with ways.connected(way, mode, prepared, elicitation_callback=agree) as client:
            offered = {offer.name for offer in (await client.list_tools()).tools}
            assert offered == TOOLS.keys()
            told = {}
            for name, (arguments, fits) in CASES.items():
                result = await client.call_tool(name, arguments(prepared.ids, told))
                if result.is_error and name in REFUSED:
                    assert json.loads(result.content[0].text)["message"]
                    continue
                assert not result.is_error, (name, result.content[0].text)
                told[name] = result.structured_content
                assert json.loads(result.content[0].text) == told[name]
                assert fits(told[name]), (name, told[name])

    anyio.run(run)


@pytest.mark.parametrize(("way", "mode"), WAYS)
def test_resources_and_prompts(way, mode, prepared, ways):
    async def run():
        async with ways.connected(way, mode, prepared) as client:
            one = await client.read_resource(f"memory://item/{prepared.ids['cat']}")
            assert json.loads(one.contents[0].text)["content"] == "The user's cat is called Mochi"
            core = await client.read_resource("memory://core")
            assert json.loads(core.contents[0].text) == []
            profile = (await client.read_resource("memory://profile")).contents[0]
            assert (profile.mime_type, '"The user\'s cat is called Mochi"' in profile.text) == ("text/plain", True)
            soul = (await client.read_resource("memory://soul")).contents[0]
            assert (soul.mime_type, "## Core Memories" in soul.text) == ("text/markdown", True)
            assert [one.uri for one in (await client.list_resources()).resources] == [
                "memory://core",
                "memory://profile",
                "memory://soul",
            ]
            templates = (await client.list_resource_templates()).resource_templates
            assert [one.uri_template for one in templates] == ["memory://item/{id}"]
            names = [prompt.name for prompt in (await client.list_prompts()).prompts]
            assert names == ["recall", "review", "core", "distill"]
            for name in names:
                prompt = await client.get_prompt(name, {"question": "{who} is Mochi?"} if name == "recall" else {})
                assert prompt.messages[0].content.text
            recall = await client.get_prompt("recall", {"question": "{who} is Mochi?"})
            assert recall.messages[0].content.text.endswith("{who} is Mochi?")
            for bad in ("memory://item/nobody", "memory://else"):
                with pytest.raises(Exception, match="no memory"):
                    await client.read_resource(bad)

    anyio.run(run)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_what_is_wrong_is_told_to_the_model(mode, prepared, ways):
    """As a result that it can read and correct, with nothing of what it sent."""

    async def run():
        async with ways.connected("direct", mode, prepared) as client:
            for arguments, code in (
                ({"query": 3}, "invalid_input"),
                ({"query": "x", "colour": "red"}, "invalid_input"),
                ({}, "invalid_input"),
                ({"query": " "}, "empty_content"),
            ):
                result = await client.call_tool("memory_search", arguments)
                assert result.is_error
                assert json.loads(result.content[0].text)["error"] == code
            missing = await client.call_tool("memory_get", {"id": "nobody"})
            assert json.loads(missing.content[0].text)["error"] == "not_found"
            with pytest.raises(Exception, match="no tool"):
                await client.call_tool("memory_explode", {})
            assert not (await client.call_tool("memory_stats", {})).is_error

    anyio.run(run)


@pytest.mark.parametrize(("way", "mode"), WAYS)
def test_a_night_tells_how_far_it_is(way, mode, prepared, ways):
    heard = []

    async def hear(done, total, message):
        heard.append((done, total))

    async def run():
        async with ways.connected(way, mode, prepared) as client:
            result = await client.call_tool("sleep_cycle_run", {"force": True}, progress_callback=hear)
            assert not result.is_error

    anyio.run(run)
    assert heard
    assert all(done <= total for done, total in heard)


@pytest.mark.parametrize(("way", "mode"), WAYS)
def test_personas_tell_how_far_they_are(way, mode, prepared, ways):
    heard = []

    async def hear(done, total, message):
        heard.append((done, total))

    async def run():
        async with ways.connected(way, mode, prepared) as client:
            request = {"question": "Shall we move?", "offline": True}
            result = await client.call_tool("personas_run", request, progress_callback=hear)
            assert not result.is_error
            refused = await client.call_tool("personas_run", {"question": "x", "registry": "/etc/passwd"})
            assert refused.is_error

    anyio.run(run)
    assert heard[0] == (0, 3)
    assert set(heard) <= {(0, 3), (1, 3), (2, 3), (3, 3)}


def test_annotations_say_what_a_tool_does():
    hints = {name: tool(name).annotations for name in TOOLS}
    assert {name for name, hint in hints.items() if hint.destructive_hint} == {"memory_delete", "sleep_cycle_run"}
    assert hints["memory_get"].read_only_hint
    assert not hints["memory_search"].read_only_hint  # it reinforces
    assert not any(hint.open_world_hint for hint in hints.values())


def test_models_read_little():
    """What every conversation pays for: names, descriptions and schemas of requests."""
    listed = [
        {"name": offer.name, "description": offer.description, "input_schema": offer.input_schema}
        for offer in map(tool, TOOLS)
    ]
    assert count_tokens(json.dumps(listed)) < 6_000
    for offer in map(tool, TOOLS):
        text = json.dumps([offer.input_schema, offer.output_schema])
        assert '"title"' not in text
        assert '{"type": "null"}' not in json.dumps(offer.input_schema)
