"""The JSONL of the MCP reference server `server-memory`: a graph of entities, their observations and relations.

Every observation is a memory that names its entity; the later ones of an entity follow its first. Every relation is
one too, with its triple, tied to the entities of both its ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from celestial_engine.core.keeping.imported_record import ImportedRecord
from celestial_engine.importers import values
from celestial_engine.importers.reading import Garbage, json_lines

NAME = "mcp-memory"


def is_line(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    if value.get("type") == "entity":
        return "name" in value and "observations" in value
    return value.get("type") == "relation" and "from" in value and "to" in value


def read(path: str) -> Iterator[ImportedRecord | Garbage]:
    firsts: dict[str, str] = {}
    relations: list[tuple[str, dict[str, Any]]] = []
    for where, line in json_lines(path):
        if isinstance(line, Garbage):
            yield line
        elif not is_line(line):
            yield Garbage(where, "unknown_line")
        elif line["type"] == "relation":
            relations.append((where, line))  # until every entity is known
        else:
            yield from _entity(where, line, firsts)
    for where, line in relations:
        yield _relation(where, line, firsts)


def _entity(where: str, line: dict[str, Any], firsts: dict[str, str]) -> Iterator[ImportedRecord | Garbage]:
    entity, kind = values.name(line["name"]), values.name(line.get("entityType"))
    if entity is None:
        yield Garbage(where, "no_id")
        return
    called = f"{entity} ({kind})" if kind else entity
    tags = (kind,) if kind else ()
    told = line["observations"] if isinstance(line["observations"], list) else []
    known = [text for text in map(values.text, told) if text is not None]
    for _ in range(len(told) - len(known)):
        yield Garbage(where, "no_text")
    if not known and entity not in firsts:
        firsts[entity] = f"entity {entity}"
        yield ImportedRecord(NAME, firsts[entity], called, where, tags=tags, metadata={"entity": entity})
    for observation in known:
        identity = f"{entity}\n{observation}"
        first = firsts.setdefault(entity, identity)
        parent = None if first == identity else first
        yield ImportedRecord(
            NAME, identity, f"{called}: {observation}", where, tags=tags, parent=parent, metadata={"entity": entity}
        )


def _relation(where: str, line: dict[str, Any], firsts: dict[str, str]) -> ImportedRecord | Garbage:
    one, verb, other = (values.name(line.get(part)) for part in ("from", "relationType", "to"))
    if one is None or other is None:
        return Garbage(where, "no_text")
    verb = verb or "relates to"
    ends = tuple(firsts[end] for end in (one, other) if end in firsts)
    told = f"{one} {verb.replace('_', ' ')} {other}"
    return ImportedRecord(NAME, f"{one}\n{verb}\n{other}", told, where, triples=((one, verb, other),), related=ends)
