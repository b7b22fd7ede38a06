"""A memory as a coordinate document: the same names, the same nesting, there and back."""

from __future__ import annotations

import copy
import json
import re
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.compat.memory_store import MemoryCoordinate
from celestial_engine.core.record.coordinate import (
    AgentCoordinate,
    ContentType,
    Document,
    EmotionCoordinate,
    Links,
    SpaceCoordinate,
    TimeCoordinate,
)
from celestial_engine.core.record.coordinate_document import coordinate_document, from_coordinate
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.errors import InvalidItemError

DOCUMENT = {
    "memory_id": "mem_20251012_093022_a4f3",
    "timestamp": "2025-10-12T09:30:22.123456Z",
    "time": {"session_id": "sess_20251012_090000", "sequence": 15, "relative_time_minutes": 3.5},
    "space": {
        "project": "persona_orchestration",
        "domain": "AGI_prototype",
        "file_context": ["orchestration/persona_orchestrator.py"],
        "depth_index": 1,
    },
    "agent": {
        "persona_id": "synthesis",
        "persona_name": "Fractal Synthesiser",
        "role": "Integrator",
        "backend": "local_lmstudio",
    },
    "emotion": {
        "affect_amplitude": 0.65,
        "sentiment_score": 0.12,
        "confidence": 0.8,
        "keywords": ["hope", "growth", "opportunity"],
    },
    "content": {
        "type": "persona_response",
        "prompt_digest": "System instruction: You reconcile...",
        "response_full": "Based on the thesis...",
        "response_summary": None,
        "token_count": 342,
    },
    "metadata": {
        "importance": 0.7,
        "tags": ["synthesis", "AGI_design", "memory_system"],
        "user_rating": None,
        "phase_injection_applied": False,
        "error_occurred": False,
    },
    "relations": {
        "parent_memory_id": "mem_20251012_092800_x7b2",
        "child_memory_ids": ["mem_20251012_093145_c9k1"],
        "related_memory_ids": [],
    },
}
SCHEMA = json.loads(
    files("celestial_engine").joinpath("schemas/memory_coordinate.schema.json").read_text(encoding="utf-8")
)
_KINDS = {"string": str, "object": dict, "array": list, "boolean": bool, "null": type(None)}


def broken_rules(value: object, schema: dict, path: str = "") -> list[str]:
    """What of a value breaks a schema; knows as much of JSON Schema as ours uses."""
    found = []
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds

    def is_a(kind: str) -> bool:
        if kind in ("number", "integer"):
            allowed = (int,) if kind == "integer" else (int, float)
            return isinstance(value, allowed) and not isinstance(value, bool)
        return isinstance(value, _KINDS[kind])

    if kinds and not any(is_a(kind) for kind in kinds):
        return [f"{path}: {value!r} is not {kinds}"]
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{path}: {value!r} is not one of {schema['enum']}")
    if isinstance(value, str):
        too_long = len(value) > schema.get("maxLength", len(value))
        if too_long or len(value) < schema.get("minLength", 0) or not re.search(schema.get("pattern", ""), value):
            found.append(f"{path}: {value!r} does not fit")
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if number and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        found.append(f"{path}: {value} is out of range")
    if isinstance(value, list):
        found += [rule for one in value for rule in broken_rules(one, schema.get("items", {}), path)]
    if isinstance(value, dict) and "properties" in schema:
        known = schema["properties"]
        found += [f"{path}.{name} is unknown" for name in value if name not in known]
        found += [f"{path}.{name} is missing" for name in schema.get("required", ()) if name not in value]
        for name in value.keys() & known.keys():
            found += broken_rules(value[name], known[name], f"{path}.{name}")
    return found


def changed(path: str, value: object) -> dict:
    document = copy.deepcopy(DOCUMENT)
    *way, last = path.split(".")
    place = document
    for step in way:
        place = place[step]
    place[last] = value
    return document


def test_there_and_back():
    """The whole document comes back, name for name; the schema describes it."""
    item = from_coordinate(DOCUMENT)
    assert item.id == "mem_20251012_093022_a4f3"
    assert item.document.type is ContentType.PERSONA_RESPONSE
    assert coordinate_document(item) == DOCUMENT
    assert list(item.to_coordinate()) == list(DOCUMENT)
    assert CelestialItem.from_coordinate(DOCUMENT) == item
    assert MemoryCoordinate(**DOCUMENT).to_dict() == DOCUMENT
    assert broken_rules(DOCUMENT, SCHEMA) == []


