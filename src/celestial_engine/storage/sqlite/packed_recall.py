"""A question's ledger entry in a few bytes: most of it would be the ids of memories, which are named again and again.

Each owner's memories get small numbers, their references, when a question first recalls them. What is packed is
exactly the entry's `detail` and `host`: unpacking gives the same texts, so the hash of the entry holds.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from celestial_engine.core.ledger.chain import Entry, canonical
from celestial_engine.core.record.events import EventType

_VERSION = 1
_SCALE = 10_000  # contexts have four decimals
_REFS = "memory_refs"


def references(entry: Entry) -> list[str]:
    """Returns the memories that an entry about several of them names; of any other entry none."""
    if entry.type != EventType.RECALLED.value or entry.item_id is not None or entry.host is None:
        return []
    try:
        refs = json.loads(entry.host)[_REFS]
    except (ValueError, TypeError, KeyError):
        return []
    return refs if isinstance(refs, list) and all(isinstance(ref, str) for ref in refs) else []


def packed(entry: Entry, numbers: Mapping[str, int]) -> bytes | None:
    """Returns `detail` and `host`, with the memories' references; None if that would not give the same entry back."""
    refs = references(entry)
    try:
        detail = json.loads(entry.detail)
        contexts, zones, by = detail["context"], detail["zone"], detail.get("by", [])
        values = [_VERSION, len(refs), len(contexts)]
        values += [numbers[ref] for ref in refs]
        values += [round(context * _SCALE) for context in contexts]
        raw = _written([*values, *zones, *by])
        same = unpacked(raw, {number: ref for ref, number in numbers.items()}) == (entry.detail, entry.host)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
        return None
    return raw if same else None


def unpacked(raw: bytes, names: Mapping[int, str]) -> tuple[str, str]:
    """Returns `detail` and `host`; raises ValueError or KeyError if these bytes were not packed so."""
    version, count, recalled, *values = _read(raw)
    moved = count - recalled
    if version != _VERSION or moved < 0 or len(values) != 2 * count + recalled + moved:
        raise ValueError("not a packed entry")
    contexts = [value / _SCALE for value in values[count : count + recalled]]
    zones = values[count + recalled : 2 * count + recalled]
    detail = {"context": contexts, "zone": zones} | ({"by": values[2 * count + recalled :]} if moved else {})
    return canonical(detail), canonical({_REFS: [names[ref] for ref in values[:count]]})


def packed_references(raw: bytes) -> Sequence[int]:
    """Returns the references alone; none if these bytes were not packed so."""
    try:
        version, count, _, *values = _read(raw)
    except ValueError:
        return ()
    return values[:count] if version == _VERSION and 0 <= count <= len(values) else ()


def _written(values: Sequence[int]) -> bytes:
    """Returns whole numbers as bytes: seven bits each, the small ones first; negative ones interleaved."""
    raw = bytearray()
    for value in values:
        rest = value << 1 if value >= 0 else (-value << 1) - 1
        while rest > 0x7F:
            raw.append(rest & 0x7F | 0x80)
            rest >>= 7
        raw.append(rest)
    return bytes(raw)


def _read(raw: bytes) -> Iterator[int]:
    value = shift = 0
    for byte in raw:
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            yield value >> 1 if not value & 1 else -((value + 1) >> 1)
            value = shift = 0
    if shift:
        raise ValueError("a number ends early")
