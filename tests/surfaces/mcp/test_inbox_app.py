"""The inbox as an MCP App: what a host needs to show it, and that it holds nothing of any memory."""

from __future__ import annotations

import json
import re

import anyio
import pytest
from mcp import Client
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID

from celestial_engine import CelestialMemory
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.surfaces.mcp import inbox_app
from celestial_engine.surfaces.mcp.desk import Desk, Guest
from celestial_engine.surfaces.mcp.profiles import Profile
from celestial_engine.surfaces.mcp.server import build_server
from celestial_engine.surfaces.mcp.texts import speaking


def test_its_names_are_those_of_the_extension():
    assert (inbox_app.EXTENSION, inbox_app.MIME_TYPE) == (EXTENSION_ID, APP_MIME_TYPE)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_tool_names_a_page_that_can_be_read(language, prepared):
    async def run() -> None:
        with CelestialMemory(prepared.path, rebalance_interval=None) as memory:
            server = build_server(
                lambda: Desk.over(memory), lambda _: Guest(LOCAL_OWNER), language=language, profile=Profile.FULL
            )
            async with Client(server) as client:
                assert client.server_capabilities.extensions[EXTENSION_ID] == {"mimeTypes": [APP_MIME_TYPE]}
                bound = {tool.name: tool.meta["ui"] for tool in (await client.list_tools()).tools if tool.meta}
                assert bound.keys() == {"inbox_list"}
                (page,) = (await client.read_resource(bound["inbox_list"]["resourceUri"])).contents
                assert page.mime_type == APP_MIME_TYPE
                texts = json.loads(re.search(r'id="texts">(.*?)</script>', page.text)[1])
                assert texts["nothing"] == speaking(language)("app.nothing")
                assert f'lang="{language}"' in page.text
                assert "Mochi" not in page.text
                assert "__" not in page.text
                assert not re.search(r"innerHTML|https?://|eval\(", page.text), (
                    "texts only as text, nothing from afar"
                )

    anyio.run(run)