def test_a_reading_of_the_prompt_is_there_when_there_is_one():
    """`bqi_snapshot` is part of the metadata only where a prompt was read."""
    snapshot = {"rhythm_phase": "integration", "emotion": {"keywords": ["clarity"]}}
    document = changed("metadata.bqi_snapshot", snapshot)
    assert coordinate_document(from_coordinate(document)) == document
    assert broken_rules(document, SCHEMA) == []
    assert "bqi_snapshot" not in coordinate_document(from_coordinate(DOCUMENT))["metadata"]


def test_the_least_document():
    """An id, a time and a text are enough."""
    least = {name: DOCUMENT[name] for name in ("memory_id", "timestamp")} | {"content": {"response_full": "네"}}
    assert broken_rules(least, SCHEMA) == []
    full = coordinate_document(from_coordinate(least))
    assert broken_rules(full, SCHEMA) == []
    assert full["time"] == {"session_id": None, "sequence": None, "relative_time_minutes": None}
    assert full["metadata"]["importance"] == 0.5


@pytest.mark.parametrize(
    ("given_time", "written"),
    [
        ("2025-10-12T09:30:22Z", "2025-10-12T09:30:22.000000Z"),
        ("2025-10-12T10:31:45.124Z", "2025-10-12T10:31:45.124000Z"),
        ("2025-10-12T18:30:22.5+09:00", "2025-10-12T09:30:22.500000Z"),
        ("2025-10-12T09:30:22.123456+00:00", "2025-10-12T09:30:22.123456Z"),
    ],
)
def test_times_of_every_offset(given_time, written):
    """Whatever offset a time is given with, it is written in UTC with a Z."""
    assert coordinate_document(from_coordinate(changed("timestamp", given_time)))["timestamp"] == written


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("memory_id", ""),
        ("memory_id", 7),
        ("timestamp", "2025-10-12T09:30:22"),
        ("timestamp", "yesterday"),
        ("time.sequence", -1),
        ("time.sequence", "15"),
        ("time.session_id", ""),
        ("space.file_context", "a.py"),
        ("agent.persona_id", 3),
        ("emotion.sentiment_score", 1.5),
        ("emotion.confidence", -0.1),
        ("emotion.keywords", [1]),
        ("content.type", "poem"),
        ("content.prompt_digest", "가" * 501),
        ("content.response_full", "  "),
        ("content.token_count", -3),
        ("metadata.importance", 1.01),
        ("metadata.user_rating", 0),
        ("metadata.user_rating", 6),
        ("metadata.error_occurred", "no"),
        ("metadata.bqi_snapshot", []),
        ("metadata.mood", "good"),
        ("relations.child_memory_ids", "mem_1"),
        ("colour", "blue"),
    ],
)
def test_wrong_fields_are_named(path, value):
    """What is unknown or wrong is refused by name, and the schema refuses it too."""
    document = changed(path, value)
    with pytest.raises(InvalidItemError) as refused:
        from_coordinate(document)
    assert path.split(".")[-1] in str(refused.value)
    assert broken_rules(document, SCHEMA)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_no_number_is_no_number(value):
    with pytest.raises(InvalidItemError, match="relative_time_minutes"):
        from_coordinate(changed("time.relative_time_minutes", value))


def test_lone_surrogates_are_refused():
    with pytest.raises(InvalidItemError, match="project"):
        from_coordinate(changed("space.project", "half \ud800"))


TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20).filter(str.strip)
MAYBE = st.one_of(st.none(), TEXT)


@given(
    st.builds(
        CelestialItem,
        id=TEXT,
        content=TEXT,
        created_at=st.integers(0, 4 * 10**9).map(float),
        last_recalled_at=st.just(0.0),
        arbitrary_importance=st.floats(0, 1),
        user_rating=st.one_of(st.none(), st.integers(1, 5)),
        tags=st.lists(TEXT, max_size=3).map(tuple),
        time=st.builds(TimeCoordinate, MAYBE, st.one_of(st.none(), st.integers(0, 99))),
        space=st.builds(SpaceCoordinate, MAYBE, MAYBE, st.lists(TEXT, max_size=2).map(tuple)),
        agent=st.builds(AgentCoordinate, MAYBE, MAYBE, MAYBE, MAYBE),
        emotion=st.builds(EmotionCoordinate, sentiment_score=st.floats(-1, 1), confidence=st.floats(0, 1)),
        document=st.builds(Document, st.sampled_from(ContentType), MAYBE, MAYBE, st.integers(0, 99)),
        links=st.builds(Links, MAYBE, st.lists(TEXT, max_size=2).map(tuple), st.lists(TEXT, max_size=2).map(tuple)),
    )
)
def test_every_memory_has_a_document(item):
    """Whatever a memory holds, its document fits the schema and comes back the same."""
    document = json.loads(json.dumps(item.to_coordinate()))
    assert broken_rules(document, SCHEMA) == []
    assert from_coordinate(document).to_coordinate() == document
