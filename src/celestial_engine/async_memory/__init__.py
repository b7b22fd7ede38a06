"""AsyncCelestialMemory: the same engine for asyncio programs.

Every operation runs the one of CelestialMemory in a thread: same name, arguments and result, to be awaited. Areas
too: `await memory.ledger.verify()`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cached_property, partial, wraps
from typing import Any, Concatenate, ParamSpec

from celestial_engine.async_memory.areas import (
    AsyncAccess,
    AsyncBrowse,
    AsyncDepartures,
    AsyncFederation,
    AsyncImagination,
    AsyncLedger,
    AsyncMaintenance,
    AsyncNight,
    AsyncOrbits,
    AsyncPersonas,
    AsyncPolicy,
    AsyncSelf,
    AsyncSources,
    AsyncSync,
    AsyncTransfer,
    Offloading,
    offloaded,
)
from celestial_engine.core.record.owner import Owner
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import NotOpenError

P = ParamSpec("P")


def _with_the_arguments_of(
    init: Callable[Concatenate[CelestialMemory, P], None],
) -> Callable[[Callable[..., None]], Callable[Concatenate[AsyncCelestialMemory, P], None]]:
    def decorate(own: Callable[..., None]) -> Callable[Concatenate[AsyncCelestialMemory, P], None]:
        return wraps(init)(own)

    return decorate


class AsyncCelestialMemory(Offloading[CelestialMemory]):
    """A long-term memory for asyncio: `async with AsyncCelestialMemory("my.db") as memory`.

    Opened by `async with`, or by the first operation. A cancelled call still completes.
    """

    @_with_the_arguments_of(CelestialMemory.__init__)
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._open = partial(CelestialMemory, *args, **kwargs)
        self._opening = asyncio.Lock()
        self._memory: CelestialMemory | None = None
        self._closed = False

    async def opened(self) -> CelestialMemory:
        """Returns the underlying engine, for operations that are not offered here."""
        async with self._opening:
            if self._memory is None:
                if self._closed:
                    raise NotOpenError()
                self._memory = await asyncio.to_thread(self._open)
            return self._memory

    async def close(self) -> None:
        """Stops the background work and closes the database. Closing twice is fine."""
        async with self._opening:
            self._closed = True
            if self._memory is not None:
                await asyncio.to_thread(self._memory.close)

    async def __aenter__(self) -> AsyncCelestialMemory:
        await self.opened()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def of(self, user_id: str | None = None, agent_id: str | None = None) -> AsyncCelestialMemory:
        """Returns this engine for another owner; a part that you do not name stays. Closing either closes both."""
        return _OtherOwner(self, user_id, agent_id)

    @property
    def path(self) -> str:
        return self._already_open().path

    @property
    def owner(self) -> Owner:
        return self._already_open().owner

    def _already_open(self) -> CelestialMemory:
        if self._memory is None:
            raise NotOpenError()
        return self._memory

    store = offloaded(CelestialMemory.store)
    store_many = offloaded(CelestialMemory.store_many)
    update = offloaded(CelestialMemory.update)
    pin = offloaded(CelestialMemory.pin)
    unpin = offloaded(CelestialMemory.unpin)
    rate = offloaded(CelestialMemory.rate)
    forget = offloaded(CelestialMemory.forget)
    restore = offloaded(CelestialMemory.restore)
    remind = offloaded(CelestialMemory.remind)
    recall = offloaded(CelestialMemory.recall)
    search = offloaded(CelestialMemory.search)
    compose = offloaded(CelestialMemory.compose)
    profile = offloaded(CelestialMemory.profile)
    observe = offloaded(CelestialMemory.observe)
    decide = offloaded(CelestialMemory.decide)
    feedback = offloaded(CelestialMemory.feedback)
    judge_answer = offloaded(CelestialMemory.judge_answer)
    get = offloaded(CelestialMemory.get)
    related = offloaded(CelestialMemory.related)
    explain = offloaded(CelestialMemory.explain)
    stats = offloaded(CelestialMemory.stats)
    rebalance = offloaded(CelestialMemory.rebalance)
    sleep = offloaded(CelestialMemory.sleep)
    list = offloaded(CelestialMemory.list)

    @cached_property
    def ledger(self) -> AsyncLedger:
        return AsyncLedger(self, lambda opened: opened.ledger)

    @cached_property
    def self(self) -> AsyncSelf:
        return AsyncSelf(self, lambda opened: opened.self)

    @cached_property
    def policy(self) -> AsyncPolicy:
        return AsyncPolicy(self, lambda opened: opened.policy)

    @cached_property
    def departures(self) -> AsyncDepartures:
        return AsyncDepartures(self, lambda opened: opened.departures)

    @cached_property
    def transfer(self) -> AsyncTransfer:
        return AsyncTransfer(self, lambda opened: opened.transfer)

    @cached_property
    def night(self) -> AsyncNight:
        return AsyncNight(self, lambda opened: opened.night)

    @cached_property
    def orbits(self) -> AsyncOrbits:
        return AsyncOrbits(self, lambda opened: opened.orbits)

    @cached_property
    def imagination(self) -> AsyncImagination:
        return AsyncImagination(self, lambda opened: opened.imagination)

    @cached_property
    def personas(self) -> AsyncPersonas:
        return AsyncPersonas(self, lambda opened: opened.personas)

    @cached_property
    def federation(self) -> AsyncFederation:
        return AsyncFederation(self, lambda opened: opened.federation)

    @property
    def sources(self) -> AsyncSources:
        return AsyncSources(self, lambda opened: opened.sources)

    @property
    def sync(self) -> AsyncSync:
        return AsyncSync(self, lambda opened: opened.sync)

    @cached_property
    def access(self) -> AsyncAccess:
        return AsyncAccess(self, lambda opened: opened.access)

    @cached_property
    def maintenance(self) -> AsyncMaintenance:
        return AsyncMaintenance(self, lambda opened: opened.maintenance)

    @cached_property
    def browse(self) -> AsyncBrowse:
        return AsyncBrowse(self, lambda opened: opened.browse)


class _OtherOwner(AsyncCelestialMemory):
    """An engine for another owner, open as long as the first one."""

    def __init__(self, first: AsyncCelestialMemory, user_id: str | None, agent_id: str | None) -> None:
        self._first = first
        self._owner = (user_id, agent_id)
        self._memory = None

    async def opened(self) -> CelestialMemory:
        self._memory = (await self._first.opened()).of(*self._owner)
        return self._memory

    async def close(self) -> None:
        await self._first.close()
