"""Our own bundle: every memory with every field, in one file."""

from __future__ import annotations

from celestial_engine.core.keeping.record_bundle import pack_records
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.engine import CelestialMemory
from celestial_engine.exporters.files import write_whole


def write(path: str, items: list[CelestialItem], memory: CelestialMemory) -> int:
    write_whole(path, pack_records(items, memory.owner))
    return len(items)
