"""Tool profiles: how much of the memory a client lists. Every conversation pays for that in tokens.

A profile is no permission: a tool that is not listed can still be called. What a client may do is for its scopes.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from enum import Enum
from typing import Any

# The fields that each tool of the essential profile shows; the others are accepted as well.
ESSENTIAL: Mapping[str, tuple[str, ...]] = {
    "auto_search": ("query", "budget"),
    "memory_save": ("content", "importance", "tags", "tier", "pinned", "project", "session_id"),
    "memory_search": ("query", "limit", "where"),
    "memory_update": ("id", "content", "importance", "tags"),
    "memory_delete": ("id",),
    "memory_list": ("limit", "cursor", "where"),
}
_FILTER = ("since", "until", "tags", "project", "session_id", "min_importance")


class Profile(str, Enum):
    """Which tools are listed."""

    ESSENTIAL = "essential"
    FULL = "full"

    def lists(self, tool: str) -> bool:
        return self is Profile.FULL or tool in ESSENTIAL


def essential_request(tool: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Returns the schema with the fields that the essential profile shows."""
    schema_part = _only(schema, ESSENTIAL[tool])
    where = schema_part["properties"].get("where")
    if where is not None:
        schema_part["properties"] = {**schema_part["properties"], "where": _only(where, _FILTER)}
    return schema_part


def _only(schema: dict[str, Any], names: Container[str]) -> dict[str, Any]:
    fields = {name: field for name, field in schema["properties"].items() if name in names}
    return {**schema, "properties": fields}
