"""Schemas and answers for models, who pay by the token: what is empty or seldom asked for is left out.

`memory_get` gives a memory whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Of a memory among others: these, where they say something.
_FIELDS = (
    "id", "content", "zone", "tier", "state", "importance", "created_at", "category", "tags", "emotions",
    "protection", "trust", "session_id", "project", "related", "superseded_by", "replaces", "purge_at", "metadata",
)  # fmt: skip
_UNSAID = {"state": "active", "protection": "none", "trust": "normal"}
_SIGNS_OF_A_MEMORY = {"content", "zone", "tier", "recall_count"}
_DIGITS = 4
_NULL = {"type": "null"}
_SMALL_WORDS = {"a", "an", "at", "in", "it", "least", "of", "the", "this", "to"}


def lean_answer(answer: Any) -> Any:
    """The same with lean memories, without what is None, numbers rounded."""
    if isinstance(answer, Mapping):
        fields = _of_memory(answer) if answer.keys() >= _SIGNS_OF_A_MEMORY else answer
        return {name: lean_answer(value) for name, value in fields.items() if value is not None}
    if isinstance(answer, list):
        return [lean_answer(value) for value in answer]
    return round(answer, _DIGITS) if isinstance(answer, float) else answer


def lean_request(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema in which leaving a field out is the only way to say nothing."""
    lean: dict[str, Any] = _without_repetition(_inlined(_without_null(_for_models(schema))))
    return lean


def lean_result(schema: dict[str, Any]) -> dict[str, Any]:
    """What `lean_answer` makes of the answers that this schema describes."""
    lean: dict[str, Any] = _inlined(_without_null(_optional(schema)))
    return lean


def _of_memory(memory: Mapping[str, Any]) -> dict[str, Any]:
    known = {name: memory[name] for name in _FIELDS if name in memory}
    return {name: value for name, value in known.items() if value != _UNSAID.get(name) and value not in ([], {})}


def _for_models(schema: Any) -> Any:
    """Without the fields that are not offered to models."""
    if isinstance(schema, list):
        return [_for_models(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: {field: _for_models(inner) for field, inner in part.items() if inner.get("x-tool", True)}
        if name == "properties"
        else _for_models(part)
        for name, part in schema.items()
    }


def _without_repetition(schema: Any, name: str = "", *, of_a_list: bool = False) -> Any:
    """Without descriptions that only repeat the name of their field, or of the list they are elements of."""
    if not isinstance(schema, dict):
        return schema
    words = set(str(schema.get("description", "")).lower().split()) - _SMALL_WORDS
    repeats_name = of_a_list or bool(name and words <= set(name.split("_")))
    lean = {key: part for key, part in schema.items() if not (key == "description" and repeats_name)}
    for group in ("properties", "$defs"):
        if group in lean:
            lean[group] = {field: _without_repetition(inner, field) for field, inner in lean[group].items()}
    if "items" in lean:
        lean["items"] = _without_repetition(lean["items"], of_a_list="description" in lean)
    return lean


def _without_null(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_null(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if _NULL in schema.get("anyOf", ()):
        others = [part for part in schema["anyOf"] if part != _NULL]
        rest = {name: part for name, part in schema.items() if name != "anyOf"}
        schema = {**others[0], **rest} if len(others) == 1 else {**rest, "anyOf": others}
    return {
        name: _without_null(part)
        for name, part in schema.items()
        if not (name == "default" and part in (None, [], {}))
    }


def _optional(schema: Any) -> Any:
    """Fields that may be left out are not required; of a memory only what is always present is."""
    if isinstance(schema, list):
        return [_optional(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    fields = schema.get("properties")
    if isinstance(fields, dict):
        required = [name for name in schema.get("required", ()) if _NULL not in fields[name].get("anyOf", ())]
        if fields.keys() >= _SIGNS_OF_A_MEMORY:
            fields = {name: fields[name] for name in _FIELDS}
            required = ["id", "content", "zone", "tier"]
        schema = {**schema, "properties": fields, "required": required}
    return {
        name: {field: _optional(inner) for field, inner in part.items()} if name == "properties" else _optional(part)
        for name, part in schema.items()
        if name not in ("description", "default")
    }


def _inlined(schema: dict[str, Any]) -> dict[str, Any]:
    """Definitions that are used once stand where they are used."""
    definitions = schema.get("$defs", {})
    uses: dict[str, int] = {}
    _count_uses(schema, uses)
    once = {name: part for name, part in definitions.items() if uses.get(name) == 1}

    def put(part: Any) -> Any:
        if isinstance(part, list):
            return [put(inner) for inner in part]
        if not isinstance(part, dict):
            return part
        name = str(part.get("$ref", "")).removeprefix("#/$defs/")
        if name in once:
            part = {**once[name], **{key: inner for key, inner in part.items() if key != "$ref"}}
        return {key: put(inner) for key, inner in part.items()}

    remaining = {name: put(part) for name, part in definitions.items() if name not in once and name in uses}
    body = put({name: part for name, part in schema.items() if name != "$defs"})
    return {**body, "$defs": remaining} if remaining else body


def _count_uses(schema: Any, uses: dict[str, int]) -> None:
    parts = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    if isinstance(schema, dict) and isinstance(schema.get("$ref"), str):
        name = schema["$ref"].removeprefix("#/$defs/")
        uses[name] = uses.get(name, 0) + 1
    for part in parts:
        _count_uses(part, uses)
