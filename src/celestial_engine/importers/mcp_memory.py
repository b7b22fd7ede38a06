"""The JSONL of the MCP reference server `server-memory`: a graph of entities, their observations and relations.

Every observation becomes a memory that names its entity; later observations have the entity's first as parent. Every
relation becomes a memory with its triple, related to both entities.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from celestial_engine.core.keeping.imported_record import ImportedRecord
from celestial_engine.importers import values
from celestial_engine.importers.reading import UnusableEntry, json_lines

NAME = "mcp-memory"


def is_line(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    if value.get("type") == "entity":
        return "name" in value and "observations" in value
    return value.get("type") == "relation" and "from" in value and "to" in value


def read(path: str) -> Iterator[ImportedRecord | UnusableEntry]:
    first_ids: dict[str, str] = {}
    relations: list[tuple[str, dict[str, Any]]] = []
    for where, line in json_lines(path):
        if isinstance(line, UnusableEntry):
            yield line
        elif not is_line(line):
            yield UnusableEntry(where, "unknown_line")
        elif line["type"] == "relation":
            relations.append((where, line))  # read last, when every entity is known
        else:
            yield from _entity(where, line, first_ids)
    for where, line in relations:
        yield _relation(where, line, first_ids)


def _entity(where: str, line: dict[str, Any], first_ids: dict[str, str]) -> Iterator[ImportedRecord | UnusableEntry]:
    entity, kind = values.name(line["name"]), values.name(line.get("entityType"))
    if entity is None:
        yield UnusableEntry(where, "no_id")
        return
    label = f"{entity} ({kind})" if kind else entity
    tags = (kind,) if kind else ()
    observations = line["observations"] if isinstance(line["observations"], list) else []
    texts = [text for text in map(values.text, observations) if text is not None]
    for _ in range(len(observations) - len(texts)):
        yield UnusableEntry(where, "no_text")
    if not texts and entity not in first_ids:
        first_ids[entity] = f"entity {entity}"
        yield ImportedRecord(NAME, first_ids[entity], label, where, tags=tags, metadata={"entity": entity})
    for observation in texts:
        identity = f"{entity}\n{observation}"
        first = first_ids.setdefault(entity, identity)
        parent = None if first == identity else first
        yield ImportedRecord(
            NAME, identity, f"{label}: {observation}", where, tags=tags, parent=parent, metadata={"entity": entity}
        )


def _relation(where: str, line: dict[str, Any], first_ids: dict[str, str]) -> ImportedRecord | UnusableEntry:
    source, verb, target = (values.name(line.get(part)) for part in ("from", "relationType", "to"))
    if source is None or target is None:
        return UnusableEntry(where, "no_text")
    verb = verb or "relates to"
    related = tuple(first_ids[end] for end in (source, target) if end in first_ids)
    text = f"{source} {verb.replace('_', ' ')} {target}"
    return ImportedRecord(
        NAME, f"{source}\n{verb}\n{target}", text, where, triples=((source, verb, target),), related=related
    )
