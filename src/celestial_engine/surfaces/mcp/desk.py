"""Where requests are taken: one memory for all of them, and whose a request is."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup

from celestial_engine.core.access import EVERYTHING, Scope
from celestial_engine.core.record.owner import Owner
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import CelestialError

logger = logging.getLogger(__name__)

Open = Callable[[], CelestialMemory]


@dataclass(frozen=True)
class Guest:
    """Whose memories a request is about, and what it may do."""

    owner: Owner
    scopes: frozenset[Scope] = EVERYTHING


class Desk:
    """The memory, as soon as it is open."""

    def __init__(self, memory: CelestialMemory | None = None) -> None:
        self._ready = anyio.Event()
        self._memory = memory
        self._failure: CelestialError | None = None
        self._group: TaskGroup | None = None
        if memory is not None:
            self._ready.set()

    @classmethod
    @asynccontextmanager
    async def opening(cls, open_memory: Open) -> AsyncIterator[Desk]:
        """Opens the engine in the background, so that the handshake need not wait; closes it at the end."""
        desk = cls()
        async with anyio.create_task_group() as tasks:
            desk._group = tasks
            tasks.start_soon(desk._open, open_memory)
            try:
                yield desk
            finally:
                tasks.cancel_scope.cancel()
        if desk._memory is not None:
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(desk._memory.close)

    @classmethod
    @asynccontextmanager
    async def over(cls, memory: CelestialMemory) -> AsyncIterator[Desk]:
        """For an engine that the caller opens and closes."""
        desk = cls(memory)
        async with anyio.create_task_group() as tasks:
            desk._group = tasks
            try:
                yield desk
            finally:
                tasks.cancel_scope.cancel()

    def start_soon(self, work: Callable[..., Coroutine[Any, Any, None]], *arguments: Any) -> None:
        """Work that goes on when the request that began it has been answered."""
        assert self._group is not None  # noqa: S101
        self._group.start_soon(work, *arguments)

    async def memory(self) -> CelestialMemory:
        await self._ready.wait()
        if self._memory is None:
            raise self._failure or RuntimeError("the memory was not opened")
        return self._memory

    async def _open(self, open_memory: Open) -> None:
        with anyio.CancelScope(shield=True):  # a thread cannot be stopped, and what it opens must be closed
            try:
                self._memory = await anyio.to_thread.run_sync(open_memory)
            except CelestialError as error:
                logger.error("the memory cannot be opened: %s", error)
                self._failure = error
        self._ready.set()
