"""Write the TypeScript client's operations from the server's OpenAPI document.

`python -m tools.typescript_client` writes clients/typescript/src/operations.ts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[1] / "clients" / "typescript" / "src" / "operations.ts"
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

Schema = dict[str, Any]


def type_of(schema: Schema) -> str:
    """A JSON schema as a type."""
    if "$ref" in schema:
        return _name(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(type_of(one) for one in schema["anyOf"]))
    kind = schema.get("type")
    if kind == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(type_of(one) for one in schema['prefixItems'])}]"
        return f"Array<{type_of(schema.get('items', {}))}>"
    if kind == "object":
        return _object(schema)
    return _PLAIN.get(str(kind), "unknown")


def _object(schema: Schema) -> str:
    if "properties" not in schema:
        values = schema.get("additionalProperties", True)
        return f"Record<string, {type_of(values) if isinstance(values, dict) else 'unknown'}>"
    needed = set(schema.get("required", ()))
    return "{ " + " ".join(_field(name, one, name in needed) for name, one in schema["properties"].items()) + " }"


def _field(name: str, schema: Schema, needed: bool) -> str:
    about = str(schema.get("description", "")).replace("*/", "* /")
    comment = f"/** {about} */ " if about else ""
    key = name if name.isidentifier() else json.dumps(name)
    return f"{comment}{key}{'' if needed else '?'}: {type_of(schema)};"


def _name(schema_name: str) -> str:
    return re.sub(r"\W", "_", schema_name)


def operations(document: Schema) -> Iterator[str]:
    """The table of routes, and the class with a method for each operation."""
    declared = [
        (method.upper(), path, one)
        for path, by_method in document["paths"].items()
        for method, one in by_method.items()
        if "operationId" in one
    ]
    routes = "\n".join(f"  {one['operationId']}: {_route(method, path, one)}," for method, path, one in declared)
    methods = "\n\n".join(_method(one) for _, _, one in declared)
    yield f"const ROUTES = {{\n{routes}\n}} satisfies Record<string, Route>;"
    yield "/** Every operation of the server as a method. */"
    yield f"export class CelestialClient extends Transport {{\n{methods}\n}}"


def _route(method: str, path: str, operation: Schema) -> str:
    parameters = operation.get("parameters", ())
    query = [one["name"] for one in parameters if one["in"] == "query"]
    headers = {_key(one["name"]): one["name"] for one in parameters if one["in"] == "header"}
    return json.dumps({"method": method, "path": path, "query": query, "header": headers})


def _method(operation: Schema) -> str:
    parameters, body = operation.get("parameters", ()), operation.get("requestBody")
    fields = [_field(_key(one["name"]), one["schema"], one.get("required", False)) for one in parameters]
    parts = ["{ " + " ".join(fields) + " }"] if fields else []
    if body is not None:
        parts.append(type_of(body["content"]["application/json"]["schema"]))
    needed = any(one.get("required") for one in parameters) or bool(body and body.get("required"))
    request = f"request: {' & '.join(parts) or 'Record<string, never>'}{'' if needed else ' = {}'}"
    name = operation["operationId"]
    method = re.sub(r"_(\w)", lambda match: match[1].upper(), name)
    return (
        f"  /** {operation['summary']} */\n"
        f"  {method}({request}): Promise<{_result(operation['responses'])}> {{\n"
        f"    return this.call(ROUTES.{name}, request);\n  }}"
    )


def _result(responses: Schema) -> str:
    (answer,) = [one for status, one in responses.items() if status.startswith("2")]
    return type_of(answer["content"]["application/json"]["schema"]) if "content" in answer else "void"


def _key(parameter: str) -> str:
    """`If-Match` as a field: `if_match`."""
    return parameter.lower().replace("-", "_")


def text(document: Schema) -> str:
    schemas = document["components"]["schemas"]
    types = [f"export type {_name(name)} = {type_of(schema)};" for name, schema in sorted(schemas.items())]
    head = "// Written by `python -m tools.typescript_client` from the OpenAPI document; do not edit."
    imports = 'import { type Route, Transport } from "./transport.js";'
    return "\n\n".join([head, imports, *types, *operations(document)]) + "\n"


def document() -> Schema:
    from celestial_engine import CelestialMemory
    from celestial_engine.surfaces.rest.app import build_app

    with CelestialMemory(":memory:", embedder="none", rebalance_interval=None) as memory:
        return dict(build_app(memory).openapi())


if __name__ == "__main__":
    FILE.write_text(text(document()), encoding="utf-8")
