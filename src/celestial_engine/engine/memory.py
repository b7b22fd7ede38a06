"""CelestialMemory: opens a memory and closes it; its operations are in the other files of this folder.

The verbs of the product are methods (`memory.store`), written as functions beside this file and assigned here; the
rest is in areas (`memory.ledger.verify`), which are loaded when they are first used.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cached_property
from importlib import import_module
from types import EllipsisType
from typing import TYPE_CHECKING, Any

from celestial_engine.core.record.owner import Owner
from celestial_engine.engine import asking, conversation, reading, writing
from celestial_engine.engine.opening import open_engine
from celestial_engine.engine.parts import Parts
from celestial_engine.engine.schedule.jobs import Backups, Schedule
from celestial_engine.errors import InvalidInputError, Reason
from celestial_engine.ports import Clock, Embedder, EmbedFunction, ItemStore, LanguageModel, ModelFunction

if TYPE_CHECKING:
    from celestial_engine.config.engine_settings import Settings
    from celestial_engine.core.night.sleep import Duty, SleepReport
    from celestial_engine.core.orbit.memory_function import MemoryFunctionConfig
    from celestial_engine.core.orbit.zones import ZoneConfig
    from celestial_engine.core.record.importance import ImportanceEvaluator
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
    from celestial_engine.engine.schedule.night import DutyProgress as NightProgress
    from celestial_engine.engine.self_ import SelfArea
    from celestial_engine.engine.sources import SourcesArea
    from celestial_engine.engine.sync import SyncArea
    from celestial_engine.engine.transfer import TransferArea
    from celestial_engine.flow.night.rebalance import RebalanceResult


class CelestialMemory:
    """A long-term memory. Safe to use from several threads, and from several processes on one file.

    >>> memory = CelestialMemory(":memory:")
    >>> _ = memory.store("Python was released in 1991", importance=0.8)
    >>> [hit.content for hit in memory.recall("When did Python appear?")]
    ['Python was released in 1991']
    >>> memory.close()
    """

    parts: Parts

    def __new__(cls, db_path: str | os.PathLike[str] | None = None, *args: Any, **settings: Any) -> Any:
        """The address of a server gives its memory over HTTP instead, with the same verbs (docs/rest.md)."""
        if isinstance(db_path, str) and db_path.startswith(("http://", "https://")):
            # By name: the client is made of the surfaces' declarations, which the engine knows nothing of.
            return import_module("celestial_engine.client").RemoteMemory(db_path, *args, **settings)
        return super().__new__(cls)

    def __init__(
        self,
        db_path: str | os.PathLike[str] | None = None,
        zones: Iterable[ZoneConfig] | None = None,
        memory_fn_config: MemoryFunctionConfig | None = None,
        evaluator: ImportanceEvaluator | None = None,
        rebalance_interval: float | None = 300,
        auto_forget_days: float | EllipsisType | None = ...,
        embed_fn: EmbedFunction | None = None,
        clock: Clock | None = None,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
        embedder: Embedder | str | None = None,
        language_model: LanguageModel | ModelFunction | str | None = None,
        settings: Settings | None = None,
        item_store: ItemStore | None = None,
        token: str | None = None,
    ) -> None:
        """Opens the database at `db_path` (default: CELESTIAL_DB, else the user's data folder).

        `zones`, `memory_fn_config` and `auto_forget_days` (90; None: never) are stored in the database; if you do not
        pass them, the stored values apply. `rebalance_interval` is in seconds, None for no background work.
        `embedder` is a name or an object, `embed_fn` any function instead (default: CELESTIAL_EMBEDDER, else what is
        installed). `language_model` is a name, an object or any function from text to text (default: CELESTIAL_MODEL,
        else none). `user_id` and `agent_id` name the owner; `session_id` is the default session of stored memories.
        `settings` holds everything else (docs/configuration.md). `item_store` replaces the database. With
        `http://HOST:PORT` and a `token` instead of a path, the memory of a server is used.
        """
        if token is not None:
            raise InvalidInputError("token", Reason.NO_SUCH_PARAMETER, got="token")
        opened = open_engine(
            db_path, zones, memory_fn_config, evaluator, rebalance_interval, auto_forget_days, embed_fn, clock,
            user_id, agent_id, session_id, embedder, language_model, settings, item_store,
        )  # fmt: skip
        self._share(opened.parts, opened.schedule, opened.backups)
        if opened.sleeps:
            self._schedule.nightly = lambda: self.night.sleep_if_due()  # loads what a night needs when it is due
        if rebalance_interval is not None:
            self._schedule.start()

    # The arguments that help() and editors show are those of __init__.
    __new__.__wrapped__ = __init__  # type: ignore[attr-defined]

    def of(self, user_id: str | None = None, agent_id: str | None = None) -> CelestialMemory:
        """Returns this engine for another owner; a part that you do not name stays. Closing either closes both.

        >>> memory = CelestialMemory(":memory:")
        >>> _ = memory.of("mina").store("Mina likes tea")
        >>> memory.recall("tea"), len(memory.of("mina").recall("tea"))
        ([], 1)
        >>> memory.close()
        """
        owner = self.parts.owner.with_ids(user_id, agent_id)
        if owner == self.parts.owner:
            return self
        other = object.__new__(CelestialMemory)
        other._share(self.parts.of(owner), self._schedule, self._backups)
        return other

    @property
    def path(self) -> str:
        return self.parts.store.path

    @property
    def owner(self) -> Owner:
        """The owner of these memories."""
        return self.parts.owner

    # -- the verbs ----------------------------------------------------------------------------------

    store = writing.store
    store_many = writing.store_many
    update = writing.update
    pin = writing.pin
    unpin = writing.unpin
    rate = writing.rate
    forget = writing.forget
    restore = writing.restore
    remind = writing.remind
    recall = asking.recall
    search = asking.search
    compose = asking.compose
    profile = asking.profile
    observe = conversation.observe
    decide = conversation.decide
    feedback = conversation.feedback
    judge_answer = conversation.judge_answer
    get = reading.get
    related = reading.related
    explain = reading.explain
    stats = reading.stats

    def rebalance(self, *, allow_large: bool = False) -> RebalanceResult:
        """Moves every memory, of all owners, into the zone of its score.

        `allow_large` confirms that many memories may leave at once: idle ones over the cliff, others from there.
        """
        return self._schedule.rebalance(allow_large=allow_large)

    def sleep(
        self,
        *,
        duties: Iterable[Duty | str] | None = None,
        dry_run: bool = False,
        force: bool = False,
        allow_large: bool = False,
        progress: NightProgress | None = None,
    ) -> SleepReport:
        """Runs this owner's nightly duties that are due, or those that are named.

        `force` runs all of them now, even if another process is running them; `dry_run` only plans; `allow_large`
        confirms that many memories may leave at once. `progress` is called with the duty, the done and the total
        count.
        """
        from celestial_engine.engine.night import checked_duties
        from celestial_engine.engine.schedule.night import SleepRequest

        return self.night.runner.sleep(
            self.owner, SleepRequest(checked_duties(duties), dry_run, force, allow_large, progress)
        )

    def close(self) -> None:
        """Stops the background work and closes the database. Closing twice is fine."""
        self._schedule.stop()
        self.parts.store.close()

    def __enter__(self) -> CelestialMemory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- the areas ----------------------------------------------------------------------------------

    @cached_property
    def browse(self) -> reading.BrowseArea:
        return reading.BrowseArea(self.parts)

    @cached_property
    def ledger(self) -> LedgerArea:
        from celestial_engine.engine.ledger import LedgerArea

        return LedgerArea(self.parts)

    @cached_property
    def self(self) -> SelfArea:
        from celestial_engine.engine.self_ import SelfArea

        return SelfArea(self.parts)

    @cached_property
    def policy(self) -> PolicyArea:
        from celestial_engine.engine.policy import PolicyArea

        return PolicyArea(self.parts)

    @cached_property
    def federation(self) -> FederationArea:
        from celestial_engine.engine.federation import FederationArea

        return FederationArea(self.parts)

    @cached_property
    def departures(self) -> DeparturesArea:
        from celestial_engine.engine.departures import DeparturesArea

        return DeparturesArea(self.parts)

    @cached_property
    def transfer(self) -> TransferArea:
        from celestial_engine.engine.transfer import TransferArea

        return TransferArea(self.parts, self._backups)

    @cached_property
    def sources(self) -> SourcesArea:
        from celestial_engine.engine.sources import SourcesArea

        return SourcesArea(self.parts)

    @cached_property
    def sync(self) -> SyncArea:
        from celestial_engine.engine.sync import SyncArea

        return SyncArea(self.parts)

    @cached_property
    def night(self) -> NightArea:
        from celestial_engine.engine.night import NightArea

        return NightArea(self.parts, self._schedule.stopping, self.update)

    @cached_property
    def orbits(self) -> OrbitsArea:
        from celestial_engine.engine.orbits import OrbitsArea

        return OrbitsArea(self.parts)

    @cached_property
    def imagination(self) -> ImaginationArea:
        from celestial_engine.engine.imagination import ImaginationArea

        return ImaginationArea(self.parts)

    @cached_property
    def personas(self) -> PersonasArea:
        from celestial_engine.engine.personas.area import PersonasArea

        return PersonasArea(self.parts)

    @cached_property
    def access(self) -> AccessArea:
        from celestial_engine.engine.access import AccessArea

        return AccessArea(self.parts)

    @cached_property
    def maintenance(self) -> MaintenanceArea:
        from celestial_engine.engine.maintenance import MaintenanceArea

        return MaintenanceArea(self.parts, self._schedule, self._backups)

    def _share(self, parts: Parts, schedule: Schedule, backups: Backups) -> None:
        self.parts = parts
        self._schedule = schedule
        self._backups = backups

    list = reading.list_newest  # last, because the name hides the builtin inside this class
