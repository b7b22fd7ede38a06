"""Answer a model's tool calls, for hosts that run the loop: JSON in, JSON out, errors as JSON too."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from celestial_engine.adapters.shared.memory_tools import RECALL, STORE, Caller, MemoryTool
from celestial_engine.core.guard.secrets import redaction_notice
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import InvalidInputError, Reason

logger = logging.getLogger(__name__)

MOST_ARGUMENT_CHARACTERS = 4 << 20  # room for the longest text with every character escaped
_MAX_ERROR_CHARACTERS = 600  # an error quotes the model's input, which may be long


def _brief(item: CelestialItem) -> dict[str, Any]:
    return {"id": item.id, "zone": item.zone, "score": round(item.total_score, 4)}


def _store(memory: CelestialMemory, arguments: Mapping[str, Any], caller: Caller) -> dict[str, Any]:
    item = memory.of(caller.user_id, caller.agent_id).store(
        arguments["content"], arguments.get("importance"), session_id=caller.session_id
    )
    result = _brief(item)
    if notice := redaction_notice(item.content, arguments["content"]):
        result["note"] = notice
    return result


def _recall(memory: CelestialMemory, arguments: Mapping[str, Any], caller: Caller) -> dict[str, Any]:
    memories = RECALL.run(memory, arguments, caller)["memories"]
    zones = {zone.name: zone.zone_id for zone in memory.orbits.zones()}
    return {
        "memories": [
            {
                "id": item["id"],
                "content": item["content"],
                "zone": zones.get(item["zone"], -1),
                "score": item["score"],
                "trust": item["trust"],  # low: it reads like an instruction, but is only data
            }
            for item in memories
        ]
    }


def _forget(memory: CelestialMemory, arguments: Mapping[str, Any], caller: Caller) -> dict[str, Any]:
    item = memory.of(caller.user_id, caller.agent_id).forget(arguments["id"])
    return {"forgotten": item.id, "note": "It can be restored for seven days."}


def _without(parameters: dict[str, Any], name: str) -> dict[str, Any]:
    properties = {key: value for key, value in parameters["properties"].items() if key != name}
    return {**parameters, "properties": properties}


STORE_CALL = replace(STORE, parameters=_without(STORE.parameters, "tags"), run=_store)
RECALL_CALL = replace(RECALL, run=_recall)
FORGET_CALL = MemoryTool(
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
VENDOR_TOOLS = (STORE_CALL, RECALL_CALL)


def strict_schema(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The schema for strict modes: all fields required, optional ones nullable, no bounds."""
    required = parameters["required"]
    properties = {
        name: _without_bounds(schema)
        if name in required
        else {**_without_bounds(schema), "type": [schema["type"], "null"]}
        for name, schema in parameters["properties"].items()
    }
    return {**parameters, "properties": properties, "required": list(properties)}


def _without_bounds(schema: Mapping[str, Any]) -> dict[str, Any]:
    bounds = {"minimum", "maximum"} & schema.keys()
    unbounded = {key: value for key, value in schema.items() if key not in bounds}
    if bounds:
        unbounded["description"] = f"{schema['description']} From {schema['minimum']} to {schema['maximum']}."
    return unbounded


def answer(
    memory: CelestialMemory, name: object, arguments: object, caller: Caller, tools: tuple[MemoryTool, ...]
) -> dict[str, Any]:
    """Run a tool with arguments as JSON text or parsed; errors are answered with `{"error": ...}`."""
    tool = next((tool for tool in tools if tool.name == name), None)
    if tool is None:
        known = ", ".join(tool.name for tool in tools)
        return {"error": f"Unknown tool: {str(name)[:100]}. There are {known}.", "code": "unknown_tool"}
    try:
        parsed = _parse(arguments) if isinstance(arguments, (str, bytes)) else arguments
    except InvalidInputError as error:
        return {"error": str(error), "code": error.code}
    result = tool.answer(memory, parsed, caller)
    if "error" in result:
        logger.info("%s was answered with an error: %s", tool.name, result["code"])
        result["error"] = result["error"][:_MAX_ERROR_CHARACTERS]
    return result


def as_json(told: object) -> str:
    """JSON text for a model. Korean is not escaped: it stays readable and costs a third."""
    return json.dumps(told, ensure_ascii=False).encode("utf-8", "replace").decode()


def _parse(text: str | bytes) -> object:
    if len(text) > MOST_ARGUMENT_CHARACTERS:
        raise InvalidInputError("arguments", Reason.TOO_LONG, most=MOST_ARGUMENT_CHARACTERS)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(
            "arguments", Reason.NOT_JSON, cause=str(error)[:100] or type(error).__name__
        ) from None
