"""What the user does not want kept: a memory says so for each attribute, and is seen and undone as any other."""

from __future__ import annotations

from collections.abc import Iterable

from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.labels import Attribute

TAG = "never-keep"
FIELD = "never_keep"  # of the memory's metadata
MOST = len(Attribute)


def unwanted_attributes(items: Iterable[CelestialItem]) -> dict[Attribute, CelestialItem]:
    """The attributes that these memories refuse, each with the memory that says so."""
    names = {attribute.value: attribute for attribute in Attribute}
    found = ((names.get(str(item.metadata.get(FIELD))), item) for item in items)
    return {attribute: item for attribute, item in found if attribute is not None}
