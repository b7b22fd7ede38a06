"""Every operation refuses bad requests in Korean where that is asked for, driven from the declarations."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import Any

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.errors import CelestialError
from celestial_engine.surfaces.operations.catalogue import OPERATIONS
from celestial_engine.surfaces.operations.declaration import Caller, Operation
from celestial_engine.surfaces.wire import request_of, request_schema
from celestial_engine.testing.korean import foreign_words

BAD: tuple[Any, ...] = ("", " ", "nonsense", "\ud800", "x" * 300, -1, 0, 10**12, 1.5, None, True, [], ["nonsense"], [5],
                        {"nonsense": 1})  # fmt: skip
SAMPLES: dict[str, Any] = {"string": "x", "integer": 1, "number": 0.5, "boolean": False, "array": [], "object": {}}


@pytest.fixture(scope="module")
def module_memory() -> Iterator[CelestialMemory]:
    with CelestialMemory(":memory:", rebalance_interval=None, embedder="none") as memory:
        memory.store("I live in Busan", immutable=True)
        yield memory


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_refusals_are_korean(operation: Operation[Any, Any], module_memory: CelestialMemory) -> None:
    caller = Caller(module_memory, LOCAL_OWNER, "test")
    for request in bad_requests(operation):
        refused = refusal(operation, caller, request)
        if refused is not None:
            said = refused.message("ko")
            assert re.search("[가-힣]", said), (request, said)
            assert foreign_words(said) == [], (request, said)


def refusal(operation: Operation[Any, Any], caller: Caller, request: dict[str, Any]) -> CelestialError | None:
    try:
        operation.run(caller, request_of(operation, request))
    except CelestialError as error:
        return error
    return None


def bad_requests(operation: Operation[Any, Any]) -> Iterator[dict[str, Any]]:
    """Each field with each bad value, the others as they may be; then one that there is not."""
    schema = request_schema(operation)
    good = {name: sample(schema["properties"][name], schema) for name in schema.get("required", ())}
    for field in dataclasses.fields(operation.request):
        yield {name: value for name, value in good.items() if name != field.name}
        for bad in BAD:
            yield {**good, field.name: bad}
    yield {**good, "nonsense": 1}


def sample(part: dict[str, Any], schema: dict[str, Any]) -> Any:
    if "$ref" in part:
        part = schema["$defs"][part["$ref"].rpartition("/")[2]]
    if "enum" in part:
        return part["enum"][0]
    for choice in part.get("anyOf", ()):
        return sample(choice, schema)
    if part.get("type") == "object" and "properties" in part:
        return {name: sample(part["properties"][name], schema) for name in part.get("required", ())}
    return SAMPLES[part.get("type", "string")]
