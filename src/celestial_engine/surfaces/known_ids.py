"""Ids as people and models give them: the first characters are enough where only one memory has them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from celestial_engine.errors import NotFoundError
from celestial_engine.surfaces.request_fields import fields_of

if TYPE_CHECKING:
    from celestial_engine.engine import CelestialMemory


def known_id(memory: CelestialMemory, typed_id: str) -> str:
    """Returns the whole id; raises if no memory, or more than one, has these first characters."""
    try:
        return memory.browse.find_id(typed_id)
    except NotFoundError:
        # What is gone for good is no longer among the memories, but the ledger still tells of it.
        if not memory.ledger.history(typed_id, 1):
            raise
        return typed_id


def with_known_ids(memory: CelestialMemory, request: Any) -> Any:
    """Returns the request with whole ids in the fields that name memories."""
    whole: dict[str, Any] = {}
    kind: type = type(request)
    for name, many in _naming_fields(kind):
        typed = getattr(request, name)
        if many:
            whole[name] = tuple(known_id(memory, one) for one in typed)
        elif typed is not None:
            whole[name] = known_id(memory, typed)
    return replace(request, **whole) if whole else request


@cache
def _naming_fields(request: type) -> tuple[tuple[str, bool], ...]:
    return tuple((field.path, field.many) for field in fields_of(request) if field.names_memory)
