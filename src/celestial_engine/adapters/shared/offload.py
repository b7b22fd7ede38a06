"""Run engine calls in threads, so that asyncio frameworks are not blocked."""

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
    """Check that it is a sync or async engine; the host opens and closes it."""
    if not isinstance(memory, (CelestialMemory, AsyncCelestialMemory)):
        raise InvalidInputError("memory", Reason.WRONG_TYPE, expected=Expected.ANY_MEMORY, got=type(memory).__name__)
    return memory


async def in_thread(
    memory: AnyMemory, operation: Callable[Concatenate[CelestialMemory, P], T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """Run `operation(memory, ...)` in a thread: `await in_thread(memory, CelestialMemory.recall, "tea")`."""
    engine = await memory.opened() if isinstance(memory, AsyncCelestialMemory) else memory
    return await asyncio.to_thread(operation, engine, *args, **kwargs)
