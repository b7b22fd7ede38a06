"""AsyncCelestialMemory: the same memory for hosts that run on asyncio.

Every operation is the one of CelestialMemory, in a thread: same name, same arguments, same result, to be awaited.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from functools import partial, wraps
from itertools import islice
from typing import Any, Concatenate, ParamSpec, TypeVar

from celestial_engine.core.guard.secrets import GuardPolicy
from celestial_engine.core.orbit.zones import ZoneConfig
from celestial_engine.core.record.owner import Owner
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import ClosedError
from celestial_engine.ports import LanguageModel

P = ParamSpec("P")
T = TypeVar("T")
_STREAMED_AT_ONCE = 100


def _offloaded(
    operation: Callable[Concatenate[CelestialMemory, P], T],
) -> Callable[Concatenate[AsyncCelestialMemory, P], Coroutine[Any, Any, T]]:
    @wraps(operation)
    async def offloaded(self: AsyncCelestialMemory, /, *args: P.args, **kwargs: P.kwargs) -> T:
        memory = await self.opened()
        return await asyncio.to_thread(operation, memory, *args, **kwargs)

    return offloaded


def _streamed(
    operation: Callable[Concatenate[CelestialMemory, P], Iterator[T]],
) -> Callable[Concatenate[AsyncCelestialMemory, P], AsyncIterator[T]]:
    @wraps(operation)
    async def streamed(self: AsyncCelestialMemory, /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[T]:
        memory = await self.opened()
        source = await asyncio.to_thread(operation, memory, *args, **kwargs)
        while some := await asyncio.to_thread(lambda: [*islice(source, _STREAMED_AT_ONCE)]):
            for one in some:
                yield one

    return streamed


def _with_the_settings_of(
    init: Callable[Concatenate[CelestialMemory, P], None],
) -> Callable[[Callable[..., None]], Callable[Concatenate[AsyncCelestialMemory, P], None]]:
    def decorate(own: Callable[..., None]) -> Callable[Concatenate[AsyncCelestialMemory, P], None]:
        return wraps(init)(own)

    return decorate


class AsyncCelestialMemory:
    """A long-term memory to be awaited: `async with AsyncCelestialMemory("my.db") as memory`.

    Opened by `async with`, or by the first operation. A cancelled call is still carried out.
    """

    @_with_the_settings_of(CelestialMemory.__init__)
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._open = partial(CelestialMemory, *args, **kwargs)
        self._opening = asyncio.Lock()
        self._memory: CelestialMemory | None = None
        self._closed = False

    async def opened(self) -> CelestialMemory:
        """The memory that does the work, for what is not offered here."""
        async with self._opening:
            if self._memory is None:
                if self._closed:
                    raise ClosedError(path="that was never opened")
                self._memory = await asyncio.to_thread(self._open)
            return self._memory

    async def close(self) -> None:
        """Ends the background work and lets go of the file. Closing twice is fine."""
        async with self._opening:
            self._closed = True
            if self._memory is not None:
                await asyncio.to_thread(self._memory.close)

    async def __aenter__(self) -> AsyncCelestialMemory:
        await self.opened()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def path(self) -> str:
        return self._now().path

    @property
    def ledger_file(self) -> str | None:
        return self._now().ledger_file

    @property
    def owner(self) -> Owner:
        return self._now().owner

    @property
    def zones(self) -> Sequence[ZoneConfig]:
        return self._now().zones

    @property
    def language_model(self) -> LanguageModel | None:
        return self._now().language_model

    @property
    def guard(self) -> GuardPolicy:
        return self._now().guard

    def _now(self) -> CelestialMemory:
        if self._memory is None:
            raise ClosedError(path="that is not open yet")
        return self._memory

    add_coordinate = _offloaded(CelestialMemory.add_coordinate)
    adopt = _offloaded(CelestialMemory.adopt)
    approval_token = _offloaded(CelestialMemory.approval_token)
    approve = _offloaded(CelestialMemory.approve)
    approve_core = _offloaded(CelestialMemory.approve_core)
    archives = _offloaded(CelestialMemory.archives)
    as_of = _offloaded(CelestialMemory.as_of)
    backup = _offloaded(CelestialMemory.backup)
    beliefs = _offloaded(CelestialMemory.beliefs)
    bring_back = _offloaded(CelestialMemory.bring_back)
    check = _offloaded(CelestialMemory.check)
    cliff = _offloaded(CelestialMemory.cliff)
    cliff_page = _offloaded(CelestialMemory.cliff_page)
    compose = _offloaded(CelestialMemory.compose)
    compress_ledger = _offloaded(CelestialMemory.compress_ledger)
    decide = _offloaded(CelestialMemory.decide)
    delete = _offloaded(CelestialMemory.delete)
    distill_commit = _offloaded(CelestialMemory.distill_commit)
    distill_pending = _offloaded(CelestialMemory.distill_pending)
    erase = _offloaded(CelestialMemory.erase)
    events_since = _offloaded(CelestialMemory.events_since)
    explain = _offloaded(CelestialMemory.explain)
    export = _streamed(CelestialMemory.export)
    export_page = _offloaded(CelestialMemory.export_page)
    feedback = _offloaded(CelestialMemory.feedback)
    find_id = _offloaded(CelestialMemory.find_id)
    forget = _offloaded(CelestialMemory.forget)
    forget_where = _offloaded(CelestialMemory.forget_where)
    get = _offloaded(CelestialMemory.get)
    grant = _offloaded(CelestialMemory.grant)
    granted = _offloaded(CelestialMemory.granted)
    grants = _offloaded(CelestialMemory.grants)
    history = _offloaded(CelestialMemory.history)
    history_page = _offloaded(CelestialMemory.history_page)
    imagination_feedback = _offloaded(CelestialMemory.imagination_feedback)
    imaginations = _offloaded(CelestialMemory.imaginations)
    imagine = _offloaded(CelestialMemory.imagine)
    imagined_patterns = _offloaded(CelestialMemory.imagined_patterns)
    import_memories = _offloaded(CelestialMemory.import_memories)
    inbox = _offloaded(CelestialMemory.inbox)
    influenced = _offloaded(CelestialMemory.influenced)
    insight = _offloaded(CelestialMemory.insight)
    islands = _offloaded(CelestialMemory.islands)
    ledger_head = _offloaded(CelestialMemory.ledger_head)
    list = _offloaded(CelestialMemory.list)
    list_page = _offloaded(CelestialMemory.list_page)
    log_event = _offloaded(CelestialMemory.log_event)
    log_in = _offloaded(CelestialMemory.log_in)
    login_key = _offloaded(CelestialMemory.login_key)
    model_spent = _offloaded(CelestialMemory.model_spent)
    nominations = _offloaded(CelestialMemory.nominations)
    note_server = _offloaded(CelestialMemory.note_server)
    server_answer = _offloaded(CelestialMemory.server_answer)
    notices = _offloaded(CelestialMemory.notices)
    observe = _offloaded(CelestialMemory.observe)
    orbits = _offloaded(CelestialMemory.orbits)
    orbits_past = _offloaded(CelestialMemory.orbits_past)
    outlook = _offloaded(CelestialMemory.outlook)
    perceive = _offloaded(CelestialMemory.perceive)
    pin = _offloaded(CelestialMemory.pin)
    policy_adopt = _offloaded(CelestialMemory.policy_adopt)
    policy_checkpoints = _offloaded(CelestialMemory.policy_checkpoints)
    policy_rollback = _offloaded(CelestialMemory.policy_rollback)
    policy_status = _offloaded(CelestialMemory.policy_status)
    population = _offloaded(CelestialMemory.population)
    proposal = _offloaded(CelestialMemory.proposal)
    propose_belief = _offloaded(CelestialMemory.propose_belief)
    propose_belief_change = _offloaded(CelestialMemory.propose_belief_change)
    propose_core = _offloaded(CelestialMemory.propose_core)
    propose_core_change = _offloaded(CelestialMemory.propose_core_change)
    propose_core_deletion = _offloaded(CelestialMemory.propose_core_deletion)
    propose_island = _offloaded(CelestialMemory.propose_island)
    propose_island_change = _offloaded(CelestialMemory.propose_island_change)
    rate = _offloaded(CelestialMemory.rate)
    read_soul = _offloaded(CelestialMemory.read_soul)
    rebalance = _offloaded(CelestialMemory.rebalance)
    rebalance_if_due = _offloaded(CelestialMemory.rebalance_if_due)
    recall = _offloaded(CelestialMemory.recall)
    reindex = _offloaded(CelestialMemory.reindex)
    reindex_words = _offloaded(CelestialMemory.reindex_words)
    reject = _offloaded(CelestialMemory.reject)
    related = _offloaded(CelestialMemory.related)
    remind = _offloaded(CelestialMemory.remind)
    repair = _offloaded(CelestialMemory.repair)
    repair_ledger = _offloaded(CelestialMemory.repair_ledger)
    restore = _offloaded(CelestialMemory.restore)
    restore_many = _offloaded(CelestialMemory.restore_many)
    retain = _offloaded(CelestialMemory.retain)
    revoke = _offloaded(CelestialMemory.revoke)
    search = _offloaded(CelestialMemory.search)
    self_context = _offloaded(CelestialMemory.self_context)
    self_rollback = _offloaded(CelestialMemory.self_rollback)
    self_versions = _offloaded(CelestialMemory.self_versions)
    servers = _offloaded(CelestialMemory.servers)
    session_ids = _offloaded(CelestialMemory.session_ids)
    shaken_by = _offloaded(CelestialMemory.shaken_by)
    sleep = _offloaded(CelestialMemory.sleep)
    sleep_everybody = _offloaded(CelestialMemory.sleep_everybody)
    sleep_if_due = _offloaded(CelestialMemory.sleep_if_due)
    sleep_reports = _offloaded(CelestialMemory.sleep_reports)
    sleep_status = _offloaded(CelestialMemory.sleep_status)
    soul = _offloaded(CelestialMemory.soul)
    soul_diff = _offloaded(CelestialMemory.soul_diff)
    stats = _offloaded(CelestialMemory.stats)
    status = _offloaded(CelestialMemory.status)
    store = _offloaded(CelestialMemory.store)
    store_many = _offloaded(CelestialMemory.store_many)
    undo = _offloaded(CelestialMemory.undo)
    unpin = _offloaded(CelestialMemory.unpin)
    update = _offloaded(CelestialMemory.update)
    verify_ledger = _offloaded(CelestialMemory.verify_ledger)
    write_soul = _offloaded(CelestialMemory.write_soul)
