"""A model's tool calls, for hosts that run the loop themselves: JSON in, JSON out, and no exception in between."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from celestial_engine.adapters.shared.memory_tools import RECALL, STORE, For, MemoryTool
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import InvalidInputError, Reason

logger = logging.getLogger(__name__)

MOST_ARGUMENT_CHARACTERS = 4 << 20  # a text of the greatest size with every character escaped, and then some
_MOST_ERROR_CHARACTERS = 600  # what a model got wrong may be long, and would be quoted


def _brief(item: CelestialItem) -> dict[str, Any]:
    return {"id": item.id, "zone": item.zone, "score": round(item.total_score, 4)}


def _store(memory: CelestialMemory, given: Mapping[str, Any], caller: For) -> dict[str, Any]:
    item = memory.of(caller.user_id, caller.agent_id).store(
        given["content"], given.get("importance"), session_id=caller.session_id
    )
    told = _brief(item)
    if item.content != given["content"]:
        told["note"] = "It held secrets: they were redacted before it was remembered."
    return told


def _recall(memory: CelestialMemory, given: Mapping[str, Any], caller: For) -> dict[str, Any]:
    found = RECALL.run(memory, given, caller)["memories"]
    zones = {zone.name: zone.zone_id for zone in memory.orbits.zones()}
    return {
        "memories": [
            {
                "id": one["id"],
                "content": one["content"],
                "zone": zones.get(one["zone"], -1),
                "score": one["score"],
                "trust": one["trust"],  # low: it reads like an instruction, and is none
            }
            for one in found
        ]
    }


def _forget(memory: CelestialMemory, given: Mapping[str, Any], caller: For) -> dict[str, Any]:
    item = memory.of(caller.user_id, caller.agent_id).forget(given["id"])
    return {"forgotten": item.id, "note": "It can be restored for seven days."}


def _without(parameters: dict[str, Any], name: str) -> dict[str, Any]:
    properties = {key: value for key, value in parameters["properties"].items() if key != name}
    return {**parameters, "properties": properties}


STORING = replace(STORE, parameters=_without(STORE.parameters, "tags"), run=_store)
RECALLING = replace(RECALL, run=_recall)
FORGETTING = MemoryTool(
    "celestial_forget",
    "Forgets one memory, on the user's wish. It can be restored for seven days.",
    {
        "type": "object",
        "properties": {
            "id": {"type": "string", "description": "The id of the memory, as celestial_recall gives it."}
        },
        "required": ["id"],
        "additionalProperties": False,
    },
    _forget,
)
VENDOR_TOOLS = (STORING, RECALLING)


def strict(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The same schema as strict modes want it: everything required, null for what may be left out, no bounds."""
    required = parameters["required"]
    properties = {
        name: _plain(schema) if name in required else {**_plain(schema), "type": [schema["type"], "null"]}
        for name, schema in parameters["properties"].items()
    }
    return {**parameters, "properties": properties, "required": list(properties)}


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    bounds = {"minimum", "maximum"} & schema.keys()
    plain = {key: value for key, value in schema.items() if key not in bounds}
    if bounds:
        plain["description"] = f"{schema['description']} From {schema['minimum']} to {schema['maximum']}."
    return plain


def answer(
    memory: CelestialMemory, name: object, arguments: object, caller: For, tools: tuple[MemoryTool, ...]
) -> dict[str, Any]:
    """What a tool says to a model's arguments, given as JSON text or read already; mistakes are `{"error": ...}`."""
    tool = next((tool for tool in tools if tool.name == name), None)
    if tool is None:
        known = ", ".join(tool.name for tool in tools)
        return {"error": f"Unknown tool: {str(name)[:100]}. There are {known}.", "code": "unknown_tool"}
    try:
        given = _read(arguments) if isinstance(arguments, (str, bytes)) else arguments
    except InvalidInputError as error:
        return {"error": str(error), "code": error.code}
    told = tool.answer(memory, given, caller)
    if "error" in told:
        logger.info("%s was answered with an error: %s", tool.name, told["code"])
        told["error"] = told["error"][:_MOST_ERROR_CHARACTERS]
    return told


def as_json(told: object) -> str:
    """Text for a model: Korean stays readable, and costs a third of its escaped form."""
    return json.dumps(told, ensure_ascii=False).encode("utf-8", "replace").decode()


def _read(text: str | bytes) -> object:
    if len(text) > MOST_ARGUMENT_CHARACTERS:
        raise InvalidInputError("arguments", Reason.TOO_LONG, most=MOST_ARGUMENT_CHARACTERS)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(
            "arguments", Reason.NOT_JSON, cause=str(error)[:100] or type(error).__name__
        ) from None
