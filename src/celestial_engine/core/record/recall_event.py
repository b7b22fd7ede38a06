"""One ledger entry for a whole question: the memories that it recalled, and those that made room for them.

    {"context": [0.61, 0.4], "zone": [1, 2, 3], "by": [0]}   memory_refs: two recalled, one displaced by the first

`parts_of` takes such an entry apart into the events of each memory. Entries about one memory are their own only part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.owner import Owner

IN_PARTS = (EventType.RECALLED, EventType.MOVED)  # what an entry about several memories says of one


class RecalledMemory(NamedTuple):
    """A memory that a question found, and the zone that it has afterwards."""

    item_id: str
    zone: int
    context: float


class DisplacedMemory(NamedTuple):
    """A memory that made room for another, and the zone that it has afterwards."""

    item_id: str
    zone: int
    by: str


def recall_event(
    owner: Owner, at: float, recalled: Sequence[RecalledMemory], displaced: Sequence[DisplacedMemory] = ()
) -> Event:
    """Return the event of a question. Each memory may be named once; `by` names recalled ones."""
    if len(recalled) == 1 and not displaced:
        return recalled_event(owner, at, recalled[0])
    places = {memory.item_id: place for place, memory in enumerate(recalled)}
    detail: dict[str, Any] = {
        "context": [round(memory.context, 4) for memory in recalled],
        "zone": [memory.zone for memory in recalled] + [memory.zone for memory in displaced],
    }
    if displaced:
        detail["by"] = [places[memory.by] for memory in displaced]
    refs = (*(memory.item_id for memory in recalled), *(memory.item_id for memory in displaced))
    return Event(EventType.RECALLED, owner, at, None, detail, memory_refs=refs)


def recalled_event(owner: Owner, at: float, memory: RecalledMemory) -> Event:
    """Return the event of a single memory."""
    detail = {"zone": memory.zone, "context": round(memory.context, 4)}
    return Event(EventType.RECALLED, owner, at, memory.item_id, detail)


def parts_of(event: Event) -> list[Event]:
    """Return the event of each memory, with the number of the entry."""
    if event.type is not EventType.RECALLED or event.item_id is not None:
        return [event]
    refs, contexts, zones = event.memory_refs, event.detail.get("context", ()), event.detail.get("zone", ())
    by = event.detail.get("by", ())
    if len(zones) != len(refs) or len(contexts) + len(by) != len(refs):
        return [event]  # not written by this engine
    found = [
        _part(event, EventType.RECALLED, item_id, {"zone": zone, "context": context})
        for item_id, zone, context in zip(refs, zones, contexts, strict=False)
    ]
    begin = len(contexts)
    return found + [
        _part(event, EventType.MOVED, item_id, {"zone": zone, "by": refs[place]})
        for item_id, zone, place in zip(refs[begin:], zones[begin:], by, strict=True)
    ]


def part_about(event: Event, item_id: str) -> Event | None:
    """Return what the event says about one memory; None if nothing."""
    return next((part for part in parts_of(event) if part.item_id == item_id), None)


def _part(event: Event, kind: EventType, item_id: str, detail: dict[str, Any]) -> Event:
    return Event(kind, event.owner, event.at, item_id, detail, event.session_id, number=event.number, hash=event.hash)
