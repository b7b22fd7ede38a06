"""Errors over MCP name tools, never commands of a shell: every text that there is, and every tool called wrongly."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import anyio
import pytest
from mcp import Client

from celestial_engine import CelestialMemory
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.errors.messages import LANGUAGES, catalogue
from celestial_engine.surfaces.mcp.desk import Desk, Guest
from celestial_engine.surfaces.mcp.hints import advice_for_models
from celestial_engine.surfaces.mcp.profiles import Profile
from celestial_engine.surfaces.mcp.server import build_server
from celestial_engine.surfaces.mcp.tools import TOOLS, tool
from celestial_engine.surfaces.operations.catalogue import OPERATIONS

# A command, an option of one, or an installation. `offline: echo` names a backend of personas.
SHELL = re.compile(r"celestial [a-z]|(?<![\w-])--[a-z]|\bpip3?\b|\bpython3? -|\bsudo\b|\buvx?\b")
PROFILES = [*Profile]
NOBODY = "0" * 32


def test_shell_commands_are_recognised():
    for text in (
        "`celestial list`",
        "(--registry)",
        'pip install "x"',
        "python -m celestial_engine",
        "uvx celestial",
    ):
        assert SHELL.search(text)
    assert not SHELL.search("`memory_list` shows what there is; set CELESTIAL_MODEL.")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("profile", PROFILES)
def test_no_reason_names_a_command_and_none_is_lost(language, profile):
    """A reason stands in the sentence that says what is wrong, so that its advice must be a clause of its own."""
    for code, text in catalogue(language).reasons.items():
        told = advice_for_models(f"It failed: {text}.".replace("{install}", 'pip install "x"'), profile)
        assert not SHELL.search(told), (code, told)
        assert len(told) > len("It failed: ."), (code, told)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("profile", PROFILES)
def test_no_error_names_a_command(language, profile):
    for code, parts in catalogue(language).errors.items():
        told = advice_for_models(" ".join(parts).replace("{install}", 'pip install "x"'), profile)
        assert told, code
        assert not SHELL.search(told), (code, told)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", TOOLS)
def test_what_a_tool_says_about_itself_names_no_command(name, profile):
    listed = tool(name, profile).model_dump_json()
    assert not SHELL.search(listed)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("profile", PROFILES)
def test_no_tool_that_is_called_wrongly_names_a_command(language, profile, prepared):
    heard: dict[str, list[str]] = {name: [] for name in TOOLS}

    async def call_all() -> None:
        with CelestialMemory(prepared.path, rebalance_interval=None, embedder="none") as memory:
            server = build_server(
                lambda: Desk.over(memory), lambda _: Guest(LOCAL_OWNER), language=language, profile=profile
            )
            async with Client(server) as client:
                for name in TOOLS:
                    for arguments in wrong_arguments(name):
                        result = await client.call_tool(name, arguments)
                        if result.is_error:
                            heard[name].append(json.loads(result.content[0].text)["message"])

    anyio.run(call_all)
    for name, messages in heard.items():
        assert messages, f"{name} takes anything"
        for message in messages:
            assert message, name
            assert not SHELL.search(message), (name, message)
    advised = {
        one for messages in heard.values() for message in messages for one in re.findall(r"`([a-z_]+)`", message)
    }
    known = {operation.name for operation in OPERATIONS}
    assert all(profile.lists(name) for name in advised & known)
    assert "memory_list" in advised, "what a command was named for is still told"


def wrong_arguments(name: str) -> Iterator[dict[str, Any]]:
    """Each field of a request in turn is of another type, empty, unknown, negative or huge."""
    yield {"colour": "red"}
    schema = tool(name).input_schema
    fields, needed = schema["properties"], schema.get("required", [])
    whole = {field: _plausible(fields[field]) for field in needed}
    for field in fields:
        for value in ([], {}, "", " ", NOBODY, [NOBODY], -1, 10**9, 0.5, True, None, {"tags": 3}):
            yield {**whole, field: value}


def _plausible(schema: dict[str, Any]) -> Any:
    kind = schema.get("type")
    return {"array": [NOBODY], "object": {}, "integer": 1, "number": 0.5, "boolean": True}.get(kind, NOBODY)
