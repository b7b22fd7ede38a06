"""AsyncCelestialMemory: the same engine for asyncio programs.

Every operation runs the one of CelestialMemory in a thread: same name, arguments and result, to be awaited. Areas
too: `await memory.ledger.verify()`.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterator
from contextlib import suppress
from functools import cached_property, partial, wraps
from itertools import islice
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from celestial_engine.core.record.owner import Owner
from celestial_engine.engine import CelestialMemory
from celestial_engine.engine.access import AccessArea
from celestial_engine.engine.departures import DeparturesArea
from celestial_engine.engine.federation import FederationArea
from celestial_engine.engine.imagination import ImaginationArea
from celestial_engine.engine.ledger import LedgerArea
from celestial_engine.engine.maintenance import MaintenanceArea
from celestial_engine.engine.night import NightArea
from celestial_engine.engine.orbits import OrbitsArea
from celestial_engine.engine.personas.area import PersonasArea
from celestial_engine.engine.policy import PolicyArea
from celestial_engine.engine.proposals import ProposalArea
from celestial_engine.engine.reading import BrowseArea
from celestial_engine.engine.self_ import SelfArea
from celestial_engine.engine.transfer import TransferArea
from celestial_engine.errors import NotOpenError

P = ParamSpec("P")
S = TypeVar("S")  # an engine or one of its areas
T = TypeVar("T")
_STREAMED_AT_ONCE = 100


class _Async(ABC, Generic[S]):
    """Operations of `S`, to be awaited."""

    @abstractmethod
    async def opened(self) -> S:
        """Returns the engine or area; opened with the first operation."""


def _offloaded(
    operation: Callable[Concatenate[S, P], T],
) -> Callable[Concatenate[_Async[S], P], Coroutine[Any, Any, T]]:
    @wraps(operation)
    async def offloaded(self: _Async[S], /, *args: P.args, **kwargs: P.kwargs) -> T:
        target = await self.opened()
        return await asyncio.to_thread(operation, target, *args, **kwargs)

    return offloaded


def _streamed(
    operation: Callable[Concatenate[S, P], Iterator[T]], at_once: int = _STREAMED_AT_ONCE
) -> Callable[Concatenate[_Async[S], P], AsyncIterator[T]]:
    @wraps(operation)
    async def streamed(self: _Async[S], /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[T]:
        target = await self.opened()
        source = await asyncio.to_thread(operation, target, *args, **kwargs)
        try:
            while batch := await asyncio.to_thread(lambda: [*islice(source, at_once)]):
                for result in batch:
                    yield result
        finally:
            if isinstance(source, Generator):
                with suppress(ValueError):  # a thread is still waiting for its next result
                    source.close()

    return streamed


def _with_the_arguments_of(
    init: Callable[Concatenate[CelestialMemory, P], None],
) -> Callable[[Callable[..., None]], Callable[Concatenate[AsyncCelestialMemory, P], None]]:
    def decorate(own: Callable[..., None]) -> Callable[Concatenate[AsyncCelestialMemory, P], None]:
        return wraps(init)(own)

    return decorate


class _Area(_Async[S]):
    """One area of an engine that may not be open yet."""

    def __init__(self, memory: _Async[CelestialMemory], find: Callable[[CelestialMemory], S]) -> None:
        self._memory = memory
        self._find = find

    async def opened(self) -> S:
        return self._find(await self._memory.opened())


class AsyncLedger(_Area[LedgerArea]):
    history = _offloaded(LedgerArea.history)
    history_page = _offloaded(LedgerArea.history_page)
    since = _offloaded(LedgerArea.since)
    notices = _offloaded(LedgerArea.notices)
    log = _offloaded(LedgerArea.log)
    file = _offloaded(LedgerArea.file)
    anchor = _offloaded(LedgerArea.anchor)
    head = _offloaded(LedgerArea.head)
    newest_anchor = _offloaded(LedgerArea.newest_anchor)
    verify = _offloaded(LedgerArea.verify)
    repair = _offloaded(LedgerArea.repair)
    compress = _offloaded(LedgerArea.compress)
    undo = _offloaded(LedgerArea.undo)
    as_of = _offloaded(LedgerArea.as_of)


class AsyncProposals(_Area[ProposalArea]):
    core = _offloaded(ProposalArea.core)
    core_change = _offloaded(ProposalArea.core_change)
    core_deletion = _offloaded(ProposalArea.core_deletion)
    island = _offloaded(ProposalArea.island)
    island_change = _offloaded(ProposalArea.island_change)
    belief = _offloaded(ProposalArea.belief)
    belief_change = _offloaded(ProposalArea.belief_change)
    rollback = _offloaded(ProposalArea.rollback)


class AsyncSelf(_Area[SelfArea]):
    def __init__(self, memory: _Async[CelestialMemory], find: Callable[[CelestialMemory], SelfArea]) -> None:
        super().__init__(memory, find)
        self.propose = AsyncProposals(memory, lambda opened: opened.self.propose)

    inbox = _offloaded(SelfArea.inbox)
    proposal = _offloaded(SelfArea.proposal)
    approval_token = _offloaded(SelfArea.approval_token)
    approve = _offloaded(SelfArea.approve)
    reject = _offloaded(SelfArea.reject)
    nominations = _offloaded(SelfArea.nominations)
    approve_core = _offloaded(SelfArea.approve_core)
    islands = _offloaded(SelfArea.islands)
    beliefs = _offloaded(SelfArea.beliefs)
    context = _offloaded(SelfArea.context)
    versions = _offloaded(SelfArea.versions)
    shaken_by = _offloaded(SelfArea.shaken_by)
    soul = _offloaded(SelfArea.soul)
    soul_diff = _offloaded(SelfArea.soul_diff)
    write_soul = _offloaded(SelfArea.write_soul)
    read_soul = _offloaded(SelfArea.read_soul)


class AsyncPolicy(_Area[PolicyArea]):
    features = _offloaded(PolicyArea.features)
    explain = _offloaded(PolicyArea.explain)
    status = _offloaded(PolicyArea.status)
    versions = _offloaded(PolicyArea.versions)
    rollback = _offloaded(PolicyArea.rollback)
    adopt = _offloaded(PolicyArea.adopt)
    influenced = _offloaded(PolicyArea.influenced)


class AsyncDepartures(_Area[DeparturesArea]):
    cliff = _offloaded(DeparturesArea.cliff)
    cliff_page = _offloaded(DeparturesArea.cliff_page)
    forget_where = _offloaded(DeparturesArea.forget_where)
    erase = _offloaded(DeparturesArea.erase)
    restore_many = _offloaded(DeparturesArea.restore_many)
    retain = _offloaded(DeparturesArea.retain)
    archives = _offloaded(DeparturesArea.archives)
    bring_back = _offloaded(DeparturesArea.bring_back)


class AsyncTransfer(_Area[TransferArea]):
    export = _streamed(TransferArea.export)
    export_page = _offloaded(TransferArea.export_page)
    backup = _offloaded(TransferArea.backup)
    add_coordinate = _offloaded(TransferArea.add_coordinate)
    import_ = _offloaded(TransferArea.import_)
    adopt = _offloaded(TransferArea.adopt)


class AsyncNight(_Area[NightArea]):
    sleep_everybody = _offloaded(NightArea.sleep_everybody)
    sleep_everybody_on = _offloaded(NightArea.sleep_everybody_on)
    run_task = _offloaded(NightArea.run_task)
    sleep_if_due = _offloaded(NightArea.sleep_if_due)
    status = _offloaded(NightArea.status)
    reports = _offloaded(NightArea.reports)
    distill_pending = _offloaded(NightArea.distill_pending)
    distill_commit = _offloaded(NightArea.distill_commit)


class AsyncOrbits(_Area[OrbitsArea]):
    zones = _offloaded(OrbitsArea.zones)
    population = _offloaded(OrbitsArea.population)
    picture = _offloaded(OrbitsArea.picture)
    replay = _offloaded(OrbitsArea.replay)
    outlook = _offloaded(OrbitsArea.outlook)
    insight = _offloaded(OrbitsArea.insight)


class AsyncImagination(_Area[ImaginationArea]):
    imagine = _offloaded(ImaginationArea.imagine)
    recent = _offloaded(ImaginationArea.recent)
    feedback = _offloaded(ImaginationArea.feedback)
    patterns = _offloaded(ImaginationArea.patterns)


class AsyncPersonas(_Area[PersonasArea]):
    run = _offloaded(PersonasArea.run)
    stream = _streamed(PersonasArea.stream, at_once=1)  # each event as it happens
    resume = _offloaded(PersonasArea.resume)
    registry = _offloaded(PersonasArea.registry)
    registries = _offloaded(PersonasArea.registries)
    cases = _offloaded(PersonasArea.cases)
    runs = _offloaded(PersonasArea.runs)


class AsyncFederation(_Area[FederationArea]):
    config = _offloaded(FederationArea.config)
    key = _offloaded(FederationArea.key)
    join = _offloaded(FederationArea.join)
    pause = _offloaded(FederationArea.pause)
    leave = _offloaded(FederationArea.leave)
    add_peer = _offloaded(FederationArea.add_peer)
    remove_peer = _offloaded(FederationArea.remove_peer)
    round = _offloaded(FederationArea.round)
    round_if_due = _offloaded(FederationArea.round_if_due)
    enabled = _offloaded(FederationArea.enabled)
    receive = _offloaded(FederationArea.receive)
    status = _offloaded(FederationArea.status)


class AsyncAccess(_Area[AccessArea]):
    grant = _offloaded(AccessArea.grant)
    tokens = _offloaded(AccessArea.tokens)
    check = _offloaded(AccessArea.check)
    login_key = _offloaded(AccessArea.login_key)
    log_in = _offloaded(AccessArea.log_in)
    revoke = _offloaded(AccessArea.revoke)
    note_server = _offloaded(AccessArea.note_server)
    serve_as = _offloaded(AccessArea.serve_as)
    take_requests = _offloaded(AccessArea.take_requests)
    servers = _offloaded(AccessArea.servers)
    server_answer = _offloaded(AccessArea.server_answer)


class AsyncMaintenance(_Area[MaintenanceArea]):
    check = _offloaded(MaintenanceArea.check)
    repair = _offloaded(MaintenanceArea.repair)
    reindex = _offloaded(MaintenanceArea.reindex)
    reindex_words = _offloaded(MaintenanceArea.reindex_words)
    rebalance_if_due = _offloaded(MaintenanceArea.rebalance_if_due)
    floor = _offloaded(MaintenanceArea.floor)
    guard = _offloaded(MaintenanceArea.guard)
    model = _offloaded(MaintenanceArea.model)
    model_spent = _offloaded(MaintenanceArea.model_spent)
    status = _offloaded(MaintenanceArea.status)


class AsyncBrowse(_Area[BrowseArea]):
    page = _offloaded(BrowseArea.page)
    sessions = _offloaded(BrowseArea.sessions)
    find_id = _offloaded(BrowseArea.find_id)


class AsyncCelestialMemory(_Async[CelestialMemory]):
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

    store = _offloaded(CelestialMemory.store)
    store_many = _offloaded(CelestialMemory.store_many)
    update = _offloaded(CelestialMemory.update)
    pin = _offloaded(CelestialMemory.pin)
    unpin = _offloaded(CelestialMemory.unpin)
    rate = _offloaded(CelestialMemory.rate)
    forget = _offloaded(CelestialMemory.forget)
    restore = _offloaded(CelestialMemory.restore)
    remind = _offloaded(CelestialMemory.remind)
    recall = _offloaded(CelestialMemory.recall)
    search = _offloaded(CelestialMemory.search)
    compose = _offloaded(CelestialMemory.compose)
    profile = _offloaded(CelestialMemory.profile)
    observe = _offloaded(CelestialMemory.observe)
    decide = _offloaded(CelestialMemory.decide)
    feedback = _offloaded(CelestialMemory.feedback)
    get = _offloaded(CelestialMemory.get)
    related = _offloaded(CelestialMemory.related)
    explain = _offloaded(CelestialMemory.explain)
    stats = _offloaded(CelestialMemory.stats)
    rebalance = _offloaded(CelestialMemory.rebalance)
    sleep = _offloaded(CelestialMemory.sleep)
    list = _offloaded(CelestialMemory.list)

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
