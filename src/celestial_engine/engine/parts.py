"""Parts: what the operations of one engine share.

Built once; an engine for another owner differs only in the owner.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from celestial_engine.core.checks import check_time
from celestial_engine.core.guard.secrets import GuardPolicy
from celestial_engine.core.model.settings import ModelSettings, ModelUse
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import Protection
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.cross_encoding import CrossEncoder
from celestial_engine.core.retrieval.ranking import RecallSettings
from celestial_engine.engine.browsing.recent_rows import RecentRows
from celestial_engine.errors import (
    BusyError,
    DiskFullError,
    Expected,
    InvalidInputError,
    ProtectedError,
    ReadOnlyError,
    Reason,
    Thing,
)
from celestial_engine.flow.base.embed import Embedding
from celestial_engine.flow.base.law import LawInForce
from celestial_engine.flow.turn.be_present import be_present
from celestial_engine.flow.turn.record import Recorder
from celestial_engine.ports import Clock, ItemFilter, ItemStore, LanguageModel, SoulFile

if TYPE_CHECKING:
    from celestial_engine.core.federation.settings import GossipConfig
    from celestial_engine.core.imagination.settings import ImaginationSettings
    from celestial_engine.core.night.sleep import SleepSettings
    from celestial_engine.engine.departures import Retention
    from celestial_engine.engine.lessons import Lessons

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Models:
    """The language model, with its budget and answer checks, and what it may be used for."""

    model: LanguageModel | None = None
    uses: frozenset[ModelUse] = frozenset()
    unchecked: LanguageModel | None = None  # the same within the budget; answers may be cut off or decline
    settings: ModelSettings = field(default_factory=ModelSettings)

    def for_use(self, use: ModelUse) -> LanguageModel | None:
        return self.model if use in self.uses else None


@dataclass(frozen=True)
class Parts:
    """The store, law, clock and models of one engine, and the owner it works for."""

    store: ItemStore
    laws: LawInForce
    owner: Owner
    clock: Clock
    recorder: Recorder
    embedding: Embedding
    models: Models
    lessons: Lessons
    retention: Retention
    recall: RecallSettings
    imagination: ImaginationSettings
    sleep: SleepSettings | None
    session_id: str | None
    soul_file: Callable[[Owner, str | None], SoulFile]
    empty_store: Callable[[], ItemStore]
    gossip: Callable[[], GossipConfig]
    personas: str | None = None  # path of the registry that runs use
    started_with: Mapping[str, str | None] = field(default_factory=dict, repr=False)  # settings by key
    key: str | None = field(default=None, repr=False)  # the passphrase of an encrypted database
    recent_rows: RecentRows = field(default_factory=RecentRows, repr=False, compare=False)
    cross_encoder: CrossEncoder | None = None
    reinforces: bool = True  # False: reading the past changes nothing

    @property
    def guard(self) -> GuardPolicy:
        return self.recorder.policy

    def of(self, owner: Owner) -> Parts:
        return replace(self, owner=owner)

    def now(self) -> float:
        return check_time(self.clock())

    def be_present(self, *, new_owner: bool = False) -> None:
        """Notes that the owner is active now. Call it before an operation that the owner asked for changes anything.

        `new_owner`: the operation stores memories, perhaps the first of this owner.
        """
        if not self.reinforces:
            return
        try:
            be_present(self.store, self.law, self.owner, self.now(), new_owner=new_owner)
        except (DiskFullError, ReadOnlyError, BusyError) as error:
            logger.warning("the owner's activity was not noted: %s", error)

    def law(self) -> Law:
        """Reads the law in force from the store. Call it once per operation."""
        return self.laws.read()

    def checked(self, where: ItemFilter | None) -> ItemFilter:
        """Checks the filter's zones against this store; the filter checks the rest itself."""
        if where is None:
            return ItemFilter()
        if not isinstance(where, ItemFilter):
            raise InvalidInputError("where", Reason.WRONG_TYPE, expected=Expected.FILTER, got=type(where).__name__)
        if where.zone is not None and where.zone not in range(self.law().function.zones.outermost + 1):
            raise InvalidInputError("zone", Reason.NO_SUCH, thing=Thing.ZONE, got=where.zone)
        return where

    def scored(self, items: Iterable[CelestialItem], law: Law | None = None) -> list[CelestialItem]:
        """Returns these memories with their current scores; `law` is the law in force, if it was read already."""
        items = list(items)
        if not items:
            return []
        function, now = (law or self.law()).function, self.now()
        return [replace(item, total_score=function.score(item, now)) for item in items]

    @contextmanager
    def recording_refusals(self, item_id: str | None) -> Iterator[None]:
        """Logs attempts to change a core memory without the user's approval."""
        try:
            yield
        except ProtectedError as error:
            if error.details.get("protection") == Protection.CORE.value:
                detail = {"why": error.code, "action": error.details["action"].value}
                with self.store.write(self.owner) as session:
                    session.ledger.record(Event(EventType.REFUSED, self.owner, self.now(), item_id, detail))
            raise


class HasParts(Protocol):
    """An engine or a past state of one: what the reading methods need."""

    @property
    def parts(self) -> Parts: ...


class Area:
    """A group of operations, an attribute of the engine: `memory.ledger`."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts


Items = Sequence[CelestialItem]
