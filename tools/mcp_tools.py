"""Writes the file from which the MCP server lists its tools at once: `python -m tools.mcp_tools`, of `make docs`."""

from __future__ import annotations

import json
from pathlib import Path

import mcp_types as types

from celestial_engine.core.access import EVERYTHING
from celestial_engine.surfaces.mcp import greeting
from celestial_engine.surfaces.mcp.profiles import Profile
from celestial_engine.surfaces.mcp.tools import tools_for

FILE = Path(greeting.__file__).with_name(greeting.LISTED_FILE)


def written() -> str:
    """Returns the text of the file: the tools of each profile as the server lists them, one on each line."""
    lists = {profile.value: _dumped(profile) for profile in Profile}
    parts = (f"{json.dumps(name)}: [\n" + ",\n".join(tools) + "\n]" for name, tools in lists.items())
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _dumped(profile: Profile) -> list[str]:
    listed = types.ListToolsResult(tools=tools_for(EVERYTHING, profile))
    tools = listed.model_dump(mode="json", by_alias=True, exclude_none=True)["tools"]
    return [json.dumps(tool, ensure_ascii=False, separators=(",", ":")) for tool in tools]


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
