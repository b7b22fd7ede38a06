"""The areas of AsyncCelestialMemory: each operation runs that of the engine in a thread."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterator
from contextlib import suppress
from functools import wraps
from itertools import islice
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

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
from celestial_engine.engine.sources import SourcesArea
from celestial_engine.engine.sync import SyncArea
from celestial_engine.engine.transfer import TransferArea

P = ParamSpec("P")
S = TypeVar("S")  # an engine or one of its areas
T = TypeVar("T")
_STREAMED_AT_ONCE = 100


class Offloading(ABC, Generic[S]):
    """Operations of `S`, to be awaited."""

    @abstractmethod
    async def opened(self) -> S:
        """Returns the engine or area; opened with the first operation."""


def offloaded(
    operation: Callable[Concatenate[S, P], T],
) -> Callable[Concatenate[Offloading[S], P], Coroutine[Any, Any, T]]:
    @wraps(operation)
    async def in_thread(self: Offloading[S], /, *args: P.args, **kwargs: P.kwargs) -> T:
        target = await self.opened()
        return await asyncio.to_thread(operation, target, *args, **kwargs)

    return in_thread


def streamed(
    operation: Callable[Concatenate[S, P], Iterator[T]], at_once: int = _STREAMED_AT_ONCE
) -> Callable[Concatenate[Offloading[S], P], AsyncIterator[T]]:
    @wraps(operation)
    async def from_thread(self: Offloading[S], /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[T]:
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

    return from_thread


class AsyncArea(Offloading[S]):
    """One area of an engine that may not be open yet."""

    def __init__(self, memory: Offloading[CelestialMemory], find: Callable[[CelestialMemory], S]) -> None:
        self._memory = memory
        self._find = find

    async def opened(self) -> S:
        return self._find(await self._memory.opened())


class AsyncLedger(AsyncArea[LedgerArea]):
    history = offloaded(LedgerArea.history)
    history_page = offloaded(LedgerArea.history_page)
    since = offloaded(LedgerArea.since)
    notices = offloaded(LedgerArea.notices)
    log = offloaded(LedgerArea.log)
    file = offloaded(LedgerArea.file)
    anchor = offloaded(LedgerArea.anchor)
    head = offloaded(LedgerArea.head)
    newest_anchor = offloaded(LedgerArea.newest_anchor)
    verify = offloaded(LedgerArea.verify)
    prove_purged = offloaded(LedgerArea.prove_purged)
    check_proof = offloaded(LedgerArea.check_proof)
    repair = offloaded(LedgerArea.repair)
    compress = offloaded(LedgerArea.compress)
    undo = offloaded(LedgerArea.undo)
    as_of = offloaded(LedgerArea.as_of)


class AsyncProposals(AsyncArea[ProposalArea]):
    core = offloaded(ProposalArea.core)
    core_change = offloaded(ProposalArea.core_change)
    core_deletion = offloaded(ProposalArea.core_deletion)
    island = offloaded(ProposalArea.island)
    island_change = offloaded(ProposalArea.island_change)
    belief = offloaded(ProposalArea.belief)
    belief_change = offloaded(ProposalArea.belief_change)
    rollback = offloaded(ProposalArea.rollback)


class AsyncSelf(AsyncArea[SelfArea]):
    def __init__(self, memory: Offloading[CelestialMemory], find: Callable[[CelestialMemory], SelfArea]) -> None:
        super().__init__(memory, find)
        self.propose = AsyncProposals(memory, lambda opened: opened.self.propose)

    inbox = offloaded(SelfArea.inbox)
    proposal = offloaded(SelfArea.proposal)
    approval_token = offloaded(SelfArea.approval_token)
    limit_problem = offloaded(SelfArea.limit_problem)
    approve = offloaded(SelfArea.approve)
    reject = offloaded(SelfArea.reject)
    nominations = offloaded(SelfArea.nominations)
    approve_core = offloaded(SelfArea.approve_core)
    islands = offloaded(SelfArea.islands)
    beliefs = offloaded(SelfArea.beliefs)
    context = offloaded(SelfArea.context)
    versions = offloaded(SelfArea.versions)
    shaken_by = offloaded(SelfArea.shaken_by)
    soul = offloaded(SelfArea.soul)
    soul_diff = offloaded(SelfArea.soul_diff)
    write_soul = offloaded(SelfArea.write_soul)
    read_soul = offloaded(SelfArea.read_soul)
    propose_soul = offloaded(SelfArea.propose_soul)


class AsyncPolicy(AsyncArea[PolicyArea]):
    unwanted = offloaded(PolicyArea.unwanted)
    features = offloaded(PolicyArea.features)
    explain = offloaded(PolicyArea.explain)
    status = offloaded(PolicyArea.status)
    versions = offloaded(PolicyArea.versions)
    rollback = offloaded(PolicyArea.rollback)
    adopt = offloaded(PolicyArea.adopt)
    influenced = offloaded(PolicyArea.influenced)


class AsyncDepartures(AsyncArea[DeparturesArea]):
    cliff = offloaded(DeparturesArea.cliff)
    cliff_page = offloaded(DeparturesArea.cliff_page)
    forget_where = offloaded(DeparturesArea.forget_where)
    erase = offloaded(DeparturesArea.erase)
    restore_many = offloaded(DeparturesArea.restore_many)
    retain = offloaded(DeparturesArea.retain)
    archives = offloaded(DeparturesArea.archives)
    bring_back = offloaded(DeparturesArea.bring_back)


class AsyncTransfer(AsyncArea[TransferArea]):
    fork = offloaded(TransferArea.fork)
    export = streamed(TransferArea.export)
    export_page = offloaded(TransferArea.export_page)
    backup = offloaded(TransferArea.backup)
    add_coordinate = offloaded(TransferArea.add_coordinate)
    import_ = offloaded(TransferArea.import_)
    adopt = offloaded(TransferArea.adopt)


class AsyncNight(AsyncArea[NightArea]):
    sleep_everybody = offloaded(NightArea.sleep_everybody)
    sleep_everybody_on = offloaded(NightArea.sleep_everybody_on)
    sleep_if_due = offloaded(NightArea.sleep_if_due)
    status = offloaded(NightArea.status)
    reports = offloaded(NightArea.reports)
    distill_pending = offloaded(NightArea.distill_pending)
    distill_commit = offloaded(NightArea.distill_commit)


class AsyncOrbits(AsyncArea[OrbitsArea]):
    zones = offloaded(OrbitsArea.zones)
    population = offloaded(OrbitsArea.population)
    picture = offloaded(OrbitsArea.picture)
    zone_counts = offloaded(OrbitsArea.zone_counts)
    replay = offloaded(OrbitsArea.replay)
    outlook = offloaded(OrbitsArea.outlook)
    insight = offloaded(OrbitsArea.insight)


class AsyncImagination(AsyncArea[ImaginationArea]):
    imagine = offloaded(ImaginationArea.imagine)
    recent = offloaded(ImaginationArea.recent)
    feedback = offloaded(ImaginationArea.feedback)
    patterns = offloaded(ImaginationArea.patterns)


class AsyncPersonas(AsyncArea[PersonasArea]):
    run = offloaded(PersonasArea.run)
    stream = streamed(PersonasArea.stream, at_once=1)  # each event as it happens
    resume = offloaded(PersonasArea.resume)
    registry = offloaded(PersonasArea.registry)
    registries = offloaded(PersonasArea.registries)
    cases = offloaded(PersonasArea.cases)
    runs = offloaded(PersonasArea.runs)


class AsyncFederation(AsyncArea[FederationArea]):
    config = offloaded(FederationArea.config)
    key = offloaded(FederationArea.key)
    join = offloaded(FederationArea.join)
    pause = offloaded(FederationArea.pause)
    leave = offloaded(FederationArea.leave)
    add_peer = offloaded(FederationArea.add_peer)
    remove_peer = offloaded(FederationArea.remove_peer)
    round = offloaded(FederationArea.round)
    round_if_due = offloaded(FederationArea.round_if_due)
    enabled = offloaded(FederationArea.enabled)
    receive = offloaded(FederationArea.receive)
    count_refused = offloaded(FederationArea.count_refused)
    status = offloaded(FederationArea.status)


class AsyncAccess(AsyncArea[AccessArea]):
    grant = offloaded(AccessArea.grant)
    tokens = offloaded(AccessArea.tokens)
    check = offloaded(AccessArea.check)
    login_key = offloaded(AccessArea.login_key)
    log_in = offloaded(AccessArea.log_in)
    owners = offloaded(AccessArea.owners)
    switch_owner = offloaded(AccessArea.switch_owner)
    revoke = offloaded(AccessArea.revoke)
    note_server = offloaded(AccessArea.note_server)
    serve_as = offloaded(AccessArea.serve_as)
    take_requests = offloaded(AccessArea.take_requests)
    servers = offloaded(AccessArea.servers)
    server_answer = offloaded(AccessArea.server_answer)


class AsyncMaintenance(AsyncArea[MaintenanceArea]):
    check = offloaded(MaintenanceArea.check)
    repair = offloaded(MaintenanceArea.repair)
    reindex = offloaded(MaintenanceArea.reindex)
    reindex_words = offloaded(MaintenanceArea.reindex_words)
    check_ready = offloaded(MaintenanceArea.check_ready)
    rebalance_if_due = offloaded(MaintenanceArea.rebalance_if_due)
    floor = offloaded(MaintenanceArea.floor)
    guard = offloaded(MaintenanceArea.guard)
    scan_secrets = offloaded(MaintenanceArea.scan_secrets)
    model = offloaded(MaintenanceArea.model)
    model_spent = offloaded(MaintenanceArea.model_spent)
    settings = offloaded(MaintenanceArea.settings)
    change_setting = offloaded(MaintenanceArea.change_setting)
    status = offloaded(MaintenanceArea.status)


class AsyncBrowse(AsyncArea[BrowseArea]):
    page = offloaded(BrowseArea.page)
    sessions = offloaded(BrowseArea.sessions)
    find_id = offloaded(BrowseArea.find_id)
    table = offloaded(BrowseArea.table)
    subjects = offloaded(BrowseArea.subjects)
    subject_count = offloaded(BrowseArea.subject_count)
    subject = offloaded(BrowseArea.subject)
    relations = offloaded(BrowseArea.relations)
    groups = offloaded(BrowseArea.groups)
    turns = offloaded(BrowseArea.turns)
    prepare = offloaded(BrowseArea.prepare)


class AsyncSources(AsyncArea[SourcesArea]):
    trace = offloaded(SourcesArea.trace)
    retract = offloaded(SourcesArea.retract)
    undo = offloaded(SourcesArea.undo)


class AsyncSync(AsyncArea[SyncArea]):
    status = offloaded(SyncArea.status)
    with_folder = offloaded(SyncArea.with_folder)
    with_device = offloaded(SyncArea.with_device)
    answer = offloaded(SyncArea.answer)
    new_device = offloaded(SyncArea.new_device)
