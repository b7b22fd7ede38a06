"""The memory for frameworks that run on asyncio: its work is done in threads, and the event loop goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from celestial_engine.async_memory import AsyncCelestialMemory
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import Expected, InvalidInputError, Reason

P = ParamSpec("P")
T = TypeVar("T")

AnyMemory = CelestialMemory | AsyncCelestialMemory


def check_memory(memory: object) -> AnyMemory:
    """A memory of either kind, open or not yet; the host closes it."""
    if not isinstance(memory, (CelestialMemory, AsyncCelestialMemory)):
        raise InvalidInputError("memory", Reason.WRONG_TYPE, expected=Expected.ANY_MEMORY, got=type(memory).__name__)
    return memory


async def in_thread(
    memory: AnyMemory, operation: Callable[Concatenate[CelestialMemory, P], T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """`operation(memory, ...)`, awaited: `await in_thread(memory, CelestialMemory.recall, "tea")`."""
    opened = await memory.opened() if isinstance(memory, AsyncCelestialMemory) else memory
    return await asyncio.to_thread(operation, opened, *args, **kwargs)
