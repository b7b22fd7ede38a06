"""Operations as MCP tools."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from functools import cache
from typing import Any

import mcp_types as types

from celestial_engine.core.access import Scope
from celestial_engine.errors import CelestialError, StorageError
from celestial_engine.surfaces.mcp import inbox_app
from celestial_engine.surfaces.mcp.hints import advice_for_models
from celestial_engine.surfaces.mcp.lean import lean_answer, lean_request, lean_result
from celestial_engine.surfaces.mcp.profiles import Profile, essential_request
from celestial_engine.surfaces.mcp.texts import Say
from celestial_engine.surfaces.operations.catalogue import OPERATIONS
from celestial_engine.surfaces.operations.declaration import Effect, Operation
from celestial_engine.surfaces.wire import request_schema, result_schema

logger = logging.getLogger(__name__)

TOOLS: dict[str, Operation[Any, Any]] = {operation.name: operation for operation in OPERATIONS if operation.tool}
_WHOLE = "memory_get"  # what it answers with is not made lean


def tools_for(scopes: frozenset[Scope], profile: Profile) -> list[types.Tool]:
    """The tools of a profile that these scopes allow."""
    return [
        tool(name, profile) for name, operation in TOOLS.items() if operation.scope in scopes and profile.lists(name)
    ]


@cache
def tool(name: str, profile: Profile = Profile.FULL) -> types.Tool:
    """A tool as a profile lists it; the essential one leaves the schema of the answer out."""
    operation = TOOLS[name]
    request, result = lean_request(request_schema(operation)), result_schema(operation)
    lean = profile is Profile.ESSENTIAL and profile.lists(name)
    return types.Tool(
        name=name,
        description=operation.summary,
        input_schema=essential_request(name, request) if lean else request,
        output_schema=None if lean else result if name == _WHOLE else lean_result(result),
        annotations=types.ToolAnnotations(
            read_only_hint=operation.effect is Effect.NONE,
            destructive_hint=operation.effect is Effect.REMOVES,
            idempotent_hint=operation.idempotent or operation.effect is Effect.NONE,
            open_world_hint=False,
        ),
        _meta=dict(inbox_app.META) if name == inbox_app.TOOL else None,
    )


def answered(
    operation: Operation[Any, Any], answer: dict[str, Any], notice: str | None = None
) -> types.CallToolResult:
    content = answer if operation.name == _WHOLE else lean_answer(answer)
    if notice is not None:
        content = {**content, "notice": notice}
    return types.CallToolResult(content=[types.TextContent(text=_compact(content))], structured_content=content)


def refused(code: str, message: str, reason: str | None = None) -> types.CallToolResult:
    """What was not done and why, as a result: a model reads it and tries again, or tells the user."""
    problem = _compact({"error": code, "message": message, **({} if reason is None else {"reason": reason})})
    return types.CallToolResult(content=[types.TextContent(text=problem)], is_error=True)


def failed(error: CelestialError, say: Say, language: str, profile: Profile) -> types.CallToolResult:
    """An error of the engine. Where its files lie is no business of a model."""
    if isinstance(error, StorageError):
        logger.error("%s", error)
        return refused(error.code, say("storage"))
    message = advice_for_models(error.message(language), profile)
    return refused(error.code, message, None if error.reason is None else error.reason.value)


def _compact(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
