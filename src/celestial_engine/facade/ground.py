"""What every operation stands on: the store, the sky, the owner and the clock of one engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from celestial_engine.core.checks import check_time
from celestial_engine.core.guard.secrets import DEFAULT, GuardPolicy
from celestial_engine.core.model.settings import ModelUse
from celestial_engine.core.orbit.zones import ZoneConfig
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import Protection
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import InvalidInputError, ProtectedError
from celestial_engine.ports import Clock, ItemFilter, ItemStore, LanguageModel
from celestial_engine.zone_manager import ZoneManager


class Ground:
    """Set by the engine when it opens."""

    _store: ItemStore
    _zones: ZoneManager
    _owner: Owner
    _clock: Clock
    _session_id: str | None
    _guard_policy: GuardPolicy = DEFAULT
    _model: LanguageModel | None = None
    _model_uses: frozenset[ModelUse] = frozenset()

    @property
    def path(self) -> str:
        return self._store.path

    @property
    def owner(self) -> Owner:
        """Whose memories these are, unless a call names somebody else."""
        return self._owner

    @property
    def zones(self) -> Sequence[ZoneConfig]:
        """The zones of this memory, from the sun outward."""
        return self._zones.law.function.zones.configs

    @contextmanager
    def _telling_refusals(self, owner: Owner, item_id: str | None) -> Iterator[None]:
        """Whoever tries to change a core memory without the user's word stands in the ledger."""
        try:
            yield
        except ProtectedError as error:
            if error.details.get("protection") == Protection.CORE.value:
                detail = {"why": error.code, "action": error.details.get("action")}
                with self._store.write(owner) as session:
                    session.ledger.record(Event(EventType.REFUSED, owner, self._now(), item_id, detail))
            raise

    def _now(self) -> float:
        return check_time(self._clock())

    def _model_for(self, use: ModelUse) -> LanguageModel | None:
        """The language model, if there is one and it may be asked for this."""
        return self._model if use in self._model_uses else None

    def _checked(self, where: ItemFilter) -> ItemFilter:
        """A filter checks itself, but for the zones: those are this memory's own."""
        if not isinstance(where, ItemFilter):
            raise InvalidInputError(field="where", reason=f"it is {type(where).__name__}, not an ItemFilter")
        if where.zone is not None and where.zone not in range(self._zones.law.function.zones.outermost + 1):
            raise InvalidInputError(field="zone", reason=f"there is no zone {where.zone!r}")
        return where

    def _scored(self, items: Iterable[CelestialItem]) -> Sequence[CelestialItem]:
        function, now = self._zones.law.function, self._now()
        return [replace(item, total_score=function.score(item, now)) for item in items]
